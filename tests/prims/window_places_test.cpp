// window_places: where taps lie, window after window, with strides, padding and dilations; see select_and_gather_add_test.cpp for values.
#include "prim_testing.hpp"
#include "jacquard/prims/reduction_windows.hpp"

namespace jq = jacquard;
using jq::detail::window_dim;
using jq::detail::window_places;
using places = std::vector<std::int64_t>;

namespace {
window_dim window(std::int64_t size, std::int64_t taps, std::int64_t stride = 1, std::int64_t low = 0, std::int64_t high = 0, std::int64_t dilation = 1,
                  std::int64_t tap_dilation = 1) {
  window_dim w{size, taps, stride, low, high, dilation, tap_dilation, 1};
  w.out = w.places();
  return w;
}
std::vector<places> all(const std::vector<window_dim>& windows, const jq::shape& operand) {
  window_places rows(windows, operand);
  std::int64_t count = 1;
  for (const window_dim& w : windows) count *= w.out;
  std::vector<places> r;
  for (std::int64_t o = 0; o < count; o += rows.side(), rows.advance()) {
    const window_places::taps taps = rows.here();
    r.push_back(taps.offsets);
    for (std::int64_t& at : r.back()) at += taps.base;
  }
  return r;
}
}  // namespace

TEST_CASE("window_places: rows and columns") {
  CHECK(all({window(3, 2), window(3, 2)}, {3, 3}) == std::vector<places>{{0, 1, 3, 4}, {1, 2, 4, 5}, {3, 4, 6, 7}, {4, 5, 7, 8}});
}
TEST_CASE("window_places: the last dimensions lie side by side") {
  const std::vector<window_dim> windows{window(4, 2, 2), window(5, 1), window(2, 1)};
  CHECK(window_places(windows, {4, 5, 2}).side() == 10);
  CHECK(all(windows, {4, 5, 2}) == std::vector<places>{{0, 10}, {20, 30}});
}
TEST_CASE("window_places: padding and dilations") {
  CHECK(all({window(3, 2, 1, 1, 1)}, {3}) == std::vector<places>{{0}, {0, 1}, {1, 2}, {2}});
  CHECK(all({window(3, 2, 1, 0, 0, 2)}, {3}) == std::vector<places>{{0}, {1}, {1}, {2}});      // 0 . 1 . 2
  CHECK(all({window(5, 2, 1, 0, 0, 1, 3)}, {5}) == std::vector<places>{{0, 3}, {1, 4}});
  CHECK(all({window(1, 1, 1, 2, 0)}, {1}) == std::vector<places>{{}, {}, {0}});
}
