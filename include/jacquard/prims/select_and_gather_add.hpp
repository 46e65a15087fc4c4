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

/// The places of the taps of a window in the operand, in row-major order. A template, so that it is compiled where it is used only.
template <class Params>
class window_taps {
 public:
  constexpr window_taps(const Params& p, const shape& operand) : strides_(operand.strides()), rank_(operand.rank()) {
    shape taps;
    for (int d = 0; d < rank_; ++d) windows_.push_back(window_along(p, operand, d)), taps.push_back(windows_.back().taps);
    const int_list each = taps.strides();
    for (std::int64_t t = 0; t < taps.elements(); ++t) {
      std::int64_t flat = 0;
      for (int d = 0; d < rank_; ++d) {
        const std::int64_t offset = t / each[d] % taps[d] * windows_[std::size_t(d)].tap_dilation;
        offsets_.push_back(offset);
        flat += offset * strides_[d];
      }
      flat_.push_back(flat);
    }
  }
  /// Calls f(place in the operand) for each tap of window number `o` that meets an element.
  template <class F>
  constexpr void visit(std::int64_t o, F&& f) const {
    std::array<std::int64_t, max_rank> at{};
    std::int64_t base = 0;
    bool whole = true;
    for (int d = rank_ - 1; d >= 0; --d) {
      const window_dim& w = windows_[std::size_t(d)];
      at[std::size_t(d)] = o % w.out * w.stride - w.low;
      o /= w.out;
      base += at[std::size_t(d)] * strides_[d];
      whole = whole && w.dilation == 1 && at[std::size_t(d)] >= 0 && at[std::size_t(d)] + w.dilated_taps() <= w.size;
    }
    for (std::size_t t = 0; t < flat_.size(); ++t) {
      if (whole) f(base + flat_[t]);
      else if (const std::int64_t place = place_of(t, at); place >= 0) f(place);
    }
  }

 private:
  /// Where tap t of a window at `at` lies in the operand; -1 if nowhere.
  constexpr std::int64_t place_of(std::size_t t, const std::array<std::int64_t, max_rank>& at) const {
    std::int64_t r = 0;
    for (int d = 0; d < rank_; ++d) {
      const window_dim& w = windows_[std::size_t(d)];
      const std::int64_t i = at[std::size_t(d)] + offsets_[t * std::size_t(rank_) + std::size_t(d)];
      if (i < 0 || i % w.dilation != 0 || i / w.dilation >= w.size) return -1;
      r += i / w.dilation * strides_[d];
    }
    return r;
  }

  std::vector<window_dim> windows_;
  std::vector<std::int64_t> offsets_, flat_;  ///< of each tap: by dimension, and as a whole
  int_list strides_;
  int rank_;
};

/// Calls f(window, place of its extreme in the operand) for each window that has elements. Of equal ones the first, the first NaN.
template <class T, class F>
constexpr void for_each_extreme(const select_window_params& p, const shape& operand, const T* x, std::int64_t windows, F&& f) {
  if (windows == 0) return;
  const window_taps taps(p, operand);
  for (std::int64_t o = 0; o < windows; ++o) {
    std::int64_t best = -1;
    taps.visit(o, [&](std::int64_t i) {
      if (best < 0 || (p.selects_smallest ? x[i] < x[best] : x[i] > x[best]) || (math::is_nan(x[i]) && !math::is_nan(x[best]))) best = i;
    });
    if (best >= 0) f(o, best);
  }
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
    for (std::int64_t i = 0; i < a.out_types[0].elements(); ++i) a.out[0][i] = T(0);
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
