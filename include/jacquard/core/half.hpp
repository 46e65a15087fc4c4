#pragma once
// The two 16-bit floating-point formats as value types: `float16` (IEEE binary16) and `bfloat16` (the upper
// half of a float). They convert exactly to float, round to nearest even from everything arithmetic in one
// step, and compute through float (which rounds +, -, *, / correctly: 24 >= 2 * 11 + 2). Everything is
// constexpr. They deliberately do not convert implicitly in either direction, hold no elementary functions
// (core/math.hpp does), and use no hardware type.

#include <compare>

#include "jacquard/core/ieee.hpp"

namespace jacquard {

struct float16;
struct bfloat16;

template <class T>
inline constexpr bool is_half_v = std::same_as<T, float16> || std::same_as<T, bfloat16>;

template <class T>
concept half_float = is_half_v<T>;

namespace detail {

// What a half may be built from. `long double` is left out: it would have to be rounded twice.
template <class T>
concept half_source = std::is_arithmetic_v<T> && !std::same_as<T, long double>;

// Rounds a float or double to the nearest pattern of `Format`, ties to even. The carry of the rounding runs
// into the exponent field by itself, up to infinity.
template <class Format, ieee::native_float Source>
constexpr std::uint16_t encode_half(Source x) {
  using from = ieee::layout<Source>;
  const std::uint64_t magnitude = ieee::magnitude_bits(x);
  const int sign = ieee::signbit(x) ? int{Format::sign_mask} : 0;
  if (magnitude > from::exponent_mask) {
    // A NaN keeps the payload bits that fit and stays quiet.
    const auto payload = static_cast<int>(magnitude >> (from::mantissa_bits - Format::mantissa_bits));
    const int quiet = 1 << (Format::mantissa_bits - 1);
    return static_cast<std::uint16_t>(sign | Format::exponent_mask | quiet |
                                      (payload & Format::mantissa_mask));
  }
  const int field = static_cast<int>(magnitude >> from::mantissa_bits);
  const int exponent = (field == 0 ? 1 : field) - from::bias + Format::bias;
  if (exponent >= (1 << Format::exponent_bits) - 1)
    return static_cast<std::uint16_t>(sign | Format::exponent_mask);
  const std::uint64_t hidden = field == 0 ? 0 : std::uint64_t{1} << from::mantissa_bits;
  const std::uint64_t significand = (magnitude & from::mantissa_mask) | hidden;
  const int shift = from::mantissa_bits - Format::mantissa_bits + (exponent < 1 ? 1 - exponent : 0);
  if (shift > from::mantissa_bits + 1) return static_cast<std::uint16_t>(sign);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rest = significand & (2 * half - 1);
  auto rounded = static_cast<int>(significand >> shift);
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  if (exponent > 1) rounded += (exponent - 1) << Format::mantissa_bits;
  return static_cast<std::uint16_t>(sign | rounded);
}

// Integers go through double. One that double cannot hold is first rounded to odd, far below the half's last
// bit, so that the second rounding decides as if it had seen the integer itself.
template <class Format, std::integral Source>
constexpr std::uint16_t encode_half(Source x) {
  const bool negative = std::is_signed_v<Source> && x < Source{0};
  auto magnitude = static_cast<std::uint64_t>(x);
  if (negative) magnitude = 0 - magnitude;
  if (magnitude >> 53 != 0)
    magnitude = (magnitude & ~std::uint64_t{0x1fff}) | ((magnitude & 0x1fff) != 0 ? 0x1000 : 0);
  const auto wide = static_cast<double>(magnitude);
  return encode_half<Format>(negative ? -wide : wide);
}

template <class Format>
constexpr float decode_half(std::uint16_t pattern) {
  const auto sign = static_cast<std::uint32_t>(pattern & Format::sign_mask) << 16;
  const auto magnitude = static_cast<std::uint32_t>(pattern & ~Format::sign_mask & 0xffff);
  if constexpr (Format::exponent_bits == 8) {
    return ieee::from_bits<float>(sign | magnitude << 16);
  } else {
    constexpr int widen = 23 - Format::mantissa_bits;
    if (magnitude >= Format::exponent_mask)
      return ieee::from_bits<float>(sign | 0x7f800000U | (magnitude & Format::mantissa_mask) << widen);
    if (magnitude > Format::mantissa_mask) {
      constexpr std::uint32_t rebias = 127 - Format::bias;
      return ieee::from_bits<float>(sign | ((magnitude << widen) + (rebias << 23)));
    }
    // A subnormal is an integer multiple of the smallest one.
    constexpr float unit = 1.0F / static_cast<float>(1 << (Format::bias - 1 + Format::mantissa_bits));
    const float value = static_cast<float>(magnitude) * unit;
    return sign != 0 ? -value : value;
  }
}

// Members and operators of both types. The pattern is public so that halves can be template arguments.
template <class Self, class Format>
struct half_base {
  std::uint16_t pattern = 0;

  constexpr half_base() = default;
  template <half_source T>
  constexpr explicit half_base(T x) : pattern(encode_half<Format>(x)) {}

  /// The value as a float (exact), and from there as any arithmetic type (as static_cast from float does).
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit operator T() const {
    return static_cast<T>(decode_half<Format>(pattern));
  }

  [[nodiscard]] constexpr std::uint16_t bits() const { return pattern; }
  static constexpr Self from_bits(std::uint16_t bits) {
    Self half;
    half.pattern = bits;
    return half;
  }

  friend constexpr Self operator+(Self a) { return a; }
  friend constexpr Self operator-(Self a) {
    return from_bits(static_cast<std::uint16_t>(a.pattern ^ Format::sign_mask));
  }
  friend constexpr Self operator+(Self a, Self b) { return Self(ieee::add(float(a), float(b))); }
  friend constexpr Self operator-(Self a, Self b) { return Self(ieee::subtract(float(a), float(b))); }
  friend constexpr Self operator*(Self a, Self b) { return Self(ieee::multiply(float(a), float(b))); }
  friend constexpr Self operator/(Self a, Self b) { return Self(ieee::divide(float(a), float(b))); }
  friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
  friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
  friend constexpr Self& operator*=(Self& a, Self b) { return a = a * b; }
  friend constexpr Self& operator/=(Self& a, Self b) { return a = a / b; }
  friend constexpr bool operator==(Self a, Self b) { return float(a) == float(b); }
  friend constexpr std::partial_ordering operator<=>(Self a, Self b) { return float(a) <=> float(b); }
};

}  // namespace detail

template <>
struct ieee::layout<float16> : ieee::binary_layout<std::uint16_t, 5, 10> {};
template <>
struct ieee::layout<bfloat16> : ieee::binary_layout<std::uint16_t, 8, 7> {};

/// IEEE 754 binary16: 5 exponent bits, 11 significant bits, largest value 65504.
struct float16 : detail::half_base<float16, ieee::layout<float16>> {
  using half_base::half_base;
  constexpr float16() = default;
  constexpr explicit float16(bfloat16 x);
};

/// The upper 16 bits of a float: its range, 8 significant bits.
struct bfloat16 : detail::half_base<bfloat16, ieee::layout<bfloat16>> {
  using half_base::half_base;
  constexpr bfloat16() = default;
  constexpr explicit bfloat16(float16 x) : bfloat16(float(x)) {}
};

constexpr float16::float16(bfloat16 x) : float16(float(x)) {}

namespace detail {

// Everything std::numeric_limits says about a half. Decimal counts follow the usual formulas in integer form
// (30103 / 100000 approximates log10 2 well enough for these ranges).
template <class T>
struct half_limits : std::numeric_limits<float> {
  using format = ieee::layout<T>;
  static constexpr int digits = format::mantissa_bits + 1;
  static constexpr int digits10 = format::mantissa_bits * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int max_exponent = format::bias + 1;
  static constexpr int min_exponent = 2 - format::bias;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;
  static constexpr bool is_iec559 = format::exponent_bits == 5;

  static constexpr T pattern(int bits) { return T::from_bits(static_cast<std::uint16_t>(bits)); }
  static constexpr T min() { return pattern(1 << format::mantissa_bits); }
  static constexpr T max() { return pattern(format::exponent_mask - 1); }
  static constexpr T lowest() { return -max(); }
  static constexpr T denorm_min() { return pattern(1); }
  static constexpr T epsilon() {
    return pattern((format::bias - format::mantissa_bits) << format::mantissa_bits);
  }
  static constexpr T round_error() { return pattern((format::bias - 1) << format::mantissa_bits); }
  static constexpr T infinity() { return pattern(format::exponent_mask); }
  static constexpr T quiet_NaN() { return ieee::quiet_nan<T>(); }
  static constexpr T signaling_NaN() { return pattern(format::exponent_mask | 1); }
};

}  // namespace detail
}  // namespace jacquard

template <>
struct std::numeric_limits<jacquard::float16> : jacquard::detail::half_limits<jacquard::float16> {};
template <>
struct std::numeric_limits<jacquard::bfloat16> : jacquard::detail::half_limits<jacquard::bfloat16> {};
