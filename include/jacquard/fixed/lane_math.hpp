#pragma once
// Elementary functions of lanes of doubles and floats: exp, expm1, log, log1p, sin, cos, tanh, within 4 ulp of the exact value.
// Lanes of floats compute in double. Deliberately branch-free but for huge angles, which go lane by lane.
// Source: reductions after Cody and Waite, polynomials for sin, cos and log from Sun's fdlibm.

#include <bit>

#include "jacquard/fixed/lanes.hpp"

namespace jacquard {
namespace detail {

template <int W>
struct lane_math {
  using number = lanes<double, W>;
  using integer = lanes<std::int64_t, W>;
  using mask = lanes<bool, W>;

  static number of(double x) { return number(x); }
  static integer bits(const number& x) { return typename integer::vector(x.v); }
  static number from_bits(const integer& x) { return typename number::vector(x.v); }
  template <std::size_t N>
  static number polynomial(const double (&terms)[N], const number& x) {
    number sum = of(terms[N - 1]);
    for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + of(terms[i]);
    return sum;
  }
  /// The nearest integer, for |x| < 2^51.
  static number nearest(const number& x) { return (x + of(0x1.8p52)) - of(0x1.8p52); }
  /// 2^k for integers k in [-1022, 1023].
  static number power_of_two(const number& k) {
    // The low bits of k + 1.5 * 2^52 are k.
    return from_bits(integer((bits(k + of(0x1.8p52)).v + 1023) << 52));
  }
  static number magnitude(const number& x) { return from_bits(bits(x) & integer(INT64_MAX)); }
  static number with_sign(const number& x, const number& sign) { return from_bits(bits(x) | (bits(sign) & integer(INT64_MIN))); }

  /// exp(r) - 1 for |r| <= 0.35.
  static number expm1_near_zero(const number& r) {
    static constexpr double terms[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,        1.0 / 720,       1.0 / 5040,
                                       1.0 / 40320,   1.0 / 362880,   1.0 / 3628800,   1.0 / 39916800,   1.0 / 479001600, 1.0 / 6227020800};
    return r + r * r * polynomial(terms, r);
  }
  static number exp(const number& given) {
    // Beyond these the result is 0 or infinite anyway. NaN stays.
    const number x = number::select(given > of(710), of(710), number::select(given < of(-746), of(-746), given));
    const number k = nearest(x * of(1.4426950408889634));
    const number r = (x - k * of(0.6931471805592082)) - k * of(7.371002565167799e-13);
    const number half = nearest(k * of(0.5));
    return (of(1) + expm1_near_zero(r)) * power_of_two(half) * power_of_two(k - half);
  }
  static number expm1(const number& x) {
    return number::select(magnitude(x) < of(0.35), expm1_near_zero(x), exp(x) - of(1));
  }

  static number log(const number& given) {
    static constexpr double terms[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
                                       1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01};
    const mask tiny = given < of(0x1p-1022);
    const number x = number::select(tiny, given * of(0x1p54), given);
    // m in [sqrt(1/2), sqrt(2)), x = m 2^e
    const integer shifted = integer(bits(x).v - 0x3fe6a09e667f3bcdll);
    const integer e = integer(shifted.v >> 52);
    const number m = from_bits(integer(bits(x).v - (e.v << 52)));
    const number exponent = number::from(e) - number::select(tiny, of(54), of(0));
    const number f = m - of(1), s = f / (of(2) + f), z = s * s, half_square = of(0.5) * f * f;
    const number r = z * polynomial(terms, z);
    const number value = exponent * of(6.93147180369123816490e-01) -
                         ((half_square - (s * (half_square + r) + exponent * of(1.90821492927058770002e-10))) - f);
    const number infinity = of(__builtin_inf());
    return number::select(given > of(0), number::select(given < infinity, value, given),
                          number::select(given == of(0), -infinity, of(__builtin_nan(""))));
  }
  static number log1p(const number& x) {
    const number u = of(1) + x;
    const number corrected = log(u) + (x - (u - of(1))) / u;
    return number::select((u == of(1)) | !(u < of(__builtin_inf())), number::select(u == u, x, u), 
                          number::select(u > of(0), corrected, log(u)));
  }

  struct angle {
    integer quadrant;
    number rest;
  };
  /// |x| < 10^5.
  static angle reduce(const number& x) {
    const number shifted = x * of(0.6366197723675814) + of(0x1.8p52), n = shifted - of(0x1.8p52);
    const number rest = ((x - n * of(1.5707963267341256)) - n * of(6.077100506303966e-11)) - n * of(2.0222662487959506e-21);
    return {bits(shifted), rest};
  }
  static number sine(const number& r) {
    static constexpr double terms[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
                                       2.75573137070700676789e-06,  -2.50507602534068634195e-08, 1.58969099521155010221e-10};
    const number z = r * r;
    return r + r * z * polynomial(terms, z);
  }
  static number cosine(const number& r) {
    static constexpr double terms[] = {4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                                       -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};
    const number z = r * r, half = of(0.5) * z, head = of(1) - half;
    return head + (((of(1) - head) - half) + z * z * polynomial(terms, z));
  }
  /// sin(x + turns * pi / 2).
  static number sin(const number& x, std::int64_t turns) {
    const angle a = reduce(x);
    const integer quadrant = integer(a.quadrant.v + turns);
    const mask odd = integer(quadrant.v & 1) != integer(0);
    const number value = number::select(odd, cosine(a.rest), sine(a.rest));
    return from_bits(integer(bits(value).v ^ ((quadrant.v & 2) << 62)));
  }
  static bool huge(const number& x) { return any(!(magnitude(x) < of(1e5))); }

  static number tanh(const number& x) {
    const number size = magnitude(x), t = expm1(number::select(size > of(20), of(40), size + size));
    return number::select(x == x, with_sign(t / (t + of(2)), x), x);
  }
};

/// f of lanes of doubles applied to lanes of T.
template <class T, int W, class F>
lanes<T, W> in_double(const lanes<T, W>& x, F f) {
  if constexpr (std::is_same_v<T, double>) return f(x);
  else return lanes<T, W>::from(f(lanes<double, W>::from(x)));
}

}  // namespace detail

template <class T, int W>
lanes<T, W> lanes<T, W>::exp(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::exp(given); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::expm1(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::expm1(given); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::log(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::log(given); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::log1p(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::log1p(given); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::sin(const lanes& x) {
  return detail::in_double(x, [](const auto& given) {
    if (detail::lane_math<W>::huge(given)) return given.each(given, [](double a) { return math::sin(a); });
    return detail::lane_math<W>::sin(given, 0);
  });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::cos(const lanes& x) {
  return detail::in_double(x, [](const auto& given) {
    if (detail::lane_math<W>::huge(given)) return given.each(given, [](double a) { return math::cos(a); });
    return detail::lane_math<W>::sin(given, 1);
  });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::tanh(const lanes& x) {
  return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::tanh(given); });
}

}  // namespace jacquard
