#pragma once
// The regularized incomplete beta function, for both worlds, in double: a continued fraction on that side of the mean where it
// converges, behind powers whose exponents are in double-double. Deliberately only for a, b > 0 and x in [0, 1]; elsewhere NaN.
// Source: DLMF 8.17.22; Press et al., "Numerical recipes", 6.4.

#include "jacquard/core/math/real.hpp"

namespace jacquard::math {

namespace soft {

/// The continued fraction, by Lentz's method. For x below (a + 1) / (a + b + 2).
constexpr double beta_fraction(double a, double b, double x) {
  const auto away = [](double v) { return ieee::magnitude(v) < 0x1p-1000 ? 0x1p-1000 : v; };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), f = d;
  for (int m = 1; m < 20000; ++m) {
    const double even = m * (b - m) * x / ((a + (2 * m - 1)) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    f *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + (2 * m + 1)));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    f *= c * d;
    if (ieee::magnitude(c * d - 1) < 0x1p-53) break;
  }
  return f;
}

/// x^a rest^b / (a B(a, b)), where the rest is 1 - x, or 1 for x^a alone.
constexpr double beta_weight(double a, double b, double_double x, double_double rest) {
  const double_double sum = two_sum(a, b), gamma_of_sum = lgamma_of_positive(sum.hi) + double_double(sum.lo * digamma(sum.hi));
  const double_double power = double_double(a) * log(x) + double_double(b) * log(rest) + gamma_of_sum - lgamma_of_positive(a) -
                              lgamma_of_positive(b);
  if (power.hi < -750) return 0;
  return exp(power).value() / a;
}

/// The sum 1 + a ((1 - b) x / (1 (a + 1)) + (1 - b) (2 - b) x^2 / (2! (a + 2)) + ...), for b x <= 1 and x <= 0.9 (DLMF 8.17.7).
constexpr double beta_series(double a, double b, double x) {
  double term = 1, sum = 0;
  for (int n = 1; n < 1000; ++n) {
    term *= (n - b) / n * x;
    sum += term / (a + n);
    if (ieee::magnitude(term) < 0x1p-56 * ieee::magnitude(sum) || term == 0) break;
  }
  return 1 + a * sum;
}

constexpr double betainc(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) return ieee::quiet_nan<double>();
  if (x == 0 || x == 1) return x;
  if (a > 0x1p60 || b > 0x1p60) return ieee::quiet_nan<double>();  // beyond what the exponents resolve
  const double_double rest = two_sum(1, -x);
  if (b < 1 && x <= 0.9) return beta_weight(a, b, x, 1) * beta_series(a, b, x);
  if (a * rest.hi <= 1 && x >= 0.1) return 1 - beta_weight(b, a, rest, 1) * beta_series(b, a, rest.hi);
  if (x < (a + 1) / (a + b + 2)) return beta_weight(a, b, x, rest) * beta_fraction(a, b, x);
  return 1 - beta_weight(b, a, rest, x) * beta_fraction(b, a, rest.value());
}

}  // namespace soft

/// I_x(a, b), the probability that a beta-distributed number is at most x.
template <real_scalar T>
constexpr T regularized_incomplete_beta(T a, T b, T x) {
  return static_cast<T>(soft::betainc(static_cast<double>(a), static_cast<double>(b), static_cast<double>(x)));
}

}  // namespace jacquard::math
