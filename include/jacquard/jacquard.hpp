#pragma once
// Everything but foreign libraries: arrays, transforms, jit on the interpreter, taps. Headers under interop/ add one
// foreign library each. Deliberately without the compile-time lane, which jacquard/fixed.hpp adds: with it, calls with plain
// numbers are of that lane, which does not know taps yet.

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/control/control.hpp"
#include "jacquard/core/check.hpp"
#include "jacquard/exec/jit.hpp"
#include "jacquard/numpy/numpy.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/taps/taps.hpp"
#include "jacquard/transforms/transforms.hpp"
