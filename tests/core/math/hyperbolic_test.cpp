// The hyperbolic functions and their inverses against long double <cmath>, and their special values.
#include "jacquard/core/math/hyperbolic.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::sinh(1.0) == 1.1752011936438014 && soft::cosh(0.0) == 1 && soft::tanh(100.0) == 1);
static_assert(soft::sinh(710.4) < DBL_MAX && soft::sinh(711.0) > DBL_MAX && soft::atanh(1.0) > DBL_MAX);
static_assert(soft::asinh(1.0) == 0.881373587019543 && soft::acosh(1.0) == 0 && soft::acosh(DBL_MAX) < 711);

TEST_CASE("below 0.65 ulp") {
  CHECK_ULPS(sinh, ulp::between(-710.4, 710.4), 0.65);
  CHECK_ULPS(sinh, ulp::binades(-1074, 5), 0.65);
  CHECK_ULPS(cosh, ulp::between(-710.4, 710.4), 0.65);
  CHECK_ULPS(cosh, ulp::binades(-1074, 5), 0.65);
  CHECK_ULPS(tanh, ulp::between(-3, 3), 0.65);
  CHECK_ULPS(tanh, ulp::binades(-1074, 5), 0.65);
  CHECK_ULPS(asinh, ulp::between(-3, 3), 0.51);
  CHECK_ULPS(asinh, ulp::any, 0.51);
  CHECK_ULPS(acosh, ulp::between(1, 3), 0.51);
  CHECK_ULPS(acosh, ulp::any_positive, 0.51);
  CHECK_ULPS(atanh, ulp::between(-1, 1), 0.51);
  CHECK_ULPS(atanh, ulp::binades(-1074, 0), 0.51);
}

TEST_CASE("special values are those of <cmath>") {
  for (const double x :
       {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 0x1p-1074, 800.0, -800.0, ulp::inf, -ulp::inf, ulp::nan}) {
    CAPTURE(x);
    CHECK(ulp::agrees(soft::sinh(x), std::sinh(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::cosh(x), std::cosh(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::tanh(x), std::tanh(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::asinh(x), std::asinh(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::acosh(x), std::acosh(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::atanh(x), std::atanh(static_cast<long double>(x))));
  }
}
