#pragma once
// Results whose size depends on values: places of non-zero elements, selections by masks, distinct elements and set operations. A program
// has fixed shapes, so that these take the size of the result; without one it is counted, where the values are known (not under jit).
// Results shorter than the size are filled up; longer ones are cut.

#include "jacquard/numpy/mask_places.hpp"
#include "jacquard/numpy/searching.hpp"
#include "jacquard/numpy/sorting.hpp"

namespace jacquard {

/// The row-major places of the elements of x that are not zero, i64 [size]; filled up with `fill`. Errors: concretization_error where the
/// size is left out and values are not known.
template <class Operand = operand>
constexpr array flatnonzero(const lazy<Operand>& x, std::int64_t size = none, std::int64_t fill = 0) {
  const auto mask = lax::reshape(detail::as_boolean(x), shape{x.value.size()}, x.where);  // not `array`: see places_of
  const std::int64_t n = detail::size_or_count(mask, size);
  return detail::compacted(lax::iota(i64, mask.shape(), 0, x.where), mask, n, array(fill), x.where);
}
namespace detail {
template <class Operand = operand>
constexpr std::vector<array> places_by_dimension(std::string_view operation, const lazy<Operand>& x, std::int64_t size, std::int64_t fill) {
  if (x.value.ndim() == 0) return {bad_operand(x, error_kind::shape, operation, ": got a scalar, wanted at least one dimension; use x != 0")};
  return places_of(as_boolean(x), size, array(fill), x.where);
}
}  // namespace detail

/// The same as one vector of indices per dimension. Errors: as flatnonzero; shape_error for a scalar.
template <class Operand = operand>
constexpr std::vector<array> nonzero(const lazy<Operand>& x, std::int64_t size = none, std::int64_t fill = 0) {
  return detail::places_by_dimension("nonzero", x, size, fill);
}
/// How many places where gives, counted by default, and what those are that are too many.
struct where_options {
  std::int64_t size = none;
  std::int64_t fill = 0;
};
/// The places where the condition holds (is not zero), as nonzero: where(x > 2, {.size = 5}). Errors: as nonzero.
template <class Operand = operand>
constexpr std::vector<array> where(const lazy<Operand>& condition, const where_options& options = {}) {
  return detail::places_by_dimension("where", condition, options.size, options.fill);
}
/// The indices of the elements that are not zero, i64 [size, rank of x]. Errors: as nonzero.
template <class Operand = operand>
constexpr array argwhere(const lazy<Operand>& x, std::int64_t size = none, std::int64_t fill = 0) {
  const std::vector<array> columns = nonzero(x, size, fill);
  return stack(view<const array>(columns), -1, x.where);
}
/// The elements of x, raveled, where the condition holds, filled up with `fill`. Errors: shape_error for different sizes; otherwise as
/// flatnonzero.
template <class Operand = operand>
constexpr array extract(const lazy<Operand>& condition, const lazy<Operand>& x, std::int64_t size = none, const lazy<Operand>& fill = 0) {
  const std::int64_t n = x.value.size();
  if (condition.value.size() != n)
    return detail::bad_operands(condition, x, error_kind::shape, "extract: got a condition of shape ", condition.value.shape(),
                                " for an array of shape ",
                                x.value.shape(), "; wanted as many elements");
  const array mask = lax::reshape(detail::as_boolean(condition), shape{n}, x.where);
  return detail::compacted(lax::reshape(x.value, shape{n}, x.where), mask, detail::size_or_count(mask, size), fill.value, x.where);
}
/// The parts of x along an axis (of the raveled array without one) where the vector `condition` holds; filled up with the last part that
/// is there, or garbage where there is none. A short condition is false at the end. Errors: shape_error for a condition that is no vector
/// or too long; value_error for an axis out of range; otherwise as flatnonzero.
template <class Operand = operand>
constexpr array compress(const lazy<Operand>& condition, const lazy<Operand>& x, int axis = none, std::int64_t size = none) {
  array bad = detail::check_vector("compress", condition);
  if (!bad.is_none()) return bad;
  int d = 0;
  if (axis != none) bad = detail::resolve_one_axis("compress", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  const std::int64_t n = axis == none ? x.value.size() : x.value.shape()[d], given = condition.value.size();
  if (given > n)
    return detail::bad_operands(condition, x, error_kind::shape, "compress: got a condition of ", given, " elements for ", n,
                                " of the array of shape ",
                                x.value.shape(), "; wanted at most as many");
  return take(x, operand(flatnonzero(condition, size, n - 1), x.where), axis);
}

/// Distinct elements in ascending order, with what belongs to them.
struct unique_result {
  array values;
  array index;    ///< where each occurs first, i64
  array inverse;  ///< the number of each element of x among the values, i64, of the shape of x (of parts along an axis, a vector)
  array counts;   ///< how often each occurs, i64; 0 where the values are filled up
};

namespace detail {
/// Where neighbours along the first dimension of v differ; NaN does not from NaN.
template <class Array = array>
constexpr array differs_from_next(const lazy<Array>& v, const location& where) {
  int_list low = int_list::filled(v.ndim(), 0), high = v.shape();
  high[0] -= 1;
  const array before = lax::slice(v, low, high, {}, where);
  low[0] += 1;
  const array after = lax::slice(v, low, v.shape(), {}, where), differs = lax::ne(before, after, where);
  if (!is_inexact(v.dtype())) return differs;
  const array nans = lax::and_(lax::ne(before, before, where), lax::ne(after, after, where), where);
  return lax::and_(differs, lax::not_(nans, where), where);
}
/// Groups of equal neighbours of n > 0 sorted elements: `first` says where one begins, `order` where each element was.
struct neighbour_groups {
  array first, order;
  std::int64_t count;

  template <class Array = array>
  constexpr neighbour_groups(const lazy<Array>& differs, const lazy<Array>& places, std::int64_t size, const location& where)
      : first(lax::concatenate({lax::full(shape{1}, literal(true), where), differs}, 0, where)), order(places), count(size_or_count(first, size)) {}
  /// All but the values; the inverse is a vector.
  template <class Array = array>
  constexpr unique_result result(const lazy<Array>& values, const location& where) const {
    const std::int64_t n = first.size();
    const array one(std::int64_t(1)), number = lax::sub(lax::cumsum(lax::convert_element_type(first, i64, false, where), 0, false, where), one, where);
    const array back = lax::reshape(order, shape{n, 1}, where);
    const array inverse = lax::scatter(lax::zeros({i64, shape{n}}, where), back, number, {{}, {0}, {0}}, index_mode::fill_or_drop, true, where);
    const array index0 = lax::reshape(lax::slice(order, {0}, {1}, {}, where), shape{}, where);
    return {values, compacted(order, first, count, index0, where), inverse, binned(number, ones_of(number, i64, where), count, where)};
  }
};
}  // namespace detail

/// The distinct elements of x, raveled; NaN counts as one. Filled up with the smallest one, or `fill`. Errors: as flatnonzero.
/// Cost: that of sorting.
template <class Operand = operand, class Size>
  requires std::is_integral_v<Size>  // {} stands for no options
constexpr unique_result unique_all(const lazy<Operand>& x, Size size) {
  const location& where = x.where;
  const std::int64_t n = x.value.size();
  const array flat = lax::reshape(x.value, shape{n}, where);
  if (n == 0) {
    const std::int64_t filled = size == none ? 0 : size;
    const array zero = lax::zeros({i64, shape{filled}}, where);
    return {lax::zeros(flat.aval().with(shape{filled}), where), zero, lax::zeros({i64, x.value.shape()}, where), zero};
  }
  const array both[] = {flat, lax::iota(i64, shape{n}, 0, where)};
  const array_list sorted = lax::sort(both, 0, 1, true, where);
  const detail::neighbour_groups groups(detail::differs_from_next(sorted[0], where), sorted[1], size, where);
  const array smallest = lax::reshape(lax::slice(sorted[0], {0}, {1}, {}, where), shape{}, where);
  unique_result r = groups.result(detail::compacted(sorted[0], groups.first, groups.count, smallest, where), where);
  r.inverse = lax::reshape(r.inverse, x.value.shape(), where);
  return r;
}
template <class Operand = operand>
constexpr unique_result unique_all(const lazy<Operand>& x) { return unique_all(x, none); }
/// The distinct elements of x in ascending order; see unique_all.
template <class Operand = operand>
constexpr array unique(const lazy<Operand>& x) { return unique_all(x).values; }
template <class Operand = operand, class Size>
  requires std::is_integral_v<Size>  // {} stands for no options
constexpr array unique(const lazy<Operand>& x, Size size) { return unique_all(x, size).values; }
template <class Operand = operand>
constexpr array unique(const lazy<Operand>& x, std::int64_t size, const lazy<Operand>& fill) {
  const unique_result u = unique_all(x, size);
  const array there = lax::gt(u.counts, array(std::int64_t(0)), x.where);
  return lax::select(there, u.values, detail::as_type(fill.value, u.values.aval().element(), x.where), x.where);
}

/// Whether each element of x is one of `among`, bool. Cost: sorts `among`, then searches.
template <class Operand = operand>
constexpr array isin(const lazy<Operand>& x, const lazy<Operand>& among, bool invert = false) {
  const location where = detail::where_of(x, among);
  const element_type t = detail::common_type(x, among);
  const array v = detail::as_type(x.value, t, where), flat = lax::reshape(detail::as_type(among.value, t, where), shape{among.value.size()}, where);
  const array set = lax::sort(flat, 0, where);
  if (set.size() == 0) return lax::full(v.shape(), literal(invert), where);
  const array place = detail::count_before(set, v, false, where);
  const array found = lax::gather(set, lax::reshape(place, shape(v.shape().with(v.ndim(), 1)), where), {{}, {0}, {0}}, {1}, index_mode::clip, where);
  const array equal = lax::eq(found, v, where);
  if (invert) return lax::not_(equal, where);
  return equal;
}

namespace detail {
/// The distinct elements of x for which `keep` (as many, of the values) holds, ascending.
template <class Array = array>
constexpr array kept_values(const unique_result& u, const lazy<Array>& keep, std::int64_t size, const location& where) {
  const array mask = lax::and_(keep, lax::gt(u.counts, array(std::int64_t(0)), where), where);
  array first(literal(0, u.values.dtype(), u.values.weak_type()));
  if (u.values.size() > 0) first = lax::reshape(lax::slice(u.values, {0}, {1}, {}, where), shape{}, where);
  return compacted(u.values, mask, size_or_count(mask, size), first, where);
}
}  // namespace detail

/// The distinct elements of a that are in b, too, in their common dtype, ascending; filled up with the smallest of a. Errors: as flatnonzero.
template <class Operand = operand>
constexpr array intersect1d(const lazy<Operand>& a, const lazy<Operand>& b, std::int64_t size = none) {
  const operand x(detail::as_type(a.value, detail::common_type(a, b), a.where), a.where);
  const unique_result u = unique_all(x, x.value.size());
  return detail::kept_values(u, isin(operand(u.values, a.where), b), size, a.where);
}
/// The distinct elements of a that are not in b, ascending; filled up with the smallest of a. Errors: as flatnonzero.
template <class Operand = operand>
constexpr array setdiff1d(const lazy<Operand>& a, const lazy<Operand>& b, std::int64_t size = none) {
  const unique_result u = unique_all(a, a.value.size());
  return detail::kept_values(u, isin(operand(u.values, a.where), b, true), size, a.where);
}
/// The distinct elements of both, ascending; filled up with the smallest. Errors: as flatnonzero.
template <class Operand = operand>
constexpr array union1d(const lazy<Operand>& a, const lazy<Operand>& b, std::int64_t size = none) {
  return unique(operand(concatenate({a, b}, none), a.where), size);
}

/// The distinct elements that are in exactly one of a and b, ascending; filled up with the smallest of both. Errors: as flatnonzero.
template <class Operand = operand>
constexpr array setxor1d(const lazy<Operand>& a, const lazy<Operand>& b, std::int64_t size = none) {
  const operand both(concatenate({a, b}, none), a.where);
  const unique_result u = unique_all(both, both.value.size());
  const operand v(u.values, a.where);
  return detail::kept_values(u, lax::ne(isin(v, a), isin(v, b), a.where), size, a.where);
}
/// Parts of unique_all under the names of the array API.
struct unique_counts_result {
  array values, counts;
};
struct unique_inverse_result {
  array values, inverse;
};
template <class Operand = operand>
constexpr unique_counts_result unique_counts(const lazy<Operand>& x, std::int64_t size = none) {
  const unique_result u = unique_all(x, size);
  return {u.values, u.counts};
}
template <class Operand = operand>
constexpr unique_inverse_result unique_inverse(const lazy<Operand>& x, std::int64_t size = none) {
  const unique_result u = unique_all(x, size);
  return {u.values, u.inverse};
}
template <class Operand = operand>
constexpr array unique_values(const lazy<Operand>& x, std::int64_t size = none) { return unique(x, size); }

/// A vector without zeros at the front ("f"), the back ("b") or both ("fb"); of the size given, with zeros behind or cut, or as many as there are.
/// Errors: shape_error for more or less than one dimension; value_error for another side; as flatnonzero.
template <class Operand = operand>
constexpr array trim_zeros(const lazy<Operand>& x, std::string_view trim = "fb", std::int64_t size = none) {
  const rule_location_scope here(x.where);
  const array bad = detail::check_vector("trim_zeros", x);
  if (!bad.is_none()) return bad;
  const bool front = trim == "f" || trim == "fb" || trim == "bf", back = trim == "b" || trim == "fb" || trim == "bf";
  if (!front && !back) return detail::bad_operand(x, error_kind::value, "trim_zeros: got the sides \"", trim, "\"; wanted f, b or fb");
  const std::int64_t n = x.value.size();
  const array there = detail::as_type(detail::as_boolean(x), {i64, false}, x.where);
  array keep = lax::full(shape{n}, literal(true), x.where);
  if (front) keep = keep & (lax::cumsum(there, 0, false, x.where) > std::int64_t(0));
  if (back) keep = keep & (lax::cumsum(there, 0, true, x.where) > std::int64_t(0));
  return detail::compacted(x.value, keep, detail::size_or_count(keep, size), array(literal(0, x.value.dtype(), false)), x.where);
}

}  // namespace jacquard
