#pragma once
// The type checker of jaxprs: every variable defined once and before use, every equation's output types what its
// primitive infers, effects accounted for. Where JACQUARD_CHECK_PROGRAMS is set, as in debug builds and in the library's
// own tests, it runs by itself on every program that a trace or a pass has made. Deliberately not in constant evaluation,
// where the same rules and passes would pay for it in compile time.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/jaxpr.hpp"

/// Whether every traced, transformed and simplified program is checked: where assertions are, unless the user says.
#if !defined(JACQUARD_CHECK_PROGRAMS)
#if defined(NDEBUG)
#define JACQUARD_CHECK_PROGRAMS 0
#else
#define JACQUARD_CHECK_PROGRAMS 1
#endif
#endif

namespace jacquard {

constexpr error_record check_jaxpr(const jaxpr& p, const axis_binding* axes = detail::outermost_axes());

namespace detail {

template <class... Parts>
constexpr error_record jaxpr_problem(const Parts&... parts) {
  return make_error(error_kind::type, "check_jaxpr: ", parts...);
}

/// Checks one program; every method returns the first problem.
class jaxpr_checker {
 public:
  constexpr jaxpr_checker(const jaxpr& p, const axis_binding* axes) : p_(p), axes_(axes), defined_(p.avals.size(), false) {}

  constexpr error_record check() {
    for (variable v : p_.constvars)
      if (!define(v)) return jaxpr_problem("constvar ", v, " is defined twice or has no type");
    for (variable v : p_.invars)
      if (!define(v)) return jaxpr_problem("invar ", v, " is defined twice or has no type");
    effect_set effects = 0;
    for (const equation& e : p_.equations) {
      if (!has_valid_ranges(e)) return jaxpr_problem("an equation ", e.op->name, " refers to what is not in the program");
      if (error_record r = check_types(e)) return r;
      if (error_record r = check_effects(e)) return r;
      effects |= e.effects;
    }
    for (atom a : p_.outvars) {
      if (is_missing_literal(a)) return jaxpr_problem("output literal ", a.index(), " is not in the program");
      if (!a.is_literal() && !is_defined(a.index())) return jaxpr_problem("output variable ", a.index(), " is never defined");
    }
    if (effects & ~p_.effects) return jaxpr_problem("the program hides effects of its equations");
    return {};
  }

 private:
  constexpr bool define(variable v) {
    if (v >= p_.avals.size() || defined_[v]) return false;
    defined_[v] = true;
    return true;
  }
  constexpr bool is_defined(variable v) const { return v < p_.avals.size() && defined_[v]; }
  constexpr bool is_missing_literal(atom a) const { return a.is_literal() && a.index() >= p_.literals.size(); }
  static constexpr bool fits(const pool_range& r, std::size_t pool) { return std::size_t(r.first) + r.count <= pool; }
  constexpr bool has_valid_ranges(const equation& e) const {
    return fits(e.in, p_.operands.size()) && fits(e.out, p_.results.size()) && fits(e.words, p_.words.size()) &&
           fits(e.subs, p_.subs.size()) && fits(e.functions, p_.functions.size());
  }

  constexpr error_record check_types(const equation& e) {
    small_vector<aval, 4> in;
    for (atom a : p_.inputs(e)) {
      if (is_missing_literal(a)) return jaxpr_problem(e.op->name, " uses literal ", a.index(), ", which is not in the program");
      if (!a.is_literal() && !is_defined(a.index()))
        return jaxpr_problem(e.op->name, " uses variable ", a.index(), " before its definition");
      in.push_back(p_.type_of(a));
    }
    inference c{e.op->name, view<const aval>(in.data(), in.size()), p_.params(e), axes_};
    e.op->abstract_eval(c);
    if (c.problem) return c.problem;
    if (c.outputs.size() != e.out.count)
      return jaxpr_problem(e.op->name, " has ", e.out.count, " outputs, wanted ", c.outputs.size());
    for (std::size_t i = 0; i < e.out.count; ++i) {
      const variable v = p_.outputs(e)[i];
      if (v >= p_.avals.size()) return jaxpr_problem("result ", v, " of ", e.op->name, " has no type");
      if (!(p_.avals[v] == c.outputs[i]))
        return jaxpr_problem("output ", i, " of ", e.op->name, " is ", p_.avals[v], ", wanted ", c.outputs[i]);
      if (!define(v)) return jaxpr_problem("variable ", v, " is defined twice");
    }
    return {};
  }
  constexpr error_record check_effects(const equation& e) const {
    for (std::uint32_t i = 0; i < e.subs.count; ++i) {
      const jaxpr_ref& body = p_.params(e).subs[i];
      const bool has_axes = (body->effects & collective_effect) != 0;  // types follow from those, too
      if (!__builtin_is_constant_evaluated() && !has_axes && body.is_checked()) continue;
      if (error_record inner = check_jaxpr(*body, axes_)) return inner;
      if (!__builtin_is_constant_evaluated() && !has_axes) body.set_checked();
    }
    if (effects_of(*e.op, p_.params(e)) != e.effects) return jaxpr_problem(e.op->name, " does not carry the effects of its parts");
    return {};
  }

  const jaxpr& p_;
  const axis_binding* axes_;
  std::vector<char> defined_;
};

}  // namespace detail

/// Checks `p`; returns the first problem, empty if there is none. Complexity: linear in the program and the bodies that were not checked
/// before.
constexpr error_record check_jaxpr(const jaxpr& p, const axis_binding* axes) { return detail::jaxpr_checker(p, axes).check(); }

/// The same of a program with its constants.
JACQUARD_ONCE constexpr error_record check_jaxpr(const closed_jaxpr& p, const axis_binding* axes = detail::outermost_axes()) {
  if (p->constvars.size() != p.constants.size())
    return detail::jaxpr_problem("the program has ", p->constvars.size(), " constvars and ", p.constants.size(), " constants");
  for (std::size_t i = 0; i < p.constants.size(); ++i)
    if (!(p.constants[i].aval() == p->avals[p->constvars[i]]))
      return detail::jaxpr_problem("constant ", i, " has type ", p.constants[i].aval(), ", its constvar ",
                                   p->avals[p->constvars[i]]);
  return check_jaxpr(*p, axes);
}

namespace detail {
/// Checks a program that `pass` has just made, where programs are checked. A finding is a fault of a rule or of the pass.
/// Errors: type_error.
constexpr void check_made([[maybe_unused]] const closed_jaxpr& p, [[maybe_unused]] std::string_view pass,
                          [[maybe_unused]] const axis_binding* axes) {
#if JACQUARD_CHECK_PROGRAMS
  if (__builtin_is_constant_evaluated() || p.problem) return;
  if (const error_record e = check_jaxpr(p, axes))
    raise(error_kind::type, e.message, "; the program was made by ", pass, ", a rule of the operation is at fault");
#endif
}
}  // namespace detail

}  // namespace jacquard
