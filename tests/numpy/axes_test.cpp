// Axes as arguments: every way to give them, and what is said about wrong ones.
#include "numpy_testing.hpp"

static_assert(jq::axis_list(3).size() == 1 && jq::axis_list{0, 1}.size() == 2 && jq::axis_list().empty());
static_assert(jq::reduction_axes().all() && jq::reduction_axes(jq::none).all() && jq::reduction_axes(jq::keepdims).keep());
static_assert(!jq::reduction_axes(0).all() && !jq::reduction_axes{0, 1}.all() && !jq::reduction_axes(jq::int_list()).all());

TEST_CASE("axes: nothing, a number, a list, none, and keepdims with each") {
  const array x = jq::reshape(jq::arange(24), {2, 3, 4});
  CHECK(jq::sum(x).shape() == jq::shape{});
  CHECK(jq::sum(x, jq::none).shape() == jq::shape{});
  CHECK(jq::sum(x, {}).shape() == jq::shape{});
  CHECK(jq::sum(x, jq::keepdims).shape() == jq::shape{1, 1, 1});
  CHECK(jq::sum(x, 1).shape() == jq::shape{2, 4});
  CHECK(jq::sum(x, -1, jq::keepdims).shape() == jq::shape{2, 3, 1});
  CHECK(jq::sum(x, {0, -1}).shape() == jq::shape{3});
  CHECK(jq::sum(x, {2, 0}, jq::keepdims).shape() == jq::shape{1, 3, 1});
  CHECK(jq::sum(x, jq::int_list()).shape() == x.shape());
  const std::int64_t i = 1;
  CHECK(jq::sum(x, {i}).shape() == jq::shape{2, 4});
  CHECK(jq::sum(x, std::size_t(2)).shape() == jq::shape{2, 3});
}
TEST_CASE("axes: errors name the axis and the rank") {
  const array x = jq::ones({2, 3});
  CHECK_ERROR(jq::value_error, jq::sum(x, 2), "sum", "axis 2 is out of bounds for array of dimension 2", "wanted", "[-2, 2)");
  CHECK_ERROR(jq::value_error, jq::mean(x, -3), "mean", "axis -3", "dimension 2");
  CHECK_ERROR(jq::value_error, jq::max(x, {0, -2}), "max", "(0, -2)", "repeated");
  CHECK_ERROR(jq::value_error, jq::sum(x, {0, 1, 0, 1, 0, 1, 0, 1, 0}), "sum");
  CHECK_ERROR(jq::value_error, jq::sum(2.0, 0), "sum", "dimension 0");
}
// In constant evaluation an error reaches the trace even where no operand of the function is traced.
static_assert(traced([](array x) { return x + jq::sum(jq::zeros({2}), 3); }, {2}) == -1);
static_assert(traced([](array x) { return x + jq::zeros({-1}); }, {2}) == -1);
static_assert(traced([](array x) { return x + (jq::zeros({2}) + jq::zeros({3})); }, {2}) == -1);
