// Orthogonal initial values: orthonormal rows or columns, windows, errors.
#include <jacquard/nn/orthogonal.hpp>

#include "../numpy/numpy_testing.hpp"

namespace nn = jacquard::nn;

namespace {
const array key = jq::random::key(9);
double distance_to_identity(const array& x) { return distance(x, jq::eye(x.shape()[0], jq::f64)); }
}  // namespace

TEST_CASE("orthogonal") {
  const array wide = nn::initializers::orthogonal{}(key, {3, 5}, jq::f64), tall = nn::initializers::orthogonal{2}(key, {5, 3}, jq::f64);
  CHECK(distance_to_identity(jq::matmul(wide, jq::transpose(wide))) < 1e-14);
  CHECK(distance_to_identity(jq::matmul(jq::transpose(tall), tall) / 4.0) < 1e-14);
  const array kernel = nn::initializers::orthogonal{}(key, {2, 3, 4}, jq::f64), rows = jq::reshape(kernel, {6, 4});
  CHECK(distance_to_identity(jq::matmul(jq::transpose(rows), rows)) < 1e-14);
  const array first = nn::initializers::orthogonal{1, 0}(key, {4, 3, 2}, jq::f64), flat = jq::reshape(first, {4, 6});
  CHECK(distance_to_identity(jq::matmul(flat, jq::transpose(flat))) < 1e-14);
  CHECK(nn::initializers::orthogonal{}(key, {3, 3}, jq::bf16).dtype() == jq::bf16);
  CHECK(nn::initializers::orthogonal{}(key, {0, 3}).shape() == jq::shape{0, 3});
  CHECK_ERROR(jq::shape_error, nn::initializers::orthogonal{}(key, {3}), "orthogonal", "(3,)", "two axes");
  CHECK_ERROR(jq::value_error, (nn::initializers::orthogonal{1, 2}(key, {3, 3})), "orthogonal", "axis 2");
}
TEST_CASE("delta_orthogonal") {
  const array k = nn::initializers::delta_orthogonal{}(key, {3, 4, 2, 5}, jq::f64);
  CHECK(k.shape() == jq::shape{3, 4, 2, 5});
  const array middle = k(1, 1);
  CHECK(distance_to_identity(jq::matmul(middle, jq::transpose(middle))) < 1e-14);
  CHECK(jq::sum(jq::square(k)).item<double>() == doctest::Approx(2));
  CHECK_ERROR(jq::shape_error, nn::initializers::delta_orthogonal{}(key, {3, 5, 2}), "delta_orthogonal", "(3, 5, 2)", "outputs");
  CHECK_ERROR(jq::shape_error, nn::initializers::delta_orthogonal{}(key, {2, 2}), "delta_orthogonal", "(2, 2)", "window");
}
