#pragma once
// The gamma function itself and what is made of several: quotients, the beta function, binomial coefficients, of f64 arrays. The logarithms of large
// gamma functions nearly cancel in quotients, and exp makes their roundoff that of the result times their size; so here differences of Stirling's
// formula are taken, and exp of none. Deliberately without public names, which are in functions.hpp and hypergeometric.hpp.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/numpy/elementary.hpp"
#include "jacquard/prims/lgamma.hpp"

namespace jacquard::special::detail {

using jacquard::detail::scalar_like;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline constexpr double pi = 3.14159265358979323846;

/// c[0] + c[1] x + ...
template <class Array = array, std::size_t N>
constexpr array polynomial(const double (&c)[N], const lazy<Array>& x) {
  array sum = scalar_like(x, c[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}
/// From where on Stirling's series is used.
inline constexpr double large_argument = 8;
/// log gamma(z) - (z - 1/2) log z + z - log(2 pi) / 2 (DLMF 5.11.1); what the series leaves out is below 1e-16 for |z| >= 8.
template <class Array = array>
constexpr array stirling_rest(const lazy<Array>& z) {
  constexpr double terms[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400, 43867.0 / 244188};
  const array r = 1.0 / z;
  return r * polynomial(terms, array(r * r));
}
/// f of the operands in f64, in their own dtype.
template <class F, class... Array>
constexpr array in_f64(const location& where, F f, const array& x, const Array&... more) {
  const auto wide = [&](const array& v) { return jacquard::detail::as_type(v, {f64, v.weak_type()}, where); };
  return jacquard::detail::as_type(f(wide(x), wide(more)...), x.aval().element(), where);
}

/// gamma(x) for x >= 0: Stirling's formula at x + m >= 8, over x (x + 1) ... (x + m - 1). The power is taken in two halves, since it is too large before
/// the product is; what x + m is rounded by counts times digamma there.
template <class Array = array>
constexpr array gamma_of_positive(const lazy<Array>& x) {
  constexpr double root_two_pi = 2.50662827463100050242, none_finite = 180;
  const array at = jacquard::minimum(x, none_finite);
  array below = scalar_like(at, 1), moves = scalar_like(at, 0);
  for (int k = 0; k < int(large_argument); ++k) {
    const array factor = at + double(k), small = factor < large_argument;
    below = below * jacquard::where(small, factor, 1.0);
    moves = moves + jacquard::where(small, scalar_like(at, 1), 0.0);
  }
  const array t = at + moves, lost = at - (t - moves), half = power(t, array(0.5 * t - 0.25));
  const array rest = stirling_rest(t) + lost * (log(t) - 0.5 / t);
  return half * exp(-t) * (root_two_pi * exp(rest)) * half / below;
}
/// The gamma function; infinite with the sign of the zero at 0, NaN at -1, -2, ... Negative x by gamma(x) gamma(-x) = -pi / (x sin(pi x)).
struct gamma_function {
  constexpr array operator()(const auto& x) const {
    const array negative = (x < 0.0) & (x > -1e300), size = gamma_of_positive(abs(x)), pole = (x < 0.0) & (floor(x) == x);
    const array sine = jacquard::detail::sine_of_half_turns(jacquard::where(negative & !pole, x, 0.5));
    const array reflected = -pi / sine / size / jacquard::where(negative, x, 1.0);
    const array value = jacquard::where(negative, reflected, jacquard::where(x == 0.0, 1.0 / x, size));
    return jacquard::where(pole, std::numeric_limits<double>::quiet_NaN(), value);
  }
};
/// gamma(a + b) of what a + b is before it is rounded: digamma there is what a large sum multiplies its roundoff by.
template <class Array = array>
constexpr array gamma_of_sum(const lazy<Array>& a, const array& b) {
  const array sum = a + b, added = sum - a, lost = (a - (sum - added)) + (b - added);  // exactly (Knuth 1969, sec. 4.2.2)
  const array large = sum > 1.0, slope = log(jacquard::where(large, sum, 1.0));
  return gamma_function()(sum) * (1.0 + jacquard::where(large, lost * slope, 0.0));
}
/// log |gamma(z + m) / gamma(z)|; for z and z + m >= 8 by
///   (z + m - 1/2) log1p(m / z) + m (log z - 1) + rest(z + m) - rest(z).
template <class Array = array>
constexpr array log_gamma_change(const lazy<Array>& z, const array& m) {
  const array sum = z + m, far = (z >= large_argument) & (sum >= large_argument) & isfinite(sum);
  const array from = jacquard::where(far, z, large_argument), by = jacquard::where(far, m, 0.0), to = from + by;
  const array large = (to - 0.5) * log1p(by / from) + by * (log(from) - 1.0) + stirling_rest(to) - stirling_rest(from);
  const array near = jacquard::where(far, 1.0, z), near_sum = jacquard::where(far, 1.0, sum);
  return jacquard::where(far, large, lax::lgamma(near_sum) - lax::lgamma(near));
}
/// log |B(a, b)|, -inf where an argument is infinite and none is below 0; for positive a and b with the larger >= 8 by differences, and where both are,
/// the two of them as
///   log(2 pi / b) / 2 + (a - 1/2) log(a / (a + b)) - b log1p(a / b) + rest(a) + rest(b) - rest(a + b), a <= b.
struct log_beta_function {
  constexpr array operator()(const auto& x, const auto& y) const {
    constexpr double two_pi = 6.28318530717958647693;
    const array ordered = x <= y;  // not the minimum and the maximum, whose derivatives are halves of both where they are equal
    const array a = jacquard::where(ordered, x, y), b = jacquard::where(ordered, y, x), endless = (b == infinity) & (a > 0.0);
    const array both = (a >= large_argument) & isfinite(b);
    const array p = jacquard::where(both, a, large_argument), q = jacquard::where(both, b, large_argument), r = p / q;
    const array large = 0.5 * log(two_pi / q) + (p - 0.5) * (log(r) - log1p(r)) - q * log1p(r) + stirling_rest(p) + stirling_rest(q) - stirling_rest(p + q);
    const array one = jacquard::where(both | endless, 1.0, a), other = jacquard::where(both | endless, 1.0, b);
    const array value = jacquard::where(both, large, lax::lgamma(one) - log_gamma_change(other, one));
    return jacquard::where(endless, -infinity, value);
  }
};
/// Whether gamma has a pole at x: 0, -1, ...
template <class Array = array>
constexpr array is_pole(const lazy<Array>& x) { return (x <= 0.0) & (floor(x) == x); }
/// Where to take B for B(a, b): elsewhere where gamma has poles at the one and at the sum that cancel (`turned` where the sign changes), at harmless
/// numbers where it is infinite.
struct beta_place {
  array a, b, infinite, turned;
  template <class Array = array>
  constexpr beta_place(const lazy<Array>& x, const lazy<Array>& y) : a(x), b(y) {
    const auto cancels = [](const array& pole, const array& other) {
      return is_pole(pole) & (other >= 1.0) & (floor(other) == other) & (pole + other <= 0.0);
    };
    const array in_x = cancels(x, y), in_y = cancels(y, x), odd = fmod(jacquard::where(in_x, y, x), 2.0) != 0.0, valid = !(isnan(x) | isnan(y));
    turned = (in_x | in_y) & odd;
    infinite = (is_pole(x) | is_pole(y)) & !(in_x | in_y) & valid;
    a = jacquard::where(infinite, 1.0, jacquard::where(in_x, 1.0 - x - y, x));
    b = jacquard::where(infinite, 1.0, jacquard::where(in_y, 1.0 - x - y, y));
  }
};
/// B(a, b) as gamma functions while these are finite, by its logarithm beyond; the sign there is `sign`. Or the inverse, times `sign`: a function of
/// its own, since the derivatives of 1 / B need the square of B, which vanishes sooner.
struct beta_function {
  bool inverse = false;
  constexpr array operator()(const auto& a, const auto& b, const auto& sign) const {
    constexpr double last = 170;
    const array small = (abs(a) < last) & (abs(b) < last) & (abs(a + b) < last);
    const array p = jacquard::where(small, a, 1.0), q = jacquard::where(small, b, 1.0);
    const array ordered = p <= q, smaller = jacquard::where(ordered, p, q), larger = jacquard::where(ordered, q, p);
    const gamma_function g;
    const array near = g(smaller) / gamma_of_sum(p, q) * g(larger);
    const array log_far = log_beta_function()(jacquard::where(small, 1.0, a), jacquard::where(small, 1.0, b));
    const array half = exp(-0.5 * log_far);  // twice, since the inverse is too large before the product is
    if (inverse) return jacquard::where(small, sign / near, sign * half * half);
    const array far = sign * exp(log_far);
    // 1 / gamma(a + b) is 0 at the poles, those of a and b apart.
    return jacquard::where(is_pole(a + b) & !is_pole(a) & !is_pole(b), 0.0, jacquard::where(small, near, far));
  }
};

}  // namespace jacquard::special::detail
