#pragma once
// Canonical form of programs before they are lowered: operands are read through permutations of their dimensions where a primitive can do
// that, and in bodies of loops and branches calls are inlined, equal equations merged, dead ones dropped. Whole programs come simplified
// from jit. Deliberately asks primitives for what they can do, and names none.

#include "jacquard/transforms/simplify.hpp"

namespace jacquard::lowering {

namespace detail {

/// The permutation by which an equation shows its operand: dimension d of the result is dimension permutation[d] of it. Empty: by none.
inline int_list permutation_of(const jaxpr& p, const equation& e) {
  if (!e.op->view_of || e.effects != 0 || e.in.count != 1 || e.out.count != 1 || p.inputs(e)[0].is_literal()) return {};
  const aval in = p.type_of(p.inputs(e)[0]), &out = p.avals[p.outputs(e)[0]];
  view_call c{in, out, p.params(e)};
  e.op->view_of(c);
  if (c.same_order || in.rank() != out.rank() || c.from.size() != std::size_t(in.rank())) return {};
  int_list r = int_list::filled(in.rank(), -1);
  for (int d = 0; d < in.rank(); ++d) {
    const index_source& s = c.from[std::size_t(d)];
    if (s.loop < 0 || s.start != 0 || s.step != 1 || r[s.loop] >= 0 || out.dims[s.loop] != in.dims[d]) return {};
    r[s.loop] = d;
  }
  return r;
}

}  // namespace detail

/// The program with permutations taken up by the equations that read them, and without those that nobody reads any more. Inputs and outputs
/// stay as they are. The same program, if there is nothing to take up.
inline jaxpr_ref with_permutations_absorbed(const jaxpr_ref& program) {
  const jaxpr& p = *program;
  std::vector<std::int32_t> shown(p.avals.size(), -1);  // by variable: the equation that permutes another one to make it
  for (std::size_t n = 0; n < p.equations.size(); ++n)
    if (!detail::permutation_of(p, p.equations[n]).empty()) shown[p.outputs(p.equations[n])[0]] = std::int32_t(n);
  jaxpr r = p;
  bool any = false;
  for (equation& e : r.equations) {
    for (std::uint32_t k = 0; e.op->absorb && k < e.in.count; ++k) {
      const atom a = r.operands[e.in.first + k];
      if (a.is_literal() || shown[a.index()] < 0) continue;
      const equation& view = p.equations[std::size_t(shown[a.index()])];
      const int_list permutation = detail::permutation_of(p, view);
      absorb_call c{int(k), permutation, r.params(e)};
      if (!e.op->absorb(c)) continue;
      e.words = {std::uint32_t(r.words.size()), std::uint32_t(c.changed.words.size())};
      for (auto w : c.changed.words) r.words.push_back(w);
      r.operands[e.in.first + k--] = p.inputs(view)[0];  // which may be another permutation
      any = true;
    }
  }
  return any ? jaxpr_ref(drop_dead(r)) : program;
}

/// The simplified body; its inputs and outputs stay as they are.
inline jaxpr_ref canonical_body(const jaxpr_ref& body) { return simplify(closed_jaxpr{body, {}}).program; }

}  // namespace jacquard::lowering
