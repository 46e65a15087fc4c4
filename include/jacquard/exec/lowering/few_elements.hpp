#pragma once
// Equations on few elements that have kernels of their own, and a rule that gives their results by other primitives, become these: what is few stays
// in registers, with what is around it, where a call would cost more than the work. Deliberately for bodies of loops and branches only: elsewhere
// one call is none of the time, but for many examples of few elements each, which are a call that can be cut into blocks of examples.

#include "jacquard/control/call.hpp"
#include "jacquard/exec/lowering/replaced_results.hpp"

namespace jacquard::lowering {

namespace detail {

/// Gives the results of such equations. `in_body`: of those in a body; else of those of many examples alone.
struct results_of_few {
  const jaxpr& p;
  bool in_body = true;
  static bool applies(const equation& e) { return e.op->of_few && e.effects == 0; }
  bool operator()(const equation& e, view<const array> in, array_list& out) const {
    if (!applies(e)) return false;
    few_call c{in, p.params(e)};
    e.op->of_few(c);
    if (c.results.empty() || !(in_body || c.is_of_examples)) return false;
    if (c.is_of_examples) {
      const jaxpr_ref body = jacquard::detail::build_tidy_body(jacquard::detail::types_of(in), nullptr, [&](view<const array> x) {
        few_call within{x, p.params(e)};
        e.op->of_few(within);
        return std::vector<array>(within.results.begin(), within.results.end());
      });
      out = bind_list<call_p>({body, name_text(e.op->name)}, e.where, in);
    } else {
      out = std::move(c.results);
    }
    return true;
  }
};

}  // namespace detail

/// The program with such equations written out; its inputs and outputs stay as they are. The same program, if there are none.
inline jaxpr_ref with_few_written_out(const jaxpr_ref& program) {
  return with_results_replaced(program, "few elements", detail::results_of_few{*program}, false);
}
/// The program with those of many examples written out, each as a call.
inline jaxpr_ref with_examples_written_out(const jaxpr_ref& program) {
  return with_results_replaced(program, "few elements", detail::results_of_few{*program, false}, false);
}

}  // namespace jacquard::lowering
