#pragma once
// The scaled complementary error function, Dawson's integral and, of complex numbers, Faddeeva's function: what is left of error functions when the
// Gaussian is taken out; and Owen's T function, a Gaussian over a wedge. Deliberately without erf of complex numbers, which is 1 - exp(-z^2) w(iz);
// numbers of 16 bits are computed in f32.

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
inline constexpr double far_out = 50;

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

/// Squares of the nodes of Gauss and Legendre's rule on [0, 1], and its weights; 20 of them are exact to 2e-16 for Owen's integrals.
inline constexpr double owen_squares[] = {
    1.180403728976967e-05, 0.00032450550601698276, 0.0019256988960929182, 0.006470837188913186, 0.01608687542003542, 0.03311423082817937,
    0.05981277244514304, 0.09806101582803448, 0.1490786729242584, 0.21320081654245024, 0.28972733767594755, 0.37686452406590343,
    0.47176710454345405, 0.5706797743959703, 0.6691679115546945, 0.7624187818801862, 0.8455878090111321, 0.9141601271474187, 0.9642964327839308,
    0.9931404032223846};
inline constexpr double owen_weights[] = {
    0.008807003569576637, 0.02030071490019311, 0.03133602416705472, 0.041638370788352336, 0.05096505990862013, 0.05909726598075912,
    0.06584431922458826, 0.07104805465919094, 0.07458649323630183, 0.07637669356536289, 0.07637669356536289, 0.07458649323630183,
    0.07104805465919094, 0.06584431922458826, 0.05909726598075912, 0.05096505990862013, 0.041638370788352336, 0.03133602416705472,
    0.02030071490019311, 0.008807003569576637};
/// T of arrays of one shape: the integral of exp(-h^2 (1 + x^2) / 2) / (2 pi (1 + x^2)) from 0 to a for |a| <= 1, up to where the integrand has
/// fallen to 2e-16; beyond, T(h, a) = (Q(h) + Q(a h)) / 2 - Q(h) Q(a h) - T(a h, 1 / a) with Gaussian tails Q (Patefield and Tandy 2000,
/// J. Stat. Software 5, eq. 2.3).
template <class Array = array>
constexpr array owen_integral(const lazy<Array>& h, const lazy<Array>& a) {
  const array size = abs(h), slope = abs(a), steep = slope > 1.0;
  const array product = where(size == 0.0, 0.0, size * slope);
  const array from = minimum(where(steep, product, size), 1000.0), to = where(steep, 1.0 / maximum(slope, 1.0), slope);
  const array end = minimum(to, 8.5 / maximum(from, 1e-30)), square = end * end, fall = -0.5 * from * from * square;
  array sum = 0.0 * fall;
  for (int i = 0; i < 20; ++i) sum = sum + owen_weights[i] * exp(fall * owen_squares[i]) / (1.0 + square * owen_squares[i]);
  const array wedge = 0.15915494309189535 * end * sum * exp(-0.5 * from * from);
  const array near_tail = 0.5 * special::erfc(size * 0.70710678118654752), far_tail = 0.5 * special::erfc(product * 0.70710678118654752);
  const array turned = 0.5 * (near_tail + far_tail) - near_tail * far_tail - wedge;
  const array y = where(steep, turned, wedge);
  return where(a < 0.0, -y, y);
}

/// w(x + i y) of arrays x, y >= 0 that are not beyond 1e8, as two arrays: trapezoidal rules with 12 nodes for the integral of exp(-t^2) / (z^2 - t^2)
/// between or at the multiples of h, whichever keeps z from the nodes, and the residue that this leaves behind (Al Azah and Chandler-Wilde 2021,
/// SIAM J. Numer. Anal. 59, 2346: an error of 2e-15).
template <class Array = array>
constexpr std::pair<array, array> faddeeva_by_nodes(const lazy<Array>& x, const lazy<Array>& y) {
  constexpr double h = 0.51166335397324434;  // h^2 = pi / 12
  const array pieces = x * (1 / h), part = pieces - floor(pieces);
  const array high = y >= maximum(x, pi / h), at_multiples = (part >= 0.25) & (part <= 0.75) & !high;
  const array square = (x - y) * (x + y), cross = 2.0 * x * y;
  array re = scalar_like(x, 0) * x, im = re;
  for (int k = 0; k < 12; ++k) {
    const double even = k * h, odd = (k + 0.5) * h;
    const array weight = where(at_multiples, k == 0 ? 0.5 : math::exp(-even * even), scalar_like(x, math::exp(-odd * odd)));
    const array apart = square - where(at_multiples, even * even, scalar_like(x, odd * odd)), share = weight / (apart * apart + cross * cross);
    re = re + apart * share;
    im = im - cross * share;
  }
  // 2 i h z / pi times the sum, and 2 exp(-z^2) e / (e -+ 1) with e = exp(2 pi i z / h).
  const array from_sum = (-2 * h / pi) * (x * im + y * re), from_sum_im = (2 * h / pi) * (x * re - y * im);
  const array size = exp(where(high, 0.0, y * (-2 * pi / h))), angle = (2 * pi) * part;
  const array sign = where(at_multiples, -1.0, scalar_like(x, 1));
  const array below = size * cos(angle) + sign, below_im = size * sin(angle), norm = below * below + below_im * below_im;
  const array gauss = 2.0 * exp(where(high, -800.0, y * (-2 * pi / h) - square)) / norm, turn = angle - cross;
  const array up = gauss * cos(turn), up_im = gauss * sin(turn);
  return {from_sum + up * below + up_im * below_im, from_sum_im + up_im * below - up * below_im};
}
/// w of arrays of complex numbers: by symmetry from the first quadrant, i / (sqrt(pi) z) far away.
template <class Array = array>
constexpr array faddeeva(const lazy<Array>& z) {
  const array re = real(z), im = imag(z), size = maximum(abs(re), abs(im)), inside = size < 1e8;
  const auto [u, v] = faddeeva_by_nodes(where(inside, abs(re), 1.0), where(inside, abs(im), 1.0));
  const array near = lax::complex(u, where(re < 0.0, -v, v));
  const array upper = where(im < 0.0, -im, im), safe = lax::complex(where(inside, 1.0, re), where(inside, 1.0, upper));
  const array far_off = lax::complex(where(inside, 0.0, scalar_like(re, 0)), where(isnan(size), size, 1 / root_pi)) / safe;
  const array above = where(inside, near, far_off);  // at (re, |im|); w(z) is 2 exp(-z^2) - conj(w(conj(z))) below the real axis
  return where(im < 0.0, 2.0 * exp(-z * z) - lax::conj(above), above);
}

}  // namespace detail

/// Faddeeva's function w(z) = exp(-z^2) erfc(-i z), complex, to some 2e-14 of its size. Whole and real numbers become complex ones. Below the real axis it
/// grows like 2 exp(-z^2). Rules: derivatives of every order.
template <class Operand = operand>
constexpr array wofz(const lazy<Operand>& z) {
  const rule_location_scope here(z.where);
  const array given = detail::inexact(z);
  array v = given;
  if (!is_complex(given.dtype())) v = lax::convert_element_type(given, given.dtype() == f64 ? c128 : c64, given.weak_type(), z.where);
  const auto value = [](const array& at) { return detail::faddeeva(at); };
  return custom_jvp(value, [](const std::tuple<array>& at, const std::tuple<array>& t) {
    const array& x = std::get<0>(at);
    const array y = wofz(x), large = abs(x) > detail::far_out, outside = where(large, x, detail::far_out), inverse = 1.0 / outside;
    const array nothing = where(large, 0.0, detail::scalar_like(real(x), 0)), constant = lax::complex(nothing, nothing + 2 / detail::root_pi);
    const array falling = -0.5 * constant * inverse * inverse * detail::fall(0.5 * inverse * inverse);
    const array growing = where(imag(x) < 0.0, -4.0 * x * exp(-x * x), 0.0);
    return std::pair{y, array(std::get<0>(t) * where(large, falling + growing, constant - 2.0 * x * y))};
  })(v);
}
/// exp(x^2) erfc(x), which neither overflows nor underflows for positive x; infinite below -26.6 (f32: -9.3). Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array erfcx(const lazy<Operand>& x) {
  return detail::integral("erfcx", x, detail::scaled_erfc(), [](const auto& v, const auto& y) {
    const array large = v > detail::far_out, at = where(large, v, detail::far_out), inverse = 1.0 / at;
    const array falling = (-1 / detail::root_pi) * inverse * inverse * detail::fall(-0.5 * inverse * inverse);
    return where(large, falling, 2.0 * v * y - 2 / detail::root_pi);
  });
}
/// Dawson's integral, exp(-x^2) times the integral of exp(t^2) from 0 to x. Errors: as erfcx.
template <class Operand = operand>
constexpr array dawsn(const lazy<Operand>& x) {
  return detail::integral("dawsn", x, detail::dawson_integral(), [](const auto& v, const auto& y) {
    const array large = abs(v) > detail::far_out, at = where(large, v, detail::far_out), inverse = 1.0 / at;
    return where(large, -0.5 * inverse * inverse * detail::fall(0.5 * inverse * inverse), 1.0 - 2.0 * v * y);
  });
}

/// Owen's T function: the integral of exp(-h^2 (1 + x^2) / 2) / (2 pi (1 + x^2)) from 0 to a, the probability that 0 < Y < a X and X > h for two
/// independent normal numbers. Rules: derivatives in both. Errors: shape_error; type_error for complex numbers.
template <class Operand = operand>
constexpr array owens_t(const lazy<Operand>& h, const lazy<Operand>& a) {
  const rule_location_scope here(h.where);
  array v[] = {h.value, a.value};
  const array bad = jacquard::detail::harmonise_inexact("owens_t", v, h.where, false);
  if (!bad.is_none()) return bad;
  const element_type given = v[0].aval().element(), computed{size_of(given.type) == 2 ? f32 : given.type, given.weak};
  const auto value = [](const array& at, const array& slope) { return detail::owen_integral(at, slope); };
  const auto rule = [](const std::tuple<array, array>& at, const std::tuple<array, array>& t) {
    const auto& [x, slope] = at;
    const array fall = exp(-0.5 * x * x), wide = 1.0 + slope * slope;
    const array in_x = -0.19947114020071635 * fall * special::erf(x * slope * 0.70710678118654752);
    const array in_slope = 0.15915494309189535 * exp(-0.5 * x * x * wide) / wide;
    return std::pair{owens_t(x, slope), array(std::get<0>(t) * in_x + std::get<1>(t) * in_slope)};
  };
  const array y = custom_jvp(value, rule)(jacquard::detail::as_type(v[0], computed, h.where), jacquard::detail::as_type(v[1], computed, h.where));
  return jacquard::detail::as_type(y, given, h.where);
}

}  // namespace jacquard::special
