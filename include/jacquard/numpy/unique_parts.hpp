#pragma once
// Distinct parts of an array along one of its axes: rows, columns or pages that occur more than once, compared element by element. Elements of the
// raveled array, and sets of them, are in numpy/sets.hpp.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/sets.hpp"

namespace jacquard {

/// How unique and unique_all are taken.
struct unique_options {
  int axis = none;           ///< of which parts are compared; the raveled array without it
  std::int64_t size = none;  ///< how many are given; counted without it
  array fill{};              ///< a scalar for those that are too many; the first one without it
};

namespace detail {
/// The order in which the n rows of an array (n, m) are sorted, the first column before the second: stable sorts, from the last column on.
template <class Array = array>
constexpr array order_of_rows(const lazy<Array>& rows, const location& where) {
  const std::int64_t n = rows.shape()[0], m = rows.shape()[1];
  const auto by_column = [&](const array& k, const array& order) {
    const array start[] = {array(literal(0, i64, false)), lax::sub(array(m - 1), k, where)};
    const array column = lax::dynamic_slice(rows, view<const array>(start), {n, 1}, where);
    const array keys = lax::gather(lax::reshape(column, shape{n}, where), lax::reshape(order, shape{n, 1}, where), {{}, {0}, {0}}, {1}, index_mode::clip, where);
    const array both[] = {keys, order};
    return lax::sort(both, 0, 1, true, where)[1];
  };
  const array start = lax::iota(i64, shape{n}, 0, where);
  if (m == 0) return start;
  return lax::fori_loop(array(std::int64_t(0)), array(m), by_column, start, where);
}
}  // namespace detail

/// The distinct parts of x along options.axis, in ascending order of their elements; NaN equals NaN. Their places, inverse and counts are vectors.
/// Without an axis, as unique_all(x, size). Errors: value_error for an axis out of range; shape_error for a fill that is no scalar;
/// concretization_error where the size is left out and values are not known.
/// Cost: a sort for each element of a part.
template <class Operand = operand>
constexpr unique_result unique_all(const lazy<Operand>& x, const unique_options& options) {
  const location& where = x.where;
  const auto failed = [](const array& bad) { return unique_result{bad, bad, bad, bad}; };
  if (!options.fill.is_none() && options.fill.ndim() != 0)
    return failed(detail::bad_operand(x, error_kind::shape, "unique: got the option fill of shape ", options.fill.shape(), ", wanted a scalar"));
  unique_result r;
  int d = 0;
  if (options.axis == none) r = unique_all(x, options.size);
  else {
    const array bad = detail::resolve_one_axis("unique", x, options.axis, x.value.ndim(), d);
    if (!bad.is_none()) return failed(bad);
    const std::int64_t n = x.value.shape()[d];
    if (n == 0) {
      shape dims = x.value.shape();
      dims[d] = options.size < 0 ? 0 : options.size;
      const array zero = lax::zeros({i64, shape{dims[d]}}, where);
      r = {lax::zeros(x.value.aval().with(dims), where), zero, lax::zeros({i64, shape{0}}, where), zero};
    } else {
      const array front = moveaxis(x, d, 0), rows = lax::reshape(front, shape{n, front.size() / n}, where), order = detail::order_of_rows(rows, where);
      const array sorted = take(operand(rows, where), operand(order, where), 0);
      const array differs = lax::reduce_or(detail::differs_from_next(sorted, where), {1}, where);
      r = detail::neighbour_groups(differs, order, options.size, where).result(array(), where);
      r.values = take(x, operand(r.index, where), d);
    }
  }
  if (options.fill.is_none()) return r;
  const array there = lax::gt(r.counts, array(std::int64_t(0)), where);
  const array mask = lax::broadcast_in_dim(there, r.values.shape(), {d}, where);
  r.values = lax::select(mask, r.values, detail::as_type(options.fill, r.values.aval().element(), where), where);
  return r;
}
/// The distinct parts alone. Errors and cost: as unique_all.
template <class Operand = operand>
constexpr array unique(const lazy<Operand>& x, const unique_options& options) { return unique_all(x, options).values; }

}  // namespace jacquard
