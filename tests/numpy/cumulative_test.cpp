// Running products, extremes and log-sums: axes, directions, dtypes, errors.
#include <jacquard/numpy/cumulative.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::cumprod(x, 0) + jq::cummax(x, 0) + jq::cummin(x, 0) + jq::cumlogsumexp(x, 0); }, {3}) > 0);
static_assert(traced([](array x) { return jq::cumprod(x, 1); }, {3}) == -1);

TEST_CASE("running operations") {
  const array x = asarray({{1, 3, 2}, {4, 0, 6}});
  CHECK(show(jq::cumprod(x)) == "i32[6] 1 3 6 24 0 0");
  CHECK(show(jq::cumprod(x, 0)) == "i32[2,3] 1 3 2 4 0 12");
  CHECK(show(jq::cumprod(x, -1, true)) == "i32[2,3] 6 6 2 0 0 6");
  CHECK(show(jq::cumprod(asarray({true, false}))) == "i64[2] 1 0");
  CHECK(show(jq::cummax(x, 1)) == "i32[2,3] 1 3 3 4 4 6");
  CHECK(show(jq::cummin(x, 0)) == "i32[2,3] 1 3 2 1 0 2");
  CHECK(show(jq::cummin(x)) == "i32[6] 1 1 1 1 0 0");
  CHECK(distance(jq::cumlogsumexp(asarray({0, 0, 0})), asarray({0.0, std::log(2.0), std::log(3.0)})) < 1e-15);
  CHECK_ERROR(jq::value_error, jq::cumprod(x, 2), "cumprod", "axis 2", "dimension 2");
  CHECK_ERROR(jq::value_error, jq::cummax(x, -3), "cummax", "axis -3");
}
