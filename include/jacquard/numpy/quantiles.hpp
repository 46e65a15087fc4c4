#pragma once
// Medians, quantiles and percentiles, with and without NaN. Rows are sorted once for all quantiles.

#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/operators.hpp"
#include "jacquard/numpy/sorting.hpp"

namespace jacquard {

namespace detail {

/// The continuous estimators of Hyndman and Fan 1996, American Statistician 50, from interpolated_inverted_cdf on; linear is their seventh.
enum class quantile_method : std::uint8_t {
  linear, lower, higher, midpoint, nearest, inverted_cdf, averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf, hazen, weibull,
  median_unbiased, normal_unbiased, unknown
};
constexpr quantile_method quantile_method_of(std::string_view name) {
  constexpr std::string_view names[] = {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
                                        "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"};
  for (int i = 0; i < 13; ++i)
    if (name == names[i]) return quantile_method(i);
  return quantile_method::unknown;
}
/// The place of the quantiles q among n elements, counted from 0, before it is limited to them: n q + alpha + q (1 - alpha - beta) - 1 for the
/// continuous estimators, n q - 1 for those that give elements (or n q - 3/2: the closest one).
template <class Array = array>
constexpr array place_of_quantile(quantile_method m, const lazy<Array>& q, const lazy<Array>& n, const location& where) {
  double alpha = 1;
  switch (m) {
    case quantile_method::inverted_cdf: case quantile_method::averaged_inverted_cdf: return lax::sub(lax::mul(n, q, where), 1.0, where);
    case quantile_method::closest_observation: return lax::sub(lax::mul(n, q, where), 1.5, where);
    case quantile_method::interpolated_inverted_cdf: return lax::sub(lax::mul(n, q, where), 1.0, where);
    case quantile_method::hazen: alpha = 0.5; break;
    case quantile_method::weibull: alpha = 0; break;
    case quantile_method::median_unbiased: alpha = 1.0 / 3; break;
    case quantile_method::normal_unbiased: alpha = 3.0 / 8; break;
    default: return lax::mul(q, lax::sub(n, 1.0, where), where);
  }
  const array share = lax::mul(q, 1 - 2 * alpha, where);
  return lax::add(lax::add(lax::mul(n, q, where), share, where), alpha - 1, where);
}

/// Between the elements at floor and ceil of `place`, both given with it, and the one after floor for those methods that look there.
template <class Array = array>
constexpr array between_places(quantile_method m, const lazy<Array>& place, const lazy<Array>& low, const lazy<Array>& high, const lazy<Array>& beyond,
                               const location& where) {
  const array floor = lax::floor(place, where), weight = lax::sub(place, floor, where);
  switch (m) {
    case quantile_method::lower: return low;
    case quantile_method::higher: case quantile_method::inverted_cdf: return high;
    case quantile_method::averaged_inverted_cdf: {
      const array middle = lax::mul(lax::add(low, lax::select(lax::eq(weight, 0.0, where), beyond, high, where), where), 0.5, where);
      return lax::select(lax::eq(weight, 0.0, where), middle, high, where);
    }
    case quantile_method::closest_observation: {  // up, unless exactly on a place of even number, counted from 0
      const array even = lax::eq(lax::rem(floor, 2.0, where), 0.0, where);
      return lax::select(lax::and_(lax::eq(weight, 0.0, where), even, where), low, beyond, where);
    }
    case quantile_method::midpoint: return lax::mul(lax::add(low, high, where), 0.5, where);
    case quantile_method::nearest: {  // halves to even, as numpy does
      const array half = lax::eq(weight, 0.5, where), odd = lax::ne(lax::rem(floor, 2.0, where), 0.0, where);
      const array up = lax::or_(lax::gt(weight, 0.5, where), lax::and_(half, odd, where), where);
      return lax::select(up, high, low, where);
    }
    default: {
      const array rest = lax::sub(array(literal(1.0, weight.dtype(), true)), weight, where);
      // Infinite ends have no part where their weight is 0; finite ones keep theirs in the derivative.
      const auto part = [&](const array& end, const array& its_weight) {
        const array none = lax::and_(lax::eq(its_weight, 0.0, where), lax::eq(lax::abs(end, where), std::numeric_limits<double>::infinity(), where), where);
        return lax::select(none, scalar_like(end, 0), lax::mul(lax::select(none, scalar_like(end, 0), end, where), its_weight, where), where);
      };
      return lax::add(part(low, rest), part(high, weight), where);
    }
  }
}

/// The dtype of places among n elements of dtype t and of what lies between them: the narrowest from f32 on, and t, that tells halves apart.
constexpr dtype dtype_of_places(dtype t, std::int64_t n) {
  if (n >= std::int64_t(1) << 22) return f64;
  return size_of(t) < 4 ? f32 : t;
}
/// Quantiles q [m], of the dtype of places, of the rows of v [rows, n], n > 0: [m, rows]. NaN is left out if `skips`, else makes the result NaN.
template <class Array = array>
constexpr array row_quantiles(const lazy<Array>& v, const lazy<Array>& q, quantile_method m, bool skips, const location& where) {
  const std::int64_t rows = v.shape()[0], n = v.shape()[1], count = q.size();
  const shape each{rows, count};
  const dtype t = q.dtype();
  const array sorted = lax::sort(v, 1, where);
  const array wanted = lax::broadcast_in_dim(q, each, {1}, where);
  const array bad = lax::ne(sorted, sorted, where);
  array last;
  if (skips) {
    const array present = lax::reduce_sum(lax::convert_element_type(lax::not_(bad, where), t, false, where), {1}, where);
    last = lax::broadcast_in_dim(lax::sub(present, 1.0, where), each, {0}, where);
  } else last = lax::full(each, literal(double(n - 1), t, false), where);
  const array most = lax::max(last, 0.0, where);
  array place = place_of_quantile(m, wanted, lax::add(most, 1.0, where), where);
  // Elements before the first and after the last are those.
  const bool looks_beyond = m == quantile_method::closest_observation || m == quantile_method::averaged_inverted_cdf;
  if (!looks_beyond) place = lax::min(lax::max(place, 0.0, where), most, where);
  const auto element = [&](const array& p) {
    const array index = lax::reshape(lax::convert_element_type(p, i64, false, where), shape{rows, count, 1}, where);
    return as_type(lax::gather(sorted, index, {{}, {1}, {1}, {0}, {0}}, {1, 1}, index_mode::clip, where), {t, false}, where);
  };
  const auto inside = [&](const array& p) { return element(lax::min(lax::max(p, 0.0, where), most, where)); };
  const array floor = lax::floor(place, where);
  array low, high, beyond;
  if (looks_beyond) {
    low = inside(floor);
    high = inside(lax::ceil(place, where));
    beyond = inside(lax::add(floor, 1.0, where));
  } else {
    low = element(floor);
    high = element(lax::ceil(place, where));
  }
  const array y = as_type(between_places(m, place, low, high, beyond, where), {v.dtype(), false}, where);
  array invalid = lax::or_(lax::lt(wanted, 0.0, where), lax::gt(wanted, 1.0, where), where);
  if (skips) invalid = lax::or_(invalid, lax::lt(last, 0.0, where), where);
  else invalid = lax::or_(invalid, lax::broadcast_in_dim(lax::reduce_or(bad, {1}, where), each, {0}, where), where);
  return lax::transpose(lax::select(invalid, scalar_like(y, std::numeric_limits<double>::quiet_NaN()), y, where), {1, 0}, where);
}

/// The quantile functions; q is in [0, 1] after division by `whole`. (0.01 is no number, and its multiples would miss places.)
template <class Operand = operand>
constexpr array quantiles(std::string_view operation, const lazy<Operand>& x, const lazy<Operand>& q, double whole, const reduction_axes& given,
                          std::string_view method, keepdims_option keep, bool skips) {
  const location where = where_of(x, q);
  const quantile_method m = quantile_method_of(method);
  int_list axes;
  const array bad = reduced_axes(operation, x, given, axes);
  if (!bad.is_none()) return bad;
  if (m == quantile_method::unknown)
    return bad_operands(x, q, error_kind::value, operation, ": got the method \"", method, "\", wanted linear, lower, higher, midpoint, nearest, inverted_cdf, ",
                        "averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf, hazen, weibull, median_unbiased or normal_unbiased");
  if (is_complex(x.value.dtype()))
    return bad_operands(x, q, error_kind::type, operation, " does not accept dtype ", long_name(x.value.dtype()), "; numbers must have an order");
  const array v = as_inexact(x);
  const shape dims = v.shape(), q_dims = q.value.shape();
  const std::int64_t n = elements_along(dims, axes);
  if (n == 0)
    return bad_operands(x, q, error_kind::value, operation, ": got shape ", dims, " and axes ", axes, "; wanted at least one element along them");
  const int_list others = other_axes(dims.rank(), axes);
  int_list order = others;
  for (std::int64_t d : axes) order.push_back(d);
  shape out = q_dims;
  std::int64_t rows = 1;
  for (int d = 0; d < dims.rank(); ++d) {
    const bool reduced = axes.contains(d);
    if (!reduced) rows *= dims[d];
    if (!reduced || keep.value || given.keep()) out.push_back(reduced ? 1 : dims[d]);
  }
  const array matrix = lax::reshape(lax::transpose(v, order, where), shape{rows, n}, where);
  array fractions = as_type(q.value, {dtype_of_places(v.dtype(), n), false}, where);
  if (whole != 1) fractions = lax::div(fractions, whole, where);
  const array y = row_quantiles(matrix, lax::reshape(fractions, shape{q_dims.elements()}, where), m, skips, where);
  return lax::reshape(y, out, where);
}

}  // namespace detail

/// The quantiles q, in [0, 1], of the elements along the axes (all by default); the dimensions of q come first. NaN where an element is
/// NaN, or q outside [0, 1]. Between elements by `method`, one of numpy's thirteen; see quantile_method. The discontinuous ones step where n q is
/// whole in floating point.
/// Errors: value_error for an axis out of range or repeated, no elements, another method; type_error for complex numbers.
template <class Operand = operand>
constexpr array quantile(const lazy<Operand>& x, const lazy<Operand>& q, const reduction_axes& axes = {}, std::string_view method = "linear",
                         keepdims_option keep = {}) {
  return detail::quantiles("quantile", x, q, 1, axes, method, keep, false);
}
/// The same of the elements that are not NaN; NaN where there are none.
template <class Operand = operand>
constexpr array nanquantile(const lazy<Operand>& x, const lazy<Operand>& q, const reduction_axes& axes = {}, std::string_view method = "linear",
                            keepdims_option keep = {}) {
  return detail::quantiles("nanquantile", x, q, 1, axes, method, keep, true);
}
/// quantile of q / 100.
template <class Operand = operand>
constexpr array percentile(const lazy<Operand>& x, const lazy<Operand>& q, const reduction_axes& axes = {}, std::string_view method = "linear",
                           keepdims_option keep = {}) {
  return detail::quantiles("percentile", x, q, 100, axes, method, keep, false);
}
/// nanquantile of q / 100.
template <class Operand = operand>
constexpr array nanpercentile(const lazy<Operand>& x, const lazy<Operand>& q, const reduction_axes& axes = {}, std::string_view method = "linear",
                              keepdims_option keep = {}) {
  return detail::quantiles("nanpercentile", x, q, 100, axes, method, keep, true);
}
/// The middle element along the axes, the mean of the two in the middle of an even number; NaN where one is NaN. Errors: as quantile.
template <class Operand = operand>
constexpr array median(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::quantiles("median", x, operand(0.5, x.where), 1, axes, "midpoint", keep, false);
}
/// The same of the elements that are not NaN; NaN where there are none.
template <class Operand = operand>
constexpr array nanmedian(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::quantiles("nanmedian", x, operand(0.5, x.where), 1, axes, "midpoint", keep, true);
}

}  // namespace jacquard
