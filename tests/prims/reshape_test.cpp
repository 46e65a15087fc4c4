// reshape: order of elements, identity, derivative, batching, every dtype, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function to(const shape& dims) {
  return [dims](const arrays& x) { return lax::reshape(x[0], dims); };
}
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
}  // namespace

TEST_CASE("reshape: values") {
  CHECK_CLOSE(to({3, 2})({m}), make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {3, 2}), 0);
  CHECK_CLOSE(to({6})({m}), make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}), 0);
  CHECK_CLOSE(to({1, 1})({scalar(3)}), make({3}, {1, 1}), 0);
  CHECK_CLOSE(to({})({make({3}, {1, 1})}), scalar(3), 0);
  CHECK(to({5, 0})({make<float>({}, {0, 3})}).shape() == shape{5, 0});
  CHECK(to({2, 3})({m}).same_as(m));
  for (int i = 0; i < jq::dtype_count; ++i)
    CHECK_CLOSE(to({2, 1})({cast(make({1, 0}), jq::dtype(i))}), cast(make({1, 0}, {2, 1}), jq::dtype(i)), 0);
}
TEST_CASE("reshape: derivative and batching") {
  for (const shape& dims : {shape{3, 2}, shape{6}, shape{1, 6, 1}}) {
    check_derivatives(to(dims), {m});
    check_batching(to(dims), {m});
  }
}
TEST_CASE("reshape: errors") {
  CHECK_THROWS_WITH_AS(
      to({4})({m}),
      doctest::Contains(
          "reshape: got the new shape (4,) for an operand of shape (2, 3); the number of elements must stay 6"),
      jq::shape_error);
  CHECK_THROWS_WITH_AS(to({-1, 6})({m}), doctest::Contains("got the new shape (-1, 6)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(to({1, 1, 1, 1, 1, 1, 1, 2, 3})({m}),
                       doctest::Contains("reshape: got a new shape of more than 8 dimensions for an operand of shape (2, 3); an array has at most 8"), jq::shape_error);
  CHECK_THROWS_AS(to({-2, -3})({m}), jq::shape_error);
  CHECK(jq::table_of<jq::reshape_p>().linear == 1);
}
