// svd: reconstruction and orthonormal vectors for matrices of every shape and rank, closed forms, derivatives, the compile-time lane.
#include <jacquard/prims/svd.hpp>

#include <algorithm>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
using jq::detail::adjoint, jq::detail::along_columns, jq::detail::first_columns, jq::detail::first_rows, jq::detail::identity_like,
    jq::detail::in_type_of, jq::detail::product_of, jq::detail::rows_of;
arrays factors(const array& x, bool full = false) {
  const jq::array_list y = lax::svd(x, full);
  return {y[0], y[1], y[2]};
}
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
const function values_of = unary([](const array& x) { return lax::svd(x, false, false)[0]; });
/// u diag(sin s) vh, which does not depend on the choice of vectors.
const function sines = unary([](const array& x) {
  const arrays y = factors(x);
  return product_of(lax::mul(y[1], in_type_of(along_columns(lax::sin(y[0]), rows_of(y[1].shape())), x)), y[2]);
});
void check_factors(const array& x, bool full) {
  const std::int64_t m = x.shape()[0], n = x.shape()[1], k = std::min(m, n);
  const double tolerance = 4 * double(std::max(m, n)) * precision(x.dtype());
  const arrays y = factors(x, full);
  CHECK(y[1].shape() == shape{m, full ? m : k});
  CHECK(y[2].shape() == shape{full ? n : k, n});
  const array u = first_columns(y[1], k), vh = first_rows(y[2], k);
  CHECK_CLOSE(product_of(lax::mul(u, in_type_of(along_columns(y[0], m), x)), vh), x, tolerance);
  CHECK_CLOSE(product_of(adjoint(y[1]), y[1]), identity_like(product_of(adjoint(y[1]), y[1])), tolerance);
  CHECK_CLOSE(product_of(y[2], adjoint(y[2])), identity_like(product_of(y[2], adjoint(y[2]))), tolerance);
  const std::vector<double> s = values<double>(y[0]);
  CHECK(std::is_sorted(s.rbegin(), s.rend()));
  CHECK_CLOSE(lax::svd(x, false, false)[0], y[0], tolerance);
}
}  // namespace

TEST_CASE("svd: vectors are orthonormal, values descend, and the product is the matrix") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for (const shape& s : {shape{1, 1}, shape{3, 3}, shape{5, 2}, shape{2, 5}, shape{4, 1}, shape{1, 4}, shape{12, 9}})
      for (const bool full : {false, true}) check_factors(noise(t, s), full);
}
TEST_CASE("svd: of lower rank, of zeros, of nothing, of extreme numbers") {
  for (const bool full : {false, true}) {
    check_factors(product_of(noise(jq::f64, {5, 2}), noise(jq::f64, {2, 4}, 2)), full);
    check_factors(product_of(noise(jq::c128, {3, 1}), noise(jq::c128, {1, 6}, 2)), full);
    check_factors(lax::zeros(jq::aval(jq::f64, {3, 2})), full);
  }
  CHECK_CLOSE(factors(make<double>({}, {0, 2}))[2], make<double>({}, {0, 2}), 0);
  const jq::array_list whole = lax::svd(make<double>({}, {2, 3, 0}), true, true);
  CHECK_CLOSE(whole[1], make({1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {2, 3, 3}), 0);
  CHECK((lax::svd(make<float>({}, {0, 2}), true, true)[2].shape() == shape{2, 2}));
  CHECK_CLOSE(values_of({make({3e200, 0.0, 0.0, 4e200}, {2, 2})}), make({4e200, 3e200}), 1e-15);
  CHECK_CLOSE(values_of({make({3e-200, 4e-200}, {2, 1})}), make({5e-200}), 0);
  CHECK_CLOSE(values_of({make({1.0, not_a_number}, {2, 1})}), make({not_a_number}), 0);
}
TEST_CASE("svd: by hand, and the small values of a graded matrix to full accuracy") {
  CHECK_CLOSE(values_of({make({3.0, 0.0, 4.0, 5.0}, {2, 2})}), make({std::sqrt(45.0), std::sqrt(5.0)}), 1e-14);
  const array y = values_of({make({1.0, 0.0, 0.0, 1e-12}, {2, 2})});
  CHECK(values<double>(y)[1] == doctest::Approx(1e-12).epsilon(1e-14));
}
TEST_CASE("svd: derivatives and batching") {
  for (jq::dtype t : {jq::f64, jq::c128})
    for (const shape& s : {shape{3, 3}, shape{4, 2}, shape{2, 4}}) {
      check_derivatives(values_of, {noise(t, s, 3)}, 2, 1e-6);
      check_derivatives(sines, {noise(t, s, 3)}, 2, 1e-6);
    }
  for (std::size_t k : {1u, 2u}) check_derivatives(unary([=](const array& x) { return factors(x)[k]; }), {noise(jq::f64, {4, 2}, 5)}, 2, 1e-6);
  check_batching([](const arrays& x) { return factors(x[0]); }, {noise(jq::f64, {3, 2})});
  CHECK_THROWS_WITH_AS(derivative(unary([](const array& x) { return factors(x, true)[1]; }), {noise(jq::f64, {3, 2})}, {noise(jq::f64, {3, 2})}),
                       doctest::Contains("svd: the derivative of full matrices of shape (3, 2)"), jq::not_implemented);
}
TEST_CASE("svd: the nuclear norm has a derivative where values are equal") {
  const array x = identity_like(make({0.0, 0.0, 0.0, 0.0}, {2, 2}));
  CHECK_CLOSE(cotangents(unary([](const array& a) { return lax::reduce_sum(factors(a)[0], {0}); }), {x}, scalar(1.0))[0], x, 1e-15);
}
constexpr auto there = jq::jvp([](const auto& a) { return lax::svd(a)[0]; }, jq::primals(jq::tensor<double, 2, 2>{3, 0, 0, 2}),
                               jq::tangents(jq::tensor<double, 2, 2>{1, 0, 0, 0}));
static_assert(there.first == jq::tensor<double, 2>{3, 2} && there.second == jq::tensor<double, 2>{1, 0});
