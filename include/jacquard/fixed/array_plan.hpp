#pragma once
// The large arrays of a frozen program: which are views of others, which are parts of others or results and computed in place, which
// elementwise equations form a loop, and where the rest lies. Deliberately knows nothing of small arrays but that they are small.

#include "jacquard/core/table.hpp"
#include "jacquard/fixed/memory_plan.hpp"
#include "jacquard/fixed/small_arrays.hpp"

namespace jacquard {
namespace detail {

/// How many elements a movement may copy one by one whose operands lie in its result.
inline constexpr std::size_t most_filled_in = 64;

/// Where a variable lives.
enum class home : std::uint8_t {
  slots,     ///< small
  memory,    ///< large, `first` is its offset in the memory of its dtype
  argument,  ///< large, `first` is the number of the argument leaf
  result,    ///< large, `first` is the number of the result leaf
  loop,      ///< large, in a register of the loop that computes and uses it
  uniform    ///< large, all elements equal the only one of the atom `first`
};
/// A template, as all that is computed of layouts, so that files which lay out no program do not compile it.
template <class Program>
class array_plan {
 public:
  constexpr array_plan(const Program& code, const bool* small)
      : code_(code), small_(small), variables_(code.variable_count), first_(code.variable_count), loop_(code.equation_count), filled_in_(code.equation_count) {}

  constexpr void make() { find_views(), find_results(), find_parts(), find_last_uses(), find_loops(); }

 protected:
  struct view_of {
    std::uint32_t of, offset;  ///< of a variable, or the code of a literal
    bool uniform, used;
  };
  struct place_facts {
    home where = home::slots;
    std::uint32_t offset = 0;
    bool stored = false;  ///< whether it is read outside the loop that computes it
    view_of view{}, part{};
    std::uint32_t result = 0;  ///< number of the output, + 1
    std::uint32_t last_use = 0;
  };
  constexpr bool small(variable v) const { return small_[v]; }
  constexpr bool is_small(atom a) const { return a.is_literal() || small_[a.index()]; }
  constexpr bool has_large() const {
    for (variable v = 0; v < code_.variable_count; ++v)
      if (!small_[v]) return true;
    return false;
  }

  constexpr void find_last_uses() {
    const frozen_program& p = code_.programs[0];
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = code_.equations[n];
      for (std::uint32_t k = 0; k < e.out.count; ++k) variables_[owner(code_.atoms[e.out.first + k].index())].last_use = n;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = code_.atoms[e.in.first + k]; !a.is_literal()) variables_[owner(a.index())].last_use = n;
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = code_.atoms[p.outputs.first + k]; !a.is_literal()) variables_[owner(a.index())].last_use = ~0u;
  }
  constexpr variable root(variable v) const {
    while (variables_[v].view.used && !atom{variables_[v].view.of}.is_literal()) v = variables_[v].view.of;
    return v;
  }
  /// The variable whose memory holds v.
  constexpr variable owner(variable v) const {
    for (v = root(v); variables_[v].part.used; v = root(variables_[v].part.of)) {}
    return v;
  }
  /// Large results of movements that are a stretch of their operand as it lies, or repeat its only element.
  constexpr void find_views() {
    const frozen_program& p = code_.programs[0];
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = code_.equations[n];
      if (!code_.facts(n).moves || e.in.count != 1 || e.out.count != 1) continue;
      const atom from = code_.atoms[e.in.first];
      const variable out = code_.atoms[e.out.first].index();
      const aval &type = code_.type_of_variable(out), source = code_.type_of(from);
      if (small(out)) continue;
      if (source.elements() == 1) variables_[out].view = {from.code, 0, true, true};
      else if (!is_small(from) && source.elements() <= viewable) find_stretch(n, from.index(), out, source, type);
    }
  }
  constexpr void find_stretch(std::uint32_t n, variable from, variable out, const aval& source, const aval& type) {
    const std::uint32_t count = std::uint32_t(type.elements());
    list<std::uint32_t> all(count);
    std::uint32_t* const sources = all.data();  // without calls, which cost the compiler most
    code_.facts(n).moves(code_.params(code_.equations[n]), view<const aval>(&source, 1), type, sources);
    for (std::uint32_t i = 1; i < count; ++i)
      if (sources[i] != sources[0] + i) return;
    variables_[out].view = {from, sources[0], false, true};
  }
  /// Operands of movements, such as pad and concatenate, that lie in the result as they are: they are computed there, and the movement
  /// puts in what is missing, if that is little.
  constexpr void find_parts() {
    const frozen_program& p = code_.programs[0];
    std::vector<char> is_given(code_.variable_count, 0);
    for (std::uint32_t k = 0; k < p.inputs.count; ++k) is_given[code_.atoms[p.inputs.first + k].index()] = 1;
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = code_.equations[n];
      const variable out = code_.atoms[e.out.first].index();
      if (!code_.facts(n).moves || e.out.count != 1 || variables_[out].view.used || small(out) || code_.type_of_variable(out).elements() > viewable) continue;
      std::vector<aval> types;
      for (std::uint32_t k = 0; k < e.in.count; ++k) types.push_back(code_.type_of(code_.atoms[e.in.first + k]));
      list<std::uint32_t> sources(std::size_t(code_.type_of_variable(out).elements()));
      code_.facts(n).moves(code_.params(e), types, code_.type_of_variable(out), sources.data());
      std::vector<view_of> found(e.in.count, view_of{});
      std::size_t covered = 0;
      for (std::uint32_t k = 0, first = 0; k < e.in.count; ++k) {
        const auto count = std::uint32_t(types[k].elements());
        const atom a = code_.atoms[e.in.first + k];
        bool again = false;
        for (std::uint32_t j = 0; j < k; ++j) again = again || code_.atoms[e.in.first + j] == a;
        if (!again && !a.is_literal() && !is_given[a.index()] && can_be_part(a.index(), out)) found[k] = stretch_in(out, sources, first, count);
        if (found[k].used) covered += count;
        first += count;
      }
      if (covered == 0 || sources.size() - covered > most_filled_in) continue;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (found[k].used) variables_[code_.atoms[e.in.first + k].index()].part = found[k];
      filled_in_[n] = true;
    }
  }
  constexpr bool can_be_part(variable v, variable out) const {
    return !small(v) && !variables_[v].view.used && !variables_[v].part.used && variables_[v].result == 0 && code_.type_of_variable(v).type == code_.type_of_variable(out).type;
  }
  /// Where `count` elements from number `first` on lie in a result, if they follow each other there.
  static constexpr view_of stretch_in(variable out, view<const std::uint32_t> all, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t* const sources = all.data();  // without calls, which cost the compiler most
    std::uint32_t at = 0;
    for (const std::size_t n = all.size(); at < n && sources[at] != first;) ++at;
    if (at + count > all.size()) return {};
    for (std::uint32_t i = 1; i < count; ++i)
      if (sources[at + i] != first + i) return {};
    return {out, at, false, true};
  }
  constexpr void place_view(variable v) {
    const view_of& w = variables_[v].view;
    if (w.uniform || variables_[w.of].where == home::uniform) {
      variables_[v].where = home::uniform;
      first_[v] = w.uniform ? w.of : first_[w.of];  // of an atom
      return;
    }
    variables_[v].where = variables_[w.of].where;
    first_[v] = first_[w.of];
    variables_[v].offset = variables_[w.of].offset + w.offset;
  }
  /// Large outputs are computed where they belong.
  constexpr void find_results() {
    const frozen_program& p = code_.programs[0];
    for (std::uint32_t k = p.outputs.count; k-- > 0;)
      if (const atom a = code_.atoms[p.outputs.first + k]; !a.is_literal() && !variables_[a.index()].view.used) variables_[a.index()].result = k + 1;
  }
  constexpr void release(atom a, std::uint32_t at) {
    if (a.is_literal()) return;
    const variable v = owner(a.index());
    if (variables_[v].where != home::memory || variables_[v].last_use != at) return;
    variables_[v].last_use = ~0u;  // once
    released_.push_back(v);
  }
  /// Within a loop memory must not be used again: other iterations still read it.
  constexpr void give_back() {
    for (variable v : released_) {
      const aval& t = code_.type_of_variable(v);
      memory_.give_back(t.type, first_[v], std::uint32_t(t.elements()));
    }
    released_.clear();
  }
  /// Whether an equation makes one number of a large array of floating point: a loop does so on the way.
  constexpr bool reduces(std::uint32_t n) const {
    const frozen_equation& e = code_.equations[n];
    if (!code_.facts(n).reduction || e.in.count != 1) return false;
    const atom from = code_.atoms[e.in.first];
    return !from.is_literal() && !small(from.index()) && is_reduced_on_lanes(code_.type_of(from).type) && code_.type_of(code_.atoms[e.out.first]).elements() == 1;
  }
  constexpr bool is_uniform_view(variable v) const {
    for (; variables_[v].view.used; v = variables_[v].view.of)
      if (variables_[v].view.uniform) return true;
    return false;
  }
  /// Consecutive elementwise equations on large arrays of one size become one loop, with the reductions of such arrays to one number.
  /// Equations on small arrays between them run before it, unless they read what the loop reduces; nothing else may lie between.
  constexpr void find_loops() {
    const frozen_program& p = code_.programs[0];
    std::vector<std::uint32_t> members, maker(code_.variable_count, nothing);
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n)
      for (std::uint32_t k = 0; k < code_.equations[n].out.count; ++k) maker[code_.atoms[code_.equations[n].out.first + k].index()] = n;
    const auto close = [&] {
      for (std::uint32_t n : members) loop_[n] = members.back() + 1;
      members.clear();
    };
    const auto reads_reduction = [&](const frozen_equation& e) {
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = code_.atoms[e.in.first + k]; !a.is_literal())
          for (std::uint32_t m : members)
            if (reduces(m) && (maker[a.index()] == m || maker[root(a.index())] == m)) return true;
      return false;
    };
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = code_.equations[n];
      const variable out = code_.atoms[e.out.first].index();
      const bool reduction = reduces(n) && !is_uniform_view(code_.atoms[e.in.first].index());
      if (reads_reduction(e)) close();
      if (variables_[out].view.used || (code_.facts(n).elementwise && small(out))) continue;
      if (!code_.facts(n).elementwise && !reduction) {
        close();
        continue;
      }
      if (!members.empty() && !joins(e, members, maker)) close();
      members.push_back(n);
    }
    close();
    find_stored(maker);
  }
  /// How many elements the loop of an equation walks over.
  constexpr std::int64_t loop_size(const frozen_equation& e) const {
    const std::int64_t out = code_.type_of(code_.atoms[e.out.first]).elements();
    return out == 1 ? code_.type_of(code_.atoms[e.in.first]).elements() : out;
  }
  constexpr bool joins(const frozen_equation& e, const std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& maker) const {
    if (loop_size(e) != loop_size(code_.equations[members[0]])) return false;
    for (std::uint32_t k = 0; k < e.in.count; ++k) {  // not through a view of what the loop computes
      const atom a = code_.atoms[e.in.first + k];
      if (a.is_literal() || !variables_[a.index()].view.used) continue;
      const std::uint32_t made = maker[root(a.index())];
      for (std::uint32_t m : members)
        if (m == made) return false;
    }
    return true;
  }
  constexpr void find_stored(const std::vector<std::uint32_t>& maker) {
    const frozen_program& p = code_.programs[0];
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = code_.equations[n];
      const bool looped = loop_[n] != 0;
      if (!looped)
        for (std::uint32_t k = 0; k < e.out.count; ++k) variables_[code_.atoms[e.out.first + k].index()].stored = true;
      for (std::uint32_t k = 0; k < e.in.count; ++k) {
        const atom a = code_.atoms[e.in.first + k];
        if (a.is_literal()) continue;
        const variable v = root(a.index());
        if (maker[v] == nothing || v != a.index() || !looped || loop_[maker[v]] != loop_[n]) variables_[v].stored = true;
      }
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = code_.atoms[p.outputs.first + k]; !a.is_literal()) variables_[root(a.index())].stored = true;
  }

  static constexpr std::uint32_t nothing = ~0u;
  static constexpr std::int64_t viewable = 8192;  ///< movements of larger arrays are not looked at element by element

  const Program& code_;
  const bool* small_;
  table<place_facts> variables_;
  table<std::uint32_t> first_;  ///< by variable, see home; of small ones the position among all elements
  table<std::uint32_t> loop_;   ///< by equation, see layout
  table<bool> filled_in_;  ///< by equation: whether operands of a movement are parts of its result
  std::vector<variable> released_;
  memory_plan memory_;
};

}  // namespace detail
}  // namespace jacquard
