// The gamma distribution and its relatives: Kolmogorov's test where the distribution function is elementary, derivatives, edges, errors.
#include <jacquard/numpy/random_gamma.hpp>

#include "distribution_testing.hpp"

namespace r = jq::random;

static_assert(traced([](array x) { return r::gamma(r::key(0), x); }, {3}) > 0);

namespace {
const array k = r::key(5);
const jq::shape many{20000};
double at(const array& x) { return x.item<double>(); }
/// P(n, x) for a whole or half-integer shape, by the recurrence from P(1, x) or P(1/2, x).
double gamma_cdf(double shape, double x) {
  double a = shape == std::floor(shape) ? 1 : 0.5, p = a == 1 ? -std::expm1(-x) : std::erf(std::sqrt(x));
  for (; a < shape; ++a) p -= std::pow(x, a) * std::exp(-x) / std::tgamma(a + 1);
  return std::clamp(p, 0.0, 1.0);
}
}  // namespace

TEST_CASE("gamma and chi-square") {
  for (double shape : {0.5, 1.0, 1.5, 3.0, 7.5})
    for (jq::dtype t : {jq::f32, jq::f64}) {
      CHECK(kolmogorov(r::gamma(k, shape, many, t), [&](double x) { return gamma_cdf(shape, x); }) < unlikely);
      CHECK(kolmogorov(jq::exp(r::loggamma(k, shape, many, t)), [&](double x) { return gamma_cdf(shape, x); }) < unlikely);
      CHECK(kolmogorov(r::chisquare(k, 2 * shape, many, t), [&](double x) { return gamma_cdf(shape, x / 2); }) < unlikely);
    }
  // Next to 0 x^alpha is evenly distributed; far out the distribution is normal.
  CHECK(kolmogorov(jq::exp(1e-3 * r::loggamma(k, 1e-3, many, jq::f64)), [](double x) { return std::min(x, 1.0); }) < unlikely);
  CHECK(kolmogorov((r::gamma(k, 1e8, many, jq::f64) - 1e8) / 1e4, normal_cdf) < unlikely);
  CHECK(show(r::gamma(k, asarray({-1.0, not_a_number, inf, 0.0}))) == "f32[4] nan nan inf 0");
  CHECK(r::gamma(k, 2.0, {3}, jq::f16).dtype() == jq::f16);
  CHECK(r::gamma(k, jq::ones({2, 1}), {4, 2, 3}).shape() == jq::shape{4, 2, 3});
  CHECK_ERROR(jq::shape_error, r::gamma(k, jq::ones({3}), {2}), "gamma", "(3,)", "(2,)");
  CHECK_ERROR(jq::type_error, r::gamma(k, 2.0, {2}, jq::i32), "gamma", "int32");
}
TEST_CASE("beta, Dirichlet, t, F") {
  const double pi = 3.14159265358979323846;
  CHECK(kolmogorov(r::beta(k, 0.5, 0.5, many, jq::f64), [&](double x) { return 2 / pi * std::asin(std::sqrt(x)); }) < unlikely);
  CHECK(kolmogorov(r::beta(k, 2.0, 3.0, many), [](double x) { return x * x * (6 + x * (-8 + 3 * x)); }) < unlikely);
  CHECK(kolmogorov(r::t(k, 1.0, many), [&](double x) { return 0.5 + std::atan(x) / pi; }) < unlikely);
  CHECK(kolmogorov(r::t(k, 2.0, many), [](double x) { return 0.5 + x / (2 * std::sqrt(2 + x * x)); }) < unlikely);
  CHECK(kolmogorov(r::f(k, 2.0, 5.0, many), [](double x) { return 1 - std::pow(1 + 2 * x / 5, -2.5); }) < unlikely);
  CHECK(kolmogorov(r::f(k, 4.0, 2.0, many), [](double x) { return std::pow(2 * x / (1 + 2 * x), 2); }) < unlikely);
  const array d = r::dirichlet(k, asarray({1.0, 2.0, 3.0}), {20000}, jq::f64);
  CHECK(d.shape() == jq::shape{20000, 3});
  CHECK(at(jq::max(jq::abs(jq::sum(d, -1) - 1.0))) < 1e-14);
  CHECK(kolmogorov(d(jq::all, 0), [](double x) { return 1 - std::pow(1 - x, 5); }) < unlikely);      // beta(1, 5)
  CHECK(kolmogorov(d(jq::all, 2), [](double x) { return x * x * x * (10 + x * (-15 + 6 * x)); }) < unlikely);  // beta(3, 3)
  CHECK(at(jq::max(jq::abs(jq::sum(r::dirichlet(k, 1e-4 * jq::ones({2}), {100}), -1) - 1.0))) < 1e-6);
  CHECK_ERROR(jq::shape_error, r::dirichlet(k, 1.0), "dirichlet", "scalar", "vector");
}
TEST_CASE("generalised normal numbers and balls") {
  CHECK(kolmogorov(r::generalized_normal(k, 2.0, many), [](double x) { return normal_cdf(x * std::sqrt(2.0)); }) < unlikely);
  CHECK(kolmogorov(r::generalized_normal(k, 1.0, many), [](double x) { return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x); }) < unlikely);
  // The norm of a point has the distribution function r^n.
  const array disc = r::ball(k, 3, 2.0, {20000}), diamond = r::ball(k, 2, 1.0, {20000});
  CHECK(disc.shape() == jq::shape{20000, 3});
  CHECK(kolmogorov(jq::sqrt(jq::sum(disc * disc, -1)), [](double x) { return std::min(x * x * x, 1.0); }) < unlikely);
  CHECK(kolmogorov(jq::sum(jq::abs(diamond), -1), [](double x) { return std::min(x * x, 1.0); }) < unlikely);
}
TEST_CASE("derivatives keep the value of the distribution function") {
  const auto total = [](const array& a) { return jq::sum(r::gamma(k, a, {20000}, jq::f64)); };
  CHECK(at(jq::grad(total)(asarray(2.5))) / 20000 == doctest::Approx(1).epsilon(0.02));  // the mean is alpha
  for (double shape : {0.3, 1.7, 12.0}) {
    const array a = jq::full({50}, shape, jq::f64);
    const auto [x, dx] = jq::jvp([](const array& v) { return r::gamma(k, v, {}, jq::f64); }, jq::primals(a), jq::tangents(jq::ones({50}, jq::f64)));
    const array slope = (lax::igamma(a + 1e-5, x + 1e-5 * dx) - lax::igamma(a - 1e-5, x - 1e-5 * dx)) / 2e-5;
    CHECK(at(jq::max(jq::abs(slope))) < 1e-6);
    const auto [y, dy] = jq::jvp([](const array& v) { return r::loggamma(k, v, {}, jq::f64); }, jq::primals(a),
                                 jq::tangents(jq::ones({50}, jq::f64)));
    CHECK(distance(dy * x, dx) < 1e-11);
    CHECK(distance(y, jq::log(x)) < 1e-12);
  }
  // log x = (log u + ...) / alpha for small alpha: finite, where x itself is 0.
  const auto tiny = [](const array& a) { return jq::sum(r::loggamma(k, a, {8}, jq::f64)); };
  CHECK(at(jq::grad(tiny)(asarray(1e-4))) == doctest::Approx(-at(tiny(asarray(1e-4))) / 1e-4).epsilon(1e-3));
  const auto mean_beta = [](const array& a, const array& b) { return jq::mean(r::beta(k, a, b, {20000}, jq::f64)); };
  const auto [da, db] = jq::grad(mean_beta, jq::argnums<0, 1>)(asarray(2.0), asarray(3.0));  // of a / (a + b)
  CHECK(at(da) == doctest::Approx(3.0 / 25).epsilon(0.05));
  CHECK(at(db) == doctest::Approx(-2.0 / 25).epsilon(0.05));
}
TEST_CASE("gamma under vmap and jit") {
  const array keys = r::split(k, 3), alphas = asarray({0.5, 1.0, 20.0});
  const auto one = [](const array& key, const array& a) { return r::gamma(key, a, {5}, jq::f64); };
  const array all = jq::stack({one(keys[0], alphas[0]), one(keys[1], alphas[1]), one(keys[2], alphas[2])});
  CHECK(distance(jq::vmap(one)(keys, alphas), all) < 1e-12);
  CHECK(distance(jq::jit(jq::vmap(one))(keys, alphas), all) < 1e-12);
  const auto sum_of = [&](const array& key, const array& a) { return jq::sum(one(key, a)); };
  const array slopes = jq::vmap(jq::grad(sum_of, jq::argnums<1>))(keys, alphas);
  CHECK(at(slopes[1]) == doctest::Approx(at(jq::grad(sum_of, jq::argnums<1>)(keys[1], alphas[1]))));
}
