#pragma once
// The compile-time lane alone: tensors, the user's vocabulary, and transforms of functions with static arguments. Needs no
// backend and no foreign library. Deliberately without jit, taps and devices: include jacquard.hpp for these, which includes this
// lane. Taps alone come with taps/taps.hpp.

#include "jacquard/control/control.hpp"
#include "jacquard/fixed/differentiate.hpp"
#include "jacquard/fixed/map.hpp"
#include "jacquard/fixed/mask.hpp"
#include "jacquard/numpy/numpy.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/transforms/transforms.hpp"
