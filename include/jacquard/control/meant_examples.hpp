#pragma once
// Bodies that run for all examples of a batch though they are meant for some, and may not end for the others: a branch that holds a
// while_loop, or a loop within a loop. The others get the operands of an example that the body is meant for, for which it ends if the
// function does. Deliberately without a choice of what is kept of the results: the rules that run such bodies have that. And how to tell
// that a loop is one for all examples of a batch already.

#include "jacquard/core/jaxpr.hpp"
#include "jacquard/prims/arg_max_min.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
#include "jacquard/prims/reduce_logical.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard::detail {

/// Whether a program holds, at any depth, a loop that ends by what it computes. Complexity: linear.
constexpr bool may_not_end(const jaxpr& p) {
  for (const equation& e : p.equations) {
    if (e.op->unbounded) return true;
    const param_view held = p.params(e);
    for (std::uint32_t i = 0; i < held.sub_count; ++i)
      if (may_not_end(*held.subs[i])) return true;
  }
  return false;
}

/// x, with examples along dimension d, where `meant` (bool [examples]) holds, and elsewhere the first example for which it does.
template <class Array = array>
constexpr array of_meant_examples(const lazy<Array>& x, int d, const lazy<Array>& meant) {
  const array first = lax::argmax(lax::convert_element_type(meant, i32), 0, i32);
  std::vector<array> start(std::size_t(x.ndim()), array(std::int32_t(0)));
  start[std::size_t(d)] = first;
  const array one = lax::dynamic_slice(x, view<const array>(start.data(), start.size()), shape(x.shape().without(d).with(d, 1)));
  int_list dims;
  for (int i = 0; i < x.ndim(); ++i) dims.push_back(i);
  return lax::select(lax::broadcast_in_dim(meant, x.shape(), {d}), x, lax::broadcast_in_dim(one, x.shape(), dims));
}

/// The carry that says which examples go on, of a while_loop that runs until none does, and leaves those that are done as they are: its condition is
/// whether that carry (bool [...]) holds anywhere, and of all others the body selects by it. The number of carries where it is not one. Complexity:
/// linear, times the carries.
constexpr std::size_t carry_that_says_who_goes_on(const jaxpr& condition, const jaxpr& body, std::size_t of_condition, std::size_t of_body) {
  const std::size_t carries = body.outvars.size();
  if (condition.equations.size() != 1 || condition.equations[0].op->name != reduce_or_p::name) return carries;
  if (!(condition.outvars[0] == atom::of_variable(condition.outputs(condition.equations[0])[0]))) return carries;
  const atom asked = condition.inputs(condition.equations[0])[0];
  std::size_t flag = 0;
  while (flag < carries && !(asked == atom::of_variable(condition.invars[of_condition + flag]))) ++flag;
  if (flag == carries || condition.type_of(asked).rank() != decode<reduce_or_p::params>(condition.params(condition.equations[0])).axes.size()) return carries;
  const auto before = [&](std::size_t i) { return atom::of_variable(body.invars[of_body + i]); };
  const auto made = [&](atom a, std::string_view by) {
    const equation* r = nullptr;
    for (const equation& e : body.equations)
      if (!a.is_literal() && e.op->name == by && body.outputs(e)[0] == a.index()) r = &e;
    return r;
  };
  const auto is_flag = [&](atom a) {
    const equation* wide = made(a, broadcast_in_dim_p::name);
    if (!wide) return a == before(flag);
    const int_list dims = decode<broadcast_in_dim_p::params>(body.params(*wide)).broadcast_dimensions;
    for (int d = 0; d < dims.size(); ++d)
      if (dims[d] != d) return false;
    return body.inputs(*wide)[0] == before(flag);
  };
  for (std::size_t i = 0; i < carries; ++i) {
    if (body.outvars[i] == before(i)) continue;
    const equation* e = made(body.outvars[i], i == flag ? and_p::name : select_n_p::name);
    if (!e) return carries;
    const auto in = body.inputs(*e);
    if (i == flag ? !(in[0] == before(i) || in[1] == before(i)) : !(is_flag(in[0]) && in[1] == before(i))) return carries;
  }
  return flag;
}

}  // namespace jacquard::detail
