#pragma once
// Where the values of a frozen program live. Small arrays are single elements, each in a slot that is addressed by a
// constant, so that the compiler keeps them in registers; an operation that only moves elements dissolves into names for
// the same slots. Large arrays are arguments, results, views of others, or share memory by liveness. Deliberately decided once, in
// constant evaluation.

#include "jacquard/fixed/element_graph.hpp"
#include "jacquard/fixed/memory_plan.hpp"

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
enum class home : std::uint8_t {
  slots,     ///< small
  memory,    ///< large, `first` is its offset in the memory of its dtype
  argument,  ///< large, `first` is the number of the argument leaf
  result,    ///< large, `first` is the number of the result leaf
  loop,      ///< large, in a register of the loop that computes and uses it
  uniform    ///< large, all elements equal the only one of the atom `first`
};
template <std::size_t V, std::size_t Elements, std::size_t E, std::size_t Constants>
struct layout {
  std::array<home, V> where{};
  std::array<std::uint32_t, V> first{};     ///< small: position in `elements`; large: see home
  std::array<std::uint32_t, V> offset{};    ///< large: of a view, where it begins
  std::array<bool, V> stored{};             ///< large: whether it is read outside the loop that computes it
  std::array<std::uint32_t, E> loop{};      ///< by equation: the last one of the loop it belongs to, + 1; 0 = in none
  std::array<atom, Elements> elements{};    ///< of small variables: a slot of its dtype, or a constant
  std::array<bool, Elements> computed{};    ///< whether its equation computes the element, or it is another's
  std::array<bool, E> dissolved{};          ///< equations that cost nothing
  std::array<literal, Constants> constants{};
  std::array<std::uint32_t, std::size_t(dtype_count)> slots{}, memory{};  ///< by dtype
};

template <const auto& Code>
class layout_builder {
 public:
  static constexpr std::size_t capacity = Code.literals.size() + 64;  ///< of constants; more are computed like other values
  using result = layout<Code.used.variables, small_elements<Code>(), Code.equations.size(), capacity>;

  constexpr result build() {
    find_views();
    find_last_uses();
    find_results();
    find_loops();
    for (const literal& l : Code.literals) graph_.constants.push_back(l);
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.inputs.count; ++i) {
      const variable v = Code.atoms[p.inputs.first + i].index();
      if (is_small(Code.type_of_variable(v))) place(v);
      else to_.where[v] = home::argument, to_.first[v] = i;
    }
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = Code.equations[n];
      if (views_[Code.atoms[e.out.first].index()].of != nothing) place_view(n);
      else if (!take_apart(n))
        for (std::uint32_t k = 0; k < e.out.count; ++k) place(Code.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k) release(Code.atoms[e.in.first + k], n);
      for (std::uint32_t k = 0; k < e.out.count; ++k) release(Code.atoms[e.out.first + k], n);
      if (to_.loop[n] == 0 || to_.loop[n] == n + 1) give_back();
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
      for (std::uint32_t k = 0; k < e.out.count; ++k) last_use_[root(Code.atoms[e.out.first + k].index())] = n;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal()) last_use_[root(a.index())] = n;
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal()) last_use_[root(a.index())] = ~0u;
  }
  constexpr variable root(variable v) const {
    while (views_[v].of != nothing && !atom{views_[v].of}.is_literal()) v = views_[v].of;
    return v;
  }
  /// Large results of movements that are a stretch of their operand as it lies, or repeat its only element.
  constexpr void find_views() {
    views_.resize(Code.used.variables, view_of());
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = Code.equations[n];
      if (!facts_[n].moves || e.in.count != 1 || e.out.count != 1) continue;
      const atom from = Code.atoms[e.in.first];
      const variable out = Code.atoms[e.out.first].index();
      const aval &type = Code.type_of_variable(out), source = Code.type_of(from);
      if (is_small(type)) continue;
      if (source.elements() == 1) views_[out] = {from.code, 0, true};
      else if (!is_small(source) && source.elements() <= viewable) find_stretch(n, from.index(), out, source, type);
    }
  }
  constexpr void find_stretch(std::uint32_t n, variable from, variable out, const aval& source, const aval& type) {
    std::vector<std::uint32_t> sources(std::size_t(type.elements()), 0);
    facts_[n].moves(Code.params(Code.equations[n]), view<const aval>(&source, 1), type, sources.data());
    for (std::size_t i = 1; i < sources.size(); ++i)
      if (sources[i] != sources[0] + i) return;
    views_[out] = {from, sources[0], false};
  }
  constexpr void place_view(std::uint32_t n) {
    const variable v = Code.atoms[Code.equations[n].out.first].index();
    const view_of& w = views_[v];
    to_.dissolved[n] = true;
    if (w.uniform || to_.where[w.of] == home::uniform) {
      to_.where[v] = home::uniform;
      to_.first[v] = w.uniform ? w.of : to_.first[w.of];  // of an atom
      return;
    }
    to_.where[v] = to_.where[w.of];
    to_.first[v] = to_.first[w.of];
    to_.offset[v] = to_.offset[w.of] + w.offset;
  }
  /// Large outputs are computed where they belong.
  constexpr void find_results() {
    result_of_.assign(Code.used.variables, nothing);
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t k = p.outputs.count; k-- > 0;)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal() && views_[a.index()].of == nothing) result_of_[a.index()] = k;
  }
  constexpr void place(variable v) {
    const aval& a = Code.type_of_variable(v);
    if (!is_small(a)) {
      if (result_of_[v] != nothing) to_.where[v] = home::result, to_.first[v] = result_of_[v];
      else if (!to_.stored[v]) to_.where[v] = home::loop;
      else to_.where[v] = home::memory, to_.first[v] = memory_.take(a.type, std::uint32_t(a.elements()));
      return;
    }
    to_.first[v] = std::uint32_t(graph_.elements.size());
    for (std::int64_t i = 0; i < a.elements(); ++i) graph_.add_new(a.type);
  }
  constexpr void release(atom a, std::uint32_t at) {
    if (a.is_literal()) return;
    const variable v = root(a.index());
    if (to_.where[v] != home::memory || last_use_[v] != at) return;
    last_use_[v] = ~0u;  // once
    released_.push_back(v);
  }
  /// Within a loop memory must not be used again: other iterations still read it.
  constexpr void give_back() {
    for (variable v : released_) {
      const aval& t = Code.type_of_variable(v);
      memory_.give_back(t.type, to_.first[v], std::uint32_t(t.elements()));
    }
    released_.clear();
  }
  /// Consecutive elementwise equations on large arrays of one size become one loop. Those on small arrays between them run
  /// before it; nothing else may lie between.
  constexpr void find_loops() {
    const frozen_program& p = Code.programs[0];
    std::vector<std::uint32_t> members, maker(Code.used.variables, nothing);
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n)
      for (std::uint32_t k = 0; k < Code.equations[n].out.count; ++k) maker[Code.atoms[Code.equations[n].out.first + k].index()] = n;
    const auto close = [&] {
      for (std::uint32_t n : members) to_.loop[n] = members.back() + 1;
      members.clear();
    };
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = Code.equations[n];
      const variable out = Code.atoms[e.out.first].index();
      if (views_[out].of != nothing || (facts_[n].elementwise && is_small(Code.type_of_variable(out)))) continue;
      if (!facts_[n].elementwise) {
        close();
        continue;
      }
      if (!members.empty() && !joins(e, out, members, maker)) close();
      members.push_back(n);
    }
    close();
    find_stored(maker);
  }
  constexpr bool joins(const frozen_equation& e, variable out, const std::vector<std::uint32_t>& members,
                       const std::vector<std::uint32_t>& maker) const {
    const variable first = Code.atoms[Code.equations[members[0]].out.first].index();
    if (Code.type_of_variable(out).elements() != Code.type_of_variable(first).elements()) return false;
    for (std::uint32_t k = 0; k < e.in.count; ++k) {  // not through a view of what the loop computes
      const atom a = Code.atoms[e.in.first + k];
      if (a.is_literal() || views_[a.index()].of == nothing) continue;
      const std::uint32_t made = maker[root(a.index())];
      for (std::uint32_t m : members)
        if (m == made) return false;
    }
    return true;
  }
  constexpr void find_stored(const std::vector<std::uint32_t>& maker) {
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = Code.equations[n];
      const bool looped = to_.loop[n] != 0;
      if (!looped)
        for (std::uint32_t k = 0; k < e.out.count; ++k) to_.stored[Code.atoms[e.out.first + k].index()] = true;
      for (std::uint32_t k = 0; k < e.in.count; ++k) {
        const atom a = Code.atoms[e.in.first + k];
        if (a.is_literal()) continue;
        const variable v = root(a.index());
        if (maker[v] == nothing || v != a.index() || !looped || to_.loop[maker[v]] != to_.loop[n]) to_.stored[v] = true;
      }
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal()) to_.stored[root(a.index())] = true;
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
    to_.first[out] = std::uint32_t(graph_.elements.size());
    const element_graph::state done =
        graph_.add_equation(*e.op, facts_[n], Code.params(e), types, operands, Code.type_of_variable(out), capacity);
    to_.dissolved[n] = done == element_graph::state::dissolved;
    return done != element_graph::state::untouched;
  }

  static constexpr auto facts_ = facts_of_equations<Code>(std::make_index_sequence<Code.equations.size()>{});
  static constexpr std::uint32_t nothing = ~0u;
  static constexpr std::int64_t viewable = 8192;  ///< movements of larger arrays are not looked at element by element
  struct view_of {
    std::uint32_t of = nothing;  ///< a variable, or the code of a literal
    std::uint32_t offset = 0;
    bool uniform = false;
  };

  result to_{};
  std::vector<view_of> views_;
  std::vector<variable> released_;
  std::vector<std::uint32_t> result_of_;
  element_graph graph_;
  memory_plan memory_;
  std::vector<std::uint32_t> last_use_;
};

template <const auto& Code>
// The type is written out because nvcc 13 fails at `auto` here.
inline constexpr typename layout_builder<Code>::result layout_of = layout_builder<Code>{}.build();

}  // namespace detail
}  // namespace jacquard
