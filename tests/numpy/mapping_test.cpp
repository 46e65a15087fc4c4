// Functions along and over axes and on broadcast parts: numpy's documented results, derivatives, errors.
#include <jacquard/numpy/linalg.hpp>
#include <jacquard/numpy/mapping.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::vectorize([](const array& v) { return jq::sum(v); }, "(n)->()")(x); }, {2, 3}) > 0);

TEST_CASE("apply_along_axis") {
  const array b = asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}});
  const auto ends = [](const array& v) { return 0.5 * (v[0] + v[-1]); };
  CHECK(show(jq::apply_along_axis(ends, 0, b)) == "f64[3] 4 5 6");
  CHECK(show(jq::apply_along_axis(ends, 1, b)) == "f64[3] 2 5 8");
  CHECK(show(jq::apply_along_axis([](const array& v) { return jq::sort(v); }, 1, asarray({{8, 1, 7}, {4, 3, 9}}))) == "i32[2,3] 1 7 8 3 4 9");
  const array diagonals = jq::apply_along_axis([](const array& v) { return jq::diag(v); }, -1, b);
  CHECK(diagonals.shape() == jq::shape{3, 3, 3});
  CHECK(show(diagonals[1]) == "f64[3,3] 4 0 0 0 5 0 0 0 6");
  CHECK(jq::apply_along_axis([](const array& v) { return jq::outer(v, v); }, 1, jq::zeros({2, 3, 4})).shape() == jq::shape{2, 3, 3, 4});
  CHECK_ERROR(jq::value_error, jq::apply_along_axis(ends, 2, b), "apply_along_axis", "axis 2");
}
TEST_CASE("apply_over_axes") {
  const array a = jq::reshape(jq::arange(24), {2, 3, 4});
  CHECK(show(jq::apply_over_axes([](const array& x, int axis) { return jq::sum(x, axis); }, a, {0, 2})) == "i64[1,3,1] 60 92 124");
  CHECK(show(jq::apply_over_axes([](const array& x, int axis) { return jq::cumsum(x, axis); }, a, {-1})) == show(jq::cumsum(a, 2)));
  CHECK_ERROR(jq::value_error, jq::apply_over_axes([](const array& x, int) { return jq::sum(x); }, a, {0}), "apply_over_axes", "0 dimensions for 3");
}
TEST_CASE("vectorize") {
  const auto larger = jq::vectorize([](const array& a, const array& b) { return jq::where(a > b, a - b, a + b); });
  CHECK(show(larger(asarray({1, 2, 3, 4}), 2)) == "i32[4] 3 4 1 2");
  CHECK(larger(jq::zeros({3, 1}), jq::zeros({2})).shape() == jq::shape{3, 2});
  const auto product = jq::vectorize([](const array& m, const array& v) { return jq::matmul(m, v); }, "(m, n),(n)->(m)");
  const array m = jq::reshape(jq::arange(12), {2, 2, 3}), v = asarray({1, 0, 2});
  CHECK(show(product(m, v)) == show(jq::stack({jq::matmul(m[0], v), jq::matmul(m[1], v)})));
  CHECK(product(jq::zeros({4, 1, 2, 3}), jq::zeros({5, 3})).shape() == jq::shape{4, 5, 2});
  const auto squares = jq::vectorize([](const array& x) { return jq::sum(x * x); }, "(n)->()");
  CHECK(show(jq::grad([&](const array& x) { return jq::sum(squares(x)); })(asarray({{1.0, 2.0}, {3.0, 4.0}}))) == "f64[2,2] 2 4 6 8");
  CHECK_ERROR(jq::shape_error, product(m, jq::zeros({4})), "vectorize", "dimension n", "one size");
  CHECK_ERROR(jq::shape_error, jq::vectorize([](const array& a, const array& b) { return a + b; }, "(n)->(n)")(v, v), "vectorize", "2 arguments");
  CHECK_ERROR(jq::shape_error, jq::vectorize([](const array& x) { return x; }, "(n")(v), "vectorize", "(n", "wanted one like");
  CHECK_ERROR(jq::shape_error, product(jq::zeros({4, 2, 3}), jq::zeros({5, 3})), "vectorize", "(4,)", "(5,)");
  CHECK_ERROR(jq::shape_error, squares(asarray(1.0)), "vectorize", "()", "1 core dimensions");
}
