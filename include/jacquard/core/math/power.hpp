#pragma once
// pow(x, y) for real numbers in portable arithmetic, for constant evaluation: exp(y log x) with the logarithm
// in double-double, so that the error stays below 0.7 ulp even where the exponent is large. It deliberately
// has no integer powers: those are exact products in arithmetic.hpp and integer.hpp.

#include "jacquard/core/math/exponential.hpp"

namespace jacquard::math::soft {

constexpr bool is_integer(double y) { return ieee::is_finite(y) && trunc(y) == y; }

constexpr bool is_odd_integer(double y) {
  return is_integer(y) && ieee::magnitude(y) < 0x1p53 && !is_integer(0.5 * y);
}

/// x^y for finite x > 0 and any finite y.
constexpr double positive_pow(double x, double y) {
  const double_double logarithm = log(double_double(x));
  const double estimate = ieee::multiply(y, logarithm.hi);
  if (estimate > 710) return ieee::infinity<double>();
  if (estimate < -746) return 0;
  if (ieee::magnitude(estimate) < 0x1p-60) return 1;
  return exp(double_double(y) * logarithm).value();
}

/// The special cases are those of C F.10.4.4.
constexpr double pow(double x, double y) {
  if (ieee::is_zero(y) || x == 1) return 1;
  if (ieee::is_nan(x) || ieee::is_nan(y)) return ieee::is_nan(x) ? x : y;
  if (ieee::is_inf(y)) {
    if (x == -1) return 1;
    return (ieee::magnitude(x) > 1) == (y > 0) ? ieee::infinity<double>() : 0;
  }
  const bool negative = ieee::signbit(x) && is_odd_integer(y);
  if (ieee::is_zero(x) || ieee::is_inf(x)) {
    const bool grows = ieee::is_inf(x) == (y > 0);
    return grows ? ieee::infinity<double>(negative) : (negative ? -0.0 : 0.0);
  }
  if (x < 0 && !is_integer(y)) return ieee::quiet_nan<double>();
  const double power = positive_pow(ieee::magnitude(x), y);
  return negative ? -power : power;
}

}  // namespace jacquard::math::soft
