#pragma once
// The hyperbolic functions and their inverses in portable arithmetic, for constant evaluation, composed in
// double-double of the exponential and the logarithm in forms that do not cancel. Everything here takes and
// returns double; core/math.hpp chooses between these and the C library. It deliberately brings no approximation of
// its own.

#include "jacquard/core/math/exponential.hpp"
#include "jacquard/core/math/roots.hpp"

namespace jacquard::math::soft {

// exp(x) / 2 for x >= 20, where the other exponential no longer counts; overflows only if the result does.
constexpr double half_exp(double x) {
  if (x > 711) return ieee::infinity<double>();
  const scaled_double_double power = exp(double_double(x));
  return ieee::scale(power.unit.value(), power.exponent - 1);
}

constexpr double sinh(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x) || size < 0x1p-27) return x;
  if (size > 25) return ieee::copysign(half_exp(size), x);
  const double_double growth = expm1(double_double(size));
  return ieee::copysign(0.5 * (growth + growth / (growth + double_double(1))).value(), x);
}

constexpr double cosh(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x)) return x;
  if (size > 25) return half_exp(size);
  const double_double power = expm1(double_double(size)) + double_double(1);
  return 0.5 * (power + double_double(1) / power).value();
}

constexpr double tanh(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x) || size < 0x1p-27) return x;
  if (size > 20) return ieee::copysign(1.0, x);
  const double_double growth = expm1(double_double(2 * size));
  return ieee::copysign((growth / (growth + double_double(2))).value(), x);
}

// log(2 x) for x so large that adding or subtracting 1 under the root no longer counts.
constexpr double log_of_double(double x) { return (log(double_double(x)) + ln2).value(); }

/// log(1 + x + x^2 / (1 + sqrt(1 + x^2))), with the sign of x.
constexpr double asinh(double x) {
  const double size = ieee::magnitude(x);
  if (!ieee::is_finite(x) || size < 0x1p-27) return x;
  if (size > 0x1p28) return ieee::copysign(log_of_double(size), x);
  const double_double one = 1;
  const double_double square = two_product(x, x);
  const double_double rest = square / (one + sqrt(one + square)) + double_double(size);
  return ieee::copysign(log(one + rest).value(), x);
}

/// log(1 + t + sqrt(2 t + t^2)) with t = x - 1.
constexpr double acosh(double x) {
  if (ieee::is_nan(x)) return x;
  if (x < 1) return ieee::quiet_nan<double>();
  if (ieee::is_inf(x)) return x;
  if (x > 0x1p28) return log_of_double(x);
  const double_double t = x - 1;
  return log(double_double(1) + (t + sqrt(t * t + t + t))).value();
}

/// log((1 + x) / (1 - x)) / 2.
constexpr double atanh(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x) || size < 0x1p-27) return x;
  if (size >= 1) return size == 1 ? ieee::infinity<double>(x < 0) : ieee::quiet_nan<double>();
  return 0.5 * log(two_sum(1, x) / two_sum(1, -x)).value();
}

}  // namespace jacquard::math::soft
