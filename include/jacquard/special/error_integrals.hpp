#pragma once
// The scaled complementary error function and Dawson's integral: what is left of error functions when the Gaussian is taken out. Deliberately
// real only; numbers of 16 bits are computed in f32.

#include "jacquard/special/integrals.hpp"

namespace jacquard::special {

namespace detail {

inline constexpr double root_pi = 1.77245385090551602730;

/// exp(x^2), of the exact square: x is the sum of a number of few bits and a small one.
template <class Array = array>
constexpr array exp_of_square(const lazy<Array>& x) {
  const array coarse = round(x * 64.0) * (1.0 / 64), rest = x - coarse;
  return exp(coarse * coarse) * exp(rest * (x + coarse));
}
/// 1 + 3 s + 15 s^2 + ..., with s = -1 / (2 x^2) or 1 / (2 x^2): how fast both functions fall for large x, times x^2.
template <class Array = array>
constexpr array fall(const lazy<Array>& s) {
  constexpr double c[] = {1, 3, 15, 105, 945, 10395};
  return polynomial(c, s);
}
inline constexpr double far = 50;

/// exp(x^2) erfc(x) of arrays: the product for small x, a continued fraction for large ones (Abramowitz and Stegun 7.1.14).
struct scaled_erfc {
  constexpr array operator()(const auto& x) const {
    const double from = x.dtype() == f64 ? 5 : 2;
    const array large = x > from, small = where(large, 0.0, maximum(x, -30.0)), at = where(large, x, from);
    array rest = at;
    for (int k = 15; k > 0; --k) rest = at + (0.5 * k) / rest;
    return where(large, (1 / root_pi) / rest, exp_of_square(small) * jacquard::erfc(small));
  }
};
/// Dawson's integral of arrays: its series next to 0, Rybicki's sum over odd numbers (Computers in Physics 3, 1989, 85; steps of 1/4 leave an
/// error of 7e-18), and the asymptotic series far away.
struct dawson_integral {
  constexpr array operator()(const auto& x) const {
    constexpr double step = 0.25, outside = 100;
    const array size = abs(x), inside = size < outside, v = where(inside, x, 1.0);
    const array even = 2.0 * round(v * (0.5 / step)), rest = v - step * even, growth = exp(2.0 * step * rest), decay = 1.0 / growth;
    array sum = scalar_like(v, 0) * v, up = growth, down = decay;
    for (int n = 1; n < 28; n += 2) {
      const double weight = math::exp(-(n * step) * (n * step));
      sum = sum + weight * (up / (even + double(n)) + down / (even - double(n)));
      up = up * growth * growth;
      down = down * decay * decay;
    }
    const array middle = exp(-rest * rest) * sum * (1 / root_pi);
    const array large = where(inside, outside, x), falling = 0.5 / (large * large);
    constexpr double c[] = {1, 1, 3, 15, 105};
    return where(size < step, series(where(size < step, x, 0.0)), where(inside, middle, 0.5 / large * polynomial(c, falling)));
  }

 private:
  /// The sum of (-2)^k x^(2 k + 1) / (2 k + 1)!!.
  static constexpr array series(const auto& x) {
    const array square = x * x;
    array sum = scalar_like(x, 1);
    for (int k = 11; k > 0; --k) sum = 1.0 - square * sum * (2.0 / (2 * k + 1));
    return x * sum;
  }
};

}  // namespace detail

/// exp(x^2) erfc(x), which neither overflows nor underflows for positive x; infinite below -26.6 (f32: -9.3). Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array erfcx(const lazy<Operand>& x) {
  return detail::integral("erfcx", x, detail::scaled_erfc(), [](const auto& v, const auto& y) {
    const array large = v > detail::far, at = where(large, v, detail::far), inverse = 1.0 / at;
    const array falling = (-1 / detail::root_pi) * inverse * inverse * detail::fall(-0.5 * inverse * inverse);
    return where(large, falling, 2.0 * v * y - 2 / detail::root_pi);
  });
}
/// Dawson's integral, exp(-x^2) times the integral of exp(t^2) from 0 to x. Errors: as erfcx.
template <class Operand = operand>
constexpr array dawsn(const lazy<Operand>& x) {
  return detail::integral("dawsn", x, detail::dawson_integral(), [](const auto& v, const auto& y) {
    const array large = abs(v) > detail::far, at = where(large, v, detail::far), inverse = 1.0 / at;
    return where(large, -0.5 * inverse * inverse * detail::fall(0.5 * inverse * inverse), 1.0 - 2.0 * v * y);
  });
}

}  // namespace jacquard::special
