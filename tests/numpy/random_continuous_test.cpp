// Continuous distributions: Kolmogorov's test against their distribution functions, derivatives in the parameters, dtypes, shapes, errors.
#include <jacquard/numpy/random_continuous.hpp>

#include "distribution_testing.hpp"

namespace r = jq::random;

static_assert(traced([](array x) { return x + r::laplace(r::key(0), {3}) + r::wald(r::key(1), x); }, {3}) > 0);

namespace {
const array k = r::key(11);
const jq::shape many{20000};
constexpr double pi = 3.14159265358979323846;
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("distributions without parameters") {
  for (jq::dtype t : {jq::f32, jq::f64}) {
    CHECK(kolmogorov(r::laplace(k, many, t), [](double x) { return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x); }) < unlikely);
    CHECK(kolmogorov(r::logistic(k, many, t), [](double x) { return 1 / (1 + std::exp(-x)); }) < unlikely);
    CHECK(kolmogorov(r::cauchy(k, many, t), [](double x) { return 0.5 + std::atan(x) / pi; }) < unlikely);
    CHECK(kolmogorov(r::maxwell(k, many, t),
                     [](double x) { return std::erf(x / std::sqrt(2.0)) - std::sqrt(2 / pi) * x * std::exp(-x * x / 2); }) < unlikely);
    CHECK(kolmogorov(r::exponential(k, many, t), [](double x) { return -std::expm1(-x); }) < unlikely);
    CHECK(kolmogorov(r::gumbel(k, many, t), [](double x) { return std::exp(-std::exp(-x)); }) < unlikely);
    CHECK(kolmogorov(r::normal(k, many, t), normal_cdf) < unlikely);
    CHECK(r::laplace(k, {2, 3}, t).dtype() == t);
  }
  for (jq::dtype t : {jq::i32, jq::i8, jq::f32}) {
    const array s = r::rademacher(k, many, t);
    CHECK(s.dtype() == t);
    CHECK(bool(jq::all(jq::abs(s) == 1)));
    CHECK(std::abs(at(jq::mean(s.astype(jq::f64)))) < 0.02);
  }
  CHECK(r::cauchy(k).shape() == jq::shape{});
  for (jq::dtype t : {jq::f16, jq::bf16}) CHECK(show(r::logistic(k, {3}, t)) == show(r::logistic(k, {3}).astype(t)));
  CHECK_ERROR(jq::type_error, r::rademacher(k, {2}, jq::u8), "rademacher", "uint8", "jq::i32");
  CHECK_ERROR(jq::type_error, r::laplace(k, {2}, jq::i32), "laplace", "int32", "floating point");
  CHECK_ERROR(jq::type_error, r::maxwell(asarray({1.0})), "maxwell", "f64[1]", "u32[2]");
}
TEST_CASE("distributions with parameters") {
  for (jq::dtype t : {jq::f32, jq::f64}) {
    CHECK(kolmogorov(r::lognormal(k, 0.7, many, t), [](double x) { return normal_cdf(std::log(x) / 0.7); }) < unlikely);
    CHECK(kolmogorov(r::pareto(k, 2.5, many, t), [](double x) { return 1 - std::pow(x, -2.5); }) < unlikely);
    CHECK(kolmogorov(r::rayleigh(k, 3.0, many, t), [](double x) { return -std::expm1(-x * x / 18); }) < unlikely);
    CHECK(kolmogorov(r::weibull_min(k, 2.0, 1.5, many, t), [](double x) { return -std::expm1(-std::pow(x / 2, 1.5)); }) < unlikely);
    CHECK(kolmogorov(r::triangular(k, -1.0, 0.5, 3.0, many, t), [](double x) {
            return x < 0.5 ? (x + 1) * (x + 1) / (4 * 1.5) : 1 - (3 - x) * (3 - x) / (4 * 2.5);
          }) < unlikely);
    for (double mean : {0.3, 4.0})
      CHECK(kolmogorov(r::wald(k, mean, many, t), [mean](double x) {
              const double root = std::sqrt(1 / x);
              return normal_cdf(root * (x / mean - 1)) + std::exp(2 / mean) * normal_cdf(-root * (x / mean + 1));
            }) < unlikely);
    CHECK(kolmogorov(r::double_sided_maxwell(k, 1.0, 2.0, many, t), [](double x) {
            const double z = std::abs(x - 1) / 2, half = std::erf(z / std::sqrt(2.0)) - std::sqrt(2 / pi) * z * std::exp(-z * z / 2);
            return 0.5 + (x < 1 ? -0.5 : 0.5) * half;
          }) < unlikely);
    const double low = normal_cdf(-0.5), high = normal_cdf(2.0);
    const array x = r::truncated_normal(k, -0.5, 2.0, many, t);
    CHECK(kolmogorov(x, [&](double v) { return (normal_cdf(v) - low) / (high - low); }) < unlikely);
    CHECK(bool(jq::all((x > -0.5) & (x < 2.0))));
  }
}
TEST_CASE("parameters broadcast with the shape asked for") {
  const array scale = asarray({1.f, 100.f});
  CHECK(r::rayleigh(k, scale).shape() == jq::shape{2});
  CHECK(r::rayleigh(k, scale, {5, 2}).shape() == jq::shape{5, 2});
  CHECK(show(r::rayleigh(k, scale, {5, 2})(jq::all, 1)) == show(100.f * r::rayleigh(k, 1.0, {5, 2})(jq::all, 1)));
  CHECK(r::weibull_min(k, jq::reshape(scale, {2, 1}), asarray({1.f, 2.f, 3.f})).shape() == jq::shape{2, 3});
  CHECK(r::pareto(k, asarray({1, 2})).dtype() == jq::f32);
  CHECK_ERROR(jq::shape_error, r::rayleigh(k, scale, {3}), "rayleigh", "(2,)", "(3,)", "broadcasts");
  CHECK_ERROR(jq::shape_error, r::rayleigh(k, jq::ones({2, 3}), {3}), "rayleigh", "(2, 3)", "broadcasts");
  CHECK_ERROR(jq::type_error, r::pareto(k, asarray(jq::complex128(1, 2))), "pareto", "c128[]", "real numbers");
}
TEST_CASE("samples have derivatives in the parameters, under jit and vmap") {
  // x = scale u and x = exp(e / b): the derivatives are x / scale and -x log(x) / b.
  const array x = r::rayleigh(k, 3.0, {4}, jq::f64);
  CHECK(at(jq::grad([](const array& s) { return jq::sum(r::rayleigh(k, s, {4}, jq::f64)); })(asarray(3.0))) == doctest::Approx(at(jq::sum(x)) / 3));
  const array y = r::pareto(k, 2.0, {4}, jq::f64);
  CHECK(at(jq::grad([](const array& b) { return jq::sum(r::pareto(k, b, {4},
                                                                  jq::f64)); })(asarray(2.0))) == doctest::Approx(-at(jq::sum(y * jq::log(y))) / 2));
  // A truncated normal number moves with its bounds: P stays.
  const auto truncated = [](const array& a) { return r::truncated_normal(k, a, 2.0, {}, jq::f64); };
  const double step = 1e-6, moved = (at(truncated(asarray(0.5 + step))) - at(truncated(asarray(0.5 - step)))) / (2 * step);
  CHECK(at(jq::grad(truncated)(asarray(0.5))) == doctest::Approx(moved).epsilon(1e-6));
  // Triangles with the mode at an end: 1 - sqrt(1 - u) and sqrt(u), times the width.
  const auto falling = [](const array& right) { return r::triangular(k, 0.0, 0.0, right, {}, jq::f64); };
  const auto rising = [](const array& left) { return r::triangular(k, left, 1.0, 1.0, {}, jq::f64); };
  CHECK(at(jq::grad(falling)(asarray(2.0))) == doctest::Approx(at(falling(asarray(2.0))) / 2));
  CHECK(at(jq::grad(rising)(asarray(-1.0))) == doctest::Approx((1 - at(rising(asarray(-1.0)))) / 2));
  CHECK(std::isfinite(at(jq::grad([](const array& v) { return r::triangular(k, v, v, v, {}, jq::f64); })(asarray(2.0)))));
  const array keys = r::split(k, 3), means = asarray({0.5, 1.0, 2.0});
  const auto one = [](const array& key, const array& mean) { return r::wald(key, mean, {2}, jq::f64); };
  CHECK(distance(jq::vmap(one)(keys, means), jq::stack({one(keys[0], means[0]), one(keys[1], means[1]), one(keys[2], means[2])})) < 1e-13);
  CHECK(distance(jq::jit(one)(keys[0], means[0]), one(keys[0], means[0])) < 1e-13);
}
