// radix_sort: against std::stable_sort, on words that differ in few and in all digits; order of equal words; constant evaluation.
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
  jacquard::detail::radix_sort(items.data(), items.size(), scratch.data());
  CHECK(items == want);
}
constexpr bool sorts_in_constants() {
  item x[] = {{1ull << 40, 0}, {7, 1}, {1ull << 40, 2}, {0, 3}}, scratch[4];
  jacquard::detail::radix_sort(x, 4, scratch);
  return x[0].place == 3 && x[1].place == 1 && x[2].place == 0 && x[3].place == 2;
}
static_assert(sorts_in_constants());

}  // namespace

TEST_CASE("radix_sort: like std::stable_sort") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0u, 1u, 2u, 255u, 1000u})
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
