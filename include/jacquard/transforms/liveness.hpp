#pragma once
// Liveness: which equations must stay for some results, which variables they use, and of which loops and branches only a part stays.
// Deliberately without copying anything, which is transforms/simplify's.

#include "jacquard/core/body_memo.hpp"
#include "jacquard/core/table.hpp"

namespace jacquard::detail {

constexpr bool all_of(const std::vector<char>& flags) {
  for (char f : flags)
    if (!f) return false;
  return true;
}

/// Which equations must stay for some results, given which effects may be dropped with dead results; and which variables they use.
struct liveness {
  table<bool> keep, used;
  struct trimmed_equation {
    std::size_t number;
    trim_call stays;
  };
  list<trimmed_equation> trimmed;  ///< those of which only a part stays, the last one first

  constexpr liveness(const jaxpr& p, effect_set droppable) : liveness(p, droppable, p.outvars) {}
  constexpr liveness(const jaxpr& p, effect_set droppable, view<const atom> results) : keep(p.equations.size()), used(p.avals.size()), droppable_(droppable) {
    for (atom a : results)
      if (!a.is_literal()) used[a.index()] = true;
    for (std::size_t n = p.equations.size(); n-- > 0;) {
      const equation& e = p.equations[n];
      bool live = (e.effects & ~droppable) != 0;
      for (variable v : p.outputs(e)) live = live || used[v];
      keep[n] = live;
      if (!live) continue;
      const trim_call* const part = e.op->trim ? trim(p, n) : nullptr;
      for (std::uint32_t i = 0; i < e.in.count; ++i)
        if (const atom a = p.operands[e.in.first + i]; !a.is_literal() && (!part || part->operands[i])) used[a.index()] = true;
    }
  }

 private:
  /// Null where all of the equation stays.
  constexpr const trim_call* trim(const jaxpr& p, std::size_t number) {
    const equation& e = p.equations[number];
    const param_view params = p.params(e);
    std::vector<char> read;
    for (variable v : p.outputs(e)) read.push_back(used[v]);
    trim_call c = remembered("trim", [&] {
      trim_call call{read, std::vector<char>(e.in.count, true), params, {}, droppable_};
      e.op->trim(call);
      call.params = {};
      return call;
    }, e.op, view<const jaxpr_ref>(params.subs, params.sub_count), view<const std::uint64_t>(params.words, params.count), read, std::int64_t(droppable_));
    if (all_of(c.results) && (all_of(c.operands) || loses_effects(p, e, c.operands))) return nullptr;
    trimmed.push_back({number, std::move(c)});
    return &trimmed.back().stays;
  }
  /// Whether an operand that does not stay comes from effects that nobody would have any more: a tap in a loop shows what passes, also where a
  /// gradient does not read what the loop kept for it.
  constexpr bool loses_effects(const jaxpr& p, const equation& of, const std::vector<char>& operands) {
    if ((p.effects & ~droppable_) == 0) return false;
    if (comes_from_.empty()) comes_from_ = come_from_effects(p, droppable_);
    for (std::uint32_t i = 0; i < of.in.count; ++i)
      if (const atom a = p.operands[of.in.first + i]; !operands[i] && !a.is_literal() && comes_from_[a.index()]) return true;
    return false;
  }

  effect_set droppable_;
  std::vector<char> comes_from_;  ///< by variable: from effects; once it was asked for
};

}  // namespace jacquard::detail
