#pragma once
// Scalar programs: what one element of a fused loop computes, as steps that name no primitive. An elementwise primitive says
// what it does to one element by running its `apply` once on numbers that write down what is done to them. Deliberately
// without loops and memory: those are the business of exec/lowering.

#include <bit>
#include <string_view>
#include <utility>

#include "jacquard/core/list.hpp"
#include "jacquard/core/literal.hpp"
#include "jacquard/core/math/branchless.hpp"
#include "jacquard/core/math/lane_functions.hpp"
#include "jacquard/core/small_vector.hpp"
#include "jacquard/core/view.hpp"

namespace jacquard {

/// Operations on single numbers. Arithmetic keeps the dtype of its operands, comparisons and is_finite give bool.
enum class scalar_op : std::uint8_t {
  load,      ///< element of access number `in[0]`
  index,     ///< the i64 index of loop `in[0]`
  constant,  ///< `value`
  convert,
  bitcast,   ///< the same bits as another dtype of the same size
  lookup,    ///< element of access number `in[1]`, in[0] (i64) elements further on
  select,    ///< in[0] (bool) ? in[1] : in[2]
  add, subtract, multiply, divide, max, min, rem, pow, atan2,
  equal, not_equal, less, less_equal, greater, greater_equal,
  bit_and, bit_or, bit_xor, shift_left, shift_right_arithmetic, shift_right_logical,
  bit_not, population_count, clz,
  negate, abs, sign, is_finite, floor, ceil, round, round_even, sqrt, rsqrt,
  exp, exp2, expm1, log, log1p, logistic, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, cbrt, erf, erfc, erf_inv
};

/// The name of an operation, as loop listings show it.
constexpr std::string_view name(scalar_op op) {
  constexpr std::string_view names[] = {
      "load", "index", "constant", "convert", "bitcast", "lookup", "select", "add", "sub", "mul", "div", "max", "min", "rem", "pow", "atan2",
      "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical",
      "not", "population_count", "clz", "neg", "abs", "sign", "is_finite", "floor", "ceil", "round", "round_even", "sqrt",
      "rsqrt", "exp", "exp2", "expm1", "log", "log1p", "logistic", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
      "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "erf_inv"};
  return names[std::size_t(op)];
}
constexpr int operand_count(scalar_op op) {
  if (op < scalar_op::convert) return 0;
  if ((op >= scalar_op::convert && op <= scalar_op::lookup) || op >= scalar_op::bit_not) return 1;
  return op == scalar_op::select ? 3 : 2;
}
/// The cost of a step relative to an addition.
constexpr int cost_of(scalar_op op) {
  if (op >= scalar_op::exp || op == scalar_op::pow || op == scalar_op::atan2) return 20;
  if (op == scalar_op::lookup) return 16;
  if (op == scalar_op::divide || op == scalar_op::rem || op == scalar_op::sqrt || op == scalar_op::rsqrt) return 5;
  return 1;
}
constexpr bool is_comparison(scalar_op op) { return op >= scalar_op::equal && op <= scalar_op::greater_equal; }

/// One step; operands are numbers of earlier steps.
struct scalar_step {
  scalar_op op = scalar_op::constant;
  dtype type = f32;
  std::int32_t in[3] = {0, 0, 0};
  literal value{};
  bool is_likely = false;  ///< select: the condition holds nearly everywhere; what in[2] alone takes is worth a branch
  constexpr bool operator==(const scalar_step& s) const {
    return op == s.op && type == s.type && in[0] == s.in[0] && in[1] == s.in[1] && in[2] == s.in[2] && value == s.value && is_likely == s.is_likely;
  }
};

/// Steps in order of evaluation; equal steps are shared.
class scalar_program {
 public:
  list<scalar_step> steps;
  bool refused = false;  ///< what was recorded asked a number for its value, which it has not: the steps mean nothing
  bool in_parts = false; ///< functions that no instruction set has are written as the steps that come near them, some ulp off
  bool in_plain_formulas = false;  ///< of complex numbers, which neither scale nor ask for infinities

  constexpr std::int32_t constant(const literal& l) {
    literal strong = l;
    strong.weak = false;
    return share({scalar_op::constant, l.type, {}, strong});
  }
  /// A number of a function's own, among steps of dtype t: those of 16 bits are computed in 32, and so are their constants.
  constexpr std::int32_t constant_among(dtype t, double v) {
    const bool narrow = is_inexact(t) && size_of(t) == 2;
    return share({scalar_op::constant, t, {}, literal(v, narrow ? f32 : t, false)});
  }
  constexpr std::int32_t convert(std::int32_t x, dtype to) {
    if (steps[std::size_t(x)].type == to) return x;
    if (steps[std::size_t(x)].op == scalar_op::constant) return constant(steps[std::size_t(x)].value.as(to));
    return share({scalar_op::convert, to, {x}});
  }
  /// A number of 16 bits, which is computed in 32, rounded to its dtype: a conversion to what it is.
  constexpr std::int32_t round(std::int32_t x) {
    const scalar_op op = steps[std::size_t(x)].op;
    if (op == scalar_op::load || op == scalar_op::constant || op == scalar_op::convert) return x;
    return share({scalar_op::convert, steps[std::size_t(x)].type, {x}});
  }
  constexpr std::int32_t bitcast(std::int32_t x, dtype to) {
    if (steps[std::size_t(x)].type == to) return x;
    return share({scalar_op::bitcast, to, {x}});
  }
  /// Numbers of loops from here on stand for steps (i64): what an index is where it is computed.
  static constexpr std::int32_t first_computed = 1 << 20;
  constexpr std::int32_t index(std::int32_t loop) { return loop >= first_computed ? loop - first_computed : share({scalar_op::index, i64, {loop}}); }
  /// start + step * the index of a loop; start alone where the loop is -1.
  constexpr std::int32_t index_at(std::int32_t loop, std::int64_t start, std::int64_t step) {
    if (loop < 0 || step == 0) return constant(literal(start));
    std::int32_t i = index(loop);
    if (step != 1) i = apply(scalar_op::multiply, i, constant(literal(step)));
    if (start != 0) i = apply(scalar_op::add, i, constant(literal(start)));
    return i;
  }
  constexpr std::int32_t load(std::int32_t access, dtype t) { return share({scalar_op::load, t, {access}}); }
  /// What lies `place` elements from where an access reads.
  constexpr std::int32_t lookup(std::int32_t access, std::int32_t place, dtype t) { return share({scalar_op::lookup, t, {place, access}}); }
  /// An operation on earlier steps.
  constexpr std::int32_t apply(scalar_op op, std::int32_t a, std::int32_t b = 0, std::int32_t c = 0) {
    dtype t = steps[std::size_t(op == scalar_op::select ? b : a)].type;
    if (is_comparison(op) || op == scalar_op::is_finite) t = bool_;
    if (op == scalar_op::multiply)  // exact: the powers of integer_pow start from one
      for (int k = 0; k < 2; ++k)
        if (is_one(k ? a : b)) return k ? b : a;
    if (op == scalar_op::add)  // what is padded with zeros and summed
      for (int k = 0; k < 2; ++k)
        if (is_zero(k ? a : b) && is_never_negative_zero(k ? b : a)) return k ? b : a;
    if ((op == scalar_op::max || op == scalar_op::min) && is_inexact(t) && is_zero(b) && is_never_negative_zero(a)) std::swap(a, b);  // processors hand on a NaN of the second one
    if (op == scalar_op::equal && is_index(a) && is_index(b)) return constant(literal(steps[std::size_t(a)].value == steps[std::size_t(b)].value));
    return share({op, t, {a, b, c}});
  }
  /// A step as it is: the one that there is, or a new one.
  constexpr std::int32_t share(const scalar_step& s) {
    scalar_step turned = s;  // the same where the operands change places
    if (s.op == scalar_op::add || s.op == scalar_op::multiply || s.op == scalar_op::equal) turned.in[0] = s.in[1], turned.in[1] = s.in[0];
    std::int32_t i = -1;  // it comes after its operands
    for (int k = 0; k < operand_count(s.op); ++k) i = s.in[k] > i ? s.in[k] : i;
    while (std::size_t(++i) < steps.size())
      if (steps[std::size_t(i)] == s || steps[std::size_t(i)] == turned) return i;
    steps.push_back(s);
    return i;
  }

 private:
  /// The value of a real constant; null for other steps.
  constexpr const literal* real_constant(std::int32_t x) const {
    const scalar_step& s = steps[std::size_t(x)];
    return s.op == scalar_op::constant && !is_complex(s.type) ? &s.value : nullptr;
  }
  constexpr bool is_one(std::int32_t x) const { return real_constant(x) && real_constant(x)->get<double>() == 1; }
  constexpr bool is_zero(std::int32_t x) const { return real_constant(x) && std::bit_cast<std::uint64_t>(real_constant(x)->get<double>()) == 0; }
  /// Whether adding zero leaves a number as it is: -0 would become 0. A sum is -0 only if both of its parts are; a square never is.
  constexpr bool is_never_negative_zero(std::int32_t x) const {
    constexpr int longest = 16;
    const auto is_known = [&](std::int32_t y) { return real_constant(y) && std::bit_cast<std::uint64_t>(real_constant(y)->get<double>()) != std::uint64_t(1) << 63; };
    for (int i = 0; i < longest; ++i) {
      const scalar_step& s = steps[std::size_t(x)];
      const bool is_square = s.op == scalar_op::multiply && s.in[0] == s.in[1];
      if (is_integer(s.type) || is_known(x) || is_square || s.op == scalar_op::abs) return true;
      if (s.op != scalar_op::add) return false;
      if (is_known(s.in[0]) || is_known(s.in[1])) return true;
      x = s.in[0];
    }
    return false;
  }
  constexpr bool is_index(std::int32_t x) const { return steps[std::size_t(x)].op == scalar_op::constant && steps[std::size_t(x)].type == i64; }
};

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
    if (!x.to_ || !x.to_->in_parts) return write(scalar_op::erf_inv, x);
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
