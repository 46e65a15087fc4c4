#pragma once
// The inverse of the error function by Newton's iteration in long double, for the tests of the functions that compute it.

#include "jacquard/core/math/error_function.hpp"
#include "ulp.hpp"

namespace ulp {

inline long double erf_inv_reference(long double x) {
  long double y = jacquard::math::soft::erf_inv(static_cast<double>(x));
  if (x == 0 || std::isinf(y)) return y;
  for (int i = 0; i < 3; ++i) {
    long double excess = std::erf(y) - x;
    if (x > 0.5L) excess = (1 - x) - std::erfc(y);
    if (x < -0.5L) excess = std::erfc(-y) - (1 + x);
    y -= excess * 0.886226925452758013649083741670572591L * std::exp(y * y);
  }
  return y;
}

}  // namespace ulp
