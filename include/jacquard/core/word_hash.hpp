// Hashes of sequences of words, as tables of what was seen before need them: of signatures, equations and bodies. Not a hash of bytes from outside:
// who knows the multiplier can choose words that collide.
#pragma once
#include <cstdint>

namespace jacquard::detail {

/// A hash and one word more: a multiplication by the fraction of the golden ratio (Knuth, The Art of Computer Programming, 6.4). The high half of
/// the product, which depends on every bit of the word, comes down to where tables look; so do the high bits of words that have no others, as
/// those of small numbers in floating point.
constexpr std::uint64_t hash_with(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word ^ (h ^ word) >> 32) * 0x9E3779B97F4A7C15ull;
  return h ^ h >> 32;
}
/// Of all words of a list, in their order. O(size).
template <class Words>
constexpr std::uint64_t hash_of_words(const Words& words) {
  std::uint64_t h = words.size();
  for (std::uint64_t w : words) h = hash_with(h, w);
  return h;
}

}  // namespace jacquard::detail
