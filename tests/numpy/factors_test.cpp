// Factors: products of reflections against the form they come from, tridiagonal forms, updates of Cholesky factors, polar factors; their
// derivatives; errors.
#include <jacquard/numpy/factors.hpp>

#include <jacquard/testing/gradients.hpp>

#include "numpy_testing.hpp"

namespace linalg = jq::linalg;

static_assert(traced([](array x) { return linalg::polar(x).u; }, {3, 2}) > 0);

namespace {
array numbers(const jq::shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s, jq::f64); }
array complex_numbers(const jq::shape& s, std::uint64_t seed = 1) { return lax::complex(numbers(s, seed), numbers(s, seed + 1)); }
array transposed(const array& x) { return jq::conj(jq::swapaxes(x, -1, -2)); }
double apart(const array& x, const array& y) { return x.shape() == y.shape() ? jq::max(jq::abs(x - y)).astype(jq::f64).item<double>() : inf; }
template <class F, class... A>
void check_derivatives(F f, const A&... x) {
  const jq::testing::report r = jq::testing::check_grads(f, std::tuple{x...});
  CHECK_MESSAGE(r.ok, r.text);
}
/// The reflections of a Hessenberg form, which begin one row further down.
array below(const array& a) { return a(jq::ellipsis, jq::slice(1, jq::none), jq::slice(0, -1)); }
}  // namespace

TEST_CASE("householder_product and ormqr: the vectors of a Hessenberg form") {
  for (const array& x : {numbers({5, 5}), complex_numbers({5, 5}), numbers({2, 3, 3})}) {
    const jq::array_list y = lax::hessenberg(x);
    const array part = lax::householder_product(below(y[0]), y[1]);
    CHECK(apart(jq::matmul(transposed(part), part), jq::detail::identity_like(part)) < 1e-14);
    const array h = jq::triu(y[0], -1), inner = x(jq::ellipsis, jq::slice(1, jq::none), jq::slice(1, jq::none)), form = h(jq::ellipsis, jq::slice(1, jq::none), jq::slice(1, jq::none));
    CHECK(apart(jq::matmul(jq::matmul(transposed(part), inner), part), form) < 1e-13);
    for (bool transpose : {false, true}) {
      const array q = transpose ? array(transposed(part)) : part;
      CHECK(apart(lax::ormqr(below(y[0]), y[1], inner, true, transpose), jq::matmul(q, inner)) < 1e-14);
      CHECK(apart(lax::ormqr(below(y[0]), y[1], inner, false, transpose), jq::matmul(inner, q)) < 1e-14);
    }
  }
}
TEST_CASE("householder_product: numbers of scipy.linalg.lapack.dorgqr, factors of 0, derivatives") {
  const array a = asarray({{1.0, 2.0}, {0.5, 3.0}, {-1.0, 0.25}}), taus = asarray({8.0 / 9, 1.8823529411764706});
  const array q = lax::householder_product(a, taus);
  CHECK(apart(q, asarray({{0.11111111111111116, -0.02614379084967321}, {-0.4444444444444444, -0.8954248366013071}, {0.8888888888888888, -0.4444444444444444}})) < 1e-15);
  CHECK(apart(lax::householder_product(a, jq::zeros({2}, jq::f64)), jq::eye(3, 2, 0, jq::f64)) == 0);
  CHECK(lax::householder_product(a, asarray({0.5})).shape() == jq::shape{3, 2});
  check_derivatives([](const array& x, const array& t) { return lax::householder_product(x, t); }, a, taus);
  CHECK_ERROR(jq::shape_error, lax::householder_product(a, jq::zeros({3}, jq::f64)), "householder_product", "(3, 2)", "(3,)", "k <= min(m, n)");
  CHECK_ERROR(jq::shape_error, lax::householder_product(jq::swapaxes(a, 0, 1), taus), "householder_product", "as many rows as columns");
  CHECK_ERROR(jq::shape_error, lax::ormqr(a, taus, jq::eye(2, 2, 0, jq::f64)), "ormqr", "(2, 2)", "as many rows as the reflections have");
}
TEST_CASE("tridiagonal: the same eigenvalues, real numbers, either triangle") {
  for (const array& x : {numbers({5, 5}), complex_numbers({5, 5}), numbers({2, 3, 3})}) {
    const array h = (x + transposed(x)) * 0.5;
    const auto lower = lax::tridiagonal(jq::tril(h)), upper = lax::tridiagonal(jq::triu(h), false);
    CHECK(lower.d.dtype() == jq::f64);
    CHECK(lower.e.shape()[lower.e.ndim() - 1] == x.shape()[x.ndim() - 1] - 1);
    CHECK(apart(lower.d, upper.d) < 1e-15);
    CHECK(apart(lower.taus, upper.taus) < 1e-15);
    const array middle = jq::vectorize([](const array& d, const array& e) { return jq::diag(d) + jq::diag(e, 1) + jq::diag(e, -1); }, "(n),(m)->(n,n)")(lower.d, lower.e);
    CHECK(apart(linalg::eigvalsh(middle), linalg::eigvalsh(h)) < 1e-13);
  }
  CHECK(lax::tridiagonal(asarray({{3.0}})).e.shape() == jq::shape{0});
  CHECK_ERROR(jq::shape_error, lax::tridiagonal(numbers({2, 3})), "hessenberg", "(2, 3)", "square");
}
TEST_CASE("cholesky_update: the factor of the sum") {
  for (const array& x : {numbers({4, 4}), complex_numbers({4, 4}), numbers({2, 3, 3})}) {
    const array a = jq::matmul(x, transposed(x)), r = linalg::cholesky(a, true), w = x(jq::ellipsis, 0) + 0.5;
    const array sum = a + jq::expand_dims(w, -1) * jq::conj(jq::expand_dims(w, -2)), y = lax::cholesky_update(r, w);
    CHECK(apart(jq::triu(y), y) == 0);
    CHECK(apart(jq::matmul(transposed(y), y), sum) < 1e-13);
    CHECK(apart(y, linalg::cholesky(sum, true)) < 1e-13);
  }
  CHECK(apart(lax::cholesky_update(jq::zeros({2, 2}, jq::f64), jq::zeros({2}, jq::f64)), jq::zeros({2, 2}, jq::f64)) == 0);
  const array r = linalg::cholesky(asarray({{4.0, 1.0}, {1.0, 3.0}}), true);
  check_derivatives([](const array& a, const array& w) { return lax::cholesky_update(jq::triu(a), w); }, r, asarray({0.5, -1.0}));
  CHECK_ERROR(jq::shape_error, lax::cholesky_update(r, asarray({1.0, 2.0, 3.0})), "cholesky_update", "(2, 2)", "(3,)");
}
TEST_CASE("symmetric_product") {
  const array a = asarray({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  CHECK(show(lax::symmetric_product(a, jq::ones({3, 3}, jq::f64), 2.0, -1.0)) == "f64[3,3] 9 21 33 21 49 77 33 77 121");
  CHECK_ERROR(jq::shape_error, lax::symmetric_product(a, a), "symmetric_product", "(3, 2)", "(..., n, n)");
}
TEST_CASE("polar: unitary times positive, either side, derivatives where singular values are equal") {
  for (const array& x : {numbers({5, 3}), complex_numbers({3, 3}), complex_numbers({2, 3, 4})})
    for (const char* side : {"right", "left"}) {
      const auto f = linalg::polar(x, side);
      const array product = side[0] == 'r' ? jq::matmul(f.u, f.p) : jq::matmul(f.p, f.u);
      CHECK(apart(product, x) < 1e-13);
      CHECK(jq::min(linalg::eigvalsh(f.p)).item<double>() > -1e-13);
      CHECK(apart(transposed(f.p), f.p) == 0);
    }
  // scipy.linalg.polar([[1, -1], [2, 4]])
  CHECK(apart(linalg::polar(asarray({{1.0, -1.0}, {2.0, 4.0}})).u, asarray({{0.85749293, -0.51449576}, {0.51449576, 0.85749293}})) < 1e-8);
  check_derivatives([](const array& a) { return linalg::polar(a).u; }, numbers({4, 2}));
  check_derivatives([](const array& a) { return linalg::polar(a, "left").p; }, numbers({2, 3}));
  const array one = jq::eye(3, 3, 0, jq::f64), t = numbers({3, 3}, 4);  // there du is the antisymmetric part
  CHECK(apart(jq::jvp([](const array& a) { return linalg::polar(a).u; }, jq::primals(one), jq::tangents(t)).second, (t - transposed(t)) * 0.5) < 1e-14);
  CHECK_ERROR(jq::value_error, linalg::polar(jq::eye(3), "top"), "polar", "\"top\"", "right or left");
}
