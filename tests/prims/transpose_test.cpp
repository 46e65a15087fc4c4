// transpose: permutations of every rank, identity, derivative, batching, every dtype, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function permuted(const jq::int_list& order) {
  return [order](const arrays& x) { return lax::transpose(x[0], order); };
}
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
const array cube = make({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {2, 3, 2});
}  // namespace

TEST_CASE("transpose: values") {
  CHECK_CLOSE(permuted({1, 0})({m}), make({1.0, 4.0, 2.0, 5.0, 3.0, 6.0}, {3, 2}), 0);
  CHECK_CLOSE(permuted({2, 0, 1})({cube}), make({0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}, {2, 2, 3}), 0);
  CHECK_CLOSE(permuted({1, 2, 0})({cube}), make({0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}, {3, 2, 2}), 0);
  CHECK(permuted({0, 1})({m}).same_as(m));
  CHECK(permuted({})({scalar(1.0)}).ndim() == 0);
  CHECK(permuted({1, 0})({make<float>({}, {0, 3})}).shape() == shape{3, 0});
  for (int i = 0; i < jq::dtype_count; ++i)
    CHECK_CLOSE(permuted({1, 0})({cast(make({1, 0, 1, 1}, {2, 2}), jq::dtype(i))}),
                cast(make({1, 1, 0, 1}, {2, 2}), jq::dtype(i)), 0);
}
TEST_CASE("transpose: derivative and batching") {
  check_derivatives(permuted({1, 0}), {m});
  check_derivatives(permuted({2, 0, 1}), {cast(cube, jq::f64)});
  check_batching(permuted({1, 0}), {m});
  check_batching(permuted({2, 0, 1}), {cube});
}
TEST_CASE("transpose: errors") {
  for (const jq::int_list& order :
       {jq::int_list{0}, jq::int_list{0, 0}, jq::int_list{0, 2}, jq::int_list{-1, 0}, jq::int_list{0, 1, 2}})
    CHECK_THROWS_WITH_AS(permuted(order)({m}),
                         doctest::Contains("is not a permutation of the 2 dimensions of an operand of shape (2, 3)"),
                         jq::shape_error);
  CHECK(jq::table_of<jq::transpose_p>().linear == 1);
}
