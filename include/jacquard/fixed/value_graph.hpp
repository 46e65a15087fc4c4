#pragma once
// Values of single elements, the constants and the steps that compute them. Equal constants are one, and so are equal steps. Deliberately knows
// nothing of arithmetic but what it keeps for fixed/arithmetic_graph, and no calls on the way to a value: they cost the compiler microseconds.

#include "jacquard/core/list.hpp"
#include "jacquard/fixed/equation_facts.hpp"
#include "jacquard/fixed/run_step.hpp"

namespace jacquard {
namespace detail {

/// What steps read and make is told by a code: the number of a value, or that of a constant with a bit set.
class value_graph {
 public:
  const dtype number_type;  ///< of all arithmetic
  const literal* constants = nullptr;
  std::uint32_t constant_count = 0;
  run_step* steps = nullptr;
  std::uint32_t step_count = 0;
  std::uint32_t value_count = 0;

  /// What would need more values or constants than so many is computed another way.
  constexpr value_graph(dtype type_of_numbers, std::size_t most_values, std::size_t most_constants)
      : number_type(type_of_numbers), most_values_(most_values), most_constants_(most_constants) {}
  value_graph(const value_graph&) = delete;
  value_graph& operator=(const value_graph&) = delete;

  constexpr dtype type_of(std::uint32_t value) const { return dtype(values_[value].type); }
  /// Replaces all steps; the list is used up.
  constexpr void set_steps(list<run_step>& s) {
    all_steps_.swap(s);
    steps = all_steps_.data(), step_count = std::uint32_t(all_steps_.size());
  }
  /// A constant of the program, at the number that its literals have.
  constexpr void add_literal(const literal& l) {
    all_constants_.push_back(l);
    constants = all_constants_.data(), ++constant_count;
  }
  constexpr std::uint32_t number(double v) { return constant(literal_of(v)); }
  /// A step that runs a whole equation.
  constexpr void add_whole(std::uint32_t equation) { new_step() = {run_step::whole | equation, 0, {}}; }

  /// A new number that a step will compute.
  constexpr std::uint32_t new_number() { return new_value(number_type); }
  constexpr bool has_room_for_values(std::uint32_t n) const { return value_count + n <= most_values_; }
  constexpr bool has_room_for_constants(std::size_t n = 1) const { return constant_count + n + factors <= most_constants_; }
  static constexpr double magnitude(double v) { return v < 0 ? -v : v; }
  constexpr double double_of(std::uint32_t code) const { return constant_of(code).template get<double>(); }
  /// A sign or a power of two, of moderate size, so that products with it neither overflow nor lose bits where the others do not.
  constexpr bool is_factor(double v) const {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(v), exponent = (bits >> 52) & 0x7ff, most = number_type == f32 ? 24 : 64;
    return (bits << 12) == 0 && exponent > 0x3ff - most && exponent < 0x3ff + most;
  }
  constexpr bool is_moderate(double v) const {
    const double most = number_type == f32 ? 1e30 : 1e290, size = magnitude(v);
    return size < most && (size > 1 / most || v == 0);
  }

 protected:
  static constexpr std::uint32_t none = ~0u;
  /// Room that is kept for the factors: signs and powers from 2^-64 to 2^64.
  static constexpr std::size_t factors = 260;

  /// The nearest number of the type.
  constexpr literal literal_of(double v) const {
    constexpr double most = std::numeric_limits<float>::max(), infinite = std::numeric_limits<double>::infinity();
    literal l(number_type == f64 ? v : v > most ? infinite : v < -most ? -infinite : double(float(v)));
    return l.type = number_type, l;
  }
  constexpr std::uint32_t new_value(dtype t) {
    all_values_.extend(1)->type = std::uint8_t(t);
    values_ = all_values_.data();
    return value_count++;
  }
  constexpr std::uint32_t constant(const literal& l) {
    for (std::uint32_t i = 0; i < constant_count; ++i)
      if (constants[i].low == l.low && constants[i].type == l.type && constants[i].high == l.high) return atom::literal_bit | i;
    add_literal(l);
    return atom::literal_bit | (constant_count - 1);
  }
  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  constexpr const literal& constant_of(std::uint32_t code) const { return constants[code & ~atom::literal_bit]; }
  constexpr bool is_number(std::uint32_t code, double v) const {
    if (!is_constant(code)) return false;
    const literal& l = constant_of(code);
    return l.get<double>() == v && (!is_complex(l.type) || std::bit_cast<double>(l.high) == 0);
  }

  /// An element that was computed before, or a new one. Operations are listed by their latest operand.
  constexpr std::uint32_t shared(std::uint32_t kind, const std::uint32_t* x, std::uint32_t arity, dtype out) {
    const std::uint32_t latest = latest_of(x, arity), first = latest == none ? of_constants_ : values_[latest].user, found = find(kind, x, arity, first);
    if (found != none) return found;
    const std::uint32_t value = new_value(out);
    run_step& s = new_step();
    s.kind = kind, s.out = value;
    for (std::uint32_t k = 0; k < arity; ++k) {
      s.in[k] = x[k];
      if (!is_constant(x[k])) ++values_[x[k]].uses;
    }
    values_[value].maker = step_count, values_[value].next_user = first;
    (latest == none ? of_constants_ : values_[latest].user) = value + 1;
    return value;
  }

  /// Among a value, + 1, and those that are listed behind it: the one that is this.
  constexpr std::uint32_t find(std::uint32_t kind, const std::uint32_t* x, std::uint32_t arity, std::uint32_t first) const {
    for (std::uint32_t v = first; v != 0; v = values_[v - 1].next_user) {
      const run_step& s = steps[values_[v - 1].maker - 1];
      if (s.kind == kind && s.in[0] == x[0] && (arity < 2 || s.in[1] == x[1]) && (arity < 3 || s.in[2] == x[2])) return v - 1;
    }
    return none;
  }

  struct value_facts {
    std::uint8_t type = 0;        ///< a dtype
    std::uint32_t maker = 0;      ///< the step that computes it, + 1
    std::uint32_t uses = 0;       ///< operands of steps that it is
    std::uint32_t user = 0;       ///< the last value that is computed of it and none later, + 1
    std::uint32_t next_user = 0;  ///< the value before this one that is computed of the same and none later, + 1
    std::uint32_t base = 0;       ///< the value of which it is a multiple, + 1; 0: the value itself is computed or given
    double factor = 0;            ///< which multiple
    std::uint32_t settled = 0;    ///< of a multiple: the value that a step computes for it, + 1
    std::uint64_t lot = 0;        ///< of a product: the number of its parts
    std::uint32_t next_product = 0;
    std::uint32_t scaling = 0;       ///< the last value that stands for a multiple of it, + 1
    std::uint32_t next_scaling = 0;  ///< of a multiple: the one of the same base before it, + 1
  };
  value_facts* values_ = nullptr;

 private:
  constexpr run_step& new_step() {
    run_step* const s = all_steps_.extend(1);
    steps = all_steps_.data(), ++step_count;
    return *s;
  }
  /// `none` where all operands are constants.
  static constexpr std::uint32_t latest_of(const std::uint32_t* x, std::uint32_t arity) {
    std::uint32_t latest = none;
    for (std::uint32_t k = 0; k < arity; ++k)
      if (!is_constant(x[k]) && (latest == none || x[k] > latest)) latest = x[k];
    return latest;
  }

  const std::size_t most_values_, most_constants_;
  list<value_facts> all_values_;
  list<run_step> all_steps_;
  list<literal> all_constants_;
  std::uint32_t of_constants_ = 0;  ///< the last value that is computed of constants alone, + 1
};

}  // namespace detail
}  // namespace jacquard
