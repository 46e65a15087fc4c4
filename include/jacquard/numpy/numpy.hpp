#pragma once
// The user's vocabulary: everything in numpy/.

#include "jacquard/numpy/creation.hpp"
#include "jacquard/numpy/operators.hpp"
#include "jacquard/numpy/text.hpp"
