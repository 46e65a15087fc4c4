#pragma once
// lax::custom_root: a zero of a function, found by whatever method the user gives, and differentiated by the implicit function
// theorem instead of through the method. An equation custom_jvp_call, whose rule solves the linear system.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

namespace detail {

/// The derivative of a root x of f(captured, x): minus the solution of df/dx dx = df/dcaptured dcaptured. Operands of the rule:
/// what f captures, what else the method uses, and the start; then the tangents of all of them.
template <class TangentSolve, class Tree>
struct root_rule {
  [[no_unique_address]] TangentSolve tangent_solve;
  Tree like;
  jaxpr_ref f, method;
  std::size_t captured;  ///< by f

  constexpr std::vector<array> operator()(view<const array> in, function_ref&) const {
    const view<const array> x = in.first(in.size() / 2), t = in.subspan(in.size() / 2);
    const array_list root = bind_list<custom_jvp_p>({method, make_rule(*this, true), 0}, location{}, x);  // so that it has further derivatives
    std::vector<array> at(x.begin(), x.begin() + std::ptrdiff_t(captured)), dat;
    for (std::size_t i = 0; i < captured; ++i) {
      dat.emplace_back();
      if (is_inexact(x[i].dtype())) dat[i] = t[i];
    }
    at.insert(at.end(), root.begin(), root.end());
    dat.resize(at.size());
    const std::vector<array> moved = jvp_jaxpr(*f, {}, at, dat).tangents;
    std::vector<array> rhs;
    for (std::size_t i = 0; i < moved.size(); ++i) rhs.push_back(instantiate(moved[i], root[i].aval()));
    const auto linear = [&](const Tree& v) {
      std::vector<array> d(captured), out;
      flatten_into(v, d);
      const std::vector<array> y = jvp_jaxpr(*f, {}, at, d).tangents;
      for (std::size_t i = 0; i < y.size(); ++i) out.push_back(instantiate(y[i], root[i].aval()));
      return rebuild<Tree>(like, out);
    };
    std::vector<array> outs(root.begin(), root.end()), solution;
    flatten_into(tangent_solve(linear, rebuild<Tree>(like, rhs)), solution);
    for (const array& dx : solution) outs.push_back(lax::neg(dx));
    return outs;
  }
};

template <class F, class Init, class Solve, class TangentSolve>
constexpr rebind_t<Init> find_root(F& f, const Init& guess, Solve& solve, TangentSolve& tangent_solve, const location& where) {
  using tree = rebind_t<Init>;
  const leaf_list start = flatten_all(guess);
  const std::vector<aval> types = types_of(start);
  auto value = trace_body(f, "custom_root", types, start, guess);
  auto find = [&](const tree& x) { return solve(f, x); };
  auto found = trace_body(find, "custom_root", types, start, guess);
  error_record e = carry_problem("the function's output and the initial guess", guess, types, value.result, value.program.out_avals());
  if (!e) e = carry_problem("solve output and the initial guess", guess, types, found.result, found.program.out_avals());
  if (e) {
    fail_at(start, where, e);
    return rebuild<tree>(guess, start);
  }
  // Operands of the method: what f captures comes first.
  const std::size_t captured = value.program.constants.size();
  std::vector<array> operands = value.program.constants;
  for (const array& x : found.program.constants) operands.push_back(x);
  operands.insert(operands.end(), start.begin(), start.end());
  const jaxpr_ref method = build_body(types_of(operands), axes_of(operands), [&](view<const array> in) {
    return eval_jaxpr(*found.program.program, in.subspan(captured, found.program.constants.size()), in.last(start.size()));
  });
  const root_rule<TangentSolve, tree> rule{tangent_solve, prototype(guess), closed_body(value.program), method, captured};
  const array_list y = bind_list<custom_jvp_p>({method, make_rule(rule, true), 0}, where, operands);
  return rebuild<tree>(guess, view<const array>(y.data(), y.size()));
}

}  // namespace detail

namespace lax {

/// x with f(x) = 0, as solve(f, initial_guess) finds it. Its derivative with respect to what f captures solves
/// tangent_solve(g, y), which gives x with g(x) = y for a linear g, at the root. Start and method are not differentiated.
/// Errors  type_error: results unlike the guess.
template <class F, class Init, class Solve, class TangentSolve>
constexpr auto custom_root(F f, const Init& initial_guess, Solve solve, TangentSolve tangent_solve, location where = location::current()) {
  return detail::find_root(f, initial_guess, solve, tangent_solve, where);
}

}  // namespace lax

}  // namespace jacquard
