// Losses: closed forms, extreme logits, labels that are probabilities or numbers.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/nn/losses.hpp>

namespace nn = jacquard::nn;

namespace {
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("regression") {
  const array p = asarray({1.0, -2.0}), t = asarray({0.5, 1.0});
  CHECK(show(nn::squared_error(p, t)) == "f64[2] 0.25 9");
  CHECK(show(nn::l2_loss(p, t)) == "f64[2] 0.125 4.5");
  CHECK(at(nn::mse(p, t)) == 4.625);
  CHECK(show(nn::absolute_error(p, t)) == "f64[2] 0.5 3");
  CHECK(show(nn::huber_loss(p, t)) == "f64[2] 0.125 2.5");
  CHECK(at(nn::log_cosh(asarray(1.5), 0.0)) == doctest::Approx(std::log(std::cosh(1.5))));
  CHECK(at(nn::log_cosh(asarray(-1000.0), 0.0)) == doctest::Approx(1000 - std::log(2.0)));
  CHECK_ERROR_ANYWHERE(jq::shape_error, nn::mse(jq::ones({2}), jq::ones({3})), "(2,), (3,)");
}
TEST_CASE("huber: derivatives within, where they agree, and beyond") {
  const auto first = [](const array& p) { return jq::grad([](const array& q) { return nn::huber_loss(q, 1.0, 2.0); })(p); };
  const auto second = [&](double p) { return at(jq::grad(first)(asarray(p))); };
  CHECK(second(1.0) == 1);
  CHECK(second(0.0) == 1);
  CHECK(second(4.0) == 0);
  CHECK(second(-2.0) == 0);
  CHECK(at(first(asarray(1.5))) == 0.5);
  CHECK(at(first(asarray(7.0))) == 2);
  CHECK(at(first(asarray(-3.0))) == -2);
  CHECK(std::isnan(at(nn::huber_loss(asarray(std::nan("")), 1.0))));
  CHECK(at(nn::huber_loss(asarray(inf), 1.0)) == inf);
}
TEST_CASE("classification") {
  const array logits = asarray({{1.0, 2.0, 0.5}, {0.0, 0.0, 0.0}});
  const double first = std::log(std::exp(1.0) + std::exp(2.0) + std::exp(0.5)) - 2;
  const array by_number = nn::softmax_cross_entropy_with_integer_labels(logits, asarray({1, 2}));
  CHECK(at(by_number(0)) == doctest::Approx(first));
  CHECK(at(by_number(1)) == doctest::Approx(std::log(3.0)));
  CHECK(distance(nn::softmax_cross_entropy(logits, nn::one_hot(asarray({1, 2}), 3)), by_number) < 1e-15);
  CHECK(at(nn::softmax_cross_entropy(asarray({0.0, -inf}), asarray({1.0, 0.0}))) == 0);
  CHECK(at(nn::sigmoid_binary_cross_entropy(asarray(0.3), 1.0)) == doctest::Approx(std::log(1 + std::exp(-0.3))));
  CHECK(at(nn::sigmoid_binary_cross_entropy(asarray(-1000.0), 1.0)) == 1000);
  const array slope = jq::grad([](const array& x) { return jq::sum(nn::softmax_cross_entropy_with_integer_labels(x, asarray({1, 2}))); })(logits);
  CHECK(distance(slope, jq::softmax(logits) - nn::one_hot(asarray({1, 2}), 3)) < 1e-15);
  CHECK_ERROR(jq::type_error, nn::softmax_cross_entropy_with_integer_labels(logits, asarray({1.0, 2.0})), "integer_labels", "float64", "integers");
}
TEST_CASE("errors of what a loss is made of name the line of its caller") {
  CHECK_ERROR(jq::shape_error, nn::softmax_cross_entropy_with_integer_labels(jq::ones({2, 3}), jq::asarray({0, 1, 2})), "(2, 3)", "losses_test.cpp:");
  CHECK_ERROR(jq::shape_error, nn::softmax_cross_entropy(jq::ones({2, 3}), jq::ones({2, 2})), "(2, 2)", "losses_test.cpp:");
  CHECK_ERROR(jq::shape_error, jq::make_jaxpr([](const array& x) { return nn::mse(x, jq::ones({4})); })(jq::ones({3})), "(3,)", "losses_test.cpp:");
}
TEST_CASE("divergence") {
  const array p = asarray({0.5, 0.5, 0.0}), q = asarray({0.25, 0.75, 0.0});
  CHECK(at(nn::kl_divergence(jq::log(q), p)) == doctest::Approx(0.5 * std::log(2.0) + 0.5 * std::log(0.5 / 0.75)));
}
TEST_CASE("log_cosh: small differences") {
  CHECK(at(nn::log_cosh(asarray(1e-8), 0.0)) == doctest::Approx(5e-17).epsilon(1e-14));
  CHECK(at(nn::log_cosh(asarray(-0.5), 0.0)) == doctest::Approx(0.12011450695827752).epsilon(1e-15));
  CHECK(at(nn::log_cosh(asarray(0.99), 0.0)) == doctest::Approx(0.42618599451566744).epsilon(1e-15));
  CHECK(at(nn::log_cosh(asarray(-3.0), 0.0)) == doctest::Approx(2.3093285045777851).epsilon(1e-15));
  for (double x : {-2.0, -0.3, 0.0, 0.7, 30.0}) CHECK(at(jq::grad([](const array& p) { return nn::log_cosh(p, 0.0); })(asarray(x))) == doctest::Approx(std::tanh(x)));
}
TEST_CASE("whole predictions take the dtype of targets") {
  const array whole = asarray({1, 2}), narrow = asarray({1.5f, 4.f});
  CHECK(show(nn::squared_error(whole, narrow)) == "f32[2] 0.25 4");
  CHECK(show(nn::squared_error(narrow, whole)) == "f32[2] 0.25 4");
  CHECK(show(nn::absolute_error(whole, whole)) == "f64[2] 0 0");
  for (const array& y : {nn::huber_loss(whole, narrow), nn::log_cosh(whole, narrow), nn::absolute_error(whole, narrow), nn::mse(whole, narrow)}) CHECK(y.dtype() == jq::f32);
}
TEST_CASE("whole labels take the dtype of logits") {
  const array logits = asarray({{1.f, 2.f}}), labels = asarray({{1, 0}});
  for (const array& y : {jq::nn::softmax_cross_entropy(logits, labels), jq::nn::sigmoid_binary_cross_entropy(logits, labels), jq::nn::kl_divergence(logits, labels)})
    CHECK(y.dtype() == jq::f32);
}
