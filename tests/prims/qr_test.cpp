// qr: reconstruction, orthonormal columns, triangles, for matrices of every shape; derivatives, batching, the compile-time lane, errors.
#include <jacquard/prims/qr.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
arrays factors(const array& x, bool full) {
  const jq::array_list y = lax::qr(x, full);
  return {y[0], y[1]};
}
function part(std::size_t k, bool full = false) {
  return unary([=](const array& x) { return factors(x, full)[k]; });
}
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
array identity(jq::dtype t, std::int64_t n) { return jq::detail::identity_like(lax::zeros(jq::aval(t, {n, n}))); }
}  // namespace

TEST_CASE("qr: the product is the matrix, of orthonormal columns and a triangle") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for (const shape& s : {shape{1, 1}, shape{3, 3}, shape{5, 2}, shape{2, 5}, shape{6, 1}, shape{1, 4}})
      for (const bool full : {false, true}) {
        const array x = noise(t, s);
        const arrays y = factors(x, full);
        const std::int64_t k = full ? s[0] : std::min(s[0], s[1]);
        CHECK(y[0].shape() == shape{s[0], k});
        CHECK(y[1].shape() == shape{k, s[1]});
        CHECK_CLOSE(jq::detail::product_of(y[0], y[1]), x, 8 * precision(t));
        CHECK_CLOSE(jq::detail::product_of(jq::detail::adjoint(y[0]), y[0]), identity(t, k), 8 * precision(t));
        CHECK_CLOSE(jq::detail::upper_part(y[1]), y[1], 0);
      }
}
TEST_CASE("qr: by hand, of nothing, of extreme numbers") {
  const arrays y = factors(make({3.0, 4.0}, {2, 1}), false);
  CHECK_CLOSE(y[0], make({-0.6, -0.8}, {2, 1}), 1e-15);
  CHECK_CLOSE(y[1], make({-5.0}, {1, 1}), 1e-15);
  CHECK_CLOSE(factors(make<double>({}, {0, 2}), false)[1], make<double>({}, {0, 2}), 0);
  CHECK_CLOSE(factors(make({3e200, 4e200}, {2, 1}), false)[1], make({-5e200}, {1, 1}), 1e-15);
  CHECK_CLOSE(factors(make({3e-200, 4e-200}, {2, 1}), false)[0], make({-0.6, -0.8}, {2, 1}), 1e-15);
}
TEST_CASE("qr: the columns are orthonormal where the rank is one, down to the smallest numbers") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for (std::int64_t n : {10, 24, 28}) {
      const array x = lax::full({n, n}, jq::literal(1, t, false));
      const arrays y = factors(x, false);
      CHECK_CLOSE(jq::detail::product_of(y[0], y[1]), x, 4 * double(n) * precision(t));
      CHECK_CLOSE(jq::detail::product_of(jq::detail::adjoint(y[0]), y[0]), identity(t, n), 4 * double(n) * precision(t));
    }
}
TEST_CASE("qr: derivatives and batching") {
  for (jq::dtype t : {jq::f64, jq::c128})
    for (const shape& s : {shape{3, 3}, shape{4, 2}, shape{2, 4}})
      for (std::size_t k : {0u, 1u}) check_derivatives(part(k), {noise(t, s, 3)}, 2, 1e-6);
  check_derivatives(part(1, true), {noise(jq::f64, {2, 3})}, 1, 1e-6);
  CHECK_THROWS_WITH_AS(derivative(part(0, true), {noise(jq::f64, {3, 2})}, {noise(jq::f64, {3, 2})}),
                       doctest::Contains("qr: the derivative of full matrices of shape (3, 2) is not implemented"), jq::not_implemented);
  check_batching([](const arrays& x) { return factors(x[0], false); }, {noise(jq::f64, {3, 2})});
}
TEST_CASE("qr: errors") {
  CHECK_THROWS_WITH_AS(lax::qr(make({1.0, 2.0})), doctest::Contains("qr: got an operand of shape (2,), wanted matrices"), jq::shape_error);
}
constexpr auto there = jq::jvp([](const auto& a) { return lax::qr(a)[1]; }, jq::primals(jq::tensor<double, 2, 1>{3, 4}),
                               jq::tangents(jq::tensor<double, 2, 1>{5, 0}));
static_assert(there.first == jq::tensor<double, 1, 1>{-5});
static_assert(there.second[0] < -2.999999999999 && there.second[0] > -3.000000000001);
