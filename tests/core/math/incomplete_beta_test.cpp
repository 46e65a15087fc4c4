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
TEST_CASE("extreme arguments end at once") {
  CHECK(math::regularized_incomplete_beta(1e15, 1e15, 0.25) == 0);
  CHECK(math::regularized_incomplete_beta(1e15, 1e15, 0.75) == 1);
  CHECK(std::isnan(math::regularized_incomplete_beta(1e300, 1.0, 0.5)));
  CHECK(std::isnan(math::regularized_incomplete_beta(0.0, 1.0, 0.5)));
}
