#pragma once
// LLVM IR of single scalar operations on vectors of a fixed number of lanes, as text. Deliberately knows no loops.

#include <cmath>
#include <limits>

#include "jacquard/backends/cpu/llvm_calls.hpp"

namespace jacquard::cpu::detail {

class instruction_writer : protected call_writer {
 protected:
  using call_writer::call_writer;

  std::string select(const std::string& which, dtype t, const std::string& on, const std::string& off) {
    return set({"select ", mask_type(), " ", which, ", ", vector_of(t), " ", on, ", ", vector_of(t), " ", off});
  }
  /// A commutative operation that a reduction uses, or any other one of two numbers.
  std::string combine(scalar_op op, dtype t, const std::string& a, const std::string& b) {
    const std::string v = vector_of(t);
    const bool real = is_inexact(t);
    const std::string flags = !real || t_.strict ? "" : t_.fast_math ? "reassoc nsz arcp contract " : "contract ";
    const auto plain = [&](const char* floating, const char* integer) {
      return set({real ? floating : integer, " ", real ? flags : "", v, " ", a, ", ", b});
    };
    switch (op) {
      case scalar_op::add: return plain("fadd", "add");
      case scalar_op::subtract: return plain("fsub", "sub");
      case scalar_op::multiply: return plain("fmul", is_boolean(t) ? "and" : "mul");
      case scalar_op::divide:
        if (const std::string by_product = real ? divided_by_constant(t, a, constant_value(b)) : std::string(); !by_product.empty()) return by_product;
        return real ? plain("fdiv", "") : whole_division(t, a, b).first;
      case scalar_op::rem: return real ? remainder(t, a, b) : whole_division(t, a, b).second;
      case scalar_op::bit_and: return plain("", "and");
      case scalar_op::bit_or: return plain("", "or");
      case scalar_op::bit_xor: return plain("", "xor");
      case scalar_op::shift_left: return shift("shl", t, a, b, "zeroinitializer");
      case scalar_op::shift_right_logical: return shift("lshr", t, a, b, "zeroinitializer");
      case scalar_op::shift_right_arithmetic:
        return shift("ashr", t, a, b, set({"ashr ", v, " ", a, ", ", all(computed(t), std::to_string(8 * size_of(t) - 1))}));
      case scalar_op::max:
      case scalar_op::min: {
        const bool greater = op == scalar_op::max;
        if (!real) {
          const bool is_signed = is_signed_integer(t);
          const std::string c = set({"icmp ", is_signed ? "s" : "u", greater ? "gt " : "lt ", v, " ", a, ", ", b});
          return select(c, t, a, b);
        }
        return extreme(greater, t, a, b);
      }
      default: return library(function_name(op), t, {a, b});
    }
  }
  /// The larger or the smaller of two numbers as math::max and math::min choose: NaN on either side gives NaN, of two zeros it is b.
  std::string extreme(bool greater, dtype t, const std::string& a, const std::string& b) {
    const std::string v = vector_of(t);
    const auto choose = [&](const char* how, const std::string& x, const std::string& y) { return select(set({"fcmp ", how, v, " ", x, ", ", y}), t, x, y); };
    const double c = constant_value(a[0] == '<' ? a : b);
    if (c == c) {  // beside a constant it is known whose NaN to keep
      const bool zero_wins = c == 0 && a[0] != '<' && !t_.fast_math;
      return choose(zero_wins ? (greater ? "oge " : "ole ") : greater ? "ogt " : "olt ", a[0] == '<' ? a : b, a[0] == '<' ? b : a);
    }
    // The one instruction for this gives b where a is compared with it in vain.
    if (t_.bytes == 64 && width_ * (t == f64 ? 8 : 4) == 64) {
      const std::string f = concat({"llvm.x86.avx512.", greater ? "max" : "min", t == f64 ? ".pd.512" : ".ps.512"});
      const std::string chosen = call(v, f, {concat({v, " ", a}), concat({v, " ", b}), "i32 immarg 4"}, {v, v, "i32 immarg"});
      return select(set({"fcmp ord ", v, " ", a, ", ", a}), t, chosen, a);
    }
    // A constant in place of a keeps LLVM from joining both choices, which takes more.
    const std::string chosen = choose(greater ? "ogt " : "olt ", a, b);
    return select(set({"fcmp uno ", v, " ", a, ", ", a}), t, t_.strict ? a : constant(__builtin_nan(""), t), chosen);
  }
  std::string fused(dtype t, const std::string& a, const std::string& b, const std::string& c) {
    const std::string v = vector_of(t);
    return call(v, concat({"llvm.fma.v", std::to_string(width_), computed_suffix(t)}), {concat({v, " ", a}), concat({v, " ", b}), concat({v, " ", c})}, {v, v, v});
  }
  /// The sizes of numbers of a type whose inverse loses no bits.
  static double largest_inverted(dtype t) { return t == f64 ? 0x1p900 : 0x1p100; }
  /// What the inverse of a number of a type is multiplied by to be closer to zero than it would be exactly.
  static double below_one(dtype t) { return 1 - (t == f64 ? 0x1p-52 : 0x1p-23); }
  /// x times an inverse that has twice as many digits: `most` and `rest`, which have its sign, neither zero, so that infinite x and zeros of either sign
  /// give what they should. That is the quotient rounded once, but for one of some million numbers where it is the one next to that, and for results so
  /// small that what `rest` adds is not among the normal numbers.
  std::string times_inverse(dtype t, const std::string& x, const std::string& most, const std::string& rest) {
    return fused(t, x, most, set({"fmul ", vector_of(t), " ", x, ", ", rest}));
  }
  /// x / c in this way; empty where that is no help. Numbers of 16 bits are computed in 32, and so are their constants.
  std::string divided_by_constant(dtype given, const std::string& x, double c) {
    const dtype t = given == f64 ? f64 : f32;
    int exponent = 0;
    const bool fits = std::fabs(c) < largest_inverted(t) && std::fabs(c) > 1 / largest_inverted(t) && std::fabs(std::frexp(c, &exponent)) != 0.5;
    if (!fits || t_.strict || t_.fast_math || t_.isa == 'b') return {};
    const double inverse = (t == f64 ? 1 / c : double(float(1 / c))) * below_one(t), most = t == f64 ? inverse : double(float(inverse));
    return times_inverse(t, x, constant(most, t), constant(std::fma(-most, c, 1.0) / c, t));
  }
  std::string remainder(dtype t, const std::string& x, const std::string& y) {
    const std::string v = vector_of(t);
    if (t_.features.find("+fma") == std::string::npos) return library(function_name(scalar_op::rem), t, {x, y});
    const char* const convention = calling_convention_for(width_ * (t == f64 ? 8 : 4), t_.bytes);
    const vector_function f = remainder_function(t != f64, width_, convention);
    declarations_.insert(f.texts.begin(), f.texts.end());
    return call(v, f.name, {concat({v, " ", x}), concat({v, " ", y})}, {v, v}, convention);
  }
  /// The quotient and the remainder of whole numbers as math::int_div and math::int_rem have them: the processor never divides by 0, nor the least
  /// number by -1. By numbers of up to 32 bits that differ it divides in f64, which is exact; a constant becomes a product.
  std::pair<std::string, std::string> whole_division(dtype t, const std::string& a, const std::string& given) {
    const std::string v = vector_of(t), one = all(computed(t), "1"), minus_one = all(computed(t), "-1");
    const bool is_signed = is_signed_integer(t), is_constant = given[0] == '<';
    const std::string b = is_constant ? given : set({"freeze ", v, " ", given});  // lanes beyond the last element may hold anything
    const auto instruction = [&](const std::string& text, const std::string& x, const std::string& y) { return set({text, " ", v, " ", x, ", ", y}); };
    const std::string is_zero = instruction("icmp eq", b, "zeroinitializer");
    const std::string is_minus = is_signed ? instruction("icmp eq", b, minus_one) : std::string();
    std::string y = select(is_zero, t, one, b);
    if (is_signed) y = select(is_minus, t, one, y);
    std::string q;
    if (is_constant || size_of(t) == 8 || width_ == 1) q = instruction(is_signed ? "sdiv" : "udiv", a, y);
    else {
      const std::string wide = text_of_vector(width_, "double"), sign = is_signed ? "s" : "u";
      const auto real = [&](const std::string& x) { return set({sign, "itofp ", v, " ", x, " to ", wide}); };
      const std::string x = real(a), of = real(y);
      q = set({"fpto", sign, "i ", wide, " ", set({"fdiv ", wide, " ", x, ", ", of}), " to ", v});
    }
    const std::string left = instruction("sub", a, instruction("mul", q, y));
    if (is_signed) q = select(is_minus, t, instruction("sub", "zeroinitializer", a), q);
    return {select(is_zero, t, minus_one, q), select(is_zero, t, a, left)};
  }
  /// A shift; `beyond` where the count is not below the width, which the instruction leaves open.
  std::string shift(const char* instruction, dtype t, const std::string& a, const std::string& count, const std::string& beyond) {
    const std::string v = vector_of(t);
    const std::string inside = set({"icmp ult ", v, " ", count, ", ", all(computed(t), std::to_string(8 * size_of(t)))});
    return select(inside, t, set({instruction, " ", v, " ", a, ", ", count}), beyond);
  }
  /// The bits of x as another dtype of the same size.
  std::string bitcast(dtype from, dtype to, const std::string& x) {
    const std::string stored = is_inexact(from) ? narrowed(from, x) : x;
    if (memory_of(from) == memory_of(to)) return is_inexact(to) ? widened(to, stored) : stored;
    const std::string other = set({"bitcast ", memory_of(from), " ", stored, " to ", memory_of(to)});
    return is_inexact(to) ? widened(to, other) : other;
  }
  std::string compare(scalar_op op, dtype t, const std::string& a, const std::string& b) {
    static constexpr const char* floating[] = {"oeq", "une", "olt", "ole", "ogt", "oge"};
    static constexpr const char* with_sign[] = {"eq", "ne", "slt", "sle", "sgt", "sge"};
    static constexpr const char* without[] = {"eq", "ne", "ult", "ule", "ugt", "uge"};
    const std::size_t i = std::size_t(op) - std::size_t(scalar_op::equal);
    if (is_inexact(t)) return set({"fcmp ", floating[i], " ", vector_of(t), " ", a, ", ", b});
    return set({"icmp ", (is_signed_integer(t) ? with_sign : without)[i], " ", vector_of(t), " ", a, ", ", b});
  }
  std::string unary(scalar_op op, dtype t, const std::string& x) {
    const std::string v = vector_of(t);
    const bool real = is_inexact(t);
    switch (op) {
      case scalar_op::negate: return real ? set({t_.fast_math ? "fneg nsz " : "fneg ", v, " ", x}) : set({"sub ", v, " zeroinitializer, ", x});
      case scalar_op::bit_not: return set({"xor ", v, " ", x, ", ", all(computed(t), is_boolean(t) ? "1" : "-1")});
      case scalar_op::abs:
        if (real) return intrinsic("fabs", t, x);
        if (!is_signed_integer(t)) return x;
        return select(set({"icmp slt ", v, " ", x, ", zeroinitializer"}), t, set({"sub ", v, " zeroinitializer, ", x}), x);
      case scalar_op::sign: return sign(t, x);
      case scalar_op::population_count: return intrinsic("ctpop", t, x);
      case scalar_op::clz: {
        const std::string f = concat({"llvm.ctlz.v", std::to_string(width_), computed_suffix(t)});
        return call(v, f, {concat({v, " ", x}), "i1 false"}, {v, "i1 immarg"});
      }
      case scalar_op::is_finite: return set({"fcmp olt ", v, " ", intrinsic("fabs", t, x), ", ", constant(__builtin_inf(), t)});
      case scalar_op::floor: return intrinsic("floor", t, x);
      case scalar_op::ceil: return intrinsic("ceil", t, x);
      case scalar_op::round: return intrinsic("round", t, x);
      case scalar_op::round_even: return intrinsic("roundeven", t, x);
      case scalar_op::sqrt: return takes_steps(t) ? root_in_steps(t, x).first : intrinsic("sqrt", t, x);
      case scalar_op::rsqrt: return takes_steps(t) ? root_in_steps(t, x).second : set({"fdiv ", v, " ", constant(1.0, t), ", ", intrinsic("sqrt", t, x)});
      case scalar_op::logistic: return logistic(t, x);
      default: return library(function_name(op), t, {x});
    }
  }
  /// Whether a root is made of multiplications; see root_plan. The instructions for it are those of whole vectors.
  bool takes_steps(dtype t) const { return roots_take_steps_ && width_ * (t == f64 ? 8 : 4) == 64; }
  /// The root of x and its inverse: from g near sqrt(x) and h near 1 / (2 sqrt(x)), which share the error r = 1/2 - g h, by steps of Newton's for both
  /// at once; at the end what is missing in g, x - g g, is exact. Source: Markstein, "Computation of elementary functions on the IBM RISC System/6000
  /// processor", 1990. The root is the one IEEE 754 asks for (all numbers of f32 were tried), but for those below 2^-100 in f32, where the last bit may
  /// be another, and 2^-960 in f64; the inverse is an ulp off at most. Zeros, infinities and NaN are those of the instructions. With fast_math that last
  /// step is left out.
  std::pair<std::string, std::string> root_in_steps(dtype given, const std::string& x) {
    const dtype t = given == f64 ? f64 : f32;  // in which numbers of 16 bits are computed
    const std::string v = vector_of(t), half = constant(0.5, t), mask = t == f64 ? "i8" : "i16", lanes = t == f64 ? ".pd.512" : ".ps.512";
    const std::string y = call(v, concat({"llvm.x86.avx512.rsqrt14", lanes}), {concat({v, " ", x}), concat({v, " zeroinitializer"}), concat({mask, " -1"})}, {v, v, mask});
    const auto times = [&](const std::string& a, const std::string& b) { return set({"fmul ", v, " ", a, ", ", b}); };
    const auto less = [&](const std::string& a, const std::string& b, const std::string& from) { return fused(t, set({"fneg ", v, " ", a}), b, from); };
    std::string g = times(x, y), h = times(half, y);
    for (int n = 0; n < (t == f64 ? 2 : 1); ++n) {
      const std::string r = less(g, h, half);
      g = fused(t, g, r, g), h = fused(t, h, r, h);
    }
    std::string inverse = set({"fadd ", v, " ", h, ", ", h});
    if (!t_.fast_math) {
      g = fused(t, less(g, g, x), h, g);
      const std::string near = times(x, inverse), rest = fused(t, x, inverse, set({"fneg ", v, " ", near}));  // x / root, in twice as many digits
      inverse = fused(t, h, less(rest, inverse, less(near, inverse, constant(1.0, t))), inverse);
    }
    const std::string is_limit = call(mask_type(), concat({"llvm.x86.avx512.fpclass", lanes}), {concat({v, " ", x}), "i32 immarg 14"}, {v, "i32 immarg"});
    return {select(is_limit, t, x, g), select(is_limit, t, y, inverse)};
  }
  /// 1 / (1 + exp(-x)), as math::logistic computes it: with the exponential of -|x|, which does not overflow where the result is yet above zero.
  std::string logistic(dtype t, const std::string& x) {
    const std::string v = vector_of(t), one = constant(1.0, t);
    const std::string e = library("exp", t, {set({"fneg ", v, " ", t_.fast_math ? x : intrinsic("fabs", t, x)})});
    const std::string above = t_.fast_math ? one : select(set({"fcmp olt ", v, " ", x, ", zeroinitializer"}), t, e, one);
    return set({"fdiv ", v, " ", above, ", ", set({"fadd ", v, " ", one, ", ", e})});
  }
  std::string sign(dtype t, const std::string& x) {
    const std::string v = vector_of(t), above = compare(scalar_op::greater, t, x, "zeroinitializer");
    const std::string below = compare(scalar_op::less, t, x, "zeroinitializer");
    // Zeros and NaN are themselves, also as sums: of denormal numbers, which only where they count as zero are neither above nor below it, a zero.
    const std::string rest = is_inexact(t) ? set({"fadd ", v, " ", x, ", ", x}) : x;
    const std::string other = is_signed_integer(t) || is_inexact(t) ? select(below, t, constant(-1.0, t), rest) : rest;
    return select(above, t, constant(1.0, t), other);
  }
  std::string convert(dtype from, dtype to, const std::string& x) {
    const std::string a = vector_of(from), b = vector_of(to);
    if (is_boolean(to)) return set({is_inexact(from) ? "fcmp une " : "icmp ne ", a, " ", x, ", zeroinitializer"});
    if (is_inexact(to)) {
      if (size_of(to) == 2 && !is_boolean(from) && size_of(from) >= 4 && from != f32) return widened(to, narrowed(to, rounded_to_odd(from, x)));
      std::string r = x;
      if (is_boolean(from)) return select(x, to, constant(1.0, to), constant(0.0, to));  // LLVM would go through integers
      if (!is_inexact(from)) r = set({is_signed_integer(from) ? "sitofp " : "uitofp ", a, " ", x, " to ", b});
      else if (a != b) r = set({from == f64 ? "fptrunc " : "fpext ", a, " ", x, " to ", b});
      return size_of(to) == 2 ? widened(to, narrowed(to, r)) : r;  // a conversion rounds, also where computing is wider
    }
    if (is_inexact(from)) return whole_number(from, to, x);
    const int have = is_boolean(from) ? 0 : int(size_of(from)), want = int(size_of(to));
    if (have == want) return x;
    return set({have > want ? "trunc " : is_signed_integer(from) ? "sext " : "zext ", a, " ", x, " to ", b});
  }
  /// A number towards zero as a whole one: the nearest there is of those beyond them, 0 of NaN. LLVM has an intrinsic for this that takes vectors apart.
  std::string whole_number(dtype from, dtype to, const std::string& x) {
    const dtype real = from == f64 ? f64 : f32;  // numbers of 16 bits are computed in 32
    const bool is_signed = is_signed_integer(to), is_narrow = size_of(to) <= 2;
    const int bits = 8 * int(size_of(to)) - is_signed;
    const std::string a = vector_of(from), b = vector_of(to), wide = is_narrow ? vector_of(i32) : b, convert = is_signed || is_narrow ? "fptosi " : "fptoui ";
    const auto compare = [&](const char* how, const std::string& y, const std::string& with) { return set({"fcmp ", how, a, " ", y, ", ", with}); };
    std::string r;
    if (is_signed) {
      const std::string least = constant(-std::ldexp(1.0, bits), real);
      r = select(compare("ord ", x, "zeroinitializer"), real, x, "zeroinitializer");
      r = select(compare("olt ", r, least), real, least, r);
    } else r = select(compare("ogt ", x, "zeroinitializer"), real, x, "zeroinitializer");
    if (bits <= std::numeric_limits<float>::digits || (real == f64 && bits < std::numeric_limits<double>::digits)) {  // the largest one is a number of this type
      const std::string most = constant(std::ldexp(1.0, bits) - 1, real);
      const std::string whole = set({convert, a, " ", select(compare("ogt ", r, most), real, most, r), " to ", wide});
      return is_narrow ? set({"trunc ", wide, " ", whole, " to ", b}) : whole;
    }
    const std::string beyond = compare("oge ", r, constant(std::ldexp(1.0, bits), real));
    const std::string whole = set({convert, a, " ", select(beyond, real, "zeroinitializer", r), " to ", b});
    return select(beyond, to, all(computed(to), is_signed ? std::to_string((std::uint64_t(1) << bits) - 1) : "-1"), whole);
  }
  /// A number of more bits than f32 has, as f32: exact, or the neighbour whose last bit is set, so that rounding it further to 16 bits
  /// rounds once. Source: Boldo and Melquiond, "When double rounding is odd", 2005.
  std::string rounded_to_odd(dtype from, std::string x) {
    const std::string v = vector_of(f64), single = vector_of(f32), ints = vector_of(i32), wide = vector_of(i64);
    if (!is_inexact(from)) {
      const bool has_sign = is_signed_integer(from);
      if (size_of(from) == 8) {  // what f64 cannot hold: the bits it would drop become one
        const auto bits = [&](std::int64_t n) { return all("i64", std::to_string(n)); };
        const std::string high = set({has_sign ? "ashr " : "lshr ", wide, " ", x, ", ", bits(53)});
        const std::string low = set({"icmp ne ", wide, " ", set({"and ", wide, " ", x, ", ", bits(0x1fff)}), ", zeroinitializer"});
        const std::string one = set({"select ", mask_type(), " ", low, ", ", wide, " ", bits(0x1000), ", ", wide, " zeroinitializer"});
        const std::string odd = set({"or ", wide, " ", set({"and ", wide, " ", x, ", ", bits(~std::int64_t(0x1fff))}), ", ", one});
        const std::string fits = set({"icmp ult ", wide, " ", set({"add ", wide, " ", high, ", ", bits(has_sign)}), ", ", bits(has_sign ? 2 : 1)});
        x = set({"select ", mask_type(), " ", fits, ", ", wide, " ", x, ", ", wide, " ", odd});
      }
      x = set({has_sign ? "sitofp " : "uitofp ", vector_of(from), " ", x, " to ", v});
    }
    const std::string near = set({"fptrunc ", v, " ", x, " to ", single}), back = set({"fpext ", single, " ", near, " to ", v});
    const std::string further = set({"fcmp ogt ", v, " ", intrinsic("fabs", f64, back), ", ", intrinsic("fabs", f64, x)});
    const std::string inexact = set({"fcmp one ", v, " ", back, ", ", x});
    const std::string step = set({"zext ", mask_type(), " ", further, " to ", ints}), last = set({"zext ", mask_type(), " ", inexact, " to ", ints});
    const std::string below = set({"sub ", ints, " ", set({"bitcast ", single, " ", near, " to ", ints}), ", ", step});
    return set({"bitcast ", ints, " ", set({"or ", ints, " ", below, ", ", last}), " to ", single});
  }
  /// The step `s`, whose first operand has type `from`, on registers.
  std::string operation(const scalar_step& s, dtype from, const std::string* x) {
    if (s.op == scalar_op::convert) return convert(from, s.type, x[0]);
    if (s.op == scalar_op::bitcast) return bitcast(from, s.type, x[0]);
    if (s.op == scalar_op::select) return select(x[0], s.type, x[1], x[2]);
    if (is_comparison(s.op)) return compare(s.op, from, x[0], x[1]);
    return operand_count(s.op) == 2 ? combine(s.op, from, x[0], x[1]) : unary(s.op, from, x[0]);
  }

  bool roots_take_steps_ = false;  ///< square roots are made of multiplications
};

}  // namespace jacquard::cpu::detail
