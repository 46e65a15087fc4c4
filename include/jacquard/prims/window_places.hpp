#pragma once
// Where the taps of windows lie, window after window: for what looks at all elements of a window at once. Deliberately without an
// operation; what combines along one dimension after the other is in window_combination.

#include <array>
#include <utility>
#include <vector>

#include "jacquard/prims/conv_window.hpp"

namespace jacquard::detail {

/// Goes through windows in row-major order and tells the places of their taps in the operand. Windows whose places follow each other in equal
/// steps are visited together, as lines: those side by side along the last dimensions, of which each covers one element there, or those
/// along the last dimension that windows move in.
class window_places {
 public:
  /// Of windows along each dimension of an array.
  constexpr window_places(std::vector<window_dim> windows, const shape& operand) : windows_(std::move(windows)), strides_(operand.strides()) {
    while (!windows_.empty() && windows_.back().is_trivial()) side_ *= windows_.back().out, windows_.pop_back();
    if (windows_.empty()) windows_.push_back({}), strides_ = {side_};
    for (std::size_t d = 0; d < windows_.size(); ++d) at_[d] = -windows_[d].low;
    begin_row();
  }
  /// `lines` lines of `length` windows each. Window i of line l has its taps that meet elements, in order, at
  /// base + l * shift + i * step + offsets. No element at or after `reach` is in a window up to the last of these.
  struct taps {
    std::int64_t base;
    const std::vector<std::int64_t>& offsets;
    std::int64_t lines, shift, length, step, reach;
    constexpr std::int64_t windows() const { return lines * length; }
  };
  /// Those from here on. They are valid until the next call.
  constexpr taps here() {
    const window_dim& w = windows_.back();
    const std::size_t last = windows_.size() - 1;
    const std::int64_t at = at_[last], stride = strides_[int(last)];
    if (!is_whole(w, at)) return {row_, at_edge(at), 1, 0, side_, 1, reach(1)};
    const std::int64_t places = (w.size - w.dilated_taps() - at) / w.stride + 1, left = w.out - index_[last];  // that are whole, too
    const std::int64_t count = places < left ? places : left, shift = w.stride * stride, base = row_ + at * stride;
    if (side_ == 1) return {base, inside(), 1, 0, count, shift, reach(count)};
    if (shift == side_) return {base, inside(), 1, 0, count * side_, 1, reach(count)};
    return {base, inside(), count, shift, side_, 1, reach(count)};
  }
  /// Goes on to the windows after the next `count`, which here() told of.
  constexpr void advance(std::int64_t count) {
    count /= side_;
    for (std::size_t d = windows_.size(); d-- > 0; count = 1) {
      at_[d] += windows_[d].stride * count;
      if ((index_[d] += count) < windows_[d].out) {
        if (d + 1 != windows_.size()) begin_row();
        return;
      }
      index_[d] = 0, at_[d] = -windows_[d].low;
    }
  }

 private:
  /// Whether all taps of a window that starts at `at` meet elements, next to each other.
  static constexpr bool is_whole(const window_dim& w, std::int64_t at) { return w.dilation == 1 && at >= 0 && at + w.dilated_taps() <= w.size; }
  /// Adds to `to` the places of the taps along dimension d, of a window that starts at at_[d], of each of `rows`.
  constexpr void find_taps(const std::vector<std::int64_t>& rows, std::size_t d, std::vector<std::int64_t>& to) const {
    const window_dim& w = windows_[d];
    to.clear();
    for (std::int64_t row : rows)
      for (std::int64_t t = 0; t < w.taps; ++t) {
        const std::int64_t at = at_[d] + t * w.tap_dilation;
        if (at >= 0 && at % w.dilation == 0 && at / w.dilation < w.size) to.push_back(row + at / w.dilation * strides_[int(d)]);
      }
  }
  /// Finds the taps along all dimensions but the last. Those of whole windows are the same from row to row.
  constexpr void begin_row() {
    const std::size_t last = windows_.size() - 1;
    bool whole = true;
    row_ = 0;
    for (std::size_t d = 0; d < last; ++d) whole = whole && is_whole(windows_[d], at_[d]), row_ += at_[d] * strides_[int(d)];
    if (whole && whole_) return;
    whole_ = whole;
    if (!whole) row_ = 0;
    rows_.assign(1, -row_);
    for (std::size_t d = 0; d < last; ++d) find_taps(rows_, d, held_), std::swap(rows_, held_);
    offsets_.clear(), edges_.clear(), kept_ = 0;
  }
  /// The taps of all that whole windows along the last dimension have, from where they start.
  constexpr const std::vector<std::int64_t>& inside() {
    if (offsets_.empty())
      for (std::int64_t row : rows_)
        for (std::int64_t t = 0; t < windows_.back().taps; ++t) offsets_.push_back(row + t * windows_.back().tap_dilation * strides_[int(windows_.size()) - 1]);
    return offsets_;
  }
  /// The taps of a window at the edge of the last dimension, or over an operand with holes. Those of edges are kept for the next rows, but not
  /// of all the windows that are as large as the operand.
  constexpr const std::vector<std::int64_t>& at_edge(std::int64_t at) {
    for (const edge& e : edges_)
      if (e.at == at) return e.offsets;
    find_taps(rows_, windows_.size() - 1, held_);
    const std::size_t places = held_.size() + 1;
    if (windows_.back().dilation > 1 || kept_ + places > most_kept) return held_;
    kept_ += places;
    edges_.push_back({at, held_});
    return edges_.back().offsets;
  }
  /// Where the elements end that `count` windows from here on have, along the first dimension that windows move in.
  constexpr std::int64_t reach(std::int64_t count) const {
    std::size_t d = 0;
    std::int64_t r = 0;
    while (d + 1 < windows_.size() && windows_[d].is_trivial()) r += at_[d] * strides_[int(d)], ++d;
    const window_dim& w = windows_[d];
    const std::int64_t last = at_[d] + (d + 1 == windows_.size() ? (count - 1) * w.stride : 0), end = last + w.dilated_taps();
    const std::int64_t rows = end <= 0 ? 0 : (end + w.dilation - 1) / w.dilation;
    return r + (rows < w.size ? rows : w.size) * strides_[int(d)];
  }

  static constexpr std::size_t most_kept = 4096;
  struct edge {
    std::int64_t at;
    std::vector<std::int64_t> offsets;
  };
  std::vector<window_dim> windows_;  ///< but for those of the last dimensions that do not move
  std::vector<std::int64_t> rows_;   ///< taps along all dimensions but the last, from row_ on
  std::int64_t row_ = 0;
  bool whole_ = false;                         ///< windows are whole along all dimensions but the last
  std::vector<std::int64_t> offsets_, held_;   ///< taps of whole windows in this row
  std::vector<edge> edges_;                    ///< of others
  std::size_t kept_ = 0;                       ///< places in these
  std::array<std::int64_t, max_rank> index_{}, at_{};
  int_list strides_;
  std::int64_t side_ = 1;
};

}  // namespace jacquard::detail
