#pragma once
// Convolutions of f32 by oneDNN, prepared once per shape. Operands that do not lie as oneDNN wants them are rearranged, filters that are
// constants of the program once. The threads of thread_pool share pieces of the batch, of the rows, or of the output features; pieces depend
// on the shape alone. Deliberately without dilated operands, and with AVX-512 without convolutions that are products of matrices: those of
// prims/conv_patches are as fast or faster there.

#include "jacquard/backends/cpu/held_operands.hpp"
#include "jacquard/backends/cpu/onednn_part.hpp"

namespace jacquard::cpu {

namespace detail {

/// A convolution, prepared: cut into pieces that are worth a thread.
class onednn_convolution {
 public:
  explicit onednn_convolution(const conv_plan& p) : plan_(p) {
    const onednn_functions* const f = onednn_calls();
    usable_ = f && suits(p) && prepare(*f);
  }
  const conv_plan& plan() const { return plan_; }
  bool usable() const { return usable_; }

  /// Whether it is one of those that oneDNN is faster at, which can be told without asking it.
  static bool suits(const conv_plan& p) {
    if (p.spatial < 1 || p.spatial > 3 || p.work() < least_work || p.taps() > most_taps) return false;
    if (p.groups.count > 1 && p.groups.x != p.ins.count * p.ins.x) return false;  // groups of the batch
    bool is_product = p.groups.count == 1;
    for (int d = 0; d < p.spatial; ++d) {
      const jacquard::detail::window_dim& w = p.windows[std::size_t(d)];
      if (w.dilation != 1 || w.low < 0 || w.high < 0) return false;
      is_product = is_product && w.taps == 1 && w.stride == 1 && w.low == 0 && w.high == 0;
    }
    static const bool has_fast_products = __builtin_cpu_supports("avx512f");
    return !is_product || !has_fast_products;
  }

  void run(const float* x, const float* k, float* out) const {
    const onednn_functions& f = *onednn_calls();
    array shared;
    {
      const onednn_scope alone;
      if (cuts_features_) x = parts_[0].source.arranged(f, x, shared);
      else k = filter(f, parts_[0].weights, k, shared);
    }
    const std::int64_t count = std::int64_t(pieces_.size());
    jacquard::detail::share_between_threads(count, double(plan_.work()) / double(count), [&](std::int64_t begin, std::int64_t end) {
      const onednn_scope alone;
      array own, result, scratchpad;
      for (std::int64_t i = begin; i < end; ++i) {
        const piece& p = pieces_[std::size_t(i)];
        const onednn_part& part = parts_[p.part];
        if (cuts_features_) run_piece(f, part, x, filter(f, part.weights, k + p.k, own), out + p.out, result, scratchpad);
        else run_piece(f, part, part.source.arranged(f, x + p.x, own), k, out + p.out, result, scratchpad);
      }
    });
  }

 private:
  static constexpr std::int64_t least_work = 200000, most_taps = 256, least_piece = 20000000;

  /// Where the elements of a piece begin.
  struct piece {
    std::size_t part = 0;
    std::int64_t x = 0, k = 0, out = 0;
  };

  /// A filter as oneDNN wants it; that of a constant is kept.
  static const float* filter(const onednn_functions& f, const onednn_operand& o, const float* data, array& own) {
    jacquard::detail::held_operands* const held = jacquard::detail::libraries_here ? jacquard::detail::libraries_here->held : nullptr;
    const void* kept = nullptr;
    if (held && o.reorder) kept = held->form(&o, data, [&](array& made) { o.arranged(f, data, made); });
    return kept ? static_cast<const float*>(kept) : o.arranged(f, data, own);
  }
  static void run_piece(const onednn_functions& f, const onednn_part& p, const float* x, const float* k, float* out, array& own, array& scratchpad) {
    void* const to = p.result.reorder ? static_cast<void*>(onednn_bytes(own, p.result.bytes)) : out;
    const onednn_memory result(f, p.result.wanted, to);
    p.run(f, onednn_memory(f, p.source.wanted, x), onednn_memory(f, p.weights.wanted, k), result, scratchpad);
    if (p.result.reorder) f.copy(p.result.reorder, result.get(), onednn_memory(f, p.result.given, out).get());
  }

  /// Pieces of the batch; of a single entry, or few, rows of the result where features lie last, else output features, at least 32 of them. The
  /// latter also where the filter is most of what is read, since every piece of rows reads all of it. False: oneDNN is not faster.
  bool prepare(const onednn_functions& f) {
    const std::int64_t n = plan_.batch.count, work = plan_.work();
    const bool by_rows = onednn_part::features_last(plan_) && !filter_is_most();
    std::int64_t each = n;
    for (std::int64_t m = n; m-- > 1;)
      if (n % m == 0 && work / n * m >= least_piece && n / m <= 16) each = m;
    for (std::int64_t m : {4, 2}) {
      if (n / each >= 4 || m <= n / each || work / m < least_piece) continue;
      const std::int64_t rows = (m + n - 1) / n;  // pieces of each entry
      if (by_rows && n < m && plan_.windows[0].out >= rows && work / (n * rows) >= least_piece) return prepare_rows(f, rows);
      if (!by_rows && plan_.groups.count == 1 && plan_.outs.count % (32 * m) == 0) return prepare_features(f, m);
    }
    conv_plan p = plan_;
    p.batch.count = each;
    for (std::int64_t i = 0; i < n; i += each) pieces_.push_back({0, i * plan_.batch.x, 0, i * plan_.batch.out});
    return prepare_part(f, p);
  }
  bool filter_is_most() const {
    std::int64_t read = plan_.batch.count * plan_.ins.count;
    for (int d = 0; d < plan_.spatial; ++d) read *= plan_.windows[std::size_t(d)].size;
    const std::int64_t written = plan_.batch.count * plan_.outs.count * plan_.places();
    return plan_.taps() * plan_.ins.count * plan_.outs.count > 16 * (read + written);
  }
  bool prepare_features(const onednn_functions& f, std::int64_t count) {
    conv_plan p = plan_;
    p.outs.count /= count;
    for (std::int64_t i = 0; i < count; ++i) pieces_.push_back({0, 0, i * p.outs.count * plan_.outs.k, i * p.outs.count * plan_.outs.out});
    cuts_features_ = true;
    return prepare_part(f, p);
  }
  /// Each with those rows of the source that it needs; padding is left to the first and the last ones. Every entry is an array of its own to
  /// oneDNN, which has no fast loops for some of the rows of several.
  bool prepare_rows(const onednn_functions& f, std::int64_t count) {
    const jacquard::detail::window_dim& all = plan_.windows[0];
    const jacquard::detail::conv_extent& row = plan_.strides[0];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t begin = all.out * i / count, end = all.out * (i + 1) / count;
      const std::int64_t first = begin * all.stride - all.low, last = (end - 1) * all.stride - all.low + all.dilated_taps() - 1;
      const std::int64_t from = first < 0 ? 0 : first, to = last < all.size ? last : all.size - 1;
      if (from > to) return false;  // a piece of padding alone
      conv_plan p = plan_;
      jacquard::detail::window_dim& w = p.windows[0];
      w.size = to - from + 1, w.low = from - first, w.high = last - to, w.out = end - begin;
      p.batch = {1, w.size * row.x, 0, w.out * row.out};
      for (std::int64_t e = 0; e < plan_.batch.count; ++e)
        pieces_.push_back({std::size_t(i), e * plan_.batch.x + from * row.x, 0, e * plan_.batch.out + begin * row.out});
      if (!prepare_part(f, p)) return false;
    }
    return true;
  }
  bool prepare_part(const onednn_functions& f, const conv_plan& p) {
    onednn_part part;
    const bool made = part.prepare(f, p, onednn_kind::forward, parts_.size() == 0 ? nullptr : &parts_[0]);
    parts_.push_back(part);
    return made;
  }

  conv_plan plan_;
  bool usable_ = false, cuts_features_ = false;
  list<onednn_part> parts_;
  list<piece> pieces_;
};

}  // namespace detail

}  // namespace jacquard::cpu
