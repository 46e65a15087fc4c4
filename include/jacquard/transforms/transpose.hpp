#pragma once
// Transposition: runs a linear program backwards, from cotangents of its outputs to cotangents of its inputs. Together
// with linearize it is reverse mode. Deliberately without a tape: the linear program is the tape.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/linearize.hpp"

namespace jacquard {

namespace detail {

/// Cotangents by variable; none = zero.
template <class Array>
class cotangents {
 public:
  constexpr explicit cotangents(const jaxpr& p) : values_(p.avals.size()) {}
  constexpr Array of(variable v) const { return values_[v]; }
  constexpr void accumulate(atom a, const Array& ct, const aval& type) {
    if (a.is_literal() || ct.is_none()) return;
    Array fitted = ct;
    if (type.rank() == 0 && ct.ndim() != 0) fitted = lax::reduce_sum(ct, int_list::iota(ct.ndim()));
    Array& slot = values_[a.index()];
    slot = add_tangents(slot, fitted);
  }

  /// What the cotangent of `v` will be added to by whoever asked for it, or by a rule that takes it.
  constexpr void set_sum(variable v, const Array& sum) {
    sums_.resize(values_.size());
    sums_[v] = sum;
  }
  constexpr Array sum_of(variable v) const {
    if (sums_.empty()) return {};
    return sums_[v];
  }
  constexpr bool has_sums() const { return !sums_.empty(); }

  std::vector<aval> types;  ///< of the operands of the equation at hand: storage for them, kept from one to the next

 private:
  table<Array> values_;
  std::vector<Array> sums_;
};

/// Whether the equation is linear in those operands that are none, together. A program that a user calls linear may not be.
constexpr bool is_linear_where_none(const primitive& op, const array_list& x) {
  std::uint32_t asked = 0;
  for (std::size_t k = 0; k < x.size() && k < 32; ++k)
    if (x[k].is_none()) asked |= std::uint32_t(1) << k;
  return op.linear == 0 || ((asked & ~op.linear) == 0 && (op.jointly_linear || (asked & (asked - 1)) == 0));
}

/// Transposes one linear equation.
template <class Array>
constexpr void transpose_equation(const jaxpr& p, const equation& e, const environment& env,
                                  const std::vector<char>& linear, cotangents<Array>& cts) {
  array_list ct, x;
  bool any = false;
  for (variable v : p.outputs(e)) {
    ct.push_back(cts.of(v));
    any = any || !ct[ct.size() - 1].is_none();
  }
  if (!any) return;
  std::vector<aval>& types = cts.types;
  types.clear();
  for (atom a : p.inputs(e)) {
    const bool is_linear = !a.is_literal() && linear[a.index()];
    if (is_linear) x.push_back({});
    else x.push_back(env.read(a));
    types.push_back(p.type_of(a));
  }
  transpose_call c{view<const array>(x.data(), x.size()), view<const aval>(types), view<const array>(ct.data(), ct.size()), {}, p.params(e)};
  if (!e.op->transpose)
    return missing_rule(c.all(), "Transpose rule (for reverse-mode differentiation)", e,
                        "give the primitive a transpose, or wrap the function in jq::custom_vjp");
  if (!is_linear_where_none(*e.op, x)) {
    error_record r = make_error(error_kind::value, "transposition: got a function that is not linear in its arguments: '", e.op->name,
                                "' has operands that depend on them in which it is not linear together; close over all but one, or use jq::vjp");
    r.where = e.where;
    return report(c.all(), r);
  }
  array_list ct_in, sums;
  ct_in.resize(x.size());
  std::vector<char> has_sum;
  if (cts.has_sums()) sums.resize(x.size()), has_sum.resize(x.size(), false);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (!x[k].is_none()) continue;
    bool is_first = true;  // of two operands that are one, one takes the sum
    for (std::size_t j = 0; j < k; ++j) is_first = is_first && !(p.inputs(e)[j] == p.inputs(e)[k]);
    if (is_first) sums[k] = cts.sum_of(p.inputs(e)[k].index());
    has_sum[k] = !sums[k].is_none();
  }
  c.ct_in = view<array>(ct_in.data(), ct_in.size());
  c.sums = view<array>(sums.data(), sums.size());
  const rule_location_scope here(e.where);
  e.op->transpose(c);
  for (std::size_t k = 0; k < x.size(); ++k)
    if (x[k].is_none()) {
      if (k < has_sum.size() && has_sum[k] && sums[k].is_none()) cts.set_sum(p.inputs(e)[k].index(), ct_in[k]);
      else cts.accumulate(p.inputs(e)[k], ct_in[k], types[k]);
    }
}

}  // namespace detail

/// Cotangents of the inputs of the linear program `p` (those with `linear_input` set), given cotangents of its outputs.
/// None stands for zero on both sides. Equations that do not depend on a linear input are evaluated. `sums`, by input if there are any: what
/// its cotangent will be added to; rules may do that themselves, where most of the sum stays as it is, and give it back.
template <class Array = array>
JACQUARD_ONCE constexpr std::vector<array> transpose_jaxpr(const jaxpr& p, view<const lazy<Array>> constants,
                                                           view<const lazy<Array>> arguments, const std::vector<char>& linear_input,
                                                           view<const lazy<Array>> out_cotangents, view<lazy<Array>> sums = {}) {
  environment env(p, constants, arguments);
  std::vector<char> linear(p.avals.size(), false);
  for (std::size_t i = 0; i < p.invars.size(); ++i) linear[p.invars[i]] = linear_input[i];
  std::vector<char> is_linear_equation(p.equations.size(), false);
  for (std::size_t n = 0; n < p.equations.size(); ++n) {
    const equation& e = p.equations[n];
    bool any = false;
    for (atom a : p.inputs(e)) any = any || (!a.is_literal() && linear[a.index()]);
    is_linear_equation[n] = any;
    if (any) {
      for (variable v : p.outputs(e)) linear[v] = true;
      continue;
    }
    const rule_location_scope here(e.where);
    const array_list y = jacquard::bind(*e.op, env.read(p.inputs(e)), p.params(e), e.where);
    for (std::size_t i = 0; i < y.size(); ++i) env.write(p.outputs(e)[i], y[i]);
  }
  detail::cotangents<Array> cts(p);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!sums[i].is_none()) cts.set_sum(p.invars[i], sums[i]);
  for (std::size_t i = 0; i < p.outvars.size(); ++i)
    cts.accumulate(p.outvars[i], out_cotangents[i], p.type_of(p.outvars[i]));
  for (std::size_t n = p.equations.size(); n-- > 0;)
    if (is_linear_equation[n]) detail::transpose_equation(p, p.equations[n], env, linear, cts);
  std::vector<array> r;
  for (std::size_t i = 0; i < p.invars.size(); ++i) {
    r.emplace_back();
    if (linear_input[i]) r.back() = cts.of(p.invars[i]);
    if (i < sums.size() && !sums[i].is_none()) sums[i] = cts.sum_of(p.invars[i]);
  }
  return r;
}

}  // namespace jacquard
