#pragma once
// Rounding to integers and the floating-point remainder in portable arithmetic, for constant evaluation; all
// exact. Everything here takes and returns double; core/math.hpp chooses between these and the C library. It
// deliberately ignores the rounding mode.

#include "jacquard/core/ieee.hpp"

namespace jacquard::math::soft {

/// x without its fraction; keeps the sign of zero.
constexpr double trunc(double x) {
  const int fraction_bits = 52 + 1023 - static_cast<int>(ieee::magnitude_bits(x) >> 52);
  if (fraction_bits <= 0) return x;
  if (fraction_bits > 52) return ieee::copysign(0.0, x);
  return ieee::from_bits<double>(ieee::bits(x) & (~std::uint64_t{0} << fraction_bits));
}

constexpr double floor(double x) {
  const double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

constexpr double ceil(double x) {
  const double whole = trunc(x);
  return ieee::copysign(whole < x ? whole + 1 : whole, x);
}

/// To the nearest integer, halfway cases away from zero.
constexpr double round(double x) {
  if (!ieee::is_finite(x)) return x;
  const double whole = trunc(x);
  const double fraction = ieee::magnitude(x - whole);
  return ieee::copysign(ieee::magnitude(whole) + (fraction >= 0.5 ? 1 : 0), x);
}

/// To the nearest integer, halfway cases to the even one.
constexpr double round_even(double x) {
  if (!ieee::is_finite(x)) return x;
  const double whole = ieee::magnitude(trunc(x));
  const double fraction = ieee::magnitude(x) - whole;
  const bool odd = whole * 0.5 != trunc(whole * 0.5);
  return ieee::copysign(whole + (fraction > 0.5 || (fraction == 0.5 && odd) ? 1 : 0), x);
}

/// The remainder of x / y with the sign of x, exactly: long division of the significands, 11 quotient bits a
/// step.
constexpr double fmod(double x, double y) {
  if (ieee::is_nan(x)) return x;
  if (ieee::is_nan(y)) return y;
  if (ieee::is_inf(x) || ieee::is_zero(y)) return ieee::quiet_nan<double>();
  if (ieee::magnitude_bits(x) < ieee::magnitude_bits(y) || ieee::is_inf(y)) return x;
  if (ieee::is_zero(x)) return x;
  const auto integer = [](double v) {
    return static_cast<std::uint64_t>(ieee::magnitude(ieee::significand(v)) * ieee::power_of_two(52));
  };
  int shift = ieee::exponent(x) - ieee::exponent(y);
  const std::uint64_t divisor = integer(y);
  std::uint64_t rest = integer(x) % divisor;
  for (; shift > 0; shift -= 11) rest = (rest << (shift < 11 ? shift : 11)) % divisor;
  return ieee::copysign(ieee::scale(static_cast<double>(rest), ieee::exponent(y) - 52), x);
}

}  // namespace jacquard::math::soft
