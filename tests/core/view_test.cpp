// view: what converts to it and what it gives back; unlike std::span it checks nothing else.
#include <doctest/doctest.h>
#include <jacquard/core/view.hpp>

#include <array>
#include <span>
#include <vector>

namespace jq = jacquard;

namespace {
struct base {
  int value = 0;
};
struct derived : base {
  int more = 0;
};
constexpr int sum(jq::view<const int> v) {
  int s = 0;
  for (int x : v) s += x;
  return s;
}
}  // namespace

static_assert([] {
  const int raw[] = {1, 2, 3};
  std::vector<int> list{4, 5};
  const std::array<int, 2> pair{6, 7};
  return sum(raw) == 6 && sum(list) == 9 && sum(pair) == 13 && sum(std::vector<int>{8}) == 8 && sum({}) == 0;
}());
static_assert([] {
  const int raw[] = {1, 2, 3, 4};
  const jq::view<const int> v(raw);
  return v.size() == 4 && v.front() == 1 && v.back() == 4 && v[2] == 3 && sum(v.first(2)) == 3 && sum(v.last(1)) == 4 &&
         sum(v.subspan(1)) == 9 && sum(v.subspan(1, 2)) == 5 && !v.empty() && v.subspan(4).empty();
}());
// As for std::span: const may be added, never dropped, and elements of a derived class are no elements of the base.
static_assert(std::is_convertible_v<std::vector<int>&, jq::view<int>>);
static_assert(std::is_convertible_v<jq::view<int>, jq::view<const int>>);
static_assert(!std::is_convertible_v<const std::vector<int>&, jq::view<int>>);
static_assert(!std::is_convertible_v<std::vector<derived>&, jq::view<base>>);
static_assert(!std::is_convertible_v<std::vector<long>&, jq::view<const int>>);

TEST_CASE("a view writes through, and converts from and to std::span") {
  std::vector<int> list{1, 2, 3};
  const jq::view<int> v(list);
  v[1] = 7;
  CHECK(list[1] == 7);
  CHECK(v.data() == list.data());
  const std::span<const int> s = v;
  CHECK(s.size() == 3);
  CHECK(sum(s) == 11);
}
