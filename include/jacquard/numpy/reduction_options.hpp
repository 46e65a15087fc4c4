#pragma once
// Reductions of some of the elements, with a first element, with weights, or in another dtype: numpy's where=, initial= and dtype=, as fields of options
// that follow the axes (jq::none for all of them): sum(x, 0, {.where = mask, .dtype = jq::f32}, jq::keepdims). Deliberately without an
// `out`, since arrays do not change; a field that a reduction cannot have is not there.

#include <optional>

#include "jacquard/numpy/statistics.hpp"
#include "jacquard/prims/max_min.hpp"

namespace jacquard {

/// How sum and prod are taken.
struct sum_options {
  array where{};                             ///< bool, broadcast to the operand: which elements are taken; all without it
  array initial{};                           ///< a scalar that the result begins with
  std::optional<jacquard::dtype> dtype{};    ///< what the elements are converted to first
};
/// How max and min are taken. Where some elements are left out, or there are none, the initial value is needed.
struct extreme_options {
  array where{};
  array initial{};
};
/// How mean is taken.
struct mean_options {
  array where{};
  std::optional<jacquard::dtype> dtype{};
};
/// How var and std are taken. The number of elements minus ddof counts as zero where it is negative.
struct variance_options {
  double ddof = 0;
  array where{};
  std::optional<jacquard::dtype> dtype{};
};
/// How logsumexp is taken.
struct logsumexp_options {
  array b{};      ///< weights, of floating point or whole numbers, broadcast to the operand: log(sum(b exp(x)))
  array where{};  ///< bool, broadcast to the operand: which elements are taken; all without it
};
/// How softmax and log_softmax are taken.
struct softmax_options {
  array where{};
};
/// How any and all are taken.
struct logic_options {
  array where{};
};

namespace detail {

/// An error unless the mask is bool and broadcasts to x.
template <class Operand = operand>
constexpr array check_mask(std::string_view operation, const lazy<Operand>& x, const array& mask) {
  if (mask.is_none()) return {};
  if (mask.dtype() != bool_)
    return bad_operand(x, error_kind::type, operation, ": got the option where of dtype ", long_name(mask.dtype()), "; wanted bool; compare it with 0");
  const shape dims = x.value.shape();
  shape joined;
  if (broadcast_shapes(mask.shape(), dims, joined) && joined == dims) return {};
  return bad_operand(x, error_kind::shape, operation, ": got the option where of shape ", mask.shape(), " for an array of shape ", dims,
                     "; wanted a shape that broadcasts to that of the array");
}
/// The same, and a scalar to begin with.
template <class Operand = operand>
constexpr array check_selection(std::string_view operation, const lazy<Operand>& x, const array& mask, const array& initial) {
  const array bad = check_mask(operation, x, mask);
  if (!bad.is_none() || initial.is_none() || initial.ndim() == 0) return bad;
  return bad_operand(x, error_kind::shape, operation, ": got the option initial of shape ", initial.shape(), ", wanted a scalar");
}
/// What a mean is taken of in the dtype asked for.
template <class Operand = operand>
constexpr array check_average(std::string_view operation, const lazy<Operand>& x, const array& mask, const std::optional<dtype>& t) {
  if (!t || is_inexact(*t)) return check_mask(operation, x, mask);
  return bad_operand(x, error_kind::type, operation, ": got the option dtype ", long_name(*t), "; wanted floating point or complex numbers; convert the result");
}
template <class Operand = operand>
constexpr operand in_dtype(const lazy<Operand>& x, const std::optional<dtype>& t) {
  if (!t) return x;
  return operand(as_type(x.value, {*t, false}, x.where), x.where);
}
/// A sum or a product: f reduces, join puts the initial value to it, which `neutral` leaves alone.
template <class Reduce, class Join>
constexpr array folded(std::string_view operation, const operand& x, const reduction_axes& axes, const sum_options& o, keepdims_option keep,
                       double neutral, Reduce&& f, Join&& join) {
  const array bad = check_selection(operation, x, o.where, o.initial);
  if (!bad.is_none()) return bad;
  const operand given = in_dtype(x, o.dtype);
  array v = given.value;
  if (!o.dtype) v = as_summand(x);
  const array y = reduce(operation, x, selected(v, o.where, scalar_like(v, neutral), x.where), axes, keep, f);
  if (o.initial.is_none()) return y;
  return join(y, as_type(o.initial, y.aval().element(), x.where));
}
/// An extreme. What is left out is what no element is beyond.
template <class Reduce, class Join>
constexpr array extreme(std::string_view operation, const operand& x, const reduction_axes& axes, const extreme_options& o, keepdims_option keep,
                        bool least, Reduce&& f, Join&& join) {
  const array bad = check_selection(operation, x, o.where, o.initial);
  if (!bad.is_none()) return bad;
  if (o.initial.is_none()) {
    if (o.where.is_none()) return check_not_empty(operation, x, axes);
    return bad_operand(x, error_kind::value, operation, ": got the option where without initial, but where nothing is selected there is no ", operation,
                       "; wanted initial, the value there");
  }
  array v = x.value;
  if (!is_complex(v.dtype())) v = selected(v, o.where, array(extreme_literal(v.aval(), least)), x.where);
  const array y = reduce(operation, x, v, axes, keep, f);
  return join(y, as_type(o.initial, y.aval().element(), x.where));
}
/// x with NaN for what a mask leaves out.
template <class Operand = operand>
constexpr operand left_out(const lazy<Operand>& x, const array& mask, const std::optional<dtype>& t) {
  const operand given = in_dtype(x, t);
  if (mask.is_none()) return given;
  const array v = as_inexact(given);
  return operand(selected(v, mask, scalar_like(v, std::numeric_limits<double>::quiet_NaN()), x.where), x.where);
}

/// What logsumexp adds up along axes, and the largest element that counts.
struct weighted_exponentials {
  array total, shift;

  template <class Array = array>
  constexpr weighted_exponentials(const lazy<Array>& v, const int_list& axes, const logsumexp_options& o, const location& where) {
    const array nothing = scalar_like(v, -std::numeric_limits<double>::infinity()), zero = scalar_like(v, 0);
    const array taken = selected(v, o.where, nothing, where);
    array weights, counted = taken;
    if (!o.b.is_none()) {
      weights = selected(broadcast_operand(as_type(o.b, v.aval().element(), where), v.shape(), false, where), o.where, zero, where);
      counted = lax::select(lax::eq(weights, zero, where), nothing, taken, where);
    }
    const array largest = constant_max(counted, axes, where);
    shift = lax::select(lax::is_finite(largest, where), largest, scalar_like(largest, 0), where);
    const array top = repeat_along(shift, v.shape(), axes, where);
    // Only elements of weight zero are NaN or above the largest that counts: their exponentials must not be what zero times is NaN.
    array reached = taken;
    if (!o.b.is_none()) reached = lax::select(lax::and_(lax::not_(lax::le(taken, top, where), where), lax::eq(weights, zero, where), where), top, taken, where);
    array terms = lax::exp(lax::sub(reached, top, where), where);
    if (!o.b.is_none()) terms = lax::mul(weights, terms, where);
    total = lax::reduce_sum(terms, axes, where);
  }
};
/// An error unless the options of logsumexp fit x.
template <class Operand = operand>
constexpr array check_exponentials(const lazy<Operand>& x, const logsumexp_options& o) {
  const array bad = check_mask("logsumexp", x, o.where);
  if (!bad.is_none() || o.b.is_none()) return bad;
  const shape dims = x.value.shape();
  shape joined;
  if (is_complex(o.b.dtype()))
    return bad_operand(x, error_kind::type, "logsumexp: got the option b of dtype ", long_name(o.b.dtype()), "; wanted real weights");
  if (broadcast_shapes(o.b.shape(), dims, joined) && joined == dims) return {};
  return bad_operand(x, error_kind::shape, "logsumexp: got the option b of shape ", o.b.shape(), " for an array of shape ", dims,
                     "; wanted a shape that broadcasts to that of the array");
}
/// x along axes, -inf where the mask leaves it out, minus the largest element; and the sum of the exponentials, 1 instead of 0.
struct shifted_selection {
  array shifted, total;

  template <class Array = array>
  constexpr shifted_selection(const lazy<Array>& v, const int_list& axes, const array& mask, const location& where) {
    const array taken = selected(v, mask, scalar_like(v, -std::numeric_limits<double>::infinity()), where);
    const array largest = constant_max(taken, axes, where);
    const array shift = lax::select(lax::is_finite(largest, where), largest, scalar_like(largest, 0), where);
    shifted = lax::sub(taken, repeat_along(shift, v.shape(), axes, where), where);
    const array sum = lax::reduce_sum(lax::exp(shifted, where), axes, where);
    total = lax::select(lax::eq(sum, scalar_like(sum, 0), where), scalar_like(sum, 1), sum, where);
  }
};

}  // namespace detail

/// The sum of the elements that options.where selects, plus options.initial; in options.dtype, by default as sum without options.
/// Errors: value_error for an axis out of range or repeated; shape_error for a mask that does not broadcast to x, or an initial value that
/// is no scalar; type_error for a mask that is not bool.
template <class Operand = operand>
constexpr array sum(const lazy<Operand>& x, const reduction_axes& axes, const sum_options& options, keepdims_option keep = {}) {
  return detail::folded("sum", x, axes, options, keep, 0, [&](const array& v, const int_list& d) { return lax::reduce_sum(v, d, x.where); },
                        [&](const array& y, const array& first) { return lax::add(first, y, x.where); });
}
/// The product, likewise. Errors: as sum.
template <class Operand = operand>
constexpr array prod(const lazy<Operand>& x, const reduction_axes& axes, const sum_options& options, keepdims_option keep = {}) {
  return detail::folded("prod", x, axes, options, keep, 1, [&](const array& v, const int_list& d) { return lax::reduce_prod(v, d, x.where); },
                        [&](const array& y, const array& first) { return lax::mul(first, y, x.where); });
}
/// The largest of options.initial and the elements that options.where selects. The derivative is shared among equal ones.
/// Errors: as sum; value_error for a mask without an initial value, or for no elements without one; type_error for complex numbers.
template <class Operand = operand>
constexpr array max(const lazy<Operand>& x, const reduction_axes& axes, const extreme_options& options, keepdims_option keep = {}) {
  if (options.where.is_none() && options.initial.is_none()) return max(x, axes, keep);
  return detail::extreme("max", x, axes, options, keep, false, [&](const array& v, const int_list& d) { return lax::reduce_max(v, d, x.where); },
                         [&](const array& y, const array& first) { return lax::max(first, y, x.where); });
}
/// The smallest, likewise. Errors: as max.
template <class Operand = operand>
constexpr array min(const lazy<Operand>& x, const reduction_axes& axes, const extreme_options& options, keepdims_option keep = {}) {
  if (options.where.is_none() && options.initial.is_none()) return min(x, axes, keep);
  return detail::extreme("min", x, axes, options, keep, true, [&](const array& v, const int_list& d) { return lax::reduce_min(v, d, x.where); },
                         [&](const array& y, const array& first) { return lax::min(first, y, x.where); });
}
/// The mean of the elements that options.where selects, NaN where there are none; in options.dtype, by default as mean without options.
/// Errors: value_error for an axis out of range or repeated; shape_error for a mask that does not broadcast to x; type_error for a mask that
/// is not bool, or a dtype of whole numbers.
template <class Operand = operand>
constexpr array mean(const lazy<Operand>& x, const reduction_axes& axes, const mean_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_average("mean", x, options.where, options.dtype);
  if (!bad.is_none()) return bad;
  return detail::masked_mean(detail::in_dtype(x, options.dtype), axes, keep, options.where);
}
/// The variance of the elements that options.where selects, with their number minus options.ddof as divisor. Errors: as mean.
template <class Operand = operand>
constexpr array var(const lazy<Operand>& x, const reduction_axes& axes, const variance_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_average("var", x, options.where, options.dtype);
  if (!bad.is_none()) return bad;
  return detail::spread("var", detail::in_dtype(x, options.dtype), axes, options.ddof, options.where, keep, [](const array& v) { return v; });
}
/// The standard deviation, likewise. Errors: as mean.
template <class Operand = operand>
constexpr array std(const lazy<Operand>& x, const reduction_axes& axes, const variance_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_average("std", x, options.where, options.dtype);
  if (!bad.is_none()) return bad;
  return detail::spread("std", detail::in_dtype(x, options.dtype), axes, options.ddof, options.where, keep,
                        [&](const array& v) { return detail::root_of_squares(v, x.where); });
}
/// Whether any element that options.where selects is not zero. Errors: as sum.
template <class Operand = operand>
constexpr array any(const lazy<Operand>& x, const reduction_axes& axes, const logic_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_mask("any", x, options.where);
  if (!bad.is_none()) return bad;
  return any(operand(detail::selected(detail::as_boolean(x), options.where, array(literal(false)), x.where), x.where), axes, keep);
}
/// Whether all elements that options.where selects are not zero. Errors: as sum.
template <class Operand = operand>
constexpr array all(const lazy<Operand>& x, const reduction_axes& axes, const logic_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_mask("all", x, options.where);
  if (!bad.is_none()) return bad;
  return all(operand(detail::selected(detail::as_boolean(x), options.where, array(literal(true)), x.where), x.where), axes, keep);
}

// --- exponentials ------------------------------------------------------------------------------------------------------

/// log(sum(b exp(x))) of the elements that options.where selects, without overflow: -inf where nothing is selected, NaN where the sum is
/// negative. Errors: value_error for an axis out of range or repeated; shape_error for weights or a mask that do not broadcast to x; type_error for
/// complex numbers, or a mask that is not bool.
template <class Operand = operand>
constexpr array logsumexp(const lazy<Operand>& x, const reduction_axes& axes, const logsumexp_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_exponentials(x, options);
  if (!bad.is_none()) return bad;
  return detail::reduce("logsumexp", x, detail::as_average(x), axes, keep, [&](const array& v, const int_list& d) {
    const detail::weighted_exponentials e(v, d, options, x.where);
    return detail::as_type(lax::add(detail::log_of_total(e.total, x.where), e.shift, x.where), detail::inexact_element(x), x.where);
  });
}
/// A sum as sign * exp(value).
struct signed_logsumexp_result {
  array value, sign;
};
/// log(|sum(b exp(x))|) and the sign of the sum. Errors: as logsumexp.
template <class Operand = operand>
constexpr signed_logsumexp_result signed_logsumexp(const lazy<Operand>& x, const reduction_axes& axes = {}, const logsumexp_options& options = {},
                                                   keepdims_option keep = {}) {
  const array bad = detail::check_exponentials(x, options);
  if (!bad.is_none()) return {bad, bad};
  const auto part = [&](bool sign) {
    return detail::reduce("signed_logsumexp", x, detail::as_average(x), axes, keep, [&](const array& v, const int_list& d) {
      const detail::weighted_exponentials e(v, d, options, x.where);
      const element_type t = detail::inexact_element(x);
      if (sign) return detail::as_type(lax::sign(e.total, x.where), t, x.where);
      return detail::as_type(lax::add(detail::log_of_total(lax::abs(e.total, x.where), x.where), e.shift, x.where), t, x.where);
    });
  };
  return {part(false), part(true)};
}
/// exp(x) / sum(exp(x)) of the elements that options.where selects, along the axes (as softmax); 0 for the others, and for all where none is
/// selected. Errors: value_error for an axis out of range or repeated; shape_error for a mask that does not broadcast to x; type_error for complex
/// numbers, or a mask that is not bool.
template <class Operand = operand>
constexpr array softmax(const lazy<Operand>& x, const axis_list& axes, const softmax_options& options) {
  if (options.where.is_none()) return softmax(x, axes);
  array bad = detail::check_mask("softmax", x, options.where);
  if (!bad.is_none()) return bad;
  const array v = detail::as_average(x);
  int_list d;
  if (bad = detail::resolve_axes("softmax", x, axes, v.ndim(), d); !bad.is_none()) return bad;
  const detail::shifted_selection s(v, d, options.where, x.where);
  const array y = lax::div(lax::exp(s.shifted, x.where), detail::repeat_along(s.total, v.shape(), d, x.where), x.where);
  return detail::as_type(y, detail::inexact_element(x), x.where);
}
/// The logarithm of softmax with options: -inf for what is not selected. Errors: likewise.
template <class Operand = operand>
constexpr array log_softmax(const lazy<Operand>& x, const axis_list& axes, const softmax_options& options) {
  if (options.where.is_none()) return log_softmax(x, axes);
  array bad = detail::check_mask("log_softmax", x, options.where);
  if (!bad.is_none()) return bad;
  const array v = detail::as_average(x);
  int_list d;
  if (bad = detail::resolve_axes("log_softmax", x, axes, v.ndim(), d); !bad.is_none()) return bad;
  const detail::shifted_selection s(v, d, options.where, x.where);
  const array y = lax::sub(s.shifted, detail::repeat_along(lax::log(s.total, x.where), v.shape(), d, x.where), x.where);
  return detail::as_type(y, detail::inexact_element(x), x.where);
}

// --- without NaN -----------------------------------------------------------------------------------------------------

/// The sum of the elements that options.where selects and that are not NaN. Errors: as sum.
template <class Operand = operand>
constexpr array nansum(const lazy<Operand>& x, const reduction_axes& axes, const sum_options& options, keepdims_option keep = {}) {
  return sum(detail::without_nan(x, 0), axes, options, keep);
}
/// The product, likewise. Errors: as sum.
template <class Operand = operand>
constexpr array nanprod(const lazy<Operand>& x, const reduction_axes& axes, const sum_options& options, keepdims_option keep = {}) {
  return prod(detail::without_nan(x, 1), axes, options, keep);
}
/// The largest of options.initial and the selected elements that are not NaN. Errors: as max.
template <class Operand = operand>
constexpr array nanmax(const lazy<Operand>& x, const reduction_axes& axes, const extreme_options& options, keepdims_option keep = {}) {
  if (options.where.is_none() && options.initial.is_none()) return nanmax(x, axes, keep);
  return max(detail::without_nan(x, -detail::greatest_number), axes, options, keep);
}
/// The smallest, likewise. Errors: as max.
template <class Operand = operand>
constexpr array nanmin(const lazy<Operand>& x, const reduction_axes& axes, const extreme_options& options, keepdims_option keep = {}) {
  if (options.where.is_none() && options.initial.is_none()) return nanmin(x, axes, keep);
  return min(detail::without_nan(x, detail::greatest_number), axes, options, keep);
}
/// The mean of the selected elements that are not NaN; NaN where there are none. Errors: as mean.
template <class Operand = operand>
constexpr array nanmean(const lazy<Operand>& x, const reduction_axes& axes, const mean_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_average("nanmean", x, options.where, options.dtype);
  if (!bad.is_none()) return bad;
  return nanmean(detail::left_out(x, options.where, options.dtype), axes, keep);
}
/// The variance of the selected elements that are not NaN; NaN where no more than options.ddof are left. Errors: as mean.
template <class Operand = operand>
constexpr array nanvar(const lazy<Operand>& x, const reduction_axes& axes, const variance_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_average("nanvar", x, options.where, options.dtype);
  if (!bad.is_none()) return bad;
  return nanvar(detail::left_out(x, options.where, options.dtype), axes, ddof(options.ddof), keep);
}
/// The standard deviation, likewise. Errors: as mean.
template <class Operand = operand>
constexpr array nanstd(const lazy<Operand>& x, const reduction_axes& axes, const variance_options& options, keepdims_option keep = {}) {
  const array bad = detail::check_average("nanstd", x, options.where, options.dtype);
  if (!bad.is_none()) return bad;
  return nanstd(detail::left_out(x, options.where, options.dtype), axes, ddof(options.ddof), keep);
}

}  // namespace jacquard
