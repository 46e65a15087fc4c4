// Double-double arithmetic: error-free where it says so, and about 100 bits elsewhere.
#include <algorithm>
#include <cmath>

#include "jacquard/core/math/double_double.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

using namespace jacquard::math::soft;

static_assert(two_sum(1, 0x1p-80).hi == 1 && two_sum(1, 0x1p-80).lo == 0x1p-80);
static_assert(two_product(0x1.0000001p0, 0x1.0000001p0).lo == 0x1p-56);
static_assert((double_double(1) / double_double(3) * double_double(3) - double_double(1)).value() < 0x1p-100);

TEST_CASE("sums and products are exact") {
  std::mt19937_64 random(3);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const double a = ulp::binades(-60, 60)(random);
    const double b = ulp::binades(-60, 60)(random);
    const double_double product = two_product(a, b);
    wrong += product.hi != a * b || product.lo != std::fma(a, b, -product.hi);
    const double_double sum = two_sum(a, b);
    wrong += sum.hi != a + b || sum.hi - a - (sum.hi - a) != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a quotient times its divisor gives the dividend back to 100 bits") {
  std::mt19937_64 random(4);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double_double a = two_sum(ulp::binades(0, 10)(random), ulp::binades(-60, -54)(random));
    const double_double b = two_sum(ulp::binades(0, 10)(random), ulp::binades(-60, -54)(random));
    worst = std::max(worst, std::fabs((a / b * b - a).value() / a.hi));
  }
  CHECK(worst < 0x1p-100);
}

TEST_CASE("a scaled number rounds once") {
  CHECK(scaled_double_double{{1.5, 0x1p-60}, 10}.value() == 1536);
  CHECK(scaled_double_double{{1.0, 0.0}, 2000}.value() == ulp::inf);
  CHECK(scaled_double_double{{1.0, 0.0}, -1074}.value() == 0x1p-1074);
}
