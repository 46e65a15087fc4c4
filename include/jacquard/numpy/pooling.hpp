#pragma once
// Pooling of images and sequences: the largest or the mean element of each window. Batch and feature dimensions are told by their places,
// the others are spatial; see lax::reduce_window_sum for windows over all dimensions.

#include "jacquard/numpy/operand.hpp"
#include "jacquard/numpy/axes.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/reduce_window.hpp"

namespace jacquard {

/// How a pooling is laid out.
struct pooling_options {
  conv_padding padding = "VALID";
  std::string_view layout = "NHWC";  ///< N batch, C feature, any other letters spatial, in the order of the window
  bool count_padding = false;        ///< avg_pool: divides by the size of the window even where it covers padding
};

namespace detail {

/// A window and strides over all dimensions of the layout.
struct pooling_window {
  int_list sizes, strides;
  conv_padding padding = "VALID";
};
/// Gives sizes and strides (1 by default) of spatial dimensions their places. An error if numbers and letters do not fit x.
template <class Operand = operand>
constexpr array resolve_pooling(std::string_view operation, const lazy<Operand>& x, const int_list& window, const int_list& strides,
                                const pooling_options& o, pooling_window& out) {
  const int rank = x.value.ndim(), spatial = window.size();
  const conv_padding& p = o.padding;
  const bool numbers = p.kind == padding_kind::numbers && !p.is_valid;
  int named = 0;
  for (char c : o.layout) named += c == 'N' || c == 'C';
  if (int(o.layout.size()) != rank || rank - named != spatial || (!strides.empty() && strides.size() != spatial) || (numbers && p.low.size() != spatial))
    return bad_operand(x, error_kind::shape, operation, ": got an array of shape ", x.value.shape(), ", the layout \"", o.layout, "\", the window ", window,
                       " and strides ", strides, "; wanted one letter per dimension, and one number per spatial dimension");
  out.padding = p;
  if (numbers) out.padding.low = out.padding.high = {};
  int next = 0;
  for (char c : o.layout) {
    const bool fixed = c == 'N' || c == 'C';
    out.sizes.push_back(fixed ? 1 : window[next]);
    out.strides.push_back(fixed || strides.empty() ? 1 : strides[next]);
    if (numbers) out.padding.low.push_back(fixed ? 0 : p.low[next]), out.padding.high.push_back(fixed ? 0 : p.high[next]);
    next += !fixed;
  }
  return {};
}
}  // namespace detail

/// The largest element of each window, NaN if one is; padding never counts. Strides are 1 by default.
/// Errors: shape_error for a layout, window or strides that do not fit; value_error for an unknown padding; type_error for complex numbers.
template <class Operand = operand>
constexpr array max_pool(const lazy<Operand>& x, const int_list& window, const int_list& strides = {}, const pooling_options& options = {}) {
  detail::pooling_window w;
  const array bad = detail::resolve_pooling("max_pool", x, window, strides, options, w);
  if (!bad.is_none()) return bad;
  return lax::reduce_window_max(x.value, w.sizes, w.strides, w.padding, {}, {}, x.where);
}
/// The smallest element of each window. Errors: as max_pool.
template <class Operand = operand>
constexpr array min_pool(const lazy<Operand>& x, const int_list& window, const int_list& strides = {}, const pooling_options& options = {}) {
  detail::pooling_window w;
  const array bad = detail::resolve_pooling("min_pool", x, window, strides, options, w);
  if (!bad.is_none()) return bad;
  return lax::reduce_window_min(x.value, w.sizes, w.strides, w.padding, {}, {}, x.where);
}
/// The mean of the elements of each window, without padding unless options.count_padding. Integers become f64, 16-bit floats are summed in f32. Errors: as max_pool.
template <class Operand = operand>
constexpr array avg_pool(const lazy<Operand>& x, const int_list& window, const int_list& strides = {}, const pooling_options& options = {}) {
  detail::pooling_window w;
  const array bad = detail::resolve_pooling("avg_pool", x, window, strides, options, w);
  if (!bad.is_none()) return bad;
  const array v = detail::as_average(x);
  const element_type t = detail::inexact_element(x);
  const array total = lax::reduce_window_sum(v, w.sizes, w.strides, w.padding, {}, {}, x.where);
  std::int64_t whole = 1;
  for (std::int64_t n : window) whole *= n;
  if (options.count_padding || options.padding.is_valid) return detail::as_type(lax::div(total, double(whole), x.where), t, x.where);
  const array ones = lax::full(v.shape(), literal(1.0, v.dtype(), v.weak_type()), x.where);
  return detail::as_type(lax::div(total, lax::reduce_window_sum(ones, w.sizes, w.strides, w.padding, {}, {}, x.where), x.where), t, x.where);
}

}  // namespace jacquard
