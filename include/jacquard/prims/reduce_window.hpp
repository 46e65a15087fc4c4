#pragma once
// reduce_window_sum, reduce_window_max and reduce_window_min: the elements of each window of an array combined. One family: they share
// everything but the operation. Windows with a body of the user's are lax::reduce_window.

#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/select_and_gather_add.hpp"
#include "jacquard/prims/window_combination.hpp"

namespace jacquard {

namespace detail {
/// What the three share. P::initial<T>(dtype) is neutral for P::choose.
template <class P>
struct window_reduction {
  using params = reduce_window_params;
  static constexpr bool allocates = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(P::domain, c.in[0].type)) return elementwise_type(c, P::domain);
    return c.in[0].with(windows_over(c, c.in[0], p));
  }
  static constexpr void cost(auto& c, const params& p) {
    double taps = 0;
    for (std::int64_t k : p.window_dimensions) taps += double(k);
    c.cost.flops = taps * double(c.out[0].elements());
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {bind<own<P, decltype(c)>>(batched_windows(p), location{}, batch_to_front(c.x[0], c.dims[0])), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    const int_list all = int_list::iota(c.x[0].ndim());
    dimension_list out;
    const params q = masked_windows(c, p, 0, out);
    const array x = c.scope.filled(c.x[0], c.dims[0], all, array(P::neutral(c.x[0].aval())));
    return {c.scope.guarded(bind<own<P, decltype(c)>>(q, location{}, x), out, all), out};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    reduce_windows<P, T>(p, a.in_types[0].dims, a.in[0], a.out[0], P::template initial<T>(a.in_types[0].type));
  }
};

/// Of an extreme.
template <class P>
struct extreme_window : window_reduction<P> {
  static constexpr type_set domain = reals;
  static constexpr array jvp(const auto& t, const auto& x, const auto&, const reduce_window_params& p) {
    return bind<select_and_gather_add_p>({p.window_dimensions, p.window_strides, p.padding_low, p.padding_high, p.base_dilation, p.window_dilation,
                                          p.padding, P::finds_smallest},
                                         location{}, t, x);
  }
  static constexpr literal neutral(const aval& t) { return extreme_literal(t, P::finds_smallest); }
};
}  // namespace detail

/// The sum of the elements of `x` in each window; padding is 0.
/// Shapes  x [n_d] -> [(padded n_d - dilated window_d) / stride_d + 1], where n_d is dilated by base_dilation and then padded.
/// Errors  type_error: bool; shape_error: lists that are not one number per dimension, numbers below 1; value_error: an unknown padding.
/// Rules   linear; transpose = the sum over windows of the cotangent dilated by the strides.
/// Cost    one dimension after the other: the sum of the sizes of the window, per element; f16 and bf16 in f32.
struct reduce_window_sum_p : detail::window_reduction<reduce_window_sum_p> {
  static constexpr std::string_view name = "reduce_window_sum";
  static constexpr type_set domain = numbers;
  static constexpr std::uint32_t linear = 1;

  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    std::vector<detail::window_dim> windows;
    for (int d = 0; d < c.in[0].rank(); ++d) windows.push_back(detail::window_along(p, c.in[0].dims, d).transposed());
    return bind<own<reduce_window_sum_p, decltype(c)>>(detail::with_windows(p, view<const detail::window_dim>(windows.data(), windows.size())), location{}, ct);
  }
  static constexpr literal neutral(const aval& t) { return literal(0.0, t.type, t.weak); }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    std::vector<detail::window_dim> spread;
    if (detail::is_spreading(p, a.in_types[0].dims, spread))
      return detail::run_by_vectors<T>(detail::window_spreading<T>{spread, a.out_types[0].dims, a.in[0], a.out[0]});
    detail::window_reduction<reduce_window_sum_p>::kernel(a, p);
  }
  template <class T>
  static constexpr T initial(dtype) {
    return T(0);
  }
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::add(a, b);
  }
};

/// The largest element of `x` in each window, NaN if one is; padding never counts, a window of nothing else gives -inf or the lowest value.
/// Shapes  as reduce_window_sum.
/// Errors  type_error: bool or complex numbers; otherwise as reduce_window_sum.
/// Rules   derivative: that of the first element that is the largest (select_and_gather_add).
/// Cost    as reduce_window_sum.
struct reduce_window_max_p : detail::extreme_window<reduce_window_max_p> {
  static constexpr std::string_view name = "reduce_window_max";
  static constexpr bool finds_smallest = false;
  template <class T>
  static constexpr T initial(dtype t) {
    return detail::lowest_of<T>(t);
  }
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::max(a, b);
  }
};

/// The smallest element of `x` in each window, NaN if one is; padding never counts, a window of nothing else gives inf or the highest value.
/// Shapes  as reduce_window_sum.
/// Errors  type_error: bool or complex numbers; otherwise as reduce_window_sum.
/// Rules   derivative: that of the first element that is the smallest (select_and_gather_add).
/// Cost    as reduce_window_sum.
struct reduce_window_min_p : detail::extreme_window<reduce_window_min_p> {
  static constexpr std::string_view name = "reduce_window_min";
  static constexpr bool finds_smallest = true;
  template <class T>
  static constexpr T initial(dtype t) {
    return detail::highest_of<T>(t);
  }
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::min(a, b);
  }
};

namespace lax {
/// See reduce_window_sum_p. Without strides or dilations they are 1; padding is "VALID", "SAME", "SAME_LOWER" or pairs of numbers.
template <class Array = array>
constexpr array reduce_window_sum(const lazy<Array>& x, const int_list& window, const int_list& strides = {}, const conv_padding& padding = "VALID",
                                  const int_list& base_dilation = {}, const int_list& window_dilation = {}, location where = location::current()) {
  return bind<reduce_window_sum_p>(
      detail::window_arguments<reduce_window_params>(x.ndim(), window, strides, padding, base_dilation, window_dilation), where, x);
}
/// See reduce_window_max_p; arguments as of reduce_window_sum.
template <class Array = array>
constexpr array reduce_window_max(const lazy<Array>& x, const int_list& window, const int_list& strides = {}, const conv_padding& padding = "VALID",
                                  const int_list& base_dilation = {}, const int_list& window_dilation = {}, location where = location::current()) {
  return bind<reduce_window_max_p>(
      detail::window_arguments<reduce_window_params>(x.ndim(), window, strides, padding, base_dilation, window_dilation), where, x);
}
/// See reduce_window_min_p; arguments as of reduce_window_sum.
template <class Array = array>
constexpr array reduce_window_min(const lazy<Array>& x, const int_list& window, const int_list& strides = {}, const conv_padding& padding = "VALID",
                                  const int_list& base_dilation = {}, const int_list& window_dilation = {}, location where = location::current()) {
  return bind<reduce_window_min_p>(
      detail::window_arguments<reduce_window_params>(x.ndim(), window, strides, padding, base_dilation, window_dilation), where, x);
}
}  // namespace lax

}  // namespace jacquard
