#pragma once
// Stable sorting by unsigned words, digit by digit, which for many items is several times faster than by comparisons. Deliberately
// of words only: what is to be sorted otherwise is given words that compare like it, or sorted by core/merge_sort.

#include <cstdint>
#include <vector>

namespace jacquard::detail {

/// Fewer items than this are sorted faster by comparisons.
inline constexpr std::size_t radix_sort_pays = 256;

/// What an item is sorted by: itself, or its member `word`.
constexpr std::uint64_t radix_word(std::uint64_t item) { return item; }
template <class Item>
constexpr std::uint64_t radix_word(const Item& item) {
  return item.word;
}

/// Sorts items[0, count) by bits First to 63 of their words, in digits of so many bits; equal items keep their order. `scratch` has room for as many,
/// and is where the sorted items are, if that is what is returned.
template <int Bits, int First, class Item>
constexpr Item* radix_sorted_by(Item* items, std::size_t count, Item* scratch) {
  constexpr std::size_t digits = (64 - First + Bits - 1) / Bits, values = std::size_t(1) << Bits;
  const auto digit = [](const Item& item, std::size_t d) { return (radix_word(item) >> (First + Bits * int(d))) & (values - 1); };
  bool in_order = true;
  std::vector<std::uint32_t> counts(digits * values, 0);
  for (std::size_t i = 0; i < count; ++i) {
    in_order = in_order && (i == 0 || radix_word(items[i - 1]) >> First <= radix_word(items[i]) >> First);
    for (std::size_t d = 0; d < digits; ++d) ++counts[d * values + digit(items[i], d)];
  }
  if (in_order) return items;
  Item *from = items, *to = scratch;
  for (std::size_t d = 0; d < digits; ++d) {
    std::uint32_t* const places = counts.data() + d * values;
    if (places[digit(items[0], d)] == count) continue;  // they do not differ in this one
    std::uint32_t sum = 0;
    for (std::size_t v = 0; v < values; ++v) {
      const std::uint32_t here = places[v];
      places[v] = sum;
      sum += here;
    }
    for (std::size_t i = 0; i < count; ++i) to[places[digit(from[i], d)]++] = from[i];
    Item* const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/// The same by bits First to 63, in digits that suit the number of items. Cost: O(count) for each of the digits in which words differ, of 8 bits, or of 11
/// from some thousands of items on; one pass where the items are in order already (Knuth 5.2.5).
template <int First = 0, class Item>
constexpr Item* radix_sorted(Item* items, std::size_t count, Item* scratch) {
  constexpr std::size_t wide_digits_pay = 8192;
  if (count < wide_digits_pay) return radix_sorted_by<8, First>(items, count, scratch);
  return radix_sorted_by<11, First>(items, count, scratch);
}

}  // namespace jacquard::detail
