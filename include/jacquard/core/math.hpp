#pragma once
// Scalar mathematics for both lanes: every function of `jacquard::math` works in constant evaluation
// (portable algorithms, full precision) and at run time (the C library), for float, double, the halves, complex
// numbers and, where it makes sense, integers. This header only gathers the families beside it. It
// deliberately holds nothing about arrays.

#include "jacquard/core/math/arithmetic.hpp"
#include "jacquard/core/math/complex.hpp"
#include "jacquard/core/math/integer.hpp"
#include "jacquard/core/math/lane_functions.hpp"
#include "jacquard/core/math/real.hpp"
