#pragma once
// The equations of a frozen program between arrays that are kept as single elements: resolved element by element, one after the other.
// Deliberately does not decide which arrays those are.

#include "jacquard/fixed/element_graph.hpp"
#include "jacquard/fixed/program_view.hpp"

namespace jacquard {
namespace detail {

/// How many steps the equations of a program become at most when all of them are taken apart, beside one for each element.
constexpr std::size_t most_steps_apart(const program_view& code) {
  std::size_t r = 0;
  for (std::uint32_t n = 0; n < code.equation_count; ++n) {
    const equation_facts& f = code.facts(n);
    r += f.record && !f.moves && !f.elementwise ? straight_line_steps + 1 : 1;
  }
  return r;
}

class equation_elements {
 public:
  element_graph graph;

  /// Of a program that outlives this, for so many elements, values and constants.
  constexpr equation_elements(const program_view& code, std::size_t most_elements, std::size_t most_values, std::size_t most_constants)
      : graph(code.number_type, most_elements, most_values, most_constants), code_(code), kinds_(code.primitive_count), next_kind_(code.equation_count) {
    for (std::uint32_t i = 0; i < code.literal_count; ++i) graph.add_literal(code.literals[i]);
  }

  /// Adds the elements of the output of equation n behind the others. `first` tells by variable where its elements begin, `is_small` of which
  /// variables that can be asked. False: nothing was added.
  template <class IsSmall>
  constexpr bool take_apart(std::uint32_t n, std::uint32_t* first, const IsSmall& is_small) {
    const frozen_equation& e = code_.equations[n];
    if (e.out.count != 1 || e.effects != 0 || e.in.count > most_operands) return false;
    aval types[most_operands];
    std::uint32_t literals[most_operands]{};
    const std::uint32_t* operands[most_operands]{};
    for (std::uint32_t k = 0; k < e.in.count; ++k) {
      const atom a = code_.atoms[e.in.first + k];
      types[k] = code_.type_of(a);
      if (a.is_literal()) literals[k] = a.code, operands[k] = literals + k;
      else if (!is_small(a.index())) return false;
      else operands[k] = graph.elements + first[a.index()];
    }
    const variable out = code_.atoms[e.out.first].index();
    first[out] = graph.count;
    return graph.add_equation(kind_of(n), code_.facts(n), code_.params(e), view<const aval>(types, e.in.count), operands, code_.type_of_variable(out));
  }

 private:
  /// The first equation that does the same with single elements of the same dtypes.
  constexpr std::uint32_t kind_of(std::uint32_t n) {
    const frozen_equation& e = code_.equations[n];
    std::uint32_t& first = kinds_[code_.primitive_numbers[n]];
    std::uint32_t last = 0;
    for (std::uint32_t m = first; m != 0; m = next_kind_[m - 1])
      if (last = m; does_same(code_.equations[m - 1], e)) return m - 1;
    (last == 0 ? first : next_kind_[last - 1]) = n + 1;
    return n;
  }
  constexpr bool does_same(const frozen_equation& a, const frozen_equation& b) const {
    if (a.words.count != b.words.count) return false;
    for (std::uint32_t i = 0; i < a.words.count; ++i)
      if (code_.words[a.words.first + i] != code_.words[b.words.first + i]) return false;
    for (std::uint32_t k = 0; k < a.in.count; ++k)
      if (code_.dtype_of(code_.atoms[a.in.first + k]) != code_.dtype_of(code_.atoms[b.in.first + k])) return false;
    return code_.dtype_of(code_.atoms[a.out.first]) == code_.dtype_of(code_.atoms[b.out.first]);
  }

  const program_view& code_;
  table<std::uint32_t> kinds_, next_kind_;  ///< equations, + 1: of each primitive the first, and the next that does not do the same
};

}  // namespace detail
}  // namespace jacquard
