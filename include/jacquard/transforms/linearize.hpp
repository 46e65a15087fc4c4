#pragma once
// Linearization: forward-mode differentiation whose tangents are tracers of a separate, linear trace. What a rule computes
// from primals alone is evaluated (or staged) outside; what touches a tangent lands in the linear program, which captures
// the residuals it needs. That is partial evaluation without an analysis.
// Source: Radul, Paszke, Frostig, Johnson, Maclaurin, "You only linearize once", POPL 2023.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/jvp.hpp"

namespace jacquard {

/// Primal outputs and the linear program of the tangents. The constants of `program` are the residuals.
struct linearized {
  std::vector<array> primals;
  closed_jaxpr program;               ///< inputs: one per differentiated argument; outputs: the non-zero output tangents
  std::vector<int> tangent_of;        ///< by output: its position among the program's outputs, or -1 for zero
};

namespace detail {
template <class Array = array>
constexpr trace* innermost_of(view<const lazy<Array>> a, view<const lazy<Array>> b) {
  return trace::innermost(trace_of(a), trace_of(b));
}
}  // namespace detail

/// Evaluates `p` and linearizes it in those arguments for which `differentiate` is set (and whose dtype has tangents).
template <class Array = array>
JACQUARD_ONCE constexpr linearized linearize_jaxpr(const jaxpr& p, view<const lazy<Array>> constants, view<const lazy<Array>> arguments,
                                                   const std::vector<char>& differentiate) {
  trace_scope tangents(trace::purpose::linear, detail::innermost_of(constants, arguments));
  tangents->name = "linearize";
  if (!__builtin_is_constant_evaluated()) tangents->program.reserve(p.equations.size());
  environment primal(p, constants, arguments);
  std::vector<array> inputs;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const aval a = p.avals[p.invars[i]];
    inputs.emplace_back();
    if (differentiate[i] && is_inexact(a.type)) inputs.back() = tangents->input(a);
  }
  environment tangent(p, std::vector<array>(constants.size()), inputs);
  detail::jvp_equations(p, &primitive::linearize, primal, tangent);
  linearized r;
  r.primals = primal.read(p.outvars);
  std::vector<array> outs;
  for (atom a : p.outvars) {
    const array t = tangent.read_variable(a);
    r.tangent_of.push_back(t.is_none() ? -1 : int(outs.size()));
    if (!t.is_none()) outs.push_back(t);
  }
  r.program = tangents->finish(outs);
  return r;
}

}  // namespace jacquard
