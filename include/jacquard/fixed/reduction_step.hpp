#pragma once
// Reductions of large arrays of doubles to one number: the primitive's own kernel on vector lanes, one partial result per lane,
// and then on those. Deliberately only where the primitive says that order does not matter.

#include <limits>

#include "jacquard/core/kernel.hpp"
#include "jacquard/fixed/lanes.hpp"
#include "jacquard/fixed/tensor.hpp"

template <class T, int W>
class std::numeric_limits<jacquard::lanes<T, W>> {
 public:
  static constexpr bool is_specialized = true, has_infinity = std::numeric_limits<T>::has_infinity;
  static jacquard::lanes<T, W> infinity() { return jacquard::lanes<T, W>(std::numeric_limits<T>::infinity()); }
};

namespace jacquard {
namespace detail {

/// The reduction of the n elements at x by the kernel of P.
template <class P, class T, class Params>
JACQUARD_INLINE inline T reduce_row(const T* x, std::size_t n, const Params& p) {
  T r;
  const aval in(f64, {std::int64_t(n)}), out(f64, {});
  const T* operands[] = {x};
  const std::int64_t* no_indices[] = {nullptr};
  T* results[] = {&r};
  std::int64_t* no_results[] = {nullptr};
  P::kernel(kernel_args<T>{operands, no_indices, results, no_results, view<const aval>(&in, 1), view<const aval>(&out, 1)}, p);
  return r;
}

/// All N elements at x, N large. `p` are the parameters of the reduction of a row.
template <class P, std::size_t N, class Params>
inline double reduce_in_lanes(const double* x, const Params& p) {
  constexpr int W = preferred_lanes;
  constexpr std::size_t in_chunk = 512, rows = N / W, chunks = (rows + in_chunk - 1) / in_chunk, rest = N % W;
  using row = lanes<double, W>;
  std::array<row, chunks> partial;
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::size_t first = c * in_chunk, count = rows - first < in_chunk ? rows - first : in_chunk;
    std::array<row, in_chunk> chunk;  // the elements need not be aligned as rows are
    __builtin_memcpy(chunk.data(), x + first * W, count * sizeof(row));
    partial[c] = reduce_row<P>(chunk.data(), count, p);
  }
  const row total = reduce_row<P>(partial.data(), chunks, p);
  std::array<double, std::size_t(W) + rest> last;
  for (std::size_t i = 0; i < std::size_t(W); ++i) last[i] = total[int(i)];
  for (std::size_t i = 0; i < rest; ++i) last[std::size_t(W) + i] = x[rows * std::size_t(W) + i];
  return reduce_row<P>(last.data(), last.size(), p);
}

}  // namespace detail
}  // namespace jacquard
