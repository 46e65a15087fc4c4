#pragma once
// Loops in vectors of 32 bytes where the processor has them, whatever the flags of the build: a compiler makes vectors of most loops, but for any
// x86-64 of 16 bytes. Deliberately without fused products and sums, which would change results, and without instructions of its own.

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

/// Calls f.
template <class F>
constexpr void in_wide_vectors(const F& f) {
#if defined(__x86_64__) && !defined(__CUDACC__)
  if (!std::is_constant_evaluated() && has_wide_vectors()) return run_in_wide_vectors(f);
#endif
  f();
}

}  // namespace jacquard::detail
