// float_column.hpp: what numpy decides about a whole array of floating-point numbers before it prints the
// first: positional or scientific notation, how many digits, how wide. It deliberately sees the numbers one
// by one and keeps none; which of them are shown, and the brackets around them, are array_text.hpp's
// business.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <jacquard/core/float_text.hpp>
#include <jacquard/core/text.hpp>

namespace jacquard::numerals {

// numpy divides in the array's own precision, and so the largest ratio that still rounds to 1000 is a little
// more than 1000. It has no bfloat16, which is printed by way of float32.
constexpr double ratio_bound(float_kind kind) {
  return kind == float_kind::half ? 1000 + 0x1p-2 : 1000 + 0x1p-15;
}

// How wide one column of floating-point numbers is, learnt from every number shown; all of them are printed
// with it.
class float_column {
  float_kind kind_;
  bool plus_;  // a '+' before what is not negative: imaginary parts
  int precision_;
  bool scientific_ = false;
  bool any_not_finite_ = false, any_negative_inf_ = false;
  std::uint64_t largest_ = 0, smallest_ = 0;  // bit patterns: they order as the numbers do, subnormals too
  int left_ = 0, right_ = 0, exponent_digits_ = 2;

  static constexpr void raise(int& to, int value) {
    if (to < value) to = value;
  }
  constexpr digit_limits first_limits() const {
    return scientific_ ? digit_limits{.most = precision_ + 1}
                       : digit_limits{.most = precision_, .after_point = true};
  }

 public:
  constexpr float_column(float_kind kind, int precision, bool plus)
      : kind_(kind), plus_(plus), precision_(precision) {}

  // First every number passes here, then through `measure`, then `fix`, then `put`.
  constexpr void look(double x) {
    const float_parts parts = take_apart(x, kind_);
    if (!parts.is_finite()) any_not_finite_ = true;
    if (parts.is_inf && parts.negative) any_negative_inf_ = true;
    if (!parts.is_finite() || parts.significand == 0) return;
    const std::uint64_t size = std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63);
    if (largest_ < size) largest_ = size;
    if (smallest_ == 0 || size < smallest_) smallest_ = size;
  }

  constexpr void choose_notation() {
    if (largest_ == 0) return;
    const auto largest = std::bit_cast<double>(largest_), smallest = std::bit_cast<double>(smallest_);
    scientific_ = largest >= 1e8 || smallest < 1e-4;
    if (scientific_) return;
    scientific_ =
        kind_ == float_kind::double_ ? largest / smallest > 1000 : largest > smallest * ratio_bound(kind_);
  }

  constexpr void measure(double x) {
    if (!take_apart(x, kind_).is_finite()) return;
    const decimal d = to_decimal(x, kind_, first_limits());
    const int sign = d.negative || plus_ ? 1 : 0;
    const int magnitude = d.exponent < 0 ? -d.exponent : d.exponent;
    if (scientific_ && magnitude >= 100) exponent_digits_ = 3;
    raise(left_, sign + (scientific_ || d.exponent < 0 ? 1 : d.exponent + 1));
    raise(right_, d.count - 1 - (scientific_ ? 0 : d.exponent));
  }

  constexpr void fix() {
    if (scientific_) {
      precision_ = right_;
      right_ += exponent_digits_ + 2;
    }
    if (!any_not_finite_) return;
    const int longest = plus_ || any_negative_inf_ ? 4 : 3;
    raise(left_, longest - (right_ + 1));
  }

  constexpr void put(text& out, double x) const {
    const float_parts parts = take_apart(x, kind_);
    text cell;
    if (parts.negative && !parts.is_nan) cell << '-';
    else if (plus_) cell << '+';
    if (parts.is_finite()) return put_finite(out, cell, x);
    cell << (parts.is_nan ? "nan" : "inf");
    pad(out, left_ + right_ + 1 - static_cast<int>(cell.size()));
    out << cell;
  }

 private:
  static constexpr void pad(text& out, int n, char c = ' ') {
    if (n > 0) out.append(static_cast<std::size_t>(n), c);
  }

  constexpr void put_finite(text& out, text& cell, double x) const {
    auto limits = first_limits();
    // numpy's second pass: exact digits, not zeros, up to the common length.
    limits.least = scientific_ ? precision_ + 1 : 0;
    const decimal d = to_decimal(x, kind_, limits);
    if (!scientific_) {
      put_positional(cell, d);
      const int left = d.exponent < 0 ? 1 : d.exponent + 1;
      const int sign = d.negative || plus_ ? 1 : 0;
      const int right = static_cast<int>(cell.size()) - sign - left - 1;
      pad(out, left_ - sign - left);
      out << cell;
      return pad(out, right_ - right);
    }
    pad(out, left_ - static_cast<int>(cell.size()) - 1);
    out << cell << d.digits[0] << '.' << d.view().substr(1);
    pad(out, precision_ + 1 - d.count, '0');
    put_exponent(out, d.exponent, exponent_digits_);
  }
};

}  // namespace jacquard::numerals
