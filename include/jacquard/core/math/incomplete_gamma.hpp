#pragma once
// The regularized incomplete gamma functions P(a, x) and Q(a, x), the derivative in a, and what it is divided by the density, for
// both worlds, in double. Series below the bend, a continued fraction beyond, for large a an asymptotic expansion; the powers in
// front come from exponents in double-double. Deliberately only for real a >= 0 and x >= 0; elsewhere NaN.
// Source: DLMF 8.7, 8.9; Temme, "The asymptotic expansion of the incomplete gamma functions", SIAM J. Math. Anal. 10, 1979.

#include "jacquard/core/math/real.hpp"

namespace jacquard::math {

namespace soft {

/// A number and its derivative in a.
struct with_slope {
  double value = 0, slope = 0;
};
constexpr with_slope times(const with_slope& a, const with_slope& b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
constexpr with_slope reciprocal(const with_slope& a) { return {1 / a.value, -a.slope / (a.value * a.value)}; }

/// x^a exp(-x) / gamma(a), the density times x, for positive finite a and x.
constexpr double gamma_weight(double a, double x) {
  const double_double power = double_double(a) * log(double_double(x)) - double_double(x) - lgamma_of_positive(a);
  if (power.hi < -750) return 0;
  return exp(power).value();
}

/// The sum of x^n / ((a + 1) ... (a + n)), with its derivative: P(a, x) = weight / a times it. For x < a + 1, or x small.
constexpr with_slope gamma_series(double a, double x) {
  with_slope term{1, 0}, sum{1, 0};
  for (int n = 1; n < 40000; ++n) {
    const double r = x / (a + n);
    term = {term.value * r, term.slope * r - term.value * r / (a + n)};
    sum = {sum.value + term.value, sum.slope + term.slope};
    if (term.value < 0x1p-56 * sum.value && ieee::magnitude(term.slope) <= 0x1p-54 * ieee::magnitude(sum.slope)) break;
  }
  return sum;
}

/// The continued fraction 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / ...)), with its derivative in a, by Lentz's method:
/// Q(a, x) = weight times it. For x >= a + 1.
constexpr with_slope gamma_fraction(double a, double x) {
  with_slope b{x + 1 - a, -1}, d = reciprocal(b), c{0x1p1000, 0}, f = d;
  for (int n = 1; n < 40000; ++n) {
    const with_slope numerator{n * (a - n), double(n)};
    b.value += 2;
    const with_slope denominator = times(numerator, d);
    d = reciprocal({denominator.value + b.value, denominator.slope + b.slope});
    const with_slope quotient = times(numerator, reciprocal(c));
    c = {quotient.value + b.value, quotient.slope + b.slope};
    const with_slope ratio = times(c, d);
    f = times(f, ratio);
    if (ieee::magnitude(ratio.value - 1) < 0x1p-54 && ieee::magnitude(ratio.slope) < 0x1p-54) break;
  }
  return f;
}

/// Q(a, x) for a > 10^6, where it is 0 or 1 but next to x = a (Temme's expansion, to terms of order 1 / a^2).
constexpr double gamma_far_out(double a, double x) {
  constexpr double first[] = {-1.0 / 3, 1.0 / 12, -2.0 / 135, 1.0 / 864, 1.0 / 2835, -139.0 / 777600, 3.919263178522438e-05, -2.185448510679992e-06};
  constexpr double second[] = {-1.0 / 540, -1.0 / 288, 1.0 / 378, -0.0009902263374485596, 0.00020576131687242798};
  constexpr double third = 0.00413359788359788360;
  const double mu = (x - a) / a;
  if (mu > 0.05 || mu < -0.05) return mu > 0 ? 0 : 1;
  // mu - log(1 + mu) = mu^2 (1/2 - mu/3 + mu^2/4 - ...)
  double series = 0;
  for (int n = 16; n >= 2; --n) series = 1.0 / n - mu * series;
  const double eta = mu * math::sqrt(2 * series);
  const double tail = polynomial(first, eta) + (polynomial(second, eta) + third / a) / a;
  const double density = math::exp(-0.5 * a * eta * eta) / math::sqrt(2 * 3.141592653589793 * a);
  return 0.5 * math::erfc(eta * math::sqrt(0.5 * a)) + density * tail;
}

/// 1 - P(a, x) for a < 1 and x <= 1.1, where P may be next to 1.
constexpr double gamma_complement(double a, double x) {
  // Where a is small 1 + a forgets its digits, and Q is small like a.
  const double log_gamma = a < 0.25 ? (lgamma_near_two(a) - log(two_sum(1, a))).value() : math::lgamma(1 + a);
  const double u = a * math::log(x) - log_gamma;
  double term = 1, sum = 0;
  for (int n = 1; n < 40; ++n) {
    term *= -x / n;
    sum += term / (a + n);
    if (ieee::magnitude(term) < 0x1p-56 * ieee::magnitude(sum)) break;
  }
  return -math::expm1(u) - math::exp(u) * a * sum;
}

constexpr bool is_outside(double a, double x) { return !(a >= 0) || !(x >= 0) || (a == 0 && x == 0) || (ieee::is_inf(a) && ieee::is_inf(x)); }
/// Whether the function has the value of one of its limits: P there.
constexpr bool at_limit(double a, double x, double& lower) {
  if (a == 0 || ieee::is_inf(x)) lower = 1;
  else if (x == 0 || ieee::is_inf(a)) lower = 0;
  else return false;
  return true;
}

constexpr double igamma(double a, double x) {
  double limit = 0;
  if (is_outside(a, x)) return ieee::quiet_nan<double>();
  if (at_limit(a, x, limit)) return limit;
  if (a > 1e6) return 1 - gamma_far_out(a, x);
  if (a < 1e-290 && x < 1) return 1 - gamma_complement(a, x);  // the weight has no digits there
  if (x < a + 1) return gamma_weight(a, x) / a * gamma_series(a, x).value;
  return 1 - gamma_weight(a, x) * gamma_fraction(a, x).value;
}
constexpr double igammac(double a, double x) {
  double limit = 0;
  if (is_outside(a, x)) return ieee::quiet_nan<double>();
  if (at_limit(a, x, limit)) return 1 - limit;
  if (a > 1e6) return gamma_far_out(a, x);
  if (a < 1 && x <= 1.1) return gamma_complement(a, x);
  if (x < a + 1) return 1 - gamma_weight(a, x) / a * gamma_series(a, x).value;
  return gamma_weight(a, x) * gamma_fraction(a, x).value;
}
/// The derivative of P in a, divided by the weight. For a > 10^7 that of the expansion of Cornish and Fisher, to order a^(-3/2).
constexpr double gamma_slope(double a, double x) {
  if (a > 1e7) {
    const double away = x - a;
    return -(1 + (0.5 * away - (away * (away / a) - 1) / 6) / a) / x;
  }
  if (x < a + 1) {
    const with_slope s = gamma_series(a, x);
    return (s.value * (math::log(x) - digamma(a + 1)) + s.slope) / a;
  }
  const with_slope f = gamma_fraction(a, x);
  return -(f.value * (math::log(x) - digamma(a)) + f.slope);
}
/// The derivative of P in a.
constexpr double igamma_grad_a(double a, double x) {
  if (is_outside(a, x)) return ieee::quiet_nan<double>();
  if (a < 0x1p-1000) a = 0x1p-1000;  // next to the limit -E1(x)
  double limit = 0;
  if (at_limit(a, x, limit)) return 0;
  return gamma_weight(a, x) * gamma_slope(a, x);
}
/// The derivative in a of a sample x of the gamma distribution, at a fixed value of P: -(dP/da) / (dP/dx).
constexpr double random_gamma_grad(double a, double x) {
  if (is_outside(a, x) || a == 0) return ieee::quiet_nan<double>();
  double limit = 0;
  if (at_limit(a, x, limit)) return 0;
  return -x * gamma_slope(a, x);
}

}  // namespace soft

#define JACQUARD_GAMMA_FUNCTION(name)                                                 \
  template <real_scalar T>                                                            \
  constexpr T name(T a, T x) {                                                        \
    return static_cast<T>(soft::name(static_cast<double>(a), static_cast<double>(x))); \
  }
JACQUARD_GAMMA_FUNCTION(igamma)
JACQUARD_GAMMA_FUNCTION(igammac)
JACQUARD_GAMMA_FUNCTION(igamma_grad_a)
JACQUARD_GAMMA_FUNCTION(random_gamma_grad)
#undef JACQUARD_GAMMA_FUNCTION

}  // namespace jacquard::math
