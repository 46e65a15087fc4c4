// sin, cos and tan for arguments of every size, also next to multiples of pi/2, where the reduction is
// hardest.
#include "jacquard/core/math/trigonometric.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::sin(1.0) == 0.8414709848078965 && soft::cos(1.0) == 0.5403023058681398);
// The classic examples of hard reductions: 10^22 and the double next to a multiple of pi/2 (Ng 1992; Muller
// 2006).
static_assert(soft::sin(1e22) == -0.8522008497671888 &&
              soft::cos(6381956970095103 * 0x1p797) == -4.6871659242546276e-19);

TEST_CASE("below 0.9 ulp for arguments of every size") {
  CHECK_ULPS(sin, ulp::between(-10, 10), 0.8);
  CHECK_ULPS(sin, ulp::binades(-1074, 30), 0.8);
  CHECK_ULPS(sin, ulp::between(1.5e6, 1.7e6), 0.8);
  CHECK_ULPS(sin, ulp::any, 0.8);
  CHECK_ULPS(cos, ulp::between(-10, 10), 0.8);
  CHECK_ULPS(cos, ulp::binades(-1074, 30), 0.8);
  CHECK_ULPS(cos, ulp::any, 0.8);
  CHECK_ULPS(tan, ulp::between(-10, 10), 0.95);
  CHECK_ULPS(tan, ulp::binades(-1074, 30), 0.95);
  CHECK_ULPS(tan, ulp::any, 0.95);
}

TEST_CASE("next to multiples of pi/2") {
  const auto multiple = [](auto& random) {
    const auto n = static_cast<double>(random() >> (19 + random() % 44));
    return static_cast<double>(static_cast<long double>(n) * 1.57079632679489661923132169163975144L);
  };
  CHECK_ULPS(sin, multiple, 0.8);
  CHECK_ULPS(cos, multiple, 0.8);
  CHECK_ULPS(tan, multiple, 0.95);
}

TEST_CASE("special values are those of <cmath>") {
  for (const double x : {0.0, -0.0, 0x1p-1074, -0x1p-1074, ulp::inf, -ulp::inf, ulp::nan}) {
    CAPTURE(x);
    CHECK(ulp::agrees(soft::sin(x), std::sin(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::cos(x), std::cos(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::tan(x), std::tan(static_cast<long double>(x))));
  }
}
