// The angles against long double <cmath>, and the table of C F.10.1.4 for atan2.
#include "jacquard/core/math/inverse_trigonometric.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

#include <algorithm>

namespace soft = jacquard::math::soft;

static_assert(soft::atan(1.0) == 0.7853981633974483 && soft::asin(0.5) == 0.5235987755982989);
static_assert(soft::acos(-1.0) == 3.141592653589793 && soft::atan2(1.0, -1.0) == 2.356194490192345);

TEST_CASE("within 0.51 ulp") {
  CHECK_ULPS(asin, ulp::between(-1, 1), 0.51);
  CHECK_ULPS(asin, ulp::binades(-1074, 0), 0.51);
  CHECK_ULPS(acos, ulp::between(-1, 1), 0.51);
  CHECK_ULPS(acos, ulp::binades(-1074, 0), 0.51);
  CHECK_ULPS(atan, ulp::between(-2, 2), 0.51);
  CHECK_ULPS(atan, ulp::any, 0.51);
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    const auto sample = [&] {
      if (i % 3 == 0) return ulp::any(random);
      return i % 3 == 1 ? ulp::binades(-60, 60)(random) : ulp::between(-1, 1)(random);
    };
    const double x = sample();
    const double y = sample();
    const long double reference = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    worst = std::max(worst, ulp::error(soft::atan2(y, x), reference));
  }
  CHECK(worst <= ulp::bound(0.51));
}

TEST_CASE("special values are those of <cmath>") {
  const double values[] = {0.0,       -0.0,       1.0,     -1.0,     1.5,       -1.5,
                           0x1p-1074, -0x1p-1074, DBL_MAX, ulp::inf, -ulp::inf, ulp::nan};
  for (const double x : values) {
    CAPTURE(x);
    CHECK(ulp::agrees(soft::asin(x), std::asin(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::acos(x), std::acos(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::atan(x), std::atan(static_cast<long double>(x))));
    for (const double y : values) {
      CAPTURE(y);
      CHECK(ulp::same(soft::atan2(y, x), std::atan2(y, x)));
    }
  }
}
