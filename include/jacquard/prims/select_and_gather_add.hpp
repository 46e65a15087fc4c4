#pragma once
// select_and_gather_add and select_and_scatter_add: values at, and sums to, the places of the extremes of windows. One family, since
// each is the other's transpose; the derivatives of reduce_window_max and reduce_window_min are made of them.

#include "jacquard/prims/reduction_windows.hpp"
#include "jacquard/prims/window_lines.hpp"

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

/// The number of the tap that is the extreme of window i of a line: of equal ones the first, the first NaN.
template <class T>
constexpr std::size_t extreme_tap(bool smallest, const window_line<T>& line, std::int64_t i) {
  std::size_t best = 0;
  for (std::size_t t = 1; t < line.offsets.size(); ++t) {
    const T v = line.tap(i, t), b = line.tap(i, best);
    if ((smallest ? v < b : v > b) || (math::is_nan(v) && !math::is_nan(b))) best = t;
  }
  return best;
}
/// The same of windows from i on, in vectors.
template <int Step, class Vector, class T>
void extreme_taps(bool smallest, const window_line<T>& line, std::int64_t i, typename Vector::arithmetic::numbers& which) {
  using compare = typename Vector::arithmetic;
  const T* x = line.x + i * Step;
  Vector best = Vector::template load<Step>(x + line.offsets[0]);
  which = typename Vector::arithmetic::numbers{};
  for (std::size_t t = 1; t < line.offsets.size(); ++t) {
    const Vector v = Vector::template load<Step>(x + line.offsets[t]);
    if (smallest) compare::prefer_smaller(best.v, which, v.v, typename Vector::number(t));
    else compare::prefer_larger(best.v, which, v.v, typename Vector::number(t));
  }
}
/// Of each window that has elements, the one of `values` at the place of its extreme goes to `out`.
template <class T>
struct extreme_gathering {
  const select_window_params& p;
  const shape& operand;
  const T *values, *x;
  T* out;
  std::int64_t windows;

  template <int Bytes>
  constexpr void run() const {
    window_places rows(windows_of(p, operand), operand);
    for_each_line(rows, x, windows, [&](const window_line<T>& line) {
      if (line.offsets.empty()) {
        for (std::int64_t i = 0; i < line.length; ++i) out[line.first + i] = T(0);
        return;
      }
      if constexpr (Bytes > 0)
        if (in_vectors<line_vector<T, Bytes>>(line)) return with_constant_step(line.step, [&](auto step) { gather<Bytes, step>(line, values + line.place, out + line.first); });
      for (std::int64_t i = 0; i < line.length; ++i) out[line.first + i] = values[line.place + i * line.step + line.offsets[extreme_tap(p.selects_smallest, line, i)]];
    });
  }
  template <int Bytes, int Step>
  void gather(const window_line<T>& line, const T* from, T* to) const {
    using vector = line_vector<T, Bytes>;
    for (std::int64_t i = 0; i < line.length; i += vector::width) {
      if (i + vector::width > line.length) i = line.length - vector::width;  // some are found twice
      typename vector::arithmetic::numbers which;
      extreme_taps<Step, vector>(p.selects_smallest, line, i, which);
      vector found;
      for (std::size_t t = 0; t < line.offsets.size(); ++t)
        vector::arithmetic::put_where(found.v, which, typename vector::number(t), vector::template load<Step>(from + i * Step + line.offsets[t]).v);
      found.store(to + i);
    }
  }
};
/// To the place in `out` of the extreme of each window its element of `source` is added.
template <class T>
struct extreme_scattering {
  const select_window_params& p;
  const shape& operand;
  const T *source, *x;
  T* out;
  std::int64_t windows;

  template <int Bytes>
  constexpr void run() const {
    const std::vector<window_dim> all = windows_of(p, operand);
    window_places rows(all, operand);
    window_sums<T> sums(all, out);
    for_each_line(rows, x, windows, [&](const window_line<T>& line) {
      sums.fill(line.reach);
      if (line.offsets.empty()) return;
      if constexpr (Bytes > 0)
        if (in_vectors<line_vector<T, Bytes>>(line)) return with_constant_step(line.step, [&](auto step) { scatter<Bytes, step>(line, sums.overlap); });
      for (std::int64_t i = 0; i < line.length; ++i) add(line, i, extreme_tap(p.selects_smallest, line, i));
    });
    sums.fill(operand.elements());
  }
  constexpr void add(const window_line<T>& line, std::int64_t i, std::size_t tap) const {
    T& sum = out[line.place + i * line.step + line.offsets[tap]];
    sum = math::add(sum, source[line.first + i]);
  }
  /// Of windows that overlap the last tap belongs to the first one, whose element is added first.
  template <int Bytes, int Step>
  void scatter(const window_line<T>& line, bool overlap) const {
    using vector = line_vector<T, Bytes>;
    typename vector::arithmetic::numbers which;
    std::int64_t i = 0;
    if constexpr (Step == 1) {
      for (; i + vector::width <= line.length; i += vector::width) {
        extreme_taps<Step, vector>(p.selects_smallest, line, i, which);
        const vector added = vector::add(vector{}, vector::template load<1>(source + line.first + i));
        for (std::size_t t = line.offsets.size(); t-- > 0;) {
          T* to = out + line.place + i + line.offsets[t];
          vector here;
          vector::arithmetic::put_where(here.v, which, typename vector::number(t), added.v);
          if (overlap) here = vector::add(vector::template load<1>(to), here);
          here.store(to);
        }
      }
    }
    while (i < line.length) {  // one by one
      const std::int64_t start = i + vector::width > line.length ? line.length - vector::width : i;
      extreme_taps<Step, vector>(p.selects_smallest, line, start, which);
      for (; i < start + vector::width; ++i) add(line, i, std::size_t(which[i - start]));
    }
  }
};

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
    detail::run_by_vectors<T>(detail::extreme_gathering<T>{p, a.in_types[1].dims, a.in[0], a.in[1], a.out[0], a.out_types[0].elements()});
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
    detail::run_by_vectors<T>(detail::extreme_scattering<T>{p, a.in_types[1].dims, a.in[0], a.in[1], a.out[0], a.in_types[0].elements()});
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
