// radix_sorted: against std::stable_sort, on words that differ in few and in all digits; order of equal words; constant evaluation.
#include <doctest/doctest.h>
#include <jacquard/core/radix_sort.hpp>

#include <algorithm>
#include <random>

namespace {

struct item {
  std::uint64_t word = 0;
  std::int64_t place = 0;
  constexpr bool operator==(const item&) const = default;
};
void check_sorts(std::vector<item> items) {
  std::vector<item> want = items, scratch(items.size());
  std::stable_sort(want.begin(), want.end(), [](const item& a, const item& b) { return a.word < b.word; });
  const item* const sorted = jacquard::detail::radix_sorted(items.data(), items.size(), scratch.data());
  CHECK(std::equal(want.begin(), want.end(), sorted));
}
/// By the upper half of words alone.
void check_sorts_upper(std::vector<std::uint64_t> words) {
  std::vector<std::uint64_t> want = words, scratch(words.size());
  std::stable_sort(want.begin(), want.end(), [](std::uint64_t a, std::uint64_t b) { return a >> 32 < b >> 32; });
  const std::uint64_t* const sorted = jacquard::detail::radix_sorted<32>(words.data(), words.size(), scratch.data());
  CHECK(std::equal(want.begin(), want.end(), sorted));
}
constexpr bool sorts_in_constants() {
  item x[] = {{1ull << 40, 0}, {7, 1}, {1ull << 40, 2}, {0, 3}}, scratch[4];
  const item* const y = jacquard::detail::radix_sorted(x, 4, scratch);
  return y[0].place == 3 && y[1].place == 1 && y[2].place == 0 && y[3].place == 2;
}
static_assert(sorts_in_constants());

}  // namespace

TEST_CASE("radix_sorted: like std::stable_sort") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0u, 1u, 2u, 255u, 1000u, 10000u})
    for (const std::uint64_t mask : {~std::uint64_t(0), std::uint64_t(3), std::uint64_t(0xff00ff), std::uint64_t(0xff) << 56}) {
      std::vector<item> x;
      for (std::size_t i = 0; i < count; ++i) x.push_back({random() & mask, std::int64_t(i)});
      check_sorts(x);
      std::sort(x.begin(), x.end(), [](const item& a, const item& b) { return a.word < b.word; });
      check_sorts(x);
      std::reverse(x.begin(), x.end());
      check_sorts(x);
    }
}
TEST_CASE("radix_sorted: by the upper half of words") {
  std::mt19937_64 random(2);
  for (const std::size_t count : {0u, 1u, 300u, 10000u})
    for (const std::uint64_t mask : {~std::uint64_t(0), std::uint64_t(7) << 32, std::uint64_t(0xffffffff)}) {
      std::vector<std::uint64_t> x;
      for (std::size_t i = 0; i < count; ++i) x.push_back(random() & mask);
      check_sorts_upper(x);
    }
}
