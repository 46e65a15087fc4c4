// Sorting: order, stability, NaN, axes, derivative.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::sort(x) + jq::argsort(x, 0); }, {3}) > 0);
static_assert(traced([](array x) { return jq::sort(x, 1); }, {3}) == -1);

TEST_CASE("sort and argsort") {
  const array x = asarray({{3.0, not_a_number, -1.0}, {2.0, 2.0, -inf}});
  CHECK(show(jq::sort(x)) == "f64[2,3] -1 3 nan -inf 2 2");
  CHECK(show(jq::sort(x, 0)) == "f64[2,3] 2 2 -inf 3 nan -1");
  CHECK(show(jq::sort(x, jq::none)) == "f64[6] -inf -1 2 2 3 nan");
  CHECK(show(jq::argsort(x)) == "i64[2,3] 2 0 1 2 0 1");
  CHECK(show(jq::argsort(asarray({1, 0, 1, 0}))) == "i64[4] 1 3 0 2");
  CHECK(show(jq::sort(asarray({true, false}))) == "bool[2] 0 1");
  CHECK_ERROR(jq::value_error, jq::sort(x, 2), "sort", "axis 2", "dimension 2");
  CHECK_ERROR(jq::value_error, jq::argsort(x, -3), "argsort", "axis -3");
}
TEST_CASE("descending order: NaN first, equal elements in their order") {
  const array x = asarray({3.0, not_a_number, -1.0, 3.0});
  CHECK(show(jq::sort(x, 0, jq::descending)) == "f64[4] nan 3 3 -1");
  CHECK(show(jq::argsort(x, 0, jq::descending)) == "i64[4] 1 0 3 2");
  CHECK(show(jq::sort(asarray({{1, 2}, {3, 0}}), 1, jq::descending)) == "i32[2,2] 2 1 3 0");
  CHECK(show(jq::argsort(asarray({{1, 2}, {3, 0}}), 0, jq::descending)) == "i64[2,2] 1 0 0 1");
}
TEST_CASE("lexsort: the last key counts first") {
  const array first = asarray({2, 1, 2}), second = asarray({3, 3, 1});
  CHECK(show(jq::lexsort({second, first})) == "i64[3] 1 2 0");
  CHECK(show(jq::lexsort({first, second})) == "i64[3] 2 1 0");
  CHECK(show(jq::lexsort({asarray({9, 4, 0, 4, 0, 2, 1}), asarray({1, 5, 1, 4, 3, 4, 4})})) == "i64[7] 2 0 4 6 5 3 1");  // numpy's example
  CHECK_ERROR(jq::shape_error, jq::lexsort({second, asarray({1, 2})}), "sort", "equal shapes");
  CHECK_ERROR(jq::value_error, jq::lexsort({second}, 1), "lexsort", "axis 1");
}
TEST_CASE("partition, argpartition and top_k") {
  const array x = asarray({7, 1, 7, 7, 1, 5, 7, 2, 3, 2, 6, 2, 3, 0});
  const array y = jq::partition(x, 4);
  CHECK(bool(jq::all(y(jq::slice(0, 4)) <= y(4)) & jq::all(y(jq::slice(4, jq::none)) >= y(4))));
  CHECK(show(jq::take(x, jq::argpartition(x, 4))) == show(y));
  CHECK_ERROR(jq::value_error, jq::partition(x, 14), "partition", "kth 14", "size 14");
  CHECK_ERROR(jq::value_error, jq::argpartition(x, -15), "argpartition", "kth -15");
  const auto [values, indices] = jq::top_k(asarray({3.0, 1.0, 3.0, 2.0}), 3);
  CHECK(show(values) == "f64[3] 3 3 2");
  CHECK(show(indices) == "i64[3] 0 2 3");
  CHECK(show(jq::grad([](const array& v) { return jq::sum(jq::top_k(v, 2).values * asarray({1.0, 10.0})); })(asarray({3.0, 1.0, 4.0}))) ==
        "f64[3] 10 0 1");
  CHECK_ERROR(jq::value_error, jq::top_k(x, 15), "top_k", "k 15");
}
TEST_CASE("the derivative of sort undoes the order") {
  const array w = asarray({1.0, 10.0, 100.0});
  CHECK(show(jq::grad([&](const array& v) { return jq::sum(w * jq::sort(v)); })(asarray({3.0, 1.0, 2.0}))) == "f64[3] 100 1 10");
}
TEST_CASE("a number has no dimension to sort along") {
  CHECK_THROWS_WITH_AS(jq::sort(asarray(2.0)), doctest::Contains("axis -1 is out of bounds"), jq::value_error);
  CHECK_THROWS_AS(jq::argsort(asarray(2.0), 5), jq::value_error);
  CHECK(show(jq::sort(asarray(2.0), jq::none)) == "f64[1] 2");
}
