// Roots: the square root is correctly rounded, the cube root and the hypotenuse are within an ulp.
#include <algorithm>
#include <cmath>

#include "jacquard/core/math/roots.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::sqrt(2.0) == 1.4142135623730951 && soft::sqrt(0x1p-1074) == 0x1p-537 &&
              soft::cbrt(-27.0) == -3);
static_assert(soft::hypot(3, 4) == 5 && soft::hypot(3e300, 4e300) == 5e300);

TEST_CASE("sqrt is correctly rounded") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = i % 2 == 0 ? ulp::any(random) : std::floor(ulp::binades(0, 53)(random));
    wrong += !ulp::same(soft::sqrt(x), std::sqrt(x));
  }
  for (const double x : {0.0, -0.0, 0x1p-1074, 1 - 0x1p-53, DBL_MAX, ulp::inf, -ulp::inf, ulp::nan})
    wrong += !ulp::same(soft::sqrt(x), std::sqrt(x));
  CHECK(wrong == 0);
}

TEST_CASE("cbrt and hypot") {
  CHECK_ULPS(cbrt, ulp::any, 0.51);
  CHECK_ULPS(cbrt, ulp::binades(-1074, -1000), 0.51);
  for (const double x : {0.0, -0.0, ulp::inf, -ulp::inf, ulp::nan}) CHECK(ulp::same(soft::cbrt(x), x));
  std::mt19937_64 random(2);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    const double x = i % 2 == 0 ? ulp::any(random) : ulp::between(-1, 1)(random);
    const double y = i % 2 == 0 ? ulp::any(random) : ulp::between(-1, 1)(random);
    const long double reference = std::hypot(static_cast<long double>(x), static_cast<long double>(y));
    worst = std::max(worst, ulp::error(soft::hypot(x, y), reference));
  }
  CHECK(worst <= ulp::bound(0.75));
  CHECK(soft::hypot(ulp::nan, -ulp::inf) == ulp::inf);
  CHECK(ulp::same(soft::hypot(ulp::nan, 1), ulp::nan));
  CHECK(soft::hypot(DBL_MAX, DBL_MAX) == ulp::inf);
  CHECK(soft::hypot(0, -0.0) == 0);
}
