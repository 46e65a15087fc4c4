// Initial values: moments, limits, fans.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/nn/initializers.hpp>

namespace nn = jacquard::nn;

namespace {
double at(const array& x) { return x.item<double>(); }
double deviation(const array& x) { return at(jq::std(x.astype(jq::f64))); }
const array key = jq::random::key(7);
}  // namespace

TEST_CASE("constants and plain distributions") {
  CHECK(show(nn::initializers::zeros(key, {2})) == "f32[2] 0 0");
  CHECK(show(nn::initializers::ones(key, {2}, jq::f64)) == "f64[2] 1 1");
  CHECK(deviation(nn::initializers::normal{0.5}(key, {100, 100})) == doctest::Approx(0.5).epsilon(0.03));
  CHECK(at(jq::max(nn::initializers::uniform{0.5}(key, {1000}, jq::f64))) < 0.5);
  const array t = nn::initializers::truncated_normal{1}(key, {100, 100}, jq::f64);
  CHECK(at(jq::max(jq::abs(t))) <= 2);
  CHECK(deviation(t) == doctest::Approx(0.87962566103423978).epsilon(0.03));
}
TEST_CASE("variances follow the fans") {
  CHECK(deviation(nn::initializers::he_normal(key, {200, 50})) == doctest::Approx(std::sqrt(2.0 / 200)).epsilon(0.03));
  CHECK(deviation(nn::initializers::glorot_normal(key, {200, 50})) == doctest::Approx(std::sqrt(2.0 / 250)).epsilon(0.03));
  CHECK(deviation(nn::initializers::lecun_uniform(key, {3, 3, 20, 50})) == doctest::Approx(std::sqrt(1.0 / 180)).epsilon(0.03));
  CHECK(at(jq::max(jq::abs(nn::initializers::glorot_uniform(key, {200, 50}, jq::f64)))) <= std::sqrt(6.0 / 250));
  const nn::initializers::variance_scaling by_outputs{1, nn::initializers::fan::out, nn::initializers::distribution::normal};
  CHECK(deviation(by_outputs(key, {50, 200})) == doctest::Approx(std::sqrt(1.0 / 200)).epsilon(0.03));
  CHECK(show(nn::initializers::kaiming_normal(key, {2, 2})) == show(nn::initializers::he_normal(key, {2, 2})));
  CHECK(show(nn::initializers::xavier_uniform(key, {2, 2})) == show(nn::initializers::glorot_uniform(key, {2, 2})));
  CHECK_ERROR(jq::shape_error, nn::initializers::he_normal(key, {5}), "variance_scaling", "(5,)", "two axes");
}
