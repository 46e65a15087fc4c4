#pragma once
// The functions of jacquard::math for values that are not single numbers, such as the lanes of a vector register: each
// forwards to a static member of the value's type. It deliberately defines no such type; fixed/lanes.hpp has one.

namespace jacquard::math {

/// Types that bring the functions below as static members.
template <class T>
concept lane_value = requires { typename T::lane_element; };

#define JACQUARD_LANE_UNARY(name)        \
  template <lane_value T>                \
  constexpr auto name(const T& x) {      \
    return T::name(x);                   \
  }
#define JACQUARD_LANE_BINARY(name)                 \
  template <lane_value T>                          \
  constexpr auto name(const T& a, const T& b) {    \
    return T::name(a, b);                          \
  }
JACQUARD_LANE_BINARY(add)
JACQUARD_LANE_BINARY(subtract)
JACQUARD_LANE_BINARY(multiply)
JACQUARD_LANE_BINARY(divide)
JACQUARD_LANE_BINARY(max)
JACQUARD_LANE_BINARY(min)
JACQUARD_LANE_BINARY(rem)
JACQUARD_LANE_BINARY(pow)
JACQUARD_LANE_BINARY(atan2)
JACQUARD_LANE_UNARY(negate)
JACQUARD_LANE_UNARY(abs)
JACQUARD_LANE_UNARY(sign)
JACQUARD_LANE_UNARY(is_finite)
JACQUARD_LANE_UNARY(sqrt)
JACQUARD_LANE_UNARY(rsqrt)
JACQUARD_LANE_UNARY(exp)
JACQUARD_LANE_UNARY(expm1)
JACQUARD_LANE_UNARY(log)
JACQUARD_LANE_UNARY(log1p)
JACQUARD_LANE_UNARY(logistic)
JACQUARD_LANE_UNARY(sin)
JACQUARD_LANE_UNARY(cos)
JACQUARD_LANE_UNARY(tan)
JACQUARD_LANE_UNARY(tanh)
JACQUARD_LANE_UNARY(erf)
JACQUARD_LANE_UNARY(erf_inv)
JACQUARD_LANE_UNARY(floor)
JACQUARD_LANE_UNARY(ceil)
JACQUARD_LANE_UNARY(round)
JACQUARD_LANE_UNARY(round_even)
#undef JACQUARD_LANE_UNARY
#undef JACQUARD_LANE_BINARY

template <lane_value T>
constexpr T powi(const T& x, int n) {
  T square = x, power(typename T::lane_element(1));
  for (unsigned rest = n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) power = multiply(power, square);
    if (rest > 1) square = multiply(square, square);
  }
  if (n < 0) return divide(T(typename T::lane_element(1)), power);
  return power;
}

}  // namespace jacquard::math
