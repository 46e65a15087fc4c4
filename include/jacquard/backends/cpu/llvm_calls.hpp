#pragma once
// What LLVM IR of vectors of a fixed number of lanes is made of, as text: registers, one after another, types, constants, the forms that elements
// have in memory, and calls of functions, whose declarations are kept. Deliberately without operations: those are in llvm_instructions.

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "jacquard/backends/cpu/concat.hpp"
#include "jacquard/backends/cpu/lane_function.hpp"
#include "jacquard/backends/cpu/remainder_function.hpp"
#include "jacquard/core/callable_ref.hpp"
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
inline std::string phase_name(const std::string& kernel, std::size_t phase) { return phase == 0 ? kernel : detail::concat({kernel, ".", std::to_string(phase)}); }

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

class call_writer {
 public:
  explicit call_writer(const vector_target& t) : t_(t) {}

 protected:
  void line(std::initializer_list<std::string_view> parts) {
    for (std::string_view p : parts) code_ += p;
    code_ += '\n';
  }
  /// Writes an instruction; returns the register that it sets.
  std::string set(std::initializer_list<std::string_view> instruction) {
    const std::string r = concat({"%r", std::to_string(registers_++)});
    code_ += concat({"  ", r, " = "});
    line(instruction);
    return r;
  }
  std::string repeat(jacquard::detail::callable_ref<std::string(int)> element) const {
    std::string r;
    for (int i = 0; i < width_; ++i) r += (i ? ", " : "") + element(i);
    return r;
  }
  std::string lanes() const { return concat({"<", std::to_string(width_), " x "}); }

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
  std::string vector_of(dtype t) const { return concat({lanes(), computed(t), ">"}); }
  std::string memory_of(dtype t) const { return concat({lanes(), stored(t), ">"}); }
  std::string mask_type() const { return concat({lanes(), "i1>"}); }

  // --- constants ---
  static std::string number(double v) {
    char out[24];
    std::snprintf(out, sizeof out, "0x%016llX", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(v)));
    return out;
  }
  std::string all(const std::string& type, const std::string& v) const {
    return in_angles(repeat([&](int) { return concat({type, " ", v}); }));
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
    const std::string vector = concat({lanes(), type, ">"});
    if (scalar[0] != '%') return all(type, scalar);
    const std::string one = set({"insertelement ", vector, " poison, ", type, " ", scalar, ", i32 0"});
    return set({"shufflevector ", vector, " ", one, ", ", vector, " poison, <", std::to_string(width_), " x i32> zeroinitializer"});
  }

  // --- memory form and computed form ---
  std::string widened(dtype t, const std::string& x) {
    if (is_boolean(t)) return set({"icmp ne ", memory_of(t), " ", x, ", zeroinitializer"});
    if (t == f16) return set({"fpext ", memory_of(t), " ", x, " to ", vector_of(f32)});
    if (t != bf16) return x;
    const std::string wide = set({"zext ", memory_of(t), " ", x, " to ", vector_of(i32)});
    const std::string bits = set({"shl ", vector_of(i32), " ", wide, ", ", all("i32", "16")});
    return set({"bitcast ", vector_of(i32), " ", bits, " to ", vector_of(f32)});
  }
  std::string narrowed(dtype t, const std::string& x) {
    if (is_boolean(t)) return set({"zext ", mask_type(), " ", x, " to ", memory_of(t)});
    if (t == f16) return set({"fptrunc ", vector_of(f32), " ", x, " to ", memory_of(t)});
    if (t != bf16) return x;
    // Round to nearest even in integers: the instruction flushes subnormals.
    const std::string ints = vector_of(i32), bits = set({"bitcast ", vector_of(f32), " ", x, " to ", ints});
    const std::string odd = set({"and ", ints, " ", set({"lshr ", ints, " ", bits, ", ", all("i32", "16")}), ", ", all("i32", "1")});
    const std::string sum = set({"add ", ints, " ", set({"add ", ints, " ", bits, ", ", all("i32", "32767")}), ", ", odd});
    const std::string nan = set({"fcmp uno ", vector_of(f32), " ", x, ", ", x});
    const std::string top = set({"lshr ", ints, " ", sum, ", ", all("i32", "16")});
    const std::string kept = set({"select ", mask_type(), " ", nan, ", ", ints, " ", all("i32", "32704"), ", ", ints, " ", top});
    return set({"trunc ", ints, " ", kept, " to ", memory_of(t)});
  }

  // --- calls ---
  std::string call(const std::string& result, const std::string& function, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& types, const char* convention = calling_convention) {
    std::string declared = concat({"declare ", result, " @", function, "("}), given;
    for (std::size_t i = 0; i < types.size(); ++i) declared += (i ? ", " : "") + types[i];
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string a = arguments[i];
      if (a.rfind("i32 immarg ", 0) == 0) a = concat({"i32 ", a.substr(11)});
      given += (i ? ", " : "") + a;
    }
    // The C library's functions of numbers have no effects but errno, which nobody reads here. Their bits are its own: LLVM would compute those
    // of constants otherwise.
    const bool is_ours = function.rfind("jq.", 0) == 0;
    if (!is_ours) declarations_.insert(concat({declared, ")", function.rfind("llvm.", 0) == 0 ? "" : " #1"}));
    const std::string instruction = concat({"call ", is_ours ? convention : "", result, " @", function, "(", given, ")", is_ours && in_place_ ? " #3" : ""});
    if (result != "void") return set({instruction});
    line({"  ", instruction});
    return {};
  }
  std::string intrinsic(const char* name, dtype t, const std::string& x) {
    const std::string v = vector_of(t);
    return call(v, concat({"llvm.", name, ".v", std::to_string(width_), computed_suffix(t)}), {concat({v, " ", x})}, {v});
  }
  /// The name that the C library has for a function on whole vectors, where it has one; empty else.
  std::string library_vector(std::string_view function, dtype t, std::size_t operands) const {
    const bool single = t != f64;
    const std::string name = concat({"_ZGV", std::string(1, t_.isa), "N", std::to_string(t_.bytes / (single ? 4 : 8)), operands == 2 ? "vv_" : "v_", function, single ? "f" : ""});
    return t_.has_function && t_.has_function(name.c_str()) ? name : "";
  }
  /// Whether a function is one of vector_functions here.
  bool calls_ours(std::string_view function, dtype t) const {
    if (t_.strict || t_.isa == 'b' || !has_vector_function(function)) return false;
    return is_fast_vector_function(function, t_.bytes) || library_vector(function, t, 1).empty();
  }
  /// Whether two vectors are better computed at once: without AVX-512, one call of vector_functions finds too little to do while products wait for
  /// those before, and next ones are too far away for the processor.
  bool goes_in_pairs(const scalar_step& s) const {
    return t_.bytes == 32 && calls_ours(s.op == scalar_op::logistic ? "exp" : function_name(s.op), s.type);
  }
  /// A function of the C library on all lanes: one of vector_functions, the vector form of the library, where it may be used, or lane by lane.
  std::string library(std::string_view function, dtype t, const std::vector<std::string>& x) {
    const bool single = t != f64;
    const std::string scalar = concat({function, single ? "f" : ""}), type = computed(t), v = vector_of(t);
    const int full = t_.bytes / (single ? 4 : 8);
    if (calls_ours(function, t)) {
      const bool is_pair = t_.bytes == 32 && width_ >= 2 * full;
      const vector_function ours = vector_function_writer(single, t_.bytes, is_pair).write(function);
      declarations_.insert(ours.texts.begin(), ours.texts.end());
      return by_parts(ours.name, is_pair ? 2 * full : full, t, x);
    }
    if (const std::string vector = t_.strict ? "" : library_vector(function, t, x.size()); !vector.empty()) return by_parts(vector, full, t, x);
    const vector_function each = lane_function(scalar, type, width_, x.size());
    declarations_.insert(each.texts.begin(), each.texts.end());
    std::string given;
    for (const std::string& a : x) given += concat({given.empty() ? "" : ", ", v, " ", a});
    return set({"call ", v, " @", each.name, "(", given, ")"});
  }
  /// Calls a function of `full` lanes on vectors of more, as many or fewer.
  std::string by_parts(const std::string& function, int full, dtype t, const std::vector<std::string>& x) {
    const std::string part = text_of_vector(full, computed(t));
    std::vector<std::string> results;
    for (int from = 0; from < width_; from += full) {
      std::vector<std::string> arguments, types;
      for (const std::string& a : x) {
        arguments.push_back(concat({part, " ", width_ == full ? a : lanes_of(t, width_, a, from, full)}));
        types.push_back(part);
      }
      results.push_back(call(part, function, arguments, types));
    }
    if (width_ == full) return results[0];
    if (width_ < full) return lanes_of(t, full, results[0], 0, width_);
    for (int have = full; results.size() > 1; have *= 2) {
      std::vector<std::string> both;
      for (std::size_t i = 0; i + 1 < results.size(); i += 2) both.push_back(joined(t, have, results[i], results[i + 1]));
      results = both;
    }
    return results[0];
  }
  /// `count` lanes of a vector of `width`, from one on; where it has no more, its first one.
  std::string lanes_of(dtype t, int width, const std::string& x, int from, int count) {
    const std::string v = text_of_vector(width, computed(t));
    return set({"shufflevector ", v, " ", x, ", ", v, " poison, ", indices(from, count, width)});
  }
  /// Two vectors of `width` lanes as one.
  std::string joined(dtype t, int width, const std::string& first, const std::string& second) {
    const std::string v = text_of_vector(width, computed(t));
    return set({"shufflevector ", v, " ", first, ", ", v, " ", second, ", ", indices(0, 2 * width, 2 * width)});
  }
  static std::string indices(int from, int count, int limit) {
    std::string r = concat({"<", std::to_string(count), " x i32> <"});
    for (int i = 0; i < count; ++i) r += concat({i ? ", i32 " : "i32 ", std::to_string(from + i < limit ? from + i : 0)});
    return concat({r, ">"});
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
