// Activations: closed forms, limits that must not overflow, derivatives at kinks.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/nn/activations.hpp>

namespace nn = jacquard::nn;

namespace {
double at(const array& x) { return x.item<double>(); }
template <class F>
double slope(F f, double x) {
  return jq::grad([f](const array& v) { return f(v); })(asarray(x)).template item<double>();
}
}  // namespace

static_assert(traced([](array x) { return nn::gelu(nn::mish(nn::selu(x))) + nn::softplus(x); }, {2}) > 0);

TEST_CASE("closed forms") {
  CHECK(at(nn::silu(asarray(0.7))) == doctest::Approx(0.46773144051771626).epsilon(1e-14));
  CHECK(at(nn::silu(asarray(-1.3))) == doctest::Approx(-0.2784145220446738).epsilon(1e-14));
  CHECK(at(nn::swish(asarray(0.7))) == doctest::Approx(0.46773144051771626).epsilon(1e-14));
  CHECK(at(nn::swish(asarray(-1.3))) == doctest::Approx(-0.2784145220446738).epsilon(1e-14));
  CHECK(at(nn::softplus(asarray(0.7))) == doctest::Approx(1.103186048885458).epsilon(1e-14));
  CHECK(at(nn::softplus(asarray(-1.3))) == doctest::Approx(0.2410084538329922).epsilon(1e-14));
  CHECK(at(nn::log_sigmoid(asarray(0.7))) == doctest::Approx(-0.4031860488854579).epsilon(1e-14));
  CHECK(at(nn::log_sigmoid(asarray(-1.3))) == doctest::Approx(-1.5410084538329922).epsilon(1e-14));
  CHECK(at(nn::mish(asarray(0.7))) == doctest::Approx(0.5611483776438518).epsilon(1e-14));
  CHECK(at(nn::mish(asarray(-1.3))) == doctest::Approx(-0.30738246474949593).epsilon(1e-14));
  CHECK(at(nn::soft_sign(asarray(0.7))) == doctest::Approx(0.4117647058823529).epsilon(1e-14));
  CHECK(at(nn::soft_sign(asarray(-1.3))) == doctest::Approx(-0.5652173913043478).epsilon(1e-14));
  CHECK(at(nn::elu(asarray(0.7))) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(at(nn::elu(asarray(-1.3))) == doctest::Approx(-0.7274682069659875).epsilon(1e-14));
  CHECK(at(nn::celu(asarray(0.7))) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(at(nn::celu(asarray(-1.3))) == doctest::Approx(-0.7274682069659875).epsilon(1e-14));
  CHECK(at(nn::selu(asarray(0.7))) == doctest::Approx(0.7354906911488363).epsilon(1e-14));
  CHECK(at(nn::selu(asarray(-1.3))) == doctest::Approx(-1.2789613751543256).epsilon(1e-14));
  CHECK(at(nn::gelu(asarray(0.7))) == doctest::Approx(0.5305701347051167).epsilon(1e-14));
  CHECK(at(nn::gelu(asarray(-1.3))) == doctest::Approx(-0.1260709876826906).epsilon(1e-14));
  CHECK(at(nn::hard_sigmoid(asarray(0.7))) == doctest::Approx(0.6166666666666667).epsilon(1e-14));
  CHECK(at(nn::hard_sigmoid(asarray(-1.3))) == doctest::Approx(0.2833333333333333).epsilon(1e-14));
  CHECK(at(nn::hard_swish(asarray(0.7))) == doctest::Approx(0.43166666666666664).epsilon(1e-14));
  CHECK(at(nn::hard_swish(asarray(-1.3))) == doctest::Approx(-0.36833333333333335).epsilon(1e-14));
  CHECK(at(nn::hard_tanh(asarray(0.7))) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(at(nn::hard_tanh(asarray(-1.3))) == doctest::Approx(-1.0).epsilon(1e-14));
  CHECK(at(nn::leaky_relu(asarray(0.7))) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(at(nn::leaky_relu(asarray(-1.3))) == doctest::Approx(-0.013000000000000001).epsilon(1e-14));
  CHECK(at(nn::relu6(asarray(0.7))) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(at(nn::relu6(asarray(-1.3))) == doctest::Approx(0.0).epsilon(1e-14));
  CHECK(at(nn::squareplus(asarray(0.7))) == doctest::Approx(1.4094810050208546).epsilon(1e-14));
  CHECK(at(nn::squareplus(asarray(-1.3))) == doctest::Approx(0.5426860441876563).epsilon(1e-14));
  CHECK(at(nn::gelu(asarray(0.7), false)) == doctest::Approx(0.5306254434438489).epsilon(1e-14));
  CHECK(at(nn::celu(asarray(-1.3), 2)) == doctest::Approx(-0.9559084464779679).epsilon(1e-14));
  CHECK(show(nn::glu(asarray({{1.0, 2.0, 0.0, 0.0}}))) == "f64[1,2] 0.5 1");
  CHECK(show(nn::relu6(asarray({-1.f, 7.f}))) == "f32[2] 0 6");
  CHECK(nn::gelu(asarray({1, 2})).dtype() == jq::f64);
}
TEST_CASE("large operands neither overflow nor lose their sign") {
  CHECK(at(nn::softplus(asarray(1000.0))) == 1000);
  CHECK(at(nn::softplus(asarray(-1000.0))) == 0);
  CHECK(at(nn::log_sigmoid(asarray(-1000.0))) == -1000);
  CHECK(at(nn::mish(asarray(1000.0))) == 1000);
  CHECK(at(nn::elu(asarray(1000.0))) == 1000);
  CHECK(slope([](const array& v) { return nn::elu(v); }, 1000) == 1);
  CHECK(slope([](const array& v) { return nn::softplus(v); }, 1000) == 1);
  CHECK(slope([](const array& v) { return nn::log_sigmoid(v); }, -1000) == 1);
}
TEST_CASE("derivatives at kinks and in closed form") {
  CHECK(slope([](const array& v) { return nn::relu6(v); }, 0) == 0);
  CHECK(slope([](const array& v) { return nn::relu6(v); }, 6) == 0);
  CHECK(slope([](const array& v) { return nn::hard_tanh(v); }, 1) == 0);
  CHECK(slope([](const array& v) { return nn::softplus(v); }, 0) == doctest::Approx(0.5));
  CHECK(slope([](const array& v) { return nn::silu(v); }, 0.7) == doctest::Approx(0.8233867834733424));
  CHECK(slope([](const array& v) { return nn::leaky_relu(v, 0.2); }, -1) == 0.2);
}
TEST_CASE("log1mexp: values in 30-digit arithmetic, slopes 1 / (exp(x) - 1), edges") {
  const std::pair<double, double> known[] = {{1e-10, -23.025850929990457}, {0.5, -0.93275212956718857}, {0.7, -0.68634100280838515}, {3, -0.051069180942701587}, {40, -4.248354255291589e-18}};
  for (const auto& [x, y] : known) {
    CHECK(nn::log1mexp(asarray(x)).item<double>() == doctest::Approx(y).epsilon(4e-15));
    CHECK(jq::grad([](const array& v) { return nn::log1mexp(v); })(asarray(x)).item<double>() == doctest::Approx(1 / std::expm1(x)).epsilon(1e-14));
  }
  CHECK(nn::log1mexp(asarray(0.0)).item<double>() == -inf);
  CHECK(std::isnan(nn::log1mexp(asarray(-1.0)).item<double>()));
}
TEST_CASE("errors") {
  CHECK_ERROR(jq::shape_error, nn::glu(jq::ones({3})), "glu", "size 3", "even");
  CHECK_ERROR(jq::value_error, nn::glu(jq::ones({4}), 2), "glu", "axis 2");
}
TEST_CASE("sparse activations, log of the mean of exponentials") {
  const array x = asarray({-2.0, -0.5, 0.0, 3.0});
  CHECK(show(nn::sparse_plus(x)) == "f64[4] 0 0.0625 0.25 3");
  CHECK(show(nn::sparse_sigmoid(x)) == "f64[4] 0 0.25 0.5 1");
  CHECK(show(jq::grad([](const array& v) { return jq::sum(nn::sparse_plus(v)); })(x)) == show(nn::sparse_sigmoid(x)));
  CHECK(show(nn::hard_silu(x)) == show(nn::hard_swish(x)));
  CHECK(show(nn::identity(x)) == show(x));
  CHECK(nn::logmeanexp(asarray({1000.0, 1000.0})).item<double>() == doctest::Approx(1000));
  CHECK(distance(nn::logmeanexp(jq::reshape(x, {2, 2}), 1), jq::log(jq::mean(jq::exp(jq::reshape(x, {2, 2})), 1))) < 1e-15);
  CHECK_ERROR(jq::value_error, nn::logmeanexp(x, 1), "logmeanexp", "axis 1");
}
TEST_CASE("gelu and squareplus far to the left keep their digits") {
  CHECK(at(nn::gelu(asarray(-5.75))) == doctest::Approx(-7.6458178384045182e-10).epsilon(1e-14));
  CHECK(nn::gelu(asarray(-5.75f)).item<float>() == doctest::Approx(-7.6458178384045182e-10).epsilon(2e-6));
  CHECK(at(nn::gelu(asarray(-3.25))) == doctest::Approx(-0.0015686271447474688).epsilon(1e-14));
  CHECK(at(nn::gelu(asarray(-20.0), false)) == doctest::Approx(-5.5072482372124674e-88).epsilon(1e-15));
  CHECK(at(nn::squareplus(asarray(-18286.5))) == doctest::Approx(5.4685150083916242e-5).epsilon(1e-15));
  CHECK(at(nn::squareplus(asarray(-3.0), 0)) == 0);
  CHECK(at(nn::squareplus(asarray(0.0), 0)) == 0);
}
TEST_CASE("sparse_plus: reverse mode far outside") {
  const auto slope = jq::grad([](const array& v) { return jq::sum(jq::nn::sparse_plus(v)); });
  CHECK(show(slope(asarray({-inf, -1.0, 0.0, 1.0, inf}))) == "f64[5] 0 0 0.5 1 1");
}
