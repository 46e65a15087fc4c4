#pragma once
// What the running operations along an axis share: their parameters and type, batching, the order in which elements are visited,
// and how a result is moved on by one place, which their derivatives need. Not a primitive itself.

#include "jacquard/core/wide_vectors.hpp"
#include "jacquard/prims/elementwise.hpp"
#include "jacquard/prims/row_pairs.hpp"
#include "jacquard/prims/slice.hpp"

namespace jacquard {

/// The parameters of running operations.
struct cumulative_params {
  std::int64_t axis;
  bool reverse;
  static constexpr std::string_view fields = "axis reverse";
  constexpr bool operator==(const cumulative_params&) const = default;
};

namespace detail {

/// Says that an element is not the first of its row, and that its row is one of many beside each other, which wait for nothing.
struct among_others {
  constexpr operator bool() const { return false; }
};
/// Calls f(state, at, among_others) for `width` rows that lie beside each other, the first at `from`, in blocks of a length that the compiler knows: it
/// makes vectors of those at -O2 too, told that one row's element is none of another's.
template <class State, class F>
constexpr void advance_beside(State* rows, std::int64_t width, std::int64_t from, const F& f) {
  constexpr std::int64_t block = 8;
  std::int64_t k = 0;
  for (; k + block <= width; k += block)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::int64_t j = 0; j < block; ++j) f(rows[k + j], from + k + j, among_others{});
  for (; k < width; ++k) f(rows[k], from + k, among_others{});
}
/// Rows beside each other, no more than `Most` at a time.
template <class State, std::int64_t Most, class F>
constexpr void for_each_running_beside(std::int64_t n, std::int64_t inner, std::int64_t start, std::int64_t step, const F& f) {
  for (std::int64_t j = 0; j < inner; j += Most) {
    State rows[std::size_t(Most)];
    const std::int64_t width = inner - j < Most ? inner - j : Most, from = start + j;
    for (std::int64_t k = 0; k < width; ++k) f(rows[k], from + k, true);
    for (std::int64_t i = 1; i < n; ++i) advance_beside(rows, width, from + i * step, f);
  }
}
/// Calls f(state, at, first) for every element, in the order of the running operation within each row; `first` says that a row begins. Rows
/// that lie beside each other are worked on together, so that memory is read in order, in pieces of several pages, since shorter ones are
/// fetched late, and whose states still stay near. Rows that lie one after the other go 4 at a time, so that none waits for its element
/// before: their states have names of their own, since compilers keep arrays of them in memory.
template <class State, class F>
constexpr void for_each_running(const shape& dims, const cumulative_params& p, F&& f) {
  std::int64_t inner = 1, outer = 1;
  const std::int64_t n = dims[int(p.axis)];
  for (int d = 0; d < dims.rank(); ++d)
    if (d != int(p.axis)) (d < int(p.axis) ? outer : inner) *= dims[d];
  if (n == 0) return;
  const std::int64_t step = p.reverse ? -inner : inner, start = p.reverse ? (n - 1) * inner : 0;
  if (inner == 1) {
    std::int64_t row = 0;
    for (; row + 4 <= outer; row += 4) {
      State a{}, b{}, c{}, d{};
      for (std::int64_t i = 0, at = row * n + start; i < n; ++i, at += step)
        f(a, at, i == 0), f(b, at + n, i == 0), f(c, at + 2 * n, i == 0), f(d, at + 3 * n, i == 0);
    }
    for (; row < outer; ++row) {
      State a{};
      for (std::int64_t i = 0; i < n; ++i) f(a, row * n + start + i * step, i == 0);
    }
    return;
  }
  constexpr std::int64_t most = std::int64_t((32 << 10) / sizeof(State)), fewer = 64;  // these where a compiler goes through all of them
  for (std::int64_t g = 0; g < outer; ++g) {
    if (std::is_constant_evaluated()) for_each_running_beside<State, fewer>(n, inner, g * n * inner + start, step, f);
    else for_each_running_beside<State, most>(n, inner, g * n * inner + start, step, f);
  }
}

/// `x` moved on by one place in the direction of the running operation; `fill` comes in at the beginning.
template <class Array = array>
constexpr array moved_on(const lazy<Array>& x, const cumulative_params& p, double fill) {
  int_list low = int_list::filled(x.ndim(), 0), high = low;
  low[int(p.axis)] = p.reverse ? -1 : 1;
  high[int(p.axis)] = p.reverse ? 1 : -1;
  return lax::pad(x, array(literal(fill, x.dtype(), x.weak_type())), low, high);
}

/// Checks the dtype and the axis.
constexpr aval cumulative_type(inference& c, type_set domain, const cumulative_params& p) {
  const aval& x = c.in[0];
  if (!contains(domain, x.type)) return elementwise_type(c, domain);
  if (p.axis < 0 || p.axis >= x.rank())
    return c.fail(error_kind::shape, ": axis ", p.axis, " is out of bounds for array of shape ", x.dims, "; wanted one in [0, ", x.rank(), ")");
  return x;
}

/// Whether P has a way of its own to continue rows that lie beside each other.
template <class P, class State, class T>
concept advances_beside = requires(State& s, const T& x) { P::advance_beside(s, x); };

/// A running operation of one operand, P. P::state<T> is what it carries along a row, which P::begin(x) starts and P::advance(s, x)
/// continues; P::value(s) is the result so far.
template <class P, type_set Domain>
struct cumulative {
  using params = cumulative_params;
  static constexpr type_set domain = Domain;

  static constexpr aval abstract_eval(inference& c, const params& p) { return cumulative_type(c, Domain, p); }
  static constexpr batched batch(auto& c, const params& p) {
    return {bind<own<P, decltype(c)>>({p.axis >= c.dims[0] ? p.axis + 1 : p.axis, p.reverse}, location{}, c.x[0]), c.dims[0]};
  }
  /// Padding is neutral: a product of it and of a zero cotangent must be zero.
  static constexpr masked mask(auto& c, const params& p) {
    const array x = c.scope.filled(c.x[0], c.dims[0], {p.axis}, array(P::neutral(c.x[0].aval())));
    return {c.scope.guarded(bind<own<P, decltype(c)>>(p, location{}, x), c.dims[0], {p.axis}), c.dims[0]};
  }
  /// Where P::reduced is what reduces a whole row.
  static constexpr void of_few(auto& c, const params& p)
    requires requires(const array& x, const int_list& axes) { P::reduced(x, axes); }
  {
    const aval t = c.x[0].aval();
    if (is_complex(t.type) || !row_pairs<own<array, decltype(c)>>::are_few(t, p.axis)) return;
    c.results.push_back(reduced_so_far(c.x[0], p.axis, p.reverse, P::neutral(t), [](const array& x, const int_list& axes) { return P::reduced(x, axes); }));
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const T* const in = a.in[0];
    T* const out = a.out[0];
    const auto visit = [&](auto& s, std::int64_t at, auto first) __attribute__((always_inline)) {
      if (first) s = P::begin(in[at]);
      else advance<std::is_same_v<decltype(first), among_others>>(s, in[at]);
      out[at] = T(P::value(s));
    };
    const auto all = [&] { for_each_running<typename P::template state<T>>(a.in_types[0].dims, p, visit); };
    if (p.axis + 1 == a.in_types[0].rank()) all();
    else in_wide_vectors(all);
  }

 private:
  template <bool Beside, class State, class T>
  [[gnu::always_inline]] static constexpr void advance(State& s, const T& x) {
    if constexpr (Beside && advances_beside<P, State, T>) P::advance_beside(s, x);
    else P::advance(s, x);
  }
};

/// In what sums and products of T are accumulated.
template <class T>
using wide_accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;

}  // namespace detail
}  // namespace jacquard
