#pragma once
// Equations on few elements that have kernels of their own, and a rule that gives their results by other primitives, become these: what is few stays
// in registers, with what is around it, where a call would cost more than the work. Deliberately for bodies of loops and branches only: elsewhere
// one call is none of the time.

#include "jacquard/exec/lowering/replaced_results.hpp"

namespace jacquard::lowering {

namespace detail {

/// Gives the results of such equations.
struct results_of_few {
  const jaxpr& p;
  static bool applies(const equation& e) { return e.op->of_few && e.effects == 0; }
  bool operator()(const equation& e, view<const array> in, array_list& out) const {
    if (!applies(e)) return false;
    few_call c{in, p.params(e)};
    e.op->of_few(c);
    out = std::move(c.results);
    return !out.empty();
  }
};

}  // namespace detail

/// The program with such equations written out; its inputs and outputs stay as they are. The same program, if there are none.
inline jaxpr_ref with_few_written_out(const jaxpr_ref& program) {
  return with_results_replaced(program, "few elements", detail::results_of_few{*program}, false);
}

}  // namespace jacquard::lowering
