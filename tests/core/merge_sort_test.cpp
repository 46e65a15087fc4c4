// merge_sort: sorted, stable, a permutation. Oracle: std::stable_sort.
#include <jacquard/core/merge_sort.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

struct item {
  std::uint32_t key;
  std::size_t place;
  bool operator==(const item&) const = default;
};
constexpr auto by_key = [](const item& a, const item& b) { return a.key < b.key; };

std::vector<item> items(std::size_t count, std::uint32_t different) {
  std::vector<item> r;
  std::uint32_t state = 12345 + std::uint32_t(count);
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    r.push_back({(state >> 8) % different, i});
  }
  return r;
}

constexpr bool sorts_in_the_compiler() {
  std::vector<int> v;
  for (int i = 0; i < 40; ++i) v.push_back((i * 17) % 40);
  jacquard::detail::stable_sort(v);
  for (int i = 0; i < 40; ++i)
    if (v[std::size_t(i)] != i) return false;
  return true;
}
static_assert(sorts_in_the_compiler());

}  // namespace

TEST_CASE("merge_sort: the order of std::stable_sort, for every length and any number of equal keys") {
  for (std::uint32_t different : {1u, 3u, 50u, 1000000u})
    for (std::size_t count = 0; count < 200; count += count < 60 ? 1 : 23) {
      std::vector<item> mine = items(count, different), wanted = mine, scratch(count);
      jacquard::detail::merge_sort(mine.data(), count, scratch.data(), by_key);
      std::stable_sort(wanted.begin(), wanted.end(), by_key);
      CAPTURE(count);
      CHECK(mine == wanted);
    }
}
TEST_CASE("merge_sort: what is in order already, or in reverse") {
  std::vector<int> up, down;
  for (int i = 0; i < 1000; ++i) up.push_back(i), down.push_back(999 - i);
  const std::vector<int> wanted = up;
  jacquard::detail::stable_sort(up);
  jacquard::detail::stable_sort(down);
  CHECK(up == wanted);
  CHECK(down == wanted);
}
TEST_CASE("sort_unique: each value once") {
  std::vector<int> v{3, 1, 3, 2, 1, 3};
  jacquard::detail::sort_unique(v);
  CHECK(v == std::vector<int>{1, 2, 3});
  std::vector<int> none;
  jacquard::detail::sort_unique(none);
  CHECK(none.empty());
}
