#pragma once
// The arithmetic of convolution windows: sizes with padding, stride and dilation, the paddings of the two transposes, and how a
// dilated operand falls into windows without holes. Not a primitive itself; deliberately one dimension at a time.
// Source: Dumoulin, Visin, "A guide to convolution arithmetic for deep learning", 2016 (arXiv:1603.07285), whose relations hold
// with negative paddings, too.

#include "jacquard/core/shape.hpp"
#include "jacquard/prims/conv_dimensions.hpp"

namespace jacquard {

/// The parameters of conv_general_dilated. With paddings like "SAME" the numbers are left empty; they follow from the sizes.
struct conv_params {
  int_list window_strides, padding_low, padding_high, lhs_dilation, rhs_dilation, lhs_spec, rhs_spec, out_spec;
  std::int64_t feature_group_count, batch_group_count;
  padding_kind padding;
  static constexpr std::string_view fields =
      "window_strides padding_low padding_high lhs_dilation rhs_dilation lhs_spec rhs_spec out_spec feature_group_count "
      "batch_group_count padding";
  constexpr bool operator==(const conv_params&) const = default;
  constexpr int spatial() const { return lhs_spec.size() - 2; }
};

namespace detail {

/// The size of `n` elements with dilation - 1 holes between them.
constexpr std::int64_t dilated_size(std::int64_t n, std::int64_t dilation) { return n <= 0 ? 0 : (n - 1) * dilation + 1; }

/// One spatial dimension: output o meets tap k at element (o * stride + k * tap_dilation - low) / dilation of the operand, if
/// that is one.
struct window_dim {
  std::int64_t size = 1, taps = 1, stride = 1, low = 0, high = 0, dilation = 1, tap_dilation = 1, out = 1;

  constexpr bool operator==(const window_dim&) const = default;
  constexpr std::int64_t dilated() const { return dilated_size(size, dilation); }
  constexpr std::int64_t dilated_taps() const { return dilated_size(taps, tap_dilation); }
  constexpr std::int64_t dilated_out() const { return dilated_size(out, stride); }
  constexpr std::int64_t padded() const { return dilated() + low + high; }
  /// Whether there is a place for each element, which is all that it covers.
  constexpr bool is_trivial() const { return taps == 1 && stride == 1 && low == 0 && high == 0 && dilation == 1; }
  /// The number of places that the window has, where low and high are known.
  constexpr std::int64_t places() const { return padded() < dilated_taps() ? 0 : (padded() - dilated_taps()) / stride + 1; }
  /// Low and high such that there are ceil(size / stride) of them.
  constexpr void pad_to_same(bool more_at_low) {
    out = (size + stride - 1) / stride;
    const std::int64_t total = (out - 1) * stride + dilated_taps() - size, all = total > 0 ? total : 0;
    low = more_at_low ? all - all / 2 : all / 2;
    high = all - low;
  }
  /// Low and high of dimension d as parameters say, and the number of places.
  constexpr void pad_as(const auto& p, int d) {
    if (p.padding != padding_kind::numbers) return pad_to_same(p.padding == padding_kind::same_lower);
    low = p.padding_low[d];
    high = p.padding_high[d];
    out = places();
  }
  /// The window of the transpose with respect to the operand, which walks over the dilated cotangent with the taps reversed.
  constexpr window_dim transposed() const {
    window_dim t{out, taps, dilation, dilated_taps() - low - 1, 0, stride, tap_dilation, size};
    t.high = dilated() + dilated_taps() - 1 - dilated_out() - t.low;
    return t;
  }
  /// The window of the transpose with respect to the taps: the cotangent is the filter.
  constexpr window_dim transposed_to_taps() const {
    return {size, out, tap_dilation, low, dilated_out() - dilated() + dilated_taps() - low - 1, dilation, stride, taps};
  }
};

/// The window of spatial dimension d, with paddings and sizes.
constexpr window_dim window_of(const conv_params& p, const shape& x, const shape& k, int d) {
  window_dim w;
  w.size = x[int(p.lhs_spec[d + 2])];
  w.taps = k[int(p.rhs_spec[d + 2])];
  w.stride = p.window_strides[d];
  w.dilation = p.lhs_dilation[d];
  w.tap_dilation = p.rhs_dilation[d];
  w.pad_as(p, d);
  return w;
}
/// Puts strides, dilations and paddings of a window into parameters, at the end.
constexpr void add_window(conv_params& p, const window_dim& w) {
  p.window_strides.push_back(w.stride);
  p.padding_low.push_back(w.low);
  p.padding_high.push_back(w.high);
  p.lhs_dilation.push_back(w.dilation);
  p.rhs_dilation.push_back(w.tap_dilation);
}

/// Replaces the words "SAME" and "VALID" by the paddings that they mean for transposed convolutions, whose strides are lhs_dilation.
constexpr void pad_transposed(conv_params& p, const shape& k, const conv_padding& padding) {
  const bool fits = k.rank() == p.rhs_spec.size() && p.lhs_dilation.size() == p.spatial() && p.rhs_dilation.size() == p.spatial();
  if ((padding.kind == padding_kind::numbers && !padding.is_valid) || padding.kind == padding_kind::unknown || !fits) return;
  p.padding = padding_kind::numbers;
  p.padding_low = p.padding_high = {};
  for (int d = 0; d < p.spatial(); ++d) {
    const std::int64_t at = p.rhs_spec[d + 2], taps = dilated_size(at < 0 || at >= k.rank() ? 1 : k[int(at)], p.rhs_dilation[d]), s = p.lhs_dilation[d];
    std::int64_t low = taps - 1, all = taps + s - 2;
    if (padding.is_valid) all += taps > s ? taps - s : 0;
    else if (s <= taps - 1) low = (all + 1) / 2;
    p.padding_low.push_back(padding.kind == padding_kind::same_lower ? all - low : low);
    p.padding_high.push_back(padding.kind == padding_kind::same_lower ? low : all - low);
  }
}

constexpr std::int64_t greatest_divisor(std::int64_t a, std::int64_t b) {
  while (b != 0) {
    const std::int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/// Outputs first_out, first_out + out_step, ... of a dimension, which all meet taps first_tap, first_tap + tap_step, ... and no
/// others: output number t and tap number j of these lists meet element x + t * x_step + j * x_tap_step.
struct window_phase {
  std::int64_t first_out = 0, out_step = 1, outs = 1, first_tap = 0, tap_step = 1, taps = 1, x = 0, x_step = 1, x_tap_step = 1, size = 1;

  /// Which tap numbers meet an element with output t: begin <= j < end.
  struct range {
    std::int64_t begin = 0, end = 0;
    constexpr std::int64_t count() const { return end - begin; }
  };
  constexpr range taps_of(std::int64_t t) const { return inside(x + t * x_step, x_tap_step, taps); }
  /// Which outputs meet an element with tap number j.
  constexpr range outs_of(std::int64_t j) const { return inside(x + j * x_tap_step, x_step, outs); }
  constexpr bool is_inside() const {
    return outs == 0 || taps == 0 || (x >= 0 && x + (outs - 1) * x_step + (taps - 1) * x_tap_step < size);
  }

 private:
  constexpr range inside(std::int64_t at, std::int64_t step, std::int64_t count) const {
    range r{at < 0 ? -at : 0, at >= size ? 0 : size - at};
    if (step == 2) r = {(r.begin + 1) >> 1, (r.end + 1) >> 1};  // divisions take long
    else if (step != 1) r = {(r.begin + step - 1) / step, (r.end + step - 1) / step};
    if (r.end > count) r.end = count;
    if (r.end < r.begin) r.end = r.begin = 0;
    return r;
  }
};

/// How many phases a dimension has: one, unless the operand is dilated.
constexpr std::int64_t phase_count(const window_dim& w) { return w.dilation / greatest_divisor(w.stride, w.dilation); }

/// Phase number r of a dimension.
constexpr window_phase phase_of(const window_dim& w, std::int64_t r) {
  window_phase p;
  p.size = w.size;
  p.first_out = r;
  p.out_step = phase_count(w);
  p.outs = r < w.out ? (w.out - r + p.out_step - 1) / p.out_step : 0;
  p.tap_step = w.dilation / greatest_divisor(w.tap_dilation, w.dilation);
  p.taps = 0;
  p.x_step = w.stride / greatest_divisor(w.stride, w.dilation);
  p.x_tap_step = w.tap_dilation / greatest_divisor(w.tap_dilation, w.dilation);
  for (std::int64_t tap = 0; tap < p.tap_step && tap < w.taps; ++tap) {
    const std::int64_t at = r * w.stride + tap * w.tap_dilation - w.low;
    if (at % w.dilation != 0) continue;
    p.first_tap = tap;
    p.taps = (w.taps - tap + p.tap_step - 1) / p.tap_step;
    p.x = at / w.dilation;
    break;
  }
  return p;
}

}  // namespace detail
}  // namespace jacquard
