#pragma once
// Leaving out of loops and branches what nobody reads: carried values, stacked results and operands, with all that bodies compute for them
// alone. A gradient does not read the value of a loop, so that its way there is only what the way back needs. Deliberately drops no trip, no
// effect but those the caller names, and carried values only where neither results that are read nor other carried values depend on them.

#include "jacquard/control/body.hpp"

namespace jacquard::detail {

/// What a body uses of its inputs where only some results are read: by input.
constexpr std::vector<char> used_inputs(const jaxpr& body, const std::vector<char>& results, effect_set droppable) {
  std::vector<atom> read;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i]) read.push_back(body.outvars[i]);
  const liveness live(body, droppable, read);
  std::vector<char> used;
  for (variable v : body.invars) used.push_back(live.used[v]);
  return used;
}
/// The body from those inputs to those results.
constexpr jaxpr_ref trimmed_body(const jaxpr& body, const std::vector<char>& inputs, const std::vector<char>& results, effect_set droppable) {
  jaxpr part = body;
  part.invars.clear(), part.outvars.clear();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]) part.invars.push_back(body.invars[i]);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i]) part.outvars.push_back(body.outvars[i]);
  return jaxpr_ref(drop_dead(part, droppable));
}
/// How many of a range are.
constexpr std::size_t marked(const std::vector<char>& flags, std::size_t from, std::size_t to) {
  std::size_t n = 0;
  for (std::size_t i = from; i < to; ++i) n += flags[i] ? 1u : 0u;
  return n;
}
/// What a body of a loop uses of its inputs; marks in `results` also the carried values on which those that are read depend. Carried values
/// are the first results, and the inputs from `first` on.
constexpr std::vector<char> used_in_trips(const jaxpr& body, std::size_t first, std::size_t carries, std::vector<char>& results, effect_set droppable) {
  while (true) {
    std::vector<char> used = used_inputs(body, results, droppable);
    bool changed = false;
    for (std::size_t k = 0; k < carries; ++k)
      if (used[first + k] && !results[k]) results[k] = changed = true;
    for (std::size_t k = 0; k < carries; ++k) used[first + k] = results[k];
    if (!changed) return used;
  }
}

/// Whether a body has an input that none of its equations and results names, which can be told without asking what these are for.
constexpr bool has_unnamed_input(const jaxpr& body) {
  const std::vector<char> read = read_variables(body);
  for (variable v : body.invars)
    if (!read[v]) return true;
  return false;
}

/// The trim rule of a loop with stacked operands and results, see scan_p. The counter that a fori_loop does not read goes here, too.
constexpr void trim_scan(trim_call& c, const auto& p) {
  if (all_of(c.results) && !has_unnamed_input(*p.body)) return;
  c.operands = used_in_trips(*p.body, p.consts(), p.carries(), c.results, c.droppable);
  if (all_of(c.results) && all_of(c.operands)) return;
  c.trimmed = encode(p.with(trimmed_body(*p.body, c.operands, c.results, c.droppable), marked(c.operands, 0, p.consts()), marked(c.results, 0, p.carries())));
}

/// The trim rule of a loop with a condition, which reads all that it depends on, see while_p.
constexpr void trim_while(trim_call& c, auto p) {
  if (all_of(c.results)) return;
  std::vector<char> condition = used_inputs(*p.condition, {true}, c.droppable);
  for (std::size_t k = 0; k < p.carries(); ++k)
    if (condition[p.of_condition() + k]) c.results[k] = true;
  const std::vector<char> body = used_in_trips(*p.body, p.of_body(), p.carries(), c.results, c.droppable);
  if (all_of(c.results)) return;
  std::copy(c.results.begin(), c.results.end(), condition.begin() + std::ptrdiff_t(p.of_condition()));
  c.operands.assign(condition.begin(), condition.begin() + std::ptrdiff_t(p.of_condition()));
  c.operands.insert(c.operands.end(), body.begin(), body.end());
  p.condition = trimmed_body(*p.condition, condition, {true}, c.droppable);
  p.body = trimmed_body(*p.body, body, c.results, c.droppable);
  p.cond_nconsts = std::int64_t(marked(condition, 0, p.of_condition()));
  p.body_nconsts = std::int64_t(marked(body, 0, p.of_body()));
  c.trimmed = encode(p);
}

/// The trim rule of a choice, see cond_p.
constexpr void trim_cond(trim_call& c, auto p) {
  bool any_unnamed = false;
  for (const jaxpr_ref& b : p.branches) any_unnamed = any_unnamed || has_unnamed_input(*b);
  if (all_of(c.results) && !any_unnamed) return;
  std::vector<char> used(c.operands.size() - 1, false);
  for (const jaxpr_ref& b : p.branches) {
    const std::vector<char> of_branch = used_inputs(*b, c.results, c.droppable);
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = used[i] || of_branch[i];
  }
  if (all_of(c.results) && all_of(used)) return;
  for (jaxpr_ref& b : p.branches) b = trimmed_body(*b, used, c.results, c.droppable);
  std::copy(used.begin(), used.end(), c.operands.begin() + 1);
  c.trimmed = encode(p);
}

}  // namespace jacquard::detail
