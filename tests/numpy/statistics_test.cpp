// Statistics: numpy's documented results, weights, NaN left out, derivatives, errors.
#include <jacquard/numpy/statistics.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::cov(x) + jq::corrcoef(x); }, {2, 5}) > 0);
static_assert(traced([](array x) { return jq::nanmean(x) + jq::nanstd(x) + jq::average(x); }, {5}) > 0);

namespace {
const array gaps = asarray({{1.0, not_a_number, 3.0}, {not_a_number, not_a_number, not_a_number}});
}

TEST_CASE("average: numbers and weights meet as operands do") {
  const auto dtype_of = [](jq::dtype numbers, jq::dtype weights) { return jq::average(jq::ones({3}, numbers), jq::ones({3}, weights)).dtype(); };
  CHECK(dtype_of(jq::f32, jq::i32) == jq::f32);
  CHECK(dtype_of(jq::f32, jq::bool_) == jq::f32);
  CHECK(dtype_of(jq::c64, jq::i32) == jq::c64);
  CHECK(dtype_of(jq::f16, jq::f16) == jq::f16);
  CHECK(dtype_of(jq::f16, jq::i32) == jq::f16);
  CHECK(dtype_of(jq::f32, jq::f64) == jq::f64);
  CHECK(dtype_of(jq::i32, jq::i32) == jq::f64);
}
TEST_CASE("count_nonzero, ptp and average") {
  CHECK(show(jq::count_nonzero(asarray({{0, 1, 7, 0}, {3, 0, 2, 19}}))) == "i64[] 5");
  CHECK(show(jq::count_nonzero(asarray({{0, 1, 7, 0}, {3, 0, 2, 19}}), 0)) == "i64[4] 1 1 2 1");
  CHECK(show(jq::ptp(asarray({{4, 9, 2, 10}, {6, 9, 7, 12}}), 1)) == "i32[2] 8 6");
  CHECK(show(jq::ptp(asarray({{4, 9, 2, 10}, {6, 9, 7, 12}}))) == "i32[] 10");
  CHECK(show(jq::average(jq::arange(1, 11, 1), jq::arange(10, 0, -1))) == "f64[] 4");
  const array data = jq::reshape(jq::arange(6), {3, 2});
  CHECK(show(jq::average(data, asarray({0.25, 0.75}), 1)) == "f64[3] 0.75 2.75 4.75");
  CHECK(show(jq::average(data, 0)) == "f64[2] 2 3");
  CHECK_ERROR(jq::shape_error, jq::average(data, asarray({0.25, 0.75})), "average", "(2,)", "(3, 2)");
}
TEST_CASE("cov and corrcoef: numpy's examples, weights") {
  const array x = asarray({{0, 1, 2}, {2, 1, 0}});
  CHECK(show(jq::cov(x)) == "f64[2,2] 1 -1 -1 1");
  CHECK(show(jq::cov(jq::transpose(x), {.rowvar = false})) == "f64[2,2] 1 -1 -1 1");
  CHECK(show(jq::cov(asarray({1.0, 2.0, 3.0}), {.ddof = 0})) == "f64[] 0.66667");
  CHECK(show(jq::corrcoef(x)) == "f64[2,2] 1 -1 -1 1");
  const array v = asarray({-2.1, -1.0, 4.3}), w = asarray({3.0, 1.1, 0.12});
  const array both = jq::stack({v, w});
  CHECK(distance(jq::cov(both), asarray({{11.71, -4.286}, {-4.286, 2.144133333333333}})) < 1e-14);
  // Observations that count twice are there twice.
  const array twice = jq::stack({asarray({-2.1, -1.0, -1.0, 4.3}), asarray({3.0, 1.1, 1.1, 0.12})});
  CHECK(distance(jq::cov(both, {.fweights = asarray({1, 2, 1})}), jq::cov(twice)) < 1e-14);
  CHECK(distance(jq::cov(both, {.ddof = 0, .aweights = asarray({1, 2, 1})}), jq::cov(twice, {.ddof = 0})) < 1e-14);
  CHECK_ERROR(jq::shape_error, jq::cov(jq::zeros({2, 2, 2})), "cov", "(2, 2, 2)");
  CHECK_ERROR(jq::shape_error, jq::cov(x, {.fweights = asarray({1, 2})}), "cov", "weights of shape (2,)", "3 observations");
}
TEST_CASE("cov of no more observations than ddof: numpy divides by 0") {
  const array x = asarray({{1.0, 2.0}, {5.0, 5.0}});
  CHECK(show(jq::cov(x, {.ddof = 3})) == show(jq::cov(x, {.ddof = 2})));
  CHECK(jq::cov(x, {.ddof = 3})(0, 0).item<double>() == inf);
  CHECK(std::isnan(jq::cov(x, {.ddof = 3})(1, 1).item<double>()));
}
TEST_CASE("correlations are in [-1, 1]") {
  for (int i = 1; i <= 50; ++i) {
    const array x = jq::sin(jq::arange(4.0) * (0.37 * i));
    const array y = jq::abs(jq::corrcoef(jq::stack({x, x * 3.0 + 1.0, x * -0.1}, 0)));
    CHECK(jq::max(y).item<double>() <= 1);
    CHECK(jq::min(y).item<double>() == doctest::Approx(1));
    CHECK(jq::max(jq::abs(jq::real(jq::corrcoef(jq::stack({x, x * 3.0}, 0).astype(jq::c128))))).item<double>() <= 1);
  }
  CHECK(std::isnan(jq::corrcoef(asarray({{1.0, 1.0}, {1.0, 2.0}}))(0, 1).item<double>()));
}
TEST_CASE("reductions without NaN") {
  CHECK(show(jq::nansum(gaps, 1)) == "f64[2] 4 0");
  CHECK(show(jq::nanprod(gaps, 1)) == "f64[2] 3 1");
  CHECK(show(jq::abs(jq::nanmean(gaps, 1))) == "f64[2] 2 nan");
  CHECK(show(jq::nanvar(gaps, 1)) == "f64[2] 1 nan");
  CHECK(show(jq::nanvar(gaps, 1, jq::ddof(1))) == "f64[2] 2 nan");
  CHECK(show(jq::nanstd(gaps)) == "f64[] 1");
  CHECK(show(jq::nanmax(gaps, 1)) == "f64[2] 3 nan");
  CHECK(show(jq::nanmin(gaps, 0)) == "f64[3] 1 nan 3");
  CHECK(show(jq::nanmax(asarray({1, 2}))) == "i32[] 2");
  CHECK(show(jq::nanargmax(gaps, 1)) == "i64[2] 2 0");
  CHECK(show(jq::nanargmin(gaps)) == "i64[] 0");
  CHECK(show(jq::nancumsum(gaps)) == "f64[6] 1 1 4 4 4 4");
  CHECK(show(jq::nancumprod(gaps, 1)) == "f64[2,3] 1 1 3 1 1 1");
  CHECK(show(jq::nanmean(asarray({1, 2}))) == "f64[] 1.5");
}
TEST_CASE("the root of a variance that f16 does not hold") {
  CHECK(show(jq::nanstd(asarray({0.0, 600.0, -600.0, not_a_number}).astype(jq::f16))) == show(jq::std(asarray({0.0, 600.0, -600.0}).astype(jq::f16))));
}
TEST_CASE("NaN has no part in derivatives") {
  const auto x = asarray({1.0, not_a_number, 3.0});
  CHECK(show(jq::grad([](const array& v) { return jq::nansum(v * v); })(x)) == "f64[3] 2 nan 6");
  CHECK(show(jq::grad([](const array& v) { return jq::nanmean(v); })(x)) == "f64[3] 0.5 0 0.5");
  CHECK(show(jq::grad([](const array& v) { return jq::nanvar(v); })(x)) == "f64[3] -1 0 1");
  // The Hessian of a variance is 2 / n (1 - 1 / n) on the diagonal, -2 / n^2 beside it, also where an element is the mean.
  const array h = jq::hessian([](const array& v) { return jq::nanvar(v); })(asarray({1.0, 2.0, 3.0}));
  CHECK(jq::max(jq::abs(h - (2.0 / 3 * jq::eye(3, jq::f64) - 2.0 / 9))).item<double>() < 1e-15);
}
