#pragma once
// Where the taps of windows lie, window after window: for what looks at all elements of a window at once. Deliberately without an
// operation; what combines along one dimension after the other is in window_combination.

#include <array>
#include <utility>
#include <vector>

#include "jacquard/prims/conv_window.hpp"

namespace jacquard::detail {

/// Goes through windows in row-major order and tells the places of their taps in the operand, row by row along the last dimension that
/// windows move in. Windows whose places follow each other in equal steps are told of together, as lines: those side by side along the
/// dimensions after that one, of which each covers one element there, or those along it.
class window_places {
 public:
  /// Of windows along each dimension of an array.
  constexpr window_places(std::vector<window_dim> windows, const shape& operand) : windows_(std::move(windows)), strides_(operand.strides()) {
    while (!windows_.empty() && windows_.back().is_trivial()) side_ *= windows_.back().out, windows_.pop_back();
    if (windows_.empty()) windows_.push_back({}), strides_ = {side_};
    while (moving_ + 1 < windows_.size() && windows_[moving_].is_trivial()) ++moving_;
    for (std::size_t d = 0; d < windows_.size(); ++d) at_[d] = -windows_[d].low;
    begin_row();
  }
  /// `lines` lines of `length` windows each. Window i of line l has its taps that meet elements, in order, at
  /// base() + place + l * shift + i * step + offsets(these).
  struct taps {
    std::int64_t place;
    std::size_t first, count;
    std::int64_t lines, shift, length, step;
    constexpr std::int64_t windows() const { return lines * length; }
  };
  /// Those from here on, up to the end of the row, but for rows that have too many of them. They are valid until the next call of advance(),
  /// as is what follows.
  constexpr const std::vector<taps>& here() const { return stretch_; }
  constexpr std::int64_t base() const { return row_; }
  constexpr view<const std::int64_t> offsets(const taps& t) const { return {offsets_.data() + t.first, t.count}; }
  /// Where the elements end that these windows have, along the first dimension that windows move in.
  constexpr std::int64_t reach() const {
    std::int64_t r = 0;
    for (std::size_t d = 0; d < moving_; ++d) r += at_[d] * strides_[int(d)];
    const window_dim& w = windows_[moving_];
    const std::int64_t last = moving_ + 1 == windows_.size() ? (end_ - 1) * w.stride - w.low : at_[moving_], end = last + w.dilated_taps();
    const std::int64_t rows = end <= 0 ? 0 : (end + w.dilation - 1) / w.dilation;
    return r + (rows < w.size ? rows : w.size) * strides_[int(moving_)];
  }
  /// Goes on to the windows after these.
  constexpr void advance() {
    if (end_ < windows_.back().out) return find_stretch(end_);
    for (std::size_t d = windows_.size() - 1; d-- > 0;) {
      at_[d] += windows_[d].stride;
      if (++index_[d] < windows_[d].out) return begin_row();
      index_[d] = 0, at_[d] = -windows_[d].low;
    }
  }

 private:
  /// Whether all taps of a window that starts at `at` meet elements, next to each other.
  static constexpr bool is_whole(const window_dim& w, std::int64_t at) { return w.dilation == 1 && at >= 0 && at + w.dilated_taps() <= w.size; }
  /// Adds to `to` the places of the taps along dimension d, of a window that starts at `at`, of each of `rows`.
  constexpr void find_taps(const std::vector<std::int64_t>& rows, std::size_t d, std::int64_t at, std::vector<std::int64_t>& to) const {
    const window_dim& w = windows_[d];
    for (std::int64_t row : rows)
      for (std::int64_t tap = at; tap < at + w.dilated_taps(); tap += w.tap_dilation)
        if (tap >= 0 && tap % w.dilation == 0 && tap / w.dilation < w.size) to.push_back(row + tap / w.dilation * strides_[int(d)]);
  }
  /// Finds the taps along all dimensions but the last, and the first windows there. In whole rows they are the same, one after the other.
  constexpr void begin_row() {
    const std::size_t last = windows_.size() - 1;
    bool whole = true;
    row_ = 0;
    for (std::size_t d = 0; d < last; ++d) whole = whole && is_whole(windows_[d], at_[d]), row_ += at_[d] * strides_[int(d)];
    if (whole && whole_ && stretch_is_row_) return;
    if (!whole || !whole_) {
      if (!whole) row_ = 0;
      rows_.assign(1, -row_);
      for (std::size_t d = 0; d < last; ++d) held_.clear(), find_taps(rows_, d, at_[d], held_), std::swap(rows_, held_);
    }
    whole_ = whole;
    find_stretch(0);
  }
  /// Finds windows of this row from the one with number `i` on.
  constexpr void find_stretch(std::int64_t i) {
    const std::size_t last = windows_.size() - 1;
    const window_dim& w = windows_[last];
    const bool from_start = i == 0;
    stretch_.clear(), offsets_.clear();
    while (i < w.out && stretch_.size() + offsets_.size() < most_kept) {
      const std::size_t first = offsets_.size();
      const std::int64_t at = i * w.stride - w.low;
      if (!is_whole(w, at)) {
        find_taps(rows_, last, at, offsets_);
        stretch_.push_back({0, first, offsets_.size() - first, 1, 0, side_, 1});
        ++i;
        continue;
      }
      find_taps(rows_, last, 0, offsets_);
      const std::int64_t places = (w.size - w.dilated_taps() - at) / w.stride + 1, left = w.out - i;  // that are whole, too
      const std::int64_t count = places < left ? places : left, place = at * strides_[int(last)], shift = w.stride * strides_[int(last)];
      taps all{place, first, offsets_.size() - first, 1, 0, count * side_, side_ == 1 ? shift : 1};
      if (side_ != 1 && shift != side_) all.lines = count, all.shift = shift, all.length = side_;
      stretch_.push_back(all);
      i += count;
    }
    end_ = i;
    stretch_is_row_ = from_start && i == w.out;
  }

  static constexpr std::size_t most_kept = 4096;
  std::vector<window_dim> windows_;          ///< but for those of the last dimensions that do not move
  std::vector<taps> stretch_;                ///< windows of this row, up to the one with number end_
  std::vector<std::int64_t> offsets_;        ///< of their taps
  std::int64_t end_ = 0;
  bool stretch_is_row_ = false;
  std::vector<std::int64_t> rows_, held_;    ///< taps along all dimensions but the last, from row_ on
  std::int64_t row_ = 0;
  bool whole_ = false;                       ///< windows are whole along all dimensions but the last
  std::size_t moving_ = 0;                   ///< the first dimension that windows move in
  std::array<std::int64_t, max_rank> index_{}, at_{};
  int_list strides_;
  std::int64_t side_ = 1;
};

}  // namespace jacquard::detail
