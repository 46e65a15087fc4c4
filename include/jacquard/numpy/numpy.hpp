#pragma once
// The part of numpy/ that most programs use, and that <jacquard/fixed.hpp> has. numpy/vocabulary.hpp, which the umbrella has, adds the rest.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/contraction.hpp"
#include "jacquard/numpy/convolution.hpp"
#include "jacquard/numpy/creation.hpp"
#include "jacquard/numpy/einsum.hpp"
#include "jacquard/numpy/elementary.hpp"
#include "jacquard/numpy/elementwise.hpp"
#include "jacquard/numpy/floating.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/operators.hpp"
#include "jacquard/numpy/random.hpp"
#include "jacquard/numpy/reductions.hpp"
#include "jacquard/numpy/sorting.hpp"
#include "jacquard/core/value_text.hpp"
#include "jacquard/numpy/updates.hpp"
