#pragma once
// Sorting: ascending and stable, NaN last. The derivative takes the tangents in the order found.

#include "jacquard/numpy/axes.hpp"
#include "jacquard/prims/sort.hpp"

namespace jacquard {

namespace detail {
/// x, raveled for jq::none, and the axis to sort along.
template <class Operand = operand>
constexpr array sorted_axis(std::string_view operation, const lazy<Operand>& x, int axis, array& out, int& d) {
  out = x.value;
  if (axis != none && out.ndim() != 0) return resolve_one_axis(operation, x, axis, out.ndim(), d);
  out = lax::reshape(out, shape{out.size()}, x.where);
  return {};
}
}  // namespace detail

/// x with each row along an axis (the last by default) in ascending order; jq::none sorts the raveled array.
/// Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array sort(const lazy<Operand>& x, int axis = -1) {
  array v;
  int d = 0;
  if (const array bad = detail::sorted_axis("sort", x, axis, v, d); !bad.is_none()) return bad;
  return lax::sort(v, d, x.where);
}
/// The indices that sort each row of x along an axis, i64; equal elements keep their order.
/// Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array argsort(const lazy<Operand>& x, int axis = -1) {
  array v;
  int d = 0;
  if (const array bad = detail::sorted_axis("argsort", x, axis, v, d); !bad.is_none()) return bad;
  const array operands[] = {v, lax::iota(i64, v.shape(), d, x.where)};
  return lax::sort(operands, d, 1, true, x.where)[1];
}

}  // namespace jacquard
