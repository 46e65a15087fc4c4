#pragma once
// Losses: how far predictions are from what they should be. One number per example, or per element where there is nothing to sum over;
// the mean is the caller's. Deliberately without class weights and label smoothing, which are arithmetic on the operands.

#include "jacquard/nn/activations.hpp"

namespace jacquard::nn {

namespace detail {
/// An operand as floating point: a whole one in the type in which it meets the other.
template <class Operand = operand>
constexpr array beside(const lazy<Operand>& x, const lazy<Operand>& other) {
  return jacquard::detail::as_type(x.value, jacquard::detail::common_inexact_type(x, other), x.where);
}
}  // namespace detail

/// (prediction - target)^2, element by element. Errors: shape_error.
template <class Operand = operand>
constexpr array squared_error(const lazy<Operand>& prediction, const lazy<Operand>& target) {
  const rule_location_scope here(prediction.where);
  return square(detail::beside(prediction, target) - target);
}
/// Half of that.
template <class Operand = operand>
constexpr array l2_loss(const lazy<Operand>& prediction, const lazy<Operand>& target) {
  const rule_location_scope here(prediction.where);
  return 0.5 * squared_error(prediction, target);
}
/// The mean of the squared error over all elements.
template <class Operand = operand>
constexpr array mse(const lazy<Operand>& prediction, const lazy<Operand>& target) {
  const rule_location_scope here(prediction.where);
  return mean(squared_error(prediction, target));
}
/// |prediction - target|, element by element; the derivative is 0 where they agree.
template <class Operand = operand>
constexpr array absolute_error(const lazy<Operand>& prediction, const lazy<Operand>& target) {
  const rule_location_scope here(prediction.where);
  return abs(detail::beside(prediction, target) - target);
}
/// Half the squared error up to the distance delta, linear beyond (Huber, 1964).
template <class Operand = operand>
constexpr array huber_loss(const lazy<Operand>& prediction, const lazy<Operand>& target, double delta = 1) {
  const rule_location_scope here(prediction.where);
  // Beside the square, not through |x|, whose own derivative at 0 is 0: the second one of the loss there is 1.
  const array away = detail::beside(prediction, target) - target, close = abs(away) < delta, near = where(close, away, 0.0);
  return where(close, 0.5 * jacquard::detail::squares_of(near, prediction.where), delta * (abs(where(close, delta, away)) - 0.5 * delta));
}
/// log(cosh(prediction - target)) without overflow.
template <class Operand = operand>
constexpr array log_cosh(const lazy<Operand>& prediction, const lazy<Operand>& target) {
  const rule_location_scope here(prediction.where);
  const array away = detail::beside(prediction, target) - target, small = abs(away) < 1.0;
  const array far = where(small, 1.0, away), half = sinh(0.5 * where(small, away, 0.0));  // cosh(x) = 1 + 2 sinh(x / 2)^2
  return where(small, log1p(2.0 * (half * half)), far + softplus(-2.0 * far) - 0.69314718055994530942);
}

namespace detail {
/// weight * x, and 0 where the weight is, even if x is infinite there.
template <class Array = array>
constexpr array weighted(const lazy<Array>& weight, const lazy<Array>& x) {
  const array counts = weight != 0.0;
  return where(counts, weight * where(counts, x, 0.0), 0.0);
}
}  // namespace detail

/// The cross entropy of softmax(logits) to probabilities, along the last axis. Errors: shape_error.
template <class Operand = operand>
constexpr array softmax_cross_entropy(const lazy<Operand>& logits, const lazy<Operand>& labels) {
  const rule_location_scope here(logits.where);
  return -sum(detail::weighted(detail::beside(labels, logits), log_softmax(logits)), -1);
}
/// The same to labels that are numbers of classes, one per example; a label that is none gives logsumexp(logits).
/// Errors: type_error for labels that are not whole numbers; shape_error for logits without a last axis.
template <class Operand = operand>
constexpr array softmax_cross_entropy_with_integer_labels(const lazy<Operand>& logits, const lazy<Operand>& labels) {
  const rule_location_scope here(logits.where);
  if (!labels.value.is_none() && !is_integer(labels.value.dtype()))
    return jacquard::detail::bad_operand(labels, error_kind::type, "softmax_cross_entropy_with_integer_labels: got labels of dtype ",
                                         long_name(labels.value.dtype()), "; wanted integers, or call softmax_cross_entropy with probabilities");
  const array v = detail::inexact(logits);
  if (v.ndim() == 0)
    return jacquard::detail::bad_operand(logits, error_kind::shape, "softmax_cross_entropy_with_integer_labels: got logits of shape (); wanted one per class along the last axis");
  const array classes = lax::iota(i64, v.shape(), v.ndim() - 1);
  const array chosen = classes == expand_dims(labels, -1);
  return logsumexp(v, -1) - sum(where(chosen, v, 0.0), -1);
}
/// The cross entropy of sigmoid(logits) to probabilities, element by element: -p log sigmoid(v) - (1 - p) log sigmoid(-v), in which the two
/// logarithms have one exponential between them, that of -|v|. Errors: shape_error.
template <class Operand = operand>
constexpr array sigmoid_binary_cross_entropy(const lazy<Operand>& logits, const lazy<Operand>& labels) {
  const rule_location_scope here(logits.where);
  const jacquard::detail::inexact_pair of("sigmoid_binary_cross_entropy", logits, labels);
  if (!of.bad.is_none()) return of.bad;
  const array &v = of.a, &p = of.b, above = v > 0.0;
  return where(above, 1.0 - p, -p) * v + log1p(exp(where(above, -v, v)));  // not -|v|: see softplus
}
/// The divergence of Kullback and Leibler from predicted log probabilities to targets, along the last axis. Errors: shape_error.
template <class Operand = operand>
constexpr array kl_divergence(const lazy<Operand>& log_predictions, const lazy<Operand>& targets) {
  const rule_location_scope here(log_predictions.where);
  const array p = detail::beside(targets, log_predictions);
  return sum(detail::weighted(p, log(where(p > 0.0, p, 1.0)) - log_predictions), -1);
}

}  // namespace jacquard::nn
