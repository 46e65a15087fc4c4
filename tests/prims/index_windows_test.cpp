// index_windows: the walk over windows that gather and scatter share, and the checks of dimension numbers.
#include <algorithm>

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
  jq::detail::for_each_window(w, clip, operand, indices, windows, i.data(),
                              [&](std::int64_t o, std::int64_t at, bool inside) {
                                r.push_back({o, at, inside});
                              });
  return r;
}
}  // namespace

TEST_CASE("index_windows: rows of a matrix") {
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
TEST_CASE("index_windows: batching dimensions take the position of the row") {
  // operand [2, 5], indices [2, 1], windows [2] of one element each
  const jq::detail::index_windows w{{}, {1}, {1}, {0}, {0}, {1, 1}};
  using visits = std::vector<visit>;
  CHECK(walk(w, false, {2, 5}, {2, 1}, {2}, {3, 4}) == visits{{0, 3, true}, {1, 9, true}});
}
TEST_CASE("index_windows: errors") {
  const array x = sample({4, 3});
  const auto gather = [&](const array& i, const jq::gather_dimension_numbers& n, const int_list& sizes) {
    return lax::gather(x, i, n, sizes);
  };
  const array rows = make<int>({0, 1}, {2, 1});
  const auto wrong = [&](const array& i, const jq::gather_dimension_numbers& n, const int_list& sizes,
                         const char* what) {
    CHECK_THROWS_WITH_AS(gather(i, n, sizes), doctest::Contains(what), jq::shape_error);
  };
  CHECK(gather(rows, {{1}, {0}, {0}}, {1, 3}).shape() == shape{2, 3});
  CHECK_THROWS_WITH_AS(
      gather(make({0.}, {1, 1}), {{1}, {0}, {0}}, {1, 3}),
      doctest::Contains("gather indices must have an integer type, got float64; convert them"),
      jq::type_error);
  wrong(scalar(1), {{1}, {0}, {0}}, {1, 3},
        "indices must have a last dimension that holds the index vectors");
  wrong(rows, {{1}, {0}, {0, 1}}, {1, 3},
        "an index vector has 1 entries but the indexed operand dimensions are (0, 1)");
  wrong(rows, {{1}, {0}, {0}}, {1}, "one window size per operand dimension");
  wrong(rows, {{1}, {0}, {2}}, {1, 3}, "must be distinct dimensions of the operand");
  wrong(rows, {{1}, {0}, {0}}, {2, 3}, "have size 1 where it is collapsed; it does not in dimension 0");
  wrong(rows, {{1}, {0}, {0}}, {1, 4}, "a window must fit into the operand");
  wrong(rows, {{2}, {0}, {0}}, {1, 3}, "window dimensions (2,) must be 1 increasing positions below 2");
  wrong(rows, {{}, {1}, {0}, {0}, {0}}, {1, 1}, "must pair up, be equal in size and not be indexed");
  wrong(rows, {{1}, {0}, {0}}, {1, 4},
        "got an operand of shape (4, 3), indices of shape (2, 1) and windows of sizes (1, 4)");
}
TEST_CASE("lookups by one index each are told from others, and go through the same windows") {
  using jq::detail::even_windows, jq::detail::index_windows;
  const jq::shape operand{5, 3}, indices{2, 4, 1};
  const std::int64_t index[] = {0, 4, -1, 5, 2, 2, 1, 3};
  const index_windows rows{{2}, {0}, {0}, {}, {}, {1, 3}}, columns{{0}, {0}, {0}, {}, {}, {1, 3}};
  for (const auto& [w, windows] : {std::pair{rows, jq::shape{2, 4, 3}}, std::pair{columns, jq::shape{3, 2, 4}}})
    for (const bool clip : {false, true}) {
      const even_windows even(w, clip, operand, indices, windows);
      REQUIRE(even.are_these());
      int row = 0;
      even.for_each(index, [&](std::int64_t out, std::int64_t at, bool inside) {
        const std::int64_t i = index[row];
        CHECK(out == row * (w.window_dims[0] == 2 ? 3 : 1));
        CHECK(at == std::clamp<std::int64_t>(i, 0, 4) * 3);
        CHECK(inside == (clip || (i >= 0 && i < 5)));
        ++row;
      });
      CHECK(row == 8);
    }
  const index_windows between{{1}, {0}, {0}, {}, {}, {1, 3}};
  CHECK_FALSE(even_windows(between, false, operand, indices, {2, 3, 4}).are_these());
  const index_windows pairs{{}, {0, 1}, {0, 1}, {}, {}, {1, 1}};
  CHECK_FALSE(even_windows(pairs, false, operand, {4, 2}, {4}).are_these());
  const index_windows batched{{}, {1}, {1}, {0}, {0}, {1, 1}};
  CHECK_FALSE(even_windows(batched, false, operand, {5, 2, 1}, {5, 2}).are_these());
}
