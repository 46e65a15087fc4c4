#pragma once
// Programs of whose equations some have their results given in another way: what the passes over them share. Deliberately knows neither which nor
// how.

#include "jacquard/transforms/simplify.hpp"

namespace jacquard::lowering {

/// The program, its inputs and outputs as they are, traced again with the results that replace(equation, operands, results) gives where
/// replace.applies(equation) holds, without what is dead then. The same program where it holds for none. `exact` as in simplify.
template <class Replace>
jaxpr_ref with_results_replaced(const jaxpr_ref& program, std::string_view name, const Replace& replace, bool exact) {
  bool any = false;
  for (const equation& e : program->equations) any = any || replace.applies(e);
  if (!any) return program;
  return jaxpr_ref(drop_dead_and_merge(*jacquard::detail::retraced(*program, name, replace), exact));
}

}  // namespace jacquard::lowering
