#pragma once
// Stable sorting, in constant evaluation too. Here because <algorithm> would cost every user of the library a twentieth of what
// including it takes, for this one function. Deliberately one algorithm, with the caller's memory.

#include <cstddef>
#include <utility>

namespace jacquard::detail {

/// Sorts items[0, count) by `less(a, b)`; equal items keep their order. `scratch` has room for as many, of any value.
/// Cost: O(n log n) comparisons; n where the items are in order already (bottom-up merge sort, Knuth 5.2.4).
template <class T, class Less>
constexpr void merge_sort(T* items, std::size_t count, T* scratch, Less less) {
  constexpr std::size_t run = 12;
  for (std::size_t first = 0; first < count; first += run) {
    const std::size_t last = first + run < count ? first + run : count;
    for (std::size_t i = first + 1; i < last; ++i) {
      T moved = std::move(items[i]);
      std::size_t k = i;
      for (; k > first && less(moved, items[k - 1]); --k) items[k] = std::move(items[k - 1]);
      items[k] = std::move(moved);
    }
  }
  T *from = items, *to = scratch;
  for (std::size_t width = run; width < count; width *= 2, std::swap(from, to))
    for (std::size_t first = 0; first < count; first += 2 * width) {
      const std::size_t middle = first + width < count ? first + width : count;
      const std::size_t last = middle + width < count ? middle + width : count;
      std::size_t a = first, b = middle, at = first;
      if (middle < last && less(from[middle], from[middle - 1]))
        while (a < middle && b < last) {
          const bool second = less(from[b], from[a]);
          to[at++] = std::move(from[second ? b : a]);
          a += !second;
          b += second;
        }
      while (a < middle) to[at++] = std::move(from[a++]);
      while (b < last) to[at++] = std::move(from[b++]);
    }
  if (from != items)
    for (std::size_t i = 0; i < count; ++i) items[i] = std::move(from[i]);
}

/// The same for short lists, with memory of its own.
template <class List, class Less>
constexpr void stable_sort(List& items, Less less) {
  List scratch(items.size());
  merge_sort(items.data(), items.size(), scratch.data(), less);
}
template <class List>
constexpr void stable_sort(List& items) {
  detail::stable_sort(items, [](const auto& a, const auto& b) { return a < b; });
}

/// Sorts, and drops what occurs twice.
template <class List>
constexpr void sort_unique(List& items) {
  detail::stable_sort(items);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i == 0 || !(items[i] == items[kept - 1])) items[kept++] = std::move(items[i]);
  items.resize(kept);
}

}  // namespace jacquard::detail
