#pragma once
// A frozen program of whatever size, and what is known of its equations, behind pointers: what lays programs out is compiled once for all of
// them, not once for each. Deliberately passive, and of objects that live as long as the program.

#include "jacquard/fixed/equation_facts.hpp"

namespace jacquard {
namespace detail {

/// Members are called as those of `frozen`; programs within the program are not seen.
struct program_view {
  const atom* atoms;
  const literal* literals;
  const frozen_equation* equations;
  const frozen_program* programs;
  const aval* types;
  const std::uint16_t* type_numbers;
  const std::uint64_t* words;
  std::uint32_t variable_count, equation_count, literal_count, type_count;
  bool in_lanes;
  dtype number_type;
  const equation_facts* facts_of_primitives;
  const std::uint32_t* primitive_numbers;  ///< by equation
  const std::uint32_t* operand_counts;     ///< by equation
  std::uint32_t primitive_count;

  constexpr const aval& type_of_variable(variable v) const { return types[type_numbers[v]]; }
  constexpr aval type_of(atom a) const { return a.is_literal() ? literals[a.index()].aval() : type_of_variable(a.index()); }
  constexpr dtype dtype_of(atom a) const { return a.is_literal() ? literals[a.index()].type : types[type_numbers[a.index()]].type; }
  constexpr const equation_facts& facts(std::uint32_t n) const { return facts_of_primitives[primitive_numbers[n]]; }
  constexpr param_view params(const frozen_equation& e) const {
    param_view v;
    v.words = words + e.words.first;
    v.count = e.words.count;
    return v;
  }
};
template <const auto& Code>
inline constexpr program_view program_view_of = {
    Code.atoms.data(), Code.literals.data(), Code.equations.data(), Code.programs.data(), Code.types.data(), Code.type_numbers.data(), Code.words.data(),
    std::uint32_t(Code.used.variables), std::uint32_t(Code.equations.size()), std::uint32_t(Code.literals.size()), std::uint32_t(Code.types.size()),
    Code.in_lanes, number_type_of<Code>, facts_of_primitives<Code>.data(), primitives_of<Code>.number, primitives_of<Code>.operands, primitives_of<Code>.size};

}  // namespace detail
}  // namespace jacquard
