#pragma once
// The equations of a frozen program between arrays that are kept as single elements: resolved element by element, one after the other.
// Deliberately does not decide which arrays those are.

#include "jacquard/fixed/element_graph.hpp"

namespace jacquard {
namespace detail {

/// How many steps the equations of a program become at most when all of them are taken apart, beside one for each element.
template <const auto& Code>
inline constexpr std::size_t most_steps_apart = [] {
  std::size_t r = 0;
  for (std::size_t n = 0; n < Code.equations.size(); ++n) {
    const equation_facts& f = facts_of_primitives<Code>[primitives_of<Code>.number[n]];
    r += f.record && !f.moves && !f.elementwise ? straight_line_steps + 1 : 1;
  }
  return r;
}();

/// Elements, values and constants as in element_graph.
template <const auto& Code, std::size_t Elements, std::size_t Capacity, std::size_t Constants>
class equation_elements {
 public:
  element_graph<Elements, Capacity, Constants> graph;

  constexpr equation_elements() {
    graph.number_type = number_type_of<Code>;
    for (const literal& l : Code.literals) graph.add_literal(l);
  }
  static constexpr dtype type_of(atom a) {
    return a.is_literal() ? Code.literals[a.index()].type : Code.types[Code.type_numbers[a.index()]].type;
  }
  static constexpr const equation_facts& facts(std::uint32_t n) { return facts_of_primitives<Code>[primitives_of<Code>.number[n]]; }

  /// Adds the elements of the output of equation n behind the others. `first` tells by variable where its elements begin, `is_small` of which
  /// variables that can be asked. False: nothing was added.
  template <class IsSmall>
  constexpr bool take_apart(std::uint32_t n, std::uint32_t* first, const IsSmall& is_small) {
    const frozen_equation& e = Code.equations[n];
    if (e.out.count != 1 || e.effects != 0 || e.in.count > most_operands) return false;
    aval types[most_operands];
    std::uint32_t literals[most_operands]{};
    const std::uint32_t* operands[most_operands]{};
    for (std::uint32_t k = 0; k < e.in.count; ++k) {
      const atom a = Code.atoms[e.in.first + k];
      types[k] = Code.type_of(a);
      if (a.is_literal()) literals[k] = a.code, operands[k] = literals + k;
      else if (!is_small(a.index())) return false;
      else operands[k] = graph.elements + first[a.index()];
    }
    const variable out = Code.atoms[e.out.first].index();
    first[out] = graph.count;
    return graph.add_equation(kind_of(n), facts(n), Code.params(e), view<const aval>(types, e.in.count), operands, Code.type_of_variable(out));
  }

 private:
  /// The first equation that does the same with single elements of the same dtypes.
  constexpr std::uint32_t kind_of(std::uint32_t n) {
    const frozen_equation& e = Code.equations[n];
    std::uint32_t& first = kinds_[primitives_of<Code>.number[n]];
    std::uint32_t last = 0;
    for (std::uint32_t m = first; m != 0; m = next_kind_[m - 1])
      if (last = m; does_same(Code.equations[m - 1], e)) return m - 1;
    (last == 0 ? first : next_kind_[last - 1]) = n + 1;
    return n;
  }
  static constexpr bool does_same(const frozen_equation& a, const frozen_equation& b) {
    if (a.words.count != b.words.count) return false;
    for (std::uint32_t i = 0; i < a.words.count; ++i)
      if (Code.words[a.words.first + i] != Code.words[b.words.first + i]) return false;
    for (std::uint32_t k = 0; k < a.in.count; ++k)
      if (type_of(Code.atoms[a.in.first + k]) != type_of(Code.atoms[b.in.first + k])) return false;
    return type_of(Code.atoms[a.out.first]) == type_of(Code.atoms[b.out.first]);
  }

  std::uint32_t kinds_[primitives_of<Code>.size + 1]{}, next_kind_[Code.equations.size() + 1]{};  ///< equations, + 1
};

}  // namespace detail
}  // namespace jacquard
