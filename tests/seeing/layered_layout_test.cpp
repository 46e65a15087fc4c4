// Layouts: boxes do not overlap, edges run from the lower side of one box downwards to the upper side of another, around the others.
#include <jacquard/seeing/layered_layout.hpp>

#include <jacquard/testing/sample.hpp>

#include "../show.hpp"

using jq::detail::layered_layout;
using jq::detail::placed_box;
using boxes = jq::list<placed_box>;

namespace {

boxes random_graph(std::uint64_t seed, std::size_t count) {
  jq::testing::sampler s(seed);
  boxes r;
  for (std::size_t i = 0; i < count; ++i) {
    placed_box b;
    b.width = s.between(20, 300);
    b.height = s.between(10, 200);
    for (int k = 0; k < 3 && i > 0; ++k) {
      const std::uint32_t from = std::uint32_t(s.below(std::int64_t(i)));
      bool known = false;
      for (std::uint32_t f : b.reads) known = known || f == from;
      if (!known && s.below(3) != 0) b.reads.push_back(from);
    }
    b.last = i + 3 > count;
    r.push_back(b);
  }
  // Boxes of the last layer may have no readers.
  for (placed_box& b : r)
    for (std::uint32_t from : b.reads) r[from].last = false;
  return r;
}
constexpr double tolerance = 1e-6;

void check_layout(const layered_layout& l) {
  const auto inside = [](double a, double low, double high) { return a >= low - tolerance && a <= high + tolerance; };
  for (std::size_t i = 0; i < l.boxes.size(); ++i) {
    const placed_box& a = l.boxes[i];
    CHECK(inside(a.x, 0, l.width));
    CHECK(inside(a.x + a.width, 0, l.width));
    CHECK(inside(a.y + a.height, 0, l.height));
    for (std::size_t k = 0; k < i; ++k) {
      const placed_box& b = l.boxes[k];
      const bool apart = a.x + a.width < b.x + tolerance || b.x + b.width < a.x + tolerance || a.y + a.height < b.y + tolerance || b.y + b.height < a.y + tolerance;
      CHECK(apart);
    }
    for (std::uint32_t from : a.reads) CHECK(l.boxes[from].y + l.boxes[from].height < a.y);
  }
  std::size_t arrows = 0, wanted = 0;
  for (const placed_box& b : l.boxes) wanted += b.reads.size();
  for (const auto& e : l.edges) {
    arrows += e.ends;
    for (std::size_t i = 1; i < e.points.size(); ++i) CHECK(e.points[i].y >= e.points[i - 1].y - tolerance);
    if (!e.ends) continue;
    bool found = false;
    for (const placed_box& b : l.boxes)
      found = found || (std::abs(e.points.back().y - b.y) < tolerance && inside(e.points.back().x, b.x, b.x + b.width));
    CHECK(found);
  }
  CHECK(arrows == wanted);
  // The straight parts of edges cross no box.
  for (const auto& e : l.edges)
    for (std::size_t i = 1; i < e.points.size(); ++i) {
      if (!e.points[i].straight) continue;
      for (const placed_box& b : l.boxes) {
        const bool beside = e.points[i].x < b.x - tolerance || e.points[i].x > b.x + b.width + tolerance;
        const bool clear = e.points[i].y < b.y + tolerance || e.points[i - 1].y > b.y + b.height - tolerance;
        CHECK((beside || clear));
      }
    }
}

}  // namespace

TEST_CASE("layout: nothing, one box, a chain") {
  const layered_layout none(boxes{});
  CHECK(none.width == 0);
  CHECK(none.height == 0);
  placed_box a, b;
  a.width = 50, a.height = 20;
  b = a;
  b.reads.push_back(0);
  const layered_layout two(boxes{a, b});
  check_layout(two);
  CHECK(two.width == 50);
  CHECK(two.height == 40 + layered_layout::layer_gap);
  CHECK(two.boxes[1].x == two.boxes[0].x);
  CHECK(two.edges.size() == 1);
}
TEST_CASE("layout: random graphs") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    check_layout(layered_layout(random_graph(seed, 1 + seed)));
  }
  check_layout(layered_layout(random_graph(99, 120)));
}
TEST_CASE("layout: a long program with values that are read at its end") {
  boxes r;
  for (std::uint32_t i = 0; i < 400; ++i) {
    placed_box b;
    b.width = 80, b.height = 40;
    if (i > 0) b.reads.push_back(i - 1);
    if (i > 300) b.reads.push_back(i - 300);
    r.push_back(b);
  }
  const layered_layout l(r);
  CHECK(l.height == 400 * 40 + 399 * layered_layout::layer_gap);
  for (std::size_t i = 1; i < 400; ++i) CHECK(l.boxes[i].y > l.boxes[i - 1].y);
}
