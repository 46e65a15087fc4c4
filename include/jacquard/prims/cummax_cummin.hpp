#pragma once
// cummax and cummin: running extremes along an axis, forwards or backwards. One family: they share everything but the comparison.

#include <cstring>
#include <type_traits>

#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/linear_recurrence.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace detail {

#if defined(__x86_64__) && !defined(__CUDACC__)
/// The extremes so far of columns side by side, of n rows that are `step` elements apart, a vector of `Bytes` of each at a time. What compilers lower
/// before they inline it needs a function for each size. x and y may be the same.
#define JACQUARD_RUNNING_EXTREMES(Bytes, target)                                                                                            \
  template <bool Smallest, int Vectors, class T>                                                                                            \
  target void running_extremes(std::integral_constant<int, Bytes>, const T* x, std::int64_t n, std::int64_t step, T* y) {                   \
    typedef T values __attribute__((vector_size(Bytes)));                                                                                   \
    values best[Vectors];                                                                                                                   \
    std::memcpy(best, x, sizeof best);                                                                                                      \
    std::memcpy(y, best, sizeof best);                                                                                                      \
    for (std::int64_t r = 1; r < n; ++r) {                                                                                                  \
      x += step, y += step;                                                                                                                 \
      for (int k = 0; k < Vectors; ++k) {                                                                                                   \
        values a;                                                                                                                           \
        std::memcpy(&a, x + k * (Bytes / int(sizeof(T))), Bytes);                                                                           \
        if constexpr (Smallest) a = best[k] < a ? best[k] : a;                                                                              \
        else a = best[k] > a ? best[k] : a;                                                                                                 \
        best[k] = best[k] != best[k] ? best[k] : a; /* as math::max has it */                                                               \
        std::memcpy(y + k * (Bytes / int(sizeof(T))), &best[k], Bytes);                                                                     \
      }                                                                                                                                     \
    }                                                                                                                                       \
  }
JACQUARD_RUNNING_EXTREMES(32, [[gnu::target("avx2")]])
JACQUARD_RUNNING_EXTREMES(64, [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]])
#undef JACQUARD_RUNNING_EXTREMES
#endif

/// What the two share. P::choose is the scalar function, P::stays whether the extreme before stays, element by element.
template <class P>
struct running_extreme : cumulative<P, ordered> {
  using params = cumulative_params;

  /// dy_i = w_i dy_(i-1) + (1 - w_i) t_i; w is 1 where the extreme stays, 1/2 where the element equals it. Nothing equals the NaN
  /// before the first element.
  static constexpr array jvp(const auto& t, const auto& x, const auto& y, const params& p) {
    const array before = moved_on(y, p, std::numeric_limits<double>::quiet_NaN());
    const auto number = [&](const array& b) { return lax::convert_element_type(b, x.dtype(), x.weak_type()); };
    const array half(literal(0.5, x.dtype(), x.weak_type())), one(literal(1.0, x.dtype(), x.weak_type()));
    const array stays = number(P::stays(x, before)), ties = lax::mul(half, number(lax::eq(x, before)));
    const array weight = lax::add(stays, ties);
    return lax::linear_recurrence(weight, lax::mul(lax::sub(one, weight), t), p.axis, p.reverse);
  }
  static constexpr literal neutral(const aval& t) { return extreme_literal(t, P::finds_smallest); }
  template <class T>
  using state = T;
  template <class T>
  static constexpr T begin(T x) {
    return x;
  }
  template <class T>
  static constexpr void advance(T& extreme, T x) {
    // NaN stays. As a branch, which is foreseen, it is none of what the next element waits for.
    if (__builtin_expect_with_probability(extreme == extreme, 1, 0.999)) extreme = P::choose(extreme, x);
  }
  /// The same without a branch, for vectors of rows.
  template <class T>
  static constexpr void advance_beside(T& extreme, T x) {
    extreme = P::choose(extreme, x);
  }
  static constexpr auto value(const auto& extreme) { return extreme; }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& dims = a.in_types[0].dims;
    std::int64_t inner = 1;
    for (int d = int(p.axis) + 1; d < dims.rank(); ++d) inner *= dims[d];
    const std::int64_t all = dims.elements(), n = dims[int(p.axis)];
    if (all != 0 && inner > 1 && runs_by_vectors(a.in[0], all / (n * inner), n, inner, p.reverse, a.out[0])) return;
    cumulative<P, ordered>::template kernel<T>(a, p);
  }

 private:
  /// Bytes of a matrix up to which columns are worth their way through its rows: larger ones are read in the order of memory, in longer pieces.
  static constexpr std::int64_t near = 1 << 20;
  /// All columns of so many matrices (n, inner), where this processor has vectors of their elements and keeps a matrix near; else nothing is done.
  template <class T>
  static constexpr bool runs_by_vectors(const T* x, std::int64_t matrices, std::int64_t n, std::int64_t inner, bool reverse, T* y) {
#if defined(__x86_64__) && !defined(__CUDACC__)
    if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
      if (std::is_constant_evaluated() || n * inner * std::int64_t(sizeof(T)) > near) return false;
      const std::int64_t start = reverse ? (n - 1) * inner : 0, step = reverse ? -inner : inner;
      for (std::int64_t m = 0; m < matrices; ++m) {
        const std::int64_t first = m * n * inner + start;
        const auto piece = [&](auto bytes, auto vectors, std::int64_t c) {
          running_extremes<P::finds_smallest, decltype(vectors)::value>(bytes, x + first + c, n, step, y + first + c);
        };
        if (!by_columns<T, 2>(inner, piece)) return false;
      }
      return true;
    }
#endif
    return false;
  }
};
}  // namespace detail

/// Element i along `axis` is the largest of elements 0 ... i of x, of elements i ... n-1 if `reverse`; NaN from the first one on.
/// Shapes  kept; dtype kept.
/// Errors  type_error: complex numbers; shape_error: an axis outside [0, rank).
/// Rules   derivative: that of the element that is the largest; halved between the extreme so far and one equal to it.
/// Cost    O(size), its derivative too.
struct cummax_p : detail::running_extreme<cummax_p> {
  static constexpr std::string_view name = "cummax";
  static constexpr bool finds_smallest = false;
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::max(a, b);
  }
  static constexpr array stays(const auto& x, const auto& before) { return lax::lt(x, before); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_max(x, axes); }
};

/// Element i along `axis` is the smallest of elements 0 ... i of x, of elements i ... n-1 if `reverse`; NaN from the first one on.
/// Shapes  kept; dtype kept.
/// Errors  type_error: complex numbers; shape_error: an axis outside [0, rank).
/// Rules   derivative: that of the element that is the smallest; halved between the extreme so far and one equal to it.
/// Cost    O(size), its derivative too.
struct cummin_p : detail::running_extreme<cummin_p> {
  static constexpr std::string_view name = "cummin";
  static constexpr bool finds_smallest = true;
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::min(a, b);
  }
  static constexpr array stays(const auto& x, const auto& before) { return lax::gt(x, before); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_min(x, axes); }
};

namespace lax {
/// See cummax_p.
template <class Array = array>
constexpr array cummax(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current()) {
  return bind<cummax_p>({axis, reverse}, where, x);
}
/// See cummin_p.
template <class Array = array>
constexpr array cummin(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current()) {
  return bind<cummin_p>({axis, reverse}, where, x);
}
}  // namespace lax

}  // namespace jacquard
