#pragma once
// Canonical form of programs before they are lowered: loops whose trips are separate are array operations, operands are read through
// permutations of their dimensions where a primitive can do that, contractions have their results in the order in which they are read, and in
// bodies of loops and branches calls are inlined, equal equations merged, dead ones dropped. Whole programs come simplified from jit. Deliberately asks primitives for what they can do, and names none.

#include "jacquard/exec/lowering/conditional_puts.hpp"
#include "jacquard/exec/lowering/few_elements.hpp"
#include "jacquard/exec/lowering/side_by_side.hpp"

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

/// Whether a permutation puts the dimensions that the result of a contraction has of its second operand before those of the first.
inline bool turns(const jaxpr& p, const equation& e, const int_list& permutation) {
  const contraction c = e.op->contract(p.params(e));
  const int shared = c.lhs_batch.size(), first = p.type_of(p.inputs(e)[0]).rank() - shared - c.lhs_contracting.size();
  for (int d = 0; d < permutation.size(); ++d) {
    const int second = permutation.size() - shared - first;
    if (permutation[d] != (d < shared ? d : d < shared + second ? d + first : d - second)) return false;
  }
  return true;
}
/// Calls f(atom) for all that a program reads, results of its own among them; f may change it.
template <class F>
void for_each_read(jaxpr& p, F&& f) {
  for (equation& e : p.equations)
    for (std::uint32_t k = 0; k < e.in.count; ++k) f(p.operands[e.in.first + k]);
  for (atom& a : p.outvars) f(a);
}
inline void set_params(jaxpr& p, equation& e, const param_pack& changed) {
  e.words = {std::uint32_t(p.words.size()), std::uint32_t(changed.words.size())};
  for (auto w : changed.words) p.words.push_back(w);
}

}  // namespace detail

/// The program with contractions of operands in the other order, where nothing reads the result of one but a permutation that is undone by
/// that; the permutation is gone then. The same program, if there are none.
inline jaxpr_ref with_contractions_turned(const jaxpr_ref& program) {
  jaxpr r = *program;
  std::vector<std::int32_t> made(r.avals.size(), -1);  // by variable: the contraction that makes it
  std::vector<std::uint32_t> reads(r.avals.size(), 0);
  for (std::size_t n = 0; n < r.equations.size(); ++n)
    if (r.equations[n].op->swapped) made[r.outputs(r.equations[n])[0]] = std::int32_t(n);
  detail::for_each_read(r, [&](atom a) {
    if (!a.is_literal()) ++reads[a.index()];
  });
  bool any = false;
  for (const equation& view : r.equations) {
    const int_list permutation = detail::permutation_of(r, view);
    if (permutation.size() == 0) continue;
    const variable before = r.inputs(view)[0].index(), after = r.outputs(view)[0];
    if (made[before] < 0 || reads[before] != 1) continue;
    equation& e = r.equations[std::size_t(made[before])];
    if (!detail::turns(r, e, permutation)) continue;
    detail::set_params(r, e, e.op->swapped(r.params(e)));
    std::swap(r.operands[e.in.first], r.operands[e.in.first + 1]);
    std::swap(r.results[e.out.first], r.results[view.out.first]);  // the permutation makes what nobody reads now
    made[after] = std::exchange(made[before], -1);
    any = true;
  }
  return any ? jaxpr_ref(drop_dead(r)) : program;
}

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
      detail::set_params(r, e, c.changed);
      r.operands[e.in.first + k--] = p.inputs(view)[0];  // which may be another permutation
      any = true;
    }
  }
  return any ? jaxpr_ref(drop_dead(r)) : program;
}

/// The canonical form of a program. `rounds_freely`: contractions are turned, whose sums are rounded in another way then, and zeros may lose
/// their signs. `in_examples`: what there are many examples of few elements of is written out, see few_elements.
inline jaxpr_ref canonical(const jaxpr_ref& program, bool rounds_freely, bool in_examples = false) {
  const jaxpr_ref absorbed = with_permutations_absorbed(with_trips_side_by_side(program, !rounds_freely));
  if (!rounds_freely) return absorbed;
  const jaxpr_ref turned = with_contractions_turned(absorbed);
  return in_examples ? with_examples_written_out(turned) : turned;
}

/// The simplified body; its inputs and outputs stay as they are. `exact` as in simplify. `keeps_few`: code is made of it that keeps few elements in
/// registers, and puts elements in place.
inline jaxpr_ref canonical_body(const jaxpr_ref& body, bool exact, bool keeps_few = false) {
  const jaxpr_ref simple = simplify(closed_jaxpr{body, {}}, no_effect, exact).program;
  if (!keeps_few) return simple;
  const jaxpr_ref r = with_conditional_puts(simple);
  return exact ? r : with_few_written_out(r);
}

}  // namespace jacquard::lowering
