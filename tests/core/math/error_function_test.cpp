// erf and erfc against long double <cmath>; erf_inv against a long double Newton iteration on them.
#include "jacquard/core/math/error_function.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::erf(0.5) == 0.5204998778130465 && soft::erfc(10.0) == 2.088487583762545e-45);
static_assert(soft::erf_inv(0.5) == 0.4769362762044699 && soft::erf_inv(1.0) > DBL_MAX &&
              soft::erf_inv(0.0) == 0);
// The last double below 1: 5.86358474875516792720766... in 200-bit arithmetic.
static_assert(soft::erf_inv(1 - 0x1p-53) == 5.8635847487551676);

namespace {

long double erf_inv_reference(long double x) {
  long double y = soft::erf_inv(static_cast<double>(x));
  if (x == 0 || std::isinf(y)) return y;
  for (int i = 0; i < 3; ++i) {
    long double excess = std::erf(y) - x;
    if (x > 0.5L) excess = (1 - x) - std::erfc(y);
    if (x < -0.5L) excess = std::erfc(-y) - (1 + x);
    y -= excess * 0.886226925452758013649083741670572591L * std::exp(y * y);
  }
  return y;
}

}  // namespace

TEST_CASE("erf and erfc stay below 0.8 ulp, far into the tail") {
  CHECK_ULPS(erf, ulp::between(-6.5, 6.5), 0.8);
  CHECK_ULPS(erf, ulp::between(-1, 1), 0.8);
  CHECK_ULPS(erf, ulp::binades(-1074, 3), 0.8);
  CHECK_ULPS(erfc, ulp::between(-6.5, 26), 0.8);
  CHECK_ULPS(erfc, ulp::between(26, 28), 1);
  CHECK_ULPS(erfc, ulp::between(-1, 1), 0.8);
}

TEST_CASE("erf_inv is within 2.2 ulp") {
  const auto f = [](double x) { return soft::erf_inv(x); };
  const auto next_to_one = [](auto& random) { return 1 - std::fabs(ulp::binades(-53, -1)(random)); };
  CHECK(ulp::largest(f, erf_inv_reference, ulp::between(-1, 1)) <= ulp::bound(2.2));
  CHECK(ulp::largest(f, erf_inv_reference, next_to_one) <= ulp::bound(2.2));
  CHECK(ulp::largest(f, erf_inv_reference, ulp::binades(-1022, -1)) <= ulp::bound(2.2));
}

TEST_CASE("special values") {
  for (const double x :
       {0.0, -0.0, 0x1p-1074, -0x1p-1074, 7.0, -7.0, 30.0, -30.0, ulp::inf, -ulp::inf, ulp::nan}) {
    CAPTURE(x);
    CHECK(ulp::agrees(soft::erf(x), std::erf(static_cast<long double>(x))));
    CHECK(ulp::agrees(soft::erfc(x), std::erfc(static_cast<long double>(x))));
  }
  CHECK(ulp::same(soft::erf_inv(-0.0), -0.0));
  CHECK(soft::erf_inv(-1) == -ulp::inf);
  for (const double x : {1.5, -1.5, ulp::inf, ulp::nan}) CHECK(ulp::same(soft::erf_inv(x), ulp::nan));
}
