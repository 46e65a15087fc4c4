// pow: accuracy where the exponent of the result is large, and the table of C F.10.4.4.
#include "jacquard/core/math/power.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

#include <algorithm>

namespace soft = jacquard::math::soft;

static_assert(soft::pow(10, -2) == 0.01 && soft::pow(2, 0.5) == 1.4142135623730951 && soft::pow(-2, 3) == -8);
static_assert(soft::pow(10, 400) > DBL_MAX && soft::pow(0.0, -1) > DBL_MAX && soft::pow(10, -400) == 0);

TEST_CASE("pow over its whole range") {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    const double x = i % 2 == 0 ? ulp::any_positive(random) : ulp::between(0.5, 2)(random);
    const double y = ulp::between(-700, 709)(random) / std::log(x);
    const long double reference = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    worst = std::max(worst, ulp::error(soft::pow(x, y), reference));
  }
  CHECK(worst <= ulp::bound(0.7));
}

TEST_CASE("special values are those of <cmath>") {
  const double values[] = {0.0,    -0.0,      0.5,      -0.5,      1.0,     -1.0,       2.0,
                           -2.0,   3.0,       -3.0,     2.5,       0x1p53,  0x1p53 + 2, 1e300,
                           -1e300, 0x1p-1074, ulp::inf, -ulp::inf, ulp::nan};
  int wrong = 0;
  for (const double x : values)
    for (const double y : values) wrong += !ulp::same(soft::pow(x, y), std::pow(x, y));
  CHECK(wrong == 0);
}
