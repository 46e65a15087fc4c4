// jq::linalg: orthogonal factors, eigenvalues, singular values, pseudoinverses and least squares, by their defining equations and
// closed forms; derivatives; errors.
#include <jacquard/numpy/spectral.hpp>

#include <jacquard/testing/gradients.hpp>

#include "numpy_testing.hpp"

namespace linalg = jq::linalg;

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
const array tall = numbers({5, 3}), wide = complex_numbers({3, 5}), square = numbers({4, 4}, 9);
}  // namespace

TEST_CASE("qr and svd make the matrix again, also leading dimensions and integers") {
  for (const array& x : {tall, wide, square, numbers({2, 3, 4, 2})}) {
    const linalg::qr_result f = linalg::qr(x);
    CHECK(apart(jq::matmul(f.q, f.r), x) < 1e-13);
    const linalg::svd_result s = linalg::svd(x, false);
    CHECK(apart(jq::matmul(s.u * jq::expand_dims(s.s, -2), s.vh), x) < 1e-13);
    CHECK(apart(linalg::svdvals(x), s.s) < 1e-13);
  }
  CHECK(linalg::svd(tall).u.shape() == jq::shape{5, 5});
  CHECK(linalg::qr(tall, true).q.shape() == jq::shape{5, 5});
  CHECK(show(linalg::svdvals(asarray({{3, 0}, {0, -4}}))) == "f64[2] 4 3");
}
TEST_CASE("eigh takes the Hermitian part; eig and schur take all") {
  const array h = wide(jq::slice(), jq::slice(0, 3)), part = (h + transposed(h)) * 0.5;
  const linalg::eigh_result e = linalg::eigh(h);
  CHECK(apart(jq::matmul(part, e.eigenvectors), e.eigenvectors * jq::expand_dims(e.eigenvalues, 0)) < 1e-13);
  CHECK(apart(linalg::eigvalsh(h), e.eigenvalues) < 1e-13);
  const linalg::eig_result g = linalg::eig(square);
  CHECK(apart(jq::matmul(square.astype(jq::c128), g.eigenvectors), g.eigenvectors * jq::expand_dims(g.eigenvalues, 0)) < 1e-12);
  CHECK(apart(linalg::eigvals(square), g.eigenvalues) < 1e-12);
  CHECK(apart(jq::sum(g.eigenvalues), linalg::trace(square).astype(jq::c128)) < 1e-12);
  CHECK(linalg::eigvals(square.astype(jq::f32)).dtype() == jq::c64);
  const linalg::schur_result s = linalg::schur(square), c = linalg::schur(square, "complex");
  CHECK(apart(jq::matmul(jq::matmul(s.z, s.t), transposed(s.z)), square) < 1e-12);
  CHECK(apart(jq::matmul(jq::matmul(c.z, c.t), transposed(c.z)), square.astype(jq::c128)) < 1e-12);
  CHECK(apart(jq::triu(c.t), c.t) == 0);
  CHECK_ERROR(jq::value_error, linalg::schur(square, "triangular"), "schur", "\"triangular\"", "wanted real or complex");
}
TEST_CASE("pinv: the four equations of Penrose, of lower rank too, and its derivative") {
  for (const array& x : {tall, wide, square, jq::matmul(numbers({4, 2}), numbers({2, 5}, 3)), numbers({2, 4, 3})}) {
    const array p = linalg::pinv(x), xp = jq::matmul(x, p), px = jq::matmul(p, x);
    CHECK(apart(jq::matmul(xp, x), x) < 1e-12);
    CHECK(apart(jq::matmul(px, p), p) < 1e-12);
    CHECK(apart(transposed(xp), xp) < 1e-12);
    CHECK(apart(transposed(px), px) < 1e-12);
  }
  CHECK(show(linalg::pinv(asarray({{2.0, 0.0}, {0.0, 0.0}}))) == "f64[2,2] 0.5 0 0 0");
  check_derivatives([](const array& x) { return linalg::pinv(x); }, tall);
  check_derivatives([](const array& x) { return linalg::pinv(x); }, wide);
  check_derivatives([](const array& x) { return linalg::pinv(jq::matmul(x, transposed(x))); }, numbers({3, 2}));  // of rank 2
}
TEST_CASE("matrix_rank") {
  CHECK(linalg::matrix_rank(jq::matmul(numbers({6, 2}), numbers({2, 5}, 3))).item<int>() == 2);
  CHECK(linalg::matrix_rank(jq::eye(4)).item<int>() == 4);
  CHECK(linalg::matrix_rank(jq::zeros({3, 3})).item<int>() == 0);
  CHECK(linalg::matrix_rank(asarray({{1.0, 0.0}, {0.0, 1e-3}}), 1e-2).item<int>() == 1);
  CHECK(show(linalg::matrix_rank(jq::ones({2, 3, 3}))) == "i64[2] 1 1");
  CHECK(show(linalg::matrix_rank(asarray({0.0, 3.0}))) == "i64[] 1");  // numpy's examples: of ones((4,)) 1, of zeros((4,)) 0
  CHECK(show(linalg::matrix_rank(jq::zeros({4}))) == "i64[] 0");
  CHECK(show(linalg::matrix_rank(jq::zeros({0}))) == "i64[] 0");
  CHECK(show(linalg::matrix_rank(2)) == "i64[] 1");
}
TEST_CASE("lstsq: a line through points, many right-hand sides, the least solution") {
  const array x = asarray({0.0, 1.0, 2.0, 3.0}), y = asarray({-1.0, 0.2, 0.9, 2.1});
  const linalg::lstsq_result f = linalg::lstsq(jq::stack({x, jq::ones({4}, jq::f64)}, 1), y);
  CHECK(f.x(0).item<double>() == doctest::Approx(1.0));  // numpy's example of lstsq: 1., -0.95
  CHECK(f.x(1).item<double>() == doctest::Approx(-0.95));
  CHECK(f.residuals.item<double>() == doctest::Approx(0.05));
  CHECK(f.rank.item<int>() == 2);
  const array b = numbers({5, 2}, 4);
  CHECK(apart(jq::matmul(jq::transpose(tall), jq::matmul(tall, linalg::lstsq(tall, b).x) - b), jq::zeros({3, 2}, jq::f64)) < 1e-13);
  CHECK(show(linalg::lstsq(asarray({{1.0, 1.0}}), asarray({2.0})).x) == "f64[2] 1 1");
  check_derivatives([](const array& a, const array& c) { return linalg::lstsq(a, c).x; }, tall, b);
  // The squares of what remains are b^T (1 - a a^+) b: the Hessian in b is twice that projection, also where nothing remains.
  const array projection = jq::eye(5, jq::f64) - jq::matmul(tall, linalg::pinv(tall));
  const auto rest = [&](const array& c) { return jq::sum(linalg::lstsq(tall, c).residuals); };
  for (const array& c : {b(jq::slice(), 0), jq::zeros({5}, jq::f64)}) CHECK(apart(jq::hessian(rest)(c), 2.0 * projection) < 1e-13);
}
TEST_CASE("matrix_power") {
  const array m = asarray({{1, 1}, {1, 0}});
  CHECK(show(linalg::matrix_power(m, 10)) == "i32[2,2] 89 55 55 34");
  CHECK(show(linalg::matrix_power(m, 0)) == "i32[2,2] 1 0 0 1");
  CHECK(apart(linalg::matrix_power(square, -3), linalg::inv(jq::matmul(square, jq::matmul(square, square)))) < 1e-10);
}
TEST_CASE("derivatives that do not depend on the choice of vectors") {
  check_derivatives([](const array& x) { return linalg::eigvalsh(x); }, square);
  check_derivatives([](const array& x) { return jq::sum(linalg::svdvals(x)); }, tall);
  check_derivatives([](const array& x) { return linalg::eigvals(x.astype(jq::c128)); }, square);
}
TEST_CASE("errors") {
  const array v = asarray({1.0, 2.0});
  CHECK_ERROR(jq::shape_error, linalg::qr(v), "qr", "(2,)");
  CHECK_ERROR(jq::shape_error, linalg::svd(v), "svd", "(2,)");
  CHECK_ERROR(jq::shape_error, linalg::eigh(tall), "eigh", "(5, 3)");
  CHECK_ERROR(jq::shape_error, linalg::eig(tall), "eig");
  CHECK_ERROR(jq::shape_error, linalg::pinv(v), "pinv");
  CHECK_ERROR(jq::shape_error, linalg::lstsq(tall, v), "lstsq", "(5, 3) and (2,)");
  CHECK_ERROR(jq::shape_error, linalg::matrix_power(tall, 2), "matrix_power");
}
