#pragma once
// Scalar programs: what one element of a fused loop computes, as steps that name no primitive. What a step does not need to compute is left out as
// it is written down. Deliberately without loops and memory: those are the business of exec/lowering.

#include <bit>
#include <string_view>
#include <utility>

#include "jacquard/core/list.hpp"
#include "jacquard/core/literal.hpp"

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
  /// Functions that no instruction set has are written as the steps that come near them, some ulp off, and constants that follow one another as one.
  bool rounds_freely = false;
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
    if (rounds_freely && is_real(t))
      if (const std::int32_t scaled = with_one_factor(op, a, b); scaled >= 0) return scaled;
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
  static constexpr bool is_real(dtype t) { return t == f32 || t == f64; }
  /// 2 (c x), x + x, -(c x) as one product each; -1: it is none of these. Derivatives of squares are full of them. The factors are such that a result is
  /// another one only where c x is a denormal number: it overflows, and is NaN, where it did before.
  constexpr std::int32_t with_one_factor(scalar_op op, std::int32_t a, std::int32_t b) {
    if (op == scalar_op::add && a == b) return scaled(a, 2);
    if (op == scalar_op::negate && factor_of(a) >= 0) return scaled(a, -1);
    if (op != scalar_op::multiply) return -1;
    if (real_constant(a)) std::swap(a, b);
    const literal* const outer = real_constant(b);
    if (!outer || factor_of(a) < 0) return -1;
    const double by = outer->get<double>(), inner = real_constant(steps[std::size_t(a)].in[factor_of(a)])->get<double>();
    return (is_power_of_two(by) && size(by) >= 1) || (is_power_of_two(inner) && size(inner) <= 1) ? scaled(a, by) : -1;
  }
  /// x times a number, which goes into the constant factor that x has, where that leaves it a normal number.
  constexpr std::int32_t scaled(std::int32_t x, double by) {
    const dtype t = steps[std::size_t(x)].type;
    const int k = factor_of(x);
    const double inner = k < 0 ? 1 : real_constant(steps[std::size_t(x)].in[k])->get<double>(), all = inner * by;
    const bool is_normal = t == f64 ? size(all) > 0x1p-1000 && size(all) < 0x1p1000 : size(all) > 0x1p-120 && size(all) < 0x1p120 && double(float(all)) == all;
    const std::int32_t of = k < 0 || !is_normal ? x : steps[std::size_t(x)].in[1 - k];
    if (of != x && all == 1) return of;
    return share({scalar_op::multiply, t, {of, constant(literal(of == x ? by : all, t, false))}});
  }
  /// Which operand of a step is a constant factor of the other one; -1: none.
  constexpr int factor_of(std::int32_t x) const {
    const scalar_step& s = steps[std::size_t(x)];
    if (s.op != scalar_op::multiply) return -1;
    return real_constant(s.in[1]) ? 1 : real_constant(s.in[0]) ? 0 : -1;
  }
  static constexpr double size(double x) { return x < 0 ? -x : x; }
  static constexpr bool is_power_of_two(double x) { return x != 0 && size(x) < __builtin_inf() && (std::bit_cast<std::uint64_t>(x) & ((std::uint64_t(1) << 52) - 1)) == 0; }
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

}  // namespace jacquard
