// zeta and polygamma: the recurrence in q, reflection at negative arguments, and arguments that must not take long.
#include "jacquard/core/math/zeta_function.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;

static_assert(math::zeta(2.0, 1.0) > 1.64493406684822 && math::zeta(2.0, 1.0) < 1.64493406684823);

TEST_CASE("the sum less its first term is that of the next q") {
  for (const double s : {1.1, 2.0, 5.5, 30.0})
    for (const double q : {0.25, 1.0, 9.5, 25.0, -3.25}) {
      if (q < 0 && s != 2.0 && s != 30.0) continue;
      INFO(s << " " << q);
      CHECK(math::zeta(s, q) == doctest::Approx(std::pow(q, -s) + math::zeta(s, q + 1)).epsilon(1e-14));
    }
}
TEST_CASE("large exponents: the first terms are the sum") {
  // From DLMF 25.2.1 and, for q = 3, 25.11.1 with the terms beyond the fourth below 1e-28 of the first.
  CHECK(math::zeta(60.0, 1.0) == 1);
  CHECK(math::zeta(30.0, 1.0) == doctest::Approx(1 + std::pow(2, -30.0) + std::pow(3, -30.0)).epsilon(1e-15));
  for (const double s : {52.0, 60.0, 100.0, 144.71, 300.0})
    for (const double q : {0.5, 1.0, 2.0, 3.0}) {
      INFO(s << " " << q);
      double sum = 0;
      for (int k = 200; k >= 0; --k) sum += std::pow(q + k, -s);
      CHECK(math::zeta(s, q) == doctest::Approx(sum).epsilon(1e-14));
    }
  const double s = 1 + 1e-10;  // the rest counts although its terms do not
  CHECK(math::zeta(s, 1e-19) == doctest::Approx(std::pow(1e-19, -s) + 1 / (s - 1)).epsilon(1e-14));
  CHECK(math::polygamma(60.0, 1.0) == doctest::Approx(-8.32098711274139e81).epsilon(1e-14));  // -60! zeta(61)
}
TEST_CASE("polygamma obeys its recurrence and reflection") {
  CHECK(math::polygamma(1.0, 0.3) + math::polygamma(1.0, 0.7) == doctest::Approx(std::pow(M_PI / std::sin(0.3 * M_PI), 2)).epsilon(1e-14));
  CHECK(math::polygamma(2.0, 1.5) == doctest::Approx(math::polygamma(2.0, 0.5) + 2 / std::pow(0.5, 3)).epsilon(1e-13));
}
TEST_CASE("polygamma half-way between poles, where most of the sum cancels, and where the sum is too small for a number (mpmath)") {
  const struct {
    double n, x, value;
  } known[] = {{50, -0.5, -3.1799527035658682e+55},  {50, -1.5, -1.542177794502834e+44},  {100, -10.5, -6.9122173544603241e+50},
               {2, -100.5, -9.8027202627197571e-5},  {200, 100, -9.1254246910962227e-28}, {169, 70.5, 3.0190960106638456e-10},
               {300, 150, -3.5125937087598974e-41}};
  for (const auto& k : known) {
    INFO(k.n << " " << k.x);
    CHECK(math::polygamma(k.n, k.x) / k.value == doctest::Approx(1).epsilon(1e-13));
  }
  CHECK(math::polygamma(4.0, 1e100) == 0);
  CHECK(math::polygamma(3.0, 1e100) * 1e300 == doctest::Approx(2).epsilon(1e-14));
  CHECK(math::polygamma(1.0, 1e307) * 1e307 == doctest::Approx(1).epsilon(1e-14));
}
TEST_CASE("extreme arguments end at once") {
  CHECK(math::zeta(1e300, 0.5) == ulp::inf);
  CHECK(math::zeta(1e300, 2.0) == 0);
  CHECK(math::zeta(2.0, 1e300) == doctest::Approx(1e-300));
  CHECK(std::isfinite(math::zeta(2.0, -1e10 - 0.5)));
  CHECK(math::zeta(2.0, -1e-100) * 1e-200 == doctest::Approx(1));
  CHECK(math::polygamma(1.0, -1e-30) * 1e-60 == doctest::Approx(1));
  CHECK(std::isnan(math::polygamma(1e7, 2.0)));
  CHECK(math::polygamma(200.0, 0.1) == -ulp::inf);
}
