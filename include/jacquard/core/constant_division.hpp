#pragma once
// Division of integers by a number that is known when it is written down: products and shifts, which run on vectors of integers and within
// loops, where no processor divides. Deliberately for recorded numbers; loops over memory use math::fixed_divisor, by the same method.
// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994, theorem 4.2 and figure 4.1.

#include "jacquard/core/recorded_scalar.hpp"

namespace jacquard::detail {

/// Quotients and remainders of x by a number other than 0, with the results of math::int_div and math::int_rem. Numbers of up to 32 bits are
/// computed in 32, but for one product.
class constant_division {
 public:
  constexpr constant_division(const recorded_scalar& x, const literal& divisor)
      : to_(*x.program()), type_(divisor.type), is_long_(size_of(divisor.type) == 8), is_signed_(is_signed_integer(divisor.type)), by_(divisor.low) {
    size_ = x.as(is_signed_ ? (is_long_ ? i64 : i32) : word());
    if (!is_signed_) return;
    is_negative_ = std::int64_t(by_) < 0;
    if (is_negative_) by_ = 0 - by_;
    sign_ = math::shift_right_arithmetic(size_, number(is_long_ ? 63 : 31));
    size_ = with_sign(size_).as(word());
    sign_ = sign_.as(word());
  }
  constexpr recorded_scalar quotient() {
    recorded_scalar q = unsigned_quotient();
    if (is_signed_) q = with_sign(q);
    if (is_negative_) q = number(0) - q;
    return q.as(type_);
  }
  constexpr recorded_scalar remainder() {
    const recorded_scalar r = is_power_of_two() ? size_ & number(by_ - 1) : size_ - unsigned_quotient() * number(by_);
    return (is_signed_ ? with_sign(r) : r).as(type_);
  }

 private:
  constexpr dtype word() const { return is_long_ ? u64 : u32; }
  constexpr bool is_power_of_two() const { return (by_ & (by_ - 1)) == 0; }
  constexpr recorded_scalar number(std::uint64_t v) const {
    if (is_long_) return {to_, to_.constant(literal(v))};
    return {to_, to_.constant(literal(std::uint32_t(v)))};
  }
  constexpr recorded_scalar above(const recorded_scalar& x, int bits) const { return math::shift_right_logical(x, number(std::uint64_t(bits))); }
  /// x, or its negative where all bits of sign_ are set. That is so of what had a negative sign, too.
  constexpr recorded_scalar with_sign(const recorded_scalar& x) const { return (x ^ sign_) - sign_; }

  constexpr recorded_scalar unsigned_quotient() const {
    if (is_power_of_two()) return above(size_, std::countr_zero(by_));
    return is_long_ ? long_quotient() : short_quotient();
  }
  /// x / d is the upper part of x m, m = floor(2^k / d) + 1, for all x with x (m d - 2^k) < 2^k. An m of 32 bits is enough for every signed type;
  /// where one of 33 is needed, the 33rd adds x.
  constexpr recorded_scalar short_quotient() const {
    const std::uint64_t largest = is_signed_ ? std::uint64_t(1) << (8 * size_of(type_) - 1) : (std::uint64_t(1) << (8 * size_of(type_))) - 1;
    for (int bits = 0; bits < 32; ++bits) {
      const std::uint64_t power = std::uint64_t(1) << (32 + bits), factor = power / by_ + 1, excess = factor * by_ - power;
      if (factor >> 32 != 0) break;
      if (largest * excess < power) return above(upper_half(factor), bits);
    }
    const int length = std::bit_width(by_ - 1);
    const recorded_scalar upper = upper_half((((std::uint64_t(1) << length) - by_) << 32) / by_ + 1);
    return above(upper + above(size_ - upper, 1), length - 1);
  }
  /// The upper 32 bits of the product with a number of 32.
  constexpr recorded_scalar upper_half(std::uint64_t factor) const {
    const recorded_scalar product = size_.as(u64) * recorded_scalar(to_, to_.constant(literal(factor)));
    return math::shift_right_logical(product, recorded_scalar(to_, to_.constant(literal(std::uint64_t(32))))).as(u32);
  }
  /// The same with 64 bits, of products of halves.
  constexpr recorded_scalar long_quotient() const {
    const std::uint64_t low_bits = 0xffffffff;
    const math::fixed_divisor d(by_);
    const recorded_scalar factor_low = number(d.factor() & low_bits), factor_high = number(d.factor() >> 32);
    const recorded_scalar low = size_ & number(low_bits), high = above(size_, 32);
    const recorded_scalar inner = high * factor_low + above(low * factor_low, 32);
    const recorded_scalar other = low * factor_high + (inner & number(low_bits));
    const recorded_scalar upper = high * factor_high + above(inner, 32) + above(other, 32);
    return above(upper + above(size_ - upper, 1), d.bits() - 1);
  }

  scalar_program& to_;
  dtype type_;
  bool is_long_, is_signed_, is_negative_ = false;
  std::uint64_t by_;
  recorded_scalar size_, sign_;
};

/// a / b and a % b, elementwise; integers are divided by products where b is known.
constexpr recorded_scalar recorded_quotient(const recorded_scalar& a, const recorded_scalar& b) {
  if (!b.known() || !is_integer(b.known()->type)) return math::divide(a, b);
  const literal divisor = *b.known();
  if (divisor.low == 0) return {*a.program(), a.program()->constant(literal(std::int64_t(-1)).as(divisor.type))};
  return constant_division(a, divisor).quotient();
}
constexpr recorded_scalar recorded_remainder(const recorded_scalar& a, const recorded_scalar& b) {
  if (!b.known() || !is_integer(b.known()->type)) return math::rem(a, b);
  const literal divisor = *b.known();
  return divisor.low == 0 ? a : constant_division(a, divisor).remainder();
}

}  // namespace jacquard::detail
