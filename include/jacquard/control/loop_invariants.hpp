#pragma once
// Taking out of a loop what is the same in every trip: of a body that returns residuals, those that depend on constants alone
// are computed once, outside. Deliberately only what residuals need; the rest of a body stays as the user wrote it.

#include "jacquard/control/body.hpp"
#include "jacquard/core/list.hpp"

namespace jacquard::detail {

/// Where a residual of a loop's body comes from.
struct loop_residual {
  enum source { constant, operand, stacked } from = stacked;
  array value;         ///< constant: the same in every trip
  std::size_t at = 0;  ///< operand: the stacked operand whose element it is; stacked: its position among the outputs, which may be the loop's own
};
/// A loop's body without what was taken out of it.
struct invariant_loop {
  jaxpr_ref body;
  std::vector<array> constants;  ///< operands that replace the body's constants
  std::vector<loop_residual> residuals;
};

/// Which equations compute, from constants alone, outputs of `p` from position `first` on.
constexpr std::vector<char> invariant_equations(const jaxpr& p, std::size_t consts, std::size_t first) {
  std::vector<char> varies(p.avals.size(), false), wanted(p.avals.size(), false), fixed(p.equations.size(), false);
  for (std::size_t i = consts; i < p.invars.size(); ++i) varies[p.invars[i]] = true;
  for (const equation& e : p.equations) {
    bool any = e.effects != 0;
    for (atom a : p.inputs(e)) any = any || (!a.is_literal() && varies[a.index()]);
    for (variable v : p.outputs(e)) varies[v] = any;
  }
  for (std::size_t i = first; i < p.outvars.size(); ++i)
    if (!p.outvars[i].is_literal()) wanted[p.outvars[i].index()] = true;
  for (std::size_t n = p.equations.size(); n-- > 0;) {
    const view<const variable> outs = p.outputs(p.equations[n]);
    for (variable v : outs) fixed[n] = fixed[n] || (wanted[v] && !varies[v]);
    if (!fixed[n]) continue;
    for (atom a : p.inputs(p.equations[n]))
      if (!a.is_literal()) wanted[a.index()] = true;
  }
  return fixed;
}

/// Splits `known`, a body that returns carries, elements and, from output `first_residual` on, residuals, at the operands of the loop.
/// The invariant part is evaluated.
template <class Array = array>
constexpr invariant_loop take_out_invariants(const jaxpr_ref& known, std::size_t consts, std::size_t carries, std::size_t first_residual,
                                             view<const lazy<Array>> operands, const axis_binding* axes) {
  const jaxpr& p = *known;
  std::vector<char> fixed = invariant_equations(p, consts, first_residual);
  environment outside(p, {}, operands.first(consts));
  eval_equations<Array>(p, outside, fixed);
  std::vector<char> is_outside(p.avals.size(), false), used(p.avals.size(), false);
  for (std::size_t i = 0; i < consts; ++i) is_outside[p.invars[i]] = true;
  for (std::size_t n = 0; n < p.equations.size(); ++n) {
    if (fixed[n]) for (variable v : p.outputs(p.equations[n])) is_outside[v] = true;
    else for (atom a : p.inputs(p.equations[n])) if (!a.is_literal()) used[a.index()] = true;
    fixed[n] = !fixed[n];  // from here on: stays inside
  }
  invariant_loop r;
  list<atom> outs(p.outvars.begin(), p.outvars.begin() + std::ptrdiff_t(first_residual));
  for (atom a : outs)
    if (!a.is_literal()) used[a.index()] = true;
  for (std::size_t i = first_residual; i < p.outvars.size(); ++i) {
    const atom a = p.outvars[i];
    loop_residual residual;
    for (std::size_t k = consts; k < p.invars.size() && !a.is_literal(); ++k)
      if (p.invars[k] == a.index() && operands[k].ndim() > p.type_of(a).rank()) residual = {loop_residual::operand, {}, k};
    if (a.is_literal() || is_outside[a.index()]) residual = {loop_residual::constant, outside.read(a), 0};
    if (residual.from == loop_residual::stacked) {
      residual.at = carries;
      while (residual.at < outs.size() && !(outs[residual.at] == a)) ++residual.at;
      if (residual.at == outs.size()) outs.push_back(a);
    }
    r.residuals.push_back(residual);
  }
  std::vector<variable> inputs;
  for (variable v = 0; v < p.avals.size(); ++v)
    if (is_outside[v] && used[v]) {
      inputs.push_back(v);
      r.constants.push_back(outside.read(atom::of_variable(v)));
    }
  inputs.insert(inputs.end(), p.invars.begin() + std::ptrdiff_t(consts), p.invars.end());
  std::vector<aval> types;
  for (variable v : inputs) types.push_back(p.avals[v]);
  r.body = build_body(types, axes, [&](view<const array> in) {
    environment inside(p, {}, {});
    for (std::size_t i = 0; i < inputs.size(); ++i) inside.write(inputs[i], in[i]);
    eval_equations<Array>(p, inside, fixed);
    return inside.read(outs);
  });
  return r;
}

}  // namespace jacquard::detail
