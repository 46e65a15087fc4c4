#pragma once
// Elementary functions of lanes of doubles and floats: sin, cos, tan and their inverses, within 4 ulp of the exact value, and roundings. Lanes
// of floats compute in double where nothing else is said. Deliberately branch-free but for huge angles, which go lane by lane.
// Source: reductions after Cody and Waite, polynomials for sin, cos and atan of doubles from Sun's fdlibm.

#include "jacquard/fixed/lane_exponential.hpp"

namespace jacquard {
namespace detail {

template <int W>
struct lane_math : lane_exponential<double, W> {
  using exponential = lane_exponential<double, W>;
  using typename exponential::number, typename exponential::integer;
  using mask = lanes<bool, W>;
  using exponential::of, exponential::bits, exponential::from_bits, exponential::polynomial, exponential::magnitude, exponential::with_sign;

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
  static number tan(const number& x) {
    const angle a = reduce(x);
    const mask odd = integer(a.quadrant.v & 1) != integer(0);
    const number s = sine(a.rest), c = cosine(a.rest);
    return number::select(odd, -c, s) / number::select(odd, s, c);
  }
  static bool huge(const number& x) { return (!(magnitude(x) < of(1e5))).any(); }

  /// The angle of (x, y), each of either sign, 0, infinite or NaN.
  static number atan2(const number& y, const number& x) {
    static constexpr double terms[] = {3.33333333333329318027e-01,  -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01,
                                       9.09088713343650656196e-02,  -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02,
                                       4.97687799461593236017e-02,  -3.65315727442169155270e-02, 1.62858201153657823623e-02};
    const number infinity = of(__builtin_inf()), a = magnitude(x), b = magnitude(y);
    const mask swapped = b > a, endless = (a == infinity) | (b == infinity);
    number longer = number::select(swapped, b, a), shorter = number::select(swapped, a, b);
    // Away from the ends of the range, where sums overflow and quotients are not exact.
    const number scale = number::select(longer > of(0x1p1000), of(0x1p-100), number::select(longer < of(0x1p-900), of(0x1p200), of(1)));
    shorter = number::select(endless, number::select(shorter == infinity, of(1), of(0)), scale * shorter);
    longer = number::select(endless | (longer == of(0)), of(1), scale * longer);
    // The angle of (longer, shorter), less pi / 4 where it is more than pi / 8.
    const mask wide = shorter > of(0.41421356237309503) * longer;
    const number t = number::select(wide, shorter - longer, shorter) / number::select(wide, shorter + longer, longer);
    const number z = t * t, near = t - t * (z * polynomial(terms, z));
    const number octant = number::select(wide, of(7.85398163397448278999e-01) + (near + of(3.06161699786838301793e-17)), near);
    const number quadrant = number::select(swapped, of(1.57079632679489655800e+00) - (octant - of(6.12323399573676603587e-17)), octant);
    const mask behind = bits(x) < integer(0);
    const number half = number::select(behind, of(3.14159265358979311600e+00) - (quadrant - of(1.2246467991473532e-16)), quadrant);
    return number::select((x == x) & (y == y), with_sign(half, y), x + y);
  }

  /// sqrt(1 - x^2), without cancellation.
  static number other_leg(const number& x) { return number::sqrt((of(1) - x) * (of(1) + x)); }
  static number asin(const number& x) { return atan2(x, other_leg(x)); }
  static number acos(const number& x) { return atan2(other_leg(x), x); }
  static number atan(const number& x) { return atan2(x, of(1)); }

  /// |x| below 2^52 rounded, larger numbers as they are; the sign of zeros stays.
  static number with_rounding(const number& x, const number& rounded) {
    return number::select(magnitude(x) < of(0x1p52), with_sign(magnitude(rounded), x), x);
  }
  /// The nearest integer, for |x| < 2^52.
  static number near_integer(const number& x) { return with_sign((magnitude(x) + of(0x1p52)) - of(0x1p52), x); }
  static number round_even(const number& x) { return with_rounding(x, near_integer(x)); }
  static number floor(const number& x) {
    const number n = near_integer(x);
    return with_rounding(x, number::select(n > x, n - of(1), n));
  }
  static number ceil(const number& x) {
    const number n = near_integer(x);
    return with_rounding(x, number::select(n < x, n + of(1), n));
  }
  /// Halves away from zero.
  static number round(const number& x) {
    const number size = magnitude(x), n = near_integer(size), whole = number::select(n > size, n - of(1), n);
    return with_rounding(x, number::select(size - whole >= of(0.5), whole + of(1), whole));
  }
};

/// sin and cos of lanes of floats: angles are reduced in double, the rest is in float.
template <int W>
struct lane_float_angle : lane_exponential<float, W> {
  using exponential = lane_exponential<float, W>;
  using typename exponential::number, typename exponential::integer, typename exponential::flags;
  using exponential::of, exponential::polynomial;

  static number sine(const number& r) {
    static constexpr float terms[] = {-1.f / 6, 1.f / 120, -1.f / 5040, 1.f / 362880};
    const number z = r * r;
    return r + r * z * polynomial(terms, z);
  }
  static number cosine(const number& r) {
    static constexpr float terms[] = {1.f / 24, -1.f / 720, 1.f / 40320, -1.f / 3628800};
    const number z = r * r;
    return of(1) - (of(.5f) * z - z * z * polynomial(terms, z));
  }
  /// sin(x + turns * pi / 2), |x| < 10^5.
  static number sin(const lanes<double, W>& x, std::int32_t turns) {
    const auto a = lane_math<W>::reduce(x);
    const flags quadrant = __builtin_convertvector(a.quadrant.v, flags) + turns;
    const number rest = number::from(a.rest), value = exponential::choose(flags((quadrant & 1) != 0), cosine(rest), sine(rest));
    return exponential::from_bits(integer(exponential::bits(value).v ^ ((quadrant & 2) << 30)));
  }
};
/// sin(x + turns * pi / 2).
template <class T, int W, class F>
lanes<T, W> sine_of(const lanes<T, W>& x, int turns, F one_by_one) {
  const lanes<double, W> given = lanes<double, W>::from(x);
  if (lane_math<W>::huge(given)) return lanes<T, W>::from(given.each(one_by_one, given));
  if constexpr (std::is_same_v<T, float>) return lane_float_angle<W>::sin(given, turns);
  else return lanes<T, W>::from(lane_math<W>::sin(given, turns));
}

}  // namespace detail

template <class T, int W>
lanes<T, W> lanes<T, W>::sin(const lanes& x) {
  return detail::sine_of(x, 0, [](double a) { return math::sin(a); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::cos(const lanes& x) {
  return detail::sine_of(x, 1, [](double a) { return math::cos(a); });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::tan(const lanes& x) {
  return detail::in_double(x, [](const auto& given) {
    if (detail::lane_math<W>::huge(given)) return given.each([](double a) { return math::tan(a); }, given);
    return detail::lane_math<W>::tan(given);
  });
}
template <class T, int W>
lanes<T, W> lanes<T, W>::atan2(const lanes& y, const lanes& x) {
  if constexpr (std::is_same_v<T, double>) return detail::lane_math<W>::atan2(y, x);
  else return from(detail::lane_math<W>::atan2(lanes<double, W>::from(y), lanes<double, W>::from(x)));
}
#define JACQUARD_LANE_ANGLE(name)                                                                       \
  template <class T, int W>                                                                             \
  lanes<T, W> lanes<T, W>::name(const lanes& x) {                                                       \
    return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::name(given); });   \
  }
JACQUARD_LANE_ANGLE(asin)
JACQUARD_LANE_ANGLE(acos)
JACQUARD_LANE_ANGLE(atan)
#undef JACQUARD_LANE_ANGLE
#define JACQUARD_LANE_ROUNDING(name)                                                                      \
  template <class T, int W>                                                                               \
  lanes<T, W> lanes<T, W>::name(const lanes& x) {                                                         \
    if constexpr (!is_real) return each([](T a) { return math::name(a); }, x);                            \
    else return detail::in_double(x, [](const auto& given) { return detail::lane_math<W>::name(given); }); \
  }
JACQUARD_LANE_ROUNDING(floor)
JACQUARD_LANE_ROUNDING(ceil)
JACQUARD_LANE_ROUNDING(round)
JACQUARD_LANE_ROUNDING(round_even)
#undef JACQUARD_LANE_ROUNDING

}  // namespace jacquard
