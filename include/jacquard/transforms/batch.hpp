#pragma once
// Vectorization: an interpreter of jaxprs in which any value may carry one extra dimension. Equations that touch no mapped
// value run as they are. Deliberately free of array operations beyond the structural set: each batching rule comes from
// its primitive.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/jvp.hpp"

namespace jacquard {

/// Evaluates `p` with argument i mapped along dimension dims[i] (not_mapped = the same for every example).
/// Collectives over `axis` see the mapped dimension.
template <class Array = array>
JACQUARD_ONCE constexpr std::vector<batched> batch_jaxpr(const jaxpr& p, view<const lazy<Array>> constants,
                                                         view<const lazy<Array>> arguments, view<const int> dims,
                                                         std::int64_t size, const name_text& axis) {
  environment env(p, constants, arguments);
  std::vector<int> dim(p.avals.size(), not_mapped);
  for (std::size_t i = 0; i < arguments.size(); ++i) dim[p.invars[i]] = dims[i];
  batch_call c{{}, {}, size, axis, {}, {}};
  for (const equation& e : p.equations) {
    const std::vector<array> x = env.read(p.inputs(e));
    small_vector<int, 4> d;
    bool any = (e.effects & collective_effect) != 0 && axis.chars[0] != 0;
    for (atom a : p.inputs(e)) {
      d.push_back(a.is_literal() ? not_mapped : dim[a.index()]);
      any = any || d.back() != not_mapped;
    }
    const rule_location_scope here(e.where);
    c.x = x, c.dims = view<const int>(d.data(), d.size()), c.params = p.params(e);
    c.outputs.clear();
    if (any && e.op->batch) e.op->batch(c);
    else {
      if (any) detail::missing_rule(x, "Batching rule", e, "give the primitive a batch rule");
      for (const array& y : jacquard::bind(*e.op, x, p.params(e), e.where)) c.outputs.push_back({y, not_mapped});
    }
    for (std::size_t i = 0; i < e.out.count; ++i) {
      env.write(p.outputs(e)[i], c.outputs[i].value);
      dim[p.outputs(e)[i]] = c.outputs[i].dim;
    }
  }
  std::vector<batched> r;
  for (atom a : p.outvars) r.push_back({env.read(a), a.is_literal() ? not_mapped : dim[a.index()]});
  return r;
}

}  // namespace jacquard
