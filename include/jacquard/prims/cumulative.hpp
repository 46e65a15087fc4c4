#pragma once
// What the running operations along an axis share: their parameters and type, batching, the order in which elements are visited,
// and how a result is moved on by one place, which their derivatives need. Not a primitive itself.

#include "jacquard/prims/elementwise.hpp"
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

/// Rows that a running operation works on at a time: beside each other, so that it reads memory in order, or one after the other, so that
/// it need not wait for the element before.
inline constexpr std::int64_t rows_at_once = 16;

/// Calls f(row, at, first) for every element, in the order of the running operation within each row; `row` < rows_at_once tells
/// apart the rows that are under way, and `first` says that one begins.
template <class F>
constexpr void for_each_running(const shape& dims, const cumulative_params& p, F&& f) {
  std::int64_t inner = 1, outer = 1;
  const std::int64_t n = dims[int(p.axis)];
  for (int d = 0; d < dims.rank(); ++d)
    if (d != int(p.axis)) (d < int(p.axis) ? outer : inner) *= dims[d];
  const bool apart = inner == 1;  // rows that lie one after the other: a few, since each has its own stream of memory
  const std::int64_t groups = apart ? 1 : outer, rows = apart ? outer : inner, distance = apart ? n : 1, most = apart ? 4 : rows_at_once;
  const auto walk = [&](std::int64_t base, std::int64_t width) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at = base + (p.reverse ? n - 1 - i : i) * inner;
      for (std::int64_t k = 0; k < width; ++k) f(k, at + k * distance, i == 0);
    }
  };
  for (std::int64_t g = 0; g < groups; ++g)
    for (std::int64_t j = 0; j < rows; j += most) {
      const std::int64_t base = g * n * inner + j * distance;
      if (apart && rows - j >= 4) walk(base, 4);  // a constant, so that the rows stay in registers
      else walk(base, rows - j < most ? rows - j : most);
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
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    typename P::template state<T> rows[rows_at_once]{};
    for_each_running(a.in_types[0].dims, p, [&](std::int64_t row, std::int64_t at, bool first) {
      auto& s = rows[row];
      if (first) s = P::begin(a.in[0][at]);
      else P::advance(s, a.in[0][at]);
      a.out[0][at] = T(P::value(s));
    });
  }
};

/// In what sums and products of T are accumulated.
template <class T>
using wide_accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;

}  // namespace detail
}  // namespace jacquard
