#pragma once
// Steps that batching rules share: adding a batch dimension and lining up operands. Not primitives; written with transpose
// and broadcast only.

#include "jacquard/prims/broadcast.hpp"

namespace jacquard::detail {

/// `x` with a new leading dimension of `size` copies.
template <class Array = array>
constexpr array batch_broadcast(const lazy<Array>& x, std::int64_t size) {
  const shape s = x.shape();
  int_list positions;
  for (int d = 0; d < s.rank(); ++d) positions.push_back(d + 1);
  return lax::broadcast_in_dim(x, shape(s.with(0, size)), positions, location{});
}
/// `x` with its batch dimension first, made by broadcasting if it has none.
template <class Array = array>
constexpr array batch_materialise(const lazy<Array>& x, int dim, std::int64_t size) {
  if (dim == not_mapped) return batch_broadcast(x, size);
  return move_axis(x, dim, 0);
}

constexpr void align_batch(const auto& c, std::vector<array>& operands) {
  operands.reserve(c.x.size());
  int rank = 0;  // of one example
  for (std::size_t k = 0; k < c.x.size(); ++k)
    rank = std::max(rank, c.x[k].ndim() - (c.dims[k] == not_mapped ? 0 : 1));
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    auto x = batch_to_front(c.x[k], c.dims[k]);
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

}  // namespace jacquard::detail
