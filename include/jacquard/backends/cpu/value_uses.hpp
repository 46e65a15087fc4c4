#pragma once
// Where the values of a lowered program are used last, and which results of equations that hold programs may lie over an operand: then a carry
// that a branch or an inner loop changes is changed in place. Deliberately decides what may be; a plan of pointers gives the places.

#include <algorithm>

#include "jacquard/backends/cpu/native_kernel.hpp"
#include "jacquard/core/block_cache.hpp"
#include "jacquard/core/control_form.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

struct value_uses {
  std::vector<variable> root;            ///< by variable: what a view shows the memory of
  std::vector<std::size_t> last, views;  ///< by root: the last step that uses it, and how many variables show it

  /// No view is of a literal.
  value_uses(const jaxpr& p, const lowering::lowered_program& l, const std::vector<native_kernel>& kernels) : last(p.avals.size(), 0), views(p.avals.size(), 0) {
    for (variable v = 0; v < p.avals.size(); ++v) root.push_back(v);
    for (const lowering::lowered_step& s : l.steps)
      if (s.alias) root[p.outputs(p.equations[s.equation])[0]] = root[p.inputs(p.equations[s.equation])[0].index()];
    for (variable r : root) ++views[r];
    for (std::size_t n = 0; n < l.steps.size(); ++n) {
      const lowering::lowered_step& s = l.steps[n];
      if (s.kernel >= 0) {
        for (variable v : kernels[std::size_t(s.kernel)].places) last[root[v]] = n;
      } else if (!s.alias) {
        for (atom a : p.inputs(p.equations[s.equation]))
          if (!a.is_literal()) last[root[a.index()]] = n;
      }
    }
  }
  /// Whether step n is the last to use a value, no other variable shows its memory, and the equation has it once.
  bool dies(const jaxpr& p, const equation& e, atom x, std::size_t n) const {
    if (x.is_literal() || views[root[x.index()]] != 1 || last[root[x.index()]] != n) return false;
    int uses = 0;
    for (atom a : p.inputs(e)) uses += !a.is_literal() && root[a.index()] == root[x.index()];
    return uses == 1;
  }
};

/// The operand over which an equation that holds programs may write a result, since each program it may come from does so; -1: there is none.
/// `body_plan` gives the plan of a program.
template <class BodyPlan>
std::int32_t operand_under(const jaxpr& p, const equation& e, std::size_t result, BodyPlan& body_plan) {
  using kind = control_form::kind;
  const param_view params = p.params(e);
  const control_form form = e.op->control(params);
  const auto overwrites = [&](std::size_t body, std::size_t operand) {
    const auto* plan = body_plan(params.subs[body]);
    return plan && plan->overwrites(result, operand);
  };
  if (form.is == kind::counted_loop || form.is == kind::conditional_loop) {
    const bool counts = form.is == kind::counted_loop;
    return result < form.carries && overwrites(counts ? 0 : 1, form.of_body + result) ? std::int32_t(form.of_condition + form.of_body + result) : -1;
  }
  const std::size_t first = form.is == kind::choice ? 1 : 0;
  for (std::size_t k = first; k < e.in.count; ++k) {
    bool all = true;
    for (std::size_t b = 0; b < params.sub_count; ++b) all = all && (overwrites(b, k - first) || !form.runs(b));
    if (all) return std::int32_t(k);
  }
  return -1;
}

/// What the place rule of an equation wants for itself: see control_form. `body` is the plan of the last program it holds, which is that of a loop's body.
template <class Plan>
std::int64_t scratch_bytes(const jaxpr& p, const equation& e, const Plan& body) {
  const control_form form = e.op->control(p.params(e));
  std::int64_t bytes = form.scratch;
  for (std::size_t i = 0; i < form.carries; ++i)
    if (!body.overwrites(i, form.of_body + i)) bytes += jacquard::detail::whole_lines(p.avals[p.outputs(e)[i]].bytes());
  return bytes;
}

namespace detail {

/// Bytes that are copied rather than that a program runs without a plan.
inline constexpr std::int64_t most_copied = 4096;

/// Whether step n can run in memory that a plan lays out.
template <class BodyPlan>
bool can_place(const jaxpr& p, const lowering::lowered_step& s, std::size_t n, const value_uses& uses, const std::vector<char>& claimed, BodyPlan& body_plan) {
  if (s.kernel >= 0 || s.alias) return true;
  const equation& e = p.equations[s.equation];
  const param_view params = p.params(e);
  if (!e.op->place && e.op->evaluate) {
    std::int64_t copied = 0;
    for (atom a : p.inputs(e)) copied += p.type_of(a).bytes();
    for (variable v : p.outputs(e)) copied += p.avals[v].bytes();
    return params.sub_count == 0 && copied <= most_copied;
  }
  if (!e.op->place) return e.op->kernel != nullptr;
  const auto is_argument = [&](variable v) { return std::find(p.invars.begin(), p.invars.end(), v) != p.invars.end() || std::find(p.constvars.begin(), p.constvars.end(), v) != p.constvars.end(); };
  const auto lies_over = [&](std::size_t result) {
    const std::int32_t k = operand_under(p, e, result, body_plan);
    if (k < 0 || !uses.dies(p, e, p.inputs(e)[std::size_t(k)], n)) return false;
    const variable v = uses.root[p.inputs(e)[std::size_t(k)].index()];
    return claimed[v] != 0 || !is_argument(v);
  };
  for (std::uint32_t i = 0; i < params.sub_count; ++i) {
    const auto* plan = body_plan(params.subs[i]);
    if (!plan || !plan->fits_as_body(e.op->control(params), lies_over)) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace jacquard::cpu
