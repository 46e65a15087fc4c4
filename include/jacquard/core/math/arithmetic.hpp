#pragma once
// The part of core/math.hpp that needs no approximation: arithmetic with IEEE results in constant evaluation
// too, sign and classification, comparisons that propagate NaN, integer powers, and the few functions
// composed of others. It deliberately leaves integers to integer.hpp and complex numbers to complex.hpp
// beside it.

#include "jacquard/core/math/real.hpp"

namespace jacquard::math {

namespace detail {

// The type to compute in: a half's float, anything else itself.
template <real_scalar T>
[[gnu::always_inline]] constexpr auto widen(T x) {
  if constexpr (half_float<T>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}

}  // namespace detail

/// a + b; defined in constant evaluation for every operand, as are its three siblings.
template <real_scalar T>
[[gnu::always_inline]] constexpr T add(T a, T b) {
  return static_cast<T>(ieee::add(detail::widen(a), detail::widen(b)));
}

template <real_scalar T>
[[gnu::always_inline]] constexpr T subtract(T a, T b) {
  return static_cast<T>(ieee::subtract(detail::widen(a), detail::widen(b)));
}

template <real_scalar T>
[[gnu::always_inline]] constexpr T multiply(T a, T b) {
  return static_cast<T>(ieee::multiply(detail::widen(a), detail::widen(b)));
}

template <real_scalar T>
[[gnu::always_inline]] constexpr T divide(T a, T b) {
  return static_cast<T>(ieee::divide(detail::widen(a), detail::widen(b)));
}

// At run time not by bits, which compilers compute in integer registers.
template <real_scalar T>
[[gnu::always_inline]] constexpr T negate(T x) {
  if constexpr (ieee::native_float<T>)
    if (!__builtin_is_constant_evaluated()) return -x;
  return ieee::negate(x);
}

template <real_scalar T>
constexpr T abs(T x) {
  if constexpr (ieee::native_float<T>)
    if (!std::is_constant_evaluated()) return libm::fabs(x);
  return ieee::magnitude(x);
}

/// -1 or 1 with the sign of x; zeros and NaN are returned as they are.
template <real_scalar T>
constexpr T sign(T x) {
  return ieee::is_zero(x) || ieee::is_nan(x) ? x : ieee::copysign(T(1), x);
}

template <real_scalar T>
constexpr T copysign(T x, T sign_source) {
  return ieee::copysign(x, sign_source);
}

template <real_scalar T>
constexpr bool signbit(T x) {
  return ieee::signbit(x);
}

template <real_scalar T>
constexpr bool is_finite(T x) {
  return ieee::is_finite(x);
}

template <real_scalar T>
constexpr bool is_nan(T x) {
  return ieee::is_nan(x);
}

template <real_scalar T>
constexpr bool is_inf(T x) {
  return ieee::is_inf(x);
}

/// The neighbour of x in the direction of `toward`, in the format of T.
template <real_scalar T>
constexpr T nextafter(T x, T toward) {
  return ieee::nextafter(x, toward);
}

/// x rounded to a format with these bits of exponent and mantissa: halves to even, what is too large to infinity, what is below its
/// normal numbers to zero.
template <ieee::native_float T>
constexpr T reduce_precision(T x, int exponent_bits, int mantissa_bits) {
  using layout = ieee::layout<T>;
  using pattern = ieee::bits_of<T>;
  if (!ieee::is_finite(x)) return x;
  pattern p = ieee::magnitude_bits(x);
  if (const int dropped = layout::mantissa_bits - mantissa_bits; dropped > 0) {
    const pattern last = static_cast<pattern>(pattern{1} << dropped);
    p = static_cast<pattern>((p + (last >> 1) - 1 + ((p >> dropped) & 1)) & ~(last - 1));
  }
  if (exponent_bits < layout::exponent_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1, exponent = static_cast<int>(p >> layout::mantissa_bits) - layout::bias;
    if (exponent > bias) return ieee::copysign(ieee::infinity<T>(), x);
    if (exponent < 1 - bias) return ieee::copysign(T(0), x);
  }
  return ieee::copysign(ieee::from_bits<T>(p), x);
}

/// The larger operand; NaN if either is one. Of two zeros, b.
template <real_scalar T>
[[gnu::always_inline]] constexpr T max(T a, T b) {
  const T larger = a > b ? a : b;  // one instruction; in one condition compilers make branches of it
  return a != a ? a : larger;
}

/// The smaller operand; NaN if either is one. Of two zeros, b.
template <real_scalar T>
[[gnu::always_inline]] constexpr T min(T a, T b) {
  const T smaller = a < b ? a : b;
  return a != a ? a : smaller;
}

/// 1 / sqrt(x), within 1 ulp.
template <real_scalar T>
constexpr T rsqrt(T x) {
  const auto wide = detail::widen(x);
  return static_cast<T>(ieee::divide(decltype(wide){1}, sqrt(wide)));
}

/// x^n by repeated squaring, the same roundings in both worlds; a negative n gives 1 / x^-n.
template <real_scalar T>
constexpr T powi(T x, int n) {
  auto square = detail::widen(x);
  decltype(square) power = 1;
  for (unsigned rest = n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); rest != 0;
       rest >>= 1) {
    if ((rest & 1) != 0) power = ieee::multiply(power, square);
    if (rest > 1) square = ieee::multiply(square, square);
  }
  return static_cast<T>(n < 0 ? ieee::divide(decltype(square){1}, power) : power);
}

template <integer_scalar T>
constexpr T powi(T x, int n) {
  return int_pow(x, n);
}

template <integer_scalar T>
constexpr T pow(T x, T y) {
  return int_pow(x, y);
}

/// 1 / (1 + exp(-x)), with the exponential of -|x| only, which cannot overflow.
template <real_scalar T>
constexpr T logistic(T x) {
  if (ieee::is_nan(x)) return x;
  const auto wide = detail::widen(x);
  const auto decay = exp(-ieee::magnitude(wide));
  return static_cast<T>((wide < 0 ? decay : decltype(decay){1}) / (1 + decay));
}

}  // namespace jacquard::math
