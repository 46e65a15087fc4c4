#pragma once
// Loops whose trips do not depend on each other, and whose bodies compute element by element, become array operations over all trips, which
// are fused with what is around them. Deliberately leaves all others alone: sums and products over more dimensions may round in another way,
// and what a trip keeps to itself would need memory for each of them.

#include "jacquard/exec/lowering/replaced_results.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/transforms/batch.hpp"

namespace jacquard::lowering {

namespace detail {

/// Whether all trips of an equation can run side by side.
inline bool has_separate_trips(const jaxpr& p, const equation& e) {
  if (!e.op->control || e.effects != 0) return false;
  const control_form form = e.op->control(p.params(e));
  if (form.is != control_form::kind::counted_loop || form.carries != 0 || form.trips == 0) return false;
  const jaxpr& body = *p.params(e).subs[form.body];
  for (const equation& b : body.equations)
    if (b.out.count != 1 || !((b.op->elementwise && b.op->record) || b.op->view_of)) return false;
  return true;
}

/// Gives the results of such equations.
struct trips_side_by_side {
  const jaxpr& p;
  bool applies(const equation& e) const { return has_separate_trips(p, e); }
  bool operator()(const equation& e, view<const array> in, array_list& out) const {
    if (!applies(e)) return false;
    const control_form form = e.op->control(p.params(e));
    std::vector<int> dims(in.size(), not_mapped);
    for (std::size_t i = form.of_body; i < in.size(); ++i) dims[i] = 0;
    for (const batched& y : batch_jaxpr(*p.params(e).subs[form.body], {}, in, dims, form.trips, {}))
      out.push_back(jacquard::detail::batch_materialise(y.value, y.dim, form.trips));
    return true;
  }
};

}  // namespace detail

/// The program with such loops as array operations; its inputs and outputs stay as they are. The same program, if there are none. `exact` as
/// in simplify.
inline jaxpr_ref with_trips_side_by_side(const jaxpr_ref& program, bool exact) {
  return with_results_replaced(program, "side by side", detail::trips_side_by_side{*program}, exact);
}

}  // namespace jacquard::lowering
