// The incomplete gamma functions: closed forms, both sides of every switch of method, the sum of P and Q, extreme arguments.
#include "jacquard/core/math/incomplete_gamma.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;

static_assert(math::igamma(1.0, 1.0) > 0.63212055 && math::igamma(1.0, 1.0) < 0.63212056);

TEST_CASE("closed forms for a = 1 and a = 1/2") {
  for (const double x : {1e-10, 0.1, 0.9, 1.5, 2.5, 30.0}) {
    INFO(x);
    CHECK(math::igamma(1.0, x) == doctest::Approx(-std::expm1(-x)).epsilon(1e-14));
    CHECK(math::igammac(1.0, x) == doctest::Approx(std::exp(-x)).epsilon(1e-14));
    CHECK(math::igamma(0.5, x) == doctest::Approx(std::erf(std::sqrt(x))).epsilon(1e-14));
    CHECK(math::igammac(0.5, x) == doctest::Approx(std::erfc(std::sqrt(x))).epsilon(1e-14));
  }
}
TEST_CASE("methods agree where they meet") {
  for (const double a : {0.2, 3.0, 50.0, 2000.0, 9.9e5, 2e6}) {
    const double x = a + 1, below = std::nextafter(x, 0.0);
    INFO(a);
    CHECK(math::igamma(a, below) == doctest::Approx(math::igamma(a, x)).epsilon(1e-12));
    CHECK(math::igamma(a, x) + math::igammac(a, x) == doctest::Approx(1).epsilon(1e-14));
    CHECK(math::igamma_grad_a(a, below) == doctest::Approx(math::igamma_grad_a(a, x)).epsilon(1e-9));
  }
  CHECK(math::igamma(1e6, 1e6 + 500) == doctest::Approx(math::igamma(std::nextafter(1e6, 2e6), 1e6 + 500)).epsilon(1e-11));
  CHECK(math::random_gamma_grad(1e7, 1e7 + 3000) == doctest::Approx(math::random_gamma_grad(std::nextafter(1e7, 2e7), 1e7 + 3000)).epsilon(1e-8));
}
TEST_CASE("the upper function of a small a, which is small, too: values of mpmath") {
  struct place {
    double a, x, value;
  };
  for (const place& p : {place{1e-300, 1.0, 2.1938393439552027917e-301}, {1e-20, 1.0, 2.1938393439552026165e-21}, {1e-20, 1e-300, 6.9019831223331213208e-18},
                         {1e-5, 1.0, 2.1938617914074712543e-6}, {1e-5, 0.001, 0.000063313471405293549057}, {0.001, 0.5, 0.00056006665647074988868},
                         {0.1, 1.05, 0.022282224868442282311}, {0.2499, 1.1, 0.058574073736978918608}, {0.25, 1.1, 0.058602054528043721021}}) {
    INFO(p.a, " ", p.x);
    CHECK(math::igammac(p.a, p.x) / p.value == doctest::Approx(1).epsilon(5e-15));
  }
}
TEST_CASE("next to a = 0: the derivative in a is -E1(x), and P is 1") {
  for (const double a : {0.0, 5e-324, 1e-300, 1e-20}) {
    INFO(a);
    CHECK(math::igamma_grad_a(a, 1.0) == doctest::Approx(-0.21938393439552027).epsilon(1e-13));
    CHECK(math::igamma_grad_a(a, 3.0) == doctest::Approx(-0.013048381094197037).epsilon(1e-13));
    CHECK(math::igamma(a, 1e-10) == 1);
  }
  CHECK(math::igamma_grad_a(0.0, ulp::inf) == 0);
  CHECK(std::isnan(math::igamma_grad_a(0.0, 0.0)));
}
TEST_CASE("extreme arguments end at once") {
  CHECK(math::igamma(1e300, 1e10) == 0);
  CHECK(math::igamma(1e10, 1e300) == 1);
  CHECK(math::igammac(1e-300, 1.0) < 1e-299);
  CHECK(math::igamma(5.0, 5e-324) == 0);
  CHECK(std::isnan(math::igamma(ulp::inf, ulp::inf)));
  CHECK(math::igamma_grad_a(2.0, 0.0) == 0);
  CHECK(math::random_gamma_grad(1e15, 1e15) == doctest::Approx(1));
}
