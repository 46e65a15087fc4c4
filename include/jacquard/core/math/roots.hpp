#pragma once
// Square root, cube root and hypotenuse in portable arithmetic, for constant evaluation: `soft::sqrt` is
// correctly rounded, the others stay within 1 ulp. Everything here takes and returns double; core/math.hpp
// chooses between these and the C library. It deliberately does not try to be fast at run time, where the processor
// has an instruction.

#include "jacquard/core/math/double_double.hpp"

namespace jacquard::math::soft {

/// Correctly rounded square root: digit by digit on the significand, with one digit more than the result for
/// rounding.
constexpr double sqrt(double x) {
  if (ieee::is_nan(x) || ieee::is_zero(x)) return x;
  if (ieee::signbit(x)) return ieee::quiet_nan<double>();
  if (ieee::is_inf(x)) return x;
  const int exponent = ieee::exponent(x);
  const int half_exponent = exponent >> 1;
  // In [1, 4), as an integer with 52 fraction bits.
  const double unit = ieee::significand(x) * ((exponent & 1) != 0 ? 2 : 1);
  auto rest = static_cast<std::uint64_t>(unit * ieee::power_of_two(52)) << 1;
  std::uint64_t root = 0;
  std::uint64_t twice_root = 0;
  for (std::uint64_t digit = std::uint64_t{1} << 53; digit != 0; digit >>= 1) {
    const std::uint64_t trial = twice_root + digit;
    if (trial <= rest) {
      rest -= trial;
      root += digit;
      twice_root = trial + digit;
    }
    rest <<= 1;
  }
  // The last digit is the rounding bit; a tie cannot happen, as the root of a 53-bit number never has 54
  // bits.
  root += root & 1;
  return static_cast<double>(root >> 1) * ieee::power_of_two(half_exponent - 52);
}

/// sqrt of a double-double > 0 from its double approximation, by one Newton step.
constexpr double_double refined_root(double root, double_double x) {
  return fast_two_sum(root, (x - two_product(root, root)).value() / (2 * root));
}

constexpr double_double sqrt(double_double x) { return x.hi == 0 ? x : refined_root(sqrt(x.hi), x); }

/// Cube root by Newton's iteration on the scaled magnitude, the last step in double-double.
constexpr double cbrt(double x) {
  if (!ieee::is_finite(x) || ieee::is_zero(x)) return x;
  const int exponent = ieee::exponent(x);
  const int third = (exponent + 3000) / 3 - 1000;
  const double unit = ieee::scale(ieee::magnitude(x), -3 * third);  // in [1, 8)
  double root = 0.8 + 0.17 * unit;
  for (int i = 0; i < 6; ++i) root -= (root - unit / (root * root)) / 3;
  const double_double cube = two_product(root, root) * double_double(root);
  root -= (cube - double_double(unit)).value() / (3 * root * root);
  return ieee::copysign(ieee::scale(root, third), x);
}

/// x^2 + y^2 of finite x, y, not both 0, scaled to about 1: the value is unit * 2^(2 exponent).
constexpr scaled_double_double squared_norm(double x, double y) {
  const double larger = ieee::magnitude_bits(x) < ieee::magnitude_bits(y) ? y : x;
  const int k = ieee::exponent(larger);
  const double a = ieee::scale(x, -k);
  const double b = ieee::scale(y, -k);
  return {two_product(a, a) + two_product(b, b), k};
}

/// Infinite if either argument is, even beside a NaN (C F.10.4.3).
constexpr double hypot(double x, double y) {
  if (ieee::is_inf(x) || ieee::is_inf(y)) return ieee::infinity<double>();
  if (ieee::is_nan(x)) return x;
  if (ieee::is_nan(y)) return y;
  if (ieee::is_zero(x) && ieee::is_zero(y)) return 0;
  const scaled_double_double square = squared_norm(x, y);
  return ieee::scale(sqrt(square.unit).value(), square.exponent);
}

}  // namespace jacquard::math::soft
