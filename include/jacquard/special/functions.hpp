#pragma once
// jq::special, the special functions of statistics and physics under the names of scipy.special, made of primitives. Whole numbers become
// floating point first; operands broadcast. Values and derivatives at singular points are those of the limits where these exist: what would divide
// by zero is never computed. Deliberately real only.

#include "jacquard/numpy/elementary.hpp"
#include "jacquard/numpy/reductions.hpp"
#include "jacquard/prims/bessel.hpp"
#include "jacquard/prims/igamma.hpp"
#include "jacquard/prims/regularized_incomplete_beta.hpp"
#include "jacquard/special/gamma_quotients.hpp"

namespace jacquard::special {

namespace detail {
using jacquard::detail::binary_inexact;
using jacquard::detail::inexact_operand;
using jacquard::detail::inexact_pair;
using jacquard::detail::scalar_like;
using jacquard::detail::unary_inexact;

/// The operand as floating point, an array.
template <class Operand = operand>
constexpr array inexact(const lazy<Operand>& x) { return inexact_operand(x).value; }
/// `x` where the condition holds, else a harmless number: what a function is applied to whose result is not used there.
template <class Array = array>
constexpr array guarded(const lazy<Array>& condition, const lazy<Array>& x, double harmless) {
  return lax::select(condition, x, scalar_like(x, harmless));
}
}  // namespace detail

// --- gamma and beta --------------------------------------------------------------------------------------------------

/// log |gamma(x)|.
template <class Operand = operand>
constexpr array gammaln(const lazy<Operand>& x) { return detail::unary_inexact<lgamma_p>(x); }
/// The sign of gamma(x); NaN at its poles -1, -2, ... and of NaN, the sign of the zero at 0.
template <class Operand = operand>
constexpr array gammasgn(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), below = floor(v), one = detail::scalar_like(v, 1);
  const array odd = fmod(below, 2.0) != 0.0, size = where(odd, -one, one);
  const array pole = (v < 0.0) & (below == v);
  const array side = where(v > 0.0, one, size);
  return where(pole | isnan(v), std::numeric_limits<double>::quiet_NaN(), where(v == 0.0, where(lax::div(one, v) > 0.0, one, -one), side));
}
/// The derivative of gammaln.
template <class Operand = operand>
constexpr array digamma(const lazy<Operand>& x) { return detail::unary_inexact<digamma_p>(x); }
template <class Operand = operand>
constexpr array psi(const lazy<Operand>& x) { return digamma(x); }
/// The gamma function; infinite at 0 with its sign, NaN at -1, -2, ...
template <class Operand = operand>
constexpr array gamma(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  if (is_complex(v.dtype()))
    return jacquard::detail::bad_operand(x, error_kind::type, "gamma: got ", long_name(v.dtype()), ", wanted real numbers; take exp of special::loggamma");
  const auto value = [](const array& at) { return detail::in_f64({}, detail::gamma_function(), at); };
  const auto rule = [value](const std::tuple<array>& at, const std::tuple<array>& t) {
    const array y = value(std::get<0>(at));
    return std::pair{y, array(std::get<0>(t) * y * lax::digamma(std::get<0>(at)))};
  };
  return custom_jvp(value, rule)(v);
}
/// The derivative of order n of digamma. Errors: not_implemented for a derivative in n.
template <class Operand = operand>
constexpr array polygamma(const lazy<Operand>& n, const lazy<Operand>& x) {
  if (n.value.kind() == array_kind::literal) return detail::binary_inexact<polygamma_p>(n, x);  // has no derivative, and takes the dtype of x
  return detail::binary_inexact<polygamma_p>(operand(lax::stop_gradient(n.value, n.where), n.where), x);
}
/// The sum of (q + k)^-s over k = 0, 1, ...; of q = 1 by default. Errors: not_implemented for a derivative in s.
template <class Operand = operand>
constexpr array zeta(const lazy<Operand>& s, const lazy<Operand>& q) {
  return detail::binary_inexact<zeta_p>(s, q);
}
template <class Operand = operand>
constexpr array zeta(const lazy<Operand>& s) { return zeta(s, operand(1.0, s.where)); }
/// log |B(a, b)| = gammaln(a) + gammaln(b) - gammaln(a + b), also where these nearly cancel; where gamma has poles see beta. Errors: shape_error;
/// type_error for complex numbers.
template <class Operand = operand>
constexpr array betaln(const lazy<Operand>& a, const lazy<Operand>& b) {
  const rule_location_scope here(a.where);
  const detail::inexact_pair p("betaln", a, b);
  if (!p.bad.is_none()) return p.bad;
  if (is_complex(p.a.dtype()))
    return jacquard::detail::bad_operand(a, error_kind::type, "betaln: got ", long_name(p.a.dtype()), ", wanted real numbers; add special::loggamma's");
  const detail::beta_place at(p.a, p.b);
  return where(at.infinite, detail::infinity, detail::in_f64(a.where, detail::log_beta_function(), at.a, at.b));
}
/// B(a, b) = gamma(a) gamma(b) / gamma(a + b). At the poles of gamma as scipy has it: (-1)^b B(1 - a - b, b) for a whole number b > 0 and one a <= -b,
/// infinite for any other a or b of 0, -1, ... Errors: shape_error.
template <class Operand = operand>
constexpr array beta(const lazy<Operand>& a, const lazy<Operand>& b) {
  const rule_location_scope here(a.where);
  const detail::inexact_pair p("beta", a, b);
  if (!p.bad.is_none()) return p.bad;
  const detail::beta_place at(p.a, p.b);
  const array sign = gammasgn(at.a) * gammasgn(at.b) * gammasgn(at.a + at.b), size = detail::in_f64(a.where, detail::beta_function(), at.a, at.b, sign);
  return where(at.infinite, detail::infinity, where(at.turned, -size, size));
}
/// I_x(a, b), the regularized incomplete beta function. Derivatives of first order in a and b. Errors: shape_error.
template <class Operand = operand>
constexpr array betainc(const lazy<Operand>& a, const lazy<Operand>& b, const lazy<Operand>& x) {
  array v[] = {a.value, b.value, x.value};
  const array bad = jacquard::detail::harmonise_inexact("betainc", v, x.where);
  if (!bad.is_none()) return bad;
  return lax::regularized_incomplete_beta(v[0], v[1], v[2], x.where);
}
/// P(a, x), the regularized incomplete gamma function, and 1 - P(a, x).
template <class Operand = operand>
constexpr array gammainc(const lazy<Operand>& a, const lazy<Operand>& x) { return detail::binary_inexact<igamma_p>(a, x); }
template <class Operand = operand>
constexpr array gammaincc(const lazy<Operand>& a, const lazy<Operand>& x) { return detail::binary_inexact<igammac_p>(a, x); }
/// log of the multivariate gamma function of dimension d >= 1, for a > (d - 1) / 2. Errors: value_error for d < 1.
template <class Operand = operand>
constexpr array multigammaln(const lazy<Operand>& a, int d) {
  const rule_location_scope here(a.where);
  if (d < 1) return jacquard::detail::bad_operand(a, error_kind::value, "multigammaln: got dimension ", d, "; wanted at least 1");
  const array v = detail::inexact(a);
  constexpr double log_pi = 1.1447298858494001741;
  array sum = gammaln(v) + 0.25 * d * (d - 1) * log_pi;
  for (int k = 1; k < d; ++k) sum = sum + gammaln(v - 0.5 * k);
  return sum;
}
/// n! = gamma(n + 1), in floating point; 0 for negative n.
template <class Operand = operand>
constexpr array factorial(const lazy<Operand>& n) {
  const rule_location_scope here(n.where);
  const array v = detail::inexact(n), size = gamma(where(v < 0.0, 0.0, v) + 1.0);
  const array whole = floor(v) == v, excess = lax::stop_gradient(where(whole & isfinite(size), size - round(size), 0.0));  // which keeps the derivative
  return where(v < 0.0, 0.0, size - excess);
}

// --- error functions and the normal distribution ----------------------------------------------------------------------

template <class Operand = operand>
constexpr array erf(const lazy<Operand>& x) { return jacquard::erf(x); }
template <class Operand = operand>
constexpr array erfc(const lazy<Operand>& x) { return jacquard::erfc(x); }
template <class Operand = operand>
constexpr array erfinv(const lazy<Operand>& x) { return jacquard::erf_inv(x); }
/// The share of the standard normal distribution below x, with full precision in both tails.
template <class Operand = operand>
constexpr array ndtr(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  return jacquard::detail::normal_share(detail::inexact(x));
}
/// The inverse of ndtr; infinite at 0 and 1, NaN outside. From erf_inv in the middle, in the tails by Newton's method on log_ndtr, which
/// keeps full precision where p is small.
template <class Operand = operand>
constexpr array ndtri(const lazy<Operand>& p);
/// log(ndtr(x)), with full precision where that is next to 0 or ndtr vanishes: below -5 by a continued fraction (DLMF 7.9.3).
template <class Operand = operand>
constexpr array log_ndtr(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), low = v < -5.0, high = v > 5.0;
  const array far = where(low, v, -5.0), middle = where(low | high, 0.0, v), near_one = where(high, v, 5.0);
  // Mills' ratio r = 1 / (t + 1 / (t + 2 / (t + 3 / ...))) with t = -x.
  const array t = -far;
  array fraction = t;
  for (int k = 60; k >= 1; --k) fraction = t + double(k) / fraction;
  constexpr double half_log_two_pi = 0.91893853320467274178;
  const array tail = -0.5 * far * far - half_log_two_pi - log(fraction);
  const array positive = middle > 0.0, share = ndtr(where(positive, -middle, middle));
  return where(low, tail, where(high, log1p(-ndtr(-near_one)), where(positive, log1p(-share), log(share))));
}
template <class Operand>
constexpr array ndtri(const lazy<Operand>& p) {
  const rule_location_scope here(p.where);
  const array v = detail::inexact(p);
  const array upper = v > 0.5, tail = where(upper, 1.0 - v, v);  // exact for v >= 1/2
  const array central = tail > 0.02, inside = (tail > 0.0) & ~central;
  const array middle = -1.4142135623730950488 * erf_inv(1.0 - 2.0 * where(central, tail, 0.5));
  // Newton's method on log(ndtr(x)) = log p, which is concave: it converges from the asymptote, from the right side.
  const array wanted = log(where(inside, tail, 0.01));
  array x = -sqrt(-2.0 * wanted);
  constexpr double half_log_two_pi = 0.91893853320467274178;
  for (int step = 0; step < 6; ++step) {
    const array have = log_ndtr(x), slope = exp(-0.5 * x * x - half_log_two_pi - have);
    x = x - (have - wanted) / slope;
  }
  const array lower = where(central, middle, where(inside, x, where(tail == 0.0, detail::scalar_like(tail, -detail::infinity), std::numeric_limits<double>::quiet_NaN())));
  return where(upper, -lower, lower);
}
/// 1 / (1 + exp(-x)).
template <class Operand = operand>
constexpr array expit(const lazy<Operand>& x) { return logistic(x); }
/// log(p / (1 - p)), the inverse of expit.
template <class Operand = operand>
constexpr array logit(const lazy<Operand>& p) {
  const rule_location_scope here(p.where);
  const array v = detail::inexact(p);
  if (is_complex(v.dtype())) return log(v) - log1p(-v);
  // Next to 1/2, where it vanishes, by p / (1 - p) - 1, whose terms are exact.
  const array middle = (v > 0.25) & (v < 0.75), m = where(middle, v, 0.5), out = where(middle, 0.25, v);
  return where(middle, log1p((2.0 * m - 1.0) / (1.0 - m)), log(out) - log1p(-out));
}

using jacquard::log_softmax;
using jacquard::logsumexp;
using jacquard::softmax;

// --- entropies ----------------------------------------------------------------------------------------------------------

/// x log(y), and 0 where x is 0; the derivatives there are log(y), 0 where y is 0 too, and 0. Errors: shape_error.
template <class Operand = operand>
constexpr array xlogy(const lazy<Operand>& x, const lazy<Operand>& y) {
  const rule_location_scope here(x.where);
  const detail::inexact_pair p("xlogy", x, y);
  if (!p.bad.is_none()) return p.bad;
  const array safe = (p.a != 0.0) | ((p.b > 0.0) & (p.b < detail::infinity)) | isnan(p.b);
  return where(safe, p.a * log(where(safe, p.b, 1.0)), detail::scalar_like(p.a, 0));
}
/// x log(1 + y), and 0 where x is 0. Errors: shape_error.
template <class Operand = operand>
constexpr array xlog1py(const lazy<Operand>& x, const lazy<Operand>& y) {
  const rule_location_scope here(x.where);
  const detail::inexact_pair p("xlog1py", x, y);
  if (!p.bad.is_none()) return p.bad;
  const array safe = (p.a != 0.0) | ((p.b > -1.0) & (p.b < detail::infinity)) | isnan(p.b);
  return where(safe, p.a * log1p(where(safe, p.b, 0.0)), detail::scalar_like(p.a, 0));
}
/// -x log(x) for x > 0, 0 at 0, -inf below.
template <class Operand = operand>
constexpr array entr(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return where(v < 0.0, -detail::infinity, xlogy(-v, where(v < 0.0, 1.0, v)) + 0.0);
}
/// x log(x / y) for positive x and y, 0 for x = 0 and y >= 0, inf elsewhere. Errors: shape_error.
template <class Operand = operand>
constexpr array rel_entr(const lazy<Operand>& x, const lazy<Operand>& y) {
  const rule_location_scope here(x.where);
  const detail::inexact_pair p("rel_entr", x, y);
  if (!p.bad.is_none()) return p.bad;
  const array both = (p.a > 0.0) & (p.b > 0.0), zero = (p.a == 0.0) & (p.b >= 0.0), lost = isnan(p.a) | isnan(p.b);
  const array a = where(both, p.a, 1.0), b = where(both, p.b, 1.0);
  const array rest = where(lost, std::numeric_limits<double>::quiet_NaN(), where(zero, detail::scalar_like(a, 0), detail::infinity));
  // Where y is next to x, by x / y - 1, whose difference is exact.
  const array close = (a < 2.0 * b) & (b < 2.0 * a), p_close = where(close, a, 1.0), q_close = where(close, b, 1.0);
  return where(both, a * where(close, log1p((p_close - q_close) / q_close), log(a) - log(b)), rest);
}
/// rel_entr(x, y) - x + y, which is never negative; where y is next to x, x (u - log1p(u)) with u = y / x - 1, as a series. Errors: shape_error.
template <class Operand = operand>
constexpr array kl_div(const lazy<Operand>& x, const lazy<Operand>& y) {
  const rule_location_scope here(x.where);
  const detail::inexact_pair p("kl_div", x, y);
  if (!p.bad.is_none()) return p.bad;
  const array close = (p.a > 0.0) & (p.b > 0.75 * p.a) & (p.b < 1.25 * p.a), a = where(close, p.a, 1.0), b = where(close, p.b, 1.0);
  // log1p(u) = 2 artanh(r) with r = u / (2 + u) = (y - x) / (y + x), and u = 2 r + u r.
  constexpr double terms[] = {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19};
  const array r = (b - a) / (a + b), square = r * r, series = r * (b - a) - 2.0 * a * r * square * detail::polynomial(terms, square);
  const array one = where(close, 1.0, p.a), other = where(close, 2.0, p.b);
  const array whole = rel_entr(one, other);
  return where(close, series, where(whole == detail::infinity, whole, whole - one + other));
}

namespace detail {
/// (exp(power log) - 1) / power of a logarithm; the logarithm itself for the power 0. For small products, those with 0 among them, the logarithm times
/// a series, which has all derivatives.
template <class Array = array>
constexpr array power_of(const lazy<Array>& logarithm, const lazy<Array>& power) {
  constexpr double terms[] = {1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800,
                              1.0 / 479001600};
  const array finite = isfinite(logarithm), some = where(finite, logarithm, 0.0), product = power * some, close = finite & (abs(product) < 0.25);
  const array series = some * polynomial(terms, where(close, product, 0.0));
  const array is_log = power == 0.0, by = where(close | is_log, 1.0, power), exponent = by * where(close, 0.0, logarithm);
  // expm1, whose derivative is 1 more than it, has no slope far below 0.
  const array falls = real(exponent) < -1.0, change = where(falls, exp(where(falls, exponent, -1.0)) - 1.0, expm1(where(falls, 0.0, exponent)));
  return where(close, series, where(is_log, logarithm, change / by));
}
/// The same of log(x), the logarithm of `base`. At 0 that has no slope, but a positive power does; `harmless` is an x that stands in there.
template <class Array = array, class Log>
constexpr array power_transform(const lazy<Array>& x, const lazy<Array>& base, const lazy<Array>& power, double harmless, Log log) {
  if (is_complex(x.dtype())) return power_of(log(x), power);
  const array edge = (base == 0.0) & (power > 0.0);
  const array at_zero = (jacquard::power(where(edge, base, 1.0), power) - 1.0) / where(edge, power, 1.0);
  return where(edge, at_zero, power_of(log(where(edge, harmless, x)), power));
}
}  // namespace detail

/// (x^power - 1) / power, and log(x) for the power 0: the transformation of Box and Cox. NaN for negative x. Errors: shape_error.
template <class Operand = operand>
constexpr array boxcox(const lazy<Operand>& x, const lazy<Operand>& power) {
  const rule_location_scope here(x.where);
  const detail::inexact_pair p("boxcox", x, power);
  if (!p.bad.is_none()) return p.bad;
  return detail::power_transform(p.a, p.a, p.b, 1.0, [](const array& v) { return log(v); });
}
/// The same of 1 + x, precise for small x. Errors: shape_error.
template <class Operand = operand>
constexpr array boxcox1p(const lazy<Operand>& x, const lazy<Operand>& power) {
  const rule_location_scope here(x.where);
  const detail::inexact_pair p("boxcox1p", x, power);
  if (!p.bad.is_none()) return p.bad;
  return detail::power_transform(p.a, p.a + 1.0, p.b, 0.0, [](const array& v) { return log1p(v); });
}

// --- Bessel functions ---------------------------------------------------------------------------

/// The modified Bessel function of order 0 times exp(-|x|), and itself.
template <class Operand = operand>
constexpr array i0e(const lazy<Operand>& x) { return detail::unary_inexact<bessel_i0e_p>(x); }
template <class Operand = operand>
constexpr array i0(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array half = exp(0.5 * abs(detail::inexact(x)));  // twice, since exp(|x|) is too large before the product is
  return half * i0e(x) * half;
}
/// That of order 1.
template <class Operand = operand>
constexpr array i1e(const lazy<Operand>& x) { return detail::unary_inexact<bessel_i1e_p>(x); }
template <class Operand = operand>
constexpr array i1(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array half = exp(0.5 * abs(detail::inexact(x)));
  return half * i1e(x) * half;
}

}  // namespace jacquard::special
