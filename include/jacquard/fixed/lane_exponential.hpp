#pragma once
// exp, expm1, log, log1p and tanh of lanes, of doubles in double and of floats in float, within 4 ulp of the exact value: one source, and the
// constants of each type. Deliberately branch-free: what is special is chosen at the end.
// Source: reductions after Cody and Waite, the polynomial for log of doubles from Sun's fdlibm; the other polynomials are Taylor's.

#include <bit>

#include "jacquard/fixed/lanes.hpp"

namespace jacquard {
namespace detail {

/// What the functions need to know of a type: its bits, beyond which arguments exp is 0 or infinite, the logarithm of two in two parts of which
/// products of the first one with exponents are exact, how far polynomials go.
template <class T>
struct exponential_constants;
template <>
struct exponential_constants<double> {
  using bits = std::int64_t;
  static constexpr int mantissa = 52, bias = 1023, from_subnormal = 54;
  static constexpr bits root_of_half = 0x3fe6a09e667f3bcd;
  static constexpr double most = 710, least = -746, smallest_normal = 0x1p-1022;
  static constexpr double exp_parts[] = {0.6931471805592082, 7.371002565167799e-13}, log_parts[] = {6.93147180369123816490e-01, 1.90821492927058770002e-10};
  static constexpr double exp_terms[] = {1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
                                         1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  static constexpr double log_terms[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
                                         1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01};
};
template <>
struct exponential_constants<float> {
  using bits = std::int32_t;
  static constexpr int mantissa = 23, bias = 127, from_subnormal = 24;
  static constexpr bits root_of_half = 0x3f3504f3;
  static constexpr float most = 89, least = -104, smallest_normal = 0x1p-126f;
  static constexpr float exp_parts[] = {0x1.63p-1f, -2.12194440054690583e-4f}, log_parts[] = {0x1.62e3p-1f, 9.05800061445916e-6f};
  static constexpr float exp_terms[] = {1.f / 2, 1.f / 6, 1.f / 24, 1.f / 120, 1.f / 720, 1.f / 5040};
  static constexpr float log_terms[] = {2.f / 3, 2.f / 5, 2.f / 7, 2.f / 9};
};

template <class T, int W>
struct lane_exponential {
  using constants = exponential_constants<T>;
  using number = lanes<T, W>;
  using integer = lanes<typename constants::bits, W>;
  using flags = typename integer::vector;  ///< all bits of a lane, or none: of a size with numbers, which lanes<bool> are not for floats

  static number of(T x) { return number(x); }
  static integer bits(const number& x) { return typename integer::vector(x.v); }
  static number from_bits(const integer& x) { return typename number::vector(x.v); }
  static number choose(const flags& which, const number& on, const number& off) { return number::choose(which, on, off); }
  template <std::size_t N>
  static number polynomial(const T (&terms)[N], const number& x) {
    number sum = of(terms[N - 1]);
    for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + of(terms[i]);
    return sum;
  }
  /// The low bits of x + magic() are those of the integer x.
  static number magic() { return of(T(std::uint64_t(3) << (constants::mantissa - 1))); }
  /// The nearest integer, for |x| < 2^51 (2^22).
  static number nearest(const number& x) { return (x + magic()) - magic(); }
  /// 2^k for integers k in [-1022, 1023] (from -126 to 127).
  static number power_of_two(const number& k) { return from_bits(integer((bits(k + magic()).v + constants::bias) << constants::mantissa)); }
  static number magnitude(const number& x) { return from_bits(bits(x) & integer(std::numeric_limits<typename constants::bits>::max())); }
  static number with_sign(const number& x, const number& sign) {
    return from_bits(bits(x) | (bits(sign) & integer(std::numeric_limits<typename constants::bits>::min())));
  }

  /// exp(r) - 1 for |r| <= 0.35.
  static number expm1_near_zero(const number& r) { return r + r * r * polynomial(constants::exp_terms, r); }
  static number exp(const number& given) {
    const number most = of(constants::most), least = of(constants::least);  // NaN stays
    const number x = choose(flags(given.v > most.v), most, choose(flags(given.v < least.v), least, given));
    const number k = nearest(x * of(T(1.4426950408889634)));
    const number r = (x - k * of(constants::exp_parts[0])) - k * of(constants::exp_parts[1]);
    const number half = nearest(k * of(T(0.5)));
    return (of(1) + expm1_near_zero(r)) * power_of_two(half) * power_of_two(k - half);
  }
  static number expm1(const number& x) {
    return choose(flags(magnitude(x).v < of(T(0.35)).v), expm1_near_zero(x), exp(x) - of(1));
  }

  static number log(const number& given) {
    const flags tiny = flags(given.v < of(constants::smallest_normal).v);
    const number x = choose(tiny, given * of(T(std::uint64_t(1) << constants::from_subnormal)), given);
    // m in [sqrt(1/2), sqrt(2)), x = m 2^e
    const integer shifted = integer(bits(x).v - constants::root_of_half);
    const integer e = integer(shifted.v >> constants::mantissa);
    const number m = from_bits(integer(bits(x).v - (e.v << constants::mantissa)));
    const number exponent = number::from(e) - choose(tiny, of(constants::from_subnormal), of(0));
    const number f = m - of(1), s = f / (of(2) + f), z = s * s, half_square = of(T(0.5)) * f * f;
    const number r = z * polynomial(constants::log_terms, z);
    const number value = exponent * of(constants::log_parts[0]) - ((half_square - (s * (half_square + r) + exponent * of(constants::log_parts[1]))) - f);
    const number infinity = number(std::numeric_limits<T>::infinity()), zero = of(0);
    return choose(flags(given.v > zero.v), choose(flags(given.v < infinity.v), value, given),
                  choose(flags(given.v == zero.v), -infinity, number(std::numeric_limits<T>::quiet_NaN())));
  }
  static number log1p(const number& x) {
    const number u = of(1) + x, logarithm = log(u), corrected = logarithm + (x - (u - of(1))) / u;
    const flags as_given = flags(u.v == of(1).v) | ~flags(u.v < number(std::numeric_limits<T>::infinity()).v);
    return choose(as_given, choose(flags(u.v == u.v), x, u), choose(flags(u.v > of(0).v), corrected, logarithm));
  }
  static number tanh(const number& x) {
    const number size = magnitude(x), t = expm1(choose(flags(size.v > of(20).v), of(40), size + size));
    return choose(flags(x.v == x.v), with_sign(t / (t + of(2)), x), x);
  }
};

/// f of lanes of doubles applied to lanes of T.
template <class T, int W, class F>
lanes<T, W> in_double(const lanes<T, W>& x, F f) {
  if constexpr (std::is_same_v<T, double>) return f(x);
  else return lanes<T, W>::from(f(lanes<double, W>::from(x)));
}
/// f applied to lanes of floats as they are, to others as doubles.
template <class T, int W, class F>
lanes<T, W> in_own_type(const lanes<T, W>& x, F f) {
  if constexpr (std::is_same_v<T, float>) return f(x);
  else return in_double(x, f);
}

}  // namespace detail

#define JACQUARD_LANE_EXPONENTIAL(name)                                                                  \
  template <class T, int W>                                                                              \
  lanes<T, W> lanes<T, W>::name(const lanes& x) {                                                        \
    return detail::in_own_type(x, []<class S>(const lanes<S, W>& given) { return detail::lane_exponential<S, W>::name(given); }); \
  }
JACQUARD_LANE_EXPONENTIAL(exp)
JACQUARD_LANE_EXPONENTIAL(expm1)
JACQUARD_LANE_EXPONENTIAL(log)
JACQUARD_LANE_EXPONENTIAL(log1p)
JACQUARD_LANE_EXPONENTIAL(tanh)
#undef JACQUARD_LANE_EXPONENTIAL

}  // namespace jacquard
