#pragma once
// Windows that slide over all dimensions of an array: what reduce_window_sum and its relatives share, which is their parameters and
// checks, batching and masking. Not a primitive itself, and without loops, which are in window_combination. The arithmetic of one dimension
// is that of convolutions.

#include "jacquard/core/kernel.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/elementwise.hpp"
#include "jacquard/prims/masked_convolution.hpp"
#include "jacquard/prims/conv_window.hpp"

namespace jacquard {

/// The parameters of a reduction over windows: one number per dimension. With paddings like "SAME" the numbers are left empty.
struct reduce_window_params {
  int_list window_dimensions, window_strides, padding_low, padding_high, base_dilation, window_dilation;
  padding_kind padding;
  static constexpr std::string_view fields =
      "window_dimensions window_strides padding_low padding_high base_dilation window_dilation padding";
  constexpr bool operator==(const reduce_window_params&) const = default;
};

namespace detail {

/// The window along dimension d, with paddings and sizes.
constexpr window_dim window_along(const auto& p, const shape& x, int d) {
  window_dim w;
  w.size = x[d];
  w.taps = p.window_dimensions[d];
  w.stride = p.window_strides[d];
  w.dilation = p.base_dilation[d];
  w.tap_dilation = p.window_dilation[d];
  w.pad_as(p, d);
  return w;
}
/// Those of all dimensions.
constexpr std::vector<window_dim> windows_of(const auto& p, const shape& x) {
  std::vector<window_dim> r;
  for (int d = 0; d < x.rank(); ++d) r.push_back(window_along(p, x, d));
  return r;
}
/// The parameters `p` with other windows.
template <class Params>
constexpr Params with_windows(Params p, view<const window_dim> windows) {
  p.padding = padding_kind::numbers;
  p.window_dimensions = p.window_strides = p.padding_low = p.padding_high = p.base_dilation = p.window_dilation = {};
  for (const window_dim& w : windows) {
    p.window_dimensions.push_back(w.taps);
    p.window_strides.push_back(w.stride);
    p.padding_low.push_back(w.low);
    p.padding_high.push_back(w.high);
    p.base_dilation.push_back(w.dilation);
    p.window_dilation.push_back(w.tap_dilation);
  }
  return p;
}

/// Parameters from what users give: strides and dilations are 1 where they are left out.
template <class Params>
constexpr Params window_arguments(int rank, const int_list& window, const int_list& strides, const conv_padding& padding, const int_list& base_dilation,
                                  const int_list& window_dilation) {
  const auto or_ones = [&](const int_list& given) { return given.empty() ? int_list::filled(rank, 1) : given; };
  Params p{};
  p.window_dimensions = window;
  p.window_strides = or_ones(strides);
  p.base_dilation = or_ones(base_dilation);
  p.window_dilation = or_ones(window_dilation);
  p.padding = padding.kind;
  p.padding_low = padding.is_valid ? int_list::filled(rank, 0) : padding.low;
  p.padding_high = padding.is_valid ? int_list::filled(rank, 0) : padding.high;
  return p;
}

/// The number of places of the windows in `x`; records what is wrong with the parameters.
constexpr shape windows_over(inference& c, const aval& x, const auto& p) {
  constexpr std::int64_t most = std::int64_t(1) << 31;  // far below what sums of products overflow
  const auto wrong = [&](std::string_view name, const int_list& values, std::int64_t least) {
    bool ok = values.size() == x.rank() && !values.overflowed();
    for (std::int64_t v : values) ok = ok && v >= least && v < most;
    if (!ok)
      c.fail(error_kind::shape, ": got ", name, " ", values, " for an operand of shape ", x.dims, "; wanted ", x.rank(), " numbers",
             least > 0 ? " of at least 1, one per dimension" : ", one per dimension");
    return !ok;
  };
  if (wrong("window_dimensions", p.window_dimensions, 1) || wrong("window_strides", p.window_strides, 1) ||
      wrong("base_dilation", p.base_dilation, 1) || wrong("window_dilation", p.window_dilation, 1))
    return {};
  std::int64_t taps = 1;
  for (std::int64_t k : p.window_dimensions) taps = counted_product(taps, k);
  if (taps > most) {
    c.fail(error_kind::shape, ": got a window of sizes ", p.window_dimensions, "; wanted one of at most ", most, " elements");
    return {};
  }
  if (p.padding == padding_kind::unknown) {
    c.fail(error_kind::value, ": got a padding that is none of \"VALID\", \"SAME\" and \"SAME_LOWER\"; wanted one of them or a pair of numbers per "
           "dimension");
    return {};
  }
  if (p.padding == padding_kind::numbers && (wrong("low paddings", p.padding_low, -most) || wrong("high paddings", p.padding_high, -most))) return {};
  shape out;
  for (int d = 0; d < x.rank(); ++d) {
    if (p.padding != padding_kind::numbers && p.base_dilation[d] != 1) {
      c.fail(error_kind::value, ": padding \"SAME\" is not defined with base_dilation ", p.base_dilation, "; give the paddings as numbers");
      return {};
    }
    out.push_back(window_along(p, x.dims, d).out);
  }
  return out;
}

/// The parameters for operands with a batch dimension in front.
template <class Params>
constexpr Params batched_windows(Params p) {
  p.window_dimensions = p.window_dimensions.with(0, 1);
  p.window_strides = p.window_strides.with(0, 1);
  p.base_dilation = p.base_dilation.with(0, 1);
  p.window_dilation = p.window_dilation.with(0, 1);
  if (p.padding == padding_kind::numbers) p.padding_low = p.padding_low.with(0, 0), p.padding_high = p.padding_high.with(0, 0);
  return p;
}

/// The parameters for padded operands like operand k, and the dimensions of the array of windows into `out`.
template <class Params>
constexpr Params masked_windows(mask_call& c, const Params& p, std::size_t k, dimension_list& out) {
  c.constants("window sizes", &Params::window_dimensions);
  c.constants("strides", &Params::window_strides);
  c.constants("dilations", &Params::base_dilation);
  c.constants("dilations", &Params::window_dilation);
  if (p.padding == padding_kind::numbers) c.constants("paddings", &Params::padding_low), c.constants("paddings", &Params::padding_high);
  std::vector<window_dim> windows;
  for (int d = 0; d < p.window_dimensions.size(); ++d) {
    const dimension& n = c.dims[k][std::size_t(d)];
    window_dim v = window_along(p, c.x[k].shape(), d);
    masked_window w{n, dimension(v.taps), dimension(v.low), dimension(v.high), {}, v.stride, v.dilation, v.tap_dilation};
    if (p.padding == padding_kind::numbers) w.pad_by_numbers();
    else w.pad_to_same(p.padding == padding_kind::same_lower);
    if (!w.low.is_constant())
      c.scope.fail(make_error(error_kind::not_implemented, "mask: padding \"SAME\" with stride ", v.stride, " along a dimension of size ", n,
                              " is not implemented for reductions over windows; give the paddings as numbers"));
    v.low = w.low.is_constant() ? w.low.constant() : 0;
    v.out = c.scope.padded(w.out);
    v.high = v.out == 0 ? -v.low - v.dilated() : (v.out - 1) * v.stride + v.dilated_taps() - v.low - v.dilated();
    out.push_back(w.out);
    windows.push_back(v);
  }
  return with_windows(p, view<const window_dim>(windows.data(), windows.size()));
}

}  // namespace detail
}  // namespace jacquard
