// window_places: where taps lie, window after window, with strides, padding and dilations; see select_and_gather_add_test.cpp for values.
#include "prim_testing.hpp"
#include "jacquard/prims/window_places.hpp"

#include <sys/resource.h>

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
/// The places of the taps of each window.
std::vector<places> all(const std::vector<window_dim>& windows, const jq::shape& operand) {
  window_places rows(windows, operand);
  std::size_t count = 1;
  for (const window_dim& w : windows) count *= std::size_t(w.out);
  std::vector<places> r;
  for (; r.size() < count; rows.advance())
    for (const window_places::taps& taps : rows.here())
      for (std::int64_t l = 0; l < taps.lines; ++l)
        for (std::int64_t i = 0; i < taps.length; ++i) {
          r.emplace_back();
          for (std::int64_t at : rows.offsets(taps)) r.back().push_back(rows.base() + taps.place + l * taps.shift + i * taps.step + at);
        }
  return r;
}
/// Lines, their distance, windows in each, and the steps between those.
places lines(const std::vector<window_dim>& windows, const jq::shape& operand) {
  window_places rows(windows, operand);
  const window_places::taps taps = rows.here().front();
  return {taps.lines, taps.shift, taps.length, taps.step};
}
/// The reach of each of the visits.
places reaches(const std::vector<window_dim>& windows, const jq::shape& operand, std::int64_t count) {
  window_places rows(windows, operand);
  places r;
  for (std::int64_t o = 0; o < count; rows.advance()) {
    r.push_back(rows.reach());
    for (const window_places::taps& taps : rows.here()) o += taps.windows();
  }
  return r;
}
}  // namespace

TEST_CASE("window_places: rows and columns") {
  CHECK(all({window(3, 2), window(3, 2)}, {3, 3}) == std::vector<places>{{0, 1, 3, 4}, {1, 2, 4, 5}, {3, 4, 6, 7}, {4, 5, 7, 8}});
}
TEST_CASE("window_places: the last dimensions lie side by side") {
  const std::vector<window_dim> windows{window(4, 2, 2), window(5, 1), window(2, 1)};
  CHECK(lines(windows, {4, 5, 2}) == places{2, 20, 10, 1});
  const std::vector<places> found = all(windows, {4, 5, 2});
  CHECK(found.size() == 20);
  CHECK(found[0] == places{0, 10});
  CHECK(found[19] == places{29, 39});
}
TEST_CASE("window_places: padding and dilations") {
  CHECK(all({window(3, 2, 1, 1, 1)}, {3}) == std::vector<places>{{0}, {0, 1}, {1, 2}, {2}});
  CHECK(all({window(3, 2, 1, 0, 0, 2)}, {3}) == std::vector<places>{{0}, {1}, {1}, {2}});      // 0 . 1 . 2
  CHECK(all({window(5, 2, 1, 0, 0, 1, 3)}, {5}) == std::vector<places>{{0, 3}, {1, 4}});
  CHECK(all({window(1, 1, 1, 2, 0)}, {1}) == std::vector<places>{{}, {}, {0}});
}
TEST_CASE("window_places: lines along the last dimension that windows move in") {
  CHECK(lines({window(3, 2), window(9, 3, 2)}, {3, 9}) == places{1, 0, 4, 2});              // steps of the stride
  CHECK(lines({window(3, 2), window(9, 3), window(5, 1)}, {3, 9, 5}) == places{1, 0, 35, 1});  // with stride 1 all follow each other
  CHECK(lines({window(3, 2), window(9, 3, 1, 1, 1)}, {3, 9}) == places{1, 0, 1, 1});        // what is padded is alone
  CHECK(lines({window(4, 1), window(6, 1)}, {4, 6}) == places{1, 0, 24, 1});
}
TEST_CASE("window_places: how far windows reach") {
  CHECK(reaches({window(2, 1), window(5, 2, 2), window(4, 2, 2)}, {2, 5, 4}, 8) == places{8, 16, 28, 36});
  CHECK(reaches({window(4, 2, 1, 2, 1)}, {4}, 6) == places{4});
  CHECK(reaches({window(4, 2, 1, 2, 1), window(1, 1, 1, 0, 1)}, {4, 1}, 12) == places{0, 1, 2, 3, 4, 4});  // before the first element, at it ...
  CHECK(reaches({window(4, 1), window(6, 1)}, {4, 6}, 24) == places{24});
}
TEST_CASE("window_places: windows as large as the operand take no memory for each of them") {
  const auto most_memory = [] {
    rusage r{};
    getrusage(RUSAGE_SELF, &r);
    return r.ru_maxrss;
  };
  constexpr std::int64_t n = 4000;
  window_places rows({window(n, n, 1, n / 2, n - 1 - n / 2)}, {n});
  const auto before = most_memory();
  std::int64_t taps = 0;
  for (std::int64_t o = 0; o < n; rows.advance())
    for (const window_places::taps& one : rows.here()) taps += std::int64_t(one.count), o += one.windows();
  CHECK(taps == n * n - n / 2 * (n / 2 + 1) / 2 - (n / 2 - 1) * (n / 2) / 2);
  CHECK(most_memory() - before < 16 << 10);  // of 1024 bytes
}
