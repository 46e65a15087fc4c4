#pragma once
// Bodies that run for all examples of a batch though they are meant for some, and may not end for the others: a branch that holds a
// while_loop, or a loop within a loop. The others get the operands of an example that the body is meant for, for which it ends if the
// function does. Deliberately without a choice of what is kept of the results: the rules that run such bodies have that.

#include "jacquard/core/jaxpr.hpp"
#include "jacquard/prims/arg_max_min.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
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

}  // namespace jacquard::detail
