#pragma once
// Loops whose trips do not depend on each other, and whose bodies compute element by element, become array operations over all trips, which
// are fused with what is around them. Deliberately leaves all others alone: sums and products over more dimensions may round in another way,
// and what a trip keeps to itself would need memory for each of them.

#include "jacquard/transforms/batch.hpp"
#include "jacquard/transforms/simplify.hpp"

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

/// The results of such an equation.
inline std::vector<array> side_by_side(const jaxpr& p, const equation& e, const std::vector<array>& in) {
  const control_form form = e.op->control(p.params(e));
  std::vector<int> dims(in.size(), not_mapped);
  for (std::size_t i = form.of_body; i < in.size(); ++i) dims[i] = 0;
  std::vector<array> r;
  for (const batched& y : batch_jaxpr(*p.params(e).subs[form.body], {}, in, dims, form.trips, {}))
    r.push_back(jacquard::detail::batch_materialise(y.value, y.dim, form.trips));
  return r;
}

}  // namespace detail

/// The program with such loops as array operations; its inputs and outputs stay as they are. The same program, if there are none. `exact` as
/// in simplify.
inline jaxpr_ref with_trips_side_by_side(const jaxpr_ref& program, bool exact) {
  const jaxpr& p = *program;
  bool any = false;
  for (const equation& e : p.equations) any = any || detail::has_separate_trips(p, e);
  if (!any) return program;
  const jaxpr_ref made = jacquard::detail::retraced(p, "side by side", [&](view<const array> constants, view<const array> arguments) {
    environment env(p, constants, arguments);
    for (const equation& e : p.equations) {
      const std::vector<array> in = env.read(p.inputs(e));
      const rule_location_scope here(e.where);
      if (detail::has_separate_trips(p, e)) {
        const std::vector<array> out = detail::side_by_side(p, e, in);
        for (std::size_t i = 0; i < out.size(); ++i) env.write(p.outputs(e)[i], out[i]);
        continue;
      }
      const array_list out = jacquard::bind(*e.op, in, p.params(e), e.where);
      for (std::size_t i = 0; i < out.size(); ++i) env.write(p.outputs(e)[i], out[i]);
    }
    return env.read(p.outvars);
  });
  return jaxpr_ref(drop_dead_and_merge(*made, exact));
}

}  // namespace jacquard::lowering
