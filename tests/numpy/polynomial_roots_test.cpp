// Roots of polynomials with known ones, and fits: exact data, numpy's documented example, closed forms of covariances.
#include <jacquard/numpy/polynomial_roots.hpp>

#include "numpy_testing.hpp"

namespace {
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("roots") {
  CHECK(distance(jq::sort(jq::real(jq::roots(asarray({1.0, -6.0, 11.0, -6.0})))), asarray({1.0, 2.0, 3.0})) < 1e-12);
  const array z = jq::roots(asarray({1.0, 0.0, 4.0}));
  CHECK(z.dtype() == jq::c128);
  CHECK(distance(jq::sort(jq::imag(z)), asarray({-2.0, 2.0})) < 1e-14);
  CHECK(distance(jq::abs(jq::polyval(asarray({3.2, 2.0, 1.0}), jq::roots(asarray({3.2, 2.0, 1.0})))), asarray({0.0, 0.0})) < 1e-14);
  CHECK(show(jq::roots(asarray({0.0, 0.0, 2.0, -8.0, 0.0, 0.0}))) == "c128[3] 4+0i 0+0i 0+0i");
  CHECK(show(jq::roots(asarray({0.0, 5.0, 0.0}))) == "c128[1] 0+0i");
  CHECK(jq::roots(asarray({0.0, 0.0})).shape() == jq::shape{0});
  CHECK(jq::roots(asarray({3.0})).shape() == jq::shape{0});
  CHECK(jq::roots(asarray({1.f, 2.f})).dtype() == jq::c64);
  const auto traced_roots = jq::jit([](const array& p) { return jq::roots(p, false); });
  CHECK(distance(jq::sort(jq::real(traced_roots(asarray({1.0, -6.0, 11.0, -6.0})))), asarray({1.0, 2.0, 3.0})) < 1e-12);
  CHECK_ERROR_ANYWHERE(jq::concretization_error, jq::jit([](const array& p) { return jq::roots(p); })(asarray({1.0, 2.0})), "jit");
  CHECK_ERROR(jq::shape_error, jq::roots(jq::eye(2)), "roots", "(2, 2)");
}
TEST_CASE("polyfit") {
  const array x = jq::linspace(-2, 3, 12), p = asarray({0.5, -1.0, 2.0, 3.0});
  CHECK(distance(jq::polyfit(x, jq::polyval(p, x), 3), p) < 1e-12);
  // numpy.polyfit(x, y, 3) of its documentation.
  const array xs = asarray({0.0, 1.0, 2.0, 3.0, 4.0, 5.0}), ys = asarray({0.0, 0.8, 0.9, 0.1, -0.8, -1.0});
  CHECK(distance(jq::polyfit(xs, ys, 3), asarray({0.08703704, -0.81349206, 1.69312169, -0.03968254})) < 1e-8);
  const array both = jq::polyfit(xs, jq::stack({ys, 2.0 * ys}, 1), 2);
  CHECK(both.shape() == jq::shape{3, 2});
  CHECK(distance(both(jq::all, 1), 2.0 * jq::polyfit(xs, ys, 2)) < 1e-12);
  // A weight of 0 leaves a point out.
  const array w = asarray({1.0, 1.0, 1.0, 1.0, 1.0, 0.0});
  CHECK(distance(jq::polyfit(xs, ys, 2, w), jq::polyfit(xs(jq::slice(0, 5)), ys(jq::slice(0, 5)), 2)) < 1e-12);
  // The fit of degree 0 is the mean; its derivative in each value 1/n.
  CHECK(distance(jq::grad([&](const array& y) { return jq::polyfit(xs, y, 0)[0]; })(ys), jq::full({6}, 1.0 / 6)) < 1e-14);
  CHECK(jq::polyfit(asarray({1, 2, 3}), asarray({2, 4, 6}), 1).dtype() == jq::f64);
  CHECK_ERROR(jq::shape_error, jq::polyfit(xs, ys(jq::slice(0, 5)), 1), "polyfit", "(6,)", "(5,)");
}
TEST_CASE("covariances of a straight line") {
  // var(slope) = s^2 / sum((x - mean)^2), var(intercept) = s^2 (1/n + mean^2 / sum(...)), s^2 = sum of squares / (n - 2).
  const array x = asarray({1.0, 2.0, 4.0, 7.0}), y = asarray({1.1, 1.9, 4.2, 6.8});
  const auto fit = jq::polyfit_cov(x, y, 1);
  const double spread = at(jq::sum(jq::square(x - 3.5))), misses = at(jq::sum(jq::square(y - jq::polyval(fit.coefficients, x)))) / 2;
  CHECK(distance(fit.coefficients, jq::polyfit(x, y, 1)) < 1e-13);
  CHECK(at(fit.covariances(0, 0)) == doctest::Approx(misses / spread));
  CHECK(at(fit.covariances(1, 1)) == doctest::Approx(misses * (0.25 + 3.5 * 3.5 / spread)));
  CHECK(at(fit.covariances(0, 1)) == doctest::Approx(-3.5 * misses / spread));
  CHECK(at(jq::polyfit_cov(x, y, 1, 1.0, true).covariances(0, 0)) == doctest::Approx(1 / spread));
  CHECK(jq::polyfit_cov(x, jq::stack({y, y}, 1), 1).covariances.shape() == jq::shape{2, 2, 2});
  CHECK_ERROR(jq::shape_error, jq::polyfit_cov(x, y, 3).covariances, "polyfit_cov", "4 points", "degree 3");
}
