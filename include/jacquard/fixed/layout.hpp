#pragma once
// Where the values of a frozen program live. Small arrays are single elements, each in a slot that is addressed by a
// constant, so that the compiler keeps them in registers; an operation that only moves elements dissolves into names for
// the same slots. Large arrays share memory by liveness. Deliberately decided once, in constant evaluation.

#include "jacquard/fixed/element_graph.hpp"

namespace jacquard {
namespace detail {

/// Arrays of at most this many elements are kept as single elements.
inline constexpr std::int64_t small_size = 32;
constexpr bool is_small(const aval& a) { return a.elements() <= small_size; }

/// Elements of all small variables.
template <const auto& Code>
constexpr std::size_t small_elements() {
  std::size_t n = 0;
  for (std::uint16_t t : Code.type_numbers)
    if (is_small(Code.types[t])) n += std::size_t(Code.types[t].elements());
  return n;
}

/// The layout of a program with V variables, of whose equations E make small arrays of that many elements together.
template <std::size_t V, std::size_t Elements, std::size_t E, std::size_t Constants>
struct layout {
  std::array<std::uint32_t, V> first{};     ///< small: position in `elements`; large: offset in the memory of its dtype
  std::array<atom, Elements> elements{};    ///< of small variables: a slot of its dtype, or a constant
  std::array<bool, Elements> computed{};    ///< whether its equation computes the element, or it is another's
  std::array<bool, E> dissolved{};          ///< equations that cost nothing
  std::array<literal, Constants> constants{};
  std::array<std::uint32_t, std::size_t(dtype_count)> slots{}, memory{};  ///< by dtype
};

/// Hands out memory for large variables, of each dtype separately; what is dead is used again.
class memory_plan {
 public:
  constexpr std::uint32_t take(dtype t, std::uint32_t size) {
    for (block& b : free_)
      if (b.type == t && b.size >= size) {
        const std::uint32_t at = b.first;
        b.first += size;
        b.size -= size;
        return at;
      }
    const std::uint32_t at = top_[std::size_t(t)];
    top_[std::size_t(t)] += size;
    return at;
  }
  constexpr void give_back(dtype t, std::uint32_t first, std::uint32_t size) {
    for (block& b : free_) {
      if (b.type != t || b.size == 0) continue;
      if (b.first + b.size == first) return void(b.size += size);
      if (first + size == b.first) return void((b.first = first, b.size += size));
    }
    free_.push_back({t, first, size});
  }
  constexpr std::uint32_t top(std::size_t t) const { return top_[t]; }

 private:
  struct block {
    dtype type;
    std::uint32_t first, size;
  };
  std::vector<block> free_;
  std::array<std::uint32_t, std::size_t(dtype_count)> top_{};
};

template <const auto& Code>
class layout_builder {
 public:
  static constexpr std::size_t capacity = Code.literals.size() + 64;  ///< of constants; more are computed like other values
  using result = layout<Code.used.variables, small_elements<Code>(), Code.equations.size(), capacity>;

  constexpr result build() {
    find_last_uses();
    for (const literal& l : Code.literals) graph_.constants.push_back(l);
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.inputs.count; ++i) place(Code.atoms[p.inputs.first + i].index());
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = Code.equations[n];
      if (!take_apart(n))
        for (std::uint32_t k = 0; k < e.out.count; ++k) place(Code.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k) release(Code.atoms[e.in.first + k], n);
      for (std::uint32_t k = 0; k < e.out.count; ++k) release(Code.atoms[e.out.first + k], n);
    }
    for (std::size_t t = 0; t < std::size_t(dtype_count); ++t) to_.memory[t] = memory_.top(t), to_.slots[t] = graph_.slots[t];
    for (std::size_t i = 0; i < graph_.elements.size(); ++i) to_.elements[i] = graph_.elements[i], to_.computed[i] = graph_.computed[i];
    for (std::size_t i = 0; i < graph_.constants.size(); ++i) to_.constants[i] = graph_.constants[i];
    return to_;
  }

 private:
  constexpr void find_last_uses() {
    last_use_.assign(Code.used.variables, 0);
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = Code.equations[n];
      for (std::uint32_t k = 0; k < e.out.count; ++k) last_use_[Code.atoms[e.out.first + k].index()] = n;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal()) last_use_[a.index()] = n;
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal()) last_use_[a.index()] = ~0u;
  }
  constexpr void place(variable v) {
    const aval& a = Code.type_of_variable(v);
    if (!is_small(a)) {
      to_.first[v] = memory_.take(a.type, std::uint32_t(a.elements()));
      return;
    }
    to_.first[v] = std::uint32_t(graph_.elements.size());
    for (std::int64_t i = 0; i < a.elements(); ++i) graph_.add_new(a.type);
  }
  constexpr void release(atom a, std::uint32_t at) {
    if (a.is_literal() || is_small(Code.type_of_variable(a.index())) || last_use_[a.index()] != at) return;
    last_use_[a.index()] = ~0u;  // once
    const aval& t = Code.type_of_variable(a.index());
    memory_.give_back(t.type, to_.first[a.index()], std::uint32_t(t.elements()));
  }
  /// Resolves an equation between small arrays element by element. Returns whether its outputs are placed.
  constexpr bool take_apart(std::uint32_t n) {
    const frozen_equation& e = Code.equations[n];
    if (e.out.count != 1 || e.effects != 0) return false;
    const variable out = Code.atoms[e.out.first].index();
    if (!is_small(Code.type_of_variable(out))) return false;
    std::vector<aval> types;
    std::vector<std::vector<atom>> operands;
    for (std::uint32_t k = 0; k < e.in.count; ++k) {
      const atom a = Code.atoms[e.in.first + k];
      types.push_back(Code.type_of(a));
      if (!is_small(types.back())) return false;
      operands.emplace_back();
      for (std::int64_t i = 0; i < types.back().elements(); ++i)
        operands.back().push_back(a.is_literal() ? a : graph_.elements[to_.first[a.index()] + std::uint32_t(i)]);
    }
    param_view view;
    view.words = Code.words.data() + e.words.first;
    view.count = e.words.count;
    to_.first[out] = std::uint32_t(graph_.elements.size());
    const element_graph::state done = graph_.add_equation(*e.op, facts_[n], view, types, operands, Code.type_of_variable(out), capacity);
    to_.dissolved[n] = done == element_graph::state::dissolved;
    return done != element_graph::state::untouched;
  }

  static constexpr auto facts_ = facts_of_equations<Code>(std::make_index_sequence<Code.equations.size()>{});
  result to_{};
  element_graph graph_;
  memory_plan memory_;
  std::vector<std::uint32_t> last_use_;
};

template <const auto& Code>
inline constexpr auto layout_of = layout_builder<Code>().build();

}  // namespace detail
}  // namespace jacquard
