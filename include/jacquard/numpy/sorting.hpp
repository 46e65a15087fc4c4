#pragma once
// Sorting: ascending and stable, NaN last. The derivative takes the tangents in the order found.

#include "jacquard/numpy/axes.hpp"
#include "jacquard/prims/sort.hpp"

namespace jacquard {

namespace detail {
/// x with the axis to sort along, which is the last one of the raveled array for jq::none; -1 after an error.
constexpr int sorted_axis(std::string_view operation, const operand& x, int axis, array& out) {
  out = x.value;
  if (axis != none && out.ndim() != 0) return resolve_one_axis(operation, x, axis, out.ndim());
  out = lax::reshape(out, shape{out.size()}, x.where);
  return 0;
}
}  // namespace detail

/// x with each row along an axis (the last by default) in ascending order; jq::none sorts the raveled array.
/// Errors: value_error for an axis out of range.
constexpr array sort(const operand& x, int axis = -1) {
  array v;
  const int d = detail::sorted_axis("sort", x, axis, v);
  if (d < 0) return array(0.0f);
  return lax::sort(v, d, x.where);
}
/// The indices that sort each row of x along an axis, i64; equal elements keep their order.
/// Errors: value_error for an axis out of range.
constexpr array argsort(const operand& x, int axis = -1) {
  array v;
  const int d = detail::sorted_axis("argsort", x, axis, v);
  if (d < 0) return array(0.0f);
  const array operands[] = {v, lax::iota(i64, v.shape(), d, x.where)};
  return lax::sort(operands, d, 1, true, x.where)[1];
}

}  // namespace jacquard
