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
  const float numbers[] = {1, 2, 3};
  CHECK(show(jq::frombuffer<float>(numbers, sizeof numbers)) == "f32[3] 1 2 3");
  CHECK_ERROR(jq::value_error, jq::frombuffer<float>(numbers, 5), "frombuffer", "5 bytes", "multiple of 4");
}
TEST_CASE("mgrid and ogrid") {
  CHECK(show(jq::mgrid({jq::slice(0, 2), jq::slice(0, 3)})) == "i64[2,2,3] 0 0 0 1 1 1 0 1 2 0 1 2");
  CHECK(show(jq::mgrid({jq::slice(jq::none, 4, 2), jq::slice(3, 0, -2)})) == "i64[2,2,2] 0 0 2 2 3 1 3 1");
  CHECK(show(jq::ogrid({jq::slice(0, 2), jq::slice(0, 3)})) == "i64[2,1] 0 1, i64[1,3] 0 1 2");
  CHECK(jq::mgrid({jq::slice(3, 1)}).shape() == jq::shape{1, 0});
  CHECK_ERROR(jq::value_error, jq::mgrid({jq::slice(1, jq::none)}), "mgrid", "without a stop");
}
