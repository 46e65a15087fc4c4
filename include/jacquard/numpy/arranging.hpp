#pragma once
// Taking arrays apart and arranging them: splitting, the rest of the stacks, new dimensions, turning, repeating to a size, inserting and
// deleting. What manipulation.hpp has is not repeated here.

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/operators.hpp"

namespace jacquard {

// --- splitting -------------------------------------------------------------------------------------------------------

namespace detail {
/// The parts of x between the places `cuts` along dimension d; places count from the end if negative and stay inside.
template <class Array = array>
constexpr std::vector<array> parts_between(const lazy<Array>& x, const std::vector<std::int64_t>& cuts, int d, const location& where) {
  const std::int64_t n = x.shape()[d];
  std::vector<array> r;
  std::int64_t from = 0;
  const auto part = [&](std::int64_t first, std::int64_t end) {
    int_list low = int_list::filled(x.ndim(), 0), high = x.shape();
    low[d] = first;
    high[d] = end < first ? first : end;
    r.push_back(lax::slice(x, low, high, {}, where));
  };
  for (std::int64_t cut : cuts) {
    const std::int64_t at = cut < 0 ? cut + n : cut, inside = at < 0 ? 0 : at > n ? n : at;
    part(from, inside);
    from = inside;
  }
  part(from, n);
  return r;
}
template <class Operand = operand>
constexpr std::vector<array> split_sections(std::string_view operation, const lazy<Operand>& x, std::int64_t sections, int axis, bool equal) {
  int d = 0;
  const array bad = resolve_one_axis(operation, x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return {bad};
  const std::int64_t n = x.value.shape()[d];
  if (sections < 1 || (equal && n % sections != 0))
    return {bad_operand(x, error_kind::value, operation, ": got ", sections, " sections for axis ", axis, " of size ", n, "; wanted at least 1",
                        equal ? ", of which each has the same size; use array_split" : "")};
  std::vector<std::int64_t> cuts;
  for (std::int64_t i = 1, at = 0; i < sections; ++i) cuts.push_back(at += n / sections + (i <= n % sections ? 1 : 0));
  return parts_between(x.value, cuts, d, x.where);
}
template <class Operand = operand>
constexpr std::vector<array> split_places(std::string_view operation, const lazy<Operand>& x, const std::vector<std::int64_t>& cuts, int axis) {
  int d = 0;
  const array bad = resolve_one_axis(operation, x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return {bad};
  return parts_between(x.value, cuts, d, x.where);
}
}  // namespace detail

/// x in equal parts along an axis. Errors: value_error for an axis out of range, or parts that are not equal.
template <class Operand = operand>
constexpr std::vector<array> split(const lazy<Operand>& x, std::int64_t sections, int axis = 0) {
  return detail::split_sections("split", x, sections, axis, true);
}
/// x cut before each of the places along an axis. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr std::vector<array> split(const lazy<Operand>& x, const std::vector<std::int64_t>& places, int axis = 0) {
  return detail::split_places("split", x, places, axis);
}
/// x in parts along an axis, of which the first ones have one element more where they cannot be equal. Errors: value_error for an axis out
/// of range or no parts.
template <class Operand = operand>
constexpr std::vector<array> array_split(const lazy<Operand>& x, std::int64_t sections, int axis = 0) {
  return detail::split_sections("array_split", x, sections, axis, false);
}
/// split along axis 0. Errors: as split.
template <class Operand = operand>
constexpr std::vector<array> vsplit(const lazy<Operand>& x, std::int64_t sections) { return split(x, sections, 0); }
/// split along axis 1, of a vector along axis 0. Errors: as split.
template <class Operand = operand>
constexpr std::vector<array> hsplit(const lazy<Operand>& x, std::int64_t sections) { return split(x, sections, x.value.ndim() == 1 ? 0 : 1); }
/// split along axis 2. Errors: as split.
template <class Operand = operand>
constexpr std::vector<array> dsplit(const lazy<Operand>& x, std::int64_t sections) { return split(x, sections, 2); }
/// The parts of x along an axis, without it. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr std::vector<array> unstack(const lazy<Operand>& x, int axis = 0) {
  int d = 0;
  const array bad = detail::resolve_one_axis("unstack", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return {bad};
  std::vector<array> r;
  if (x.value.shape()[d] == 0) return r;
  for (const array& part : split(x, x.value.shape()[d], d)) r.push_back(lax::squeeze(part, {d}, x.where));
  return r;
}

// --- dimensions ------------------------------------------------------------------------------------------------------

/// x with at least 1, 2 or 3 dimensions: rank 1 becomes a row (2), a row along the middle (3); rank 2 gets a last dimension (3).
template <class Operand = operand>
constexpr array atleast_1d(const lazy<Operand>& x) {
  if (x.value.ndim() > 0) return x.value;
  return lax::reshape(x.value, shape{1}, x.where);
}
template <class Operand = operand>
constexpr array atleast_2d(const lazy<Operand>& x) {
  if (x.value.ndim() > 1) return x.value;
  return lax::reshape(x.value, shape{1, x.value.size()}, x.where);
}
template <class Operand = operand>
constexpr array atleast_3d(const lazy<Operand>& x) {
  const shape dims = x.value.shape();
  if (dims.rank() > 2) return x.value;
  if (dims.rank() == 2) return lax::reshape(x.value, shape{dims[0], dims[1], 1}, x.where);
  return lax::reshape(x.value, shape{1, dims.elements(), 1}, x.where);
}
/// Arrays repeated to their common shape, each in its own dtype. Errors: shape_error.
template <class Array = array>
constexpr std::vector<array> broadcast_arrays(view<const lazy<Array>> xs, location where = location::current()) {
  shape dims;
  for (const array& x : xs) {
    shape joined;
    if (!detail::broadcast_shapes(dims, x.shape(), joined))
      return {detail::operand_error(xs, make_error(error_kind::shape, "broadcast_arrays got incompatible shapes for broadcasting: ", dims, ", ", x.shape(),
                                                   ". Dimensions must be equal or 1; reshape one of the operands"), where)};
    dims = joined;
  }
  std::vector<array> r;
  for (const array& x : xs) r.push_back(detail::broadcast_operand(x, dims, false, where));
  return r;
}
template <class Operand = operand>
constexpr std::vector<array> broadcast_arrays(std::initializer_list<lazy<Operand>> xs) {
  return broadcast_arrays(view<const array>(detail::values_of(xs)), detail::where_of(xs));
}
/// x with an axis moved back until it lies before axis `start`. Errors: value_error for places out of range.
template <class Operand = operand>
constexpr array rollaxis(const lazy<Operand>& x, int axis, int start = 0) {
  const int rank = x.value.ndim();
  int d = 0, to = 0;
  array bad = detail::resolve_one_axis("rollaxis", x, axis, rank, d);
  if (!bad.is_none()) return bad;
  if (bad = detail::resolve_one_axis("rollaxis", x, start, rank + 1, to); !bad.is_none()) return bad;
  return moveaxis(x, d, to > d ? to - 1 : to);
}
/// x turned by `times` quarters, from the first axis to the second one. Errors: value_error for axes out of range or equal, or another number.
template <class Operand = operand>
constexpr array rot90(const lazy<Operand>& x, int times = 1, const axis_list& axes = {0, 1}) {
  int_list d;
  const array bad = detail::resolve_axes("rot90", x, axes, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  if (d.size() != 2) return detail::bad_operand(x, error_kind::value, "rot90: got axes ", axes, "; wanted two");
  const int quarters = ((times % 4) + 4) % 4;
  if (quarters == 0) return x.value;
  if (quarters == 2) return lax::rev(x.value, d, x.where);
  int_list order = int_list::iota(x.value.ndim());
  order[int(d[0])] = d[1];
  order[int(d[1])] = d[0];
  if (quarters == 1) return lax::transpose(lax::rev(x.value, {d[1]}, x.where), order, x.where);
  return lax::rev(lax::transpose(x.value, order, x.where), {d[1]}, x.where);
}
/// x with the order of columns, of rows reversed. Errors: value_error for too few dimensions.
template <class Operand = operand>
constexpr array fliplr(const lazy<Operand>& x) { return flip(x, 1); }
template <class Operand = operand>
constexpr array flipud(const lazy<Operand>& x) { return flip(x, 0); }

// --- joining ---------------------------------------------------------------------------------------------------------

/// Vectors as the columns of a matrix, beside matrices. Errors: as concatenate.
template <class Array = array>
constexpr array column_stack(view<const lazy<Array>> xs, location where = location::current()) {
  std::vector<array> columns;
  for (const array& x : xs) {
    columns.push_back(x);
    if (x.ndim() < 2) columns.back() = lax::reshape(x, shape{x.size(), 1}, where);
  }
  return concatenate(view<const array>(columns), 1, where);
}
template <class Operand = operand>
constexpr array column_stack(std::initializer_list<lazy<Operand>> xs) { return column_stack(view<const array>(detail::values_of(xs)), detail::where_of(xs)); }
/// Arrays of at least 3 dimensions one behind the other along axis 2. Errors: as concatenate.
template <class Array = array>
constexpr array dstack(view<const lazy<Array>> xs, location where = location::current()) {
  std::vector<array> layers;
  for (const array& x : xs) layers.push_back(atleast_3d(operand(x, where)));
  return concatenate(view<const array>(layers), 2, where);
}
template <class Operand = operand>
constexpr array dstack(std::initializer_list<lazy<Operand>> xs) { return dstack(view<const array>(detail::values_of(xs)), detail::where_of(xs)); }
/// Rows of blocks as one array: the blocks of a row joined along the last axis, the rows along the last but one. Scalars and vectors are rows.
/// Errors: as concatenate.
template <class Operand = operand>
constexpr array block(std::initializer_list<std::initializer_list<lazy<Operand>>> rows) {
  std::vector<array> joined;
  location where;
  for (const auto& row : rows) {
    if (!where.known()) where = detail::where_of(row);
    int rank = 2;
    for (const operand& x : row) rank = x.value.ndim() > rank ? x.value.ndim() : rank;
    joined.push_back(concatenate(view<const array>(detail::with_rank(detail::values_of(row), rank, where)), -1, where));
  }
  return concatenate(view<const array>(joined), -2, where);
}
/// x and then `values` along an axis; both raveled without one. Errors: as concatenate.
template <class Operand = operand>
constexpr array append(const lazy<Operand>& x, const lazy<Operand>& values, int axis = none) { return concatenate({x, values}, axis); }

// --- repeating, inserting, deleting ----------------------------------------------------------------------------------

/// Each element of x repeated as often as its entry in `counts` says along an axis, in `total` elements: the last one is repeated further, or the
/// result cut, where counts do not add up to it. Errors: value_error for an axis out of range; shape_error for counts that are no vector of one
/// number per element.
template <class Operand = operand>
constexpr array repeat(const lazy<Operand>& x, const lazy<Operand>& counts, int axis, std::int64_t total) {
  int d = 0;
  const array v = detail::raveled_without(axis, x);
  const operand given(v, x.where);
  array bad;
  if (axis != none) bad = detail::resolve_one_axis("repeat", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  const std::int64_t n = given.value.shape()[d];
  if (!(counts.value.shape() == shape{n}) || !is_integer(counts.value.dtype()) || total < 0)
    return detail::bad_operands(x, counts, error_kind::shape, "repeat: got counts of dtype ", long_name(counts.value.dtype()), " and shape ",
                                counts.value.shape(), " for ", n, " elements and a total of ", total, "; wanted as many integers, and a total >= 0");
  // Element i of the result comes from where as many counts end at or before i.
  const location& where = x.where;
  const array ends = lax::cumsum(lax::convert_element_type(counts.value, i64, false, where), 0, false, where);
  const array marks = lax::scatter_add(lax::zeros({i64, shape{total}}, where), lax::reshape(ends, shape{n, 1}, where),
                                       lax::full(shape{n}, literal(std::int64_t(1)), where), {{}, {0}, {0}}, index_mode::fill_or_drop, false, where);
  return take(given, operand(lax::cumsum(marks, 0, false, where), where), d);
}
/// x as often as it takes to fill the shape, in row-major order. Errors: value_error for negative sizes.
template <class Operand = operand>
constexpr array resize(const lazy<Operand>& x, const shape& dims) {
  const array bad = detail::check_new_shape("resize", dims, x.where);
  if (!bad.is_none()) return bad;
  const std::int64_t wanted = dims.elements(), n = x.value.size();
  if (n == 0) return lax::zeros(x.value.aval().with(dims), x.where);
  const array many = tile(operand(ravel(x), x.where), (wanted + n - 1) / n);
  return lax::reshape(lax::slice(many, {0}, {wanted}, {}, x.where), dims, x.where);
}
/// x without the elements at places along an axis (of the raveled array without one). Errors: value_error for a place or axis out of range.
template <class Operand = operand>
constexpr array delete_(const lazy<Operand>& x, const std::vector<std::int64_t>& places, int axis = none) {
  int d = 0;
  const array v = detail::raveled_without(axis, x);
  array bad;
  if (axis != none) bad = detail::resolve_one_axis("delete", x, axis, v.ndim(), d);
  if (!bad.is_none()) return bad;
  const std::int64_t n = v.shape()[d];
  std::vector<std::int64_t> gone, cuts;
  for (std::int64_t place : places) {
    gone.push_back(place < 0 ? place + n : place);
    if (gone.back() < 0 || gone.back() >= n)
      return detail::bad_operand(x, error_kind::value, "delete: index ", place, " is out of bounds for axis ", d, " with size ", n, "; wanted one in [", -n,
                                 ", ", n, ")");
  }
  detail::sort_unique(gone);
  for (std::int64_t at : gone) cuts.push_back(at), cuts.push_back(at + 1);
  const std::vector<array> parts = detail::parts_between(v, cuts, d, x.where);
  std::vector<array> kept;  // what lies between the places
  for (std::size_t i = 0; i < parts.size(); i += 2) kept.push_back(parts[i]);
  return lax::concatenate(view<const array>(kept), d, x.where);
}
template <class Operand = operand>
constexpr array delete_(const lazy<Operand>& x, std::int64_t place, int axis = none) { return delete_(x, std::vector<std::int64_t>{place}, axis); }

namespace detail {
/// v with `part` before places along dimension d, which are not negative: all of it before a single one, else one element before each.
template <class Array = array>
constexpr array with_inserted(const lazy<Array>& v, const std::vector<std::int64_t>& places, const lazy<Array>& part, int d, const location& where) {
  std::vector<std::pair<std::int64_t, std::int64_t>> order;  // place, number of the element
  for (std::int64_t at : places) order.push_back({at, std::int64_t(order.size())});
  detail::stable_sort(order, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::int64_t> cuts;
  for (const auto& o : order) cuts.push_back(o.first);
  const std::vector<array> old = parts_between(v, cuts, d, where);
  std::vector<array> all;
  for (std::size_t i = 0; i < old.size(); ++i) {
    all.push_back(old[i]);
    if (i == order.size()) continue;
    if (order.size() == 1) all.push_back(part);
    else all.push_back(parts_between(part, {order[i].second, order[i].second + 1}, d, where)[1]);
  }
  return lax::concatenate(view<const array>(all), d, where);
}
/// See insert. `one`: a single place, not a list of one, for which the first dimension of values is the one along the axis.
template <class Operand = operand>
constexpr array insert_at(const lazy<Operand>& x, std::vector<std::int64_t> places, bool one, const lazy<Operand>& values, int axis) {
  int d = 0;
  const array v = detail::raveled_without(axis, x);
  array bad;
  if (axis != none) bad = resolve_one_axis("insert", x, axis, v.ndim(), d);
  if (!bad.is_none()) return bad;
  const shape dims = v.shape(), given = values.value.shape();
  for (std::int64_t& at : places) {
    const std::int64_t place = at, n = dims[d];
    if (at < 0) at += n;
    if (at < 0 || at > n)
      return bad_operands(x, values, error_kind::value, "insert: got the place ", place, " along axis ", d, " of an array of shape ", dims,
                          "; wanted a place in [", -n, ", ", n, "]");
  }
  shape aligned = given, wanted = dims, joined;
  while (aligned.rank() < dims.rank()) aligned = shape(aligned.with(0, 1));
  const bool fits = aligned.rank() == dims.rank();
  array part = lax::reshape(as_type(values.value, v.aval().element(), x.where), aligned, x.where);
  if (fits && one) part = moveaxis(operand(part, x.where), 0, d);
  if (fits) wanted[d] = places.size() == 1 ? part.shape()[d] : std::int64_t(places.size());
  if (!fits || !broadcast_shapes(part.shape(), wanted, joined) || !(joined == wanted))
    return bad_operands(x, values, error_kind::shape, "insert: got ", std::int64_t(places.size()), " places along axis ", d, " of an array of shape ", dims,
                        " and values of shape ", given, "; wanted values that broadcast to the part");
  return with_inserted(v, places, broadcast_operand(part, wanted, false, x.where), d, x.where);
}
}  // namespace detail

/// x with `values` before a place along an axis (of the raveled array without one). Values with fewer dimensions than x are those of one element
/// along the axis, repeated to its shape; of others the first dimension is the one along the axis.
/// Errors: value_error for a place or axis out of range; shape_error for values that do not fit.
template <class Operand = operand>
constexpr array insert(const lazy<Operand>& x, std::int64_t place, const lazy<Operand>& values, int axis = none) {
  return detail::insert_at(x, {place}, true, values, axis);
}
/// x with values before each of several places, which are those of x; the values, repeated to the shape of x but for the axis, are one for each place,
/// or any number for a list of one. Errors: as above.
template <class Operand = operand>
constexpr array insert(const lazy<Operand>& x, const std::vector<std::int64_t>& places, const lazy<Operand>& values, int axis = none) {
  return detail::insert_at(x, places, false, values, axis);
}

// --- choosing --------------------------------------------------------------------------------------------------------

/// For each element the first of the choices whose condition holds, `otherwise` where none does. All broadcast.
/// Errors: value_error for lists of different lengths; shape_error.
template <class Array = array>
constexpr array select(view<const lazy<Array>> conditions, view<const lazy<Array>> choices, const lazy<Array>& otherwise,
                       location at = location::current()) {
  if (conditions.size() != choices.size())
    return detail::operand_error(choices, make_error(error_kind::value, "select: got ", conditions.size(), " conditions and ", choices.size(),
                                                     " choices; wanted as many"), at);
  array y = otherwise;
  for (std::size_t k = choices.size(); k-- > 0;) y = where(operand(conditions[k], at), operand(choices[k], at), operand(y, at));
  return y;
}
template <class Operand = operand>
constexpr array select(std::initializer_list<lazy<Operand>> conditions, std::initializer_list<lazy<Operand>> choices, const lazy<Operand>& otherwise = 0) {
  return select(view<const array>(detail::values_of(conditions)), view<const array>(detail::values_of(choices)), otherwise.value,
                detail::where_of(conditions));
}
/// For each element that of the choice whose number is there, moved inside. All broadcast. Errors: value_error for no choices; type_error for
/// numbers that are no integers; shape_error.
template <class Array = array>
constexpr array choose(const lazy<Array>& which, view<const lazy<Array>> choices, location where = location::current()) {
  if (choices.empty() || !is_integer(which.dtype()))
    return detail::operand_error(view<const array>(&which, 1),
                                 make_error(choices.empty() ? error_kind::value : error_kind::type, "choose: got numbers of dtype ",
                                            long_name(which.dtype()), " and ", choices.size(), " choices; wanted integers and at least one choice"),
                                 where);
  array y = choices[choices.size() - 1];
  for (std::size_t k = choices.size() - 1; k-- > 0;) {
    const array up_to = lax::le(which, array(literal(std::int64_t(k)).as(which.dtype())), where);
    y = jacquard::where(operand(up_to, where), operand(choices[k], where), operand(y, where));
  }
  return y;
}
template <class Operand = operand>
constexpr array choose(const lazy<Operand>& which, std::initializer_list<lazy<Operand>> choices) {
  return choose(which.value, view<const array>(detail::values_of(choices)), which.where);
}
/// f_k(x) where condition k holds, for the last one that does; a function more than conditions is for the rest, where it is 0 otherwise.
/// Every function is computed on all of x. Errors: shape_error.
template <class Operand = operand, class... F>
constexpr array piecewise(const lazy<Operand>& x, std::initializer_list<lazy<Operand>> conditions, F... f) {
  array y = lax::zeros(x.value.aval(), x.where);
  std::size_t k = 0;
  const auto put = [&](auto& g) {
    const operand value(g(x.value), x.where), before(y, x.where);
    if (k < conditions.size()) y = where(*(conditions.begin() + k), value, before);
    ++k;
  };
  const auto rest = [&](auto& g) {  // the last function, if there is one more, comes first
    if (++k == conditions.size() + 1) y = operand(g(x.value), x.where).value;
  };
  (rest(f), ...);
  k = 0;
  (put(f), ...);
  return y;
}

}  // namespace jacquard
