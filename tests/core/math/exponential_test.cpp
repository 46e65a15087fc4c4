// exp, log and their relatives against long double <cmath>, and their special values.
#include "jacquard/core/math/exponential.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::exp(1.0) == 2.718281828459045 && soft::exp(-745.0) == 0x1p-1074 &&
              soft::exp(1e300) > DBL_MAX);
static_assert(soft::exp2(-1074.0) == 0x1p-1074 && soft::exp2(1023.0) == 0x1p1023 &&
              soft::expm1(1e-20) == 1e-20);
static_assert(soft::log(10.0) == 2.302585092994046 && soft::log2(0x1p-1074) == -1074 &&
              soft::log1p(1e-20) == 1e-20);
static_assert(soft::log(0.0) < -DBL_MAX && soft::log(-1.0) != soft::log(-1.0));

TEST_CASE("exponentials stay within 0.75 ulp, subnormal results included") {
  CHECK_ULPS(exp, ulp::between(-708, 710), 0.56);
  CHECK_ULPS(exp, ulp::between(-746, -708), 0.76);
  CHECK_ULPS(exp, ulp::binades(-60, 5), 0.56);
  CHECK_ULPS(exp2, ulp::between(-1022, 1024), 0.56);
  CHECK_ULPS(exp2, ulp::between(-1080, -1022), 0.76);
  CHECK_ULPS(expm1, ulp::between(-45, 50), 0.7);
  CHECK_ULPS(expm1, ulp::binades(-1074, 9), 0.7);
}

TEST_CASE("logarithms are within 0.51 ulp") {
  CHECK_ULPS(log, ulp::any_positive, 0.51);
  CHECK_ULPS(log, ulp::between(0.99, 1.01), 0.51);
  CHECK_ULPS(log2, ulp::any_positive, 0.51);
  CHECK_ULPS(log2, ulp::between(0.99, 1.01), 0.51);
  CHECK_ULPS(log10, ulp::any_positive, 0.51);
  CHECK_ULPS(log10, ulp::between(0.99, 1.01), 0.51);
  CHECK_ULPS(log1p, ulp::between(-1, 2), 0.51);
  CHECK_ULPS(log1p, ulp::binades(-1074, 1024), 0.51);
  bool exact = true;
  for (int k = -1022; k < 1024; ++k) exact = exact && soft::log2(std::ldexp(1.0, k)) == k;
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) exact = exact && soft::log10(power) == k;
  CHECK(exact);
}

TEST_CASE("special values are those of <cmath>") {
  for (const double x : {0.0, -0.0, 1.0, -1.0, -2.0, 0x1p-1074, -0x1p-1074, 1e4, -1e4, DBL_MAX, ulp::inf,
                         -ulp::inf, ulp::nan}) {
    CAPTURE(x);
    CHECK(ulp::agrees(soft::exp(x), std::exp(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::exp2(x), std::exp2(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::expm1(x), std::expm1(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::log(x), std::log(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::log2(x), std::log2(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::log10(x), std::log10(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::log1p(x), std::log1p(static_cast<long double>(x))));
  }
}
