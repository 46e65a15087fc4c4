// regularized_incomplete_beta: values computed in 30-digit arithmetic, symmetry, derivatives.
#include "prim_testing.hpp"

using namespace prim_testing;

static_assert(jq::regularized_incomplete_beta_p::apply(2.0, 3.0, 1.0) == 1);

TEST_CASE("regularized_incomplete_beta: values") {
  CHECK(jq::regularized_incomplete_beta_p::apply(2.0, 3.0, 0.5) == doctest::Approx(0.6875).epsilon(2e-14));
  CHECK(jq::regularized_incomplete_beta_p::apply(0.5, 0.5, 0.01) == doctest::Approx(0.06376856085851985).epsilon(2e-14));
  CHECK(jq::regularized_incomplete_beta_p::apply(100.0, 200.0, 0.3) == doctest::Approx(0.10884306564490975).epsilon(2e-14));
  CHECK(jq::regularized_incomplete_beta_p::apply(0.02, 838.0, 0.001) == doctest::Approx(0.9940938632709009).epsilon(2e-14));
  CHECK(jq::regularized_incomplete_beta_p::apply(838.0, 0.02, 0.999) == doctest::Approx(0.005906136729099102).epsilon(2e-14));
  CHECK(std::isnan(jq::regularized_incomplete_beta_p::apply(-1.0, 1.0, 0.5)));
  CHECK(std::isnan(jq::regularized_incomplete_beta_p::apply(1.0, 1.0, 1.5)));
  CHECK(jq::regularized_incomplete_beta_p::apply(3.0, 7.0, 0.25) + jq::regularized_incomplete_beta_p::apply(7.0, 3.0, 0.75) == doctest::Approx(1).epsilon(1e-15));
}
TEST_CASE("regularized_incomplete_beta: derivative and batching") {
  const array a = make({0.7, 1.6}), b = make({2.0, 0.5}), x = make({0.25, 0.5});
  check_derivatives(unary([&](const array& v) { return lax::regularized_incomplete_beta(a, b, v); }), {x});
  check_batching([](const arrays& v) { return arrays{lax::regularized_incomplete_beta(v[0], v[1], v[2])}; }, {a, b, x});
  check_derivatives(unary([&](const array& v) { return lax::regularized_incomplete_beta(v, b, x); }), {a}, 1);
  check_derivatives(unary([&](const array& v) { return lax::regularized_incomplete_beta(a, v, x); }), {b}, 1);
  check_batching([](const arrays& v) { return arrays{lax::regularized_incomplete_beta_grad_a(v[0], v[1], v[2])}; }, {a, b, x});
  CHECK_THROWS_AS(derivative(unary([&](const array& v) { return lax::regularized_incomplete_beta_grad_b(v, b, x); }), {a}, {x}), jq::not_implemented);
}
TEST_CASE("regularized_incomplete_beta: the density at the ends") {
  const auto density = [](double a, double b, double x) {
    return derivative(unary([&](const array& v) { return lax::regularized_incomplete_beta(make({a}), make({b}), v); }), {make({x})}, {make({1.0})});
  };
  CHECK_CLOSE(density(1, 1, 0), make({1.0}), 0);
  CHECK_CLOSE(density(1, 1, 1), make({1.0}), 0);
  CHECK_CLOSE(density(1, 3, 0), make({3.0}), 1e-15);
  CHECK_CLOSE(density(2, 1, 1), make({2.0}), 1e-15);
  CHECK_CLOSE(density(2, 2, 0), make({0.0}), 0);
}
TEST_CASE("regularized_incomplete_beta: the density is differentiated where an exponent is 0") {
  // The density of (a, 1) is a x^(a - 1).
  const auto density = [](const array& a) {
    return derivative(unary([&](const array& v) { return lax::regularized_incomplete_beta(a, make({1.0}), v); }), {make({0.3})}, {make({1.0})});
  };
  CHECK_CLOSE(derivative(unary(density), {make({1.0})}, {make({1.0})}), make({1 + std::log(0.3)}), 1e-14);
}
