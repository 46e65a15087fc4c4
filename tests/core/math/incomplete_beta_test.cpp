// The incomplete beta function: closed forms, symmetry across the switches of method, extreme arguments.
#include "jacquard/core/math/incomplete_beta.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;

static_assert(math::regularized_incomplete_beta(1.0, 1.0, 0.25) > 0.2499999 && math::regularized_incomplete_beta(1.0, 1.0, 0.25) < 0.2500001);

TEST_CASE("closed forms") {
  for (const double x : {1e-10, 0.1, 0.5, 0.85, 0.95, 0.999}) {
    INFO(x);
    CHECK(math::regularized_incomplete_beta(1.0, 4.0, x) == doctest::Approx(-std::expm1(4 * std::log1p(-x))).epsilon(1e-13));
    CHECK(math::regularized_incomplete_beta(4.0, 1.0, x) == doctest::Approx(std::pow(x, 4)).epsilon(1e-13));
    CHECK(math::regularized_incomplete_beta(0.5, 0.5, x) == doctest::Approx(2 / M_PI * std::asin(std::sqrt(x))).epsilon(1e-13));
  }
}
TEST_CASE("symmetry") {
  for (const double a : {0.01, 0.7, 5.0, 300.0})
    for (const double b : {0.02, 1.3, 40.0, 2000.0})
      for (const double x : {0.0625, 0.25, 0.5, 0.75, 0.9375}) {
        INFO(a << " " << b << " " << x);
        CHECK(math::regularized_incomplete_beta(a, b, x) + math::regularized_incomplete_beta(b, a, 1 - x) == doctest::Approx(1).epsilon(1e-13));
      }
}
TEST_CASE("derivatives in a and b: differences in 40-digit arithmetic (mpmath)") {
  const struct {
    double a, b, x, in_a, in_b;
  } known[] = {
      {2.0, 3.0, 0.5, -0.1952886866349624, 0.15410849392498291},
      {0.5, 0.5, 0.01, -0.33265796074017643, 0.08818850772358067},
      {100.0, 200.0, 0.3, -0.01579154131969264, 0.0073069443294662446},
      {0.02, 838.0, 0.001, -0.30039756819157695, 1.0410418777696751e-5},
      {838.0, 0.02, 0.999, -1.0410418777696743e-5, 0.30039756819157657},
      {3.0, 0.7, 0.95, -0.060559122938738348, 0.56050984562125151},
      {0.3, 5.0, 0.999, -5.3831313036524874e-16, 7.4753583896287319e-16},
      {1.0, 1.0, 0.25, -0.34657359027997265, 0.2157615543388357},
      {0.7, 2.0, 1e-10, -3.8143946579387006e-6, 6.3579801752136629e-8},
  };
  for (const auto& k : known) {
    INFO(k.a << " " << k.b << " " << k.x);
    CHECK(math::regularized_incomplete_beta_grad_a(k.a, k.b, k.x) == doctest::Approx(k.in_a).epsilon(2e-12));
    CHECK(math::regularized_incomplete_beta_grad_b(k.a, k.b, k.x) == doctest::Approx(k.in_b).epsilon(2e-12));
  }
  CHECK(math::regularized_incomplete_beta_grad_a(2.0, 3.0, 1.0) == 0);
  CHECK(math::regularized_incomplete_beta_grad_b(2.0, 3.0, 0.0) == 0);
  CHECK(std::isnan(math::regularized_incomplete_beta_grad_b(-2.0, 3.0, 0.5)));
}
TEST_CASE("a tiny b and x next to 1: the function and its derivatives are small, too (mpmath)") {
  const struct {
    double a, b, x, value, in_a, in_b;
  } known[] = {
      {0.5, 1e-100, 0.95, 4.3565444206017514e-100, -4.8835107804147591e-100, 4.3565444206017513},
      {1.0, 1e-10, 0.999, 6.9077552765962823e-10, -1.6439338154813579e-10, 6.9077552742104279},
      {1e-10, 1e-20, 0.95, 1.0000000001944438e-10, -0.99999999979999987, 10000000000.944439},
      {100.0, 1e-300, 0.999, 1.8270036173684955e-300, -9.0978539402381457e-303, 1.8270036173684954},
      {3.0, 0.05, 0.96, 0.087200145792594882, -0.016159238719177838, 1.6893758781041452},
  };
  for (const auto& k : known) {
    INFO(k.a << " " << k.b << " " << k.x);
    CHECK(math::regularized_incomplete_beta(k.a, k.b, k.x) / k.value == doctest::Approx(1).epsilon(1e-14));
    CHECK(math::regularized_incomplete_beta_grad_a(k.a, k.b, k.x) / k.in_a == doctest::Approx(1).epsilon(1e-13));
    CHECK(math::regularized_incomplete_beta_grad_b(k.a, k.b, k.x) / k.in_b == doctest::Approx(1).epsilon(1e-14));
  }
}
TEST_CASE("extreme arguments end at once") {
  CHECK(math::regularized_incomplete_beta(1e15, 1e15, 0.25) == 0);
  CHECK(math::regularized_incomplete_beta(1e15, 1e15, 0.75) == 1);
  CHECK(std::isnan(math::regularized_incomplete_beta(1e300, 1.0, 0.5)));
  CHECK(std::isnan(math::regularized_incomplete_beta(0.0, 1.0, 0.5)));
}
