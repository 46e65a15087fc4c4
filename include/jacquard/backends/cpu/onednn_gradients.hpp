#pragma once
// Convolutions that are gradients of convolutions, which oneDNN computes as such: with a dilated operand, that of the source of one with
// strides; with as many taps as images have places and a result of few, that of a filter. Pieces of the batch are shared between threads; where
// they are summed, that is done in their order. Deliberately without those that are one product of matrices.

#include "jacquard/backends/cpu/onednn_part.hpp"

namespace jacquard::cpu::detail {

/// The padding after the last element for which a convolution has its places, 0 where the last elements meet none.
inline bool pad_at_end(jacquard::detail::window_dim& w) {
  w.high = (w.out - 1) * w.stride + w.dilated_taps() - w.size - w.low;
  if (w.high < 0 && w.high + w.stride > 0) w.high = 0;
  return w.low >= 0 && w.high >= 0;
}

/// What both kinds of gradients share: `Gradient` says for which convolutions it is, which one it differentiates, and how it runs.
template <class Gradient>
class onednn_gradient {
 public:
  explicit onednn_gradient(const conv_plan& p) : plan_(p) {
    const onednn_functions* const f = onednn_calls();
    if (!f || !suits(p)) return;
    conv_plan q;
    Gradient::differentiated(p, q);
    const std::int64_t n = q.batch.count;
    for (std::int64_t m = most_pieces; m > 1 && pieces_ == 1; --m)
      if (n % m == 0 && p.work() / m >= least_piece) pieces_ = m;
    q.batch.count = n / pieces_;
    each_ = q.batch;
    usable_ = part_.prepare(*f, q, Gradient::kind);
  }
  const conv_plan& plan() const { return plan_; }
  bool usable() const { return usable_; }
  /// Whether it is one of those that oneDNN is faster at, which can be told without asking it.
  static bool suits(const conv_plan& p) {
    conv_plan q;
    return p.spatial >= 1 && p.spatial <= 3 && p.work() >= least_work && Gradient::is_for(p) && Gradient::differentiated(p, q);
  }

 protected:
  /// Calls f(piece, memory of its own) for each piece.
  template <class F>
  void each_piece(F&& f) const {
    jacquard::detail::share_between_threads(pieces_, double(plan_.work()) / double(pieces_), [&](std::int64_t begin, std::int64_t end) {
      const onednn_scope alone;
      array own[3];
      for (std::int64_t i = begin; i < end; ++i) f(i, own);
    });
  }

  static constexpr std::int64_t least_work = 200000, least_piece = 20000000, most_pieces = 4;

  conv_plan plan_;
  onednn_part part_;
  std::int64_t pieces_ = 1;
  jacquard::detail::conv_extent each_;  ///< the batch of a piece of the convolution that is differentiated
  bool usable_ = false;
};

/// Of the filter: what is summed over is the batch of the convolution that is differentiated, and the batch its features.
class onednn_filter_gradient : public onednn_gradient<onednn_filter_gradient> {
 public:
  static constexpr onednn_kind kind = onednn_kind::weights_gradient;
  using onednn_gradient::onednn_gradient;

  static bool is_for(const conv_plan& p) {
    if (p.groups.count > 1 && (p.groups.x != p.batch.count * p.batch.x || p.groups.k != p.outs.count * p.outs.k)) return false;
    return p.taps() > p.places() && (p.groups.count > 1 || p.places() > 1);
  }
  /// False: oneDNN has no such convolution.
  static bool differentiated(const conv_plan& p, conv_plan& q) {
    q = p;
    q.batch = {p.ins.count, p.ins.x, 0, p.ins.k};
    q.ins = {p.batch.count, p.batch.x, p.batch.out, 0};
    q.outs = {p.outs.count, 0, p.outs.out, p.outs.k};
    q.groups = {p.groups.count, p.groups.x, p.groups.out, p.groups.k};
    bool ok = true;
    for (std::size_t d = 0; d < std::size_t(p.spatial); ++d) {
      const jacquard::detail::window_dim& w = p.windows[d];
      q.windows[d] = {w.size, w.out, w.tap_dilation, w.low, 0, 1, w.stride, w.taps};
      q.strides[d] = {0, p.strides[d].x, p.strides[d].out, p.strides[d].k};
      ok = w.dilation == 1 && pad_at_end(q.windows[d]) && ok;
    }
    return ok;
  }
  void run(const float* x, const float* k, float* out) const {
    const onednn_functions& f = *onednn_calls();
    const onednn_operand& result = part_.weights;
    const std::int64_t elements = result.bytes / std::int64_t(sizeof(float));
    array sums;
    float* const sum = pieces_ == 1 && !result.reorder ? out : reinterpret_cast<float*>(onednn_bytes(sums, pieces_ * result.bytes));
    each_piece([&](std::int64_t i, array* own) {
      const float* const source = part_.source.arranged(f, x + i * each_.count * each_.x, own[0]);
      const float* const cotangent = part_.result.arranged(f, k + i * each_.count * each_.out, own[1]);
      part_.run(f, onednn_memory(f, part_.source.wanted, source), onednn_memory(f, result.wanted, sum + i * elements),
                onednn_memory(f, part_.result.wanted, cotangent), own[2]);
    });
    for (std::int64_t i = 1; i < pieces_; ++i)
      for (std::int64_t j = 0; j < elements; ++j) sum[j] += sum[i * elements + j];
    const onednn_scope alone;
    if (result.reorder) f.copy(result.reorder, onednn_memory(f, result.wanted, sum).get(), onednn_memory(f, result.given, out).get());
    else if (sum != out) std::memcpy(out, sum, std::size_t(result.bytes));
  }
};

/// Of the source, for strides: the operand is the cotangent, dilated by them, and the filter is reversed.
class onednn_source_gradient : public onednn_gradient<onednn_source_gradient> {
 public:
  static constexpr onednn_kind kind = onednn_kind::source_gradient;
  using onednn_gradient::onednn_gradient;

  static bool is_for(const conv_plan& p) {
    if (p.groups.count > 1 && (p.groups.x != p.ins.count * p.ins.x || p.groups.out != p.outs.count * p.outs.out)) return false;
    bool dilated = false;
    for (int d = 0; d < p.spatial; ++d) {
      if (p.windows[std::size_t(d)].stride != 1) return false;
      dilated = dilated || p.windows[std::size_t(d)].dilation != 1;
    }
    return dilated;
  }
  /// With the filter reversed and dense, feature after feature.
  static bool differentiated(const conv_plan& p, conv_plan& q) {
    q = p;
    q.batch = {p.batch.count, p.batch.out, 0, p.batch.x};
    std::int64_t stride = 1;
    bool ok = true;
    for (std::size_t d = std::size_t(p.spatial); d-- > 0;) {
      const jacquard::detail::window_dim& w = p.windows[d];
      q.windows[d] = {w.out, w.taps, w.dilation, w.dilated_taps() - 1 - w.low, 0, 1, w.tap_dilation, w.size};
      q.strides[d] = {0, p.strides[d].out, stride, p.strides[d].x};
      stride *= w.taps;
      ok = pad_at_end(q.windows[d]) && ok;
    }
    q.ins = {p.outs.count, p.outs.out, stride, 0};
    q.outs = {p.ins.count, 0, stride * p.outs.count, p.ins.x};
    q.groups = {p.groups.count, p.groups.out, q.outs.k * q.outs.count, p.groups.x};
    return ok;
  }
  void run(const float* x, const float* k, float* out) const {
    const onednn_functions& f = *onednn_calls();
    array reversed, filter;
    {
      const onednn_scope alone;
      k = part_.weights.arranged(f, reverse(k, reversed), filter);
    }
    const onednn_operand& result = part_.source;
    each_piece([&](std::int64_t i, array* own) {
      const float* const cotangent = part_.result.arranged(f, x + i * each_.count * each_.out, own[0]);
      float* const to = out + i * each_.count * each_.x;
      const onednn_memory made(f, result.wanted, result.reorder ? static_cast<void*>(onednn_bytes(own[1], result.bytes)) : to);
      part_.run(f, made, onednn_memory(f, part_.weights.wanted, k), onednn_memory(f, part_.result.wanted, cotangent), own[2]);
      if (result.reorder) f.copy(result.reorder, made.get(), onednn_memory(f, result.given, to).get());
    });
  }

 private:
  const float* reverse(const float* k, array& memory) const {
    const conv_plan& p = plan_;
    const std::int64_t taps = p.taps();
    float* to = reinterpret_cast<float*>(onednn_bytes(memory, p.groups.count * p.ins.count * p.outs.count * taps * std::int64_t(sizeof(float))));
    const float* const begin = to;
    shape sizes{p.groups.count, p.ins.count, p.outs.count};
    int_list from{p.groups.k, p.ins.k, p.outs.k};
    for (int d = 0; d < p.spatial; ++d) {
      const std::int64_t n = p.windows[std::size_t(d)].taps, step = p.strides[std::size_t(d)].k;
      sizes.push_back(n), from.push_back(-step);
      k += (n - 1) * step;
    }
    for_each_pair(sizes, sizes.strides(), 0, from, 0, [&](std::int64_t o, std::int64_t i) { to[o] = k[i]; });
    return begin;
  }
};

}  // namespace jacquard::cpu::detail
