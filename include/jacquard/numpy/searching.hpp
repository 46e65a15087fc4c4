#pragma once
// Places in sorted arrays and counts in bins: searchsorted, digitize, bincount and histograms. Searches halve the array, once for all
// values; counts are sums of scatters.

#include "jacquard/control/branches.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/operators.hpp"

namespace jacquard {

namespace detail {

/// Whether a comes before b in the order of sort: NaN last, complex numbers by their real parts first.
template <class Array = array>
constexpr array sorts_before(const lazy<Array>& a, const lazy<Array>& b, const location& where) {
  if (is_complex(a.dtype())) {
    const array re = lax::real(a, where), other = lax::real(b, where);
    const array tied = lax::not_(sorts_before(other, re, where), where);
    return lax::or_(sorts_before(re, other, where), lax::and_(tied, sorts_before(lax::imag(a, where), lax::imag(b, where), where), where), where);
  }
  const array less = lax::lt(a, b, where);
  if (!is_inexact(a.dtype())) return less;
  return lax::or_(less, lax::and_(lax::ne(b, b, where), lax::eq(a, a, where), where), where);
}
/// How many elements of the sorted vector `a` come before each of `v`, counting equal ones if `equal_too`. Each round decides one bit.
template <class Array = array>
constexpr array count_before(const lazy<Array>& a, const lazy<Array>& v, bool equal_too, const location& where) {
  const std::int64_t n = a.size();
  const shape dims = v.shape(), column(dims.with(dims.rank(), 1));
  array count = lax::full(dims, literal(std::int64_t(0)), where);
  std::int64_t step = 1;
  while (2 * step <= n) step *= 2;
  for (; step > 0 && n > 0; step /= 2) {
    const array next = lax::add(count, array(step), where), place = lax::sub(next, array(std::int64_t(1)), where);
    const array element = lax::gather(a, lax::reshape(place, column, where), {{}, {0}, {0}}, {1}, index_mode::clip, where);
    array before;
    if (equal_too) before = lax::not_(sorts_before(v, element, where), where);
    else before = sorts_before(element, v, where);
    const array inside = lax::le(next, array(n), where);
    count = lax::select(lax::and_(inside, before, where), next, count, where);
  }
  return count;
}
template <class Operand = operand>
constexpr array check_vector(std::string_view operation, const lazy<Operand>& x) {
  if (x.value.ndim() == 1) return {};
  const array missing = check_given(operation, x);
  if (!missing.is_none()) return missing;
  return bad_operand(x, error_kind::shape, operation, ": got an array of shape ", x.value.shape(), "; wanted one dimension");
}

}  // namespace detail

/// Where each of `v` belongs in the sorted vector `a`, i64: before equal elements for "left", behind them for "right". NaN is the largest.
/// Errors: shape_error if a has not one dimension; value_error for another side. Cost: log2(size of a) rounds.
template <class Operand = operand>
constexpr array searchsorted(const lazy<Operand>& a, const lazy<Operand>& v, std::string_view side = "left") {
  const array bad = detail::check_vector("searchsorted", a);
  if (!bad.is_none()) return bad;
  if (side != "left" && side != "right")
    return detail::bad_operands(a, v, error_kind::value, "searchsorted: got the side \"", side, "\", wanted left or right");
  const location where = detail::where_of(a, v);
  const element_type t = detail::common_type(a, v);
  return detail::count_before(detail::as_type(a.value, t, where), detail::as_type(v.value, t, where), side == "right", where);
}
/// The same where `sorter`, whole numbers, puts the vector `a` in order, as argsort(a) does. Errors: also type_error for another sorter;
/// shape_error for one of another size.
template <class Operand = operand>
constexpr array searchsorted(const lazy<Operand>& a, const lazy<Operand>& v, std::string_view side, const lazy<Operand>& sorter) {
  const shape got = sorter.value.shape();
  const dtype t = sorter.value.dtype();
  if (!is_integer(t) || !(got == a.value.shape()))
    return detail::bad_operands(a, sorter, is_integer(t) ? error_kind::shape : error_kind::type, "searchsorted: got a sorter of dtype ", long_name(t),
                                " and shape ", got, " for an array of shape ", a.value.shape(), "; wanted integers of its shape, as from argsort");
  const array bad = detail::check_vector("searchsorted", a);
  if (!bad.is_none()) return bad;
  return searchsorted(operand(take(a, sorter, 0), a.where), v, side);
}
/// The number of the bin of each element of x, i64: i where bins[i-1] <= x < bins[i] (bins[i-1] < x <= bins[i] if `right`) for increasing
/// bins, and the same with the relations reversed for decreasing ones. Errors: as searchsorted.
template <class Operand = operand>
constexpr array digitize(const lazy<Operand>& x, const lazy<Operand>& bins, bool right = false) {
  const array bad = detail::check_vector("digitize", bins);
  if (!bad.is_none()) return bad;
  const std::int64_t n = bins.value.size();
  const std::string_view side = right ? "left" : "right";
  const array upwards = searchsorted(bins, x, side);
  if (n < 2) return upwards;
  const array turned = lax::rev(bins.value, {0}, x.where);
  const array downwards = lax::sub(array(n), searchsorted(operand(turned, bins.where), x, side), x.where);
  const array first = lax::reshape(lax::slice(bins.value, {0}, {1}, {}, x.where), shape{}, x.where);
  const array last = lax::reshape(lax::slice(bins.value, {n - 1}, {n}, {}, x.where), shape{}, x.where);
  return where(operand(lax::le(first, last, x.where), x.where), operand(upwards, x.where), operand(downwards, x.where));
}

namespace detail {
/// For each of `count` bins the sum of the weights whose place is that bin; places outside are left out.
template <class Array = array>
constexpr array binned(const lazy<Array>& places, const lazy<Array>& weights, std::int64_t count, const location& where) {
  const array flat = lax::reshape(places, shape{places.size(), 1}, where);
  const array zero = lax::zeros(weights.aval().with(shape{count}), where);
  return lax::scatter_add(zero, flat, lax::reshape(weights, shape{places.size()}, where), {{}, {0}, {0}}, index_mode::fill_or_drop, false, where);
}
template <class Array = array>
constexpr array ones_of(const lazy<Array>& x, dtype t, const location& where) {
  return lax::full(x.shape(), literal(1.0, t, false), where);
}
}  // namespace detail

namespace detail {
/// The length given, or one more than the largest element.
template <class Operand = operand, class Array = array>
constexpr std::int64_t bin_count(const lazy<Operand>& x, std::int64_t length) {
  if (length != none) return length;
  if (x.value.size() == 0) return 0;
  const Array widest = lax::reduce_max(lax::convert_element_type(x.value, i64, false, x.where), int_list::iota(x.value.ndim()), x.where);
  const std::int64_t largest = widest.template item<std::int64_t>();
  return largest < 0 ? 0 : largest + 1;
}
}  // namespace detail

/// How often each of 0, 1, ..., length - 1 occurs among non-negative integers, i64; others are left out. Without a length, up to the largest of
/// them. Errors: type_error for anything but integers; value_error for a negative length; concretization_error where it is left out and values are
/// not known.
template <class Operand = operand>
constexpr array bincount(const lazy<Operand>& x, std::int64_t size = none) {
  const bool whole = is_integer(x.value.dtype());
  const std::int64_t length = whole ? detail::bin_count(x, size) : size;
  if (!whole || length < 0)
    return detail::bad_operand(x, whole ? error_kind::value : error_kind::type, "bincount: got an array of dtype ", long_name(x.value.dtype()),
                               " and the length ", length == none ? 0 : length, "; wanted integers and a length >= 0");
  return detail::binned(lax::convert_element_type(x.value, i64, false, x.where), detail::ones_of(x.value, i64, x.where), length, x.where);
}
/// The sums of `weights` by bin. Errors: also shape_error for weights of another shape.
template <class Operand = operand>
constexpr array bincount(const lazy<Operand>& x, const lazy<Operand>& weights, std::int64_t size) {
  const std::int64_t length = is_integer(x.value.dtype()) ? detail::bin_count(x, size) : 0;
  if (!is_integer(x.value.dtype()) || length < 0 || !(weights.value.shape() == x.value.shape()))
    return detail::bad_operands(x, weights, error_kind::value, "bincount: got an array of dtype ", long_name(x.value.dtype()), " and shape ",
                                x.value.shape(), ", weights of shape ", weights.value.shape(), " and the length ", length,
                                "; wanted integers, weights of their shape and a length >= 0");
  return detail::binned(lax::convert_element_type(x.value, i64, false, x.where), weights.value, length, x.where);
}

/// Counts (or sums of weights) and the edges of the bins.
struct histogram_result {
  array counts, edges;
};

namespace detail {
/// The bin of each element: bins hold their lower edge, the last one its upper edge too; -1 outside.
template <class Array = array>
constexpr array bin_places(const lazy<Array>& x, const lazy<Array>& edges, const location& where) {
  const std::int64_t bins = edges.size() - 1;
  const array last = lax::reshape(lax::slice(edges, {bins}, {bins + 1}, {}, where), shape{}, where);
  const array place = lax::sub(count_before(edges, x, true, where), array(std::int64_t(1)), where);
  const array at_end = lax::eq(x, lax::broadcast_in_dim(last, x.shape(), {}, where), where);
  const array inside = lax::select(at_end, array(bins - 1), place, where);
  return lax::select(lax::ge(inside, array(bins), where), array(std::int64_t(-1)), inside, where);
}
}  // namespace detail

/// How many elements of x lie in each bin between `edges`, which increase; bins hold their lower edge, the last one both. With weights,
/// their sums; with `density`, divided such that the integral is 1. Errors: shape_error if edges are not a vector of at least 2, or for
/// weights of another shape than x.
template <class Operand = operand>
constexpr histogram_result histogram(const lazy<Operand>& x, const lazy<Operand>& edges, const lazy<Operand>& weights, bool density = false) {
  const location where = x.where;
  if (edges.value.ndim() != 1 || edges.value.size() < 2 || !(weights.value.shape() == x.value.shape() || weights.value.ndim() == 0)) {
    const array bad = detail::bad_operands(x, edges, error_kind::shape, "histogram: got edges of shape ", edges.value.shape(),
                                           " and weights of shape ",
                                           weights.value.shape(), " for an array of shape ", x.value.shape(),
                                           "; wanted a vector of at least 2 edges, and weights like the array");
    return {bad, bad};
  }
  const element_type t = detail::common_inexact_type(x, edges);
  const array v = detail::as_type(x.value, t, where), e = detail::as_type(edges.value, t, where);
  const std::int64_t bins = e.size() - 1;
  const array each = detail::broadcast_operand(detail::as_type(weights.value, {weights.value.dtype(), false}, where), v.shape(), false, where);
  array counts = detail::binned(detail::bin_places(v, e, where), each, bins, where);
  if (density) {
    const array widths = lax::sub(lax::slice(e, {1}, {bins + 1}, {}, where), lax::slice(e, {0}, {bins}, {}, where), where);
    const operand c(detail::as_type(counts, {t.type, false}, where), where);
    counts = operand(c / sum(c), where) / operand(widths, where);
  }
  return {counts, e};
}
template <class Operand = operand>
constexpr histogram_result histogram(const lazy<Operand>& x, const lazy<Operand>& edges) {
  return histogram(x, edges, operand(array(literal(1, i64, false)), x.where));
}
/// `bins` equal bins between low and high; by default between the extremes of x, or 0 and 1 where x is empty. Errors: value_error for fewer than one bin;
/// type_error for complex numbers.
template <class Operand = operand>
constexpr array histogram_bin_edges(const lazy<Operand>& x, std::int64_t bins, const lazy<Operand>& low, const lazy<Operand>& high) {
  if (bins < 1) return detail::bad_operand(x, error_kind::value, "histogram: got ", bins, " bins, wanted at least 1");
  const array v = detail::as_inexact(x);
  const element_type t{v.dtype(), v.weak_type()};
  if (is_complex(t.type)) return detail::bad_operand(x, error_kind::type, "histogram: got ", long_name(t.type), ", wanted real numbers; take jq::real(x) or jq::abs(x)");
  const auto number = [&](const operand& o) { return operand(detail::as_type(o.value, t, x.where), x.where); };
  const array w = lax::div(detail::as_type(lax::iota(i64, shape{bins + 1}, 0, x.where), t, x.where), double(bins), x.where);
  const operand a = number(low), b = number(high), weight(w, x.where), rest(lax::sub(array(literal(1.0, t.type, true)), w, x.where), x.where);
  const operand equal(a == b, x.where), half(0.5, x.where);
  const operand from(where(equal, operand(a - half, x.where), a), x.where), to(where(equal, operand(b + half, x.where), b), x.where);
  return operand(rest * from, x.where) + operand(weight * to, x.where);
}
template <class Operand = operand>
constexpr array histogram_bin_edges(const lazy<Operand>& x, std::int64_t bins = 10) {
  if (x.value.size() == 0) return histogram_bin_edges(x, bins, 0, 1);
  return histogram_bin_edges(x, bins, operand(min(x), x.where), operand(max(x), x.where));
}
namespace detail {
/// Whether the place of a number in equal bins is off by less than one where it is computed from the ends alone: bins are much wider than what numbers
/// and edges are rounded by, and their width has an inverse.
template <class Array = array>
constexpr array are_wide_bins(const lazy<Array>& first, const lazy<Array>& last, std::int64_t bins, const location& where) {
  const double least = 16 * double(bins) * (first.dtype() == f64 ? std::numeric_limits<double>::epsilon() : double(std::numeric_limits<float>::epsilon()));
  const array range = lax::sub(last, first, where), largest = lax::max(lax::abs(first, where), lax::abs(last, where), where);
  const array is_wide = lax::gt(range, lax::mul(largest, least, where), where), scale = lax::div(double(bins), range, where);
  return lax::and_(is_wide, lax::and_(lax::is_finite(scale, where), lax::gt(scale, 0.0, where), where), where);
}
/// bin_places of a vector, in bins that are such.
template <class Array = array>
constexpr array equal_bin_places(const lazy<Array>& x, const lazy<Array>& edges, const lazy<Array>& first, const lazy<Array>& last, const location& where) {
  const std::int64_t bins = edges.size() - 1;
  const auto each = [&](const array& number) { return lax::broadcast_in_dim(number, x.shape(), {}, where); };
  const array scale = each(lax::div(double(bins), lax::sub(last, first, where), where)), low = each(first);
  const array near = lax::convert_element_type(lax::mul(lax::sub(x, low, where), scale, where), i32, false, where);
  const array place = lax::max(lax::min(near, scalar_like(near, double(bins - 1)), where), scalar_like(near, 0), where);
  const auto edge = [&](const array& at) {
    return lax::gather(edges, lax::reshape(at, shape{x.size(), 1}, where), {{}, {0}, {0}}, {1}, index_mode::promise_in_bounds, where);
  };
  const auto number = [&](const array& b) { return lax::convert_element_type(b, i32, false, where); };
  const array one = scalar_like(near, 1);
  const array above = number(lax::ge(x, edge(lax::add(place, one, where)), where)), below = number(lax::lt(x, edge(place), where));
  const array exact = lax::min(lax::sub(lax::add(place, above, where), below, where), scalar_like(near, double(bins - 1)), where);
  const array inside = lax::and_(lax::ge(x, low, where), lax::le(x, each(last), where), where);
  return lax::convert_element_type(lax::select(inside, exact, scalar_like(near, -1), where), i64, false, where);
}
/// The counts of many numbers of f32 or f64 in equal bins.
template <class Array = array>
constexpr array counts_in_equal_bins(const lazy<Array>& x, const lazy<Array>& edges, const location& where) {
  const std::int64_t bins = edges.size() - 1;
  const auto end = [&](std::int64_t i) { return lax::reshape(lax::slice(edges, {i}, {i + 1}, {}, where), shape{}, where); };
  const auto counted = [bins, where](const array& places) { return binned(places, ones_of(places, i64, where), bins, where); };
  return lax::cond(
      are_wide_bins(end(0), end(bins), bins, where),
      [=](const array& v, const array& e, const array& first, const array& last) { return counted(equal_bin_places(v, e, first, last, where)); },
      [=](const array& v, const array& e, const array&, const array&) { return counted(bin_places(v, e, where)); }, x, edges, end(0), end(bins));
}
}  // namespace detail

template <class Operand = operand>
constexpr histogram_result histogram(const lazy<Operand>& x, int bins = 10) {
  constexpr std::int64_t many = 1024, most_bins = 1 << 20;
  const operand edges(histogram_bin_edges(x, bins), x.where);
  const dtype t = edges.value.dtype();
  if ((t != f32 && t != f64) || x.value.size() < many || bins < 1 || bins > most_bins) return histogram(x, edges);
  const array v = lax::reshape(detail::as_inexact(x), shape{x.value.size()}, x.where);
  return {detail::counts_in_equal_bins(v, edges.value, x.where), edges.value};
}

/// Counts of points by the bins of their coordinates, one dimension for each, and the edges of each.
struct histogramdd_result {
  array counts;
  std::vector<array> edges;
};
/// How many of n points, an array (n, d), lie in each box of the grid between edges, one vector for each coordinate; see histogram. With weights
/// (n,), their sums; with `density`, divided such that the integral is 1. Errors: shape_error for points, edges or weights of other shapes.
template <class Operand = operand>
constexpr histogramdd_result histogramdd(const lazy<Operand>& points, const std::vector<array>& edges, const lazy<Operand>& weights = 1,
                                         bool density = false) {
  const location where = points.where;
  const rule_location_scope here(where);
  const shape given = points.value.shape(), w = weights.value.shape();
  bool fits = given.rank() == 2 && given[1] == std::int64_t(edges.size()) && given[1] > 0 && given[1] <= max_rank;
  fits = fits && (w.rank() == 0 || w == shape{given[0]});
  for (const array& e : edges) fits = fits && e.ndim() == 1 && e.size() >= 2;
  if (!fits)
    return {detail::bad_operands(points, weights, error_kind::shape, "histogramdd: got points of shape ", given, ", ", edges.size(),
                                 " arrays of edges and weights of shape ", w,
                                 "; wanted points (n, d), d vectors of at least 2 edges, and weights (n,)"), {}};
  array place(literal(std::int64_t(0))), inside = lax::full(shape{given[0]}, literal(true), where);
  shape bins;
  for (int d = 0; d < int(given[1]); ++d) {
    const array column = lax::reshape(lax::slice(points.value, {0, d}, {given[0], d + 1}, {}, where), shape{given[0]}, where);
    const element_type t = detail::common_inexact_type(points, edges[std::size_t(d)]);
    const array at = detail::bin_places(detail::as_type(column, t, where), detail::as_type(edges[std::size_t(d)], t, where), where);
    bins.push_back(edges[std::size_t(d)].size() - 1);
    inside = inside & (at >= std::int64_t(0));
    place = place * bins[d] + at;
  }
  const array each = detail::broadcast_operand(detail::as_type(weights.value,
                                                               {weights.value.kind() == array_kind::literal ? i64 : weights.value.dtype(),
                                                                false}, where),
                                               shape{given[0]}, false, where);
  array counts = lax::reshape(detail::binned(jacquard::where(inside, place, std::int64_t(-1)), each, bins.elements(), where), bins, where);
  if (!density) return {counts, edges};
  counts = counts / sum(counts);
  for (int d = 0; d < bins.rank(); ++d) {
    const array& e = edges[std::size_t(d)];
    const array widths = lax::sub(lax::slice(e, {1}, {bins[d] + 1}, {}, where), lax::slice(e, {0}, {bins[d]}, {}, where), where);
    shape along(int_list::filled(bins.rank(), 1));
    along[d] = bins[d];
    counts = counts / lax::reshape(widths, along, where);
  }
  return {counts, edges};
}
/// The same with `bins` equal bins between the extremes of each coordinate. Errors: as above; value_error for fewer than one bin.
template <class Operand = operand>
constexpr histogramdd_result histogramdd(const lazy<Operand>& points, int bins = 10) {
  std::vector<array> edges;
  const shape given = points.value.shape();
  for (int d = 0; given.rank() == 2 && d < int(given[1]); ++d) {
    const operand column(lax::slice(points.value, {0, d}, {given[0], d + 1}, {}, points.where), points.where);
    edges.push_back(histogram_bin_edges(column, bins));
  }
  return histogramdd(points, edges);
}
/// Counts of pairs, and the edges of the bins of each.
struct histogram2d_result {
  array counts, x_edges, y_edges;
};
namespace detail {
/// Two vectors as the columns of an array of points; none after an error, which `bad` holds.
template <class Operand = operand>
constexpr array pairs(const lazy<Operand>& x, const lazy<Operand>& y, array& bad) {
  if (x.value.ndim() == 1 && x.value.shape() == y.value.shape()) return stack({x, y}, 1);
  bad = bad_operands(x, y, error_kind::shape, "histogram2d: got arrays of shapes ", x.value.shape(), " and ", y.value.shape(),
                     "; wanted two vectors of one size");
  return {};
}
}  // namespace detail
/// How many pairs of elements of two vectors lie in each box of a grid; see histogramdd. Errors: shape_error for other shapes.
template <class Operand = operand>
constexpr histogram2d_result histogram2d(const lazy<Operand>& x, const lazy<Operand>& y, const lazy<Operand>& x_edges, const lazy<Operand>& y_edges,
                                         const lazy<Operand>& weights = 1, bool density = false) {
  array bad;
  const array points = detail::pairs(x, y, bad);
  if (points.is_none()) return {bad, bad, bad};
  const histogramdd_result r = histogramdd(operand(points, x.where), std::vector<array>{x_edges.value, y_edges.value}, weights, density);
  return {r.counts, x_edges.value, y_edges.value};
}
template <class Operand = operand>
constexpr histogram2d_result histogram2d(const lazy<Operand>& x, const lazy<Operand>& y, int bins = 10) {
  array bad;
  const array points = detail::pairs(x, y, bad);
  if (points.is_none()) return {bad, bad, bad};
  const histogramdd_result r = histogramdd(operand(points, x.where), bins);
  return {r.counts, r.edges[0], r.edges[1]};
}

}  // namespace jacquard
