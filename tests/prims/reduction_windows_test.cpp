// Windows over all dimensions: paddings by name, and errors. What windows give is in window_combination_test.cpp.
#include "reference.hpp"

using namespace prim_testing;

namespace {
const array x = sample({5, 6});
}  // namespace

TEST_CASE("windows: SAME and VALID") {
  const array ones = lax::full(shape{5}, jq::literal(1.0));
  CHECK_CLOSE(lax::reduce_window_sum(ones, {3}, {}, "VALID"), make({3.0, 3.0, 3.0}), 0);
  CHECK_CLOSE(lax::reduce_window_sum(ones, {3}, {}, "SAME"), make({2.0, 3.0, 3.0, 3.0, 2.0}), 0);
  CHECK_CLOSE(lax::reduce_window_sum(ones, {2}, {2}, "SAME"), make({2.0, 2.0, 1.0}), 0);
  CHECK_CLOSE(lax::reduce_window_sum(ones, {2}, {2}, "SAME_LOWER"), make({1.0, 2.0, 2.0}), 0);
  CHECK_CLOSE(lax::reduce_window_sum(ones, {2}, {2}, {{1, 1}}), make({1.0, 2.0, 2.0}), 0);
}
TEST_CASE("windows: errors") {
  const auto sum = [](const array& v, const jq::int_list& window, const jq::int_list& strides, const jq::conv_padding& padding,
                      const jq::int_list& base = {}) { return lax::reduce_window_sum(v, window, strides, padding, base); };
  CHECK_THROWS_WITH_AS(sum(x, {2}, {}, "SAME"), doctest::Contains("reduce_window_sum: got window_dimensions (2,) for an operand of shape (5, 6)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(sum(x, {2, 0}, {}, "SAME"), doctest::Contains("wanted 2 numbers of at least 1"), jq::shape_error);
  CHECK_THROWS_WITH_AS(sum(x, {2, 2}, {0, 1}, "SAME"), doctest::Contains("got window_strides (0, 1)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(sum(x, {1 << 20, 1 << 20}, {}, {{1 << 20, 0}, {1 << 20, 0}}), doctest::Contains("wanted one of at most"), jq::shape_error);
  CHECK(sum(x, {1 << 30, 1}, {}, "VALID").shape() == shape{0, 6});
  CHECK_THROWS_WITH_AS(sum(x, {2, 2}, {}, "FULL"), doctest::Contains("none of \"VALID\", \"SAME\""), jq::value_error);
  CHECK_THROWS_WITH_AS(sum(x, {2, 2}, {}, {{1, 1}}), doctest::Contains("got low paddings (1,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(sum(x, {2, 2}, {}, "SAME", {2, 1}), doctest::Contains("\"SAME\" is not defined with base_dilation (2, 1)"), jq::value_error);
}
