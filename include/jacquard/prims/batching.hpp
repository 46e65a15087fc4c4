#pragma once
// Steps that batching rules and reductions share: moving the batch dimension, lining up operands, reducing along axes.
// Not primitives; written with reshape, transpose and broadcast only.

#include <algorithm>

#include "jacquard/core/bind.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard {

namespace lax {
constexpr array broadcast_in_dim(const array& x, const shape& dims, const int_list& positions, location where);
constexpr array transpose(const array& x, const int_list& permutation, location where = location::current());
}  // namespace lax

namespace detail {

/// `x` with dimension `from` moved to position `to`.
constexpr array move_axis(const array& x, int from, int to) {
  if (from == to) return x;
  int_list order;
  for (int d = 0; d < x.ndim(); ++d)
    if (d != from) order.push_back(d);
  return lax::transpose(x, order.with(to, from));
}
/// `x` with its batch dimension first; unmapped operands unchanged.
constexpr array batch_to_front(const array& x, int dim) {
  if (dim == not_mapped) return x;  // not `?:`, whose result g++ 12 destroys twice in constant evaluation
  return move_axis(x, dim, 0);
}

/// `x` with a new leading dimension of `size` copies.
constexpr array batch_broadcast(const array& x, std::int64_t size) {
  const shape s = x.shape();
  int_list positions;
  for (int d = 0; d < s.rank(); ++d) positions.push_back(d + 1);
  return lax::broadcast_in_dim(x, shape(s.with(0, size)), positions, location{});
}
/// `x` with its batch dimension first, made by broadcasting if it has none.
constexpr array batch_materialise(const array& x, int dim, std::int64_t size) {
  if (dim == not_mapped) return batch_broadcast(x, size);
  return move_axis(x, dim, 0);
}

constexpr void align_batch(const batch_call& c, std::vector<array>& operands) {
  int rank = 0;  // of one example
  for (std::size_t k = 0; k < c.x.size(); ++k)
    rank = std::max(rank, c.x[k].ndim() - (c.dims[k] == not_mapped ? 0 : 1));
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    array x = batch_to_front(c.x[k], c.dims[k]);
    const int own = x.ndim() - (c.dims[k] == not_mapped ? 0 : 1);
    if (c.dims[k] == not_mapped && own > 0) x = batch_broadcast(x, c.size);
    if (c.dims[k] != not_mapped && own < rank) {  // a batched scalar meets arrays: repeat it along them
      for (std::size_t j = 0; j < c.x.size(); ++j) {
        if (c.x[j].ndim() - (c.dims[j] == not_mapped ? 0 : 1) != rank) continue;
        shape full = c.x[j].shape();
        if (c.dims[j] != not_mapped) full = shape(full.without(c.dims[j]));
        x = lax::broadcast_in_dim(x, shape(full.with(0, c.size)), {0}, location{});
        break;
      }
    }
    operands.push_back(x);
  }
}

/// Type of a reduction of c.in[0] over `axes`, which must be in range and distinct.
constexpr aval reduced_type(inference& c, const int_list& axes) {
  const aval& x = c.in[0];
  shape out;
  for (int i = 0; i < axes.size(); ++i) {
    bool repeated = false;
    for (int j = 0; j < i; ++j) repeated = repeated || axes[j] == axes[i];
    if (axes[i] < 0 || axes[i] >= x.rank() || repeated)
      return c.fail(error_kind::shape, ": got axes ", axes, " for an operand of shape ", x.dims,
                    "; wanted distinct axes in [0, ", x.rank(), ")");
  }
  for (int d = 0; d < x.rank(); ++d)
    if (!axes.contains(d)) out.push_back(x.dims[d]);
  return x.with(out);
}

/// Batches a reduction over `axes` given as a function of (operand, axes).
template <class Reduce>
constexpr batched batch_reduction(const batch_call& c, const int_list& axes, Reduce&& reduce) {
  int_list shifted;
  int out = c.dims[0];
  for (std::int64_t a : axes) {
    shifted.push_back(a >= c.dims[0] ? a + 1 : a);
    if (a < c.dims[0]) --out;
  }
  return {reduce(c.x[0], shifted), out};
}

/// out[o] = combine over the reduced axes, starting from `initial`, in row-major order.
template <class Accumulator, class T, class Combine>
constexpr void reduce_kernel(const kernel_args<T>& a, const int_list& axes, Accumulator initial, Combine&& combine) {
  const shape& from = a.in_types[0].dims;
  const int_list dense = from.strides();
  shape outer, inner;
  int_list outer_strides, inner_strides;
  for (int d = 0; d < from.rank(); ++d) {
    if (axes.contains(d)) inner.push_back(from[d]), inner_strides.push_back(dense[d]);
    else outer.push_back(from[d]), outer_strides.push_back(dense[d]);
  }
  const int_list zero = int_list::filled(inner.rank(), 0);
  for_each_pair(outer, outer.strides(), 0, outer_strides, 0, [&](std::int64_t o, std::int64_t base) {
    Accumulator s = initial;
    for_each_pair(inner, zero, 0, inner_strides, base, [&](std::int64_t, std::int64_t i) { s = combine(s, a.in[0][i]); });
    a.out[0][o] = T(s);
  });
}

}  // namespace detail
}  // namespace jacquard
