#pragma once
// The way of a gather or a scatter through its windows. It follows from parameters and types, without an index, so that the compile-time lane finds
// it once and for all. Deliberately does not know what is done with a window.

#include "jacquard/prims/index_windows.hpp"

namespace jacquard::detail {

/// Windows that are looked up by one index each and lie in the array of windows at one distance: what most lookups are. Apart from
/// for_each_uneven_window, so that a loop over single elements has all that it wants in registers.
struct even_windows {
  std::int64_t rows = -1, distance = 0, most = 0, step = 0;
  bool is_possible = true, clips = false;

  /// Of fewer than no rows if they are not such.
  constexpr even_windows(const index_windows& w, bool clip, const shape& operand, const shape& indices, const shape& windows)
      : clips(clip) {
    if (w.index_map.size() != 1) return;
    for (std::int64_t d : w.operand_batching)
      if (operand[int(d)] != 1) return;
    const int_list all = windows.strides();
    std::int64_t expected = -1;
    distance = 0;
    for (int d = windows.rank() - 1, k = indices.rank() - 2; d >= 0; --d) {
      if (w.window_dims.contains(d)) continue;
      if (expected < 0) distance = all[d];
      else if (all[d] != expected) return;
      expected = all[d] * indices[k--];
    }
    const int indexed = int(w.index_map[0]);
    rows = shape(indices.without(indices.rank() - 1)).elements();
    most = operand[indexed] - w.sizes[indexed];
    step = operand.strides()[indexed];
    is_possible = most >= 0;
  }
  constexpr bool are_these() const { return rows >= 0; }
  /// Calls f as for_each_uneven_window does.
  template <class F>
  [[gnu::always_inline]] constexpr void for_each(const std::int64_t* index, F f) const {
    const std::int64_t n = rows, apart = distance, last = most, scale = step;
    const bool moves = clips && is_possible;
    for (std::int64_t row = 0; row < n; ++row) {
      const std::int64_t i = index[row];
      f(row * apart, (i < 0 ? 0 : i > last ? last : i) * scale, moves || (i >= 0 && i <= last));
    }
  }
};

/// Calls f(offset of the window in the array of windows, its offset in the operand, whether it lies inside) for every row
/// of indices, in row-major order. `clip` moves windows inside; a window never lies inside an empty dimension.
template <class F>
constexpr void for_each_uneven_window(const index_windows& w, bool clip, const shape& operand, const shape& indices, const shape& windows,
                               const std::int64_t* index, F&& f) {
  const shape rows(indices.without(indices.rank() - 1));
  const int_list dense = operand.strides(), row_number = rows.strides(), all = windows.strides();
  int_list row_strides;
  for (int d = 0; d < windows.rank(); ++d)
    if (!w.window_dims.contains(d)) row_strides.push_back(all[d]);
  const int count = w.index_map.size();
  std::array<std::int64_t, max_rank> room{}, scale{};
  bool is_possible = true;
  for (int k = 0; k < count; ++k) {
    const int d = int(w.index_map[k]);
    room[std::size_t(k)] = operand[d] - w.sizes[d];
    scale[std::size_t(k)] = dense[d];
    is_possible = is_possible && room[std::size_t(k)] >= 0;
  }
  for_each_pair(rows, row_strides, 0, row_number, 0, [&](std::int64_t out, std::int64_t row) {
    std::int64_t at = 0;
    bool inside = is_possible;
    for (int k = 0; k < count; ++k) {
      const std::int64_t most = room[std::size_t(k)], i = index[row * count + k];
      inside = inside && (clip || (i >= 0 && i <= most));
      at += (i < 0 ? 0 : i > most ? most : i) * scale[std::size_t(k)];
    }
    for (int k = 0; k < w.operand_batching.size(); ++k) {
      const int d = int(w.indices_batching[k]);
      at += row / row_number[d] % rows[d] * dense[int(w.operand_batching[k])];
    }
    f(out, at, inside);
  });
}

/// Sizes of a window and strides over it in the array of windows and in the operand.
struct window_strides {
  shape sizes;
  int_list in_windows, in_operand;
  std::int64_t run = 0;  ///< elements of a window that is dense in both; else 0
};
constexpr window_strides strides_of_window(const index_windows& w, const shape& operand, const shape& windows) {
  const int_list all = windows.strides(), dense = operand.strides();
  window_strides r;
  for (std::int64_t d : w.window_dims) r.in_windows.push_back(all[int(d)]);
  for (std::int64_t d : w.spanned()) {
    r.sizes.push_back(w.sizes[int(d)]);
    r.in_operand.push_back(dense[int(d)]);
  }
  std::int64_t run = 1;
  for (int d = r.sizes.rank() - 1; d >= 0; --d) {
    if (r.sizes[d] != 1 && (r.in_windows[d] != run || r.in_operand[d] != run)) return r;
    run *= r.sizes[d];
  }
  r.run = run;
  return r;
}

/// The way of a gather or a scatter through its windows, as far as parameters and types tell it.
struct window_walk {
  index_windows numbers;
  bool clips;
  shape operand, indices, windows;
  window_strides strides;
  even_windows even;

  /// From the parameters, not from each other: nvcc 13 takes members that make members for gone.
  constexpr window_walk(const index_windows& w, bool clip, const shape& from, const shape& rows, const shape& all)
      : numbers(w), clips(clip), operand(from), indices(rows), windows(all), strides(strides_of_window(w, from, all)), even(w, clip, from, rows, all) {}
  /// Whether windows are known to lie inside.
  constexpr bool never_leaves() const { return clips && even.are_these() && even.is_possible; }
  /// Calls f as for_each_uneven_window does.
  template <class F>
  [[gnu::always_inline]] constexpr void for_each(const std::int64_t* index, const F& f) const {
    if (even.are_these()) even.for_each(index, f);
    else for_each_uneven_window(numbers, clips, operand, indices, windows, index, f);
  }
};

}  // namespace jacquard::detail
