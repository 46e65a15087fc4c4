#pragma once
// Places of elements: flat and many-dimensional indices, diagonals and triangles, reading with numpy's modes for places outside, and writing where a
// mask or a diagonal says. Reading and writing by indices in general is in indexing.hpp and updates.hpp.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/grids.hpp"
#include "jacquard/numpy/updates.hpp"

namespace jacquard {

namespace detail {

/// What reading does with indices outside of an array.
enum class reading_mode : std::uint8_t { fill, clip, wrap };
template <class Operand = operand>
constexpr array reading_mode_of(std::string_view operation, const lazy<Operand>& x, std::string_view mode, reading_mode& out) {
  constexpr std::string_view names[] = {"fill", "clip", "wrap"};
  for (int i = 0; i < 3; ++i)
    if (mode == names[i]) {
      out = reading_mode(i);
      return {};
    }
  return bad_operand(x, error_kind::value, operation, ": got the mode \"", mode, "\"; wanted fill, clip or wrap");
}
/// The fill value for a dtype: the one given, or NaN, the smallest signed or largest unsigned integer, true.
constexpr literal fill_literal(dtype t, const double* fill) {
  if (fill) return literal(*fill, t, false);
  if (is_inexact(t)) return literal(std::numeric_limits<double>::quiet_NaN(), t, false);
  if (is_boolean(t)) return literal(true);
  if (is_unsigned_integer(t)) return literal(~std::uint64_t(0), u64, false).as(t);
  return literal(std::int64_t(std::uint64_t(1) << (8 * size_of(t) - 1)), i64, false).as(t);
}
/// Indices moved into [0, n) as the mode says, and whether each was inside; negative ones count from the end, but clip makes them 0.
struct moved_indices {
  array places, inside;
};
template <class Operand = operand>
constexpr moved_indices moved_inside(const lazy<Operand>& indices, std::int64_t n, reading_mode mode, const location& where) {
  const rule_location_scope here(where);
  const array i = as_type(indices.value, {i64, false}, where);
  if (mode == reading_mode::wrap) return {mod(i, n), {}};
  if (mode == reading_mode::clip) return {clip(i, 0, n - 1), {}};
  const array counted = jacquard::where(i < 0, i + n, i), inside = (counted >= 0) & (counted < n);
  return {clip(counted, 0, n - 1), inside};
}
template <class Operand = operand>
constexpr array check_indices(std::string_view operation, const lazy<Operand>& x, const lazy<Operand>& indices, std::int64_t n) {
  if (indices.value.is_none() || !is_integer(indices.value.dtype()))
    return bad_operands(x, indices, error_kind::type, operation, ": got indices of type ", indices.value.aval(),
                        "; wanted integers, convert them with x.astype(jq::i32)");
  if (n > 0 || indices.value.size() == 0) return {};
  return bad_operands(x, indices, error_kind::value, operation, ": got ", indices.value.size(), " indices into an axis of size 0; wanted none");
}

/// take with a mode; `fill` null for the default of the dtype.
template <class Operand = operand>
constexpr array take_by_mode(const lazy<Operand>& x, const lazy<Operand>& indices, int axis, std::string_view mode, const double* fill) {
  const rule_location_scope here(x.where);
  int d = 0;
  reading_mode by = reading_mode::fill;
  array bad = reading_mode_of("take", x, mode, by);
  if (!bad.is_none()) return bad;
  const operand from(raveled_without(axis, x), x.where);
  if (bad = resolve_one_axis("take", x, axis == none ? 0 : axis, from.value.ndim(), d); !bad.is_none()) return bad;
  const std::int64_t n = from.value.shape()[d];
  if (bad = check_indices("take", x, indices, n); !bad.is_none()) return bad;
  const moved_indices m = moved_inside(indices, n, by, x.where);
  const array y = take(from, operand(m.places, x.where), d);
  if (m.inside.is_none()) return y;
  const array inside = lax::broadcast_in_dim(m.inside, y.shape(), row_positions(m.inside.ndim(), m.inside.ndim(), d), x.where);
  return lax::select(inside, y, lax::full(y.shape(), fill_literal(y.dtype(), fill), x.where), x.where);
}
/// take_along_axis with a mode.
template <class Operand = operand>
constexpr array take_along_by_mode(const lazy<Operand>& x, const lazy<Operand>& indices, int axis, std::string_view mode, const double* fill) {
  const rule_location_scope here(x.where);
  int d = 0;
  reading_mode by = reading_mode::fill;
  array bad = reading_mode_of("take_along_axis", x, mode, by);
  if (!bad.is_none()) return bad;
  if (bad = resolve_one_axis("take_along_axis", x, axis, x.value.ndim(), d); !bad.is_none()) return bad;
  const std::int64_t n = x.value.shape()[d];
  if (bad = check_indices("take_along_axis", x, indices, n); !bad.is_none()) return bad;
  const moved_indices m = moved_inside(indices, n, by, x.where);
  const array y = take_along_axis(x, operand(m.places, x.where), d);
  if (m.inside.is_none()) return y;
  const array inside = broadcast_operand(m.inside, y.shape(), false, x.where);
  return lax::select(inside, y, lax::full(y.shape(), fill_literal(y.dtype(), fill), x.where), x.where);
}

}  // namespace detail

// --- reading -----------------------------------------------------------------------------------------------------------

/// x at `indices` along an axis (of the raveled array for jq::none), as take. Places outside: "fill" gives NaN (the smallest signed, the largest
/// unsigned integer, true) or the number given; "clip" the next place, 0 for negative ones; "wrap" counts around. But for "clip", negative indices
/// count from the end. Errors: as take; value_error for another mode, or indices into an empty axis.
template <class Operand = operand>
constexpr array take(const lazy<Operand>& x, const lazy<Operand>& indices, int axis, std::string_view mode) {
  return detail::take_by_mode(x, indices, axis, mode, nullptr);
}
template <class Operand = operand>
constexpr array take(const lazy<Operand>& x, const lazy<Operand>& indices, int axis, std::string_view mode, double fill) {
  return detail::take_by_mode(x, indices, axis, mode, &fill);
}
/// take_along_axis with the same modes. Errors: as take_along_axis; value_error for another mode, or indices into an empty axis.
template <class Operand = operand>
constexpr array take_along_axis(const lazy<Operand>& x, const lazy<Operand>& indices, int axis, std::string_view mode) {
  return detail::take_along_by_mode(x, indices, axis, mode, nullptr);
}
template <class Operand = operand>
constexpr array take_along_axis(const lazy<Operand>& x, const lazy<Operand>& indices, int axis, std::string_view mode, double fill) {
  return detail::take_along_by_mode(x, indices, axis, mode, &fill);
}

// --- indices -----------------------------------------------------------------------------------------------------------

/// The indices in each dimension of an array of the given shape of places counted in row-major order; negative ones count from the end, others
/// outside are moved inside. Errors: type_error for indices that are no integers; value_error for a shape without elements.
template <class Operand = operand>
constexpr std::vector<array> unravel_index(const lazy<Operand>& indices, const shape& dims) {
  const rule_location_scope here(indices.where);
  const std::int64_t n = dims.elements();
  if (!is_integer(indices.value.dtype()) || n < 1)
    return {detail::bad_operand(indices, n < 1 ? error_kind::value : error_kind::type, "unravel_index: got indices of dtype ",
                                long_name(indices.value.dtype()), " into the shape ", dims, "; wanted integers and a shape with elements")};
  array rest = detail::moved_inside(indices, n, detail::reading_mode::fill, indices.where).places;
  std::vector<array> r(std::size_t(dims.rank()));
  for (int d = dims.rank(); d-- > 0;) {
    r[std::size_t(d)] = mod(rest, dims[d]);
    rest = floor_divide(rest, dims[d]);
  }
  return r;
}
/// The places, counted in row-major order, of indices into each dimension of an array of the given shape, i64; `mode` as in take ("clip" by
/// default), where "fill" gives -1 for places outside. Errors: value_error for another mode, or not one index per dimension; type_error for indices
/// that are no integers.
template <class Array = array>
constexpr array ravel_multi_index(view<const lazy<Array>> indices, const shape& dims, std::string_view mode = "clip",
                                  location where = location::current()) {
  const rule_location_scope here(where);
  if (int(indices.size()) != dims.rank() || indices.empty())
    return detail::operand_error(indices,
                                 make_error(error_kind::value, "ravel_multi_index: got ", indices.size(), " arrays of indices into the shape ", dims,
                                                     "; wanted one for each dimension, and at least one"), where);
  detail::reading_mode by = detail::reading_mode::clip;
  const operand first(indices[0], where);
  array bad = detail::reading_mode_of("ravel_multi_index", first, mode, by);
  if (!bad.is_none()) return bad;
  array place(literal(std::int64_t(0))), inside;
  for (int d = 0; d < dims.rank(); ++d) {
    const operand i(indices[std::size_t(d)], where);
    if (bad = detail::check_indices("ravel_multi_index", first, i, dims[d]); !bad.is_none()) return bad;
    const detail::moved_indices m = detail::moved_inside(i, dims[d], by, where);
    place = place * dims[d] + m.places;
    if (m.inside.is_none()) continue;
    if (inside.is_none()) inside = m.inside;
    else inside = inside & m.inside;
  }
  if (inside.is_none()) return place;
  return jacquard::where(inside, place, std::int64_t(-1));
}
template <class Operand = operand>
constexpr array ravel_multi_index(std::initializer_list<lazy<Operand>> indices, const shape& dims, std::string_view mode = "clip") {
  return ravel_multi_index(view<const array>(detail::values_of(indices)), dims, mode, detail::where_of(indices));
}
/// The indices of the diagonal of an array of n elements in each of `rank` dimensions, i64. Errors: shape_error for negative numbers.
template <class Array = array>
constexpr std::vector<array> diag_indices(std::int64_t n, int rank = 2, location where = location::current()) {
  const array bad = detail::check_new_shape("diag_indices", shape{n, rank}, where);
  if (!bad.is_none()) return {bad};
  return std::vector<array>(std::size_t(rank), lax::iota(i64, shape{n}, 0, where));
}
/// The rows and columns that f(matrix, k) leaves other than zero in an n x n matrix of ones, e.g. of triu; `size` of them, as nonzero.
/// Errors: shape_error for a negative n; otherwise as nonzero.
template <class F, class Array = array>
constexpr std::vector<array> mask_indices(std::int64_t n, F f, std::int64_t k = 0, std::int64_t size = none, location where = location::current()) {
  const array ones = lax::full(shape{n < 0 ? 0 : n, n < 0 ? 0 : n}, literal(std::int64_t(1)), where);
  const array bad = detail::check_new_shape("mask_indices", shape{n, n}, where);
  if (!bad.is_none()) return {bad};
  return nonzero(operand(f(ones, k), where), size);
}
/// Those of x. Errors: shape_error for fewer than two dimensions, or different ones.
template <class Operand = operand>
constexpr std::vector<array> diag_indices_from(const lazy<Operand>& x) {
  const shape dims = x.value.shape();
  bool alike = dims.rank() >= 2;
  for (std::int64_t n : dims) alike = alike && n == dims[0];
  if (!alike)
    return {detail::bad_operand(x, error_kind::shape, "diag_indices_from: got an array of shape ", dims,
                                "; wanted at least 2 dimensions of one size")};
  return diag_indices(dims[0], dims.rank(), x.where);
}
/// tril_indices and triu_indices of the matrix x. Errors: shape_error for other than two dimensions.
template <class Operand = operand>
constexpr std::vector<array> tril_indices_from(const lazy<Operand>& x, std::int64_t k = 0) {
  if (x.value.ndim() != 2) return {detail::bad_operand(x, error_kind::shape, "tril_indices_from: got an array of shape ", x.value.shape(),
                                                       "; wanted a matrix")};
  return tril_indices(x.value.shape()[0], k, x.value.shape()[1], x.where);
}
template <class Operand = operand>
constexpr std::vector<array> triu_indices_from(const lazy<Operand>& x, std::int64_t k = 0) {
  if (x.value.ndim() != 2) return {detail::bad_operand(x, error_kind::shape, "triu_indices_from: got an array of shape ", x.value.shape(),
                                                       "; wanted a matrix")};
  return triu_indices(x.value.shape()[0], k, x.value.shape()[1], x.where);
}
/// Vectors as indices of the grid they span: vector k along dimension k, the others of size 1, so that x(ix_(i, j)[0], ix_(i, j)[1]) is a block.
/// Errors: shape_error for what has not one dimension.
template <class Operand = operand>
constexpr std::vector<array> ix_(std::initializer_list<lazy<Operand>> xs) {
  std::vector<array> r;
  for (const operand& x : xs) {
    const array bad = detail::check_vector("ix_", x);
    if (!bad.is_none()) return {bad};
    shape dims(int_list::filled(int(xs.size()), 1));
    dims[int(r.size())] = x.value.size();
    r.push_back(lax::reshape(x.value, dims, x.where));
  }
  return r;
}

// --- writing -----------------------------------------------------------------------------------------------------------

/// x with v, which is a scalar or one number per element, on its main diagonal: of a matrix that of all of its columns, of more dimensions of one
/// size the elements with equal indices. Errors: shape_error for fewer than two dimensions, or more of different sizes, or other values.
template <class Operand = operand>
constexpr array fill_diagonal(const lazy<Operand>& x, const lazy<Operand>& v) {
  const shape dims = x.value.shape();
  std::int64_t n = dims.rank() < 2 ? 0 : dims[0];
  bool alike = dims.rank() >= 2;
  for (std::int64_t m : dims) {
    alike = alike && (m == dims[0] || dims.rank() == 2);
    n = m < n ? m : n;
  }
  if (!alike || !(v.value.ndim() == 0 || v.value.shape() == shape{n}))
    return detail::bad_operands(x, v, error_kind::shape, "fill_diagonal: got values of shape ", v.value.shape(), " for an array of shape ", dims,
                                "; wanted a scalar or a vector of the diagonal, and a matrix or several dimensions of one size");
  list<detail::index_entry> entries;
  const array i = lax::iota(i64, shape{n}, 0, x.where);
  for (int d = 0; d < dims.rank(); ++d) entries.push_back(detail::index_entry(i, x.where));
  return detail::index_update(x.value, entries).set(v, unique_indices);
}
/// x with the elements of `values`, raveled and repeated as often as needed, one after the other where the mask holds.
/// Errors: shape_error for a mask of another shape, or no values; type_error for values of a higher category.
template <class Operand = operand>
constexpr array place(const lazy<Operand>& x, const lazy<Operand>& mask, const lazy<Operand>& values) {
  const rule_location_scope here(x.where);
  const std::int64_t n = values.value.size();
  if (!(mask.value.shape() == x.value.shape()) || n == 0)
    return detail::bad_operands(x, mask, error_kind::shape, "place: got a mask of shape ", mask.value.shape(), " and ", n,
                                " values for an array of shape ",
                                x.value.shape(), "; wanted a mask of its shape, and at least one value");
  const array holds = detail::as_boolean(mask), count = cumsum(operand(lax::reshape(detail::as_type(holds, {i64, false}, x.where),
                                                                                    shape{holds.size()}, x.where), x.where));
  const array turn = lax::reshape(mod(maximum(count - std::int64_t(1), std::int64_t(0)), n), x.value.shape(), x.where);
  const operand all(take(operand(ravel(values), x.where), operand(turn, x.where), 0), x.where);
  array v;
  const array bad = detail::update_value(detail::update_kind::set, x.value, all, x.value.shape(), v);
  if (!bad.is_none()) return bad;
  return lax::select(holds, v, x.value, x.where);
}

}  // namespace jacquard
