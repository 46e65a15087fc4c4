#pragma once
// pow of lanes, within 4 ulp: the logarithm and its product with the exponent are sums of two doubles. Positive finite bases take
// no branch; where a lane has another base or an exponent that is no number, all go one by one. Deliberately without integer powers:
// powi multiplies.
// Source: log m = 2 atanh((m - 1) / (m + 1)); double-double arithmetic after Dekker (1971).

#include "jacquard/fixed/lane_math.hpp"

namespace jacquard {
namespace detail {

template <int W>
struct lane_power : lane_math<W> {
  using math = lane_math<W>;
  using typename math::integer, typename math::mask, typename math::number;
  using math::of, math::bits, math::from_bits, math::nearest, math::magnitude;

  /// An unevaluated sum.
  struct pair {
    number high, low;
  };
  /// A product as it is rounded: contracted into a sum it would not match its low part.
  static number rounded(const number& x) {
#ifdef JACQUARD_HAS_ASSOC_BARRIER
    return __builtin_assoc_barrier(x.v);
#else
    return x;
#endif
  }
  /// a + b for |a| >= |b| or a == 0.
  static pair sum(const number& a, const number& b) {
    const number s = a + b;
    return {s, b - (s - a)};
  }
  static pair product(const number& a, const number& b) {
    const integer upper(~std::int64_t(0x7ffffff));
    const number ah = from_bits(bits(a) & upper), bh = from_bits(bits(b) & upper), al = a - ah, bl = b - bh;
    const number p = rounded(a * b);
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
  }
  static pair product(const pair& a, const pair& b) {
    const pair p = product(a.high, b.high);
    return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }

  /// log of 1 + f for f in [sqrt(1/2) - 1, sqrt(2) - 1].
  static pair log_near_one(const number& f) {
    // 2 / (2 k + 1) for k = 2, 3, ...
    static constexpr double terms[] = {2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13, 2.0 / 15,
                                       2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
    const number d = of(2) + f, d_low = f - (d - of(2)), quotient = f / d;
    const pair back = product(quotient, d);
    const pair s{quotient, (((f - back.high) - back.low) - quotient * d_low) / d};
    const pair z = product(s, s);
    const pair cubic = product(z, {of(0.6666666666666666), of(3.700743415417188e-17)});
    const number rest = z.high * z.high * math::polynomial(terms, z.high);
    const pair factor = sum(cubic.high, cubic.low + rest);
    const pair correction = product(s, factor);
    const pair r = sum(s.high + s.high, correction.high);
    return {r.high, r.low + (s.low + s.low + correction.low)};
  }
  /// log of a positive finite number.
  static pair log(const number& given) {
    const mask tiny = given < of(0x1p-1022);
    const number x = number::select(tiny, given * of(0x1p54), given);
    const integer shifted = integer(bits(x).v - 0x3fe6a09e667f3bcdll);
    const integer e = integer(shifted.v >> 52);
    const number m = from_bits(integer(bits(x).v - (e.v << 52)));
    const number exponent = number::from(e) - number::select(tiny, of(54), of(0));
    const pair near = log_near_one(m - of(1));
    const pair r = sum(exponent * of(6.93147180369123816490e-01), near.high);
    return sum(r.high, r.low + (exponent * of(1.90821492927058770002e-10) + near.low));
  }
  static number exp(const pair& given) {
    const number x = number::select(given.high > of(710), of(710), number::select(given.high < of(-746), of(-746), given.high));
    const number k = nearest(x * of(1.4426950408889634));
    const number r = ((x - k * of(6.93147180369123816490e-01)) - k * of(1.90821492927058770002e-10)) +
                     number::select(math::magnitude(given.high) < of(1000), given.low, of(0));
    const number half = nearest(k * of(0.5));
    return (of(1) + math::expm1_near_zero(r)) * math::power_of_two(half) * math::power_of_two(k - half);
  }
  static mask is_ordinary(const number& x, const number& y) {
    return (x > of(0)) & (x < of(__builtin_inf())) & (magnitude(y) < of(__builtin_inf()));
  }
  /// x^y for ordinary x and y.
  static number pow(const number& x, const number& given) {
    // Beyond 2^65 the result is 0, 1 or infinite for every x.
    const number y = number::select(given > of(0x1p65), of(0x1p65), number::select(given < of(-0x1p65), of(-0x1p65), given));
    const pair l = log(x), p = product(y, l.high);
    return exp({p.high, p.low + y * l.low});
  }
};

}  // namespace detail

template <class T, int W>
lanes<T, W> lanes<T, W>::pow(const lanes& a, const lanes& b) {
  if constexpr (!is_real) return each([](T x, T y) { return math::pow(x, y); }, a, b);
  else {
    using wide = lanes<double, W>;
    const wide x = wide::from(a), y = wide::from(b);
    if ((!detail::lane_power<W>::is_ordinary(x, y)).any()) return each([](T p, T q) { return math::pow(p, q); }, a, b);
    if constexpr (std::is_same_v<T, double>) return detail::lane_power<W>::pow(x, y);
    else return from(detail::lane_math<W>::exp(y * detail::lane_math<W>::log(x)));  // a float's share of a double is enough
  }
}

}  // namespace jacquard
