#pragma once
// select_and_gather_add and select_and_scatter_add: values at, and sums to, the places of the extremes of windows. One family, since
// each is the other's transpose; the derivatives of reduce_window_max and reduce_window_min are made of them.

#include "jacquard/prims/reduction_windows.hpp"

namespace jacquard {

/// The parameters of a selection within windows.
struct select_window_params {
  int_list window_dimensions, window_strides, padding_low, padding_high, base_dilation, window_dilation;
  padding_kind padding;
  bool selects_smallest;
  static constexpr std::string_view fields =
      "window_dimensions window_strides padding_low padding_high base_dilation window_dilation padding selects_smallest";
  constexpr bool operator==(const select_window_params&) const = default;
};

namespace detail {

/// For windows side by side, the first with taps at `places`: the number of the tap that is the extreme.
template <class T>
constexpr std::int64_t extreme_tap(bool smallest, const T* x, const std::vector<std::int64_t>& places) {
  std::size_t best = 0;
  for (std::size_t t = 1; t < places.size(); ++t) {
    const T v = x[places[t]], b = x[places[best]];
    if ((smallest ? v < b : v > b) || (math::is_nan(v) && !math::is_nan(b))) best = t;
  }
  return std::int64_t(best);
}
#ifndef __CUDACC__  // nvcc 13 does not compare vectors of numbers of a template's type
/// The same for eight floats or four doubles side by side, without branches.
template <class T>
struct extreme_lanes {
  using number = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T values __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
  typedef number numbers __attribute__((vector_size(32)));
  static constexpr std::int64_t width = 32 / sizeof(T);

  static void find(bool smallest, const T* x, const std::vector<std::int64_t>& places, numbers& tap) {
    values best = at(x, places[0]);
    tap = numbers{};
    for (std::size_t t = 1; t < places.size(); ++t) {
      const values v = at(x, places[t]);
      numbers better = (v != v) & (best == best);
      if (smallest) better |= v < best;
      else better |= v > best;
      best = better ? v : best;
      tap = better ? numbers{} + number(t) : tap;
    }
  }
  static const values& at(const T* x, std::int64_t place) { return *static_cast<const values*>(static_cast<const void*>(x + place)); }
};
#endif
/// Calls f(window, place of its extreme in the operand) for each window that has elements. Of equal ones the first, the first NaN.
template <class T, class F>
constexpr void visit_extremes(const select_window_params& p, const shape& operand, const T* x, std::int64_t windows, const F& f) {
  window_places rows(windows_of(p, operand), operand);
  for (std::int64_t o = 0; o < windows; o += rows.side(), rows.advance()) {
    const window_places::taps taps = rows.here();
    if (taps.offsets.empty()) continue;
    std::int64_t i = 0;
#ifndef __CUDACC__
    if constexpr (std::is_floating_point_v<T>) {
      using lanes = extreme_lanes<T>;
      for (; !std::is_constant_evaluated() && i + lanes::width <= rows.side(); i += lanes::width) {
        typename lanes::numbers best;
        lanes::find(p.selects_smallest, x + taps.base + i, taps.offsets, best);
        for (int j = 0; j < lanes::width; ++j) f(o + i + j, taps.base + taps.offsets[std::size_t(best[j])] + i + j);
      }
    }
#endif
    for (; i < rows.side(); ++i) f(o + i, taps.base + taps.offsets[std::size_t(extreme_tap(p.selects_smallest, x + taps.base + i, taps.offsets))] + i);
  }
}
#if defined(__x86_64__)
/// For processors with vectors of 32 bytes.
template <class T, class F>
[[gnu::target("avx2"), gnu::flatten]] void visit_extremes_v3(const select_window_params& p, const shape& operand, const T* x, std::int64_t windows, const F& f) {
  visit_extremes(p, operand, x, windows, f);
}
#endif
template <class T, class F>
constexpr void for_each_extreme(const select_window_params& p, const shape& operand, const T* x, std::int64_t windows, const F& f) {
  if (windows == 0) return;
#if defined(__x86_64__)
  if constexpr (std::is_floating_point_v<T>)
    if (!std::is_constant_evaluated() && __builtin_cpu_supports("avx2")) return visit_extremes_v3(p, operand, x, windows, f);
#endif
  visit_extremes(p, operand, x, windows, f);
}

/// What the two share. P::operand_type gives the type of the first operand and that of the result, of the array of windows.
template <class P>
struct window_selection {
  using params = select_window_params;
  static constexpr type_set domain = reals;
  static constexpr std::uint32_t linear = 0b01;
  static constexpr int arity = 2;
  static constexpr bool allocates = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval &first = c.in[0], &x = c.in[1];
    if (first.type != x.type)
      return c.fail(error_kind::type, " requires arguments to have the same dtypes, got ", long_name(first.type), ", ", long_name(x.type),
                    "; convert one of them with x.astype(...)");
    if (!contains(domain, x.type)) return elementwise_type(c, domain);
    const shape windows = windows_over(c, x, p), wanted = P::gathers ? x.dims : windows;
    if (!c.problem && !(first.dims == wanted))
      return c.fail(error_kind::shape, ": got operands of shapes ", first.dims, " and ", x.dims, ", wanted the first of shape ", wanted);
    return {first.type, P::gathers ? windows : x.dims, first.weak && x.weak};
  }
  static constexpr void cost(auto& c, const params& p) {
    double taps = 1;
    for (std::int64_t k : p.window_dimensions) taps *= double(k);
    c.cost.flops = taps * double((P::gathers ? c.out[0] : c.in[0]).elements());
  }
  static constexpr batched batch(auto& c, const params& p) {
    const array first = batch_materialise(c.x[0], c.dims[0], c.size), x = batch_materialise(c.x[1], c.dims[1], c.size);
    return {bind<own<P, decltype(c)>>(batched_windows(p), location{}, first, x), 0};
  }
  /// Padding is what no window selects beside an element, and adds nothing.
  static constexpr masked mask(auto& c, const params& p) {
    const int_list all = int_list::iota(c.x[1].ndim());
    dimension_list out;
    const params q = masked_windows(c, p, 1, out);
    const array x = c.scope.filled(c.x[1], c.dims[1], all, array(extreme_literal(c.x[1].aval(), p.selects_smallest)));
    if (!P::gathers) {
      const array first = c.scope.fitted(c.zeroed(0, all), out);
      return {c.scope.guarded(bind<own<P, decltype(c)>>(q, location{}, first, x), c.dims[1], all), c.dims[1]};
    }
    const array first = c.scope.fitted(c.zeroed(0, all), c.dims[1]);
    return {c.scope.guarded(bind<own<P, decltype(c)>>(q, location{}, first, x), out, all), out};
  }
};

}  // namespace detail

/// Element w of the result is the element of `values` at the place of the largest element of `operand` in window w, of the smallest one
/// if `selects_smallest`; the first of equal ones, 0 where a window holds padding only.
/// Shapes  values and operand [n_d] -> the places of the window.
/// Errors  type_error: bool or complex numbers, two dtypes; shape_error: other shapes, lists that are not one number per dimension;
///         value_error: an unknown padding.
/// Rules   linear in the values, transpose = select_and_scatter_add; its derivative in the operand is zero.
/// Cost    reads as many elements as a window has, per result.
struct select_and_gather_add_p : detail::window_selection<select_and_gather_add_p> {
  static constexpr std::string_view name = "select_and_gather_add";
  static constexpr bool gathers = true;

  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p);
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const std::int64_t windows = a.out_types[0].elements();
    for (std::int64_t o = 0; o < windows; ++o) a.out[0][o] = T(0);
    detail::for_each_extreme(p, a.in_types[1].dims, a.in[1], windows, [&](std::int64_t o, std::int64_t i) { a.out[0][o] = a.in[0][i]; });
  }
};

/// Zeros of the shape of `operand`, to which each element of `source` is added at the place of the largest element of its window, of the
/// smallest one if `selects_smallest`; the first of equal ones.
/// Shapes  source as the places of the window in operand [n_d] -> [n_d].
/// Errors  as select_and_gather_add.
/// Rules   linear in the source, transpose = select_and_gather_add; its derivative in the operand is zero.
/// Cost    reads as many elements as a window has, per element of the source.
struct select_and_scatter_add_p : detail::window_selection<select_and_scatter_add_p> {
  static constexpr std::string_view name = "select_and_scatter_add";
  static constexpr bool gathers = false;

  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    return bind<select_and_gather_add_p>(p, location{}, ct, c.x[1]);
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    for (std::int64_t i = 0, n = a.out_types[0].elements(); i < n; ++i) a.out[0][i] = T(0);
    detail::for_each_extreme(p, a.in_types[1].dims, a.in[1], a.in_types[0].elements(),
                             [&](std::int64_t o, std::int64_t i) { a.out[0][i] = math::add(a.out[0][i], a.in[0][o]); });
  }
};

constexpr array select_and_gather_add_p::transpose(int, const auto& ct, const auto& c, const params& p) {
  return bind<select_and_scatter_add_p>(p, location{}, ct, c.x[1]);
}

namespace lax {
/// See select_and_gather_add_p. Without strides or dilations they are 1.
template <class Array = array>
constexpr array select_and_gather_add(const lazy<Array>& values, const lazy<Array>& operand, const int_list& window, const int_list& strides = {},
                                      const conv_padding& padding = "VALID", bool selects_smallest = false, const int_list& base_dilation = {},
                                      const int_list& window_dilation = {}, location where = location::current()) {
  auto p = detail::window_arguments<select_window_params>(operand.ndim(), window, strides, padding, base_dilation, window_dilation);
  p.selects_smallest = selects_smallest;
  return bind<select_and_gather_add_p>(p, where, values, operand);
}
/// See select_and_scatter_add_p. Without strides or dilations they are 1.
template <class Array = array>
constexpr array select_and_scatter_add(const lazy<Array>& source, const lazy<Array>& operand, const int_list& window, const int_list& strides = {},
                                       const conv_padding& padding = "VALID", bool selects_smallest = false, const int_list& base_dilation = {},
                                       const int_list& window_dilation = {}, location where = location::current()) {
  auto p = detail::window_arguments<select_window_params>(operand.ndim(), window, strides, padding, base_dilation, window_dilation);
  p.selects_smallest = selects_smallest;
  return bind<select_and_scatter_add_p>(p, where, source, operand);
}
}  // namespace lax

}  // namespace jacquard
