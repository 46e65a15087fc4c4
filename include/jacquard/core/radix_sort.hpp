#pragma once
// Stable sorting by unsigned words, digit by digit, which for many items is several times faster than by comparisons. Deliberately
// of words only: what is to be sorted otherwise is given words that compare like it, or sorted by core/merge_sort.

#include <cstdint>
#include <vector>

namespace jacquard::detail {

/// Fewer items than this are sorted faster by comparisons.
inline constexpr std::size_t radix_sort_pays = 256;

/// Sorts items[0, count) by their member `word`, 64 bits; equal items keep their order. `scratch` has room for as many.
/// Cost: O(count) for each of the eight digits in which words differ; one pass where the items are in order already (Knuth 5.2.5).
template <class Item>
constexpr void radix_sort(Item* items, std::size_t count, Item* scratch) {
  constexpr std::size_t digits = 8, values = 256;
  bool in_order = true;
  std::vector<std::uint32_t> counts(digits * values, 0);
  for (std::size_t i = 0; i < count; ++i) {
    in_order = in_order && (i == 0 || items[i - 1].word <= items[i].word);
    for (std::size_t d = 0; d < digits; ++d) ++counts[d * values + ((items[i].word >> (8 * d)) & 255)];
  }
  if (in_order) return;
  Item *from = items, *to = scratch;
  for (std::size_t d = 0; d < digits; ++d) {
    std::uint32_t* const places = counts.data() + d * values;
    if (places[(items[0].word >> (8 * d)) & 255] == count) continue;  // they do not differ in this one
    std::uint32_t sum = 0;
    for (std::size_t v = 0; v < values; ++v) {
      const std::uint32_t here = places[v];
      places[v] = sum;
      sum += here;
    }
    for (std::size_t i = 0; i < count; ++i) to[places[(from[i].word >> (8 * d)) & 255]++] = from[i];
    Item* const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != items)
    for (std::size_t i = 0; i < count; ++i) items[i] = from[i];
}

}  // namespace jacquard::detail
