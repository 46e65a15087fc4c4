#pragma once
// The order of steps that change a value: they come after those that only read it, so that there is nothing left to copy. Deliberately moves no
// step that something in between waits for, nor any with effects, and knows nothing of memory: who gives it to whom is the backend's decision.

#include <limits>

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::lowering {

namespace detail {

/// The value of which a step makes a copy with some elements changed; a literal for other steps.
inline atom changed_by(const jaxpr& p, const lowered_program& l, const lowered_step& s) {
  if (s.kernel >= 0) {
    const loop_kernel& k = l.kernels[std::size_t(s.kernel)];
    if (!k.is_ordered()) return atom::of_literal(0);
    return k.inputs[std::size_t(k.outputs[0].base)].value;
  }
  const equation& e = p.equations[s.equation];
  if (e.effects != 0 || e.op->overwrites < 0) return atom::of_literal(0);
  return p.inputs(e)[std::size_t(e.op->overwrites)];
}
/// Calls f for what a step reads, and g for what it makes.
template <class Read, class Made>
void for_each_value(const jaxpr& p, const lowered_program& l, const lowered_step& s, Read&& f, Made&& g) {
  if (s.kernel >= 0) {
    for (const access& a : l.kernels[std::size_t(s.kernel)].inputs) f(a.value.index());
    for (const output& o : l.kernels[std::size_t(s.kernel)].outputs) g(o.to.value.index());
    return;
  }
  for (atom a : p.inputs(p.equations[s.equation]))
    if (!a.is_literal()) f(a.index());
  for (variable v : p.outputs(p.equations[s.equation])) g(v);
}

}  // namespace detail

/// Moves steps that change a value behind the last one that reads it, where what they make is not needed before. Complexity: that of sorting.
inline void write_late(const jaxpr& p, lowered_program& l) {
  constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first(p.avals.size(), never), last(p.avals.size(), 0);
  for (std::size_t n = 0; n < l.steps.size(); ++n)
    detail::for_each_value(p, l, l.steps[n], [&](variable v) { first[v] = std::min(first[v], n), last[v] = n; }, [](variable) {});
  struct placed {
    std::size_t at;
    lowered_step step;
  };
  std::vector<placed> order;
  bool any = false;
  for (std::size_t n = 0; n < l.steps.size(); ++n) {
    const atom changed = detail::changed_by(p, l, l.steps[n]);
    bool moves = !changed.is_literal() && last[changed.index()] > n;
    if (moves) detail::for_each_value(p, l, l.steps[n], [](variable) {}, [&](variable v) { moves = moves && first[v] > last[changed.index()]; });
    order.push_back({moves ? 2 * last[changed.index()] + 1 : 2 * n, l.steps[n]});
    any = any || moves;
  }
  if (!any) return;
  jacquard::detail::stable_sort(order, [](const placed& a, const placed& b) { return a.at < b.at; });
  for (std::size_t n = 0; n < order.size(); ++n) l.steps[n] = order[n].step;
}

}  // namespace jacquard::lowering
