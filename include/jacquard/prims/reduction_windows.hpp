#pragma once
// Windows that slide over all dimensions of an array: what reduce_window_sum and its relatives share, which is their parameters and
// checks, batching, masking, and the loops that combine the elements of each window. Not a primitive itself. The arithmetic of one
// dimension is that of convolutions.

#include "jacquard/core/kernel.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/elementwise.hpp"
#include "jacquard/prims/masked_convolution.hpp"
#include "jacquard/prims/window_places.hpp"

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

/// to[j] = combine(to[j], from[j]) for n elements, in blocks of a length that the compiler knows: it makes vectors of those at -O2 too.
template <class T, class Combine>
constexpr void combine_row(T* __restrict to, const T* __restrict from, std::int64_t n, const Combine& combine) {
  constexpr std::int64_t block = 16;
  std::int64_t j = 0;
  for (; j + block <= n; j += block)
    for (std::int64_t k = 0; k < block; ++k) to[j + k] = combine(to[j + k], from[j + k]);
  for (; j < n; ++j) to[j] = combine(to[j], from[j]);
}
/// Combines along one dimension: rows of `inner` elements lie beside each other.
template <class T, class Combine>
constexpr void reduce_windows_along(const window_dim& w, std::int64_t outer, std::int64_t inner, const T* in, T* out, T initial, const Combine& combine) {
  for (std::int64_t o = 0; o < outer; ++o, in += w.size * inner, out += w.out * inner) {
    for (std::int64_t i = 0; i < w.out * inner; ++i) out[i] = initial;
    for (std::int64_t tap = 0; tap < w.taps && w.out * inner > 0; ++tap) {
      const std::int64_t shift = tap * w.tap_dilation - w.low;
      std::int64_t first = shift >= 0 ? 0 : (w.stride - 1 - shift) / w.stride;
      const std::int64_t last = w.dilated() - 1 - shift;  // of the dilated operand
      const std::int64_t end = last < 0 ? 0 : last / w.stride + 1 < w.out ? last / w.stride + 1 : w.out;
      if (w.dilation == 1 && inner == 1) {
        for (; first < end; ++first) out[first] = combine(out[first], in[first * w.stride + shift]);
        continue;
      }
      for (; first < end; ++first) {
        const std::int64_t at = first * w.stride + shift;
        if (at % w.dilation != 0) continue;
        combine_row(out + first * inner, in + at / w.dilation * inner, inner, combine);
      }
    }
  }
}
/// Whether small windows lie side by side along the last dimensions, so many that their elements had better be combined all at once.
constexpr bool are_small(const std::vector<window_dim>& windows) {
  std::int64_t side = 1, product = 1, sum = 0;
  for (const window_dim& w : windows) {
    side = w.is_trivial() ? side * w.out : 1;
    if (w.taps > 64 || (product *= w.taps) > 64) return false;
    if (w.taps > 1) sum += w.taps;
  }
  return side >= 16 && product <= 2 * sum;
}
/// Combines the elements of each window at once.
template <class T, class Combine>
constexpr void combine_windows(const std::vector<window_dim>& windows, const shape& from, const T* in, T* out, T initial, const Combine& combine) {
  window_places rows(windows, from);
  const std::int64_t n = rows.side();
  std::int64_t count = 1;
  for (const window_dim& w : windows) count *= w.out;
  for (std::int64_t o = 0; o < count; o += n, rows.advance()) {
    const window_places::taps taps = rows.here();
    for (std::int64_t i = 0; i < n; ++i) out[o + i] = initial;
    for (std::int64_t at : taps.offsets) combine_row(out + o, in + taps.base + at, n, combine);
  }
}
#if defined(__x86_64__)
/// For processors with vectors of 32 bytes.
template <class T, class Combine>
[[gnu::target("avx2"), gnu::flatten]] void combine_windows_v3(const std::vector<window_dim>& windows, const shape& from, const T* in, T* out, T initial,
                                                              const Combine& combine) {
  combine_windows(windows, from, in, out, initial, combine);
}
#endif
/// Combines the elements of each window, one dimension after the other, the last one first. Cost: the sum, not the product, of the
/// sizes of the window, per element; of small windows side by side the product, in one pass.
template <class T, class Combine>
constexpr void reduce_windows(const reduce_window_params& p, const shape& from, const T* in, T* out, T initial, const Combine& combine) {
  int first = 0;  // the dimension that writes the result
  const std::vector<window_dim> windows = windows_of(p, from);
  const auto moves = [&](int d) { return !windows[std::size_t(d)].is_trivial(); };
  while (first < from.rank() && !moves(first)) ++first;
  if (first == from.rank()) {
    for (std::int64_t i = 0, n = from.elements(); i < n; ++i) out[i] = combine(initial, in[i]);
    return;
  }
  if (are_small(windows)) {
#if defined(__x86_64__)
    if (!std::is_constant_evaluated() && __builtin_cpu_supports("avx2")) return combine_windows_v3(windows, from, in, out, initial, combine);
#endif
    return combine_windows(windows, from, in, out, initial, combine);
  }
  shape dims = from;
  std::vector<T> held, next;
  const T* source = in;
  for (int d = from.rank() - 1; d >= first; --d) {
    if (!moves(d)) continue;
    const window_dim& w = windows[std::size_t(d)];
    std::int64_t outer = 1, inner = 1;
    for (int e = 0; e < from.rank(); ++e)
      if (e != d) (e < d ? outer : inner) *= dims[e];
    dims[d] = w.out;
    if (d != first) next.assign(std::size_t(dims.elements()), initial);
    reduce_windows_along(w, outer, inner, source, d == first ? out : next.data(), initial, combine);
    std::swap(held, next);
    source = held.data();
  }
}

}  // namespace detail
}  // namespace jacquard
