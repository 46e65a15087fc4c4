#pragma once
// The elementary functions of one complex128, by the textbook formulas in the real functions of real.hpp, so
// that they too work in both worlds. Special values follow C Annex G where it says more than NaN. It
// deliberately computes everything in double: complex.hpp narrows.

#include "jacquard/core/complex.hpp"
#include "jacquard/core/math/arithmetic.hpp"

namespace jacquard::math {

namespace detail {

// x * y where x == 0 wins over everything: 0 * cos(inf) is 0 in Annex G.
constexpr double damped(double x, double y) { return x == 0 ? x : ieee::multiply(x, y); }

// exp(x) * factor without overflowing before the product does.
constexpr double exp_times(double x, double factor) {
  if (!(x > 700)) return damped(exp(x), factor);
  const double root = exp(0.5 * x);
  return ieee::multiply(ieee::multiply(root, factor), root);
}

// size with the sign of x; of a NaN, whose own sign nobody chose, a plus.
constexpr double with_sign_of(double x, double size) { return ieee::is_nan(x) ? size : ieee::copysign(size, x); }

// sinh x or cosh x times a factor of magnitude at most 1, likewise.
constexpr double sinh_times(double x, double factor) {
  const double size = ieee::magnitude(x);
  if (!(size > 700)) return ieee::is_nan(factor) ? damped(sinh(x), factor) : ieee::multiply(sinh(x), factor);  // a zero has the sign of both
  return exp_times(size, ieee::multiply(0.5, x < 0 ? ieee::negate(factor) : factor));
}
constexpr double cosh_times(double x, double factor) {
  const double size = ieee::magnitude(x);
  return size > 700 ? exp_times(size, ieee::multiply(0.5, factor)) : ieee::multiply(cosh(x), factor);
}

// log |x + i y|, in double-double because the square of the modulus may be next to 1.
constexpr double log_modulus(double x, double y) {
  if (ieee::is_inf(x) || ieee::is_inf(y)) return ieee::infinity<double>();
  if (ieee::is_nan(x) || ieee::is_nan(y)) return ieee::quiet_nan<double>();
  if (ieee::is_zero(x) && ieee::is_zero(y)) return ieee::infinity<double>(true);
  const soft::scaled_double_double square = soft::squared_norm(x, y);
  return (soft::log(square.unit) * soft::double_double(0.5) +
          soft::ln2 * soft::double_double(square.exponent))
      .value();
}

constexpr complex128 times_i(complex128 z) { return {ieee::negate(z.im), z.re}; }
constexpr complex128 over_i(complex128 z) { return {z.im, ieee::negate(z.re)}; }

constexpr complex128 complex_exp(complex128 z) {
  if (z.im == 0) return {exp(z.re), z.im};
  if (ieee::is_inf(z.re) && !ieee::is_finite(z.im))
    return z.re < 0 ? complex128(0, 0) : complex128(z.re, ieee::quiet_nan<double>());
  return {exp_times(z.re, cos(z.im)), exp_times(z.re, sin(z.im))};
}

constexpr complex128 complex_log(complex128 z) { return {log_modulus(z.re, z.im), atan2(z.im, z.re)}; }

// The root of the scaled number; the larger part from a sum that cannot cancel, the other by division.
constexpr complex128 complex_sqrt(complex128 z) {
  const double inf = ieee::infinity<double>();
  if (z == complex128(0)) return {0, z.im};
  if (ieee::is_inf(z.im)) return {inf, z.im};
  if (ieee::is_nan(z.re)) return {z.re, z.re};
  if (ieee::is_inf(z.re)) {
    const double other = ieee::is_nan(z.im) ? z.im : 0;
    return z.re > 0 ? complex128(inf, with_sign_of(z.im, other))
                    : complex128(other, with_sign_of(z.im, inf));
  }
  if (ieee::is_nan(z.im)) return {z.im, z.im};
  const double larger = ieee::magnitude_bits(z.re) < ieee::magnitude_bits(z.im) ? z.im : z.re;
  const int k = ieee::exponent(larger) >> 1;
  const double x = ieee::scale(ieee::magnitude(z.re), -2 * k);
  const double y = ieee::scale(ieee::magnitude(z.im), -2 * k);
  const double root = sqrt(0.5 * (x + abs(complex128(x, y))));
  const double major = ieee::scale(root, k);
  const double minor = 0.5 * (ieee::magnitude(z.im) / major);  // unscaled: it may be 2^1000 times smaller
  return z.re < 0 ? complex128(minor, ieee::copysign(major, z.im))
                  : complex128(major, ieee::copysign(minor, z.im));
}

constexpr complex128 complex_sinh(complex128 z) {
  if (z.im == 0) return {sinh(z.re), z.im};
  return {sinh_times(z.re, cos(z.im)), cosh_times(z.re, sin(z.im))};
}

constexpr complex128 complex_cosh(complex128 z) {
  if (z.im == 0) return {cosh(z.re), ieee::signbit(z.re) && !ieee::is_nan(z.re) ? ieee::negate(z.im) : z.im};
  return {cosh_times(z.re, cos(z.im)), sinh_times(z.re, sin(z.im))};
}

// Kahan (1987), "Branch cuts for complex elementary functions".
constexpr complex128 complex_tanh(complex128 z) {
  if (z.im == 0) return {tanh(z.re), z.im};
  if (ieee::magnitude(z.re) > 22) {
    const double decay = exp(-2 * ieee::magnitude(z.re));
    const double other = ieee::is_finite(z.im) ? 4 * sin(z.im) * cos(z.im) * decay : 0;
    return {ieee::copysign(1.0, z.re), other};
  }
  const double nan = ieee::quiet_nan<double>();
  if (!ieee::is_finite(z.im)) return {z.re == 0 ? z.re : nan, nan};
  if (ieee::is_nan(z.re)) return {nan, nan};
  const double t = tan(z.im);
  const double s = sinh(z.re);
  const double beta = 1 + t * t;
  const double denominator = 1 + beta * s * s;
  return {beta * sqrt(1 + s * s) * s / denominator, t / denominator};
}

constexpr complex128 complex_expm1(complex128 z) {
  if (z.im == 0) return {expm1(z.re), z.im};
  const double half = sin(ieee::multiply(0.5, z.im));
  const double cancelled = ieee::multiply(2.0, ieee::multiply(half, half));
  return {ieee::subtract(ieee::multiply(expm1(z.re), cos(z.im)), cancelled), exp_times(z.re, sin(z.im))};
}

constexpr complex128 complex_log1p(complex128 z) {
  const complex128 shifted{ieee::add(1.0, z.re), z.im};
  const double angle = atan2(shifted.im, shifted.re);
  const double x = ieee::magnitude(z.re);
  const double y = ieee::magnitude(z.im);
  if (!(x < 0x1p200 && y < 0x1p200) || shifted.re == 0)  // whose modulus is that of z.im, the square of which may vanish
    return {log_modulus(shifted.re, shifted.im), angle};
  if (x < 0x1p-27 && y < 0x1p-27) return {z.re + 0.5 * (y - x) * (y + x), angle};
  const soft::double_double sum = soft::two_sum(1, z.re);
  return {0.5 * soft::log(sum * sum + soft::two_product(z.im, z.im)).value(), angle};
}

constexpr complex128 complex_logistic(complex128 z) {
  const complex128 one = 1;
  if (z.re < 0) {
    const complex128 growth = complex_exp(z);
    return growth / (one + growth);
  }
  return one / (one + complex_exp(-z));
}

}  // namespace detail
}  // namespace jacquard::math
