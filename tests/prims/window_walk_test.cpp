// window_walk: the order of windows, where each lies, and what types tell of it.
#include <jacquard/prims/window_walk.hpp>

#include <utility>

#include "reference.hpp"

using namespace prim_testing;
using jq::int_list;

namespace {
struct visit {
  std::int64_t out, in;
  bool inside;
  bool operator==(const visit&) const = default;
};
std::vector<visit> walk(const jq::detail::index_windows& w, bool clip, const shape& operand,
                        const shape& indices, const shape& windows, const std::vector<std::int64_t>& i) {
  std::vector<visit> r;
  const auto add = [&](std::int64_t o, std::int64_t at, bool inside) { r.push_back({o, at, inside}); };
  const jq::detail::window_walk all{w, clip, operand, indices, windows};
  all.for_each(i.data(), add);
  if (!all.even.are_these()) return r;
  const std::vector<visit> evenly = std::exchange(r, {});
  jq::detail::for_each_uneven_window(w, clip, operand, indices, windows, i.data(), add);
  CHECK(r == evenly);
  return r;
}
}  // namespace

TEST_CASE("window_walk: rows of a matrix") {
  // operand [4, 3], indices [3, 1], windows [3 rows, 3]
  const jq::detail::index_windows w{{1}, {0}, {0}, {}, {}, {1, 3}};
  CHECK(w.spanned() == int_list{1});
  using visits = std::vector<visit>;
  CHECK(walk(w, false, {4, 3}, {3, 1}, {3, 3}, {2, -1, 4}) ==
        visits{{0, 6, true}, {3, 0, false}, {6, 9, false}});
  CHECK(walk(w, true, {4, 3}, {3, 1}, {3, 3}, {2, -1, 4}) ==
        visits{{0, 6, true}, {3, 0, true}, {6, 9, true}});
  CHECK(walk(w, true, {0, 3}, {1, 1}, {1, 3}, {0})[0].inside == false);
  CHECK(walk(w, true, {4, 3}, {0, 1}, {0, 3}, {}).empty());
  const jq::detail::window_strides s = jq::detail::strides_of_window(w, {4, 3}, {3, 3});
  CHECK((s.sizes == shape{3} && s.in_windows == int_list{1} && s.in_operand == int_list{1}));
}
TEST_CASE("window_walk: batching dimensions take the position of the row") {
  // operand [2, 5], indices [2, 1], windows [2] of one element each
  const jq::detail::index_windows w{{}, {1}, {1}, {0}, {0}, {1, 1}};
  using visits = std::vector<visit>;
  CHECK(walk(w, false, {2, 5}, {2, 1}, {2}, {3, 4}) == visits{{0, 3, true}, {1, 9, true}});
}
TEST_CASE("window_walk: batching dimensions of one element take nothing") {
  // operand [1, 4, 3], indices [1, 2, 1], windows [1, 2 rows, 3]
  const jq::detail::index_windows w{{2}, {1}, {1}, {0}, {0}, {1, 1, 3}};
  CHECK(jq::detail::window_walk{w, true, {1, 4, 3}, {1, 2, 1}, {1, 2, 3}}.even.are_these());
  CHECK_FALSE(jq::detail::window_walk{w, true, {2, 4, 3}, {2, 2, 1}, {2, 2, 3}}.even.are_these());
  using visits = std::vector<visit>;
  CHECK(walk(w, true, {1, 4, 3}, {1, 2, 1}, {1, 2, 3}, {3, 9}) == visits{{0, 9, true}, {3, 9, true}});
  CHECK(walk(w, true, {2, 4, 3}, {2, 1, 1}, {2, 1, 3}, {3, 1}) == visits{{0, 9, true}, {3, 15, true}});
}
TEST_CASE("window_walk: only windows that are moved inside never leave") {
  const jq::detail::index_windows w{{1}, {0}, {0}, {}, {}, {1, 3}};
  CHECK(jq::detail::window_walk{w, true, {4, 3}, {3, 1}, {3, 3}}.never_leaves());
  CHECK_FALSE(jq::detail::window_walk{w, false, {4, 3}, {3, 1}, {3, 3}}.never_leaves());
  CHECK_FALSE(jq::detail::window_walk{w, true, {0, 3}, {1, 1}, {1, 3}}.never_leaves());
}
