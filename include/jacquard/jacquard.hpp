#pragma once
// Everything but foreign libraries: arrays, transforms, jit on the interpreter, taps. Headers under interop/ add one
// foreign library each.

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/control/call.hpp"
#include "jacquard/core/check.hpp"
#include "jacquard/exec/jit.hpp"
#include "jacquard/fixed/differentiate.hpp"
#include "jacquard/fixed/map.hpp"
#include "jacquard/numpy/numpy.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/taps/taps.hpp"
#include "jacquard/transforms/transforms.hpp"
