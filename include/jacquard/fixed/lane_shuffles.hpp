#pragma once
// Lanes in another order: parts of vectors, several put together, and squares that are transposed. Deliberately the compilers' own shuffles
// with constant places: they know best which instructions those are.

#include <utility>

#include "jacquard/fixed/lanes.hpp"

namespace jacquard {
namespace detail {

/// Where lane i comes from when a pair (a, b) of vectors exchanges blocks: a keeps its even blocks and takes b's even ones
/// (Upper = 0), b gets the odd ones. Lanes of b count on from W.
template <int W, int Distance, int Upper>
constexpr int exchanged(int i) {
  return (i / Distance) % 2 == 0 ? i + Upper * Distance : i + W + (Upper - 1) * Distance;
}
template <int Distance, int Upper, class V, int... I>
[[gnu::always_inline]] inline V exchange_blocks(const V& a, const V& b, std::integer_sequence<int, I...>) {
#ifdef __CUDACC__  // nvcc 13 loses the dots of a pack within the builtin
  constexpr int W = int(sizeof...(I));
  const auto lane = [&](int at) { return at < W ? a[at] : b[at - W]; };
  V r;
  ((r[I] = lane(exchanged<W, Distance, Upper>(I))), ...);
  return r;
#else
  return __builtin_shufflevector(a, b, exchanged<int(sizeof...(I)), Distance, Upper>(I)...);
#endif
}
/// Transposes a square of W x W elements held in vectors: 2 x 2 blocks of growing size are exchanged.
template <class T, int W, int Distance = W / 2>
[[gnu::always_inline]] inline void transpose_lanes(lanes<T, W>* rows) {
  if constexpr (Distance >= 1) {
    for (int block = 0; block < W; block += 2 * Distance)
      for (int i = block; i < block + Distance; ++i) {
        const auto a = rows[i].v, b = rows[i + Distance].v;
        rows[i].v = exchange_blocks<Distance, 0>(a, b, std::make_integer_sequence<int, W>{});
        rows[i + Distance].v = exchange_blocks<Distance, 1>(a, b, std::make_integer_sequence<int, W>{});
      }
    transpose_lanes<T, W, Distance / 2>(rows);
  }
}

/// Lanes First to First + sizeof...(I) - 1 of two vectors one after the other.
template <int First, class T, int W, int... I>
[[gnu::always_inline]] inline lanes<T, int(sizeof...(I))> lanes_from(const lanes<T, W>& a, const lanes<T, W>& b, std::integer_sequence<int, I...>) {
#ifdef __CUDACC__
  lanes<T, int(sizeof...(I))> r;
  ((r.v[I] = First + I < W ? a.v[First + I] : b.v[First + I - W]), ...);
  return r;
#else
  return {__builtin_shufflevector(a.v, b.v, First + I...)};
#endif
}
/// Vectors one after the other as one of W lanes.
template <int W, class T, int N>
[[gnu::always_inline]] inline lanes<T, W> joined_lanes(const lanes<T, N>* parts) {
  if constexpr (N == W) return parts[0];
  else {
    lanes<T, 2 * N> pairs[W / N / 2];
    for (int k = 0; k < W / N / 2; ++k) pairs[k] = lanes_from<0>(parts[2 * k], parts[2 * k + 1], std::make_integer_sequence<int, 2 * N>{});
    return joined_lanes<W>(pairs);
  }
}

}  // namespace detail
}  // namespace jacquard
