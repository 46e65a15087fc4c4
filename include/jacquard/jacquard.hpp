#pragma once
// Everything but foreign libraries: arrays, transforms, jit on the interpreter, taps, and the compile-time lane, which takes calls
// with plain numbers. Headers under interop/ add one foreign library each.

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/control/control.hpp"
#include "jacquard/core/check.hpp"
#include "jacquard/exec/donation_report.hpp"
#include "jacquard/exec/jit.hpp"
#include "jacquard/fixed.hpp"
#include "jacquard/numpy/numpy.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/taps/taps.hpp"
#include "jacquard/transforms/transforms.hpp"
