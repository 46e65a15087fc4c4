#pragma once
// What reductions share: the type of the result, batching, and the loop over the reduced elements. Not a primitive itself.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard::detail {

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

}  // namespace jacquard::detail
