#pragma once
// The type checker of jaxprs: every variable defined once and before use, every equation's output types what its
// primitive infers, effects accounted for. It runs after every pass in tests and debug builds.

#include "jacquard/core/bind.hpp"

namespace jacquard {

/// Checks `p`; returns the first problem, empty if there is none. Complexity: linear in the program.
constexpr error_record check_jaxpr(const jaxpr& p, const axis_binding* axes = nullptr) {
  std::vector<char> defined(p.avals.size(), false);
  const auto define = [&](variable v) {
    if (v >= p.avals.size() || defined[v]) return false;
    defined[v] = true;
    return true;
  };
  for (variable v : p.constvars)
    if (!define(v)) return make_error(error_kind::type, "check_jaxpr: constvar ", v, " is defined twice or has no type");
  for (variable v : p.invars)
    if (!define(v)) return make_error(error_kind::type, "check_jaxpr: invar ", v, " is defined twice or has no type");
  effect_set effects = 0;
  for (const equation& e : p.equations) {
    small_vector<aval, 4> in;
    for (atom a : p.inputs(e)) {
      if (!a.is_literal() && (a.index() >= p.avals.size() || !defined[a.index()]))
        return make_error(error_kind::type, "check_jaxpr: ", e.op->name, " uses variable ", a.index(), " before its definition");
      in.push_back(p.type_of(a));
    }
    inference c{e.op->name, std::span<const aval>(in.data(), in.size()), p.params(e), axes};
    e.op->abstract_eval(c);
    if (c.problem) return c.problem;
    if (c.outputs.size() != e.out.count)
      return make_error(error_kind::type, "check_jaxpr: ", e.op->name, " has ", e.out.count, " outputs, wanted ",
                        c.outputs.size());
    for (std::size_t i = 0; i < e.out.count; ++i) {
      const variable v = p.outputs(e)[i];
      if (!(p.avals[v] == c.outputs[i]))
        return make_error(error_kind::type, "check_jaxpr: output ", i, " of ", e.op->name, " is ", p.avals[v], ", wanted ",
                          c.outputs[i]);
      if (!define(v)) return make_error(error_kind::type, "check_jaxpr: variable ", v, " is defined twice");
    }
    effect_set own = e.op->effects;
    for (std::uint32_t i = 0; i < e.subs.count; ++i) {
      own |= p.params(e).subs[i]->effects;
      if (error_record inner = check_jaxpr(*p.params(e).subs[i], axes)) return inner;
    }
    if (own != e.effects)
      return make_error(error_kind::type, "check_jaxpr: ", e.op->name, " does not carry the effects of its parts");
    effects |= e.effects;
  }
  for (atom a : p.outvars)
    if (!a.is_literal() && !defined[a.index()])
      return make_error(error_kind::type, "check_jaxpr: output variable ", a.index(), " is never defined");
  if (effects & ~p.effects) return make_error(error_kind::type, "check_jaxpr: the program hides effects of its equations");
  return {};
}

}  // namespace jacquard
