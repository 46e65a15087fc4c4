#pragma once
// exp2, the hyperbolic functions and their inverses of lanes, within 4 ulp, composed of the functions of lane_math in forms that
// do not cancel. Deliberately branch-free: all pieces are computed and one is chosen.

#include "jacquard/fixed/lane_math.hpp"

namespace jacquard {
namespace detail {

template <int W>
struct lane_hyperbolic : lane_math<W> {
  using math = lane_math<W>;
  using typename math::number;
  using math::of, math::magnitude, math::with_sign;

  static number exp2(const number& given) {
    const number x = number::select(given > of(1025), of(1025), number::select(given < of(-1080), of(-1080), given));
    const number k = math::nearest(x), half = math::nearest(k * of(0.5));
    return (of(1) + math::expm1_near_zero((x - k) * of(0.6931471805599453))) * math::power_of_two(half) * math::power_of_two(k - half);
  }
  /// exp(x) / 2 for x > 700, finite as long as it is; the difference is exact.
  static number half_exp(const number& x) { return math::exp(x - of(700)) * of(5.0711602736750225e+303); }
  static number sinh(const number& x) {
    const number size = magnitude(x), t = math::expm1(size);
    const number value = number::select(size > of(700), half_exp(size), of(0.5) * (t + t / (t + of(1))));
    return number::select(x == x, with_sign(value, x), x);
  }
  static number cosh(const number& x) {
    const number size = magnitude(x), e = math::exp(size);
    return number::select(size > of(700), half_exp(size), of(0.5) * e + of(0.5) / e);
  }
  /// log(2 x), for x so large that 1 beside its square does not count.
  static number log_of_double(const number& x) { return math::log(x) + of(0.6931471805599453); }
  static number asinh(const number& x) {
    const number size = magnitude(x), square = size * size;
    const number near = math::log1p(size + square / (of(1) + number::sqrt(of(1) + square)));
    return number::select(x == x, with_sign(number::select(size > of(0x1p28), log_of_double(size), near), x), x);
  }
  static number acosh(const number& x) {
    const number t = x - of(1), near = math::log1p(t + number::sqrt(t * (t + of(2))));
    const number value = number::select(x > of(0x1p28), log_of_double(x), near);
    return number::select(x < of(1), of(__builtin_nan("")), value);
  }
  static number atanh(const number& x) {
    const number size = magnitude(x), twice = size + size;
    const number value = of(0.5) * math::log1p(twice + twice * size / (of(1) - size));
    const number special = number::select(size == of(1), of(__builtin_inf()), of(__builtin_nan("")));
    return number::select(x == x, with_sign(number::select(size < of(1), value, special), x), x);
  }
};

}  // namespace detail

#define JACQUARD_LANE_FUNCTION(name)                                                                          \
  template <class T, int W>                                                                                   \
  lanes<T, W> lanes<T, W>::name(const lanes& x) {                                                             \
    return detail::in_double(x, [](const auto& given) { return detail::lane_hyperbolic<W>::name(given); });   \
  }
JACQUARD_LANE_FUNCTION(exp2)
JACQUARD_LANE_FUNCTION(sinh)
JACQUARD_LANE_FUNCTION(cosh)
JACQUARD_LANE_FUNCTION(asinh)
JACQUARD_LANE_FUNCTION(acosh)
JACQUARD_LANE_FUNCTION(atanh)
#undef JACQUARD_LANE_FUNCTION

}  // namespace jacquard
