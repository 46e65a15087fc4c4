#pragma once
// A convolution, or one of its two gradients, as one primitive of oneDNN: layouts, scratchpad, call. Deliberately without threads and
// without the choice of what is worth it.

#include "jacquard/backends/cpu/onednn_functions.hpp"
#include "jacquard/prims/conv_loops.hpp"

namespace jacquard::cpu::detail {

using jacquard::detail::conv_plan;

/// What is computed of source, weights and result: the result, or from its cotangent that of the source or of the weights.
enum class onednn_kind { forward, source_gradient, weights_gradient };

/// A convolution, or a piece of one, as oneDNN computes it.
struct onednn_part {
  onednn_kind kind = onednn_kind::forward;
  onednn_operand source, weights, result;
  onednn_scratchpad scratchpad;
  void* primitive = nullptr;

  /// Of this kind for the convolution `p`; with weights that lie like those of `like`, where there is one. False: oneDNN is not faster at it.
  bool prepare(const onednn_functions& f, const conv_plan& p, onednn_kind its_kind, const onednn_part* like = nullptr) {
    kind = its_kind;
    const std::int64_t n = p.batch.count, outs = p.outs.count, g = p.groups.count;
    const int spatial = p.spatial, rank = spatial + 2, grouped = g > 1;
    std::int64_t images[5] = {n, g * p.ins.count}, image_strides[5] = {p.batch.x, p.ins.x};
    std::int64_t results[5] = {n, g * outs}, result_strides[5] = {p.batch.out, p.outs.out};
    std::int64_t filters[6] = {g, outs, p.ins.count}, filter_strides[6] = {p.groups.k, p.outs.k, p.ins.k};
    onednn_window window;
    for (int d = 0; d < spatial; ++d) {
      const jacquard::detail::window_dim& w = p.windows[std::size_t(d)];
      const jacquard::detail::conv_extent& s = p.strides[std::size_t(d)];
      images[d + 2] = w.size, image_strides[d + 2] = s.x;
      results[d + 2] = w.out, result_strides[d + 2] = s.out;
      filters[d + 3] = w.taps, filter_strides[d + 3] = s.k;
      window.strides[d] = w.stride, window.dilations[d] = w.tap_dilation - 1, window.low[d] = w.low, window.high[d] = w.high;
    }
    const std::int64_t *const w = filters + !grouped, *const ws = filter_strides + !grouped;
    const int filter_rank = rank + grouped;
    if (!source.lies(f, rank, images, image_strides) || !weights.lies(f, filter_rank, w, ws) || !result.lies(f, rank, results, result_strides))
      return false;
    onednn_layout any_source = source.given, any_weights, any_result = result.given;
    if (like) any_weights = like->weights.wanted;
    else if (!any_weights.leave_open(f, filter_rank, w)) return false;
    if (!features_last(p)) {
      if (!any_source.leave_open(f, rank, images) || !any_result.leave_open(f, rank, results)) return false;
    } else if (result_strides[rank - 1] > g * outs) {  // some of the features: oneDNN is fast at them where no others lie between
      std::int64_t dense = g * outs;
      for (int d = rank; d-- > 2; dense *= results[d]) result_strides[d] = dense;
      result_strides[0] = dense;
      if (f.layout_of_strides(any_result.bytes, rank, results, onednn_number::f32, result_strides) != 0) return false;
    }
    const onednn_scope alone;
    void* const choice = choose(f, any_source, any_weights, any_result, window);
    if (!choice) return false;
    const bool made = f.is_fast(choice) && connect(f, choice) && f.make(&primitive, choice) == 0;
    f.forget_choice(choice);
    return made;
  }
  /// Which is fast as it is, unless some of the features are left out.
  static bool features_last(const conv_plan& p) { return p.ins.x == 1 && p.outs.out == 1; }

  /// Operands lie as oneDNN wants them.
  void run(const onednn_functions& f, const onednn_memory& x, const onednn_memory& k, const onednn_memory& out, array& own) const {
    const onednn_memory scratch(f, scratchpad.layout, scratchpad.in(own));
    const onednn_functions::argument arguments[] = {{of_source(onednn_number::source, onednn_number::source_gradient), x.get()},
                                                    {of_weights(onednn_number::weights, onednn_number::weights_gradient), k.get()},
                                                    {of_result(onednn_number::result, onednn_number::result_gradient), out.get()},
                                                    {onednn_number::scratchpad, scratch.get()}};
    f.run(primitive, arguments, 4);
  }

 private:
  struct onednn_window {
    std::int64_t strides[3], dilations[3], low[3], high[3];
  };

  int of_source(int value, int gradient) const { return kind == onednn_kind::source_gradient ? gradient : value; }
  int of_weights(int value, int gradient) const { return kind == onednn_kind::weights_gradient ? gradient : value; }
  int of_result(int value, int gradient) const { return kind == onednn_kind::forward ? value : gradient; }

  /// What oneDNN does for these layouts; null if nothing. For a gradient it wants to know what it does for the convolution.
  void* choose(const onednn_functions& f, const onednn_layout& x, const onednn_layout& k, const onednn_layout& out, const onednn_window& w) const {
    const auto chosen = [&](auto describe, void* hint) -> void* {
      onednn_description c;
      void* choice = nullptr;
      return describe(c.bytes) == 0 && f.choose(&choice, c.bytes, f.attributes, f.engine, hint) == 0 ? choice : nullptr;
    };
    const int purpose = kind == onednn_kind::forward ? onednn_number::forward_inference : onednn_number::forward_training;
    void* const forward = chosen([&](void* c) {
      return f.describe_convolution(c, purpose, onednn_number::direct_convolution, x.bytes, k.bytes, nullptr, out.bytes, w.strides, w.dilations, w.low, w.high);
    }, nullptr);
    if (kind == onednn_kind::forward || !forward) return forward;
    void* const backward = chosen([&](void* c) {
      if (kind == onednn_kind::source_gradient)
        return f.describe_source_gradient(c, onednn_number::direct_convolution, x.bytes, k.bytes, out.bytes, w.strides, w.dilations, w.low, w.high);
      return f.describe_weights_gradient(c, onednn_number::direct_convolution, x.bytes, k.bytes, nullptr, out.bytes, w.strides, w.dilations, w.low, w.high);
    }, forward);
    f.forget_choice(forward);
    return backward;
  }
  bool connect(const onednn_functions& f, const void* choice) {
    scratchpad.take(f, choice);
    const auto layout = [&](int number) { return f.layout_in(choice, number, 0); };
    return source.connect(f, layout(of_source(onednn_number::source_layout, onednn_number::source_gradient_layout)), kind == onednn_kind::source_gradient) &&
           weights.connect(f, layout(of_weights(onednn_number::weights_layout, onednn_number::weights_gradient_layout)), kind == onednn_kind::weights_gradient) &&
           result.connect(f, layout(of_result(onednn_number::result_layout, onednn_number::result_gradient_layout)), kind == onednn_kind::forward);
  }
};

}  // namespace jacquard::cpu::detail
