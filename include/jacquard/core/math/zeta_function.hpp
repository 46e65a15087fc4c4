#pragma once
// The Hurwitz zeta function and the polygamma functions of real numbers, for both worlds, in double. Deliberately without the
// continuation to exponents below 1.

#include "jacquard/core/math/real.hpp"

namespace jacquard::math {

namespace soft {

/// The sum of ((q + k) scale)^-s over k = 0, 1, ..., for q > 0 and s > 1: terms up to q + k = s + 10 one by one, the rest by the formula of Euler and
/// Maclaurin (DLMF 25.11.5). Where terms are too small to count before, its corrections are left out: they diverge for q + k far below s.
constexpr double zeta_of_positive(double s, double q, double scale = 1) {
  // The Bernoulli numbers B_2k / (2k)!.
  constexpr double terms[] = {1.0 / 12,
                              -1.0 / 720,
                              1.0 / 30240,
                              -1.0 / 1209600,
                              1.0 / 47900160,
                              -691.0 / 1307674368000.0,
                              1.0 / 74724249600.0,
                              -3617.0 / 10670622842880000.0,
                              43867.0 / 5109094217170944000.0,
                              -174611.0 / 802857662698291200000.0,
                              77683.0 / 14101100039391805440000.0,
                              -236364091.0 / 1693824136731743669452800000.0};
  const double first = math::pow(q * scale, -s);
  if (ieee::is_inf(first)) return first;
  double sum = 0, at = q, term = first;
  while (at < 10 + s && term > 0x1p-60 * sum) {
    sum += term;
    at += 1;
    term = math::pow(at * scale, -s);
  }
  sum += 0.5 * term;
  sum += ieee::divide(at, s - 1) * term;  // at^(1 - s) / (s - 1)
  if (at < 10 + s) return sum;
  double factor = s, power = term / at;
  for (int k = 0; k < 12; ++k) {
    const double part = terms[k] * factor * power;
    if (!(ieee::magnitude(part) > 0x1p-60 * sum)) break;
    sum += part;
    factor *= (s + (2 * k + 1)) * (s + (2 * k + 2));
    power /= at * at;
  }
  return sum;
}

/// The same for any q; a whole number q <= 0 is a pole. There a power of a negative number is meant, which exists for whole s.
constexpr double zeta(double s, double q) {
  if (ieee::is_nan(s) || ieee::is_nan(q)) return ieee::quiet_nan<double>();
  if (s <= 1) return s == 1 ? ieee::infinity<double>() : ieee::quiet_nan<double>();
  if (ieee::is_inf(q)) return q > 0 ? 0 : ieee::quiet_nan<double>();
  if (q > 0) return ieee::is_inf(s) ? (q < 1 ? s : q == 1 ? 1.0 : 0.0) : zeta_of_positive(s, q);
  const double below = floor(q);
  const bool odd = math::fmod(s, 2.0) == 1;
  if (below == q) return odd ? ieee::quiet_nan<double>() : ieee::infinity<double>();
  if (floor(s) != s || ieee::is_inf(s)) return ieee::quiet_nan<double>();
  // The terms below zero are those of the mirrored sum, from the first to one beyond -q.
  const double rest = q - below, nearest = (below + 1) - q;  // not 1 - rest, which is zero close to a pole
  const double first = zeta_of_positive(s, rest), mirrored = zeta_of_positive(s, nearest), beyond = zeta_of_positive(s, 1 - q);
  return odd ? first - mirrored + beyond : first + mirrored - beyond;  // in this order: half-way the first two cancel, and the last may be far smaller
}

/// The derivative of order n of digamma, (-1)^(n+1) n! zeta(n + 1, x); NaN unless n is a whole number >= 0.
constexpr double polygamma(double n, double x) {
  if (n == 0) return digamma(x);
  if (!(n > 0) || floor(n) != n || ieee::is_nan(x)) return ieee::quiet_nan<double>();
  if (n > 1e5) return ieee::quiet_nan<double>();  // n! is no number of a double's range
  // For large x the sum is smaller than numbers get where n! makes up for it: x is scaled by a power of two, exactly.
  const int power = x >= 2 && !ieee::is_inf(x) && n < 1000 ? ieee::exponent(x) : 0;
  const double sum = power == 0 ? zeta(n + 1, x) : zeta_of_positive(n + 1, x, ieee::scale(1.0, -power));
  const scaled_double_double factorial = exp(lgamma_of_positive(n + 1));
  const double size = ieee::scale(ieee::multiply(sum, factorial.unit.value()), factorial.exponent - power * static_cast<int>(n + 1));
  return math::fmod(n, 2.0) == 0 ? ieee::negate(size) : size;
}

}  // namespace soft

/// The sum of (q + k)^-s over k = 0, 1, ...; infinite at s = 1, NaN below, and where the power of a negative number has none.
template <real_scalar T>
constexpr T zeta(T s, T q) {
  return static_cast<T>(soft::zeta(static_cast<double>(s), static_cast<double>(q)));
}

/// The derivative of order n of the digamma function; NaN unless n is a whole number >= 0.
template <real_scalar T>
constexpr T polygamma(T n, T x) {
  return static_cast<T>(soft::polygamma(static_cast<double>(n), static_cast<double>(x)));
}

}  // namespace jacquard::math
