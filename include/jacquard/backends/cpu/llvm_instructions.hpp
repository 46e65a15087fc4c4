#pragma once
// LLVM IR of single scalar operations on vectors of a fixed number of lanes, as text. One register after another is appended to
// the code; types, constants and declarations of what is called are kept here. Deliberately knows no loops.

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "jacquard/backends/cpu/remainder_function.hpp"
#include "jacquard/core/scalar_program.hpp"

namespace jacquard::cpu {

/// What the text is written for.
struct vector_target {
  int bytes = 16;         ///< of a vector register
  char isa = 'b';         ///< letter of the vector functions of libmvec: b, d, e
  std::string cpu, features;
  bool strict = false;    ///< a * b + c is two roundings, and functions are the scalar ones
  bool fast_math = false; ///< terms and factors in any order, inverses instead of divisors, no signs of zeros; see jq::precision
  /// Whether the process has a function of that name.
  bool (*has_function)(const char* name) = nullptr;
};

/// The name of the function of a phase of a kernel.
inline std::string phase_name(const std::string& kernel, std::size_t phase) { return phase == 0 ? kernel : kernel + "." + std::to_string(phase); }

/// What can be written within loops.
inline bool can_emit(scalar_op op, dtype t) {
  if (is_complex(t) || op == scalar_op::erf_inv) return false;
  if (op == scalar_op::bitcast) return size_of(t) != 2;  // floating point of 16 bits is computed in 32
  if (op == scalar_op::divide || op == scalar_op::rem) return !is_boolean(t);
  if (op == scalar_op::pow || op == scalar_op::atan2) return is_inexact(t);
  return true;
}

namespace detail {

/// The C name of a function of real numbers, empty for operations that are instructions.
inline std::string_view function_name(scalar_op op) {
  switch (op) {
    case scalar_op::logistic: case scalar_op::erf_inv: return {};
    case scalar_op::pow: case scalar_op::atan2: return name(op);
    case scalar_op::rem: return "fmod";
    default: return op >= scalar_op::exp ? name(op) : std::string_view{};
  }
}

/// Whether an operation takes so long that a row keeps its results.
inline bool is_dear(scalar_op op) { return !function_name(op).empty() || op == scalar_op::logistic; }

/// How many steps of a program take that long, and of how many the longest chain is whose steps wait for each other.
struct dear_steps {
  std::size_t count = 0, chain = 0;
  explicit dear_steps(const scalar_program& p) {
    std::vector<std::size_t> before;
    for (const scalar_step& s : p.steps) {
      std::size_t n = 0;
      for (int i = 0; i < operand_count(s.op); ++i) n = std::max(n, before[std::size_t(s.in[i])]);
      before.push_back(n + is_dear(s.op));
      count += is_dear(s.op);
      chain = std::max(chain, before.back());
    }
  }
};

class instruction_writer {
 public:
  explicit instruction_writer(const vector_target& t) : t_(t) {}

 protected:
  void line(const std::string& s) { code_ += s + "\n"; }
  std::string set(const std::string& instruction) {
    const std::string r = "%r" + std::to_string(registers_++);
    line("  " + r + " = " + instruction);
    return r;
  }
  template <class F>
  std::string repeat(F&& element) const {
    std::string r;
    for (int i = 0; i < width_; ++i) r += (i ? ", " : "") + element(i);
    return r;
  }
  std::string lanes() const {
    std::string r = "<";  // g++ 12 warns of what "<" + a temporary does to it
    r += std::to_string(width_);
    return r += " x ";
  }

  // --- types ---
  /// The type in which elements are computed.
  static const char* computed(dtype t) {
    if (is_boolean(t)) return "i1";
    if (is_inexact(t)) return t == f64 ? "double" : "float";
    return stored(t);
  }
  /// The type of elements in memory.
  static const char* stored(dtype t) {
    if (t == f16) return "half";
    if (t == f32) return "float";
    if (t == f64) return "double";
    switch (size_of(t)) {
      case 1: return "i8";
      case 2: return "i16";
      case 4: return "i32";
      default: return "i64";
    }
  }
  static std::string suffix(dtype t) {
    if (t == f16) return "f16";
    if (t == f32) return "f32";
    if (t == f64) return "f64";
    return stored(t);
  }
  static std::string computed_suffix(dtype t) {
    const std::string type = computed(t);
    return type == "float" ? "f32" : type == "double" ? "f64" : type;
  }
  std::string vector_of(dtype t) const { return lanes() + computed(t) + ">"; }
  std::string memory_of(dtype t) const { return lanes() + stored(t) + ">"; }
  std::string mask_type() const { return lanes() + "i1>"; }

  // --- constants ---
  static std::string number(double v) {
    char out[24];
    std::snprintf(out, sizeof out, "0x%016llX", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(v)));
    return out;
  }
  std::string all(const std::string& type, const std::string& v) const {
    return "<" + repeat([&](int) { return type + " " + v; }) + ">";
  }
  std::string constant(const literal& l, dtype t) const {
    if (is_boolean(t)) return all("i1", l.get<bool>() ? "1" : "0");
    if (t == f64) return all("double", number(l.get<double>()));
    if (is_inexact(t)) return all("float", number(double(l.get<float>())));
    return all(stored(t), is_signed_integer(t) ? std::to_string(l.get<std::int64_t>()) : std::to_string(l.get<std::uint64_t>()));
  }
  std::string constant(double v, dtype t) const { return constant(literal(v, t, false), t); }
  /// The number that all lanes of a constant are; NaN of anything else.
  static double constant_value(const std::string& x) {
    const std::size_t at = x[0] == '<' ? x.find("0x") : std::string::npos;
    return at == std::string::npos ? __builtin_nan("") : std::bit_cast<double>(std::uint64_t(std::strtoull(x.c_str() + at, nullptr, 16)));
  }
  std::string splat(const std::string& type, const std::string& scalar) {
    const std::string vector = lanes() + type + ">";
    if (scalar[0] != '%') return all(type, scalar);
    const std::string one = set("insertelement " + vector + " poison, " + type + " " + scalar + ", i32 0");
    return set("shufflevector " + vector + " " + one + ", " + vector + " poison, <" + std::to_string(width_) + " x i32> zeroinitializer");
  }

  // --- memory form and computed form ---
  std::string widened(dtype t, const std::string& x) {
    if (is_boolean(t)) return set("icmp ne " + memory_of(t) + " " + x + ", zeroinitializer");
    if (t == f16) return set("fpext " + memory_of(t) + " " + x + " to " + vector_of(f32));
    if (t != bf16) return x;
    const std::string wide = set("zext " + memory_of(t) + " " + x + " to " + vector_of(i32));
    const std::string bits = set("shl " + vector_of(i32) + " " + wide + ", " + all("i32", "16"));
    return set("bitcast " + vector_of(i32) + " " + bits + " to " + vector_of(f32));
  }
  std::string narrowed(dtype t, const std::string& x) {
    if (is_boolean(t)) return set("zext " + mask_type() + " " + x + " to " + memory_of(t));
    if (t == f16) return set("fptrunc " + vector_of(f32) + " " + x + " to " + memory_of(t));
    if (t != bf16) return x;
    // Round to nearest even in integers: the instruction flushes subnormals.
    const std::string ints = vector_of(i32), bits = set("bitcast " + vector_of(f32) + " " + x + " to " + ints);
    const std::string odd = set("and " + ints + " " + set("lshr " + ints + " " + bits + ", " + all("i32", "16")) + ", " + all("i32", "1"));
    const std::string sum = set("add " + ints + " " + set("add " + ints + " " + bits + ", " + all("i32", "32767")) + ", " + odd);
    const std::string nan = set("fcmp uno " + vector_of(f32) + " " + x + ", " + x);
    const std::string top = set("lshr " + ints + " " + sum + ", " + all("i32", "16"));
    const std::string kept = set("select " + mask_type() + " " + nan + ", " + ints + " " + all("i32", "32704") + ", " + ints + " " + top);
    return set("trunc " + ints + " " + kept + " to " + memory_of(t));
  }

  // --- calls ---
  std::string call(const std::string& result, const std::string& function, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& types) {
    std::string declared = "declare " + result + " @" + function + "(", given;
    for (std::size_t i = 0; i < types.size(); ++i) declared += (i ? ", " : "") + types[i];
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string a = arguments[i];
      if (a.rfind("i32 immarg ", 0) == 0) a = "i32 " + a.substr(11);
      given += (i ? ", " : "") + a;
    }
    // The C library's functions of numbers have no effects but errno, which nobody reads here. Their bits are its own: LLVM would compute those
    // of constants otherwise.
    const bool is_ours = function.rfind("jq.", 0) == 0;
    if (!is_ours) declarations_.insert(declared + ")" + (function.rfind("llvm.", 0) == 0 ? "" : " #1"));
    const std::string instruction = std::string("call ") + (is_ours ? calling_convention : "") + result + " @" + function + "(" + given + ")" + (is_ours && in_place_ ? " #3" : "");
    if (result != "void") return set(instruction);
    line("  " + instruction);
    return {};
  }
  std::string intrinsic(const char* name, dtype t, const std::string& x) {
    const std::string v = vector_of(t);
    return call(v, std::string("llvm.") + name + ".v" + std::to_string(width_) + computed_suffix(t), {v + " " + x}, {v});
  }
  /// A function of the C library on all lanes: one of vector_functions, the vector form of the library, where it may be used, or lane by lane.
  std::string library(std::string_view function, dtype t, const std::vector<std::string>& x) {
    const bool single = t != f64;
    const std::string scalar = std::string(function) + (single ? "f" : ""), type = computed(t), v = vector_of(t);
    const int full = t_.bytes / (single ? 4 : 8);
    const std::string vector = std::string("_ZGV") + t_.isa + "N" + std::to_string(full) + (x.size() == 2 ? "vv_" : "v_") + scalar;
    const bool is_there = t_.has_function && t_.has_function(vector.c_str());
    if (!t_.strict && t_.isa != 'b' && (is_there ? is_fast_vector_function(function, t_.bytes) : has_vector_function(function))) {
      const vector_function ours = vector_function_writer(single, t_.bytes).write(function);
      declarations_.insert(ours.texts.begin(), ours.texts.end());
      return by_parts(ours.name, full, t, x);
    }
    if (!t_.strict && is_there) return by_parts(vector, full, t, x);
    std::string r = "poison";
    for (int i = 0; i < width_; ++i) {
      std::vector<std::string> arguments, types;
      for (const std::string& a : x) {
        arguments.push_back(type + " " + set("extractelement " + v + " " + a + ", i32 " + std::to_string(i)));
        types.push_back(type);
      }
      const std::string one = call(type, scalar, arguments, types);
      r = set("insertelement " + v + " " + r + ", " + type + " " + one + ", i32 " + std::to_string(i));
    }
    return r;
  }
  /// Calls a function of `full` lanes on vectors of more, as many or fewer.
  std::string by_parts(const std::string& function, int full, dtype t, const std::vector<std::string>& x) {
    const std::string v = vector_of(t), part = "<" + std::to_string(full) + " x " + computed(t) + ">";
    const auto indices = [](int from, int count, int limit, int beyond) {
      std::string r = "<" + std::to_string(count) + " x i32> <";
      for (int i = 0; i < count; ++i) r += (i ? ", i32 " : "i32 ") + std::to_string(from + i < limit ? from + i : beyond);
      return r + ">";
    };
    std::vector<std::string> results;
    for (int from = 0; from < width_; from += full) {
      std::vector<std::string> arguments, types;
      for (const std::string& a : x) {
        const std::string own = width_ == full ? a : set("shufflevector " + v + " " + a + ", " + v + " poison, " + indices(from, full, width_, 0));
        arguments.push_back(part + " " + own);
        types.push_back(part);
      }
      results.push_back(call(part, function, arguments, types));
    }
    if (width_ == full) return results[0];
    if (width_ < full) return set("shufflevector " + part + " " + results[0] + ", " + part + " poison, " + indices(0, width_, width_, 0));
    int have = full;
    while (results.size() > 1) {
      std::vector<std::string> joined;
      const std::string half = "<" + std::to_string(have) + " x " + computed(t) + ">";
      for (std::size_t i = 0; i + 1 < results.size(); i += 2)
        joined.push_back(set("shufflevector " + half + " " + results[i] + ", " + half + " " + results[i + 1] + ", " + indices(0, 2 * have, 2 * have, 0)));
      results = joined;
      have *= 2;
    }
    return results[0];
  }

  // --- operations ---
  std::string select(const std::string& which, dtype t, const std::string& on, const std::string& off) {
    return set("select " + mask_type() + " " + which + ", " + vector_of(t) + " " + on + ", " + vector_of(t) + " " + off);
  }
  /// A commutative operation that a reduction uses, or any other one of two numbers.
  std::string combine(scalar_op op, dtype t, const std::string& a, const std::string& b) {
    const std::string v = vector_of(t);
    const bool real = is_inexact(t);
    const std::string flags = !real || t_.strict ? "" : t_.fast_math ? "reassoc nsz arcp contract " : "contract ";
    const auto plain = [&](const char* floating, const char* integer) {
      return set(std::string(real ? floating : integer) + " " + (real ? flags : "") + v + " " + a + ", " + b);
    };
    switch (op) {
      case scalar_op::add: return plain("fadd", "add");
      case scalar_op::subtract: return plain("fsub", "sub");
      case scalar_op::multiply: return plain("fmul", is_boolean(t) ? "and" : "mul");
      case scalar_op::divide: return real ? plain("fdiv", "") : whole_division(t, a, b).first;
      case scalar_op::rem: return real ? remainder(t, a, b) : whole_division(t, a, b).second;
      case scalar_op::bit_and: return plain("", "and");
      case scalar_op::bit_or: return plain("", "or");
      case scalar_op::bit_xor: return plain("", "xor");
      case scalar_op::shift_left: return shift("shl", t, a, b, "zeroinitializer");
      case scalar_op::shift_right_logical: return shift("lshr", t, a, b, "zeroinitializer");
      case scalar_op::shift_right_arithmetic:
        return shift("ashr", t, a, b, set("ashr " + v + " " + a + ", " + all(computed(t), std::to_string(8 * size_of(t) - 1))));
      case scalar_op::max:
      case scalar_op::min: {
        const bool greater = op == scalar_op::max;
        if (!real) {
          const bool is_signed = is_signed_integer(t);
          const std::string c = set(std::string("icmp ") + (is_signed ? "s" : "u") + (greater ? "gt " : "lt ") + v + " " + a + ", " + b);
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
    const auto choose = [&](const char* how, const std::string& x, const std::string& y) { return select(set(std::string("fcmp ") + how + v + " " + x + ", " + y), t, x, y); };
    const double c = constant_value(a[0] == '<' ? a : b);
    if (c == c) {  // beside a constant it is known whose NaN to keep
      const bool zero_wins = c == 0 && a[0] != '<' && !t_.fast_math;
      return choose(zero_wins ? (greater ? "oge " : "ole ") : greater ? "ogt " : "olt ", a[0] == '<' ? a : b, a[0] == '<' ? b : a);
    }
    // The one instruction for this gives b where a is compared with it in vain.
    if (t_.bytes == 64 && width_ * (t == f64 ? 8 : 4) == 64) {
      const std::string f = std::string("llvm.x86.avx512.") + (greater ? "max" : "min") + (t == f64 ? ".pd.512" : ".ps.512");
      const std::string chosen = call(v, f, {v + " " + a, v + " " + b, "i32 immarg 4"}, {v, v, "i32 immarg"});
      return select(set("fcmp ord " + v + " " + a + ", " + a), t, chosen, a);
    }
    // A constant in place of a keeps LLVM from joining both choices, which takes more.
    const std::string chosen = choose(greater ? "ogt " : "olt ", a, b);
    return select(set("fcmp uno " + v + " " + a + ", " + a), t, t_.strict ? a : constant(__builtin_nan(""), t), chosen);
  }
  /// x / y, given 1 / y: the product, corrected by what it leaves of x. That is the nearest number, but in rare cases the one next to it.
  /// Source: Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990, theorem 8.1.
  std::string quotient(dtype t, const std::string& x, const std::string& y, const std::string& inverse) {
    const std::string v = vector_of(t), q = set("fmul " + v + " " + x + ", " + inverse);
    const auto fused = [&](const std::string& a, const std::string& b, const std::string& c) {
      return call(v, "llvm.fma.v" + std::to_string(width_) + computed_suffix(t), {v + " " + a, v + " " + b, v + " " + c}, {v, v, v});
    };
    const std::string left = fused(set("fneg " + v + " " + q), y, x), better = fused(left, inverse, q);
    return select(set("fcmp ord " + v + " " + better + ", zeroinitializer"), t, better, q);  // infinite quotients leave NaN
  }
  std::string remainder(dtype t, const std::string& x, const std::string& y) {
    const std::string v = vector_of(t);
    if (t_.features.find("+fma") == std::string::npos) return library(function_name(scalar_op::rem), t, {x, y});
    const vector_function f = remainder_function(t != f64, width_);
    declarations_.insert(f.texts.begin(), f.texts.end());
    return call(v, f.name, {v + " " + x, v + " " + y}, {v, v});
  }
  /// The quotient and the remainder of whole numbers as math::int_div and math::int_rem have them: the processor never divides by 0, nor the least
  /// number by -1. By numbers of up to 32 bits that differ it divides in f64, which is exact; a constant becomes a product.
  std::pair<std::string, std::string> whole_division(dtype t, const std::string& a, const std::string& given) {
    const std::string v = vector_of(t), one = all(computed(t), "1"), minus_one = all(computed(t), "-1");
    const bool is_signed = is_signed_integer(t), is_constant = given[0] == '<';
    const std::string b = is_constant ? given : set("freeze " + v + " " + given);  // lanes beyond the last element may hold anything
    const auto instruction = [&](const std::string& text, const std::string& x, const std::string& y) { return set(text + " " + v + " " + x + ", " + y); };
    const std::string is_zero = instruction("icmp eq", b, "zeroinitializer");
    const std::string is_minus = is_signed ? instruction("icmp eq", b, minus_one) : std::string();
    std::string y = select(is_zero, t, one, b);
    if (is_signed) y = select(is_minus, t, one, y);
    std::string q;
    if (is_constant || size_of(t) == 8 || width_ == 1) q = instruction(is_signed ? "sdiv" : "udiv", a, y);
    else {
      const std::string wide = "<" + std::to_string(width_) + " x double>", sign = is_signed ? "s" : "u";
      const auto real = [&](const std::string& x) { return set(sign + "itofp " + v + " " + x + " to " + wide); };
      const std::string x = real(a), of = real(y);
      q = set("fpto" + sign + "i " + wide + " " + set("fdiv " + wide + " " + x + ", " + of) + " to " + v);
    }
    const std::string left = instruction("sub", a, instruction("mul", q, y));
    if (is_signed) q = select(is_minus, t, instruction("sub", "zeroinitializer", a), q);
    return {select(is_zero, t, minus_one, q), select(is_zero, t, a, left)};
  }
  /// A shift; `beyond` where the count is not below the width, which the instruction leaves open.
  std::string shift(const char* instruction, dtype t, const std::string& a, const std::string& count, const std::string& beyond) {
    const std::string v = vector_of(t);
    const std::string inside = set("icmp ult " + v + " " + count + ", " + all(computed(t), std::to_string(8 * size_of(t))));
    return select(inside, t, set(std::string(instruction) + " " + v + " " + a + ", " + count), beyond);
  }
  /// The bits of x as another dtype of the same size.
  std::string bitcast(dtype from, dtype to, const std::string& x) {
    const std::string stored = is_inexact(from) ? narrowed(from, x) : x;
    if (memory_of(from) == memory_of(to)) return is_inexact(to) ? widened(to, stored) : stored;
    const std::string other = set("bitcast " + memory_of(from) + " " + stored + " to " + memory_of(to));
    return is_inexact(to) ? widened(to, other) : other;
  }
  std::string compare(scalar_op op, dtype t, const std::string& a, const std::string& b) {
    static constexpr const char* floating[] = {"oeq", "une", "olt", "ole", "ogt", "oge"};
    static constexpr const char* with_sign[] = {"eq", "ne", "slt", "sle", "sgt", "sge"};
    static constexpr const char* without[] = {"eq", "ne", "ult", "ule", "ugt", "uge"};
    const std::size_t i = std::size_t(op) - std::size_t(scalar_op::equal);
    if (is_inexact(t)) return set(std::string("fcmp ") + floating[i] + " " + vector_of(t) + " " + a + ", " + b);
    return set(std::string("icmp ") + (is_signed_integer(t) ? with_sign : without)[i] + " " + vector_of(t) + " " + a + ", " + b);
  }
  std::string unary(scalar_op op, dtype t, const std::string& x) {
    const std::string v = vector_of(t);
    const bool real = is_inexact(t);
    switch (op) {
      case scalar_op::negate: return real ? set((t_.fast_math ? "fneg nsz " : "fneg ") + v + " " + x) : set("sub " + v + " zeroinitializer, " + x);
      case scalar_op::bit_not: return set("xor " + v + " " + x + ", " + all(computed(t), is_boolean(t) ? "1" : "-1"));
      case scalar_op::abs:
        if (real) return intrinsic("fabs", t, x);
        if (!is_signed_integer(t)) return x;
        return select(set("icmp slt " + v + " " + x + ", zeroinitializer"), t, set("sub " + v + " zeroinitializer, " + x), x);
      case scalar_op::sign: return sign(t, x);
      case scalar_op::population_count: return intrinsic("ctpop", t, x);
      case scalar_op::clz: {
        const std::string f = "llvm.ctlz.v" + std::to_string(width_) + computed_suffix(t);
        return call(v, f, {v + " " + x, "i1 false"}, {v, "i1 immarg"});
      }
      case scalar_op::is_finite: return set("fcmp olt " + v + " " + intrinsic("fabs", t, x) + ", " + constant(__builtin_inf(), t));
      case scalar_op::floor: return intrinsic("floor", t, x);
      case scalar_op::ceil: return intrinsic("ceil", t, x);
      case scalar_op::round: return intrinsic("round", t, x);
      case scalar_op::round_even: return intrinsic("roundeven", t, x);
      case scalar_op::sqrt: return intrinsic("sqrt", t, x);
      case scalar_op::rsqrt: return set("fdiv " + v + " " + constant(1.0, t) + ", " + intrinsic("sqrt", t, x));
      case scalar_op::logistic: return logistic(t, x);
      default: return library(function_name(op), t, {x});
    }
  }
  /// 1 / (1 + exp(-x)); strict: as math::logistic, with the exponential of -|x| only.
  std::string logistic(dtype t, const std::string& x) {
    const std::string v = vector_of(t), one = constant(1.0, t);
    const std::string e = library("exp", t, {set("fneg " + v + " " + (t_.strict ? intrinsic("fabs", t, x) : x))});
    const std::string above = t_.strict ? select(set("fcmp olt " + v + " " + x + ", zeroinitializer"), t, e, one) : one;
    return set("fdiv " + v + " " + above + ", " + set("fadd " + v + " " + one + ", " + e));
  }
  std::string sign(dtype t, const std::string& x) {
    const std::string v = vector_of(t), above = compare(scalar_op::greater, t, x, "zeroinitializer");
    const std::string below = compare(scalar_op::less, t, x, "zeroinitializer");
    const std::string other = is_signed_integer(t) || is_inexact(t) ? select(below, t, constant(-1.0, t), x) : x;
    return select(above, t, constant(1.0, t), other);  // zeros and NaN are themselves
  }
  std::string convert(dtype from, dtype to, const std::string& x) {
    const std::string a = vector_of(from), b = vector_of(to);
    if (is_boolean(to)) return set(std::string(is_inexact(from) ? "fcmp une " : "icmp ne ") + a + " " + x + ", zeroinitializer");
    if (is_inexact(to)) {
      if (size_of(to) == 2 && !is_boolean(from) && size_of(from) >= 4 && from != f32) return widened(to, narrowed(to, rounded_to_odd(from, x)));
      std::string r = x;
      if (is_boolean(from)) return select(x, to, constant(1.0, to), constant(0.0, to));  // LLVM would go through integers
      if (!is_inexact(from)) r = set(std::string(is_signed_integer(from) ? "sitofp " : "uitofp ") + a + " " + x + " to " + b);
      else if (a != b) r = set((from == f64 ? "fptrunc " : "fpext ") + a + " " + x + " to " + b);
      return size_of(to) == 2 ? widened(to, narrowed(to, r)) : r;  // a conversion rounds, also where computing is wider
    }
    if (is_inexact(from) && size_of(to) <= 2) {  // LLVM would take the vector apart
      const int bits = 8 * int(size_of(to)), sign = is_signed_integer(to);
      const double largest = double((1 << (bits - sign)) - 1);
      const dtype real = from == f64 ? f64 : f32;  // numbers of 16 bits are computed in 32
      const std::string high = constant(largest, real), low = constant(sign ? -largest - 1 : 0, real);
      std::string r = select(set("fcmp ord " + a + " " + x + ", zeroinitializer"), real, x, "zeroinitializer");
      r = select(set("fcmp olt " + a + " " + r + ", " + low), real, low, r);
      r = select(set("fcmp ogt " + a + " " + r + ", " + high), real, high, r);
      return set("trunc " + vector_of(i32) + " " + set("fptosi " + a + " " + r + " to " + vector_of(i32)) + " to " + b);
    }
    if (is_inexact(from)) {
      const std::string f = std::string("llvm.fpto") + (is_signed_integer(to) ? "si" : "ui") + ".sat.v" + std::to_string(width_) + suffix(to) +
                            ".v" + std::to_string(width_) + computed_suffix(from);
      return call(b, f, {a + " " + x}, {a});
    }
    const int have = is_boolean(from) ? 0 : int(size_of(from)), want = int(size_of(to));
    if (have == want) return x;
    return set(std::string(have > want ? "trunc " : is_signed_integer(from) ? "sext " : "zext ") + a + " " + x + " to " + b);
  }
  /// A number of more bits than f32 has, as f32: exact, or the neighbour whose last bit is set, so that rounding it further to 16 bits
  /// rounds once. Source: Boldo and Melquiond, "When double rounding is odd", 2005.
  std::string rounded_to_odd(dtype from, std::string x) {
    const std::string v = vector_of(f64), single = vector_of(f32), ints = vector_of(i32), wide = vector_of(i64);
    if (!is_inexact(from)) {
      const bool has_sign = is_signed_integer(from);
      if (size_of(from) == 8) {  // what f64 cannot hold: the bits it would drop become one
        const auto bits = [&](std::int64_t n) { return all("i64", std::to_string(n)); };
        const std::string high = set((has_sign ? "ashr " : "lshr ") + wide + " " + x + ", " + bits(53));
        const std::string low = set("icmp ne " + wide + " " + set("and " + wide + " " + x + ", " + bits(0x1fff)) + ", zeroinitializer");
        const std::string one = set("select " + mask_type() + " " + low + ", " + wide + " " + bits(0x1000) + ", " + wide + " zeroinitializer");
        const std::string odd = set("or " + wide + " " + set("and " + wide + " " + x + ", " + bits(~std::int64_t(0x1fff))) + ", " + one);
        const std::string fits = set("icmp ult " + wide + " " + set("add " + wide + " " + high + ", " + bits(has_sign)) + ", " + bits(has_sign ? 2 : 1));
        x = set("select " + mask_type() + " " + fits + ", " + wide + " " + x + ", " + wide + " " + odd);
      }
      x = set((has_sign ? "sitofp " : "uitofp ") + vector_of(from) + " " + x + " to " + v);
    }
    const std::string near = set("fptrunc " + v + " " + x + " to " + single), back = set("fpext " + single + " " + near + " to " + v);
    const std::string further = set("fcmp ogt " + v + " " + intrinsic("fabs", f64, back) + ", " + intrinsic("fabs", f64, x));
    const std::string inexact = set("fcmp one " + v + " " + back + ", " + x);
    const std::string step = set("zext " + mask_type() + " " + further + " to " + ints), last = set("zext " + mask_type() + " " + inexact + " to " + ints);
    const std::string below = set("sub " + ints + " " + set("bitcast " + single + " " + near + " to " + ints) + ", " + step);
    return set("bitcast " + ints + " " + set("or " + ints + " " + below + ", " + last) + " to " + single);
  }
  /// The step `s`, whose first operand has type `from`, on registers.
  std::string operation(const scalar_step& s, dtype from, const std::string* x) {
    if (s.op == scalar_op::convert) return convert(from, s.type, x[0]);
    if (s.op == scalar_op::bitcast) return bitcast(from, s.type, x[0]);
    if (s.op == scalar_op::select) return select(x[0], s.type, x[1], x[2]);
    if (is_comparison(s.op)) return compare(s.op, from, x[0], x[1]);
    return operand_count(s.op) == 2 ? combine(s.op, from, x[0], x[1]) : unary(s.op, from, x[0]);
  }

  const vector_target& t_;
  bool in_place_ = false;  ///< vector_functions are written where they are called: many of them are more than they save, for the compiler
  int width_ = 1;
  int registers_ = 0;
  std::string code_;
  std::set<std::string> declarations_;
};

}  // namespace detail
}  // namespace jacquard::cpu
