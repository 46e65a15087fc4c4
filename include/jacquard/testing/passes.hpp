#pragma once
// check_passes: the type checker after every transform and pass, and that passes keep the meaning of a program.

#include "jacquard/core/check.hpp"
#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/testing/batching.hpp"
#include "jacquard/testing/gradients.hpp"
#include "jacquard/transforms/jacobian.hpp"
#include "jacquard/transforms/make_jaxpr.hpp"
#include "jacquard/transforms/simplify.hpp"

namespace jacquard::testing {

/// The type checker's verdict; a finding comes with the program.
inline report check_program(const closed_jaxpr& p, const axis_binding* axes = nullptr) {
  report r;
  if (p.problem) r.fail(p.problem.message);
  if (const error_record e = check_jaxpr(p, axes)) r.fail(e.message, "\n", to_text(p));
  return r;
}

namespace detail {

/// Types of a traced function's results against those of the results themselves.
inline report check_result_types(const closed_jaxpr& p, const leaves& y) {
  report r;
  const std::vector<aval> types = p.out_avals();
  if (types.size() != y.size()) return r.fail("traced with ", types.size(), " results, computed ", y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!(y[i].aval() == types[i]))
      r.fail("result ", i, " traced as ", types[i], types[i].weak ? " (weak)" : "", ", computed as ", y[i].aval(),
             y[i].weak_type() ? " (weak)" : "");
  return r;
}

inline report check_passes(const leaf_function& f, const leaves& x) {
  report r;
  const leaves y = f(x);
  const closed_jaxpr p = make_jaxpr(f)(x), simple = simplify(p);
  r.add("make_jaxpr", check_program(p));
  r.add("make_jaxpr", check_result_types(p, y));
  r.add("simplify", check_program(simple));
  r.add("simplify", identical(leaves(eval_jaxpr(simple, x)), y));

  const leaves t = directions(x, 11);
  const leaf_function derivative = [&](const leaves& z) { return tangents_of(f, z, t); };
  const closed_jaxpr forward = make_jaxpr(derivative)(x), forward_simple = simplify(forward);
  r.add("jvp", check_program(forward));
  r.add("simplify of jvp", check_program(forward_simple));
  r.add("simplify of jvp", identical(leaves(eval_jaxpr(forward_simple, x)), leaves(eval_jaxpr(forward, x))));

  const linearized l = linearize_jaxpr(*p, p.constants, x, std::vector<char>(x.size(), true));
  r.add("linearize", check_program(l.program));
  const closed_jaxpr back = jacquard::detail::transposed_program(l);
  r.add("transpose", check_program(back));
  r.add("simplify of transpose", check_program(simplify(back)));
  return r;
}

/// The mapped program, for leaves that already have the mapped axes.
inline report check_mapped_passes(const leaf_function& f, const std::vector<int>& axes, const leaves& x) {
  report r;
  const closed_jaxpr p = make_jaxpr(mapped(f, axes))(x), simple = simplify(p);
  r.add("vmap", check_program(p));
  r.add("simplify of vmap", check_program(simple));
  return r.add("simplify of vmap", identical(leaves(eval_jaxpr(simple, x)), mapped(f, axes)(x)));
}

}  // namespace detail

/// Traces f and runs the type checker on its program and on those that jvp, linearize, transposition and simplify make
/// of it. Simplified programs must compute the same bits.
template <class F, class... A>
report check_passes(F f, const std::tuple<A...>& args) {
  return detail::check_passes(on_leaves(f, args), leaves_of(args));
}

}  // namespace jacquard::testing
