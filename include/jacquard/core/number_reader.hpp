// number_reader.hpp: reads integers, floating-point and complex numbers back from text, in constant
// evaluation and at run time alike; floating point is correctly rounded, whatever the number of digits. It
// reads at the front of a view and says how many characters belong to the number; it deliberately skips no
// spaces, knows no dtype suffix and reports no error beyond "no number here", since its callers know better
// what they wanted.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <jacquard/core/big_natural.hpp>
#include <jacquard/core/float_text.hpp>

namespace jacquard {

// used == 0: there is no such number at the front, or it does not fit.
template <class T>
struct parsed {
  T value = {};
  std::size_t used = 0;

  constexpr explicit operator bool() const { return used != 0; }
};

struct complex_parts {
  double re = 0, im = 0;
};

namespace numerals {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A view that is eaten from the front.
struct char_source {
  std::string_view s;
  std::size_t at = 0;

  constexpr char peek(std::size_t ahead = 0) const { return at + ahead < s.size() ? s[at + ahead] : '\0'; }
  constexpr bool take(char c) {
    if (peek() != c) return false;
    ++at;
    return true;
  }
  constexpr bool take(std::string_view word) {
    if (s.substr(at, word.size()) != word) return false;
    at += word.size();
    return true;
  }
};

// value = digits * 10^exponent.
struct decimal_text {
  big_natural<88> digits;
  int exponent = 0;
  int first_exponent = 0;  // of the first digit that is not zero
  bool negative = false;
  bool has_point = false;  // or an exponent
};

// No double, and no point half way between two, has more significant digits than this; of further ones it
// only matters whether any of them is not zero.
inline constexpr int max_significant = 770;

constexpr bool read_digits(char_source& in, decimal_text& d) {
  int kept = 0, after_point = 0, skipped = 0;
  bool any = false, seen_point = false, sticky = false;
  for (;; ++in.at) {
    const char c = in.peek();
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    if (seen_point) ++after_point;
    if (kept == max_significant) {
      sticky = sticky || c != '0';
      ++skipped;
    } else if (kept > 0 || c != '0') {
      d.digits.multiply_add(10, static_cast<std::uint32_t>(c - '0'));
      ++kept;
    }
  }
  if (sticky) d.digits.multiply_add(10, 1);
  d.exponent = skipped - after_point - (sticky ? 1 : 0);
  d.first_exponent = d.exponent + kept - 1 + (sticky ? 1 : 0);
  d.has_point = seen_point;
  return any;
}

constexpr void read_exponent(char_source& in, decimal_text& d) {
  if (in.peek() != 'e' && in.peek() != 'E') return;
  const std::size_t sign = in.peek(1) == '-' || in.peek(1) == '+' ? 1 : 0;
  if (!is_digit(in.peek(1 + sign))) return;
  const bool negative = in.peek(1) == '-';
  in.at += 1 + sign;
  int value = 0;
  for (; is_digit(in.peek()); ++in.at)
    if (value < 100'000'000) value = value * 10 + (in.peek() - '0');
  d.exponent += negative ? -value : value;
  d.first_exponent += negative ? -value : value;
  d.has_point = true;
}

constexpr double assemble(std::uint64_t significand, int exponent, bool negative) {
  std::uint64_t bits = 0;
  if (significand != 0) {
    const int width = bit_width(significand), top = width - 1 + exponent;
    if (top < -1022) bits = significand << (exponent + 1074);
    else
      bits = ((significand << (53 - width)) & ~(std::uint64_t{1} << 52)) |
             (static_cast<std::uint64_t>(top + 1023) << 52);
  }
  return std::bit_cast<double>(bits | (static_cast<std::uint64_t>(negative ? 1 : 0) << 63));
}

constexpr double infinity(bool negative) {
  return std::bit_cast<double>((std::uint64_t{0x7ff} << 52) |
                               (static_cast<std::uint64_t>(negative ? 1 : 0) << 63));
}

// Rounds digits * 10^exponent to the nearest value of the kind, half way to even, by long division in base
// two.
constexpr double round_to_float(decimal_text& d, float_kind kind) {
  if (d.digits.is_zero() || d.first_exponent < -400) return assemble(0, 0, d.negative);
  if (d.first_exponent > 400) return infinity(d.negative);
  const float_layout layout = layout_of(kind);
  big_natural<88> unit(1);
  if (d.exponent >= 0) d.digits.multiply_pow5(d.exponent);
  else unit.multiply_pow5(-d.exponent);
  int twos = d.digits.bit_length() - unit.bit_length();
  if (twos > 0) unit.shift_left(twos);
  if (twos < 0) d.digits.shift_left(-twos);
  if (compare(d.digits, unit) < 0) {
    d.digits.shift_left(1);
    --twos;
  }
  // Now 1 <= digits / unit < 2, and the value is that times 2^top.
  const int top = twos + d.exponent;
  const int normal = top - (layout.significand_bits - 1);
  const int ulp = normal > layout.min_exponent ? normal : layout.min_exponent;
  if (top < ulp - 1) return assemble(0, 0, d.negative);
  std::uint64_t significand = 0;
  for (int n = top - ulp + 1; n > 0; --n) {
    const bool bit = compare(d.digits, unit) >= 0;
    if (bit) d.digits.subtract(unit);
    significand = significand * 2 + (bit ? 1 : 0);
    d.digits.shift_left(1);
  }
  const int half = compare(d.digits, unit);
  if (half > 0 || (half == 0 && significand % 2 != 0)) ++significand;
  if (bit_width(significand) - 1 + ulp > layout.max_exponent) return infinity(d.negative);
  return assemble(significand, ulp, d.negative);
}

}  // namespace numerals

// [+-]digits. Reads no '-' for unsigned types.
template <std::integral I>
  requires(!std::same_as<I, bool>)
constexpr parsed<I> parse_integer(std::string_view s) {
  numerals::char_source in{s};
  const bool negative = std::numeric_limits<I>::is_signed && in.take('-');
  if (!negative) in.take('+');
  const std::uint64_t bound = static_cast<std::uint64_t>(std::numeric_limits<I>::max()) + (negative ? 1 : 0);
  if (!numerals::is_digit(in.peek())) return {};
  std::uint64_t value = 0;
  for (; numerals::is_digit(in.peek()); ++in.at) {
    const auto digit = static_cast<std::uint64_t>(in.peek() - '0');
    if (value > (bound - digit) / 10) return {};
    value = value * 10 + digit;
  }
  return {static_cast<I>(negative ? std::uint64_t{0} - value : value), in.at};
}

// [+-](digits[.digits][e[+-]digits] | inf | nan), rounded to the nearest value of the kind; what is too large
// is inf.
constexpr parsed<double> parse_float(std::string_view s, float_kind kind = float_kind::double_) {
  numerals::char_source in{s};
  numerals::decimal_text d;
  d.negative = in.take('-');
  if (!d.negative) in.take('+');
  if (in.take("inf")) return {numerals::infinity(d.negative), in.at};
  if (in.take("nan")) return {std::numeric_limits<double>::quiet_NaN(), in.at};
  if (!numerals::read_digits(in, d)) return {};
  numerals::read_exponent(in, d);
  return {numerals::round_to_float(d, kind), in.at};
}

// `(1+2j)`, `(1-2j)`, `2j`, and a plain floating-point number, whose imaginary part is 0.
constexpr parsed<complex_parts> parse_complex(std::string_view s, float_kind kind = float_kind::double_) {
  const bool bracketed = !s.empty() && s.front() == '(';
  std::size_t at = bracketed ? 1 : 0;
  const parsed<double> first = parse_float(s.substr(at), kind);
  if (!first) return {};
  at += first.used;
  numerals::char_source in{s, at};
  if (!bracketed)
    return in.take('j') ? parsed<complex_parts>{{0, first.value}, in.at}
                        : parsed<complex_parts>{{first.value, 0}, in.at};
  if (in.peek() != '+' && in.peek() != '-') return {};
  const parsed<double> second = parse_float(s.substr(in.at), kind);
  in.at += second.used;
  if (!second || !in.take('j') || !in.take(')')) return {};
  return {{first.value, second.value}, in.at};
}

enum class number_form : std::uint8_t { nothing, integer, floating, complex };

// Which of the three is at the front, told by a point, an exponent, inf, nan, 'j' or '('. Read it with the
// matching function.
constexpr number_form number_form_of(std::string_view s) {
  if (!s.empty() && s.front() == '(') return parse_complex(s) ? number_form::complex : number_form::nothing;
  numerals::char_source in{s};
  if (!in.take('-')) in.take('+');
  bool floating = in.take("inf") || in.take("nan");
  if (!floating) {
    numerals::decimal_text d;
    if (!numerals::read_digits(in, d)) return number_form::nothing;
    numerals::read_exponent(in, d);
    floating = d.has_point;
  }
  if (in.peek() == 'j') return number_form::complex;
  return floating ? number_form::floating : number_form::integer;
}

}  // namespace jacquard
