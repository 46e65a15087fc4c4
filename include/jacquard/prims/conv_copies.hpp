#pragma once
// Blocks of a patch matrix: what the windows of a convolution read, copied row by row, with zeros where a window reaches beyond the
// operand. Not a primitive itself; deliberately without a notion of filters.

#include <cstring>

#include "jacquard/prims/conv_loops.hpp"

namespace jacquard::detail {

/// An index space of a convolution: its places (batch and spatial dimensions of the result), or its depth (features and taps), what is
/// summed over. `order` lists the dimensions from outermost to innermost: -1 for batch or feature, d for spatial dimension d.
struct patch_space {
  int_list order{}, sizes{}, x{}, other{};  ///< sizes, and strides in the operand and in the result (places) or the filter (depth)

  constexpr void add(int dimension, std::int64_t size, std::int64_t x_stride, std::int64_t other_stride) {
    order.push_back(dimension);
    sizes.push_back(size);
    x.push_back(x_stride);
    other.push_back(other_stride);
  }
  constexpr std::int64_t elements() const { return shape(sizes).elements(); }
};

/// A box of an index space: its first index and its sizes.
struct patch_box {
  int_list first{}, sizes{};
  constexpr std::int64_t offset(const int_list& strides) const {
    std::int64_t at = 0;
    for (int d = 0; d < first.size(); ++d) at += first[d] * strides[d];
    return at;
  }
  constexpr std::int64_t elements() const { return shape(sizes).elements(); }
};

/// Calls f with boxes of at most `most` elements that cover the index space: whole inner dimensions, a part of one, single indices
/// of the outer ones.
template <class F>
constexpr void for_each_box(const int_list& sizes, std::int64_t most, F&& f) {
  if (shape(sizes).elements() == 0) return;
  int split = sizes.size() - 1;
  std::int64_t inner = 1;
  while (split > 0 && inner * sizes[split] <= most) inner *= sizes[split--];
  std::int64_t chunk = most / inner;
  if (chunk > sizes[split]) chunk = sizes[split];
  if (chunk < 1) chunk = 1;
  patch_box box{int_list::filled(sizes.size(), 0), sizes};
  for (int d = 0; d < split; ++d) box.sizes[d] = 1;
  while (true) {
    for (std::int64_t i = 0; i < sizes[split]; i += chunk) {
      box.first[split] = i;
      box.sizes[split] = chunk < sizes[split] - i ? chunk : sizes[split] - i;
      f(box);
    }
    int d = split - 1;
    for (; d >= 0 && ++box.first[d] == sizes[d]; --d) box.first[d] = 0;
    if (d < 0) return;
  }
}

/// Copies the block of a patch matrix whose rows are the indices of one box and whose columns are those of another one: places and
/// depth, or depth and places.
template <class T>
class patch_copy {
 public:
  patch_copy(const conv_phases& phases, const patch_space& rows, const patch_box& row_box, const patch_space& columns,
             const patch_box& column_box, bool rows_are_places)
      : phases_(phases), rows_(rows), row_box_(row_box), columns_(columns), column_box_(column_box), rows_are_places_(rows_are_places) {
    levels_ = columns.order.size();
    const int last = levels_ - 1;  // a dimension whose elements are rows of the innermost one is copied together with that
    if (last > 0 && columns.order[last] < 0 && columns.x[last] == 1 && columns.x[last - 1] == column_box.sizes[last]) run_ = column_box.sizes[last], --levels_;
    inner_ = int_list::filled(levels_, run_);
    for (int d = levels_ - 2; d >= 0; --d) inner_[d] = inner_[d + 1] * column_box.sizes[d + 1];
  }
  void run(const T* x, T* to) {
    int_list at = row_box_.first;
    if (row_box_.elements() == 0 || column_box_.elements() == 0) return;
    const std::int64_t start = column_box_.offset(columns_.x);
    for (int changed = 0; changed >= 0;) {
      std::int64_t from = start;
      for (int d = 0; d < at.size(); ++d) {
        from += at[d] * rows_.x[d];
        if (const std::int64_t s = rows_.order[d]; s >= 0 && d >= changed) {
          const window_phase& w = phases_[std::size_t(s)];
          ranges_[std::size_t(s)] = rows_are_places_ ? w.taps_of(at[d]) : w.outs_of(at[d]);
        }
      }
      to = fill(0, x, from, to);
      changed = at.size() - 1;
      for (; changed >= 0 && ++at[changed] == row_box_.first[changed] + row_box_.sizes[changed]; --changed) at[changed] = row_box_.first[changed];
    }
  }

 private:
  // Rows are short: calls of memset and memcpy would take longer than they do.
  static constexpr std::int64_t few = 8;
  static T* zeros(T* to, std::int64_t n) {
    if (n >= few) std::memset(static_cast<void*>(to), 0, std::size_t(n) * sizeof(T));
    else
      switch (n) {
        case 7: to[6] = T{}; [[fallthrough]];
        case 6: to[5] = T{}; [[fallthrough]];
        case 5: to[4] = T{}; [[fallthrough]];
        case 4: to[3] = T{}; [[fallthrough]];
        case 3: to[2] = T{}; [[fallthrough]];
        case 2: to[1] = T{}; [[fallthrough]];
        case 1: to[0] = T{}; [[fallthrough]];
        default: break;
      }
    return to + n;
  }
  static T* copies(T* to, const T* x, std::int64_t n, std::int64_t stride) {
    if (stride != 1) {
      for (std::int64_t i = 0; i < n; ++i) to[i] = x[i * stride];
    } else if (n > 32 * few) {
      std::memcpy(to, x, std::size_t(n) * sizeof(T));
    } else if (n >= few) {
      for (std::int64_t i = 0; i + few < n; i += few) std::memcpy(to + i, x + i, few * sizeof(T));
      std::memcpy(to + n - few, x + n - few, few * sizeof(T));  // overlaps what is there already
    } else {
      for (std::int64_t i = 0; i < n; ++i) to[i] = x[i];
    }
    return to + n;
  }
  /// Fills the columns of one row from dimension `level` on; `from` is where its first index lies.
  T* fill(int level, const T* x, std::int64_t from, T* to) const {
    const std::int64_t first = column_box_.first[level], size = column_box_.sizes[level], stride = columns_.x[level];
    std::int64_t begin = 0, end = size;
    if (const std::int64_t s = columns_.order[level]; s >= 0) {
      const window_phase::range r = ranges_[std::size_t(s)];
      begin = std::max<std::int64_t>(r.begin - first, 0);
      end = std::min(r.end - first, size);
      if (end <= begin) return zeros(to, size * inner_[level]);
    }
    to = zeros(to, begin * inner_[level]);
    if (level == levels_ - 1) to = copies(to, x + from + begin * stride, (end - begin) * run_, run_ == 1 ? stride : 1);
    else
      for (std::int64_t i = begin; i < end; ++i) to = fill(level + 1, x, from + i * stride, to);
    return zeros(to, (size - end) * inner_[level]);
  }

  const conv_phases& phases_;
  const patch_space& rows_;
  const patch_box& row_box_;
  const patch_space& columns_;
  const patch_box& column_box_;
  bool rows_are_places_;
  int levels_ = 0;
  std::int64_t run_ = 1;
  int_list inner_{};  ///< columns per index of each level
  std::array<window_phase::range, max_rank> ranges_{};
};

}  // namespace jacquard::detail
