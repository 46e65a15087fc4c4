// big_natural.hpp: a natural number of at most `Words` 32-bit words, with just the operations that exact
// conversion between binary and decimal needs. It deliberately is no general big integer: no allocation, no
// sign, no full division, and nothing checks for overflow, because its two users (float_text.hpp,
// number_reader.hpp) bound every value they build.
#pragma once

#include <bit>
#include <cstdint>

namespace jacquard::numerals {

// std::bit_width returns its argument's type in some libraries and int in others.
constexpr int bit_width(std::uint64_t x) { return 64 - std::countl_zero(x); }

template <int Words>
class big_natural {
  std::uint32_t words_[std::size_t(Words)] = {};  // least significant first; words at and above count_ are zero
  int count_ = 0;

  constexpr void push_carry(std::uint64_t carry) {
    if (carry != 0) words_[count_++] = static_cast<std::uint32_t>(carry);
  }
  constexpr void drop_zeros() {
    while (count_ > 0 && words_[count_ - 1] == 0) --count_;
  }

 public:
  constexpr big_natural() = default;
  constexpr explicit big_natural(std::uint64_t value) {
    words_[0] = static_cast<std::uint32_t>(value);
    words_[1] = static_cast<std::uint32_t>(value >> 32);
    count_ = 2;
    drop_zeros();
  }

  constexpr bool is_zero() const { return count_ == 0; }
  constexpr int bit_length() const {
    return count_ == 0 ? 0 : 32 * count_ - std::countl_zero(words_[count_ - 1]);
  }

  constexpr void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (int i = 0; i < count_; ++i) {
      carry += static_cast<std::uint64_t>(words_[i]) * factor;
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    push_carry(carry);
  }

  // Powers of ten are always split into 5^n here and a shift elsewhere: the numbers stay a third shorter.
  constexpr void multiply_pow5(int n) {
    for (; n >= 13; n -= 13) multiply_add(1220703125u, 0);
    std::uint32_t rest = 1;
    for (; n > 0; --n) rest *= 5;
    if (rest != 1) multiply_add(rest, 0);
  }

  constexpr void shift_left(int bits) {
    if (count_ == 0 || bits == 0) return;
    const int whole = bits / 32, part = bits % 32;
    for (int i = count_ - 1; whole > 0 && i >= 0; --i) words_[i + whole] = words_[i];
    for (int i = 0; i < whole; ++i) words_[i] = 0;
    count_ += whole;
    if (part == 0) return;
    std::uint32_t carry = 0;
    for (int i = whole; i < count_; ++i) {
      const std::uint32_t w = words_[i];
      words_[i] = (w << part) | carry;
      carry = w >> (32 - part);
    }
    push_carry(carry);
  }

  constexpr void add(const big_natural& other) {
    std::uint64_t carry = 0;
    if (count_ < other.count_) count_ = other.count_;
    for (int i = 0; i < count_; ++i) {
      carry += static_cast<std::uint64_t>(words_[i]) + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    push_carry(carry);
  }

  // Wants *this >= times * other.
  constexpr void subtract(const big_natural& other, std::uint32_t times = 1) {
    std::uint64_t carry = 0;   // of the product
    std::uint64_t borrow = 0;  // 0 or 1
    for (int i = 0; i < count_; ++i) {
      carry += static_cast<std::uint64_t>(other.words_[i]) * times;
      const std::uint64_t less = (carry & 0xffffffffu) + borrow;
      borrow = words_[i] < less ? 1 : 0;
      words_[i] = static_cast<std::uint32_t>(words_[i] - less);
      carry >>= 32;
    }
    drop_zeros();
  }

  // Negative, zero or positive as a <, ==, > b.
  friend constexpr int compare(const big_natural& a, const big_natural& b) {
    if (a.count_ != b.count_) return a.count_ - b.count_;
    for (int i = a.count_ - 1; i >= 0; --i)
      if (a.words_[i] != b.words_[i]) return a.words_[i] < b.words_[i] ? -1 : 1;
    return 0;
  }

  // How far to shift so that the top word lies in [2^27, 2^28): what divide_digit wants of its divisor.
  constexpr int shift_to_divide() const { return (59 - (bit_length() - 1) % 32) % 32; }

  // Divides by `divisor`, leaves the remainder, returns the quotient, which the caller knows to be at most 9.
  // With the top word of the divisor in [2^27, 2^28) the estimate from the top words alone is short by at
  // most one, so that a digit costs one subtraction or two instead of nine.
  constexpr int divide_digit(const big_natural& divisor) {
    if (count_ < divisor.count_) return 0;
    auto digit = words_[divisor.count_ - 1] / (divisor.words_[divisor.count_ - 1] + 1);
    if (digit != 0) subtract(divisor, digit);
    if (compare(*this, divisor) >= 0) {
      subtract(divisor);
      ++digit;
    }
    return static_cast<int>(digit);
  }
};

}  // namespace jacquard::numerals
