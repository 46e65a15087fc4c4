// hessenberg: zeros, the similarity, tridiagonal forms of Hermitian matrices, the convention of LAPACK, batching, errors.
#include <jacquard/prims/hessenberg.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
using jq::detail::adjoint, jq::detail::identity_like, jq::detail::lower_part, jq::detail::product_of, jq::detail::upper_part;

namespace {
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
/// (1 - tau v v^H) with v of column k, as a matrix.
array reflection(const array& a, const array& tau, std::int64_t k) {
  const std::int64_t n = a.shape()[0];
  const array leading_one = lax::slice(identity_like(a), {0, k + 1}, {n, k + 2});
  const array v = lax::add(lax::slice(lower_part(a, -2), {0, k}, {n, k + 1}), leading_one);
  const array factor = lax::reshape(lax::slice(tau, {k}, {k + 1}), shape{});
  return lax::sub(identity_like(a), lax::mul(factor, product_of(v, adjoint(v))));
}
}  // namespace

TEST_CASE("hessenberg: the product of the reflections takes the matrix to the form") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for (std::int64_t n : {2, 3, 5, 9}) {
      const array x = noise(t, {n, n}, unsigned(n));
      const jq::array_list y = lax::hessenberg(x);
      REQUIRE(y[1].shape() == shape{n - 1});
      array q = identity_like(x);
      for (std::int64_t k = 0; k + 1 < n; ++k) q = product_of(q, reflection(y[0], y[1], k));
      CHECK_CLOSE(product_of(adjoint(q), q), identity_like(x), 16 * double(n) * precision(t));
      CHECK_CLOSE(product_of(product_of(q, upper_part(y[0], -1)), adjoint(q)), x, 16 * double(n) * precision(t));
    }
}
TEST_CASE("hessenberg: of Hermitian matrices it is real and tridiagonal") {
  const array a = noise(jq::c128, {5, 5}), x = lax::add(a, adjoint(a)), h = upper_part(lax::hessenberg(x)[0], -1);
  CHECK_CLOSE(upper_part(h, 2), lax::zeros(jq::aval(jq::c128, {5, 5})), 1e-14);
  CHECK_CLOSE(lax::imag(h), lax::zeros(jq::aval(jq::f64, {5, 5})), 1e-14);
}
TEST_CASE("hessenberg: numbers of scipy.linalg.lapack.dgehrd, and sizes 0 and 1") {
  const jq::array_list y = lax::hessenberg(make<double>({1, 2, 3, 4, 5, 6, 7, 8, 10}, {3, 3}));
  CHECK_CLOSE(y[0], make<double>({1, -3.597007303087045, -0.24806946917841688, -8.06225774829855, 14.8, 2.4, 0.5803225354712214, 0.4, 0.2}, {3, 3}), 1e-14);
  CHECK_CLOSE(y[1], make<double>({1.4961389383568338, 0}), 1e-14);
  CHECK(lax::hessenberg(make<double>({}, {0, 0}))[1].shape() == shape{0});
  CHECK_CLOSE(lax::hessenberg(make<double>({3}, {1, 1}))[0], make<double>({3}, {1, 1}), 0);
}
TEST_CASE("hessenberg: batching and errors") {
  check_batching([](const arrays& x) { const jq::array_list y = lax::hessenberg(x[0]); return arrays{y[0], y[1]}; }, {noise(jq::f64, {4, 4})});
  CHECK_THROWS_AS(lax::hessenberg(noise(jq::f64, {3, 2})), jq::shape_error);
  CHECK_THROWS_AS(lax::hessenberg(jq::ones({3, 3}, jq::i32)), jq::type_error);
}
