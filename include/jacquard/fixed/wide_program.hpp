#pragma once
// A program as plain numbers in rooms that may be too large: what one trace in constant evaluation leaves, and an object of the exact
// size is made of. C arrays of numbers, since empty ones cost the compiler nothing and full ones least. Deliberately not read by
// anything but fixed/frozen.

#include <array>

#include "jacquard/core/jaxpr.hpp"

namespace jacquard {

/// How many entries each pool of a frozen program has.
struct frozen_sizes {
  std::uint32_t variables = 0, types = 0, atoms = 0, literals = 0, words = 0, functions = 0, equations = 0, programs = 0, message = 0;
  constexpr bool fits(const frozen_sizes& capacity) const {
    return variables <= capacity.variables && types <= capacity.types && atoms <= capacity.atoms && literals <= capacity.literals && words <= capacity.words &&
           functions <= capacity.functions && equations <= capacity.equations && programs <= capacity.programs &&
           message <= capacity.message;
  }
  constexpr bool operator==(const frozen_sizes&) const = default;
};

namespace detail {

/// How many equations a program of the compile-time lane may have. Rooms that stay empty cost the compiler nothing.
#ifndef JACQUARD_STATIC_EQUATIONS
#define JACQUARD_STATIC_EQUATIONS 16384
#endif
inline constexpr std::uint32_t most_equations = JACQUARD_STATIC_EQUATIONS;
inline constexpr frozen_sizes most_of_all{4 * most_equations, most_equations, 8 * most_equations, 2 * most_equations, 8 * most_equations,
                                          most_equations,     most_equations, most_equations,     4096};

/// A jaxpr and those nested in it, in pools of which only the beginning is used.
struct wide_program {
  frozen_sizes used{};
  error_kind problem = error_kind::none;
  std::uint16_t type_numbers[most_of_all.variables]{};
  std::int64_t types[most_of_all.types * (max_rank + 3)]{};  ///< dtype, weakness, rank, dimensions
  std::uint32_t atoms[most_of_all.atoms]{};
  std::uint64_t literals[most_of_all.literals * 3]{};  ///< dtype and weakness, low, high
  std::uint64_t words[most_of_all.words]{};
  function_ref::thunk functions[most_of_all.functions]{};
  const primitive* operations[most_equations]{};
  std::uint32_t equations[most_equations * 11]{};  ///< the ranges and the effects
  std::uint32_t programs[most_of_all.programs * 7]{};
  char message[most_of_all.message]{};

  /// Appends the program, and those nested in it.
  constexpr void add(const closed_jaxpr& p) {
    add_program(*p);
    text m = p.problem.message;
    if (p.problem.where.known()) m << " [" << p.problem.where.file << ':' << p.problem.where.line << ']';
    for (char c : m.view())
      if (used.message < most_of_all.message) message[used.message++] = c;
    problem = p.problem.kind;
    if (!used.fits(most_of_all)) used = {};
  }
  constexpr bool too_large() const { return used.programs == 0; }

 private:
  static constexpr std::uint32_t unnumbered = 0x7fffffffu;
  /// New numbers of the variables and literals of one program.
  struct numbers {
    std::vector<std::uint32_t> variables, literals;
  };

  constexpr std::uint32_t add_program(const jaxpr& p) {
    const std::uint32_t number = used.programs++, first = used.equations;
    numbers n{std::vector<std::uint32_t>(p.avals.size(), unnumbered), std::vector<std::uint32_t>(p.literals.size(), unnumbered)};
    const pool_range inputs{used.atoms, std::uint32_t(p.constvars.size() + p.invars.size())};
    for (variable v : p.constvars) put_atom(define(p, v, n));
    for (variable v : p.invars) put_atom(define(p, v, n));
    used.equations += std::uint32_t(p.equations.size());
    if (used.equations > most_equations) return number;
    std::uint32_t at = first;
    for (const equation& e : p.equations) add_equation(p, e, n, at++);
    const pool_range outputs = put_operands(p, p.outvars, n);
    if (number < most_of_all.programs) {
      const std::uint32_t row[] = {inputs.first,  inputs.count, outputs.first, outputs.count, first, std::uint32_t(p.equations.size()),
                                   std::uint32_t(p.constvars.size())};
      for (std::uint32_t i = 0; i < 7; ++i) programs[number * 7 + i] = row[i];
    }
    return number;
  }
  constexpr void add_equation(const jaxpr& p, const equation& e, numbers& n, std::uint32_t at) {
    const pool_range in = put_operands(p, p.inputs(e), n);
    const pool_range own_words{used.words, e.words.count}, own_functions{used.functions, e.functions.count};
    if (e.words.count != 0) put_words(p.params(e));
    for (std::uint32_t k = 0; k < e.functions.count; ++k) {
      if (used.functions < most_of_all.functions) functions[used.functions] = p.params(e).functions[k].get();
      ++used.functions;
    }
    pool_range subs{used.atoms, 0};
    if (e.subs.count != 0) subs = put_programs(p.params(e));
    const pool_range out{used.atoms, e.out.count};
    for (std::uint32_t k = 0; k < e.out.count; ++k) put_atom(define(p, p.results[e.out.first + k], n));
    operations[at] = e.op;
    const std::uint32_t row[] = {in.first,   in.count,   out.first,           out.count,           own_words.first, own_words.count,
                                 subs.first, subs.count, own_functions.first, own_functions.count, e.effects};
    for (std::uint32_t i = 0; i < 11; ++i) equations[at * 11 + i] = row[i];
  }
  constexpr void put_words(const param_view& params) {
    for (std::uint32_t w = 0; w < params.count; ++w) {
      if (used.words < most_of_all.words) words[used.words] = params.words[w];
      ++used.words;
    }
  }
  constexpr pool_range put_programs(const param_view& params) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t k = 0; k < params.sub_count; ++k) list.push_back(add_program(*params.subs[k]));
    const pool_range r{used.atoms, std::uint32_t(list.size())};
    for (std::uint32_t number : list) put_atom(number);
    return r;
  }
  constexpr void put_atom(std::uint32_t code) {
    if (used.atoms < most_of_all.atoms) atoms[used.atoms] = code;
    ++used.atoms;
  }
  constexpr pool_range put_operands(const jaxpr& p, view<const atom> list, numbers& n) {
    const pool_range r{used.atoms, std::uint32_t(list.size())};
    for (atom a : list) put_atom(a.is_literal() ? literal_number(p, a.index(), n) : n.variables[a.index()]);
    return r;
  }
  /// A variable gets its number where it is defined; those that nothing defines are left out.
  constexpr std::uint32_t define(const jaxpr& p, variable v, numbers& n) {
    if (used.variables < most_of_all.variables) type_numbers[used.variables] = type_number(p.avals[v]);
    return n.variables[v] = used.variables++;
  }
  /// Programs have many variables of few types.
  constexpr std::uint16_t type_number(const aval& a) {
    for (std::uint32_t i = 0; i < used.types; ++i)
      if (is_type(types + i * (max_rank + 3), a)) return std::uint16_t(i);
    if (used.types < most_of_all.types) {
      std::int64_t* to = types + used.types * (max_rank + 3);
      to[0] = std::int64_t(a.type), to[1] = a.weak, to[2] = a.rank();
      for (int i = 0; i < a.rank(); ++i) to[3 + i] = a.dims[i];
    }
    return std::uint16_t(used.types++);
  }
  static constexpr bool is_type(const std::int64_t* t, const aval& a) {
    if (t[0] != std::int64_t(a.type) || t[1] != a.weak || t[2] != a.rank()) return false;
    for (int i = 0; i < a.rank(); ++i)
      if (t[3 + i] != a.dims[i]) return false;
    return true;
  }
  constexpr std::uint32_t literal_number(const jaxpr& p, std::uint32_t index, numbers& n) {
    std::uint32_t& at = n.literals[index];
    if (at != unnumbered) return atom::of_literal(at).code;
    at = used.literals++;
    if (at < most_of_all.literals) {
      const literal& l = p.literals[index];
      literals[at * 3] = std::uint64_t(l.type) * 2 + l.weak, literals[at * 3 + 1] = l.low, literals[at * 3 + 2] = l.high;
    }
    return atom::of_literal(at).code;
  }
};

}  // namespace detail
}  // namespace jacquard
