#pragma once
// Lanes from memory and back, where their elements lie side by side, and past the caches. Deliberately no gathers: compilers make of them
// what we write.

#include "jacquard/fixed/lanes.hpp"

namespace jacquard {
namespace detail {

/// W elements in a row as lanes, and back. Booleans are bytes in memory.
template <int W, class T>
[[gnu::always_inline]] inline lanes<T, W> load_lanes(const T* from) {
  lanes<T, W> r;
  if constexpr (std::is_same_v<T, bool>)
    for (int i = 0; i < W; ++i) r.v[i] = -std::int64_t(from[i]);
  else __builtin_memcpy(&r.v, from, sizeof r.v);
  return r;
}
template <class T, int W>
[[gnu::always_inline]] inline void store_lanes(const lanes<T, W>& x, T* to) {
  if constexpr (std::is_same_v<T, bool>)
    for (int i = 0; i < W; ++i) to[i] = x.v[i] != 0;
  else __builtin_memcpy(to, &x.v, sizeof x.v);
}

/// x, whose value the compiler cannot know. With AVX-512 g++ 12 takes {x, x, 0, 0} for {x, x, x, x} where it learns late that x is a constant.
template <class T>
[[gnu::always_inline]] inline T hidden(T x) {
#if defined(__AVX512F__) && !defined(__clang__) && !defined(__CUDACC__)
  asm("" : "+v"(x));
#endif
  return x;
}

/// Lanes that fill a cache line can be stored past the caches: nothing of the line needs to be read first.
inline constexpr std::size_t cache_line = 64;
#if defined(__AVX512F__) && !defined(__CUDACC__)
template <class L>
inline constexpr bool can_stream = sizeof(typename L::vector) == cache_line && !std::is_same_v<typename L::lane_element, bool>;
template <class T, int W>
[[gnu::always_inline]] inline void stream_lanes(const lanes<T, W>& x, T* to) {
  typedef double line __attribute__((vector_size(cache_line)));
#if defined(__clang__)
  __builtin_nontemporal_store(reinterpret_cast<line>(x.v), reinterpret_cast<line*>(to));
#else
  __builtin_ia32_movntpd512(reinterpret_cast<double*>(to), reinterpret_cast<line>(x.v));
#endif
}
inline void end_of_streams() { __builtin_ia32_sfence(); }
#else
template <class L>
inline constexpr bool can_stream = false;
inline void end_of_streams() {}
#endif

}  // namespace detail
}  // namespace jacquard
