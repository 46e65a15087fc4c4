#pragma once
// Grids of indices and coordinates, triangles, matrices with structure, spacings that are not linear. No data is copied: results are
// made of counted indices.

#include "jacquard/numpy/creation.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/operators.hpp"
#include "jacquard/numpy/sets.hpp"
#include "jacquard/prims/exp.hpp"

namespace jacquard {

/// The coordinates of a grid: for each vector an array of the shape of the grid that varies along one dimension. "xy" (the first two dimensions
/// exchanged) or "ij". Errors: value_error for another indexing; shape_error for more than one dimension.
template <class Array = array>
constexpr std::vector<array> meshgrid(view<const lazy<Array>> xs, std::string_view indexing = "xy", location where = location::current()) {
  shape dims;
  bool vectors = true;
  for (const array& x : xs) dims.push_back(x.size()), vectors = vectors && x.ndim() <= 1;
  if ((indexing != "xy" && indexing != "ij") || !vectors || dims.overflowed())
    return {detail::operand_error(xs,
                                  make_error(vectors ? error_kind::value : error_kind::shape, "meshgrid: got ", xs.size(),
                                             " arrays and the indexing \"",
                                                 indexing, "\"; wanted at most ", max_rank, " vectors, and xy or ij"), where)};
  const bool swapped = indexing == "xy" && dims.rank() > 1;
  if (swapped) std::swap(dims[0], dims[1]);
  std::vector<array> r;
  for (int k = 0; k < int(xs.size()); ++k) {
    const int d = swapped && k < 2 ? 1 - k : k;
    r.push_back(lax::broadcast_in_dim(lax::reshape(xs[std::size_t(k)], shape{xs[std::size_t(k)].size()}, where), dims, {d}, where));
  }
  return r;
}
template <class Operand = operand>
constexpr std::vector<array> meshgrid(std::initializer_list<lazy<Operand>> xs, std::string_view indexing = "xy") {
  return meshgrid(view<const array>(detail::values_of(xs)), indexing, detail::where_of(xs));
}
/// The indices of a grid, one array per dimension. Errors: shape_error for negative sizes.
template <class Array = array>
constexpr std::vector<array> indices(const shape& dims, dtype t = i64, location where = location::current()) {
  const array bad = detail::check_new_shape("indices", dims, where);
  if (!bad.is_none()) return {bad};
  std::vector<array> r;
  for (int d = 0; d < dims.rank(); ++d) r.push_back(lax::iota(t, dims, d, where));
  return r;
}
namespace detail {
/// The numbers start, start + step, ... before stop of a slice, i64; a start left out is 0. None after an error, which `bad` holds.
template <class Array = array>
constexpr array counted_range(const jacquard::slice& s, const location& where, lazy<Array>& bad) {
  if (s.stop == none || s.step == 0) {
    bad = operand_error({}, make_error(error_kind::value, "mgrid: got a slice without a stop, or with step 0; wanted slice(start, stop, step)"),
                        where);
    return {};
  }
  const std::int64_t start = s.start == none ? 0 : s.start, span = s.step > 0 ? s.stop - start : start - s.stop, by = s.step > 0 ? s.step : -s.step;
  const array i = lax::iota(i64, shape{span > 0 ? (span - 1) / by + 1 : 0}, 0, where);
  return lax::add(lax::mul(i, array(s.step), where), array(start), where);
}
}  // namespace detail
/// The grid that slices with a stop span: one vector for each along a dimension of its own, the others of size 1.
/// Errors: value_error for a slice without a stop, or with step 0.
template <class Array = array>
constexpr std::vector<array> ogrid(std::initializer_list<jacquard::slice> slices, location where = location::current()) {
  std::vector<array> r;
  for (const jacquard::slice& s : slices) {
    array bad;
    const array x = detail::counted_range(s, where, bad);
    if (x.is_none()) return {bad};
    shape dims(int_list::filled(int(slices.size()), 1));
    dims[int(r.size())] = x.size();
    r.push_back(lax::reshape(x, dims, where));
  }
  return r;
}
/// The same as one array, whose first dimension counts the coordinates, and the others are the grid. Errors: as ogrid; value_error for no slices.
template <class Array = array>
constexpr array mgrid(std::initializer_list<jacquard::slice> slices, location where = location::current()) {
  std::vector<array> axes = ogrid(slices, where);
  if (axes.size() != slices.size()) return axes[0];
  shape dims;
  for (std::size_t k = 0; k < axes.size(); ++k) dims.push_back(axes[k].size());
  for (std::size_t k = 0; k < axes.size(); ++k) axes[k] = lax::broadcast_in_dim(axes[k], dims, int_list::iota(dims.rank()), where);
  return stack(view<const array>(axes), 0, where);
}
/// f(i, j, ...) of the indices of a grid, one array per dimension, e.g. fromfunction([](auto i, auto j) { return i + j; }, {3, 4}).
/// Errors: shape_error for negative sizes.
template <class F, std::size_t N>
constexpr array fromfunction(F f, const std::int64_t (&dims)[N], dtype t = f64, location where = location::current()) {
  shape grid;
  for (std::int64_t n : dims) grid.push_back(n);
  const std::vector<array> at = indices(grid, t, where);
  if (at.size() != N) return at[0];
  return [&]<std::size_t... K>(std::index_sequence<K...>) { return operand(f(at[K]...), where).value; }(std::make_index_sequence<N>{});
}
/// Ones at and below diagonal k of an n x m matrix, else zeros. Errors: shape_error for negative sizes.
template <class Array = array>
constexpr array tri(std::int64_t n, std::int64_t m, std::int64_t k = 0, dtype t = f32, location where = location::current()) {
  const shape dims{n, m};
  const array bad = detail::check_new_shape("tri", dims, where);
  if (!bad.is_none()) return bad;
  return detail::as_type(detail::lower_mask(dims, k, where), {t, false}, where);
}
template <class Array = array>
constexpr array tri(std::int64_t n) { return tri(n, n); }
/// The identity matrix. Errors: shape_error for a negative size.
template <class Array = array>
constexpr array identity(std::int64_t n, dtype t = f32, location where = location::current()) { return eye(n, n, 0, t, where); }

namespace detail {
/// How many elements of an n x m matrix lie at or below diagonal k.
constexpr std::int64_t below_diagonal(std::int64_t n, std::int64_t m, std::int64_t k) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t row = i + k + 1;
    count += row < 0 ? 0 : row > m ? m : row;
  }
  return count;
}
}  // namespace detail
/// The rows and columns of the elements at and below diagonal k of an n x m matrix, i64. Errors: shape_error for negative sizes.
template <class Array = array>
constexpr std::vector<array> tril_indices(std::int64_t n, std::int64_t k = 0, std::int64_t m = none, location where = location::current()) {
  const std::int64_t columns = m == none ? n : m;
  const array mask = tri(n, columns, k, bool_, where);
  if (n < 0 || columns < 0) return {mask};
  return nonzero(operand(mask, where), detail::below_diagonal(n, columns, k));
}
/// The same at and above diagonal k.
template <class Array = array>
constexpr std::vector<array> triu_indices(std::int64_t n, std::int64_t k = 0, std::int64_t m = none, location where = location::current()) {
  const std::int64_t columns = m == none ? n : m;
  const array mask = tri(n, columns, k - 1, bool_, where);
  if (n < 0 || columns < 0) return {mask};
  return nonzero(operand(lax::not_(mask, where), where), n * columns - detail::below_diagonal(n, columns, k - 1));
}
/// The matrix with the elements of x, raveled, on diagonal k.
template <class Operand = operand>
constexpr array diagflat(const lazy<Operand>& x, std::int64_t k = 0) { return diag(operand(ravel(x), x.where), k); }
/// Powers of x as columns: x^(n-1), ..., x, 1; from 1 upwards if `increasing`. Errors: shape_error for more than one dimension; value_error for n <
/// 0.
template <class Operand = operand>
constexpr array vander(const lazy<Operand>& x, std::int64_t n = none, bool increasing = false) {
  const array bad = detail::check_vector("vander", x);
  if (!bad.is_none()) return bad;
  const std::int64_t rows = x.value.size(), columns = n == none ? rows : n;
  if (columns < 0) return detail::bad_operand(x, error_kind::value, "vander: got ", columns, " columns, wanted at least 0");
  const element_type t = x.value.aval().element();
  const array ones = lax::full(shape{rows, 1}, literal(1, t.type, t.weak), x.where);
  if (columns == 0) return lax::slice(ones, {0, 0}, {rows, 0}, {}, x.where);
  std::vector<array> powers{ones};
  const array column = lax::reshape(x.value, shape{rows, 1}, x.where);
  for (std::int64_t k = 1; k < columns; ++k) powers.push_back(lax::mul(powers.back(), column, x.where));
  const array matrix = lax::concatenate(view<const array>(powers), 1, x.where);
  if (increasing) return matrix;
  return lax::rev(matrix, {1}, x.where);
}

/// How linspace is taken between arrays.
struct linspace_options {
  bool endpoint = true;  ///< whether stop is the last value, or the one after it
  int axis = 0;          ///< which dimension of the result counts the values
};
/// Evenly spaced values and the distance between them, which has the shape of the bounds; NaN where there is only one value.
struct linspace_result {
  array values, step;
};
/// `count` evenly spaced values from each element of start to that of stop, and their distances. The bounds broadcast; whole numbers become floating
/// point. Both ends are hit exactly. Errors: value_error for a negative count or an axis out of range; shape_error.
template <class Operand = operand>
constexpr linspace_result linspace_with_step(const lazy<Operand>& start, const lazy<Operand>& stop, std::int64_t count, const linspace_options& o = {}) {
  const location where = detail::where_of(start, stop);
  const auto failed = [](const array& bad) { return linspace_result{bad, bad}; };
  if (count < 0) return failed(detail::bad_operand(start, error_kind::value, "linspace: got ", count, " values; wanted none or more"));
  array x[] = {start.value, stop.value};
  array bad = detail::harmonise("linspace", x, detail::common_inexact_type(start, stop), where, false);
  if (!bad.is_none()) return failed(bad);
  const int rank = x[0].ndim();
  int d = 0;
  const array places = lax::zeros({x[0].dtype(), shape(int_list::filled(rank + 1, 1))}, where);
  if (bad = detail::resolve_one_axis("linspace", operand(places, where), o.axis, rank + 1, d); !bad.is_none()) return failed(bad);
  const std::int64_t pieces = o.endpoint ? count - 1 : count;
  // In f64: counts may be beyond what the type of the values holds.
  const dtype wide = is_complex(x[0].dtype()) ? c128 : f64;
  const array way = lax::convert_element_type(lax::sub(x[1], x[0], where), wide, false, where);
  array step = detail::as_type(lax::div(way, double(pieces), where), x[0].aval().element(), where);
  if (pieces < 1) step = lax::full(x[0].shape(), literal(std::numeric_limits<double>::quiet_NaN(), x[0].dtype(), x[0].weak_type()), where);
  shape dims;
  int_list at;
  for (int i = 0; i <= rank; ++i) {
    dims.push_back(i == d ? count : x[0].shape()[i < d ? i : i - 1]);
    if (i != d) at.push_back(i);
  }
  const array i = lax::convert_element_type(lax::iota(i64, dims, d, where), f64, false, where);
  const array w = detail::as_type(lax::div(i, detail::at_least_one(pieces, dims, where), where), x[0].aval().element(), where);
  const array from = lax::broadcast_in_dim(x[0], dims, at, where), to = lax::broadcast_in_dim(x[1], dims, at, where);
  const array rest = lax::sub(detail::scalar_like(w, 1), w, where);
  return {lax::add(lax::mul(rest, from, where), lax::mul(w, to, where), where), step};
}
/// The values alone. Errors: as above.
template <class Operand = operand>
constexpr array linspace(const lazy<Operand>& start, const lazy<Operand>& stop, std::int64_t count, const linspace_options& options = {}) {
  return linspace_with_step(start, stop, count, options).values;
}

namespace detail {
/// Powers as numbers of type t. Integers are what lies before the point, but what misses a whole number by a rounding error of the power is that
/// number, or ways of computing powers that differ in the last digit would give other integers.
template <class Array = array>
constexpr array powers_as(const lazy<Array>& y, dtype t, const location& where) {
  if (!is_integer(t)) return as_type(y, {t, false}, where);
  const array whole = lax::round(y, where), miss = lax::abs(lax::sub(whole, y, where), where);
  return as_type(lax::select(lax::le(miss, lax::mul(lax::abs(y, where), 0x1p-44, where), where), whole, y, where), {t, false}, where);
}
}  // namespace detail
/// `count` values base^start, ..., base^stop whose exponents are evenly spaced; of an integer dtype without their fractions.
template <class Array = array>
constexpr array logspace(double start, double stop, std::int64_t count, double base = 10, dtype t = f64, location where = location::current()) {
  const array exponents = linspace(start, stop, count, f64, where);
  return detail::powers_as(lax::pow(lax::full(exponents.shape(), literal(base), where), exponents, where), t, where);
}
/// `count` values from start to stop, each the same multiple of the one before; of an integer dtype without their fractions.
/// Errors: value_error for a bound of 0 or of different signs.
template <class Array = array>
constexpr array geomspace(double start, double stop, std::int64_t count, dtype t = f64, location where = location::current()) {
  if (start == 0 || stop == 0 || (start < 0) != (stop < 0))
    return detail::operand_error(
        {}, make_error(error_kind::value, "geomspace: got a bound of 0, or bounds of different signs; wanted two of one sign, not 0"), where);
  const double sign = start < 0 ? -1 : 1;
  const array logs = linspace(math::log(sign * start), math::log(sign * stop), count, f64, where);
  array y = lax::mul(lax::exp(logs, where), sign, where);
  const array i = lax::iota(i64, y.shape(), 0, where);  // both ends exactly
  y = lax::select(lax::eq(i, array(std::int64_t(0)), where), array(start), y, where);
  if (count > 1) y = lax::select(lax::eq(i, array(count - 1), where), array(stop), y, where);
  return detail::powers_as(y, t, where);
}
/// A copy of the elements of type T that `count` bytes hold; see asarray for typed ranges. Errors: value_error for bytes that are no whole
/// number of elements.
template <scalar T>
array frombuffer(const void* bytes, std::size_t count, location where = location::current()) {
  if (count % sizeof(T) != 0)
    detail::operand_error({}, make_error(error_kind::value, "frombuffer: got ", count, " bytes, wanted a multiple of ", sizeof(T)), where);
  array r(make_buffer(aval(dtype_of<T>(), {std::int64_t(count / sizeof(T))})));
  if (count > 0) std::memcpy(r.as_buffer()->data, bytes, count);
  return r;
}

}  // namespace jacquard
