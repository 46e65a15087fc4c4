#pragma once
// What layers of neural networks compute: normalisations, dropout, attention. Functions of arrays; who keeps parameters and running
// statistics is the caller's business. Deliberately no classes of layers.

#include "jacquard/core/float_text.hpp"
#include "jacquard/nn/activations.hpp"
#include "jacquard/numpy/einsum.hpp"
#include "jacquard/numpy/random.hpp"

namespace jacquard::nn {

namespace detail {
/// x less its mean, over its standard deviation; of 16-bit floats in f32, which squares may need.
template <class Operand = operand>
constexpr array standardized(const lazy<Operand>& x, const reduction_axes& axes, double epsilon) {
  const array v = jacquard::detail::as_average(x), centred = v - mean(v, axes, keepdims);
  return centred * rsqrt(mean(centred * centred, axes, keepdims) + epsilon);
}
/// y, computed of x in its dtype of averages, in that in which x itself meets the other operands.
template <class Operand = operand>
constexpr array narrowed(const lazy<array>& y, const lazy<Operand>& x, const lazy<Operand>& scale, const lazy<Operand>& bias) {
  if (x.value.is_none() || size_of(x.value.dtype()) != 2 || !is_inexact(x.value.dtype())) return y;
  const element_type t = jacquard::detail::common_type(operand(x.value), scale);
  return jacquard::detail::as_type(y, promote(t, jacquard::detail::element_beside(bias, x)), x.where);
}
}  // namespace detail
/// x less its mean, over its standard deviation, along `axes`: (x - mean) / sqrt(var + epsilon). Of 16-bit floats computed in f32, as the next two.
template <class Operand = operand>
constexpr array standardize(const lazy<Operand>& x, const reduction_axes& axes = -1, double epsilon = 1e-5) {
  const rule_location_scope here(x.where);
  return jacquard::detail::as_type(detail::standardized(x, axes, epsilon), jacquard::detail::inexact_element(x), x.where);
}
/// standardize(x) * scale + bias, along the last axis.
template <class Operand = operand>
constexpr array layer_norm(const lazy<Operand>& x, const lazy<Operand>& scale = 1.0, const lazy<Operand>& bias = 0.0, double epsilon = 1e-5) {
  const rule_location_scope here(x.where);
  return detail::narrowed(detail::standardized(x, -1, epsilon) * scale + bias, x, scale, bias);
}
/// x / sqrt(mean(x^2) + epsilon) * scale, along the last axis (Zhang and Sennrich, 2019).
template <class Operand = operand>
constexpr array rms_norm(const lazy<Operand>& x, const lazy<Operand>& scale = 1.0, double epsilon = 1e-6) {
  const rule_location_scope here(x.where);
  const array v = jacquard::detail::as_average(x);
  return detail::narrowed(v * rsqrt(mean(v * v, -1, keepdims) + epsilon) * scale, x, scale, scale);
}

/// Running statistics of a batch normalisation, one number per feature. A tree.
struct batch_statistics {
  array mean, variance;
};
/// x normalised by the statistics of its batch, over all axes but the last, times scale, plus bias; and `running` moved towards these
/// statistics by 1 - momentum. Of 16-bit floats computed in f32.
template <class Operand = operand>
constexpr std::pair<array, batch_statistics> batch_norm(const lazy<Operand>& x, const lazy<Operand>& scale, const lazy<Operand>& bias,
                                                        const batch_statistics& running, double momentum = 0.99, double epsilon = 1e-5) {
  const rule_location_scope here(x.where);
  const array v = jacquard::detail::as_average(x);
  const reduction_axes axes = int_list::iota(v.ndim() - 1);
  const array centre = mean(v, axes), away = v - centre, spread = mean(away * away, axes);
  const array y = detail::narrowed(away * rsqrt(spread + epsilon) * scale + bias, x, scale, bias);
  const auto moved = [&](const operand& from, const array& to) {
    return detail::narrowed(momentum * from.value + (1 - momentum) * lax::stop_gradient(to), x, from, from);
  };
  return {y, {moved(running.mean, centre), moved(running.variance, spread)}};
}
/// The same by the running statistics, when nothing is learnt any more.
template <class Operand = operand>
constexpr array batch_norm_inference(const lazy<Operand>& x, const lazy<Operand>& scale, const lazy<Operand>& bias,
                                     const batch_statistics& running, double epsilon = 1e-5) {
  const rule_location_scope here(x.where);
  return (detail::inexact(x) - running.mean) * (rsqrt(running.variance + epsilon) * scale) + bias;
}

/// Each element of x set to 0 with probability `rate`, the others divided by 1 - rate. Errors: value_error for a rate outside [0, 1);
/// those of random::bernoulli for a key that is none.
template <class Operand = operand>
constexpr array dropout(const lazy<Operand>& key, const lazy<Operand>& x, double rate) {
  const rule_location_scope here(key.where);
  if (!(rate >= 0 && rate < 1)) {
    text got;
    put_float(got, rate);
    return jacquard::detail::bad_operand(x, error_kind::value, "dropout: got the rate ", got, "; wanted 0 <= rate < 1");
  }
  const array v = detail::inexact(x);
  if (rate == 0) return v;
  return where(random::bernoulli(key, 1 - rate, v.shape()), v / (1 - rate), 0.0);
}

/// Options of dot_product_attention.
struct attention_options {
  array bias{};            ///< added to the scores; broadcasts to [batch, heads, queries, keys]
  array mask{};            ///< bool, which keys a query may see; broadcasts likewise
  double scale = 0;        ///< of the scores; 0: 1 / sqrt(size of a head)
  bool is_causal = false;  ///< query i sees keys up to i only
};
/// softmax(q k^T scale + bias) v for each head. Shapes [batch, length, heads, size], or without batch; keys and values may have fewer
/// heads, each for as many neighbouring heads of queries. Scores of narrow dtypes are normalised in f32. A query that sees no key
/// attends to all evenly. Errors: shape_error.
template <class Array = array>
constexpr array dot_product_attention(const lazy<Array>& query, const lazy<Array>& key, const lazy<Array>& value,
                                      const attention_options& options = {}, location at = location::current()) {
  const rule_location_scope here(at);
  const array about[] = {query, key, value};
  if (query.ndim() == 3 && key.ndim() == 3 && value.ndim() == 3) {
    const array y = dot_product_attention(expand_dims(query, 0), expand_dims(key, 0), expand_dims(value, 0), options, at);
    return y.ndim() == 4 ? squeeze(y, 0) : y;
  }
  const shape q = query.shape(), k = key.shape();
  const bool fits = q.rank() == 4 && k.rank() == 4 && value.shape() == k && q[0] == k[0] && q[3] == k[3] && k[2] > 0 && q[2] % k[2] == 0;
  if (!fits)
    return jacquard::detail::operand_error(view<const array>(about, 3), make_error(error_kind::shape, "dot_product_attention: got shapes ", q, ", ", k, " and ",
        value.shape(), "; wanted [batch, length, heads, size] three times, keys and values alike, their heads a divisor of the queries'"), at);
  array keys = key, values = value;
  if (q[2] != k[2]) keys = repeat(key, q[2] / k[2], 2), values = repeat(value, q[2] / k[2], 2);
  const dtype t = query.dtype();
  array scores = einsum("btnh,bsnh->bnts", query, keys);
  if (size_of(t) < 4) scores = scores.astype(f32);
  scores = scores * (options.scale != 0 ? options.scale : 1 / math::sqrt(double(q[3])));
  if (!options.bias.is_none()) scores = scores + options.bias;
  const double hidden = size_of(scores.dtype()) == 8 ? -1e300 : -2e38;
  if (!options.mask.is_none()) scores = where(options.mask, scores, hidden);
  if (options.is_causal) {
    const array rows = lax::iota(i64, shape{q[1], k[1]}, 0), columns = lax::iota(i64, shape{q[1], k[1]}, 1);
    scores = where(columns <= rows, scores, hidden);
  }
  return einsum("bnts,bsnh->btnh", softmax(scores).astype(t), values);
}

}  // namespace jacquard::nn
