#pragma once
// Statistics: weighted means, ranges, counts, covariances and correlations, and the reductions that leave out NaN. Quantiles are in
// quantiles.hpp, histograms in searching.hpp.

#include "jacquard/numpy/contraction.hpp"
#include "jacquard/numpy/cumulative.hpp"
#include "jacquard/numpy/operators.hpp"

namespace jacquard {

/// How many elements along the axes are not zero, i64. Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array count_nonzero(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return sum(operand(detail::as_boolean(x), x.where), axes, keep);
}
/// The largest minus the smallest element along the axes. Errors: as max.
template <class Operand = operand>
constexpr array ptp(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return operand(max(x, axes, keep), x.where) - operand(min(x, axes, keep), x.where);
}
/// The weighted mean along an axis, of all elements without one; weights are like x, or a vector along the axis.
/// Errors: value_error for an axis out of range; shape_error for other weights.
template <class Operand = operand>
constexpr array average(const lazy<Operand>& x, const lazy<Operand>& weights, int axis = none, keepdims_option keep = {}) {
  const shape dims = x.value.shape(), given = weights.value.shape();
  int d = 0;
  array bad;
  if (axis != none) bad = detail::resolve_one_axis("average", x, axis, dims.rank(), d);
  if (!bad.is_none()) return bad;
  const bool along = axis != none && given.rank() == 1 && given[0] == dims[d];
  if (!along && !(given == dims))
    return detail::bad_operands(x, weights, error_kind::shape, "average: got weights of shape ", given, " for an array of shape ", dims,
                                "; wanted its shape, or a vector along the axis");
  array w = weights.value;
  if (along && !(given == dims)) w = lax::broadcast_in_dim(w, dims, {d}, x.where);
  const reduction_axes axes = axis == none ? reduction_axes() : reduction_axes(axis);
  const operand each(w, x.where), v(detail::as_average(x), x.where), products(v * each, x.where);
  const array y = operand(sum(products, axes, keep), x.where) / operand(sum(each, axes, keep), x.where);
  const element_type met = promote(x.value.aval().element(), weights.value.aval().element());
  return detail::as_type(y, is_inexact(met.type) ? met : detail::inexact_element(x), x.where);
}
template <class Operand = operand>
constexpr array average(const lazy<Operand>& x, int axis = none, keepdims_option keep = {}) {
  return mean(x, axis == none ? reduction_axes() : reduction_axes(axis), keep);
}

/// How cov and corrcoef take their data.
struct covariance_options {
  bool rowvar = true;        ///< variables are rows, observations columns
  double ddof = 1;           ///< subtracted from the number of observations
  array fweights{};          ///< how often each observation counts
  array aweights{};          ///< how important each observation is
};

namespace detail {
/// The variables as rows; none after an error, which `bad` holds.
template <class Operand = operand>
constexpr array observations(std::string_view operation, const lazy<Operand>& x, bool rowvar, array& bad) {
  const array v = as_average(x);
  if (v.ndim() > 2) {
    bad = bad_operand(x, error_kind::shape, operation, ": got an array of shape ", v.shape(), "; wanted at most 2 dimensions");
    return {};
  }
  if (v.ndim() < 2) return lax::reshape(v, shape{1, v.size()}, x.where);
  if (rowvar || v.shape()[0] == 1) return v;
  return lax::transpose(v, {1, 0}, x.where);
}
/// The covariances of rows; source of the weighted form: numpy's documentation of cov.
template <class Array = array>
constexpr array row_covariances(const lazy<Array>& v, const covariance_options& o, const location& where) {
  const std::int64_t n = v.shape()[1];
  const dtype real = real_dtype(v.dtype());
  operand weights(lax::full(shape{n}, literal(1.0, real, false), where), where);
  if (!o.fweights.is_none()) weights = operand(as_type(o.fweights, {real, false}, where), where);
  if (!o.aweights.is_none()) weights = operand(weights * operand(as_type(o.aweights, {real, false}, where), where), where);
  const operand total(sum(weights), where), x(v, where);
  const operand average(sum(operand(x * weights, where), 1, keepdims), where);
  const operand centred(x - operand(average / total, where), where);
  array less(literal(o.ddof, real, true));
  if (!o.aweights.is_none()) {  // as in numpy: ddof * sum(w * a) / sum(w)
    const operand squares(sum(operand(weights * operand(as_type(o.aweights, {real, false}, where), where), where)), where);
    less = operand(o.ddof, where) * operand(squares / total, where);
  }
  const operand divisor(lax::max(total - operand(less, where), 0.0, where), where);  // as in numpy: too few observations divide by 0
  const operand products(matmul(operand(centred * weights, where), operand(conj(operand(lax::transpose(centred.value, {1, 0}, where), where)), where)), where);
  return products / divisor;
}
/// Correlations, or their parts, rounded to outside [-1, 1] and moved back, so that arccos of them is a number.
template <class Array = array>
constexpr array within_one(const lazy<Array>& r, const location& where) {
  if (is_complex(r.dtype())) return lax::complex(within_one(lax::real(r, where), where), within_one(lax::imag(r, where), where), where);
  return lax::min(lax::max(r, -1.0, where), 1.0, where);
}
/// The options' weights, if they are no vectors of n numbers, make an error.
template <class Operand = operand>
constexpr array check_weights(std::string_view operation, const lazy<Operand>& x, const covariance_options& o, std::int64_t n) {
  for (const array& w : {o.fweights, o.aweights})
    if (!w.is_none() && !(w.shape() == shape{n}))
      return bad_operand(x, error_kind::shape, operation, ": got weights of shape ", w.shape(), " for ", n, " observations; wanted a vector of as many");
  return {};
}
}  // namespace detail

/// The matrix of covariances of variables, each a row (a column without options.rowvar); of one variable, a scalar.
/// Errors: shape_error for more than 2 dimensions, or for weights that are no vector of one number per observation.
template <class Operand = operand>
constexpr array cov(const lazy<Operand>& x, const covariance_options& options = {}) {
  array bad;
  const array rows = detail::observations("cov", x, options.rowvar, bad);
  if (rows.is_none()) return bad;
  const array wrong = detail::check_weights("cov", x, options, rows.shape()[1]);
  if (!wrong.is_none()) return wrong;
  const array c = detail::as_type(detail::row_covariances(rows, options, x.where), detail::inexact_element(x), x.where);
  if (c.size() == 1) return lax::reshape(c, shape{}, x.where);
  return c;
}
/// The correlations of variables: covariances divided by the standard deviations. Errors: as cov.
template <class Operand = operand>
constexpr array corrcoef(const lazy<Operand>& x, bool rowvar = true) {
  array bad;
  const array rows = detail::observations("corrcoef", x, rowvar, bad);
  if (rows.is_none()) return bad;
  const array c = detail::row_covariances(rows, {}, x.where);
  const std::int64_t n = c.shape()[0];
  const operand deviations(sqrt(operand(real(operand(diagonal(operand(c, x.where)), x.where)), x.where)), x.where);
  const operand columns(lax::reshape(deviations.value, shape{n, 1}, x.where), x.where);
  const operand scaled(operand(c, x.where) / columns, x.where);
  const array r = detail::as_type(detail::within_one(scaled / deviations, x.where), detail::inexact_element(x), x.where);
  if (n == 1) return lax::reshape(r, shape{}, x.where);
  return r;
}

// --- without NaN -----------------------------------------------------------------------------------------------------

namespace detail {
/// x with `fill` for NaN.
template <class Operand = operand>
constexpr operand without_nan(const lazy<Operand>& x, double fill) {
  if (x.value.is_none() || !is_inexact(x.value.dtype())) return x;
  return operand(lax::select(lax::ne(x.value, x.value, x.where), scalar_like(x.value, fill), x.value, x.where), x.where);
}
/// How many elements along the axes are not NaN, in the dtype of means.
template <class Operand = operand>
constexpr operand present(const lazy<Operand>& x, const reduction_axes& axes, keepdims_option keep) {
  const dtype t = real_dtype(as_average(x).dtype());
  const array here = lax::convert_element_type(lax::eq(x.value, x.value, x.where), t, false, x.where);
  return operand(sum(operand(here, x.where), axes, keep), x.where);
}
/// An extreme, NaN where there is nothing but NaN.
template <class Operand, class Reduce>
constexpr array nan_extreme(const Operand& x, double fill, const reduction_axes& axes, keepdims_option keep, Reduce&& f) {
  if (x.value.is_none() || !is_inexact(x.value.dtype())) return f(x);
  const array y = f(without_nan(x, fill)), nothing = all(operand(isnan(x), x.where), axes, keep);
  return lax::select(nothing, scalar_like(y, std::numeric_limits<double>::quiet_NaN()), y, x.where);
}
inline constexpr double greatest_number = std::numeric_limits<double>::infinity();
}  // namespace detail

/// The sum of the elements that are not NaN. Errors: as sum.
template <class Operand = operand>
constexpr array nansum(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return sum(detail::without_nan(x, 0), axes, keep);
}
/// The product of the elements that are not NaN. Errors: as prod.
template <class Operand = operand>
constexpr array nanprod(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return prod(detail::without_nan(x, 1), axes, keep);
}
/// The mean of the elements that are not NaN; NaN where there are none. Errors: as mean.
template <class Operand = operand>
constexpr array nanmean(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  const operand total(sum(operand(detail::as_average(detail::without_nan(x, 0)), x.where), axes, keep), x.where);
  return detail::as_type(total / detail::present(x, axes, keep), detail::inexact_element(x), x.where);
}
namespace detail {
/// finish of the variance of the elements that are not NaN, in the dtype it is computed in.
template <class Operand, class Finish>
constexpr array nan_spread(const Operand& x, const reduction_axes& axes, ddof less, keepdims_option keep, Finish&& finish) {
  const operand v(detail::as_average(x), x.where), zero(0.0, x.where), counts(detail::present(x, axes, keepdims));
  const operand average(operand(sum(detail::without_nan(v, 0), axes, keepdims), x.where) / counts, x.where);
  const operand centred(where(operand(isnan(v), x.where), zero, operand(v - average, x.where)), x.where);
  const operand squares(sum(operand(detail::squares_of(centred.value, x.where), x.where), axes, keep), x.where);
  const operand divisor(detail::present(x, axes, keep) - operand(less.value, x.where), x.where);
  const operand result(squares / divisor, x.where);
  const array enough = divisor > zero;
  const element_type t = detail::inexact_element(x);
  const array y = lax::select(enough, result.value, detail::scalar_like(result.value, std::numeric_limits<double>::quiet_NaN()), x.where);
  return detail::as_type(finish(y), {real_dtype(t.type), t.weak}, x.where);
}
}  // namespace detail
/// The variance of the elements that are not NaN, with their number minus ddof as divisor. Errors: as var.
template <class Operand = operand>
constexpr array nanvar(const lazy<Operand>& x, const reduction_axes& axes = {}, ddof less = ddof(0), keepdims_option keep = {}) {
  return detail::nan_spread(x, axes, less, keep, [](const array& v) { return v; });
}
/// The standard deviation of the elements that are not NaN. Errors: as var.
template <class Operand = operand>
constexpr array nanstd(const lazy<Operand>& x, const reduction_axes& axes = {}, ddof less = ddof(0), keepdims_option keep = {}) {
  return detail::nan_spread(x, axes, less, keep, [&](const array& v) { return detail::root_of_squares(v, x.where); });
}
/// The largest element that is not NaN; NaN where there is none. Errors: as max.
template <class Operand = operand>
constexpr array nanmax(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::nan_extreme(x, -detail::greatest_number, axes, keep, [&](const operand& v) { return max(v, axes, keep); });
}
/// The smallest element that is not NaN; NaN where there is none. Errors: as min.
template <class Operand = operand>
constexpr array nanmin(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::nan_extreme(x, detail::greatest_number, axes, keep, [&](const operand& v) { return min(v, axes, keep); });
}
/// The index of the largest element that is not NaN, i64; 0 where there is none. Errors: as argmax.
template <class Operand = operand>
constexpr array nanargmax(const lazy<Operand>& x, int axis = none, keepdims_option keep = {}) {
  return argmax(detail::without_nan(x, -detail::greatest_number), axis, keep);
}
/// The index of the smallest element that is not NaN, i64; 0 where there is none. Errors: as argmin.
template <class Operand = operand>
constexpr array nanargmin(const lazy<Operand>& x, int axis = none, keepdims_option keep = {}) {
  return argmin(detail::without_nan(x, detail::greatest_number), axis, keep);
}
/// Running sums in which NaN counts as 0. Errors: as cumsum.
template <class Operand = operand>
constexpr array nancumsum(const lazy<Operand>& x, int axis = none) { return cumsum(detail::without_nan(x, 0), axis); }
/// Running products in which NaN counts as 1. Errors: as cumprod.
template <class Operand = operand>
constexpr array nancumprod(const lazy<Operand>& x, int axis = none) { return cumprod(detail::without_nan(x, 1), axis); }

}  // namespace jacquard
