#pragma once
// The large arrays of a frozen program: which are views of others, which are parts of others or results and computed in place, which
// elementwise equations form a loop, and where the rest lies. Deliberately knows nothing of small arrays but that they are small.

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
template <const auto& Code>
class array_plan {
 public:
  static constexpr std::size_t variables = Code.used.variables, equations = Code.equations.size();

  constexpr void make() { find_views(), find_results(), find_parts(), find_last_uses(), find_loops(); }

 protected:
  struct view_of {
    std::uint32_t of, offset;  ///< of a variable, or the code of a literal
    bool uniform, used;
  };
  static constexpr bool small(variable v) { return small_arrays_of<Code>.small[v]; }
  static constexpr bool has_large() {
    for (bool s : small_arrays_of<Code>.small)
      if (!s) return true;
    return false;
  }
  static constexpr const equation_facts& facts(std::uint32_t n) { return facts_of_primitives<Code>[primitives_of<Code>.number[n]]; }

  constexpr void find_last_uses() {
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = Code.equations[n];
      for (std::uint32_t k = 0; k < e.out.count; ++k) last_use_[owner(Code.atoms[e.out.first + k].index())] = n;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal()) last_use_[owner(a.index())] = n;
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal()) last_use_[owner(a.index())] = ~0u;
  }
  constexpr variable root(variable v) const {
    while (views_[v].used && !atom{views_[v].of}.is_literal()) v = views_[v].of;
    return v;
  }
  /// The variable whose memory holds v.
  constexpr variable owner(variable v) const {
    for (v = root(v); parts_[v].used; v = root(parts_[v].of)) {}
    return v;
  }
  /// Large results of movements that are a stretch of their operand as it lies, or repeat its only element.
  constexpr void find_views() {
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = Code.equations[n];
      if (!facts(n).moves || e.in.count != 1 || e.out.count != 1) continue;
      const atom from = Code.atoms[e.in.first];
      const variable out = Code.atoms[e.out.first].index();
      const aval &type = Code.type_of_variable(out), source = Code.type_of(from);
      if (small(out)) continue;
      if (source.elements() == 1) views_[out] = {from.code, 0, true, true};
      else if (!is_small<Code>(from) && source.elements() <= viewable) find_stretch(n, from.index(), out, source, type);
    }
  }
  constexpr void find_stretch(std::uint32_t n, variable from, variable out, const aval& source, const aval& type) {
    const std::uint32_t count = std::uint32_t(type.elements());
    list<std::uint32_t> all(count);
    std::uint32_t* const sources = all.data();  // without calls, which cost the compiler most
    facts(n).moves(Code.params(Code.equations[n]), view<const aval>(&source, 1), type, sources);
    for (std::uint32_t i = 1; i < count; ++i)
      if (sources[i] != sources[0] + i) return;
    views_[out] = {from, sources[0], false, true};
  }
  /// Operands of movements, such as pad and concatenate, that lie in the result as they are: they are computed there, and the movement
  /// puts in what is missing, if that is little.
  constexpr void find_parts() {
    const frozen_program& p = Code.programs[0];
    std::vector<char> is_given(variables, 0);
    for (std::uint32_t k = 0; k < p.inputs.count; ++k) is_given[Code.atoms[p.inputs.first + k].index()] = 1;
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = Code.equations[n];
      const variable out = Code.atoms[e.out.first].index();
      if (!facts(n).moves || e.out.count != 1 || views_[out].used || small(out) || Code.type_of_variable(out).elements() > viewable) continue;
      std::vector<aval> types;
      for (std::uint32_t k = 0; k < e.in.count; ++k) types.push_back(Code.type_of(Code.atoms[e.in.first + k]));
      list<std::uint32_t> sources(std::size_t(Code.type_of_variable(out).elements()));
      facts(n).moves(Code.params(e), types, Code.type_of_variable(out), sources.data());
      std::vector<view_of> found(e.in.count, view_of{});
      std::size_t covered = 0;
      for (std::uint32_t k = 0, first = 0; k < e.in.count; ++k) {
        const auto count = std::uint32_t(types[k].elements());
        const atom a = Code.atoms[e.in.first + k];
        bool again = false;
        for (std::uint32_t j = 0; j < k; ++j) again = again || Code.atoms[e.in.first + j] == a;
        if (!again && !a.is_literal() && !is_given[a.index()] && can_be_part(a.index(), out)) found[k] = stretch_in(out, sources, first, count);
        if (found[k].used) covered += count;
        first += count;
      }
      if (covered == 0 || sources.size() - covered > most_filled_in) continue;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (found[k].used) parts_[Code.atoms[e.in.first + k].index()] = found[k];
      filled_in_[n] = true;
    }
  }
  constexpr bool can_be_part(variable v, variable out) const {
    return !small(v) && !views_[v].used && !parts_[v].used && result_of_[v] == 0 && Code.type_of_variable(v).type == Code.type_of_variable(out).type;
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
    const view_of& w = views_[v];
    if (w.uniform || where_[w.of] == home::uniform) {
      where_[v] = home::uniform;
      first_[v] = w.uniform ? w.of : first_[w.of];  // of an atom
      return;
    }
    where_[v] = where_[w.of];
    first_[v] = first_[w.of];
    offset_[v] = offset_[w.of] + w.offset;
  }
  /// Large outputs are computed where they belong.
  constexpr void find_results() {
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t k = p.outputs.count; k-- > 0;)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal() && !views_[a.index()].used) result_of_[a.index()] = k + 1;
  }
  constexpr void release(atom a, std::uint32_t at) {
    if (a.is_literal()) return;
    const variable v = owner(a.index());
    if (where_[v] != home::memory || last_use_[v] != at) return;
    last_use_[v] = ~0u;  // once
    released_.push_back(v);
  }
  /// Within a loop memory must not be used again: other iterations still read it.
  constexpr void give_back() {
    for (variable v : released_) {
      const aval& t = Code.type_of_variable(v);
      memory_.give_back(t.type, first_[v], std::uint32_t(t.elements()));
    }
    released_.clear();
  }
  /// Whether an equation makes one number of a large array of floating point: a loop does so on the way.
  static constexpr bool reduces(std::uint32_t n) {
    const frozen_equation& e = Code.equations[n];
    if (!facts(n).reduction || e.in.count != 1) return false;
    const atom from = Code.atoms[e.in.first];
    return !from.is_literal() && !small(from.index()) && is_reduced_on_lanes(Code.type_of(from).type) && Code.type_of(Code.atoms[e.out.first]).elements() == 1;
  }
  constexpr bool is_uniform_view(variable v) const {
    for (; views_[v].used; v = views_[v].of)
      if (views_[v].uniform) return true;
    return false;
  }
  /// Consecutive elementwise equations on large arrays of one size become one loop, with the reductions of such arrays to one number.
  /// Equations on small arrays between them run before it, unless they read what the loop reduces; nothing else may lie between.
  constexpr void find_loops() {
    const frozen_program& p = Code.programs[0];
    std::vector<std::uint32_t> members, maker(Code.used.variables, nothing);
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n)
      for (std::uint32_t k = 0; k < Code.equations[n].out.count; ++k) maker[Code.atoms[Code.equations[n].out.first + k].index()] = n;
    const auto close = [&] {
      for (std::uint32_t n : members) loop_[n] = members.back() + 1;
      members.clear();
    };
    const auto reads_reduction = [&](const frozen_equation& e) {
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal())
          for (std::uint32_t m : members)
            if (reduces(m) && (maker[a.index()] == m || maker[root(a.index())] == m)) return true;
      return false;
    };
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) {
      const frozen_equation& e = Code.equations[n];
      const variable out = Code.atoms[e.out.first].index();
      const bool reduction = reduces(n) && !is_uniform_view(Code.atoms[e.in.first].index());
      if (reads_reduction(e)) close();
      if (views_[out].used || (facts(n).elementwise && small(out))) continue;
      if (!facts(n).elementwise && !reduction) {
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
  static constexpr std::int64_t loop_size(const frozen_equation& e) {
    const std::int64_t out = Code.type_of(Code.atoms[e.out.first]).elements();
    return out == 1 ? Code.type_of(Code.atoms[e.in.first]).elements() : out;
  }
  constexpr bool joins(const frozen_equation& e, const std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& maker) const {
    if (loop_size(e) != loop_size(Code.equations[members[0]])) return false;
    for (std::uint32_t k = 0; k < e.in.count; ++k) {  // not through a view of what the loop computes
      const atom a = Code.atoms[e.in.first + k];
      if (a.is_literal() || !views_[a.index()].used) continue;
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
      const bool looped = loop_[n] != 0;
      if (!looped)
        for (std::uint32_t k = 0; k < e.out.count; ++k) stored_[Code.atoms[e.out.first + k].index()] = true;
      for (std::uint32_t k = 0; k < e.in.count; ++k) {
        const atom a = Code.atoms[e.in.first + k];
        if (a.is_literal()) continue;
        const variable v = root(a.index());
        if (maker[v] == nothing || v != a.index() || !looped || loop_[maker[v]] != loop_[n]) stored_[v] = true;
      }
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal()) stored_[root(a.index())] = true;
  }

  static constexpr std::uint32_t nothing = ~0u;
  static constexpr std::int64_t viewable = 8192;  ///< movements of larger arrays are not looked at element by element

  home where_[variables + 1]{};
  std::uint32_t first_[variables + 1]{}, offset_[variables + 1]{};
  bool stored_[variables + 1]{};  ///< whether it is read outside the loop that computes it
  std::uint32_t loop_[equations + 1]{};
  view_of views_[variables + 1]{}, parts_[variables + 1]{};
  bool filled_in_[equations + 1]{};  ///< whether operands of a movement are parts of its result
  std::uint32_t result_of_[variables + 1]{};  ///< number of the output, + 1
  std::uint32_t last_use_[variables + 1]{};
  std::vector<variable> released_;
  memory_plan memory_;
};

}  // namespace detail
}  // namespace jacquard
