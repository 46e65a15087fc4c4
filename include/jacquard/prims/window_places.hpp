#pragma once
// Where the taps of windows lie, window after window: for what looks at all elements of a window at once. Deliberately without an
// operation; what combines along one dimension after the other is in reduction_windows.

#include <array>
#include <utility>
#include <vector>

#include "jacquard/prims/conv_window.hpp"

namespace jacquard::detail {

/// Goes through windows in row-major order and tells the places of their taps in the operand. Windows that lie side by side along the last
/// dimensions, of which each covers one element there, are visited together: their places follow each other.
class window_places {
 public:
  /// Of windows along each dimension of an array.
  constexpr window_places(std::vector<window_dim> windows, const shape& operand) : windows_(std::move(windows)), strides_(operand.strides()) {
    shape sizes;
    for (const window_dim& w : windows_) sizes.push_back(w.taps);
    while (!windows_.empty() && windows_.back().is_trivial()) side_ *= windows_.back().out, windows_.pop_back();
    const int_list each = sizes.strides();
    for (std::int64_t t = 0; t < sizes.elements(); ++t) {
      std::int64_t flat = 0;
      for (std::size_t d = 0; d < windows_.size(); ++d) {
        const std::int64_t offset = t / each[int(d)] % sizes[int(d)] * windows_[d].tap_dilation;
        offsets_.push_back(offset);
        flat += offset * strides_[int(d)];
      }
      flat_.push_back(flat);
    }
    for (std::size_t d = 0; d < windows_.size(); ++d) at_[d] = -windows_[d].low;
  }
  /// How many windows lie side by side.
  constexpr std::int64_t side() const { return side_; }
  /// The taps of a window that meet elements, in order: they lie at `base` + `offsets`.
  struct taps {
    std::int64_t base;
    const std::vector<std::int64_t>& offsets;
  };
  /// Those of the first of these windows. They are valid until the next call.
  constexpr taps here() {
    std::int64_t base = 0;
    bool whole = true;
    for (std::size_t d = 0; d < windows_.size(); ++d) {
      const window_dim& w = windows_[d];
      base += at_[d] * strides_[int(d)];
      whole = whole && w.dilation == 1 && at_[d] >= 0 && at_[d] + w.dilated_taps() <= w.size;
    }
    if (whole) return {base, flat_};
    some_.clear();
    for (std::size_t t = 0; t < flat_.size(); ++t)
      if (const std::int64_t place = place_of(t); place >= 0) some_.push_back(place);
    return {0, some_};
  }
  /// Goes on to the windows after these.
  constexpr void advance() {
    for (std::size_t d = windows_.size(); d-- > 0;) {
      at_[d] += windows_[d].stride;
      if (++index_[d] < windows_[d].out) return;
      index_[d] = 0, at_[d] = -windows_[d].low;
    }
  }

 private:
  /// Where tap t lies in the operand; -1 if nowhere.
  constexpr std::int64_t place_of(std::size_t t) const {
    std::int64_t r = 0;
    for (std::size_t d = 0; d < windows_.size(); ++d) {
      const window_dim& w = windows_[d];
      const std::int64_t i = at_[d] + offsets_[t * windows_.size() + d];
      if (i < 0 || i % w.dilation != 0 || i / w.dilation >= w.size) return -1;
      r += i / w.dilation * strides_[int(d)];
    }
    return r;
  }

  std::vector<window_dim> windows_;           ///< but for those of the last dimensions
  std::vector<std::int64_t> offsets_, flat_;  ///< of each tap: by dimension, and as a whole
  std::vector<std::int64_t> some_;            ///< places of taps, where others meet no element
  std::array<std::int64_t, max_rank> index_{}, at_{};
  int_list strides_;
  std::int64_t side_ = 1;
};

}  // namespace jacquard::detail
