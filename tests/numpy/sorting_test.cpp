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
  CHECK(show(jq::sort(2.0)) == "f64[1] 2");
  CHECK_ERROR(jq::value_error, jq::sort(x, 2), "sort", "axis 2", "dimension 2");
  CHECK_ERROR(jq::value_error, jq::argsort(x, -3), "argsort", "axis -3");
}
TEST_CASE("the derivative of sort undoes the order") {
  const array w = asarray({1.0, 10.0, 100.0});
  CHECK(show(jq::grad([&](const array& v) { return jq::sum(w * jq::sort(v)); })(asarray({3.0, 1.0, 2.0}))) == "f64[3] 100 1 10");
}
