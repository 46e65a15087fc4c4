#pragma once
// Everything but foreign libraries: arrays, transforms, jit on the interpreter, taps, the compile-time lane, which takes calls with plain
// numbers, and all functions of numpy/, special/, nn/ and optim/. A file that needs few of these and compiles often may include the headers
// it needs instead; headers under interop/ and seeing/ and the backends are included by name.

// A global of the program may have the name of a variable in the headers.
#if defined __GNUC__ && !defined JACQUARD_OWN_WARNINGS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include "jacquard/backends/huge_pages.hpp"
#include "jacquard/backends/stack.hpp"
#include "jacquard/control/control.hpp"
#include "jacquard/control/reduce.hpp"
#include "jacquard/core/check.hpp"
#include "jacquard/exec/donation_report.hpp"
#include "jacquard/exec/jit.hpp"
#include "jacquard/fixed.hpp"
#include "jacquard/nn/nn.hpp"
#include "jacquard/numpy/vocabulary.hpp"
#include "jacquard/optim/optim.hpp"
#include "jacquard/parallel/pmap.hpp"
#include "jacquard/parallel/sharded_jit.hpp"
#include "jacquard/prims/linear_algebra.hpp"
#include "jacquard/special/special.hpp"
#include "jacquard/taps/taps.hpp"
#include "jacquard/transforms/transforms.hpp"
#ifndef JACQUARD_COMPILED
#include "jacquard/backends/interpreter/eager.hpp"
#endif
#if defined __GNUC__ && !defined JACQUARD_OWN_WARNINGS
#pragma GCC diagnostic pop
#endif
