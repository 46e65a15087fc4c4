#pragma once
// lgamma, digamma and trigamma without conditions, for numbers that write down what is done to them: the polynomials and series of gamma_function, of which
// one counts, with a single logarithm and a single division. Deliberately in plain doubles, some units in the last place less exact than there; near their
// zeros on the negative axis the error is absolute.

#include <initializer_list>

#include "jacquard/core/math/branchless.hpp"
#include "jacquard/core/math/gamma_function.hpp"

namespace jacquard::math::branchless {

/// sin(pi t) / pi for |t| <= 1/2: the series of Taylor, within 2^-59.
template <class T>
constexpr T sine_of_half_turns(const T& t) {
  constexpr double terms[] = {1.0, -1.6449340668482264, 0.8117424252833536, -0.19075182412208422, 0.0261478478176548, -0.0023460810354558235,
                              0.000148428793031071, -6.975873661656381e-06, 2.5312174041370274e-07, -7.304711822217775e-09,
                              1.7165384749821432e-10, -3.3481335350440666e-12};
  return t * polynomial(terms, t * t);
}

/// Numbers from one on are moved down by so many.
struct gamma_step {
  double from;
  int by;
};

/// lgamma of x >= 0. From 2.25 on x is moved into [1.25, 2.25), below 1.25 up by one or two, which leaves the logarithm of a product; from 10 on the
/// same logarithm, of x, is that of Stirling's formula.
template <class T>
constexpr T lgamma_of_positive(const T& x) {
  const T one(1.0);
  T z = x, product = one;
  for (const gamma_step& s : {gamma_step{6.25, 4}, gamma_step{4.25, 2}, gamma_step{3.25, 1}, gamma_step{2.25, 1}}) {
    T factor = z - one;
    for (int k = 2; k <= s.by; ++k) factor = factor * (z - T(double(k)));
    const auto applies = z >= T(s.from);
    product = select(applies, factor * product, product);
    z = select(applies, z - T(double(s.by)), z);
  }
  const auto is_far = x >= T(10.0), is_low = x < T(1.25), is_least = x < T(0.25);
  const T below = select(is_least, x * (one + x), x), distance = select(is_low, select(is_least, x, x - one), z - T(2.0));
  const T logarithm = log(select(is_far, x, select(is_low, below, product)));
  const T near = distance * polynomial(soft::lgamma_terms_near_two, distance * T(2.0) + T(0.5)) + select(is_low, -logarithm, logarithm);
  const T inverse = one / x;
  constexpr double half_log_two_pi = 0.9189385332046728;
  const T far = (x - T(0.5)) * (logarithm - one) + (inverse * polynomial(soft::stirling_terms, inverse * inverse) + T(half_log_two_pi - 0.5));
  return select(is_far, far, near);
}
/// log |gamma(x)|; +inf at the poles and at both infinities. Below zero by gamma(x) gamma(1 - x) = pi / sin(pi x).
template <class T>
constexpr T lgamma(const T& x) {
  const auto is_positive = x >= T(0.0);
  const T nearest = round(x), value = lgamma_of_positive(select(is_positive, x, T(1.0) - x));
  const T reflected = -log(sine_of_half_turns(abs(x - nearest))) - value;
  return usually(is_positive, value, select(x == nearest, T(std::numeric_limits<double>::infinity()), reflected));
}

/// digamma of x > 0. From 2 on x is moved into (1, 2], below 1 up by one, which leaves a sum of inverses: a quotient; from 10 on the same quotient is the
/// inverse of x in the asymptotic series.
template <class T>
constexpr T digamma_of_positive(const T& x) {
  const T one(1.0);
  T z = x, above(0.0), below = one;
  for (const gamma_step& s : {gamma_step{6, 4}, gamma_step{4, 2}, gamma_step{3, 1}, gamma_step{2, 1}}) {
    T sum = one, product = z - one;  // the inverses of z - 1, ..., z - by are sum / product
    for (int k = 2; k <= s.by; ++k) {
      const T factor = z - T(double(k));
      sum = sum * factor + product;
      product = product * factor;
    }
    const auto applies = z > T(s.from);
    above = select(applies, above * product + below * sum, above);
    below = select(applies, below * product, below);
    z = select(applies, z - T(double(s.by)), z);
  }
  const auto is_far = x >= T(10.0), is_low = x < one;
  const T quotient = select(is_far, one, select(is_low, T(-1.0), above)) / select(is_far | is_low, x, below);
  const T y = select(is_low, x, z - one), zero_high(soft::digamma_zero_above_one.hi), zero_low(soft::digamma_zero_above_one.lo);
  const T near = ((y - zero_high) - zero_low) * polynomial(soft::digamma_terms_above_one, y * T(2.0) - one) + quotient;
  const T square = quotient * quotient;
  const T far = log(x) + (square * polynomial(soft::digamma_far_terms, square) - quotient * T(0.5));
  return select(is_far, far, near);
}
/// The derivative of lgamma; NaN at the poles. Below zero by digamma(x) = digamma(1 - x) - pi cot(pi x).
template <class T>
constexpr T digamma(const T& x) {
  const auto is_positive = x > T(0.0);
  const T nearest = round(x), value = digamma_of_positive(select(is_positive, x, T(1.0) - x)), rest = x - nearest;
  const T cosine = sine_of_half_turns(T(0.5) - abs(rest)), cotangent = cosine / sine_of_half_turns(rest);
  const T reflected = value - cotangent * T(3.14159265358979323846);
  return usually(is_positive, value, select(x == nearest, T(std::numeric_limits<double>::quiet_NaN()), reflected));
}
/// The derivative of digamma; infinite at the poles. The asymptotic series (DLMF 5.15.8) ten steps on, and what these steps are; below zero by
/// trigamma(x) = (pi / sin(pi x))^2 - trigamma(1 - x).
template <class T>
constexpr T trigamma(const T& x) {
  constexpr double terms[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510};
  const T one(1.0);
  const auto is_positive = x > T(0.0);
  const T nearest = round(x), start = select(is_positive, x, one - x), inverse = one / (start + T(10.0)), square = inverse * inverse;
  T value = inverse + square * (inverse * polynomial(terms, square) + T(0.5));
  for (int k = 9; k >= 0; --k) {
    const T each = one / (start + T(double(k)));
    value = each * each + value;
  }
  const T rest = x - nearest, sine = sine_of_half_turns(rest), reflected = one / (sine * sine) - value;
  return usually(is_positive, value, select(rest == T(0.0), T(std::numeric_limits<double>::infinity()), reflected));
}

}  // namespace jacquard::math::branchless
