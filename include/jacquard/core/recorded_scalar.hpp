#pragma once
// Recorded scalars: numbers that write down what is done to them as a scalar program. An elementwise primitive says what it does to one element by
// running its `apply` once on them. Deliberately without values: a condition on one cannot be written down.

#include "jacquard/core/math/branchless.hpp"
#include "jacquard/core/math/lane_functions.hpp"
#include "jacquard/core/scalar_program.hpp"

namespace jacquard {

/// A number that writes down what is done to it. Plain numbers take the dtype of what they meet. A condition on one cannot be
/// written down: it marks the program as refused.
class recorded_scalar {
 public:
  using lane_element = double;

  constexpr recorded_scalar() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr recorded_scalar(T v) : plain_(double(v)) {}
  constexpr explicit operator bool() const {
    if (to_) to_->refused = true;
    return false;
  }
  constexpr recorded_scalar(scalar_program& to, std::int32_t number) : to_(&to), number_(number) {}
  constexpr std::int32_t number() const { return number_; }
  /// What it is written in; null for a plain number.
  constexpr scalar_program* program() const { return to_; }
  /// Its value, where that is known while it is written down; else null.
  constexpr const literal* known() const {
    if (!to_ || to_->steps[std::size_t(number_)].op != scalar_op::constant) return nullptr;
    return &to_->steps[std::size_t(number_)].value;
  }
  /// A plain number as one of the dtype of x; itself, if it is recorded.
  constexpr recorded_scalar like(const recorded_scalar& x) const {
    if (to_) return *this;
    return {*x.to_, in(*x.to_, x)};
  }
  constexpr recorded_scalar as(dtype t) const { return {*to_, to_->convert(number_, t)}; }

  friend constexpr recorded_scalar operator+(const recorded_scalar& a, const recorded_scalar& b) { return add(a, b); }
  friend constexpr recorded_scalar operator-(const recorded_scalar& a, const recorded_scalar& b) { return subtract(a, b); }
  friend constexpr recorded_scalar operator*(const recorded_scalar& a, const recorded_scalar& b) { return multiply(a, b); }
  friend constexpr recorded_scalar operator/(const recorded_scalar& a, const recorded_scalar& b) { return divide(a, b); }
  friend constexpr recorded_scalar operator-(const recorded_scalar& a) { return negate(a); }
  friend constexpr recorded_scalar operator!(const recorded_scalar& a) { return write(scalar_op::bit_not, a); }
  friend constexpr recorded_scalar operator&(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::bit_and, a, b); }
  friend constexpr recorded_scalar operator|(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::bit_or, a, b); }
  friend constexpr recorded_scalar operator^(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::bit_xor, a, b); }
  friend constexpr recorded_scalar operator~(const recorded_scalar& a) { return write(scalar_op::bit_not, a); }
  friend constexpr recorded_scalar operator==(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::equal, a, b); }
  friend constexpr recorded_scalar operator!=(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::not_equal, a, b); }
  friend constexpr recorded_scalar operator<(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::less, a, b); }
  friend constexpr recorded_scalar operator<=(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::less_equal, a, b); }
  friend constexpr recorded_scalar operator>(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::greater, a, b); }
  friend constexpr recorded_scalar operator>=(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::greater_equal, a, b); }

#define JACQUARD_RECORDED_UNARY(name) \
  static constexpr recorded_scalar name(const recorded_scalar& x) { return write(scalar_op::name, x); }
#define JACQUARD_RECORDED_BINARY(name) \
  static constexpr recorded_scalar name(const recorded_scalar& a, const recorded_scalar& b) { return write(scalar_op::name, a, b); }
  JACQUARD_RECORDED_BINARY(add)
  JACQUARD_RECORDED_BINARY(subtract)
  JACQUARD_RECORDED_BINARY(multiply)
  JACQUARD_RECORDED_BINARY(divide)
  JACQUARD_RECORDED_BINARY(max)
  JACQUARD_RECORDED_BINARY(min)
  JACQUARD_RECORDED_BINARY(rem)
  JACQUARD_RECORDED_BINARY(pow)
  JACQUARD_RECORDED_BINARY(atan2)
  JACQUARD_RECORDED_BINARY(shift_left)
  JACQUARD_RECORDED_BINARY(shift_right_arithmetic)
  JACQUARD_RECORDED_BINARY(shift_right_logical)
  JACQUARD_RECORDED_UNARY(negate)
  JACQUARD_RECORDED_UNARY(abs)
  JACQUARD_RECORDED_UNARY(sign)
  JACQUARD_RECORDED_UNARY(is_finite)
  JACQUARD_RECORDED_UNARY(floor) JACQUARD_RECORDED_UNARY(ceil) JACQUARD_RECORDED_UNARY(round) JACQUARD_RECORDED_UNARY(round_even)
  JACQUARD_RECORDED_UNARY(sqrt) JACQUARD_RECORDED_UNARY(rsqrt)
  JACQUARD_RECORDED_UNARY(population_count)
  JACQUARD_RECORDED_UNARY(clz)
  JACQUARD_RECORDED_UNARY(exp) JACQUARD_RECORDED_UNARY(exp2) JACQUARD_RECORDED_UNARY(expm1)
  JACQUARD_RECORDED_UNARY(log) JACQUARD_RECORDED_UNARY(log1p)
  JACQUARD_RECORDED_UNARY(logistic)
  JACQUARD_RECORDED_UNARY(sin) JACQUARD_RECORDED_UNARY(cos) JACQUARD_RECORDED_UNARY(tan)
  JACQUARD_RECORDED_UNARY(asin) JACQUARD_RECORDED_UNARY(acos) JACQUARD_RECORDED_UNARY(atan)
  JACQUARD_RECORDED_UNARY(sinh) JACQUARD_RECORDED_UNARY(cosh) JACQUARD_RECORDED_UNARY(tanh)
  JACQUARD_RECORDED_UNARY(asinh) JACQUARD_RECORDED_UNARY(acosh) JACQUARD_RECORDED_UNARY(atanh)
  JACQUARD_RECORDED_UNARY(cbrt)
  JACQUARD_RECORDED_UNARY(erf)
  JACQUARD_RECORDED_UNARY(erfc)
#undef JACQUARD_RECORDED_UNARY
#undef JACQUARD_RECORDED_BINARY
  static constexpr recorded_scalar select(const recorded_scalar& which, const recorded_scalar& on, const recorded_scalar& off) {
    return chosen(which, on, off, false);
  }
  /// select where `which` holds nearly everywhere: of a vector for which it does, `off` need not be computed.
  static constexpr recorded_scalar usually(const recorded_scalar& which, const recorded_scalar& on, const recorded_scalar& off) {
    return chosen(which, on, off, true);
  }
  static constexpr recorded_scalar erf_inv(const recorded_scalar& x) {
    if (!x.to_ || !x.to_->rounds_freely) return write(scalar_op::erf_inv, x);
    scalar_program& to = *x.to_;
    const dtype t = to.steps[std::size_t(x.number_)].type;
    return {to, to.convert(math::branchless::erf_inv(recorded_scalar(to, to.convert(x.number_, f64))).number_, t)};
  }
  /// A function that has no step of its own: it cannot be written down.
  template <class F>
  static constexpr recorded_scalar each(F&&, const recorded_scalar& first, const auto&... rest) {
    (void)(int(bool(first)) | ... | int(bool(rest)));
    return {};
  }

 private:
  static constexpr recorded_scalar chosen(const recorded_scalar& which, const recorded_scalar& on, const recorded_scalar& off, bool is_likely) {
    if (!which.to_ || (!on.to_ && !off.to_)) return {};
    scalar_program& to = *which.to_;
    const std::int32_t first = on.in(to, off), second = off.in(to, on);
    return {to, to.share({scalar_op::select, to.steps[std::size_t(first)].type, {which.number_, first, second}, {}, is_likely})};
  }
  static constexpr recorded_scalar write(scalar_op op, const recorded_scalar& x) {
    if (!x.to_) return {};
    return {*x.to_, x.to_->apply(op, x.number_)};
  }
  static constexpr recorded_scalar write(scalar_op op, const recorded_scalar& a, const recorded_scalar& b) {
    if (!a.to_ && !b.to_) return {};
    scalar_program& to = a.to_ ? *a.to_ : *b.to_;
    const std::int32_t left = a.in(to, b), right = b.in(to, a);
    return {to, to.apply(op, left, right)};
  }
  /// This number as a step of `to`; a plain one gets the dtype of the other operand.
  constexpr std::int32_t in(scalar_program& to, const recorded_scalar& other) const {
    return to_ ? number_ : to.constant_among(to.steps[std::size_t(other.number_)].type, plain_);
  }

  scalar_program* to_ = nullptr;
  std::int32_t number_ = -1;
  double plain_ = 0;
};

}  // namespace jacquard
