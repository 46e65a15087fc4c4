#pragma once
// Shapes and order of elements: reshaping, moving and adding axes, joining, repeating, triangles and diagonals. No function
// here computes with elements. Indexing is in indexing.hpp, sorting in sorting.hpp.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/rev.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/squeeze.hpp"

namespace jacquard {

// --- shape -----------------------------------------------------------------------------------------------------------

/// x with another shape, elements in row-major order; one dimension may be -1, which the others determine.
/// Errors: shape_error for another number of elements or two dimensions of -1.
template <class Operand = operand>
constexpr array reshape(const lazy<Operand>& x, const shape& dims) {
  shape target = dims;
  const int open = dims.index_of(-1);
  if (open >= 0) {
    std::int64_t known = 1;
    bool single = true;
    for (int d = 0; d < dims.rank(); ++d)
      if (d != open) known *= dims[d], single = single && dims[d] >= 0;
    if (!single || known == 0 || x.value.size() % known != 0)
      return detail::bad_operand(x, error_kind::shape, "reshape: cannot reshape array of shape ", x.value.shape(), " (size ",
                                 x.value.size(), ") into shape ", dims,
                                 "; wanted at most one -1 and sizes whose product divides the size");
    target[open] = x.value.size() / known;
  }
  return lax::reshape(x.value, target, x.where);
}
/// x with rank 1.
template <class Operand = operand>
constexpr array ravel(const lazy<Operand>& x) {
  const array missing = detail::check_given("ravel", x);
  if (!missing.is_none()) return missing;
  return lax::reshape(x.value, shape{x.value.size()}, x.where);
}
namespace detail {
/// x itself where there is an axis, raveled where there is none. Not by ?:, which g++ 12 gets wrong in constant evaluation.
template <class Operand = operand>
constexpr array raveled_without(int axis, const lazy<Operand>& x) {
  if (axis == none) return ravel(x);
  return x.value;
}
}  // namespace detail

/// x with its dimensions in the order `axes`; reversed without it. Errors: value_error if that is no permutation.
template <class Operand = operand>
constexpr array transpose(const lazy<Operand>& x, const axis_list& axes) {
  int_list order;
  const array bad = detail::resolve_axes("transpose", x, axes, x.value.ndim(), order);
  if (!bad.is_none()) return bad;
  if (order.size() != x.value.ndim())
    return detail::bad_operand(x, error_kind::value, "transpose: got axes ", axes, " for array of dimension ", x.value.ndim(),
                               "; wanted each axis exactly once");
  return lax::transpose(x.value, order, x.where);
}
template <class Operand = operand>
constexpr array transpose(const lazy<Operand>& x) {
  const array missing = detail::check_given("transpose", x);
  if (!missing.is_none()) return missing;
  int_list order;
  for (int d = x.value.ndim(); d > 0; --d) order.push_back(d - 1);
  return lax::transpose(x.value, order, x.where);
}
/// x with the axes `from` moved to the places `to`; the others keep their order.
/// Errors: value_error for axes out of range or repeated, or lists of different lengths.
template <class Operand = operand>
constexpr array moveaxis(const lazy<Operand>& x, const axis_list& from, const axis_list& to) {
  const int rank = x.value.ndim();
  int_list source, target;
  array bad = detail::resolve_axes("moveaxis", x, from, rank, source);
  if (!bad.is_none()) return bad;
  if (bad = detail::resolve_axes("moveaxis", x, to, rank, target); !bad.is_none()) return bad;
  if (source.size() != target.size())
    return detail::bad_operand(x, error_kind::value, "moveaxis: got ", source.size(), " axes to move and ", target.size(),
                               " places; wanted as many places as axes");
  const int_list rest = detail::other_axes(rank, source);
  int_list order;
  for (int d = 0, next = 0; d < rank; ++d)
    if (const int k = target.index_of(d); k >= 0) order.push_back(source[k]);
    else order.push_back(rest[next++]);
  return lax::transpose(x.value, order, x.where);
}
/// x with two axes exchanged. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array swapaxes(const lazy<Operand>& x, int a, int b) {
  const int rank = x.value.ndim();
  int first = 0, second = 0;
  array bad = detail::resolve_one_axis("swapaxes", x, a, rank, first);
  if (!bad.is_none()) return bad;
  if (bad = detail::resolve_one_axis("swapaxes", x, b, rank, second); !bad.is_none()) return bad;
  int_list order = int_list::iota(rank);
  order[first] = second;
  order[second] = first;
  return lax::transpose(x.value, order, x.where);
}
/// x without the dimensions `axes`, which have size 1; without all such dimensions by default.
/// Errors: value_error for an axis out of range or repeated; shape_error for a dimension of another size.
template <class Operand = operand>
constexpr array squeeze(const lazy<Operand>& x, const axis_list& axes) {
  int_list d;
  const array bad = detail::resolve_axes("squeeze", x, axes, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  return lax::squeeze(x.value, d, x.where);
}
template <class Operand = operand>
constexpr array squeeze(const lazy<Operand>& x) {
  const array missing = detail::check_given("squeeze", x);
  if (!missing.is_none()) return missing;
  const shape dims = x.value.shape();
  int_list ones;
  for (int d = 0; d < dims.rank(); ++d)
    if (dims[d] == 1) ones.push_back(d);
  return lax::squeeze(x.value, ones, x.where);
}
/// x with new dimensions of size 1 at the positions `axes` of the result.
/// Errors: value_error for a position out of range or repeated.
template <class Operand = operand>
constexpr array expand_dims(const lazy<Operand>& x, const axis_list& axes) {
  const shape dims = x.value.shape();
  const int rank = dims.rank() + axes.size();
  int_list places;
  const array bad = detail::resolve_axes("expand_dims", x, axes, rank, places);
  if (!bad.is_none()) return bad;
  shape out;
  for (int d = 0, next = 0; d < rank; ++d) out.push_back(places.contains(d) ? 1 : dims[next++]);
  return lax::reshape(x.value, out, x.where);
}
/// x repeated to the shape `dims` by the rules of broadcasting. Errors: shape_error.
template <class Operand = operand>
constexpr array broadcast_to(const lazy<Operand>& x, const shape& dims) {
  shape joined;
  if (!detail::broadcast_shapes(x.value.shape(), dims, joined) || !(joined == dims))
    return detail::bad_operand(x, error_kind::shape, "broadcast_to got incompatible shapes for broadcasting: ",
                               x.value.shape(), ", ", dims, ". Wanted trailing dimensions equal or 1 in the array");
  return detail::broadcast_operand(x.value, dims, false, x.where);
}

// --- joining ---------------------------------------------------------------------------------------------------------

namespace detail {
/// Arrays in their common dtype into `out`.
template <class Array = array>
constexpr array joined_operands(std::string_view operation, view<const lazy<Array>> xs, const location& where,
                                std::vector<lazy<Array>>& out) {
  if (xs.empty())
    return operand_error(xs, make_error(error_kind::value, operation, ": need at least one array, got none"), where);
  const array missing = check_given(operation, xs, where);
  if (!missing.is_none()) return missing;
  const element_type t = common_type(xs);
  for (const array& x : xs) out.push_back(as_type(x, t, where));
  return {};
}
template <class Operand = operand>
constexpr std::vector<array> values_of(std::initializer_list<lazy<Operand>> xs) {
  std::vector<array> r;
  for (const operand& x : xs) r.push_back(x.value);
  return r;
}
template <class Operand = operand>
constexpr location where_of(std::initializer_list<lazy<Operand>> xs) {
  return xs.size() ? xs.begin()->where : location{};
}
}  // namespace detail

/// The arrays one after the other along an existing axis, in their common dtype; raveled first for jq::none.
/// Errors: value_error for no arrays or an axis out of range; shape_error for other dimensions that differ.
template <class Array = array>
constexpr array concatenate(view<const lazy<Array>> xs, int axis = 0, location where = location::current()) {
  std::vector<array> parts;
  array bad = detail::joined_operands("concatenate", xs, where, parts);
  if (!bad.is_none()) return bad;
  if (axis == none) {
    for (array& x : parts) x = lax::reshape(x, shape{x.size()}, where);
    return lax::concatenate(parts, 0, where);
  }
  const operand first(parts[0], where);
  if (parts[0].ndim() == 0)
    return detail::operand_error(parts, make_error(error_kind::shape, "concatenate: zero-dimensional arrays cannot be "
                                                   "concatenated, got shape (); use stack or expand_dims"), where);
  int d = 0;
  if (bad = detail::resolve_one_axis("concatenate", first, axis, parts[0].ndim(), d); !bad.is_none()) return bad;
  return lax::concatenate(parts, d, where);
}
template <class Operand = operand>
constexpr array concatenate(std::initializer_list<lazy<Operand>> xs, int axis = 0) {
  return concatenate(view<const array>(detail::values_of(xs)), axis, detail::where_of(xs));
}
/// Arrays of one shape along a new axis, in their common dtype.
/// Errors: value_error for no arrays or an axis out of range; shape_error for shapes that differ.
template <class Array = array>
constexpr array stack(view<const lazy<Array>> xs, int axis = 0, location where = location::current()) {
  std::vector<array> parts;
  array bad = detail::joined_operands("stack", xs, where, parts);
  if (!bad.is_none()) return bad;
  const shape dims = parts[0].shape();
  for (const array& x : parts)
    if (!(x.shape() == dims))
      return detail::operand_error(
          parts, make_error(error_kind::shape, "stack: all input arrays must have the same shape, got ", dims, " and ",
                            x.shape(), "; broadcast or reshape them first"), where);
  int d = 0;
  if (bad = detail::resolve_one_axis("stack", operand(parts[0], where), axis, dims.rank() + 1, d); !bad.is_none()) return bad;
  for (array& x : parts) x = lax::reshape(x, shape(dims.with(d, 1)), where);
  return lax::concatenate(parts, d, where);
}
template <class Operand = operand>
constexpr array stack(std::initializer_list<lazy<Operand>> xs, int axis = 0) {
  return stack(view<const array>(detail::values_of(xs)), axis, detail::where_of(xs));
}
namespace detail {
/// At least `rank` dimensions, new ones in front.
template <class Array = array>
constexpr std::vector<array> with_rank(std::vector<lazy<Array>> xs, int rank, const location& where) {
  for (array& x : xs) {
    shape dims = x.shape();
    while (dims.rank() < rank) dims = shape(dims.with(0, 1));
    x = lax::reshape(x, dims, where);
  }
  return xs;
}
}  // namespace detail
/// Rows (arrays of rank 1) or blocks one below the other. Errors: as concatenate.
template <class Array = array>
constexpr array vstack(view<const lazy<Array>> xs, location where = location::current()) {
  return concatenate(view<const array>(detail::with_rank({xs.begin(), xs.end()}, 2, where)), 0, where);
}
template <class Operand = operand>
constexpr array vstack(std::initializer_list<lazy<Operand>> xs) { return vstack(detail::values_of(xs), detail::where_of(xs)); }
/// Arrays side by side: along axis 1, of rank 1 along axis 0. Errors: as concatenate.
template <class Array = array>
constexpr array hstack(view<const lazy<Array>> xs, location where = location::current()) {
  const std::vector<array> parts = detail::with_rank({xs.begin(), xs.end()}, 1, where);
  return concatenate(view<const array>(parts), !parts.empty() && parts[0].ndim() == 1 ? 0 : 1, where);
}
template <class Operand = operand>
constexpr array hstack(std::initializer_list<lazy<Operand>> xs) { return hstack(detail::values_of(xs), detail::where_of(xs)); }

// --- repeating and reordering ----------------------------------------------------------------------------------------

/// x with the order of elements reversed along the axes, all by default. Errors: value_error for axes out of range.
template <class Operand = operand>
constexpr array flip(const lazy<Operand>& x, const reduction_axes& axes = {}) {
  int_list d = int_list::iota(x.value.ndim());
  array bad = detail::check_given("flip", x);
  if (!axes.all()) bad = detail::resolve_axes("flip", x, axes.list(), x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  return lax::rev(x.value, d, x.where);
}
namespace detail {
/// Dimension d of x copied `count` times: element by element (each) or as a whole.
template <class Array = array>
constexpr array repeat_dimension(const lazy<Array>& x, int d, std::int64_t count, bool each, const location& where) {
  shape dims = x.shape();
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < dims.rank(); ++i) (i < d || (each && i == d) ? outer : inner) *= dims[i];
  dims[d] = counted_product(dims[d], count);
  const array rows = lax::reshape(x, shape{outer, inner}, where);
  return lax::reshape(lax::broadcast_in_dim(rows, shape{outer, count, inner}, {0, 2}, where), dims, where);
}
}  // namespace detail
/// x repeated repetitions[d] times along dimension d; missing ones in front are 1.
/// Errors: value_error for negative repetitions.
template <class Operand = operand>
constexpr array tile(const lazy<Operand>& x, const axis_list& repetitions) {
  array y = x.value;
  shape dims = y.shape();
  int_list times = repetitions;
  while (dims.rank() < times.size()) dims = shape(dims.with(0, 1));
  while (times.size() < dims.rank()) times = times.with(0, 1);
  y = lax::reshape(y, dims, x.where);
  for (int d = 0; d < times.size(); ++d) {
    if (times[d] < 0 || repetitions.overflowed())
      return detail::bad_operand(x, error_kind::value, "tile: got repetitions ", repetitions,
                                 "; wanted at most ", max_rank, " numbers >= 0");
    if (times[d] != 1) y = detail::repeat_dimension(y, d, times[d], false, x.where);
  }
  return y;
}
/// Each element repeated `count` times along an axis; without one, of the raveled array.
/// Errors: value_error for a negative count or an axis out of range.
template <class Operand = operand>
constexpr array repeat(const lazy<Operand>& x, std::int64_t count, int axis = none) {
  if (count < 0)
    return detail::bad_operand(x, error_kind::value, "repeat: got the count ", count, "; wanted one >= 0");
  if (axis == none) return detail::repeat_dimension(ravel(x), 0, count, true, x.where);
  int d = 0;
  const array bad = detail::resolve_one_axis("repeat", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  return detail::repeat_dimension(x.value, d, count, true, x.where);
}
/// x shifted along an axis, elements that leave at one end coming back at the other; without axes, of the raveled array. One shift is that of
/// all axes. Errors: value_error for an axis out of range, or lists of different lengths.
template <class Operand = operand>
constexpr array roll(const lazy<Operand>& x, const axis_list& shifts, const axis_list& axes) {
  int_list d;
  const array bad = detail::resolve_axes("roll", x, axes, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  if (d.size() != shifts.size() && shifts.size() != 1)
    return detail::bad_operand(x, error_kind::value, "roll: got ", shifts.size(), " shifts and ", d.size(),
                               " axes; wanted one shift per axis, or one for all");
  array y = x.value;
  const shape dims = y.shape();
  for (int i = 0; i < d.size(); ++i) {
    const std::int64_t n = dims[int(d[i])], shift = shifts[shifts.size() == 1 ? 0 : i];
    const std::int64_t cut = n == 0 ? 0 : detail::modulo(n - detail::modulo(shift, n), n);
    if (cut == 0) continue;
    int_list start = int_list::filled(dims.rank(), 0), limit = dims;
    start[int(d[i])] = limit[int(d[i])] = cut;
    const array head = lax::slice(y, int_list::filled(dims.rank(), 0), limit, {}, x.where);
    y = lax::concatenate({lax::slice(y, start, dims, {}, x.where), head}, d[i], x.where);
  }
  return y;
}
template <class Operand = operand>
constexpr array roll(const lazy<Operand>& x, std::int64_t shift) {
  const array rolled = roll(operand(ravel(x), x.where), shift, 0);
  return lax::reshape(rolled, x.value.shape(), x.where);
}

// --- masks and diagonals ---------------------------------------------------------------------------------------------

namespace detail {
/// Whether the numbers below n all are of the integer dtype t.
constexpr bool holds_indices(dtype t, std::int64_t n) {
  const int bits = int(size_of(t)) * 8 - (is_signed_integer(t) ? 1 : 0);
  return bits >= 63 || n <= std::int64_t(1) << bits;
}
}  // namespace detail
/// 1 where the last index equals the label, else 0; labels outside [0, classes) give zeros only.
template <class Operand = operand>
constexpr array one_hot(const lazy<Operand>& labels, std::int64_t classes, dtype t = f32) {
  const shape from = labels.value.shape();
  const shape dims(from.with(from.rank(), classes));
  if (!detail::is_whole(labels) || is_boolean(labels.value.dtype()))
    return detail::bad_operand(labels, error_kind::type, "one_hot: got labels of dtype ", long_name(labels.value.dtype()),
                               "; wanted integers, convert them with x.astype(jq::i32)");
  // In a type that holds all classes: in a narrower one those beyond it would be small ones again.
  const dtype given = labels.value.dtype(), t_of_classes = detail::holds_indices(given, classes) ? given : i64;
  const array number = detail::as_type(labels.value, {t_of_classes, false}, labels.where);
  const array spread = lax::broadcast_in_dim(number, dims, int_list::iota(from.rank()), labels.where);
  const array classes_of = lax::iota(t_of_classes, dims, from.rank(), labels.where);
  return detail::as_type(lax::eq(spread, classes_of, labels.where), {t, false}, labels.where);
}
namespace detail {
/// Where column - row <= k, in the last two dimensions.
template <class Array = array>
constexpr array lower_mask(const shape& dims, std::int64_t k, const location& where) {
  const array row = lax::iota(i64, dims, dims.rank() - 2, where), column = lax::iota(i64, dims, dims.rank() - 1, where);
  return lax::le(column, lax::add(row, k, where), where);
}
template <class Operand = operand>
constexpr array check_matrix(std::string_view operation, const lazy<Operand>& x) {
  if (x.value.ndim() >= 2) return {};
  const array missing = check_given(operation, x);
  if (!missing.is_none()) return missing;
  return bad_operand(x, error_kind::shape, operation, ": got an array of shape ", x.value.shape(),
                     "; wanted at least 2 dimensions");
}
}  // namespace detail
/// x with zeros above diagonal k of its last two dimensions. Errors: shape_error for fewer than two.
template <class Operand = operand>
constexpr array tril(const lazy<Operand>& x, std::int64_t k = 0) {
  const array bad = detail::check_matrix("tril", x);
  if (!bad.is_none()) return bad;
  return lax::select(detail::lower_mask(x.value.shape(), k, x.where), x.value, lax::zeros(x.value.aval(), x.where), x.where);
}
/// x with zeros below diagonal k of its last two dimensions. Errors: shape_error for fewer than two.
template <class Operand = operand>
constexpr array triu(const lazy<Operand>& x, std::int64_t k = 0) {
  const array bad = detail::check_matrix("triu", x);
  if (!bad.is_none()) return bad;
  const array below = detail::lower_mask(x.value.shape(), k - 1, x.where);
  return lax::select(below, lax::zeros(x.value.aval(), x.where), x.value, x.where);
}
/// Diagonal k of two dimensions, which become the last one.
/// Errors: shape_error for fewer than two dimensions; value_error for axes out of range or equal.
template <class Operand = operand>
constexpr array diagonal(const lazy<Operand>& x, std::int64_t k = 0, int axis1 = 0, int axis2 = 1) {
  const int rank = x.value.ndim();
  int_list pair;
  array bad = detail::check_matrix("diagonal", x);
  if (!bad.is_none()) return bad;
  if (bad = detail::resolve_axes("diagonal", x, {axis1, axis2}, rank, pair); !bad.is_none()) return bad;
  int_list order = detail::other_axes(rank, pair);
  for (std::int64_t d : pair) order.push_back(d);
  const array moved = lax::transpose(x.value, order, x.where);
  shape dims = moved.shape();
  const std::int64_t rows = dims[rank - 2], columns = dims[rank - 1];
  const std::int64_t row = k < 0 ? -k : 0, column = k > 0 ? k : 0;
  const std::int64_t length = std::max<std::int64_t>(0, std::min(rows - row, columns - column));
  // In row-major order the diagonal is every (columns + 1)-th element.
  dims = shape(dims.without(rank - 1));
  dims[rank - 2] = rows * columns;
  int_list start = int_list::filled(rank - 1, 0), limit = dims, strides = int_list::filled(rank - 1, 1);
  start[rank - 2] = length == 0 ? 0 : row * columns + column;
  limit[rank - 2] = length == 0 ? 0 : start[rank - 2] + (length - 1) * (columns + 1) + 1;
  strides[rank - 2] = columns + 1;
  return lax::slice(lax::reshape(moved, dims, x.where), start, limit, strides, x.where);
}
/// Diagonal k of a matrix; of a vector, the matrix with it on diagonal k. Errors: shape_error for other ranks.
template <class Operand = operand>
constexpr array diag(const lazy<Operand>& x, std::int64_t k = 0) {
  const shape dims = x.value.shape();
  if (dims.rank() == 2) return diagonal(x, k);
  if (dims.rank() != 1)
    return detail::bad_operand(x, error_kind::shape, "diag: got an array of shape ", dims, "; wanted rank 1 or 2");
  const std::int64_t size = k < 0 ? -k : k;
  const shape square{dims[0] + size, dims[0] + size};
  const array zero(literal(0, x.value.dtype(), x.value.weak_type()));
  const array padded = lax::pad(x.value, zero, {0}, {size}, {}, x.where);
  const array spread = lax::broadcast_in_dim(padded, square, {k < 0 ? 1 : 0}, x.where);
  const array row = lax::iota(i64, square, 0, x.where), column = lax::iota(i64, square, 1, x.where);
  const array on = lax::eq(column, lax::add(row, k, x.where), x.where);
  return lax::select(on, spread, lax::zeros(spread.aval(), x.where), x.where);
}

}  // namespace jacquard
