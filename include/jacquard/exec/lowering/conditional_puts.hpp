#pragma once
// Branches that only put few elements into an operand, or leave it alone, become puts without a branch: where the condition does not hold the
// index is one of no element, at which such primitives put nothing. A loop that writes now and then is then one piece of code that updates its
// array in place (if-conversion, Allen, Kennedy, Porterfield and Warren 1983). What else the branches compute must be few elements, too: of that
// both are computed, and one is taken. Deliberately for bodies of loops only, and not where a branch spares work.

#include <optional>

#include "jacquard/exec/lowering/replaced_results.hpp"
#include "jacquard/exec/lowering/roles.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard::lowering {

namespace detail {

/// So many elements are few, so many equations little work: what a wrong guess of a processor costs.
inline constexpr std::int64_t put_elements = 8;
inline constexpr std::size_t branch_equations = 16;
inline bool has_few(const aval& t) { return t.elements() <= put_elements; }
/// Whether an equation puts into an array that is no small one, which is what shall happen in place.
inline bool puts_in_place(const jaxpr& p, const equation& e) { return e.op->put && !has_few(p.avals[p.outputs(e)[0]]); }

/// The operand whose elements are the indices of a put, and an index that names no element; nothing where an index that does not is moved to one.
struct index_of_nothing {
  std::uint32_t operand;
  std::int64_t value;
};
inline std::optional<index_of_nothing> index_of_nothing_of(const jaxpr& p, const equation& e) {
  std::vector<aval> in;
  const lookup_call c = put_of(p, e, in);
  if (c.clips || c.entries.empty()) return {};
  index_of_nothing r{c.entries[0].operand, 0};
  for (const lookup_call::entry& entry : c.entries) {
    if (entry.operand != r.operand) return {};
    r.value = entry.most >= r.value ? entry.most + 1 : r.value;
  }
  const dtype t = in[r.operand].type;
  if ((t != i32 && t != i64) || (t == i32 && r.value > INT32_MAX)) return {};
  return r;
}

/// How the results of a branch come about.
struct branch_form {
  bool simple = true;                 ///< puts, and little work on few elements
  std::vector<std::int32_t> changes;  ///< by result: the operand into which it puts, or which it is; -1: few elements
  bool puts = false;
};
inline branch_form form_of_branch(const jaxpr& p) {
  branch_form f;
  std::vector<std::int32_t> of(p.avals.size(), -1);  // by variable: the operand that it is with elements put into it
  for (std::size_t i = 0; i < p.invars.size(); ++i) of[p.invars[i]] = std::int32_t(i);
  const auto origin = [&](atom a) { return a.is_literal() ? -1 : of[a.index()]; };
  f.simple = p.equations.size() <= branch_equations && p.constvars.empty();
  for (const equation& e : p.equations) {
    if (e.effects != 0 || e.out.count != 1 || e.subs.count != 0) f.simple = false;
    if (!f.simple) return f;
    const variable out = p.outputs(e)[0];
    if (puts_in_place(p, e)) {
      f.puts = true, of[out] = origin(p.inputs(e)[0]);
      f.simple = of[out] >= 0 && has_few(p.type_of(p.inputs(e)[e.op->puts])) && index_of_nothing_of(p, e);
    } else f.simple = has_few(p.avals[out]) && ((e.op->elementwise && e.op->record) || e.op->view_of || e.op->parts || e.op->lookup || e.op->put);
  }
  for (atom a : p.outvars) {
    f.changes.push_back(has_few(p.type_of(a)) ? -1 : origin(a));
    f.simple = f.simple && (has_few(p.type_of(a)) || origin(a) >= 0);
  }
  return f;
}

/// Which branch of a choice between two puts, while the other one leaves what it is given; nothing where they are not like that.
inline std::optional<std::size_t> branch_that_puts(const jaxpr& p, const equation& e) {
  if (!e.op->control || e.effects != 0 || e.subs.count != 2) return {};
  if (e.op->control(p.params(e)).is != control_form::kind::choice) return {};
  const branch_form first = form_of_branch(*p.params(e).subs[0]), second = form_of_branch(*p.params(e).subs[1]);
  if (!first.simple || !second.simple || first.puts == second.puts || first.changes != second.changes) return {};
  return first.puts ? 0 : 1;
}

/// Gives the results of such choices.
struct puts_under_conditions {
  const jaxpr& p;
  bool applies(const equation& e) const { return branch_that_puts(p, e).has_value(); }
  bool operator()(const equation& e, view<const array> in, array_list& out) const {
    const std::optional<std::size_t> putting = branch_that_puts(p, e);
    if (!putting) return false;
    const array second = lax::gt(in[0], array(literal(0, in[0].dtype(), false)));  // as chosen_body
    const view<const array> operands = in.subspan(1);
    const jaxpr &puts = *p.params(e).subs[*putting], &other = *p.params(e).subs[1 - *putting];
    const auto chosen = [&](const array& x, const array& y) {  // x of the branch that puts, y of the other one
      const array condition = lax::broadcast_in_dim(second, x.shape(), {});
      return *putting == 1 ? lax::select_n(condition, y, x) : lax::select_n(condition, x, y);
    };
    const auto put = [&](const equation& each, view<const array> given, array_list& results) {
      if (!puts_in_place(puts, each)) return false;
      const index_of_nothing nothing = *index_of_nothing_of(puts, each);
      std::vector<array> moved(given.begin(), given.end());
      array& index = moved[nothing.operand];
      index = chosen(index, lax::broadcast_in_dim(array(literal(nothing.value, index.dtype(), false)), index.shape(), {}));
      results = jacquard::bind(*each.op, moved, puts.params(each), each.where);
      return true;
    };
    const std::vector<array> x = jacquard::detail::eval_replacing(puts, {}, operands, put), y = eval_jaxpr(other, {}, operands);
    for (std::size_t i = 0; i < x.size(); ++i) out.push_back(has_few(x[i].aval()) ? chosen(x[i], y[i]) : x[i]);
    return true;
  }
};

}  // namespace detail

/// The program with such choices as puts; its inputs and outputs stay as they are. The same program, if there are none. Results keep all bits.
inline jaxpr_ref with_conditional_puts(const jaxpr_ref& program) {
  return with_results_replaced(program, "conditional puts", detail::puts_under_conditions{*program}, true);
}

}  // namespace jacquard::lowering
