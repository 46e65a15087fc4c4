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
JACQUARD_LANE_BINARY(shift_left)
JACQUARD_LANE_BINARY(shift_right_arithmetic)
JACQUARD_LANE_BINARY(shift_right_logical)
JACQUARD_LANE_UNARY(negate)
JACQUARD_LANE_UNARY(conj)
JACQUARD_LANE_UNARY(abs)
JACQUARD_LANE_UNARY(sign)
JACQUARD_LANE_UNARY(is_finite)
JACQUARD_LANE_UNARY(sqrt)
JACQUARD_LANE_UNARY(rsqrt)
JACQUARD_LANE_UNARY(population_count)
JACQUARD_LANE_UNARY(clz)
JACQUARD_LANE_UNARY(exp)
JACQUARD_LANE_UNARY(exp2)
JACQUARD_LANE_UNARY(expm1)
JACQUARD_LANE_UNARY(log)
JACQUARD_LANE_UNARY(log1p)
JACQUARD_LANE_UNARY(logistic)
JACQUARD_LANE_UNARY(sin)
JACQUARD_LANE_UNARY(cos)
JACQUARD_LANE_UNARY(tan)
JACQUARD_LANE_UNARY(asin)
JACQUARD_LANE_UNARY(acos)
JACQUARD_LANE_UNARY(atan)
JACQUARD_LANE_UNARY(sinh)
JACQUARD_LANE_UNARY(cosh)
JACQUARD_LANE_UNARY(tanh)
JACQUARD_LANE_UNARY(asinh)
JACQUARD_LANE_UNARY(acosh)
JACQUARD_LANE_UNARY(atanh)
JACQUARD_LANE_UNARY(cbrt)
JACQUARD_LANE_UNARY(erf)
JACQUARD_LANE_UNARY(erfc)
JACQUARD_LANE_UNARY(erf_inv)
JACQUARD_LANE_UNARY(floor)
JACQUARD_LANE_UNARY(ceil)
JACQUARD_LANE_UNARY(round)
JACQUARD_LANE_UNARY(round_even)
#undef JACQUARD_LANE_UNARY
#undef JACQUARD_LANE_BINARY

/// on where the condition holds, else off; both are computed. For code that is to run on lanes and recorded numbers too.
template <lane_value T>
constexpr T select(const auto& which, const T& on, const T& off) {
  return T::select(which, on, off);
}
template <class T>
  requires(!lane_value<T>)
constexpr T select(bool which, T on, T off) {
  return which ? on : off;
}

/// select where `which` holds nearly everywhere, for code that gains by knowing.
template <class T>
constexpr T usually(const auto& which, const T& on, const T& off) {
  if constexpr (requires { T::usually(which, on, off); }) return T::usually(which, on, off);
  else return select(which, on, off);
}

/// A constant of the type of x: a number, or as many as x has.
template <lane_value T>
constexpr T constant_like(const T&, double value) {
  return T(typename T::lane_element(value));
}
template <class T>
  requires(!lane_value<T>)
constexpr T constant_like(T, double value) {
  return T(value);
}

/// A function of numbers that has no form of its own for lanes: lane after lane. Recorded numbers have no values to apply it to.
template <class F, lane_value T, class... Rest>
constexpr T each(F f, const T& first, const Rest&... rest) {
  return T::each(f, first, rest...);
}
template <class F, class T, class... Rest>
  requires(!lane_value<T>)
constexpr T each(F f, T first, Rest... rest) {
  return f(first, rest...);
}

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
