#pragma once
// The order of the elements of one row, by one key or several: elements are compared through words that compare like them, so that one loop
// serves every dtype. Deliberately in memory of the caller's, and of one row at a time. Not a primitive itself.

#include <array>
#include <bit>

#include "jacquard/core/kernel.hpp"
#include "jacquard/core/merge_sort.hpp"
#include "jacquard/core/radix_sort.hpp"

namespace jacquard::detail {

constexpr std::uint64_t order_of_double(double v) {
  if (v != v) return ~std::uint64_t(0);  // NaN last
  if (v == 0) v = 0;                     // -0 equals 0
  const std::uint64_t b = std::bit_cast<std::uint64_t>(v), sign = std::uint64_t(1) << 63;
  return b ^ ((0 - (b >> 63)) | sign);  // no branch that depends on signs
}
/// Words that compare like `v`: one, or two of complex numbers (real part first).
template <class T>
constexpr std::array<std::uint64_t, 2> order_key(T v) {
  if constexpr (is_complex_v<T>) return {order_of_double(v.real()), order_of_double(v.imag())};
  else if constexpr (std::is_integral_v<T>)
    return {std::is_signed_v<T> ? std::uint64_t(v) ^ (std::uint64_t(1) << 63) : std::uint64_t(v), 0};
  else return {order_of_double(convert_element<T, double>(v)), 0};
}

/// Whether words of 32 bits compare like numbers of a dtype.
constexpr bool has_narrow_key(dtype t) { return size_of(t) <= 4 && !is_complex(t); }
template <class T>
constexpr std::uint32_t narrow_order_key(T v) {
  constexpr std::uint32_t sign = std::uint32_t(1) << 31;
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? std::uint32_t(v) ^ sign : std::uint32_t(v);
  else {
    float f = convert_element<T, float>(v);
    if (f != f) return ~std::uint32_t(0);
    if (f == 0) f = 0;
    const std::uint32_t b = std::bit_cast<std::uint32_t>(f);
    return b ^ ((0 - (b >> 31)) | sign);  // no branch that depends on signs
  }
}

/// The order of one row, in the caller's memory. Elements are compared by their words; the first lies beside the place, so that most
/// comparisons look nowhere else.
struct row_order {
  struct item {
    std::uint64_t word;
    std::int64_t place;
  };
  std::int64_t size = 0, words = 0;
  item *order = nullptr, *scratch = nullptr;  ///< of as many elements as a row
  std::uint64_t* more = nullptr;              ///< words beyond the first: of element 0, then of element 1, ...
  std::uint64_t* packed = nullptr;            ///< instead of all these: a word of 32 bits above the place

  /// The bytes of memory for rows of so many elements.
  static constexpr std::int64_t bytes(std::int64_t size, std::int64_t words) { return size * std::int64_t(2 * sizeof(item) + std::size_t(words - 1) * sizeof(std::uint64_t)); }
  row_order(std::int64_t row_size, std::int64_t key_words, bool is_narrow, void* memory)
      : size(row_size), words(key_words), order(static_cast<item*>(memory)), scratch(order + row_size), more(reinterpret_cast<std::uint64_t*>(scratch + row_size)) {
    if (is_narrow && key_words == 1 && size >= narrow_radix_sort_pays && std::uint64_t(size) < (std::uint64_t(1) << 32)) packed = static_cast<std::uint64_t*>(memory);
  }
  constexpr row_order(std::int64_t row_size, std::int64_t key_words, std::vector<item>& items, std::vector<std::uint64_t>& more_words)
      : size(row_size), words(key_words) {
    items.assign(std::size_t(2 * row_size), item{});
    more_words.assign(std::size_t(row_size * (key_words - 1)), 0);
    order = items.data(), scratch = order + row_size, more = more_words.data();
  }
  /// Sets the words of one key operand; returns the place for the next one.
  template <class T>
  constexpr std::int64_t set_key(const T* row, std::int64_t stride, std::int64_t word) {
    constexpr std::int64_t own = is_complex_v<T> ? 2 : 1;
    if constexpr (has_narrow_key(dtype_of<T>()))
      if (packed) {
        for (std::int64_t i = 0; i < size; ++i) packed[i] = std::uint64_t(narrow_order_key(row[i * stride])) << 32 | std::uint64_t(i);
        return own;
      }
    for (std::int64_t i = 0; i < size; ++i) {
      const std::array<std::uint64_t, 2> key = order_key(row[i * stride]);
      if (word == 0) order[i] = {key[0], i};
      for (std::int64_t w = word == 0; w < own; ++w) more[i * (words - 1) + word + w - 1] = key[std::size_t(w)];
    }
    return word + own;
  }
  /// Sorts; equal elements keep their order.
  constexpr void sort() {
    const auto count = std::size_t(size);
    if (packed) {
      packed = radix_sorted<32>(packed, count, packed == reinterpret_cast<std::uint64_t*>(order) ? packed + count : packed - count);
      return;
    }
    if (words == 1 && size <= few) return rank();
    if (words == 1 && pays_by_digits()) {
      if (radix_sorted(order, count, scratch) == scratch) std::swap(order, scratch);
      return;
    }
    if (words == 1) return merge_sort(order, count, scratch, [](const item& a, const item& b) { return a.word < b.word; });
    merge_sort(order, count, scratch, [&](const item& a, const item& b) {
      if (a.word != b.word) return a.word < b.word;
      const std::uint64_t *x = more + a.place * (words - 1), *y = more + b.place * (words - 1);
      for (std::int64_t w = 0; w + 1 < words; ++w)
        if (x[w] != y[w]) return x[w] < y[w];
      return false;
    });
  }
  template <class T>
  constexpr void permute(const T* in, T* out, std::int64_t stride) const {
    if (packed)
      for (std::int64_t i = 0; i < size; ++i) out[i * stride] = in[std::int64_t(packed[i] & 0xffffffff) * stride];
    else
      for (std::int64_t i = 0; i < size; ++i) out[i * stride] = in[order[i].place * stride];
  }

  static constexpr std::int64_t few = 8;
  static constexpr std::int64_t narrow_radix_sort_pays = 64;  ///< from so many elements on: half as many digits
  constexpr bool pays_by_digits() const { return std::size_t(size) >= radix_sort_pays && std::uint64_t(size) < (std::uint64_t(1) << 32); }
  /// Sorts few elements: each goes to the place that is the number of those before it, which takes no branch that depends on them.
  constexpr void rank() {
    for (std::int64_t i = 0; i < size; ++i) {
      const std::uint64_t word = order[i].word;
      std::int64_t before = 0;
      for (std::int64_t k = 0; k < i; ++k) before += order[k].word <= word;
      for (std::int64_t k = i + 1; k < size; ++k) before += order[k].word < word;
      scratch[before] = order[i];
    }
    std::swap(order, scratch);
  }
};

}  // namespace jacquard::detail
