// Normal vectors and orthogonal matrices: moments, Kolmogorov's test of projections, derivatives, errors.
#include <jacquard/numpy/random_multivariate.hpp>

#include "distribution_testing.hpp"

namespace r = jq::random;

namespace {
const array k = r::key(23);
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("multivariate_normal") {
  const array mean = asarray({1.0, -2.0}), cov = asarray({{4.0, 1.2}, {1.2, 1.0}});
  const array x = r::multivariate_normal(k, mean, cov, {20000}, jq::f64);
  CHECK(x.shape() == jq::shape{20000, 2});
  // A linear function w x is normal, of mean w m and variance w C w.
  for (const auto& [u, v] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {1.0, -2.0}}) {
    const double deviation = std::sqrt(4 * u * u + 2.4 * u * v + v * v);
    CHECK(kolmogorov((u * (x(jq::all, 0) - 1.0) + v * (x(jq::all, 1) + 2.0)) / deviation, normal_cdf) < unlikely);
  }
  CHECK(r::multivariate_normal(k, jq::zeros({5, 1, 2}), jq::broadcast_to(cov, {3, 2, 2})).aval() == jq::aval{jq::f32, {5, 3, 2}});
  CHECK(r::multivariate_normal(k, mean, cov).shape() == jq::shape{2});
  CHECK(r::multivariate_normal(k, mean, cov, {3}, jq::f16).dtype() == jq::f16);
  const auto total = [&](const array& m) { return jq::sum(r::multivariate_normal(k, m, cov, {7}, jq::f64)); };
  CHECK(show(jq::grad(total)(mean)) == "f64[2] 7 7");
  // Of covariances s C the samples are sqrt(s) times those of C.
  const auto scaled = [&](const array& s) { return jq::sum(r::multivariate_normal(k, jq::zeros({2}), s * cov, {7}, jq::f64)); };
  CHECK(at(jq::grad(scaled)(asarray(4.0))) == doctest::Approx(at(scaled(asarray(4.0))) / 8));
  CHECK_ERROR(jq::shape_error, r::multivariate_normal(k, mean, jq::eye(3)), "multivariate_normal", "(2,)", "(3, 3)", "(..., n, n)");
  CHECK_ERROR(jq::shape_error, r::multivariate_normal(k, asarray(1.0), jq::eye(1)), "multivariate_normal", "()", "(..., n)");
  CHECK_ERROR(jq::shape_error, r::multivariate_normal(k, mean, jq::broadcast_to(cov, {3, 2, 2}), {4}), "multivariate_normal", "(3, 2, 2)", "(4, 2)");
}
TEST_CASE("orthogonal") {
  const array q = r::orthogonal(k, 3, {8000}, jq::f64), product = jq::matmul(q, jq::swapaxes(q, -1, -2));
  CHECK(at(jq::max(jq::abs(product - jq::eye(3, jq::f64)))) < 1e-13);
  // Entries of a point of the sphere are evenly distributed in [-1, 1] (Archimedes), in every row and column.
  for (int i : {0, 1, 2})
    for (int j : {0, 2}) CHECK(kolmogorov(q(jq::all, i, j), [](double x) { return std::clamp((x + 1) / 2, 0.0, 1.0); }) < unlikely);
  const array signs = jq::linalg::det(q);
  CHECK(std::abs(at(jq::mean(signs))) < 0.04);
  const array u = r::orthogonal(k, 2, {}, jq::c128);
  CHECK(at(jq::max(jq::abs(jq::matmul(u, jq::conj(jq::transpose(u))) - jq::eye(2, jq::f64)))) < 1e-14);
  CHECK_ERROR(jq::type_error, r::orthogonal(k, 2, {}, jq::i32), "normal", "int32");
  CHECK_ERROR(jq::shape_error, r::orthogonal(k, -2), "-2", "non-negative");
}
