#pragma once
// Lanes in another order: parts of vectors, several put together, squares that are transposed, and vectors of small structs taken apart. Deliberately
// the compilers' own shuffles with constant places: they know best which instructions those are.

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
    lanes<T, 2 * N> pairs[std::size_t(W / N / 2)];
    for (int k = 0; k < W / N / 2; ++k) pairs[k] = lanes_from<0>(parts[2 * k], parts[2 * k + 1], std::make_integer_sequence<int, 2 * N>{});
    return joined_lanes<W>(pairs);
  }
}

/// The smallest number that divides `n`, which is at least 2.
constexpr int smallest_factor(int n) {
  for (int p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}
/// Where lane `l` of vector `out` comes from, counted through Count vectors of W lanes. Apart: vector k of what lies as 0 1 2 0 1 2 ... gets all k;
/// otherwise the way back.
template <int Count, bool Apart>
constexpr int dealt(int out, int l, int W) {
  return Apart ? Count * l + out : (out * W + l) % Count * W + (out * W + l) / Count;
}
/// The place, for a shuffle of what vectors before `From` gave and vector `From`, of lane `l` of vector `out`; -1 where a later one gives it.
template <int Count, bool Apart>
constexpr int dealt_from(int out, int l, int W, int From) {
  const int source = dealt<Count, Apart>(out, l, W), vector = source / W;
  return vector > From ? -1 : vector == From ? W + source % W : From == 1 ? source : l;
}
template <int Count, bool Apart, int Out, int From, class V, int... I>
[[gnu::always_inline]] inline V deal_from(const V& before, const V& next, std::integer_sequence<int, I...>) {
  constexpr int W = int(sizeof...(I));
#ifdef __CUDACC__
  V r;
  for (int l = 0; l < W; ++l) {
    const int from = dealt_from<Count, Apart>(Out, l, W, From);
    r[l] = from < W ? before[from < 0 ? 0 : from] : next[from - W];
  }
  return r;
#else
  return __builtin_shufflevector(before, next, dealt_from<Count, Apart>(Out, I, W, From)...);
#endif
}
/// Vector Out of what Count vectors hold, `step` apart from each other: one shuffle for each of them but the first.
template <int Count, bool Apart, int Out, int From = Count - 1, class T, int W>
[[gnu::always_inline]] inline lanes<T, W> deal(const lanes<T, W>* from, int step) {
  if constexpr (From == 0) return from[0];
  else {
    const lanes<T, W> before = deal<Count, Apart, Out, From - 1>(from, step);
    return {deal_from<Count, Apart, Out, From>(before.v, from[From * step].v, std::make_integer_sequence<int, W>{})};
  }
}
/// One stage of deal_columns: as many sequences as there are numbers S, each Count / sizeof...(S) vectors long, out of each other or into each other.
template <int Count, bool Apart, class T, int W, int... S>
[[gnu::always_inline]] inline void deal_sequences(lanes<T, W>* v, std::integer_sequence<int, S...>) {
  constexpr int parts = int(sizeof...(S)), each = Count / parts;
  lanes<T, W> dealt[std::size_t(Count)];
  for (int j = 0; j < each; ++j) ((dealt[Apart ? S * each + j : parts * j + S] = deal<parts, Apart, S>(v + (Apart ? parts * j : j), Apart ? 1 : each)), ...);
  for (int k = 0; k < Count; ++k) v[k] = dealt[k];
}
/// Apart: the vectors of W structs of Count elements as they lie in memory become one vector for each element, by a stage for each prime factor of Count;
/// that of element k ends at place_of_column<Count>(k). Otherwise the way back.
template <int Count, bool Apart, class T, int W>
[[gnu::always_inline]] inline void deal_columns(lanes<T, W>* v) {
  if constexpr (Count > 1) {
    constexpr int parts = smallest_factor(Count), each = Count / parts;
    constexpr auto sequences = std::make_integer_sequence<int, parts>{};
    if constexpr (Apart) deal_sequences<Count, true>(v, sequences);
    for (int s = 0; s < parts; ++s) deal_columns<each, Apart>(v + s * each);
    if constexpr (!Apart) deal_sequences<Count, false>(v, sequences);
  }
}
template <int Count>
constexpr int place_of_column(int k) {
  if constexpr (Count == 1) return 0;
  else {
    constexpr int parts = smallest_factor(Count), each = Count / parts;
    return k % parts * each + place_of_column<each>(k / parts);
  }
}
/// What a shuffle of any lanes of two vectors takes; those of squares, which exchange blocks, are one instruction everywhere.
#if defined(__AVX512F__)
inline constexpr int instructions_of_a_shuffle = 1;
#else
inline constexpr int instructions_of_a_shuffle = 2;
#endif
/// The shuffles of deal_columns.
template <int Count>
constexpr int shuffles_of_columns() {
  int r = 0;
  for (int rest = Count; rest > 1; rest /= smallest_factor(rest)) r += Count * (smallest_factor(rest) - 1);
  return r;
}

}  // namespace detail
}  // namespace jacquard
