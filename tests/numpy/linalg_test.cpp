// jq::linalg: systems and determinants against closed forms and products, broadcasting, derivatives, singular matrices, errors.
#include <jacquard/numpy/linalg.hpp>

#include <jacquard/fixed.hpp>
#include <jacquard/testing/gradients.hpp>
#include <jacquard/testing/batching.hpp>

#include "numpy_testing.hpp"

namespace linalg = jq::linalg;

namespace {
const array a = asarray({{4.0, 1.0, -2.0}, {0.5, 3.0, 1.0}, {-1.0, 2.0, 5.0}}), v = asarray({1.0, -2.0, 0.5});
const array m = asarray({{1.0, 2.0}, {3.0, 4.0}, {5.0, -1.0}});
array numbers(const jq::shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s, jq::f64); }
array complex_numbers(const jq::shape& s) { return lax::complex(numbers(s, 1), numbers(s, 2)); }
array positive(const array& x) { return jq::matmul(x, jq::conj(jq::swapaxes(x, -1, -2))) + jq::eye(x.shape()[x.ndim() - 1], x.dtype()); }
double size(const array& x) { return jq::max(jq::abs(x)).astype(jq::f64).item<double>(); }
template <class F, class... A>
void check_derivatives(F f, const A&... x) {
  const jq::testing::report r = jq::testing::check_grads(f, std::tuple{x...});
  CHECK_MESSAGE(r.ok, r.text);
}
}  // namespace

static_assert(traced([](array x) { return linalg::solve(x, linalg::inv(x)) * linalg::det(x); }, {3, 3}) > 0);

// Known at compile time, where the same rules make programs of single numbers.

template <std::size_t N>
using matrix = jq::tensor<double, N, N>;
constexpr auto squares_of_inverse = [](auto x) {
  const auto y = linalg::inv(x);
  return jq::sum(y * y);
};
constexpr matrix<2> two_by_two{1, 2, 4, 4};
static_assert(jq::jit([](auto x) { return linalg::inv(x); })(two_by_two) == matrix<2>{-1, .5, 1, -.25});
static_assert(jq::jit([](auto x) { return linalg::inv(x); })(matrix<1>{4}) == matrix<1>{.25});
static_assert(jq::jit([](auto x) { return linalg::inv(x); })(matrix<3>{0, 2, 0, 4, 0, 0, 0, 0, -8}) == matrix<3>{0, .25, 0, .5, 0, 0, 0, 0, -.125});
static_assert(jq::jit([](auto x, auto y) { return linalg::solve(x, y); })(two_by_two, jq::tensor<double, 2>{5, 12}) == jq::tensor<double, 2>{1, 2});
static_assert(jq::jit([](auto x) { return linalg::det(x); })(matrix<4>{2, 0, 0, 0, 0, 0, 3, 0, 0, 5, 0, 0, 0, 0, 0, 1}) == -30);
static_assert(jq::grad([](auto x) { return linalg::slogdet(x).logabsdet; })(matrix<2>{0, 2, 4, 0}) == matrix<2>{0, .5, .25, 0});
static_assert(jq::grad([](auto x) { return jq::sum(linalg::cholesky(x)); })(matrix<2>{4, 0, 0, 16}) == matrix<2>{.25, .25, .25, .125});
template <std::size_t N>
void check_static_inverse() {
  std::vector<matrix<N>> in(11), out(11);  // mapped in vectors, and the rest one by one
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t k = 0; k < N * N; ++k) in[i].data()[k] = std::sin(double((N * N * i + k + 1) * (N * N * i + k + 1)));
  jq::map(jq::grad(squares_of_inverse), in, out);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const matrix<N> one = jq::grad(squares_of_inverse)(in[i]);
    const array x = asarray(in[i]), y = linalg::inv(x), want = -2.0 * jq::matmul(jq::transpose(y), jq::matmul(y, jq::transpose(y)));
    CHECK(size(asarray(one) - want) <= 1e-13 * size(want) * size(x) * size(y));
    CHECK(size(asarray(out[i]) - want) <= 1e-13 * size(want) * size(x) * size(y));
  }
}
TEST_CASE("inverses of small matrices in the compile-time lane") {
  check_static_inverse<2>(), check_static_inverse<4>(), check_static_inverse<5>();  // written out, and as loops of elements
  const matrix<2> r = jq::jit([](auto x) { return linalg::inv(x); })(matrix<2>{1, 2, 2, 4});  // singular
  for (const double v : {r(0, 0), r(0, 1), r(1, 0), r(1, 1)}) CHECK_FALSE(std::isfinite(v));
}

TEST_CASE("solve: vectors, columns, leading dimensions") {
  CHECK(distance(jq::matmul(a, linalg::solve(a, v)), v) < 1e-15);
  CHECK(distance(jq::matmul(a, linalg::solve(a, m)), m) < 1e-14);
  CHECK(show(linalg::solve(asarray({{2, 0}, {0, 4}}), asarray({2, 2}))) == "f64[2] 1 0.5");
  const array many = numbers({4, 1, 5, 5}), right = numbers({3, 5, 2}, 2), x = linalg::solve(many, right);
  CHECK(x.shape() == jq::shape{4, 3, 5, 2});
  CHECK(distance(jq::matmul(many, x), jq::broadcast_to(right, {4, 3, 5, 2})) < 1e-12);
  CHECK(linalg::solve(numbers({2, 3, 3}), v).shape() == jq::shape{2, 3});
  const array z = complex_numbers({4, 4}), w = complex_numbers({4});
  CHECK(size(jq::matmul(z, linalg::solve(z, w)) - w) < 1e-13);
}
TEST_CASE("solve: derivatives, batches, and one factorisation for both directions") {
  const auto f = [](const array& x, const array& y) { return linalg::solve(x, y); };
  check_derivatives(f, a, v);
  check_derivatives(f, a, m);
  const jq::testing::report r = jq::testing::check_vmap(f, {0, jq::none}, std::tuple{numbers({3, 3, 3}), v}, 1e-10, 1e-10);
  CHECK_MESSAGE(r.ok, r.text);
  const auto loss = [](const array& x, const array& y) { return jq::sum(jq::sin(linalg::solve(x, y))); };
  const jq::closed_jaxpr p = jq::make_jaxpr(jq::grad(loss, jq::argnums<0, 1>))(a, v);
  int factors = 0;
  for (const jq::equation& e : p->equations) factors += e.op->name == "lu";
  CHECK(factors == 1);
}
TEST_CASE("one equation is a quotient, without an elimination") {
  const array one = asarray({{-4.0}}), many = numbers({5, 1, 1}), right = numbers({5, 1, 3}, 2);
  CHECK(show(linalg::solve(one, asarray({2.0}))) == "f64[1] -0.5");
  CHECK(show(linalg::inv(one)) == "f64[1,1] -0.25");
  CHECK(distance(linalg::solve(many, right), right / many) == 0);
  CHECK(linalg::solve(one, numbers({2, 1, 3})).shape() == jq::shape{2, 1, 3});
  const auto [sign, log] = linalg::slogdet(one);
  CHECK(sign.item<double>() == -1);
  CHECK(log.item<double>() == std::log(4.0));
  const auto nothing = linalg::slogdet(asarray({{0.0}}));
  CHECK(nothing.sign.item<double>() == 0);
  CHECK(nothing.logabsdet.item<double>() == -testing::inf);
  CHECK(jq::to_string(jq::make_jaxpr([](const array& x) { return linalg::solve(x, x) * linalg::slogdet(x).logabsdet; })(one)).find("= lu") == std::string::npos);
  check_derivatives([](const array& x, const array& y) { return linalg::solve(x, y) + linalg::slogdet(x).logabsdet; }, one, asarray({2.0}));
}
TEST_CASE("matrix_transpose") {
  CHECK(show(linalg::matrix_transpose(asarray({{1, 2}, {3, 4}}))) == "i32[2,2] 1 3 2 4");
  CHECK_ERROR(jq::value_error, linalg::matrix_transpose(asarray({1, 2})), "swapaxes", "axis -2");
}
TEST_CASE("inv") {
  CHECK(distance(jq::matmul(linalg::inv(a), a), jq::eye(3, jq::f64)) < 1e-15);
  CHECK(show(linalg::inv(asarray({{1.0, 2.0}, {3.0, 4.0}}))) == "f64[2,2] -2 1 1.5 -0.5");
  check_derivatives([](const array& x) { return linalg::inv(x); }, a);
}
TEST_CASE("det and slogdet") {
  CHECK(show(linalg::det(asarray({{1, 2}, {3, 4}}))) == "f64[] -2");
  CHECK(show(linalg::det(jq::zeros({2, 0, 0}, jq::f64))) == "f64[2] 1 1");
  CHECK(linalg::det(a).item<double>() == doctest::Approx(40.5));  // by expansion along the first row
  const array x = numbers({2, 5, 5});
  const linalg::slogdet_result s = linalg::slogdet(x);
  CHECK(distance(linalg::det(x), s.sign * jq::exp(s.logabsdet)) < 1e-12);
  CHECK(distance(linalg::det(jq::matmul(x, x)), linalg::det(x) * linalg::det(x)) < 1e-9);
  const linalg::slogdet_result none = linalg::slogdet(jq::zeros({2, 2}, jq::f64));
  CHECK(show(none.sign) == "f64[] 0");
  CHECK(none.logabsdet.item<double>() == -inf);
  CHECK(linalg::slogdet(jq::eye(400, jq::f64) * 1e-3).logabsdet.item<double>() == doctest::Approx(400 * std::log(1e-3)));
}
TEST_CASE("det and slogdet: derivatives, of singular matrices too") {
  const auto det = [](const array& x) { return linalg::det(x); };
  for (int n : {1, 2, 3, 4, 5}) check_derivatives(det, numbers({n, n}));
  check_derivatives(det, complex_numbers({4, 4}));
  check_derivatives([](const array& x) { return linalg::slogdet(x).logabsdet; }, numbers({4, 4}));
  check_derivatives([](const array& x) { const auto s = linalg::slogdet(x); return jq::stack({s.sign, jq::exp(s.logabsdet).astype(jq::c128)}); }, complex_numbers({3, 3}));
  // The gradient of det is the cofactor matrix: of rank one where the matrix lacks one rank.
  CHECK(show(jq::grad(det)(asarray({{1.0, 2.0}, {2.0, 4.0}}))) == "f64[2,2] 4 -2 -2 1");
  const array full = numbers({5, 5}), last = jq::concatenate({full(jq::slice(0, 4)), jq::expand_dims(full(0) + full(1), 0)}, 0);
  const array g = jq::grad(det)(last), want = [&] {
    std::vector<array> rows;
    for (int i = 0; i < 5; ++i) {
      std::vector<array> row;
      for (int j = 0; j < 5; ++j) {
        const array e = jq::expand_dims(jq::eye(5, jq::f64)(i), 1) * jq::expand_dims(jq::eye(5, jq::f64)(j), 0);
        row.push_back((linalg::det(last + e) - linalg::det(last - e)) / 2.0);  // det is affine in one element
      }
      rows.push_back(jq::stack(row, 0));
    }
    return jq::stack(rows, 0);
  }();
  CHECK(distance(g, want) < 1e-10);
}
TEST_CASE("det: derivatives of matrices of every rank are cofactors") {
  const auto det = [](const array& x) { return linalg::det(x); };
  // A zero pivot that is not the last one; two zero pivots, though only one rank lacks.
  CHECK(distance(jq::grad(det)(jq::diag(asarray({1.0, 0.0, 2.0, 3.0}))), jq::diag(asarray({0.0, 6.0, 0.0, 0.0}))) < 1e-14);
  const array shift = jq::eye(4, 4, 1, jq::f64), corner = jq::zeros({4, 4}, jq::f64).at(0, 3).set(-1.0);
  CHECK(distance(jq::grad(det)(shift), jq::transpose(corner)) < 1e-14);
  for (const array& low : {jq::ones({4, 4}, jq::f64), jq::zeros({4, 4}, jq::f64), jq::diag(asarray({1.0, 0.0, 0.0, 3.0}))})
    CHECK(distance(jq::grad(det)(low), jq::zeros({4, 4}, jq::f64)) < 1e-14);
  // det(x + s e + t f), e and f single elements, has the mixed derivative of its values at the four corners: it is affine in each.
  const auto second = [&](const array& x) {
    const array h = jq::jit(jq::hessian(det))(x);
    double worst = 0;
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        const auto at = [&](double s, double t) { return linalg::det(jq::reshape(jq::ravel(x).at(i).add(s).at(j).add(t), {4, 4})).item<double>(); };
        const double want = i == j ? 0 : (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4;
        worst = std::max(worst, std::abs(jq::reshape(h, {16, 16})(i, j).item<double>() - want));
      }
    return worst;
  };
  const array basis = numbers({4, 4}), two = jq::matmul(basis(jq::slice(), jq::slice(0, 2)), basis(jq::slice(0, 2)));
  const array three = jq::matmul(basis(jq::slice(), jq::slice(0, 3)), basis(jq::slice(0, 3))), scales = asarray({1e5, 1.0, 1e-4, 1.0});
  for (const array& x : {basis, jq::eye(4, jq::f64), jq::diag(asarray({1.0, 0.0, 2.0, 3.0})), jq::diag(asarray({1.0, 0.0, 0.0, 3.0})), shift, two, three,
                         three + 1e-13 * basis, three + 1e-9 * basis, jq::zeros({4, 4}, jq::f64)})
    CHECK(second(x) < 1e-13);
  // Singular only to rounding: det is affine in one element. Scaled rows and columns are not a lack of rank, and have third derivatives.
  const auto third = [&](const array& x) {
    const auto along = [&](const array& t) { return linalg::det(x + jq::diag(asarray({1.0, 1.0, 1.0, 0.0})) * t); };
    return jq::grad(jq::grad(jq::grad(along)))(asarray(0.0)).item<double>();
  };
  for (int n : {5, 6, 7}) {
    const array r = numbers({n, n}, 6), low = jq::matmul(r(jq::slice(), jq::slice(0, n - 1)), r(jq::slice(0, n - 1)));
    CHECK(std::abs(jq::hessian(det)(low)(0, 0, 0, 0).item<double>()) < 1e-10);
    const array single = low.astype(jq::f32);
    CHECK(std::abs(jq::hessian(det)(single)(0, 0, 0, 0).item<double>()) < 1e-2);
  }
  CHECK(third(jq::diag(scales) * 1e-5) == doctest::Approx(6e-5));  // 6 x_44
  const array many = jq::stack({basis, jq::diag(asarray({1.0, 0.0, 2.0, 3.0})), shift});
  const array each = jq::stack({jq::grad(det)(many(0)), jq::grad(det)(many(1)), jq::grad(det)(many(2))});
  CHECK(distance(jq::vmap(jq::grad(det))(many), each) < 1e-13);
  CHECK(distance(jq::grad([](const array& x) { return jq::sum(linalg::det(x)); })(many), each) < 1e-13);
  const array z = complex_numbers({4, 4}), turned = jq::concatenate({z(jq::slice(0, 3)), jq::zeros({1, 4}, jq::c128)}, 0);
  const array slope = jq::grad([](const array& x) { return jq::real(linalg::det(x)); })(turned);
  const array minor = linalg::det(z(jq::slice(0, 3), jq::slice(1, 4)));
  CHECK(size(slope(3, 0) + minor) < 1e-13);
  CHECK(size(slope(jq::slice(0, 3))) < 1e-13);
}
TEST_CASE("cholesky and solutions with factors") {
  const array p = positive(numbers({4, 4})), l = linalg::cholesky(p), u = linalg::cholesky(p, true);
  CHECK(distance(jq::matmul(l, jq::transpose(l)), p) < 1e-13);
  CHECK(distance(jq::matmul(jq::transpose(u), u), p) < 1e-13);
  const array b = numbers({4, 3}, 7);
  CHECK(distance(jq::matmul(p, linalg::cho_solve(l, b)), b) < 1e-12);
  CHECK(distance(jq::matmul(p, linalg::cho_solve(u, b, true)), b) < 1e-12);
  const array z = positive(complex_numbers({3, 3})), w = complex_numbers({3});
  CHECK(size(jq::matmul(z, linalg::cho_solve(linalg::cholesky(z), w)) - w) < 1e-13);
  const linalg::lu_factors f = linalg::lu_factor(a);
  CHECK(distance(jq::matmul(a, linalg::lu_solve(f, v)), v) < 1e-14);
  CHECK(distance(jq::matmul(jq::transpose(a), linalg::lu_solve(f, v, true)), v) < 1e-14);
  check_derivatives([](const array& x) { return linalg::cholesky(positive(x)); }, numbers({3, 3}));
  check_derivatives([](const array& x, const array& y) { return linalg::lu_solve(linalg::lu_factor(x), y); }, a, v);
}
TEST_CASE("triangular_solve") {
  CHECK(show(linalg::triangular_solve(asarray({{2.0, 0.0}, {1.0, 4.0}}), asarray({2.0, 9.0}))) == "f64[2] 1 2");
  CHECK(linalg::triangular_solve(numbers({3, 1, 2, 2}), numbers({4, 2, 5})).shape() == jq::shape{3, 4, 2, 5});
}
TEST_CASE("errors name the operation, what it got and what it wants") {
  CHECK_ERROR(jq::shape_error, linalg::solve(m, v), "solve", "(3, 2)", "square");
  CHECK_ERROR(jq::shape_error, linalg::solve(a, asarray({1.0, 2.0})), "solve", "(3, 3) and (2,)", "(3,)");
  CHECK_ERROR(jq::shape_error, linalg::det(v), "det", "(3,)", "square");
  CHECK_ERROR(jq::shape_error, linalg::inv(1.0), "inv", "()");
  CHECK_ERROR(jq::shape_error, linalg::slogdet(m), "slogdet");
  CHECK_ERROR(jq::shape_error, linalg::cholesky(m), "cholesky");
}
TEST_CASE("a system of whole numbers and floating point ones is one of the latter") {
  CHECK(show(jq::linalg::solve(asarray({{2, 0}, {0, 4}}), asarray({1.f, 1.f}))) == "f32[2] 0.5 0.25");
  CHECK(jq::linalg::solve(jq::eye(2, jq::f32), asarray({1, 2})).dtype() == jq::f32);
}
