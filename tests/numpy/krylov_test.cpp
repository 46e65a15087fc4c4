// cg and bicgstab against solutions in closed form; derivatives as those of solutions; trees, matrices, complex numbers, preconditioners.
#include <jacquard/numpy/krylov.hpp>

#include "numpy_testing.hpp"

namespace linalg = jacquard::linalg;

namespace {
/// k times the second difference with zeros at both ends, its sign turned: symmetric, positive definite.
array bend(const array& k, const array& x) {
  const array padded = jq::pad(x, 1);
  return k * (2.0 * x - padded(jq::slice(2, jq::none)) - padded(jq::slice(0, -2)));
}
/// Of bend(1, x) = 1: i (n + 1 - i) / 2 for i from 1 to n.
array parabola(int n) {
  const array i = jq::arange(1, n + 1).astype(jq::f64);
  return i * (n + 1.0 - i) / 2.0;
}
/// x_i - c x_(i-1): a matrix with nothing above its diagonal. Of ones, the solution is (1 - c^i) / (1 - c) for i from 1 to n.
array decay(const array& c, const array& x) { return x - c * jq::pad(x, jq::pad_widths{{1, 0}})(jq::slice(0, -1)); }
const linalg::krylov_options exact{.tol = 1e-13};
}  // namespace

TEST_CASE("conjugate gradients: the solution, under jit, vmap and from a matrix") {
  const array ones = jq::ones({20}, jq::f64), one = asarray(1.0);
  const auto solve = [&](const array& k, const array& b) { return linalg::cg([&](const array& x) { return bend(k, x); }, b, exact); };
  CHECK(distance(solve(one, ones), parabola(20)) < 1e-9);
  CHECK(distance(jq::jit(solve)(asarray(2.0), ones), parabola(20) / 2.0) < 1e-9);
  const array both = jq::vmap(solve)(asarray({1.0, 4.0}), jq::stack({ones, 3.0 * ones}));
  CHECK(distance(both, jq::stack({parabola(20), 0.75 * parabola(20)})) < 1e-9);
  const array matrix = jq::jacfwd([&](const array& x) { return bend(one, x); })(ones);
  CHECK(distance(linalg::cg(matrix, ones, exact), parabola(20)) < 1e-9);
  CHECK(distance(linalg::cg(matrix, jq::ones({20}, jq::i32), exact), parabola(20)) < 1e-9);
  CHECK(distance(linalg::cg(matrix, 0.0 * ones), 0.0 * ones) == 0);
}
TEST_CASE("conjugate gradients end at the tolerance or after maxiter trips") {
  const auto residual = [&](const linalg::krylov_options& o) {
    const array b = jq::ones({50}, jq::f64), one = asarray(1.0);
    const auto apply = [&](const array& x) { return bend(one, x); };
    const array r = b - apply(linalg::cg(apply, b, o));
    return std::sqrt(jq::sum(r * r).item<double>() / 50);
  };
  CHECK(residual({.tol = 1e-10}) <= 1e-10);
  CHECK(residual({.maxiter = 3}) > 0.1);
  CHECK(residual({.tol = 0, .atol = 1e-6}) <= 1e-6);
}
TEST_CASE("derivatives are those of the solution") {
  const array ones = jq::ones({12}, jq::f64);
  const auto total = [&](const array& k, const array& b) { return jq::sum(linalg::cg([&](const array& x) { return bend(k, x); }, b, exact)); };
  const auto [dk, db] = jq::grad(total, jq::argnums<0, 1>)(asarray(2.0), ones);
  const double sum = jq::sum(parabola(12)).item<double>();
  CHECK(dk.item<double>() == doctest::Approx(-sum / 4));  // d/dk (1/k) A^-1 b
  CHECK(distance(db, parabola(12) / 2.0) < 1e-9);
  CHECK(jq::grad(jq::grad(total))(asarray(2.0), ones).item<double>() == doctest::Approx(sum / 4));
  const auto [value, slope] = jq::jvp([&](const array& k) { return total(k, ones); }, jq::primals(asarray(2.0)), jq::tangents(asarray(1.0)));
  CHECK(slope.item<double>() == doctest::Approx(-sum / 4));
}
TEST_CASE("trees, and preconditioners") {
  using pair = std::pair<array, array>;
  const array one = asarray(1.0);
  // A stiff and a soft part: the preconditioner makes them alike.
  const auto apply = [&](const pair& x) { return pair{bend(1e6 * one, x.first), bend(one, x.second)}; };
  const auto soften = [](const pair& x) { return pair{1e-6 * x.first, x.second}; };
  const pair b{1e6 * jq::ones({8}, jq::f64), jq::ones({9}, jq::f64)};
  const pair x = linalg::cg(apply, b, exact, soften);
  CHECK(distance(x.first, parabola(8)) < 1e-7);
  CHECK(distance(x.second, parabola(9)) < 1e-5);
}
TEST_CASE("Hermitian matrices") {
  using c = jq::complex128;
  // ((2, i), (-i, 2)) has the inverse ((2, -i), (i, 2)) / 3.
  const array m = asarray({{c(2, 0), c(0, 1)}, {c(0, -1), c(2, 0)}}), b = asarray({c(3, 0), c(0, 3)});
  CHECK(distance(linalg::cg(m, b, exact), asarray({c(3, 0), c(0, 3)})) < 1e-12);
  const auto first = [&](const array& y) { return jq::real(linalg::cg(m, y, exact))(0); };
  CHECK(distance(jq::grad(first)(b), asarray({c(2. / 3, 0), c(0, -1. / 3)})) < 1e-12);  // as JAX: d/dRe - i d/dIm
}
TEST_CASE("stabilised gradients: matrices that are not symmetric, and their transposes") {
  const int n = 12;
  const array ones = jq::ones({n}, jq::f64), i = jq::arange(1, n + 1).astype(jq::f64);
  const auto solve = [&](const array& c, const array& b) { return linalg::bicgstab([&](const array& x) { return decay(c, x); }, b, exact); };
  const array want = (1.0 - jq::power(0.5, i)) / 0.5;
  CHECK(distance(solve(asarray(0.5), ones), want) < 1e-9);
  CHECK(distance(jq::jit(solve)(asarray(0.5), ones), want) < 1e-9);
  // The transposed system is the same from the other end.
  const auto total = [&](const array& b) { return jq::sum(solve(asarray(0.5), b)); };
  CHECK(distance(jq::grad(total)(ones), jq::flip(want)) < 1e-9);
  // The last element is 1 + c + c^2 + ...
  const auto last = [&](const array& c) { return solve(c, ones)(-1); };
  double slope = 0;
  for (int k = 1; k < n; ++k) slope += k * std::pow(0.5, k - 1);
  CHECK(jq::grad(last)(asarray(0.5)).item<double>() == doctest::Approx(slope));
}
TEST_CASE("a function that is no matrix for b") {
  CHECK_ERROR(jq::type_error, linalg::cg([](const array& x) { return jq::sum(x); }, jq::ones({3}, jq::f64)), "matvec", "float64[3]");
}
TEST_CASE("a right-hand side that is not finite has no solution") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const array m = jq::eye(2) * 2.0, b = asarray({1.0, bad});
    CHECK_FALSE(std::isfinite(jq::sum(linalg::cg(m, b)).item<double>()));
    CHECK_FALSE(std::isfinite(jq::sum(linalg::bicgstab(m, b)).item<double>()));
  }
}
