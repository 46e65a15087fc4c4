// Walks over strided index spaces: order, empty spaces, rank 0, broadcasting and negative strides.
#include <jacquard/core/strided.hpp>

#include <vector>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

using jacquard::int_list;
using jacquard::shape;

namespace {

std::vector<int> gather(const shape& dims, const int_list& strides, std::int64_t offset, const std::vector<int>& in) {
  std::vector<int> out(std::size_t(dims.elements()), -1);
  jacquard::strided_copy(dims, strides, offset, in.data(), out.data());
  return out;
}
constexpr int visits(const shape& dims) {
  int n = 0;
  jacquard::for_each_pair(dims, dims.strides(), 0, dims.strides(), 0, [&](std::int64_t o, std::int64_t i) { n += o == i; });
  return n;
}
static_assert(visits({2, 3, 4}) == 24 && visits({}) == 1 && visits({3, 0, 2}) == 0 && visits({1, 1}) == 1);

}  // namespace

TEST_CASE("transposition, broadcasting, reversal, windows") {
  const std::vector<int> in{0, 1, 2, 3, 4, 5};
  CHECK(gather({3, 2}, {1, 3}, 0, in) == std::vector<int>{0, 3, 1, 4, 2, 5});
  CHECK(gather({2, 3}, {0, 1}, 0, in) == std::vector<int>{0, 1, 2, 0, 1, 2});
  CHECK(gather({6}, {-1}, 5, in) == std::vector<int>{5, 4, 3, 2, 1, 0});
  CHECK(gather({2, 2}, {3, 1}, 1, in) == std::vector<int>{1, 2, 4, 5});
  CHECK(gather({2, 0}, {3, 1}, 0, in).empty());
}

TEST_CASE("rows that lie densely, or repeat one element, are taken as a whole") {
  std::vector<int> in(200);
  for (int i = 0; i < 200; ++i) in[std::size_t(i)] = i;
  std::vector<int> middle, rows, repeated;
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 60; ++i) middle.push_back(65 * r + 2 + i), rows.push_back(100 - 50 * r + i), repeated.push_back(65 * r);
  CHECK(gather({3, 60}, {65, 1}, 2, in) == middle);
  CHECK(gather({3, 60}, {-50, 1}, 100, in) == rows);
  CHECK(gather({3, 60}, {65, 0}, 0, in) == repeated);
  CHECK(gather({0, 60}, {65, 1}, 0, in).empty());
}
TEST_CASE("as many copies of a value as are wanted") {
  for (const int n : {0, 1, 63, 64, 65, 127, 129, 1000}) {
    std::vector<int> out(std::size_t(n) + 1, 0);
    jacquard::fill_elements(out.data(), n, 7);
    CHECK(out == [&] {
      std::vector<int> want(std::size_t(n), 7);
      want.push_back(0);
      return want;
    }());
  }
}
TEST_CASE("outputs may be strided too") {
  std::vector<int> out(6, 0);
  jacquard::for_each_pair({2, 3}, {1, 2}, 0, {3, 1}, 0, [&](std::int64_t o, std::int64_t i) { out[std::size_t(o)] = int(i); });
  CHECK(out == std::vector<int>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("all eight dimensions") {
  const shape dims{2, 1, 2, 1, 2, 1, 2, 2};
  std::vector<std::int64_t> order;
  jacquard::for_each_pair(dims, dims.strides(), 0, dims.strides(), 100, [&](std::int64_t o, std::int64_t i) {
    CHECK(i == o + 100);
    order.push_back(o);
  });
  CHECK(order.size() == 32);
  for (std::size_t k = 0; k < order.size(); ++k) CHECK(order[k] == std::int64_t(k));
}
