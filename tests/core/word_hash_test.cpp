// Hashes of words: those of near sequences differ, in the bits that tables look at, too, and so does the same at compile time.
#include <doctest/doctest.h>
#include <jacquard/core/word_hash.hpp>

#include <array>
#include <set>
#include <vector>

using jacquard::detail::hash_of_words, jacquard::detail::hash_with;
using words = std::vector<std::uint64_t>;

TEST_CASE("hash of words: order, size and every word count") {
  CHECK(hash_of_words(words{1, 2}) == hash_of_words(words{1, 2}));
  CHECK(hash_of_words(words{1, 2}) != hash_of_words(words{2, 1}));
  CHECK(hash_of_words(words{}) != hash_of_words(words{0}));
  CHECK(hash_of_words(words{0}) != hash_of_words(words{0, 0}));
  static_assert(hash_of_words(std::array<std::uint64_t, 2>{3, 4}) == hash_with(hash_with(2, 3), 4));
}

TEST_CASE("hash of words: small numbers, addresses and high bits spread over a table") {
  // Of n sequences in n lists, 63 % of the lists are in use where sequences are drawn by lot.
  for (const int shift : {0, 4, 12, 32, 48}) {
    CAPTURE(shift);
    std::set<std::uint64_t> all, lists;
    for (std::uint64_t i = 0; i < 64; ++i)
      for (std::uint64_t j = 0; j < 64; ++j) {
        const std::uint64_t h = hash_of_words(words{i << shift, j << shift});
        all.insert(h), lists.insert(h & 4095);
      }
    CHECK(all.size() == 4096);
    CHECK(lists.size() > 2000);
  }
}
