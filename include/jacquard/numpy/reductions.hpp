#pragma once
// Reductions: sums, means, extremes, logic, running sums, and the softmax family. Axes are given as nothing (all of them),
// an integer or a braced list; jq::keepdims keeps them with size 1. Integers and bool are summed in 64 bits.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/prims/arg_max_min.hpp"
#include "jacquard/prims/cumsum.hpp"
#include "jacquard/prims/reduce_logical.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/reduce_prod.hpp"

namespace jacquard {

/// The number subtracted from the count in var and std: var(x, 0, jq::ddof(1)).
struct ddof {
  double value = 0;
  constexpr explicit ddof(double v) : value(v) {}
};

namespace detail {

/// The axes of a reduction of `x`, counted from 0, into `axes`. An error as of resolve_axes.
template <class Operand = operand>
constexpr array reduced_axes(std::string_view operation, const lazy<Operand>& x, const reduction_axes& given, int_list& axes) {
  const int rank = x.value.ndim();
  if (!given.all()) return resolve_axes(operation, x, given.list(), rank, axes);
  axes = int_list::iota(rank);
  return check_given(operation, x);
}
constexpr std::int64_t elements_along(const shape& dims, const int_list& axes) {
  std::int64_t n = 1;
  for (std::int64_t d : axes) n *= dims[int(d)];
  return n;
}
/// The result of a reduction of an array of shape `from`, with the reduced dimensions where they are to be kept.
template <class Array = array>
constexpr array with_kept_axes(const lazy<Array>& y, shape from, const int_list& axes, bool keep, const location& where) {
  for (std::int64_t d : axes) from[int(d)] = 1;
  if (!keep) return y;
  return lax::reshape(y, from, where);
}
/// Reduces `input`, the operand x after conversion, by f(input, axes).
template <class Reduce>
constexpr array reduce(std::string_view operation, const operand& x, const array& input, const reduction_axes& given,
                       keepdims_option keep, Reduce&& f) {
  int_list axes;
  const array bad = reduced_axes(operation, x, given, axes);
  if (!bad.is_none()) return bad;
  return with_kept_axes(f(input, axes), x.value.shape(), axes, keep.value || given.keep(), x.where);
}

/// Sums and products of bool and narrow integers are taken in 64 bits.
template <class Operand = operand>
constexpr array as_summand(const lazy<Operand>& x) {
  if (!is_whole(x)) return x.value;
  return as_type(x.value, {is_unsigned_integer(x.value.dtype()) ? u64 : i64, x.value.weak_type()}, x.where);
}
/// The elements of v that a mask selects, `other` for those it leaves out; all of them without a mask.
template <class Array = array>
constexpr array selected(const lazy<Array>& v, const lazy<Array>& mask, const lazy<Array>& other, const location& where) {
  if (mask.is_none()) return v;
  return lax::select(broadcast_operand(mask, v.shape(), false, where), v, other, where);
}
/// How many elements of v along the axes are taken, minus `less`; never below zero, as in numpy.
template <class Array = array>
JACQUARD_ONCE constexpr array taken(const lazy<Array>& v, const int_list& axes, const lazy<Array>& mask, double less, const location& where) {
  const double all = double(elements_along(v.shape(), axes)) - less;
  if (mask.is_none()) return array(all < 0 ? 0.0 : all);
  const array ones = lax::convert_element_type(broadcast_operand(mask, v.shape(), false, where), i64, false, where);
  const array count = lax::convert_element_type(lax::reduce_sum(ones, axes, where), f64, false, where);
  const array rest = lax::sub(count, array(less), where), zero(0.0);
  return as_type(lax::select(lax::gt(rest, zero, where), rest, zero, where), {v.dtype(), v.weak_type()}, where);
}
/// The mean of v, which is zero where the mask leaves it out.
template <class Array = array>
constexpr array mean_of(const lazy<Array>& v, const int_list& axes, const lazy<Array>& mask, const location& where) {
  return lax::div(lax::reduce_sum(v, axes, where), taken(v, axes, mask, 0, where), where);
}
/// An extreme of nothing does not exist.
template <class Operand = operand>
constexpr array check_not_empty(std::string_view operation, const lazy<Operand>& x, const reduction_axes& given) {
  int_list axes;
  const array bad = reduced_axes(operation, x, given, axes);
  if (!bad.is_none()) return bad;
  if (elements_along(x.value.shape(), axes) != 0) return {};
  return bad_operand(x, error_kind::value, operation, ": got shape ", x.value.shape(), " and axes ", axes,
                     ", a zero-size array to reduce, which has no identity; wanted at least one element along them");
}

}  // namespace detail

/// The sum; of bool and integers in 64 bits. Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
JACQUARD_ONCE constexpr array sum(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("sum", x, detail::as_summand(x), axes, keep,
                        [&](const array& v, const int_list& d) { return lax::reduce_sum(v, d, x.where); });
}
/// The product; of bool and integers in 64 bits. Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array prod(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("prod", x, detail::as_summand(x), axes, keep,
                        [&](const array& v, const int_list& d) { return lax::reduce_prod(v, d, x.where); });
}
namespace detail {
template <class Operand = operand>
JACQUARD_ONCE constexpr array masked_mean(const lazy<Operand>& x, const reduction_axes& axes, keepdims_option keep, const array& mask) {
  return reduce("mean", x, as_average(x), axes, keep, [&](const array& v, const int_list& d) {
    return as_type(mean_of(selected(v, mask, scalar_like(v, 0), x.where), d, mask, x.where), inexact_element(x), x.where);
  });
}
}  // namespace detail

/// The mean; of bool and integers in f64, of 16-bit floats accumulated in f32. NaN if there are no elements.
/// Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array mean(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::masked_mean(x, axes, keep, array());
}

namespace detail {
/// |v|^2, real. Not through |v|, whose own derivative at 0 is 0: the second one there is 2.
template <class Array = array>
constexpr array squares_of(const lazy<Array>& v, const location& where) {
  if (is_complex(v.dtype())) return lax::real(lax::mul(v, lax::conj(v, where), where), where);
  return lax::integer_pow(v, 2, where);
}
/// The variance in the dtype it is computed in: the mean first, then the squares of the differences.
template <class Array = array>
constexpr array variance(const lazy<Array>& v, const int_list& axes, double less, const lazy<Array>& mask, const location& where) {
  const array zero = scalar_like(v, 0), used = selected(v, mask, zero, where);
  const array middle = repeat_along(mean_of(used, axes, mask, where), v.shape(), axes, where);
  const array centred = selected(lax::sub(used, middle, where), mask, zero, where);
  const array squares = squares_of(centred, where);
  return lax::div(lax::reduce_sum(squares, axes, where), taken(squares, axes, mask, less, where), where);
}
template <class Finish>
constexpr array spread(std::string_view operation, const operand& x, const reduction_axes& axes, double less, const array& mask,
                       keepdims_option keep, Finish&& finish) {
  return reduce(operation, x, as_average(x), axes, keep, [&](const array& v, const int_list& d) {
    const element_type t = inexact_element(x);
    return as_type(finish(variance(v, d, less, mask, x.where)), {real_dtype(t.type), t.weak}, x.where);
  });
}
/// The root of a sum of squares. Its derivative at 0 is 0, the mean of those in all directions; that of sqrt is infinite.
template <class Array = array>
constexpr array root_of_squares(const lazy<Array>& sum, const location& where) {
  const array zero = scalar_like(sum, 0), nothing = lax::eq(sum, zero, where);
  return lax::select(nothing, zero, lax::sqrt(lax::select(nothing, scalar_like(sum, 1), sum, where), where), where);
}
}  // namespace detail

/// The variance: the mean squared distance from the mean, with count - ddof as divisor. Dtypes as in mean; real.
/// Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array var(const lazy<Operand>& x, const reduction_axes& axes, ddof less, keepdims_option keep = {}) {
  return detail::spread("var", x, axes, less.value, array(), keep, [](const array& v) { return v; });
}
template <class Operand = operand>
constexpr array var(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return var(x, axes, ddof(0), keep);
}
template <class Operand = operand, std::same_as<ddof> Less>  // not ddof itself, which {0} could be meant to make
constexpr array var(const lazy<Operand>& x, Less less, keepdims_option keep = {}) { return var(x, reduction_axes(), less, keep); }
/// The standard deviation, the square root of var; with the derivative 0 where it is 0. Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array std(const lazy<Operand>& x, const reduction_axes& axes, ddof less, keepdims_option keep = {}) {
  return detail::spread("std", x, axes, less.value, array(), keep, [&](const array& v) { return detail::root_of_squares(v, x.where); });
}
template <class Operand = operand>
constexpr array std(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return jacquard::std(x, axes, ddof(0), keep);
}
template <class Operand = operand, std::same_as<ddof> Less>
constexpr array std(const lazy<Operand>& x, Less less, keepdims_option keep = {}) {
  return jacquard::std(x, reduction_axes(), less, keep);
}

namespace detail {
template <class Array = array>
constexpr array extreme_over(const lazy<Array>& v, const int_list& axes, bool larger, const location& where) {
  if (has_complex_order(v)) return reduce_complex_extreme(v, axes, larger, where);
  if (larger) return lax::reduce_max(v, axes, where);
  return lax::reduce_min(v, axes, where);
}
template <class Array = array>
constexpr array index_of_extreme_along(const lazy<Array>& v, int axis, bool larger, const location& where) {
  if (has_complex_order(v)) return complex_extreme_index(v, axis, larger, where);
  if (larger) return lax::argmax(v, axis, i64, where);
  return lax::argmin(v, axis, i64, where);
}
}  // namespace detail

/// The largest element; NaN if one is. Complex numbers are ordered by the real part, then the imaginary one. The derivative is shared among
/// equal ones. Errors: value_error for no elements, or an axis out of range or repeated.
template <class Operand = operand>
constexpr array max(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  const array bad = detail::check_not_empty("max", x, axes);
  if (!bad.is_none()) return bad;
  return detail::reduce("max", x, x.value, axes, keep,
                        [&](const array& v, const int_list& d) { return detail::extreme_over(v, d, true, x.where); });
}
/// The smallest element; NaN if one is. Complex numbers are ordered by the real part, then the imaginary one. The derivative is shared among
/// equal ones. Errors: value_error for no elements, or an axis out of range or repeated.
template <class Operand = operand>
constexpr array min(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  const array bad = detail::check_not_empty("min", x, axes);
  if (!bad.is_none()) return bad;
  return detail::reduce("min", x, x.value, axes, keep,
                        [&](const array& v, const int_list& d) { return detail::extreme_over(v, d, false, x.where); });
}

namespace detail {
/// argmax and argmin along one axis, or of the raveled array for jq::none.
template <class Find>
constexpr array index_of(std::string_view operation, const operand& x, int axis, keepdims_option keep, Find&& find) {
  const shape dims = x.value.shape();
  if (axis == none) {
    const array missing = check_given(operation, x);
    if (!missing.is_none()) return missing;
    const array flat = lax::reshape(x.value, shape{dims.elements()}, x.where);
    return with_kept_axes(find(flat, 0), dims, int_list::iota(dims.rank()), keep.value, x.where);
  }
  int d = 0;
  const array bad = resolve_one_axis(operation, x, axis, dims.rank(), d);
  if (!bad.is_none()) return bad;
  return with_kept_axes(find(x.value, d), dims, {d}, keep.value, x.where);
}
}  // namespace detail

/// The index of the largest element along an axis, i64; without an axis, of the raveled array. The first of equal ones; complex numbers are
/// ordered as max orders them. Errors: value_error for no elements or an axis out of range.
template <class Operand = operand>
constexpr array argmax(const lazy<Operand>& x, int axis = none, keepdims_option keep = {}) {
  return detail::index_of("argmax", x, axis, keep, [&](const array& v, int d) { return detail::index_of_extreme_along(v, d, true, x.where); });
}
/// The index of the smallest element along an axis, i64; without an axis, of the raveled array. The first of equal ones; complex numbers are
/// ordered as max orders them. Errors: value_error for no elements or an axis out of range.
template <class Operand = operand>
constexpr array argmin(const lazy<Operand>& x, int axis = none, keepdims_option keep = {}) {
  return detail::index_of("argmin", x, axis, keep, [&](const array& v, int d) { return detail::index_of_extreme_along(v, d, false, x.where); });
}

/// Whether any element is not zero. Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array any(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("any", x, detail::as_boolean(x), axes, keep,
                        [&](const array& v, const int_list& d) { return lax::reduce_or(v, d, x.where); });
}
/// Whether all elements are not zero. As an index, jq::all (without a call) takes a whole dimension: x(jq::all, 0).
/// Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array all(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("all", x, detail::as_boolean(x), axes, keep,
                        [&](const array& v, const int_list& d) { return lax::reduce_and(v, d, x.where); });
}
/// Whether a and b are close everywhere; see isclose. Errors: shape_error.
template <class Operand = operand>
constexpr array allclose(const lazy<Operand>& a, const lazy<Operand>& b, double relative = 1e-5, double absolute_tolerance = 1e-8, bool equal_nan = false) {
  return all(operand(isclose(a, b, relative, absolute_tolerance, equal_nan), detail::where_of(a, b)));
}

/// Running sums along an axis; without one, of the raveled array. bool is summed in i64, other dtypes stay.
/// Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array cumsum(const lazy<Operand>& x, int axis = none) {
  array v = x.value;
  array bad = detail::check_given("cumsum", x);
  if (!bad.is_none()) return bad;
  if (is_boolean(v.dtype())) v = detail::as_type(v, {i64, false}, x.where);
  if (axis == none) return lax::cumsum(lax::reshape(v, shape{v.size()}, x.where), 0, false, x.where);
  int d = 0;
  if (bad = detail::resolve_one_axis("cumsum", x, axis, v.ndim(), d); !bad.is_none()) return bad;
  return lax::cumsum(v, d, false, x.where);
}

// --- softmax and its family ------------------------------------------------------------------------------------------

namespace detail {
/// The largest element over `axes`, as a constant of differentiation.
template <class Array = array>
constexpr array constant_max(const lazy<Array>& v, const int_list& axes, const location& where) {
  return lax::reduce_max(lax::stop_gradient(v, where), axes, where);
}
/// v minus its largest element over `axes`.
template <class Array = array>
constexpr array shifted_by_max(const lazy<Array>& v, const int_list& axes, const location& where) {
  return lax::sub(v, repeat_along(constant_max(v, axes, where), v.shape(), axes, where), where);
}
/// log(total); of 0 it is -inf, with the derivative 0.
template <class Array = array>
constexpr array log_of_total(const lazy<Array>& total, const location& where) {
  const array nothing = lax::eq(total, scalar_like(total, 0), where);
  const array log = lax::log(lax::select(nothing, scalar_like(total, 1), total, where), where);
  return lax::select(nothing, scalar_like(total, -std::numeric_limits<double>::infinity()), log, where);
}
}  // namespace detail

/// log(sum(exp(x))) without overflow, of 16-bit floats in f32, as in the rest of the family; -inf where all elements are -inf, with the derivative 0.
/// Errors: value_error for an axis out of range or repeated; type_error for complex numbers.
template <class Operand = operand>
constexpr array logsumexp(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("logsumexp", x, detail::as_average(x), axes, keep, [&](const array& v, const int_list& d) {
    const location& where = x.where;
    const array largest = detail::constant_max(v, d, where);
    // An infinite maximum is not subtracted: -inf - -inf would be NaN.
    const array zero = detail::scalar_like(largest, 0);
    const array shift = lax::select(lax::is_finite(largest, where), largest, zero, where);
    const array shifted = lax::sub(v, detail::repeat_along(shift, v.shape(), d, where), where);
    const array y = lax::add(detail::log_of_total(lax::reduce_sum(lax::exp(shifted, where), d, where), where), shift, where);
    return detail::as_type(y, detail::inexact_element(x), where);
  });
}
/// exp(x) / sum(exp(x)) along the axes (the last one by default), without overflow.
/// Errors: value_error for an axis out of range or repeated; type_error for complex numbers.
template <class Operand = operand>
constexpr array softmax(const lazy<Operand>& x, const axis_list& axes = -1) {
  const array v = detail::as_average(x);
  int_list d;
  const array bad = detail::resolve_axes("softmax", x, axes, v.ndim(), d);
  if (!bad.is_none()) return bad;
  const array weights = lax::exp(detail::shifted_by_max(v, d, x.where), x.where);
  const array total = lax::reduce_sum(weights, d, x.where);
  return detail::as_type(lax::div(weights, detail::repeat_along(total, v.shape(), d, x.where), x.where), detail::inexact_element(x), x.where);
}
/// log(softmax(x)), exact where softmax underflows.
/// Errors: value_error for an axis out of range or repeated; type_error for complex numbers.
template <class Operand = operand>
constexpr array log_softmax(const lazy<Operand>& x, const axis_list& axes = -1) {
  const array v = detail::as_average(x);
  int_list d;
  const array bad = detail::resolve_axes("log_softmax", x, axes, v.ndim(), d);
  if (!bad.is_none()) return bad;
  const array shifted = detail::shifted_by_max(v, d, x.where);
  const array total = lax::log(lax::reduce_sum(lax::exp(shifted, x.where), d, x.where), x.where);
  return detail::as_type(lax::sub(shifted, detail::repeat_along(total, v.shape(), d, x.where), x.where), detail::inexact_element(x), x.where);
}

}  // namespace jacquard
