#pragma once
// Sorting, stable, ascending with NaN last or descending with NaN first; the order of several keys, partitions and the largest
// elements. The derivative takes the tangents in the order found.

#include "jacquard/numpy/axes.hpp"
#include "jacquard/prims/rev.hpp"
#include "jacquard/prims/sub.hpp"
#include "jacquard/prims/top_k.hpp"

namespace jacquard {

/// The type of jq::descending.
struct descending_t {};
/// The largest element first: sort(x, -1, jq::descending).
inline constexpr descending_t descending{};

namespace detail {
/// x, raveled for jq::none, and the axis to sort along.
template <class Operand = operand>
constexpr array sorted_axis(std::string_view operation, const lazy<Operand>& x, int axis, array& out, int& d) {
  out = x.value;
  if (axis != none) return resolve_one_axis(operation, x, axis, out.ndim(), d);
  const array missing = check_given(operation, x);
  if (!missing.is_none()) return missing;
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
  const array bad = detail::sorted_axis("sort", x, axis, v, d);
  if (!bad.is_none()) return bad;
  return lax::sort(v, d, x.where);
}
/// The same with the largest element, or NaN, first.
template <class Operand = operand>
constexpr array sort(const lazy<Operand>& x, int axis, descending_t) {
  array v;
  int d = 0;
  const array bad = detail::sorted_axis("sort", x, axis, v, d);
  if (!bad.is_none()) return bad;
  return lax::rev(lax::sort(v, d, x.where), {d}, x.where);
}
/// The indices that sort each row of x along an axis, i64; equal elements keep their order.
/// Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array argsort(const lazy<Operand>& x, int axis = -1) {
  array v;
  int d = 0;
  const array bad = detail::sorted_axis("argsort", x, axis, v, d);
  if (!bad.is_none()) return bad;
  const array operands[] = {v, lax::iota(i64, v.shape(), d, x.where)};
  return lax::sort(operands, d, 1, true, x.where)[1];
}
/// The same with the largest element, or NaN, first; equal elements keep their order, too.
template <class Operand = operand>
constexpr array argsort(const lazy<Operand>& x, int axis, descending_t) {
  array v;
  int d = 0;
  const array bad = detail::sorted_axis("argsort", x, axis, v, d);
  if (!bad.is_none()) return bad;
  const shape dims = v.shape();
  const array numbers = lax::iota(i64, dims, d, x.where);
  const array operands[] = {lax::rev(v, {d}, x.where), lax::sub(array(dims[d] - 1), numbers, x.where)};
  return lax::rev(lax::sort(operands, d, 1, true, x.where)[1], {d}, x.where);
}
/// The order of several keys of one shape along an axis, i64; the last key counts first, as in numpy.
/// Errors: value_error for no keys or an axis out of range; shape_error for shapes that differ.
template <class Array = array>
constexpr array lexsort(view<const lazy<Array>> keys, int axis = -1, location where = location::current()) {
  if (keys.empty())
    return detail::operand_error(keys, make_error(error_kind::value, "lexsort: need at least one key, got none"), where);
  int d = 0;
  const operand first(keys[0], where);
  const array bad = detail::resolve_one_axis("lexsort", first, axis, keys[0].ndim(), d);
  if (!bad.is_none()) return bad;
  std::vector<array> operands;
  for (std::size_t k = keys.size(); k-- > 0;) operands.push_back(keys[k]);
  operands.push_back(lax::iota(i64, keys[0].shape(), d, where));
  return lax::sort(view<const array>(operands), d, std::int64_t(keys.size()), true, where)[keys.size()];
}
template <class Operand = operand>
constexpr array lexsort(std::initializer_list<lazy<Operand>> keys, int axis = -1) {
  std::vector<array> values;
  for (const operand& k : keys) values.push_back(k.value);
  return lexsort(view<const array>(values), axis, keys.size() ? keys.begin()->where : location{});
}

namespace detail {
template <class Operand = operand>
constexpr array check_rank_within(std::string_view operation, const lazy<Operand>& x, std::int64_t kth, int axis) {
  array v;
  int d = 0;
  const array bad = sorted_axis(operation, x, axis, v, d);
  if (!bad.is_none()) return bad;
  const std::int64_t n = v.shape()[d];
  if (kth >= -n && kth < n) return {};
  return bad_operand(x, error_kind::value, operation, ": kth ", kth, " is out of bounds for a dimension of size ", n, "; wanted one in [", -n, ", ", n, ")");
}
}  // namespace detail

/// x with the element of rank `kth` of each row in its place, none before it larger and none behind it smaller. (The rows are sorted,
/// which is one such order.) Errors: value_error for kth or an axis out of range.
template <class Operand = operand>
constexpr array partition(const lazy<Operand>& x, std::int64_t kth, int axis = -1) {
  const array bad = detail::check_rank_within("partition", x, kth, axis);
  if (!bad.is_none()) return bad;
  return sort(x, axis);
}
/// The indices that partition gives an order by. Errors: as partition.
template <class Operand = operand>
constexpr array argpartition(const lazy<Operand>& x, std::int64_t kth, int axis = -1) {
  const array bad = detail::check_rank_within("argpartition", x, kth, axis);
  if (!bad.is_none()) return bad;
  return argsort(x, axis);
}

/// Values and where they are, e.g. auto [values, indices] = jq::top_k(x, 3).
struct values_and_indices {
  array values, indices;
};
/// The k largest elements of each row along the last axis, the largest (or NaN) first, and their indices, i64; of equal ones the first
/// comes first. Errors: value_error for k out of range; shape_error for a scalar; type_error for complex numbers.
template <class Operand = operand>
constexpr values_and_indices top_k(const lazy<Operand>& x, std::int64_t k) {
  const array_list y = lax::top_k(x.value, k, x.where);
  if (y.size() < 2) return {y[0], y[0]};  // after an error
  return {y[0], y[1]};
}

}  // namespace jacquard
