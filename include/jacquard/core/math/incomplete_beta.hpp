#pragma once
// The regularized incomplete beta function and its derivatives in a and b, for both worlds, in double: a continued fraction on that side of
// the mean where it converges, behind powers whose exponents are in double-double. Deliberately only for a, b > 0 and x in [0, 1]; elsewhere
// NaN. Source: DLMF 8.17.22; Press et al., "Numerical recipes", 6.4; the derivatives are those of the same fraction, term by term (Boik and
// Robison-Cox 1998, J. Stat. Software 3).

#include "jacquard/core/math/zeta_function.hpp"

namespace jacquard::math {

namespace soft {

/// A number and its derivatives in a and b.
struct beta_slope {
  double value = 0, in_a = 0, in_b = 0;
  constexpr beta_slope(double v, double da = 0, double db = 0) : value(v), in_a(da), in_b(db) {}
  friend constexpr beta_slope operator+(beta_slope x, beta_slope y) { return {x.value + y.value, x.in_a + y.in_a, x.in_b + y.in_b}; }
  friend constexpr beta_slope operator-(beta_slope x, beta_slope y) { return {x.value - y.value, x.in_a - y.in_a, x.in_b - y.in_b}; }
  friend constexpr beta_slope operator*(beta_slope x, beta_slope y) {
    return {x.value * y.value, x.in_a * y.value + x.value * y.in_a, x.in_b * y.value + x.value * y.in_b};
  }
  friend constexpr beta_slope operator/(beta_slope x, beta_slope y) {
    const double q = x.value / y.value;
    return {q, (x.in_a - q * y.in_a) / y.value, (x.in_b - q * y.in_b) / y.value};
  }
};
/// Whether a number and its derivatives are below a bound.
constexpr bool is_below(double v, double bound) { return ieee::magnitude(v) < bound; }
constexpr bool is_below(beta_slope v, double bound) { return is_below(v.value, bound) && is_below(v.in_a, bound) && is_below(v.in_b, bound); }
constexpr double plain(double v) { return v; }
constexpr double plain(beta_slope v) { return v.value; }

/// The continued fraction, by Lentz's method; of numbers, or with derivatives. For x below (a + 1) / (a + b + 2).
template <class N>
constexpr N beta_fraction(N a, N b, double x) {
  const auto away = [](N v) { return ieee::magnitude(plain(v)) < 0x1p-1000 ? N(0x1p-1000) : v; };
  N c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), f = d;
  for (int m = 1; m < 20000; ++m) {
    const N even = m * (b - m) * x / ((a + (2 * m - 1)) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    f = f * (c * d);
    const N odd = -1 * (a + m) * (a + b + m) * x / ((a + 2 * m) * (a + (2 * m + 1)));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    f = f * (c * d);
    if (is_below(c * d - 1, 0x1p-53)) break;
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

/// The sum (1 - b) x / (1 (a + 1)) + (1 - b) (2 - b) x^2 / (2! (a + 2)) + ..., for b x <= 1 and x <= 0.9.
template <class N>
constexpr N beta_tail(N a, N b, double x) {
  N term = 1, sum = 0;
  for (int n = 1; n < 1000; ++n) {
    term = term * ((n - b) / n * x);
    sum = sum + term / (a + n);
    if (is_below(term, 0x1p-56 * ieee::magnitude(plain(sum))) || is_below(term, 0x1p-1022)) break;
  }
  return sum;
}
/// I_x(a, b) over x^a / (a B(a, b)) (DLMF 8.17.7).
template <class N>
constexpr N beta_series(N a, N b, double x) { return 1 + a * beta_tail(a, b, x); }

/// The integral of f from a to a + b, without a difference: the formula of Gauss with five points, for f smooth at this scale.
template <class F>
constexpr double integral_along(F f, double a, double b) {
  constexpr double points[] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332};
  constexpr double weights[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454};
  double sum = 0;
  for (int k = 0; k < 5; ++k) sum += weights[k] * f(a + b * points[k]);
  return b * sum;
}
/// lgamma(a + b) - lgamma(a) for a > 0 and 0 <= b < 0.1, with all its digits where b is small; and the same of digamma.
constexpr double lgamma_change(double a, double b) {
  const bool small = a < 1;
  const double change = integral_along([](double at) { return digamma(at); }, small ? a + 1 : a, b);
  return small ? change - math::log1p(ieee::divide(b, a)) : change;
}
constexpr double digamma_change(double a, double b) {
  const bool small = a < 1;
  const double change = integral_along([](double at) { return zeta_of_positive(2, at); }, small ? a + 1 : a, b);
  return small ? change + ieee::divide(ieee::divide(b, a), a + b) : change;
}

/// I_x(a, b) for b < 0.1 and x next to 1, which is small like b: 1 - rest^b / (b B(a, b)) beta_series(b, a, rest) without the difference.
template <class N>
constexpr N beta_complement(N a, N b, double rest) {
  const double p = plain(a), q = plain(b), log_rest = log(double_double(rest)).value();
  const double power = q * log_rest + lgamma_change(p, q) - lgamma_change(1, q), weight = math::exp(power), less = -math::expm1(power);
  const N series = b * beta_tail(b, a, rest);
  if constexpr (std::is_same_v<N, double>) return less - weight * series;
  else {
    const double in_a = weight * digamma_change(p, q), in_b = weight * (log_rest + digamma(p + q) - digamma(1 + q));
    return beta_slope(less, -in_a, -in_b) - beta_slope(weight, in_a, in_b) * series;
  }
}

constexpr double betainc(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) return ieee::quiet_nan<double>();
  if (x == 0 || x == 1) return x;
  if (a > 0x1p60 || b > 0x1p60) return ieee::quiet_nan<double>();  // beyond what the exponents resolve
  const double_double rest = two_sum(1, -x);
  if (b < 1 && x <= 0.9) return beta_weight(a, b, x, 1) * beta_series(a, b, x);
  if (b < 0.1 && a * rest.hi <= 1) return beta_complement(a, b, rest.hi);
  if (a * rest.hi <= 1 && x >= 0.1) return 1 - beta_weight(b, a, rest, 1) * beta_series(b, a, rest.hi);
  if (x < (a + 1) / (a + b + 2)) return beta_weight(a, b, x, rest) * beta_fraction(a, b, x);
  return 1 - beta_weight(b, a, rest, x) * beta_fraction(b, a, rest.value());
}

/// beta_weight with its derivatives: log x, log(1 - x) and digamma functions times it.
constexpr beta_slope beta_weight_slope(double a, double b, double_double x, double_double rest) {
  const double weight = beta_weight(a, b, x, rest), whole = digamma(a + b);
  return {weight, weight * (log(x).value() + (whole - digamma(a + 1))), weight * (log(rest).value() + (whole - digamma(b)))};
}
/// betainc with its derivatives, by the same methods in the same places.
constexpr beta_slope betainc_slope(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1) || a > 0x1p60 || b > 0x1p60) {
    const double nan = ieee::quiet_nan<double>();
    return {nan, nan, nan};
  }
  if (x == 0 || x == 1) return x;
  const beta_slope p(a, 1, 0), q(b, 0, 1);
  const double_double rest = two_sum(1, -x);
  const auto mirrored = [&](double_double power, beta_slope sum) {  // b and a change places
    const beta_slope w = beta_weight_slope(b, a, rest, power);
    return 1 - beta_slope(w.value, w.in_b, w.in_a) * sum;
  };
  if (b < 1 && x <= 0.9) return beta_weight_slope(a, b, x, 1) * beta_series(p, q, x);
  if (b < 0.1 && a * rest.hi <= 1) return beta_complement(p, q, rest.hi);
  if (a * rest.hi <= 1 && x >= 0.1) return mirrored(1, beta_series(q, p, rest.hi));
  if (x < (a + 1) / (a + b + 2)) return beta_weight_slope(a, b, x, rest) * beta_fraction(p, q, x);
  return mirrored(x, beta_fraction(q, p, rest.value()));
}

}  // namespace soft

/// The derivatives of I_x(a, b) in a and in b. To some 1e-13 of the function's own size for a and b up to 1e3.
template <real_scalar T>
constexpr T regularized_incomplete_beta_grad_a(T a, T b, T x) {
  return static_cast<T>(soft::betainc_slope(static_cast<double>(a), static_cast<double>(b), static_cast<double>(x)).in_a);
}
template <real_scalar T>
constexpr T regularized_incomplete_beta_grad_b(T a, T b, T x) {
  return static_cast<T>(soft::betainc_slope(static_cast<double>(a), static_cast<double>(b), static_cast<double>(x)).in_b);
}
/// I_x(a, b), the probability that a beta-distributed number is at most x.
template <real_scalar T>
constexpr T regularized_incomplete_beta(T a, T b, T x) {
  return static_cast<T>(soft::betainc(static_cast<double>(a), static_cast<double>(b), static_cast<double>(x)));
}

}  // namespace jacquard::math
