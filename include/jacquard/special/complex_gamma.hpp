#pragma once
// The logarithm of the gamma function in the complex plane, made of the elementary functions, whose rules give its derivatives. Deliberately
// without the gamma function itself, which is exp of it.

#include "jacquard/numpy/floating.hpp"
#include "jacquard/special/functions.hpp"

namespace jacquard::special {

namespace detail {

/// Coefficients of log gamma(1 + u) = -euler u + zeta(2) u^2 / 2 - zeta(3) u^3 / 3 + ... (DLMF 5.7.3), enough of them for |u| <= 1/5.
template <class Array = array>
constexpr array log_gamma_near_one(const lazy<Array>& u) {
  constexpr int terms = 24;
  double c[terms] = {0, -0.57721566490153286061};
  for (int n = 2; n < terms; ++n) {
    double zeta = 1;  // summed to 40 and from there by Euler and Maclaurin
    for (int k = 2; k < 40; ++k) zeta += math::powi(double(k), -n);
    const double last = math::powi(40.0, -n);
    zeta += 40.0 * last / (n - 1) + last / 2 + n * last / 480 - n * (n + 1.0) * (n + 2.0) * last / (720 * 64000.0);
    c[n] = (n % 2 == 0 ? zeta : -zeta) / n;
  }
  return polynomial(c, u);
}
/// By Stirling's series, (DLMF 5.11.1), for |z| >= 7 away from the negative axis.
template <class Array = array>
constexpr array log_gamma_far(const lazy<Array>& z) {
  constexpr double half_log_two_pi = 0.91893853320467274178;
  return (z - 0.5) * log(z) - z + half_log_two_pi + stirling_rest(z);
}
/// log sin(pi z), on the branch of each strip -1/2 <= re z - n <= 1/2 that log has; for moderate imaginary parts.
template <class Array = array>
constexpr array log_sin_pi(const lazy<Array>& x, const lazy<Array>& y) {
  // Exact: the sine vanishes at whole numbers, the cosine between them, where its sign would be that of a rounding error.
  const array whole = round(x), rest = x - lax::stop_gradient(whole), turn = pi * rest, height = pi * y, cosine = sin(pi * (0.5 - abs(rest)));
  const array sign = where(fmod(whole, 2.0) == 0.0, scalar_like(x, 1), scalar_like(x, -1));
  return log(lax::complex(sign * sin(turn) * cosh(height), sign * cosine * sinh(height)));
}
template <class Array = array>
constexpr array complex_log_gamma(const lazy<Array>& z) {
  constexpr double two_pi = 6.28318530717958647693, log_pi = 1.14472988584940017414;
  const auto guarded_complex = [](const array& condition, const array& v, double harmless) {
    return lax::select(condition, v, scalar_like(v, harmless));
  };
  const array x = real(z), y = imag(z);
  const array turned = (x < 0.1) & (abs(y) <= 7.0), w = where(turned, 1.0 - z, z), u = real(w), v = abs(imag(w));
  const array far = (u > 7.0) | (v > 7.0);
  const auto within = [&](double center) { return (abs(u - center) <= 0.14) & (v <= 0.14); };
  const array at_one = within(1), at_two = within(2), near = at_one | at_two;
  // Between, seven steps up; each logarithm is continuous off the negative axis, so that their sum is on the right branch.
  const array low = guarded_complex(!far & !near, w, 3.0), high = guarded_complex(!near, w, 8.0);
  array below = log(low);
  for (int k = 1; k < 7; ++k) below = below + log(low + double(k));
  const array by_series = log_gamma_far(array(where(far | near, high, low + 7.0))) - where(far | near, scalar_like(below, 0), below);
  const array offset = guarded_complex(near, w - where(at_two, 2.0, scalar_like(x, 1)), 0.0);
  const array by_zero = log_gamma_near_one(offset) + where(at_two, log1p(offset), scalar_like(offset, 0));
  const array right = where(near, by_zero, by_series);
  // log gamma(z) = log pi - log sin(pi z) - log gamma(1 - z) + 2 pi i k (Hare 1997, J. Algorithms 25, 221, eq. 4).
  const array constant_y = lax::stop_gradient(y), side = where(signbit(constant_y), scalar_like(y, -1), scalar_like(y, 1));
  const array pole = (x <= 0.0) & (floor(x) == x) & (y == 0.0), off = turned & !pole;
  const array sine = log_sin_pi(guarded(off, x, 0.5), guarded(off, y, 0.0));
  const array turns = lax::complex(0.0 * lax::stop_gradient(u), side * (two_pi * floor(0.5 * lax::stop_gradient(x) + 0.25)));
  const array left = log_pi - sine - right + turns;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return where(pole, array(literal(complex128(nan, nan)).as(z.dtype())), where(turned, left, right));
}

}  // namespace detail

/// log gamma(z), continuous but for the cut along the negative real axis, on which the sign of a zero imaginary part says the side: not the
/// logarithm of gamma(z), whose imaginary part is within pi. Real for real numbers, NaN for negative ones; NaN at 0, -1, ... of complex ones.
/// Rules: derivatives of every order. Errors: type_error for bool. Source: Hare 1997, J. Algorithms 25, 221.
template <class Operand = operand>
constexpr array loggamma(const lazy<Operand>& z) {
  const rule_location_scope here(z.where);
  const array v = detail::inexact(z);
  if (!v.is_none() && is_complex(v.dtype())) return detail::complex_log_gamma(v);
  return where(v < 0.0, std::numeric_limits<double>::quiet_NaN(), gammaln(v));
}

}  // namespace jacquard::special
