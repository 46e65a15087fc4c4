#pragma once
// Forward-mode differentiation: an interpreter of jaxprs that carries a tangent beside every primal. A none tangent is a
// symbolic zero and costs nothing. Deliberately free of derivatives: each comes from its primitive.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/transforms/structural.hpp"

namespace jacquard {

/// Outputs of a program and their tangents (none = zero).
struct jvp_values {
  std::vector<array> primals, tangents;
};

namespace detail {

/// Called where nothing of what an error is about is traced, so that it cannot be told: no constant expression calls it.
inline void error_of_known_numbers() {}
/// Records in a tracer's trace or throws.
template <class Array = array>
constexpr void report(view<const lazy<Array>> about, const error_record& e) {
  trace* t = trace_of(about);
  if (t) t->fail(e);
  else if (!__builtin_is_constant_evaluated()) throw_error(e);
  else error_of_known_numbers();
}

/// A primitive without the rule a transform needs.
template <class Array = array>
constexpr void missing_rule(view<const lazy<Array>> about, std::string_view what, const equation& e, std::string_view remedy) {
  error_record r = make_error(error_kind::not_implemented, what, " for '", e.op->name, "' not implemented; ", remedy);
  r.where = e.where;
  report(about, r);
}

/// Gives tangents the shape of their primals (rank-0 operands of elementwise equations are broadcast) and drops those of
/// outputs that have none.
template <class Array = array>
constexpr void fit_tangents(const array_list& y, small_vector<lazy<Array>, 2>& ty) {
  for (std::size_t i = 0; i < ty.size(); ++i) {
    if (ty[i].is_none()) continue;
    const aval out = y[i].aval();
    if (!is_inexact(out.type)) ty[i] = {};
    else if (ty[i].ndim() == 0 && out.rank() != 0) ty[i] = lax::broadcast_in_dim(ty[i], out.dims, {});
  }
}

template <class Array = array>
constexpr bool any_tangent(view<const lazy<Array>> t) {
  for (const array& x : t)
    if (!x.is_none()) return true;
  return false;
}

/// Runs one equation forwards with tangents; `joint` is the rule for equations that compute both together, or null.
template <class Array = array>
constexpr void jvp_equation(const jaxpr& p, const equation& e, void (*joint)(joint_call&), view<const lazy<Array>> x,
                            view<const lazy<Array>> t, array_list& y, array_list& ty) {
  ty.resize(e.out.count);
  if (joint && any_tangent(t)) {
    y.resize(e.out.count);
    joint_call c{x, t, view<array>(y.data(), y.size()), view<array>(ty.data(), ty.size()), p.params(e)};
    return joint(c);
  }
  y = jacquard::bind(*e.op, x, p.params(e), e.where);
  if (!any_tangent(t)) return;
  if (!e.op->jvp)
    return missing_rule(x, "Differentiation rule", e, "give the primitive a jvp, or wrap it in jq::custom_jvp");
  jvp_call c{x, t, view<const array>(y.data(), y.size()), view<array>(ty.data(), ty.size()), p.params(e)};
  e.op->jvp(c);
  fit_tangents<Array>(y, ty);
}
/// Runs all equations forwards with tangents, those of a primitive with the rule `joint` by that.
template <class Environment>
constexpr void jvp_equations(const jaxpr& p, void (*primitive::*joint)(joint_call&), Environment& primal, Environment& tangent) {
  for (const equation& e : p.equations) {
    const array_list x = primal.read_operands(p.inputs(e));
    array_list t;
    for (atom a : p.inputs(e)) t.push_back(tangent.read_variable(a));
    const rule_location_scope here(e.where);
    array_list y, ty;
    jvp_equation(p, e, e.op->*joint, view<const array>(x.data(), x.size()), view<const array>(t.data(), t.size()), y, ty);
    for (std::size_t i = 0; i < y.size(); ++i) {
      primal.write(p.outputs(e)[i], y[i]);
      tangent.write(p.outputs(e)[i], ty[i]);
    }
  }
}

}  // namespace detail

/// Evaluates `p` and its directional derivative. Complexity: the forward program plus about twice its linear part.
template <class Array = array>
JACQUARD_ONCE constexpr jvp_values jvp_jaxpr(const jaxpr& p, view<const lazy<Array>> constants, view<const lazy<Array>> arguments,
                                             view<const lazy<Array>> tangents) {
  environment primal(p, constants, arguments);
  environment tangent(p, std::vector<array>(constants.size()), tangents);
  detail::jvp_equations(p, &primitive::joint_jvp, primal, tangent);
  jvp_values r{primal.read(p.outvars), {}};
  for (atom a : p.outvars) r.tangents.push_back(tangent.read_variable(a));
  return r;
}

}  // namespace jacquard
