// index_windows: the checks of dimension numbers.
#include <algorithm>

#include "reference.hpp"

using namespace prim_testing;
using jq::int_list;

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
