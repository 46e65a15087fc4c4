#pragma once
// Loops in vectors of 32 bytes where the processor has them, whatever the flags of the build: a compiler makes vectors of most loops, but for any
// x86-64 of 16 bytes. Deliberately without fused products and sums, which would change results, and without instructions of its own.

#include <cstdint>
#include <type_traits>

namespace jacquard::detail {

#if defined(__x86_64__)
inline bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
/// Those of 64 bytes, with all that AVX-512 has for numbers of any size.
inline bool has_widest_vectors() {
  static const bool has =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return has;
}
#endif
#if defined(__x86_64__) && !defined(__CUDACC__)
template <class F>
[[gnu::target("avx2"), gnu::flatten, gnu::noinline]] void run_in_wide_vectors(const F& f) {
  f();
}
#endif

#if defined(__x86_64__) && !defined(__CUDACC__)
/// Calls piece(bytes, vectors, c) for all columns of a matrix, from c on so many vectors of `bytes` of T side by side, `NarrowTogether` or two of the
/// widest while there are as many, both as std::integral_constant; the last vector has some columns once more where they are no whole vectors. Else, where this
/// processor has no such vectors or the columns do not fill one, false.
template <class T, int NarrowTogether, class Piece>
bool by_columns(std::int64_t columns, const Piece& piece) {
  const auto all = [&]<int Bytes, int Together>(std::integral_constant<int, Bytes> bytes, std::integral_constant<int, Together> together) {
    constexpr std::int64_t width = Bytes / std::int64_t(sizeof(T));
    constexpr std::integral_constant<int, 1> alone;
    if (columns < width) return false;
    std::int64_t c = 0;
    for (; c + Together * width <= columns; c += Together * width) piece(bytes, together, c);
    for (; c + width <= columns; c += width) piece(bytes, alone, c);
    if (c < columns) piece(bytes, alone, columns - width);
    return true;
  };
  if (has_widest_vectors()) return all(std::integral_constant<int, 64>(), std::integral_constant<int, 2>());
  return has_wide_vectors() && all(std::integral_constant<int, 32>(), std::integral_constant<int, NarrowTogether>());
}
#endif

/// Calls f.
template <class F>
constexpr void in_wide_vectors(const F& f) {
#if defined(__x86_64__) && !defined(__CUDACC__)
  if (!std::is_constant_evaluated() && has_wide_vectors()) return run_in_wide_vectors(f);
#endif
  f();
}

}  // namespace jacquard::detail
