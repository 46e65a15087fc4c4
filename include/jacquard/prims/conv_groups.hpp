#pragma once
// Convolutions rewritten as convolutions: factors of dimensions that move between batch, features and groups, which is what
// batching is and what transposes of grouped convolutions need. Not a primitive itself.

#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/conv_type.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard::detail {

/// A place within the elements of an array: in dimension `dim`, below its `outer` outermost indices.
struct factor_place {
  int dim;
  std::int64_t outer;
};

/// `x`, whose elements are those of an array of shape `own`, with a factor of size n moved from one dimension of that into another
/// one, reshaped to `dims`.
template <class Array = array>
constexpr array with_factor_moved(const lazy<Array>& x, const shape& own, factor_place from, factor_place to, std::int64_t n,
                                  const shape& dims) {
  const auto product = [&](int first, int last) {
    std::int64_t r = 1;
    for (int d = first; d < last; ++d) r *= own[d];
    return r;
  };
  if (n == 1 || x.size() == 0) return lax::reshape(x, dims);
  const bool back = from.dim < to.dim;
  const factor_place &first = back ? from : to, &second = back ? to : from;
  const std::int64_t before = product(0, first.dim) * first.outer;
  const std::int64_t between = own[first.dim] / (back ? first.outer * n : first.outer) * product(first.dim + 1, second.dim) * second.outer;
  if (between == 1) return lax::reshape(x, dims);
  int_list sizes, order;
  int factor = 0, target = 0;
  for (int d = 0; d < own.rank(); ++d) {
    const std::int64_t outer = d == from.dim ? from.outer : d == to.dim ? to.outer : 1;
    if (outer != 1) sizes.push_back(outer);
    if (d == from.dim) factor = sizes.size(), sizes.push_back(n);
    if (d == to.dim) target = sizes.size();
    const std::int64_t rest = own[d] / (d == from.dim ? outer * n : outer);
    if (d != from.dim || rest != 1) sizes.push_back(rest);
  }
  for (int d = 0; d < sizes.size(); ++d) {
    if (d == target) order.push_back(factor);
    if (d != factor) order.push_back(d);
  }
  if (sizes.overflowed()) {  // all that moves alike in one piece
    const std::int64_t after = x.size() / (before * n * between);
    sizes = back ? int_list{before, n, between, after} : int_list{before, between, n, after};
    order = {0, 2, 1, 3};
  }
  return lax::reshape(lax::transpose(lax::reshape(x, shape(sizes)), order), dims);
}

/// `x` with the outermost factor of size n of one dimension moved into another dimension, `outer` = 1 at both places.
template <class Array = array>
constexpr array regroup(const lazy<Array>& x, factor_place from, factor_place to, std::int64_t n) {
  if (n == 1) return x;
  shape dims = x.shape();
  dims[from.dim] /= n;
  dims[to.dim] *= n;
  return with_factor_moved(x, x.shape(), from, to, n, dims);
}
/// `x` without dimension `from`, which becomes a factor of another dimension `to` (counted without it), below `groups` groups.
template <class Array = array>
constexpr array folded(const lazy<Array>& x, int from, int to, std::int64_t groups) {
  shape dims(x.shape().without(from));
  const std::int64_t n = x.shape()[from];
  dims[to] *= n;
  return with_factor_moved(x, x.shape(), {from, 1}, {to < from ? to : to + 1, groups}, n, dims);
}
/// The inverse: the factor of size n of dimension `from`, below its groups, as a dimension before it.
template <class Array = array>
constexpr array unfolded(const lazy<Array>& x, int from, std::int64_t groups, std::int64_t n) {
  shape dims = x.shape();
  dims[from] /= n;
  return with_factor_moved(x, shape(x.shape().with(from, 1)), {from + 1, groups}, {from, 1}, n, shape(dims.with(from, n)));
}

/// The first two places of dimension numbers exchanged.
constexpr int_list exchanged(int_list spec) {
  const std::int64_t first = spec[0];
  spec[0] = spec[1];
  spec[1] = first;
  return spec;
}
/// The convolution of the cotangent with the reversed filter: output feature and input feature of the filter change places.
constexpr conv_params params_of_lhs_transpose(const conv_params& p, const shape& x, const shape& k) {
  conv_params q{};
  q.lhs_spec = p.out_spec;
  q.rhs_spec = exchanged(p.rhs_spec);
  q.out_spec = p.lhs_spec;
  q.feature_group_count = p.feature_group_count * p.batch_group_count;
  q.batch_group_count = 1;
  for (int d = 0; d < p.spatial(); ++d) add_window(q, window_of(p, x, k, d).transposed());
  return q;
}
/// The convolution of the operand with the cotangent: batch and features of all three change places.
constexpr conv_params params_of_rhs_transpose(const conv_params& p, const shape& x, const shape& k) {
  conv_params q{};
  q.lhs_spec = exchanged(p.lhs_spec);
  q.rhs_spec = exchanged(p.out_spec);
  q.out_spec = exchanged(p.rhs_spec);
  q.feature_group_count = p.batch_group_count;
  q.batch_group_count = p.feature_group_count;
  for (int d = 0; d < p.spatial(); ++d) add_window(q, window_of(p, x, k, d).transposed_to_taps());
  return q;
}

/// No examples: zeros of the type that one would have.
template <class P>
constexpr batched batch_of_nothing(auto& c, const conv_params& p) {
  aval in[2];
  for (int k = 0; k < 2; ++k) {
    in[k] = c.x[std::size_t(k)].aval();
    if (c.dims[std::size_t(k)] != not_mapped) in[k].dims = shape(in[k].dims.without(c.dims[std::size_t(k)]));
  }
  inference one{P::name, view<const aval>(in, 2), c.params};
  const aval type = conv_type(one, p, P::domain);
  return {lax::zeros(type.with(shape(type.dims.with(0, 0)))), 0};
}

/// The mapped dimension becomes part of the batch of the convolution, of its output features, or of its groups.
template <class P>
constexpr batched batch_convolution(auto& c, const conv_params& p) {
  const int dx = c.dims[0], dk = c.dims[1];
  const std::int64_t n = c.size, groups = p.feature_group_count * p.batch_group_count;
  conv_params q = p;
  if (n == 0) return batch_of_nothing<P>(c, p);
  const int batch = int(p.out_spec[0]), feature = int(p.out_spec[1]);
  if (dk == not_mapped) {
    const array x = folded(c.x[0], dx, int(p.lhs_spec[0]), p.batch_group_count);
    return {unfolded(bind<P>(q, location{}, x, c.x[1]), batch, 1, n), batch};
  }
  if (dx == not_mapped) {
    const array k = folded(c.x[1], dk, int(p.rhs_spec[0]), groups);
    return {unfolded(bind<P>(q, location{}, c.x[0], k), feature, groups, n), feature};
  }
  const bool by_batch = p.batch_group_count > 1;
  (by_batch ? q.batch_group_count : q.feature_group_count) *= n;
  const array x = folded(c.x[0], dx, int(p.lhs_spec[by_batch ? 0 : 1]), 1), k = folded(c.x[1], dk, int(p.rhs_spec[0]), 1);
  return {unfolded(bind<P>(q, location{}, x, k), feature, 1, n), feature};
}

}  // namespace jacquard::detail
