// Rounding and the remainder: bit for bit what <cmath> gives.
#include "jacquard/core/math/rounding.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::trunc(-1.75) == -1 && soft::floor(-1.25) == -2 && soft::ceil(1.25) == 2);
static_assert(soft::round(2.5) == 3 && soft::round(-2.5) == -3 && soft::round(0.49999999999999994) == 0);
static_assert(soft::round_even(2.5) == 2 && soft::round_even(3.5) == 4 && soft::round_even(-0.5) == 0);
static_assert(soft::fmod(-7.5, 2) == -1.5 && soft::fmod(1e300, 7) == 1 && soft::fmod(5, 0x1p-1074) == 0);

TEST_CASE("rounding equals <cmath> bit for bit") {
  std::mt19937_64 random(1);
  int wrong = 0;
  const auto check = [&](double x) {
    wrong += !ulp::same(soft::trunc(x), std::trunc(x)) + !ulp::same(soft::floor(x), std::floor(x)) +
             !ulp::same(soft::ceil(x), std::ceil(x)) + !ulp::same(soft::round(x), std::round(x)) +
             !ulp::same(soft::round_even(x), std::nearbyint(x));
  };
  for (int i = 0; i < 50000; ++i) {
    check(ulp::any(random));
    check(ulp::between(-100, 100)(random));
    check(std::floor(ulp::between(-100, 100)(random)) * 0.5);
    check(ulp::binades(-2, 54)(random));
  }
  for (const double x : {0.0, -0.0, 0x1p52, 0x1p52 - 0.5, -0x1p51 - 0.5, ulp::inf, -ulp::inf, ulp::nan})
    check(x);
  CHECK(wrong == 0);
}

TEST_CASE("the remainder is exact") {
  std::mt19937_64 random(2);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = ulp::any(random);
    const double y = i % 2 == 0 ? ulp::any(random) : ulp::between(-10, 10)(random);
    wrong += !ulp::same(soft::fmod(x, y), std::fmod(x, y));
  }
  for (const double x : {0.0, -0.0, 1.0, -3.0, 0x1p-1074, ulp::inf, ulp::nan})
    for (const double y : {0.0, 1.0, -1.5, 0x1p-1074, ulp::inf, ulp::nan})
      wrong += !ulp::same(soft::fmod(x, y), std::fmod(x, y));
  CHECK(wrong == 0);
}
