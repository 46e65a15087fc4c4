// Grids, triangles, structured matrices and spacings: numpy's documented results.
#include <jacquard/numpy/grids.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::meshgrid({x, x})[0] + jq::tri(3) + jq::vander(x); }, {3}) > 0);
static_assert(traced([](array x) { return jq::vander(x); }, {3, 3}) == -1);

TEST_CASE("meshgrid, indices and fromfunction") {
  const array x = asarray({0.0, 0.5, 1.0}), y = asarray({0.0, 1.0});
  CHECK(show(jq::meshgrid({x, y})) == "f64[2,3] 0 0.5 1 0 0.5 1, f64[2,3] 0 0 0 1 1 1");
  CHECK(show(jq::meshgrid({x, y}, "ij")) == "f64[3,2] 0 0 0.5 0.5 1 1, f64[3,2] 0 1 0 1 0 1");
  CHECK(jq::meshgrid({x, y, x})[2].shape() == jq::shape{2, 3, 3});
  CHECK(show(jq::meshgrid({x})) == "f64[3] 0 0.5 1");
  CHECK_ERROR(jq::value_error, jq::meshgrid({x, y}, "yx"), "meshgrid", "\"yx\"");
  CHECK_ERROR(jq::shape_error, jq::meshgrid({jq::zeros({2, 2})}), "meshgrid");
  CHECK(show(jq::indices({2, 3})) == "i64[2,3] 0 0 0 1 1 1, i64[2,3] 0 1 2 0 1 2");
  CHECK(show(jq::fromfunction([](array i, array j) { return i == j; }, {3, 3}, jq::i32)) == "bool[3,3] 1 0 0 0 1 0 0 0 1");
  CHECK(show(jq::fromfunction([](array i) { return 2 * i; }, {3})) == "f64[3] 0 2 4");
  CHECK_ERROR_ANYWHERE(jq::shape_error, jq::indices({-1}), "indices", "-1");
}
TEST_CASE("triangles and matrices with structure") {
  CHECK(show(jq::tri(3, 5, 2, jq::i32)) == "i32[3,5] 1 1 1 0 0 1 1 1 1 0 1 1 1 1 1");
  CHECK(show(jq::tri(3, 5, -1, jq::i32)) == "i32[3,5] 0 0 0 0 0 1 0 0 0 0 1 1 0 0 0");
  CHECK(show(jq::identity(2)) == "f32[2,2] 1 0 0 1");
  CHECK(show(jq::tril_indices(3)) == "i64[6] 0 1 1 2 2 2, i64[6] 0 0 1 0 1 2");
  CHECK(show(jq::triu_indices(3, 1)) == "i64[3] 0 0 1, i64[3] 1 2 2");
  CHECK(show(jq::triu_indices(2, 0, 3)) == "i64[5] 0 0 0 1 1, i64[5] 0 1 2 1 2");
  CHECK(show(jq::diagflat(asarray({{1, 2}}), 1)) == "i32[3,3] 0 1 0 0 0 2 0 0 0");
  CHECK(show(jq::vander(asarray({1, 2, 3, 5}), 3)) == "i32[4,3] 1 1 1 4 2 1 9 3 1 25 5 1");
  CHECK(show(jq::vander(asarray({2, 3}), 3, true)) == "i32[2,3] 1 2 4 1 3 9");
  CHECK_ERROR(jq::shape_error, jq::vander(jq::zeros({2, 2})), "vander", "(2, 2)");
}
TEST_CASE("spacings and buffers") {
  CHECK(distance(jq::logspace(2, 3, 4), asarray({100.0, 215.443469003188, 464.158883361278, 1000.0})) < 1e-9);
  CHECK(show(jq::logspace(0, 3, 4, 2)) == "f64[4] 1 2 4 8");
  CHECK(distance(jq::geomspace(1, 1000, 4), asarray({1.0, 10.0, 100.0, 1000.0})) < 1e-12);
  CHECK(jq::item<double>(jq::geomspace(-1000, -1, 4)(3)) == -1);
  CHECK_ERROR_ANYWHERE(jq::value_error, jq::geomspace(0, 1, 4), "geomspace", "not 0");
  // Whole numbers lose no rounding error of the power; the ends are exact.
  CHECK(show(jq::geomspace(1, 1000, 4, jq::i32)) == "i32[4] 1 10 100 1000");
  CHECK(show(jq::geomspace(1, 256, 9, jq::i64)) == "i64[9] 1 2 4 8 16 32 64 128 256");
  CHECK(show(jq::geomspace(-1, -16, 3, jq::i64)) == "i64[3] -1 -4 -16");
  CHECK(show(jq::geomspace(2, 7, 3, jq::i64)) == "i64[3] 2 3 7");  // 3.74
  CHECK(show(jq::logspace(0, 3, 4, 10, jq::i64)) == "i64[4] 1 10 100 1000");
  CHECK(show(jq::logspace(0, 1, 3, 10, jq::i64)) == "i64[3] 1 3 10");  // 3.16
  CHECK(show(jq::jit([] { return jq::geomspace(1, 1e9, 10, jq::i64); })()) == show(jq::geomspace(1, 1e9, 10, jq::i64)));
  CHECK(show(jq::jit([] { return jq::geomspace(1, 1e9, 10, jq::i64); }, jq::backend("interpreter"))()) == show(jq::geomspace(1, 1e9, 10, jq::i64)));
  CHECK(jq::geomspace(1, 1e9, 10, jq::i64)(8).item<std::int64_t>() == 100000000);
  const float numbers[] = {1, 2, 3};
  CHECK(show(jq::frombuffer<float>(numbers, sizeof numbers)) == "f32[3] 1 2 3");
  CHECK_ERROR(jq::value_error, jq::frombuffer<float>(numbers, 5), "frombuffer", "5 bytes", "multiple of 4");
}
TEST_CASE("linspace between arrays, without the end, with its step") {
  // More values than f16 can count.
  const auto halves = jq::linspace_with_step(jq::zeros({}, jq::f16), jq::ones({}, jq::f16), 70001);
  CHECK(halves.values(70000).astype(jq::f64).item<double>() == 1);
  CHECK(halves.values(35000).astype(jq::f64).item<double>() == 0.5);
  CHECK(halves.step.astype(jq::f64).item<double>() > 0);
  const array low = asarray({0.0, 10.0}), high = asarray({1.0, 40.0});
  CHECK(show(jq::linspace(low, high, 3, {})) == "f64[3,2] 0 10 0.5 25 1 40");
  CHECK(show(jq::linspace(low, high, 3)) == "f64[3,2] 0 10 0.5 25 1 40");
  CHECK(show(jq::linspace(0.0, high, 2)) == "f64[2,2] 0 0 1 40");
  CHECK(show(jq::linspace(0, 1, 3)) == "f64[3] 0 0.5 1");
  CHECK(show(jq::linspace(low, high, 3, {.axis = -1})) == "f64[2,3] 0 0.5 1 10 25 40");
  CHECK(show(jq::linspace(0, 1, 4, {.endpoint = false})) == "f64[4] 0 0.25 0.5 0.75");
  const jq::linspace_result r = jq::linspace_with_step(low, high, 3, {.endpoint = false, .axis = 1});
  CHECK(show(r.values) == "f64[2,3] 0 0.33333 0.66667 10 20 30");
  CHECK(show(r.step) == "f64[2] 0.33333 10");
  CHECK(std::isnan(jq::linspace_with_step(0, 1, 1).step.item<double>()));
  CHECK(show(jq::linspace_with_step(0, 1, 1, {.endpoint = false}).step) == "f64[] 1");
  CHECK(show(jq::linspace(asarray(2.0f), asarray({4.0f}), 2, {})) == "f32[2,1] 2 4");
  CHECK(show(jq::linspace(asarray(jq::complex128(0, 2)), asarray(jq::complex128(2, 0)), 3, {})) == "c128[3] 0+2i 1+1i 2+0i");
  CHECK(show(jq::linspace(low, high, 0, {})) == "f64[0,2]");
  const auto last = jq::grad([](const array& a, const array& b) { return jq::sum(jq::linspace(a, b, 5, {})); }, jq::argnums<0, 1>)(asarray(0.0), asarray(1.0));
  CHECK(show(last) == "f64[] 2.5, f64[] 2.5");
  CHECK_ERROR(jq::value_error, jq::linspace(low, high, -1, {}), "linspace", "-1");
  CHECK_ERROR(jq::value_error, jq::linspace(low, high, 2, {.axis = 2}), "linspace", "axis 2");
  CHECK_ERROR(jq::shape_error, jq::linspace(low, jq::ones({3}), 2, {}), "linspace", "(3,)");
}
TEST_CASE("mgrid and ogrid") {
  CHECK(show(jq::mgrid({jq::slice(0, 2), jq::slice(0, 3)})) == "i64[2,2,3] 0 0 0 1 1 1 0 1 2 0 1 2");
  CHECK(show(jq::mgrid({jq::slice(jq::none, 4, 2), jq::slice(3, 0, -2)})) == "i64[2,2,2] 0 0 2 2 3 1 3 1");
  CHECK(show(jq::ogrid({jq::slice(0, 2), jq::slice(0, 3)})) == "i64[2,1] 0 1, i64[1,3] 0 1 2");
  CHECK(jq::mgrid({jq::slice(3, 1)}).shape() == jq::shape{1, 0});
  CHECK_ERROR(jq::value_error, jq::mgrid({jq::slice(1, jq::none)}), "mgrid", "without a stop");
}
TEST_CASE("linspace between a whole number and a floating point one") {
  CHECK(show(jq::linspace(asarray(0), asarray(1.f), 3, jq::linspace_options{})) == "f32[3] 0 0.5 1");
}
