#pragma once
// Loops over windows that look at all elements of a window at once: lines of windows in vectors, with the results of one window after the
// other, to the bit. Deliberately without an operation; what is done with windows is in window_combination and select_and_gather_add, and
// where their taps lie in window_places.

#include <type_traits>
#include <utility>

#include "jacquard/core/math.hpp"
#include "jacquard/core/wide_vectors.hpp"
#include "jacquard/prims/window_places.hpp"

namespace jacquard::detail {

/// A line of windows on an operand: the taps of window i are at x + i * step + offsets. `place` is where x is in the operand, `first` the
/// number of the first window. No element at or after `reach` is in a window up to the last of these.
template <class T>
struct window_line {
  const T* x;
  view<const std::int64_t> offsets;
  std::int64_t length, step, place, first, reach;
  constexpr const T& tap(std::int64_t i, std::size_t t) const { return x[i * step + offsets[t]]; }
};

/// Calls f(line) for all windows of an operand.
template <class T, class F>
constexpr void for_each_line(window_places& rows, const T* x, std::int64_t windows, const F& f) {
  for (std::int64_t o = 0; o < windows; rows.advance()) {
    const std::int64_t reach = rows.reach();
    for (const window_places::taps& taps : rows.here()) {
      const view<const std::int64_t> offsets = rows.offsets(taps);
      std::int64_t place = rows.base() + taps.place;
      for (std::int64_t l = 0; l < taps.lines; ++l, place += taps.shift, o += taps.length)
        f(window_line<T>{x + place, offsets, taps.length, taps.step, place, o, reach});
    }
  }
}

#ifndef __CUDACC__  // nvcc 13 does not compare vectors of numbers of a template's type
/// Vectors of `Bytes` bytes: numbers, the same anywhere in memory, and whole numbers of the same size.
template <class T, int Bytes>
struct line_types {
  using number = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T values __attribute__((vector_size(Bytes)));
  typedef T memory __attribute__((vector_size(Bytes), aligned(alignof(T)), may_alias));
  typedef number numbers __attribute__((vector_size(Bytes)));
  static constexpr std::int64_t width = Bytes / sizeof(T);
};
/// Arithmetic on them. A function for each kind of processor, since g++ takes vectors to pieces before it inlines; by reference, since
/// registers for vectors differ, too.
template <class T, int Bytes>
struct line_arithmetic;
#define JACQUARD_LINE_ARITHMETIC(bytes, kind, held)                                                                                            \
  template <class T>                                                                                                                           \
  struct line_arithmetic<T, bytes> : line_types<T, bytes> {                                                                                    \
    using typename line_types<T, bytes>::values, typename line_types<T, bytes>::memory;                                                        \
    using typename line_types<T, bytes>::number, typename line_types<T, bytes>::numbers;                                                       \
    /* x is in a register from here on: g++ reads it from memory for each use */                                                               \
    kind static void hold(values& x) { held; }                                                                                                 \
    kind static void fill(values& to, T x) { to = x - values{}; }                                                                              \
    kind static void add(values& to, const values& a, const values& b) { to = a + b; }                                                         \
    kind static void max(values& to, const values& a, const values& b) {                                                                       \
      const values larger = a > b ? a : b;                                                                                                     \
      to = a != a ? a : larger;                                                                                                                \
    }                                                                                                                                          \
    kind static void min(values& to, const values& a, const values& b) {                                                                       \
      const values smaller = a < b ? a : b;                                                                                                    \
      to = a != a ? a : smaller;                                                                                                               \
    }                                                                                                                                          \
    /* the same of numbers that are not NaN, in one instruction each */                                                                        \
    kind static void larger(values& to, const values& a, const values& b) { to = a > b ? a : b; }                                              \
    kind static void smaller(values& to, const values& a, const values& b) { to = a < b ? a : b; }                                             \
    kind static bool has_nan(const values& v) {                                                                                                \
      const numbers nan = v != v;                                                                                                              \
      number any = 0;                                                                                                                          \
      for (int i = 0; i < line_types<T, bytes>::width; ++i) any |= nan[i];                                                                     \
      return any != 0;                                                                                                                         \
    }                                                                                                                                          \
    /* v and its number become the best, where it is larger (smaller), or the first NaN */                                                     \
    kind static void prefer_larger(values& best, numbers& which, const values& v, number n) {                                                  \
      const numbers better = ~(v <= best) & (best == best);                                                                                    \
      best = better ? v : best, which = better ? numbers{} + n : which;                                                                        \
    }                                                                                                                                          \
    kind static void prefer_smaller(values& best, numbers& which, const values& v, number n) {                                                 \
      const numbers better = ~(v >= best) & (best == best);                                                                                    \
      best = better ? v : best, which = better ? numbers{} + n : which;                                                                        \
    }                                                                                                                                          \
    kind static void put_where(values& to, const numbers& which, number n, const values& v) { to = which == n ? v : to; }                      \
    /* the first of each two, and the second, of `low` and `high`, which follows it; or, of the first alone, has the last ones in `high` */     \
    template <std::size_t... I>                                                                                                                \
    kind static void evens(values& to, const memory& low, const memory& high, std::index_sequence<I...>) {                                     \
      to = __builtin_shufflevector(low, high, (2 * I < sizeof...(I) ? 2 * I : 2 * I + 1)...);                                                  \
    }                                                                                                                                          \
    template <std::size_t... I>                                                                                                                \
    kind static void evens_and_odds(values& even, values& odd, const memory& low, const memory& high, std::index_sequence<I...>) {             \
      const values first = low, second = high;                                                                                                 \
      even = __builtin_shufflevector(first, second, (2 * I)...), odd = __builtin_shufflevector(first, second, (2 * I + 1)...);                 \
    }                                                                                                                                          \
    /* each element twice, or followed by a zero */                                                                                            \
    template <std::size_t... I>                                                                                                                \
    kind static void twice(values& low, values& high, const values& x, std::index_sequence<I...>) {                                            \
      low = __builtin_shufflevector(x, x, (I / 2)...), high = __builtin_shufflevector(x, x, ((sizeof...(I) + I) / 2)...);                      \
    }                                                                                                                                          \
    template <std::size_t... I>                                                                                                                \
    kind static void apart(values& low, values& high, const values& x, std::index_sequence<I...>) {                                            \
      low = __builtin_shufflevector(x, values{}, (I % 2 == 0 ? I / 2 : sizeof...(I))...);                                                      \
      high = __builtin_shufflevector(x, values{}, (I % 2 == 0 ? (sizeof...(I) + I) / 2 : sizeof...(I))...);                                    \
    }                                                                                                                                          \
    template <std::size_t... I>                                                                                                                \
    kind static void drop(values& x, number n, std::index_sequence<I...>) {                                                                    \
      x = numbers{number(I)...} < n ? values{} : x;                                                                                            \
    }                                                                                                                                          \
  };
#if defined(__x86_64__)
JACQUARD_LINE_ARITHMETIC(32, [[gnu::target("avx2")]], asm("" : "+v"(x)))
JACQUARD_LINE_ARITHMETIC(64, [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]], asm("" : "+v"(x)))
#else
JACQUARD_LINE_ARITHMETIC(16, , static_cast<void>(x))
#endif
#undef JACQUARD_LINE_ARITHMETIC

/// Numbers of as many windows of a line as a vector holds: what math::add, max and min take. It says how it is copied, so that it is
/// passed in memory everywhere.
template <class T, int Bytes>
struct line_vector {
  using lane_element = T;
  using arithmetic = line_arithmetic<T, Bytes>;
  using number = typename arithmetic::number;
  static constexpr std::int64_t width = arithmetic::width;
  using places = std::make_index_sequence<std::size_t(width)>;

  typename arithmetic::values v{};

  line_vector() = default;
  line_vector(const line_vector& x) : v(x.v) {}
  line_vector& operator=(const line_vector& x) {
    v = x.v;
    return *this;
  }
  explicit line_vector(T x) { arithmetic::fill(v, x); }
  /// Those that lie `Step` apart, 1 or 2 elements. Reads nothing beyond the last one.
  template <int Step>
  static line_vector load(const T* x) {
    line_vector r;
    if constexpr (Step == 1) r.v = at(x);
    else arithmetic::evens(r.v, at(x), at(x + width - 1), places{});
    return r;
  }
  /// Those from x and from x + 1 on, 2 elements apart.
  static void load_two(const T* x, line_vector& even, line_vector& odd) {
    arithmetic::evens_and_odds(even.v, odd.v, at(x), at(x + width), places{});
  }
  /// Each element twice, in two vectors, or followed by a zero.
  void twice(line_vector& low, line_vector& high) const { arithmetic::twice(low.v, high.v, v, places{}); }
  void apart(line_vector& low, line_vector& high) const { arithmetic::apart(low.v, high.v, v, places{}); }
  /// The first n become zeros.
  void drop(std::int64_t n) { arithmetic::drop(v, number(n), places{}); }
  void store(T* x) const { *static_cast<typename arithmetic::memory*>(static_cast<void*>(x)) = v; }

  bool is_certain() const { return true; }

  static line_vector add(const line_vector& a, const line_vector& b) {
    line_vector r;
    arithmetic::add(r.v, a.v, b.v);
    return r;
  }
  static line_vector max(const line_vector& a, const line_vector& b) {
    line_vector r;
    arithmetic::max(r.v, a.v, b.v);
    return r;
  }
  static line_vector min(const line_vector& a, const line_vector& b) {
    line_vector r;
    arithmetic::min(r.v, a.v, b.v);
    return r;
  }

 private:
  static const typename arithmetic::memory& at(const T* x) { return *static_cast<const typename arithmetic::memory*>(static_cast<const void*>(x)); }
};
/// Largest and smallest numbers as if none were NaN, and a sum of all that is NaN if one is. It may be NaN without, of infinities.
template <class T, int Bytes>
struct guessed_vector {
  using lane_element = T;
  using vector = line_vector<T, Bytes>;
  using arithmetic = typename vector::arithmetic;
  static constexpr std::int64_t width = vector::width;
  vector best, sum;

  guessed_vector() = default;
  explicit guessed_vector(T x) : best(x) {}
  explicit guessed_vector(const vector& x) : best(x), sum(x) {}
  template <int Step>
  static guessed_vector load(const T* x) {
    vector r = vector::template load<Step>(x);
    arithmetic::hold(r.v);
    return guessed_vector(r);
  }
  static void load_two(const T* x, guessed_vector& even, guessed_vector& odd) {
    vector::load_two(x, even.best, odd.best);
    even.sum = even.best, odd.sum = odd.best;
  }
  void store(T* x) const { best.store(x); }
  bool is_certain() const { return !arithmetic::has_nan(sum.v); }
  static guessed_vector max(const guessed_vector& a, const guessed_vector& b) {
    guessed_vector r(a);
    arithmetic::larger(r.best.v, a.best.v, b.best.v), arithmetic::add(r.sum.v, a.sum.v, b.sum.v);
    return r;
  }
  static guessed_vector min(const guessed_vector& a, const guessed_vector& b) {
    guessed_vector r(a);
    arithmetic::smaller(r.best.v, a.best.v, b.best.v), arithmetic::add(r.sum.v, a.sum.v, b.sum.v);
    return r;
  }
};
#else
template <class T, int Bytes>
struct line_vector;  // windows are looked at one by one
template <class T, int Bytes>
struct guessed_vector;
#endif

/// Calls f, which takes a constant step, with that of a line.
template <class F>
void with_constant_step(std::int64_t step, const F& f) {
  if (step == 1) f(std::integral_constant<int, 1>{});
  else f(std::integral_constant<int, 2>{});
}

/// Whether the windows of a line are visited in vectors.
template <class Vector, class T>
bool in_vectors(const window_line<T>& line) {
  return line.step <= 2 && line.length >= Vector::width;
}

/// Sums to which windows add, all windows in order: zeros of an operand, written little before they are needed.
template <class T>
struct window_sums {
  T* out;
  std::int64_t filled = 0;
  bool overlap = false;  ///< some element may be in two windows
  bool covered = true;   ///< each is in one

  constexpr window_sums(const std::vector<window_dim>& windows, T* to) : out(to) {
    for (const window_dim& w : windows) {
      overlap = overlap || w.dilated_taps() > w.stride;
      covered = covered && w.taps == w.stride && w.tap_dilation == 1 && w.dilation == 1 && w.low == 0 && w.out * w.stride == w.size;
    }
  }
  constexpr void fill(std::int64_t end) {
    for (; filled < end; ++filled) out[filled] = T(0);
  }
};

#if defined(__x86_64__) && !defined(__CUDACC__)
template <class Work>
[[gnu::target("avx2"), gnu::flatten]] void run_on_v3(const Work& work) {
  work.template run<32>();
}
template <class Work>
[[gnu::target("avx512f,avx512vl,avx512dq,avx512bw"), gnu::flatten]] void run_on_v4(const Work& work) {
  work.template run<64>();
}
#endif
/// Calls work.run<Bytes>(), for numbers of type T, with the size of the vectors of this processor.
template <class T, class Work>
constexpr void run_by_vectors(const Work& work) {
#if defined(__x86_64__) && !defined(__CUDACC__)
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::is_constant_evaluated()) {
      if (has_widest_vectors()) return run_on_v4(work);
      if (has_wide_vectors()) return run_on_v3(work);
    }
  }
#endif
  work.template run<0>();
}

}  // namespace jacquard::detail
