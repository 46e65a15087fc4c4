#pragma once
// Activation functions of neural networks, element by element: jq::nn. In the dtype of a floating point operand; whole numbers become
// floating point first. Derivatives at kinks are 0 or those of the left side, as said; nowhere NaN for a finite operand. Deliberately
// without parameters that are learnt: those are arguments.

#include "jacquard/numpy/elementary.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/reductions.hpp"

namespace jacquard::nn {

using jacquard::log_softmax;
using jacquard::logsumexp;
using jacquard::one_hot;
using jacquard::relu;
using jacquard::sigmoid;
using jacquard::softmax;

namespace detail {
/// The operand as floating point, an array.
template <class Operand = operand>
constexpr array inexact(const lazy<Operand>& x) { return jacquard::detail::as_inexact(x); }
}  // namespace detail

/// min(max(x, 0), 6); the derivative at 0 and 6 is 0.
template <class Operand = operand>
constexpr array relu6(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = relu(operand(detail::inexact(x)));
  return where(v >= 6.0, 6.0, v);
}
/// x for x > 0, slope x elsewhere.
template <class Operand = operand>
constexpr array leaky_relu(const lazy<Operand>& x, double slope = 0.01) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return where(v > 0.0, v, slope * v);
}
/// x for x > 0, alpha (exp(x) - 1) elsewhere.
template <class Operand = operand>
constexpr array elu(const lazy<Operand>& x, double alpha = 1) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), above = v > 0.0;
  return where(above, v, alpha * expm1(where(above, 0.0, v)));
}
/// x for x > 0, alpha (exp(x / alpha) - 1) elsewhere: with a derivative that is continuous for every alpha.
template <class Operand = operand>
constexpr array celu(const lazy<Operand>& x, double alpha = 1) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), above = v > 0.0;
  return where(above, v, alpha * expm1(where(above, 0.0, v / alpha)));
}
/// The elu that keeps mean 0 and variance 1 (Klambauer et al., 2017).
template <class Operand = operand>
constexpr array selu(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  return 1.0507009873554804934193 * elu(x, 1.6732632423543772848170);
}
/// log(1 + exp(x)) without overflow.
template <class Operand = operand>
constexpr array softplus(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), above = v > 0.0;
  return where(above, v, 0.0) + log1p(exp(where(above, -v, v)));  // not -|v|, whose slope at 0 is another
}
/// log(sigmoid(x)) without underflow.
template <class Operand = operand>
constexpr array log_sigmoid(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  return -softplus(-detail::inexact(x));
}
/// x / (1 + |x|).
template <class Operand = operand>
constexpr array soft_sign(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return v / (abs(v) + 1.0);
}
/// x sigmoid(x), also called swish.
template <class Operand = operand>
constexpr array silu(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return v * logistic(v);
}
template <class Operand = operand>
constexpr array swish(const lazy<Operand>& x) { return silu(x); }
/// x tanh(softplus(x)).
template <class Operand = operand>
constexpr array mish(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return v * tanh(softplus(v));
}
/// x times the share of the standard normal distribution below x; by default its approximation by tanh (Hendrycks and Gimpel, 2016).
template <class Operand = operand>
constexpr array gelu(const lazy<Operand>& x, bool approximate = true) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  if (!approximate) return v * jacquard::detail::normal_share(v);
  // (1 + tanh(u)) / 2 is logistic(2 u), which does not vanish before its time.
  return v * logistic(1.59576912160573071176 * (v + 0.044715 * (v * v * v)));
}
/// x limited to [-1, 1]; the derivative at both ends is 0.
template <class Operand = operand>
constexpr array hard_tanh(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return where(v >= 1.0, 1.0, where(v <= -1.0, -1.0, v));
}
/// relu6(x + 3) / 6.
template <class Operand = operand>
constexpr array hard_sigmoid(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  return relu6(detail::inexact(x) + 3.0) / 6.0;
}
/// x hard_sigmoid(x), also called hard silu.
template <class Operand = operand>
constexpr array hard_swish(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  return detail::inexact(x) * hard_sigmoid(x);
}
/// (x + sqrt(x^2 + b)) / 2, a softplus without exponentials.
template <class Operand = operand>
constexpr array squareplus(const lazy<Operand>& x, double b = 4) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  const array root = sqrt(v * v + b);
  if (is_complex(v.dtype())) return 0.5 * (v + root);
  const array positive = v >= 0.0;  // below, the sum of the two nearly cancels
  return where(positive, 0.5 * (v + root), 0.5 * b / where(positive, 1.0, root - v));
}
/// The first half of x along an axis times the sigmoid of the second. Errors: value_error for an axis that x lacks; shape_error for an
/// odd size.
template <class Operand = operand>
constexpr array glu(const lazy<Operand>& x, int axis = -1) {
  const rule_location_scope here(x.where);
  int_list axes;
  const array bad = jacquard::detail::resolve_axes("glu", x, axis_list(axis), x.value.ndim(), axes);
  if (!bad.is_none()) return bad;
  const array v = detail::inexact(x);
  const int place = int(axes[0]);
  const std::int64_t size = v.shape()[place];
  if (size % 2 != 0)
    return jacquard::detail::bad_operand(x, error_kind::shape, "glu: got size ", size, " along axis ", axis, " of shape ", v.shape(),
                                         "; wanted an even one, which has two halves");
  int_list middle = int_list::filled(v.ndim(), 0), limit = v.shape();
  middle[place] = size / 2;
  limit[place] = size / 2;
  return lax::slice(v, int_list::filled(v.ndim(), 0), limit) * logistic(lax::slice(v, middle, v.shape()));
}

/// hard_swish under its other name.
template <class Operand = operand>
constexpr array hard_silu(const lazy<Operand>& x) { return hard_swish(x); }
/// 0 up to -1, x from 1 on, (x + 1)^2 / 4 between them: a softplus that is 0 for most of the negative numbers.
template <class Operand = operand>
constexpr array sparse_plus(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), middle = clip(v, -1.0, 1.0);  // whose square is finite where it is not taken, too
  return where(v >= 1.0, v, 0.25 * (middle + 1.0) * (middle + 1.0));
}
/// (x + 1) / 2 limited to [0, 1], the derivative of sparse_plus.
template <class Operand = operand>
constexpr array sparse_sigmoid(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x);
  return where(v <= -1.0, 0.0, where(v >= 1.0, 1.0, 0.5 * (v + 1.0)));
}
/// x itself.
template <class Operand = operand>
constexpr array identity(const lazy<Operand>& x) { return x.value; }
/// log(mean(exp(x))) without overflow. Errors: value_error for an axis out of range or repeated.
template <class Operand = operand>
constexpr array logmeanexp(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  const rule_location_scope here(x.where);
  int_list over;
  const array bad = jacquard::detail::reduced_axes("logmeanexp", x, axes, over);
  if (!bad.is_none()) return bad;
  return logsumexp(x, axes, keep) - math::log(double(jacquard::detail::elements_along(x.value.shape(), over)));
}

/// log(1 - exp(-x)) for x > 0, precise next to 0 and for large x (Maechler 2012); -inf at 0, NaN below.
template <class Operand = operand>
constexpr array log1mexp(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array v = detail::inexact(x), large = v > 0.69314718055994531;
  return where(large, log1p(-exp(-where(large, v, 1.0))), log(-expm1(-where(large, 1.0, v))));
}

}  // namespace jacquard::nn
