#pragma once
// lgamma and digamma in portable arithmetic, for both worlds: the C library has no digamma, and its lgamma writes a
// global variable, so it is no function to call from several threads. Sums are in double-double. Relative
// errors stay below 1 ulp except near the zeros on the negative axis, where the error is absolute. The
// polynomials interpolate at Chebyshev nodes, in a variable u that runs over [-1, 1] on their interval. It
// deliberately has no gamma function itself: exp(lgamma) would lose digits.

#include "jacquard/core/math/exponential.hpp"
#include "jacquard/core/math/trigonometric.hpp"

namespace jacquard::math::soft {

/// Whether x is a pole of both functions: 0, -1, -2, ...
constexpr bool is_gamma_pole(double x) { return x <= 0 && trunc(x) == x; }

/// The angle pi x up to half turns, for finite x.
constexpr reduced_angle half_turns(double x) {
  const double fraction = x - round(x);
  if (ieee::magnitude(fraction) <= 0.25) return {0, pi * double_double(fraction)};
  return fraction > 0 ? reduced_angle{1, pi * double_double(fraction - 0.5)}
                      : reduced_angle{3, pi * double_double(fraction + 0.5)};
}

/// Of lgamma(2 + e) / e in 2 e + 1/2, for -3/4 <= e <= 1/4; within 2^-62.
inline constexpr refined_polynomial<20> lgamma_terms_near_two{
    {0.3376044840819422, 1.0555745245966338e-17},
    {0.18026406107016213, -9.064730680808028e-18},
    {-0.021522812806590116,   0.003778747353228,      -0.0007794800007070461,  0.00017521015096302344,
     -4.1477245554779245e-05, 1.0157104090436687e-05, -2.546458380134605e-06,  6.494219146877251e-07,
     -1.6777621364617522e-07, 4.378441705417396e-08,  -1.1519716404345862e-08, 3.0510563699756058e-09,
     -8.120966975374338e-10,  2.1732547444019967e-10, -5.902823074500129e-11,  1.592211568630693e-11,
     -3.839708868866631e-12,  1.0406601170162224e-12, -4.801642543559629e-13,  1.3113832062098069e-13}};
constexpr double_double lgamma_near_two(double e) { return double_double(e) * lgamma_terms_near_two(2 * e + 0.5); }

/// Stirling's series (DLMF 5.11.1) for x >= 10.
inline constexpr double stirling_terms[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                            1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
/// lgamma(x) for 10 <= x <= 2^60.
constexpr double_double lgamma_of_large(double x) {
  constexpr double_double half_log_two_pi{0.9189385332046728, -3.8782941580672414e-17};
  const double inverse = 1 / x;
  const double_double leading = two_sum(x, -0.5) * log(double_double(x)) - double_double(x);
  return leading + half_log_two_pi + double_double(inverse * polynomial(stirling_terms, inverse * inverse));
}

/// lgamma(x) for 0 < x <= 2^60: shifted to [1.25, 2.25], where it is small.
constexpr double_double lgamma_of_positive(double x) {
  if (x < 0.25) return lgamma_near_two(x) - log(two_sum(1, x)) - log(double_double(x));
  if (x < 1.25) return lgamma_near_two(x - 1) - log(double_double(x));
  if (x >= 10) return lgamma_of_large(x);
  double_double product = 1;
  while (x > 2.25) {
    x -= 1;
    product = product * double_double(x);
  }
  return lgamma_near_two(x - 2) + log(product);
}

/// log |gamma(x)|; +inf at the poles and at both infinities.
constexpr double lgamma(double x) {
  constexpr double_double log_pi{1.1447298858494002, 1.0265951162707826e-17};
  if (ieee::is_nan(x)) return x;
  if (ieee::is_inf(x) || is_gamma_pole(x)) return ieee::infinity<double>();
  const double size = ieee::magnitude(x);
  if (size < 0x1p-60) return -log(size);
  if (x > 0x1p60) return ieee::multiply(x, (log(double_double(x)) - double_double(1)).value());
  if (x > 0) return lgamma_of_positive(x).value();
  // Reflection: gamma(x) gamma(-x) = -pi / (x sin(pi x)).
  const double_double sine = sin(half_turns(x));
  const double_double denominator = (sine.hi < 0 ? -sine : sine) * double_double(size);
  return (log_pi - log(denominator) - lgamma_of_positive(size)).value();
}

/// digamma(1 + y) over the distance from its zero, in 2 y - 1, for 0 <= y <= 1; within 2^-60.
inline constexpr refined_polynomial<22> digamma_terms_above_one{
    {0.9510558760318328, 4.292118102788199e-17},
    {-0.21181371064073024, -1.2961375214132214e-17},
    {0.06013562106019684,    -0.018550615381739702,   0.005936795278301875,   -0.0019350666647392832,
     0.0006368880303847901,  -0.00021074841284590126, 6.99501882655044e-05,   -2.325823275895313e-05,
     7.741234441368395e-06,  -2.578133701610713e-06,  8.589062683365892e-07,  -2.8621216825577647e-07,
     9.543261570760428e-08,  -3.1807298477301726e-08, 1.0528133851878114e-08, -3.509235492410718e-09,
     1.2466690231864029e-09, -4.1555064115551965e-10, 8.748420037436287e-11,  -2.9161179626023815e-11,
     2.916093601085364e-11,  -9.720300404202244e-12}};
/// The zero is 1.4616321449683622 + 9.55e-17; less 1, exactly.
inline constexpr double_double digamma_zero_above_one{1.4616321449683622 - 1, 9.549995429965697e-17};
constexpr double_double digamma_above_one(double y) { return (double_double(y) - digamma_zero_above_one) * digamma_terms_above_one(2 * y - 1); }

/// The asymptotic series of digamma (DLMF 5.11.2) for x >= 10.
inline constexpr double digamma_far_terms[] = {-1.0 / 12,     1.0 / 120, -1.0 / 252,    1.0 / 240,       -1.0 / 132,
                                               691.0 / 32760, -1.0 / 12, 3617.0 / 8160, -43867.0 / 14364};
constexpr double_double digamma_of_large(double x) {
  const double inverse = 1 / x;
  const double square = inverse * inverse;
  return log(double_double(x)) + double_double(-0.5 * inverse + square * polynomial(digamma_far_terms, square));
}

constexpr double_double digamma_of_positive(double x) {
  if (x >= 10) return digamma_of_large(x);
  const double_double one = 1;
  if (x < 1) return digamma_above_one(x) - one / double_double(x);
  double_double sum = 0;
  while (x > 2) {
    x -= 1;
    sum = sum + one / double_double(x);
  }
  return digamma_above_one(x - 1) + sum;
}

/// The derivative of lgamma; NaN at the poles.
constexpr double digamma(double x) {
  if (ieee::is_nan(x) || x == ieee::infinity<double>()) return x;
  if (ieee::is_inf(x) || is_gamma_pole(x)) return ieee::quiet_nan<double>();
  if (ieee::magnitude(x) < 0x1p-60) return ieee::divide(-1.0, x);
  if (x > 0) return digamma_of_positive(x).value();
  // Reflection: digamma(x) = digamma(-x) - 1/x - pi cot(pi x).
  const reduced_angle angle = half_turns(x);
  const double_double rest = double_double(-1) / double_double(x) - pi * cos(angle) / sin(angle);
  return (digamma_of_positive(-x) + rest).value();
}

}  // namespace jacquard::math::soft
