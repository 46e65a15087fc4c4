#pragma once
// The IEEE 754 view of a floating-point value: its bit fields, the predicates and exact operations that need
// nothing but those fields, and +, -, *, / that give IEEE results in constant evaluation too. A compiler may
// refuse a constant expression that overflows, divides by zero or merely touches a NaN (g++ refuses the first
// two, clang the last two), so whoever computes on unknown values there calls `ieee::add` and its siblings.
// At run time they are the plain operators. It deliberately knows neither rounding modes nor exception flags,
// and holds no elementary function.

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ && !defined(JACQUARD_FINITE_MATH)
// A note and no warning: programs that have neither are right, and may be compiled with -Werror.
#pragma message("jacquard: -ffast-math takes every comparison with a NaN or an infinity for what suits the compiler, in the library, too: isnan, max, sort " \
                "and conversions go wrong on them. Add -fno-finite-math-only, or define JACQUARD_FINITE_MATH where there are none")
#endif

namespace jacquard::ieee {

// Field widths of a format; half.hpp adds the two 16-bit ones.
template <class T>
struct layout;

template <class Bits, int ExponentBits, int MantissaBits>
struct binary_layout {
  using bits_type = Bits;
  static constexpr int exponent_bits = ExponentBits;
  static constexpr int mantissa_bits = MantissaBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr Bits sign_mask = static_cast<Bits>(Bits{1} << (ExponentBits + MantissaBits));
  static constexpr Bits mantissa_mask = static_cast<Bits>((Bits{1} << MantissaBits) - 1);
  static constexpr Bits exponent_mask = static_cast<Bits>(sign_mask - mantissa_mask - 1);
};

template <>
struct layout<float> : binary_layout<std::uint32_t, 8, 23> {};
template <>
struct layout<double> : binary_layout<std::uint64_t, 11, 52> {};

template <class T>
concept binary_float =
    requires { typename layout<T>::bits_type; } && sizeof(T) == sizeof(typename layout<T>::bits_type);

template <class T>
concept native_float = std::same_as<T, float> || std::same_as<T, double>;

template <binary_float T>
using bits_of = typename layout<T>::bits_type;

/// The pattern of x as an unsigned integer.
template <binary_float T>
constexpr bits_of<T> bits(T x) {
  return std::bit_cast<bits_of<T>>(x);
}

template <binary_float T>
constexpr T from_bits(bits_of<T> pattern) {
  return std::bit_cast<T>(pattern);
}

/// The pattern of |x|; ordered like |x| itself, NaNs above infinity.
template <binary_float T>
constexpr bits_of<T> magnitude_bits(T x) {
  return static_cast<bits_of<T>>(bits(x) & ~layout<T>::sign_mask);
}

template <binary_float T>
constexpr bool is_nan(T x) {
  return magnitude_bits(x) > layout<T>::exponent_mask;
}

template <binary_float T>
constexpr bool is_inf(T x) {
  return magnitude_bits(x) == layout<T>::exponent_mask;
}

template <binary_float T>
constexpr bool is_finite(T x) {
  return magnitude_bits(x) < layout<T>::exponent_mask;
}

template <binary_float T>
constexpr bool is_zero(T x) {
  return magnitude_bits(x) == 0;
}

template <binary_float T>
constexpr bool signbit(T x) {
  return (bits(x) & layout<T>::sign_mask) != 0;
}

/// |x|, also of NaN, whose payload is kept.
template <binary_float T>
constexpr T magnitude(T x) {
  return from_bits<T>(magnitude_bits(x));
}

template <binary_float T>
constexpr T negate(T x) {
  return from_bits<T>(static_cast<bits_of<T>>(bits(x) ^ layout<T>::sign_mask));
}

template <binary_float T>
constexpr T copysign(T x, T sign) {
  return from_bits<T>(static_cast<bits_of<T>>(magnitude_bits(x) | (bits(sign) & layout<T>::sign_mask)));
}

template <binary_float T>
constexpr T infinity(bool negative = false) {
  using L = layout<T>;
  return from_bits<T>(static_cast<bits_of<T>>(L::exponent_mask | (negative ? L::sign_mask : bits_of<T>{0})));
}

template <binary_float T>
constexpr T quiet_nan() {
  using L = layout<T>;
  return from_bits<T>(static_cast<bits_of<T>>(L::exponent_mask | (bits_of<T>{1} << (L::mantissa_bits - 1))));
}

/// The neighbour of x in the direction of `toward`; `toward` itself when they are equal, NaN when either is.
template <binary_float T>
constexpr T nextafter(T x, T toward) {
  if (is_nan(x)) return x;
  if (is_nan(toward)) return toward;
  if (is_zero(x) && is_zero(toward)) return toward;
  if (bits(x) == bits(toward)) return toward;
  if (is_zero(x)) return from_bits<T>(static_cast<bits_of<T>>(1 | (bits(toward) & layout<T>::sign_mask)));
  const bool toward_zero = ieee::signbit(x) != ieee::signbit(toward) || magnitude_bits(toward) < magnitude_bits(x);
  return from_bits<T>(static_cast<bits_of<T>>(toward_zero ? bits(x) - 1 : bits(x) + 1));
}

/// 2^k for a normal result: -1022 <= k <= 1023.
constexpr double power_of_two(int k) { return from_bits<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

/// floor(log2 |x|) of a finite x != 0, subnormals included.
constexpr int exponent(double x) {
  const std::uint64_t magnitude = magnitude_bits(x);
  if (magnitude >> 52 != 0) return static_cast<int>(magnitude >> 52) - 1023;
  return -1011 - std::countl_zero(magnitude);
}

/// The significand of a finite x != 0: x / 2^exponent(x), in [1, 2) with the sign of x.
constexpr double significand(double x) {
  const double normal = magnitude_bits(x) >> 52 == 0 ? x * power_of_two(54) : x;
  return from_bits<double>((bits(normal) & ~layout<double>::exponent_mask) | std::uint64_t{1023} << 52);
}

/// x * 2^k, rounded once even where the result is subnormal.
constexpr double scale(double x, int k) {
  if (!is_finite(x) || is_zero(x)) return x;
  const int e = exponent(x) + k;
  if (e > 1023) return infinity<double>(signbit(x));
  if (e < -1080) return copysign(0.0, x);
  if (e >= -1022) return significand(x) * power_of_two(e);
  return significand(x) * power_of_two(-1022) * power_of_two(e + 1022);
}

namespace detail {

// The four operations on doubles in constant evaluation. Where a result might overflow it is computed 2^1024
// times smaller (exactly, as no operand is small there) and compared with 1, so that no intermediate
// overflows.
constexpr double either_nan(double a, double b) { return is_nan(a) ? a : b; }

constexpr double constant_add(double a, double b) {
  if (is_nan(a) || is_nan(b)) return either_nan(a, b);
  if (is_inf(a)) return is_inf(b) && signbit(a) != signbit(b) ? quiet_nan<double>() : a;
  if (is_inf(b)) return b;
  const double half = 0.5 * a + 0.5 * b;
  return magnitude(half) >= power_of_two(1023) ? infinity<double>(signbit(half)) : a + b;
}

constexpr double constant_multiply(double a, double b) {
  if (is_nan(a) || is_nan(b)) return either_nan(a, b);
  const bool negative = signbit(a) != signbit(b);
  if (is_inf(a) || is_inf(b))
    return is_zero(a) || is_zero(b) ? quiet_nan<double>() : infinity<double>(negative);
  if (is_zero(a) || is_zero(b) || exponent(a) + exponent(b) < 1022) return a * b;
  const double small = scale(a, -exponent(a)) * scale(b, exponent(a) - 1024);
  return magnitude(small) >= 1 ? infinity<double>(negative) : a * b;
}

constexpr double constant_divide(double a, double b) {
  if (is_nan(a) || is_nan(b)) return either_nan(a, b);
  const bool negative = signbit(a) != signbit(b);
  if (is_inf(a)) return is_inf(b) ? quiet_nan<double>() : infinity<double>(negative);
  if (is_zero(b)) return is_zero(a) ? quiet_nan<double>() : infinity<double>(negative);
  if (is_inf(b) || is_zero(a)) return negative ? -0.0 : 0.0;
  if (exponent(a) - exponent(b) < 1022) return a / b;
  const double small = scale(a, -512) / scale(b, 512);
  return magnitude(small) >= 1 ? infinity<double>(negative) : a / b;
}

}  // namespace detail

// Straight-line programs do these by the thousand. Compilers inline functions early, and fast, only where they must; and the builtin is no call.

/// a + b with IEEE semantics in both worlds (float in constant evaluation: through double, which is
/// innocuous).
template <native_float T>
[[gnu::always_inline]] constexpr T add(T a, T b) {
  if (__builtin_is_constant_evaluated()) return static_cast<T>(detail::constant_add(a, b));
  return a + b;
}

template <native_float T>
[[gnu::always_inline]] constexpr T subtract(T a, T b) {
  if (__builtin_is_constant_evaluated()) return static_cast<T>(detail::constant_add(a, is_nan(b) ? b : -b));
  return a - b;
}

template <native_float T>
[[gnu::always_inline]] constexpr T multiply(T a, T b) {
  if (__builtin_is_constant_evaluated()) return static_cast<T>(detail::constant_multiply(a, b));
  return a * b;
}

template <native_float T>
[[gnu::always_inline]] constexpr T divide(T a, T b) {
  if (__builtin_is_constant_evaluated()) return static_cast<T>(detail::constant_divide(a, b));
  return a / b;
}

}  // namespace jacquard::ieee
