#pragma once
// The inverse trigonometric and hyperbolic functions of one complex128, and exp2. Principal branches, cut where C Annex G has
// them, with the sign of zero saying on which side of a cut a number is. It deliberately computes everything in double:
// complex.hpp narrows.
// Source: Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit", 1987.

#include "jacquard/core/math/complex_kernels.hpp"

namespace jacquard::math {

namespace detail {

// Whether 1 no longer counts beside z^2, infinities and NaN among them.
constexpr bool is_far(complex128 z) { return !(ieee::magnitude(z.re) < 0x1p100 && ieee::magnitude(z.im) < 0x1p100); }
// log |2 z| for such.
constexpr double log_of_twice(complex128 z) { return log_modulus(z.re, z.im) + soft::ln2.hi; }

constexpr complex128 complex_asin(complex128 z) {
  if (is_far(z)) return {atan2(z.re, ieee::magnitude(z.im)), with_sign_of(z.im, log_of_twice(z))};
  const complex128 below = complex_sqrt({1 - z.re, ieee::negate(z.im)}), above = complex_sqrt({1 + z.re, z.im});
  return {atan2(z.re, below.re * above.re - below.im * above.im), asinh(below.re * above.im - below.im * above.re)};
}
constexpr complex128 complex_acos(complex128 z) {
  if (is_far(z)) return {atan2(ieee::magnitude(z.im), z.re), ieee::negate(with_sign_of(z.im, log_of_twice(z)))};
  const complex128 below = complex_sqrt({1 - z.re, ieee::negate(z.im)}), above = complex_sqrt({1 + z.re, z.im});
  return {2 * atan2(below.re, above.re), asinh(above.re * below.im - above.im * below.re)};
}
constexpr complex128 complex_acosh(complex128 z) {
  if (is_far(z)) return {log_of_twice(z), atan2(z.im, z.re)};
  const complex128 below = complex_sqrt({z.re - 1, z.im}), above = complex_sqrt({z.re + 1, z.im});
  return {asinh(below.re * above.re + below.im * above.im), 2 * atan2(below.im, above.re)};
}
constexpr complex128 complex_atanh(complex128 z) {
  const double x = ieee::magnitude(z.re), y = ieee::magnitude(z.im);
  complex128 r;
  if (is_far(z)) {
    const bool endless = ieee::is_inf(x) || ieee::is_inf(y), wide = x > y;
    // The real part of 1 / z.
    const double longer = wide ? x : y, ratio = endless ? 0 : (wide ? y : x) / longer;
    const double size = ieee::add(longer, ieee::multiply(ratio, wide ? y : x));
    r.re = endless ? 0 : ieee::divide(wide ? 1.0 : ratio, size);
    r.im = ieee::is_nan(y) || (ieee::is_nan(x) && !endless) ? ieee::quiet_nan<double>() : soft::half_pi.hi;
  } else {
    if (x == 1) r.re = y == 0 ? ieee::infinity<double>() : 0.25 * log(4 + y * y) - 0.5 * log(y);
    else r.re = 0.25 * log1p(4 * x / ((1 - x) * (1 - x) + y * y));
    r.im = 0.5 * atan2(2 * y, (1 - x) * (1 + x) - y * y);
  }
  return {with_sign_of(z.re, r.re), with_sign_of(z.im, r.im)};
}
constexpr complex128 complex_asinh(complex128 z) { return over_i(complex_asin(times_i(z))); }
constexpr complex128 complex_atan(complex128 z) { return over_i(complex_atanh(times_i(z))); }

// The power of two of the real part is a number of its own, so that it is exact where that is whole.
constexpr complex128 complex_exp2(complex128 z) {
  if (z.im == 0) return {exp2(z.re), z.im};
  const double angle = ieee::multiply(soft::ln2.hi, z.im);
  if (!ieee::is_finite(z.re) || !ieee::is_finite(angle)) return complex_exp({z.re, angle});
  const double root = exp2(0.5 * z.re);
  return {root * cos(angle) * root, root * sin(angle) * root};
}

}  // namespace detail
}  // namespace jacquard::math
