// erf and erfc against long double <cmath>; erf_inv against a long double Newton iteration on them.
#include "jacquard/core/math/error_function.hpp"

#include <doctest/doctest.h>

#include "erf_inv_reference.hpp"

namespace soft = jacquard::math::soft;

static_assert(soft::erf(0.5) == 0.5204998778130465 && soft::erfc(10.0) == 2.088487583762545e-45);
static_assert(soft::erf_inv(0.5) == 0.4769362762044699 && soft::erf_inv(1.0) > DBL_MAX &&
              soft::erf_inv(0.0) == 0);
// The last double below 1: 5.86358474875516792720766... in 200-bit arithmetic.
static_assert(soft::erf_inv(1 - 0x1p-53) == 5.8635847487551676);

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
  CHECK(ulp::largest(f, ulp::erf_inv_reference, ulp::between(-1, 1)) <= ulp::bound(2.2));
  CHECK(ulp::largest(f, ulp::erf_inv_reference, next_to_one) <= ulp::bound(2.2));
  CHECK(ulp::largest(f, ulp::erf_inv_reference, ulp::binades(-1022, -1)) <= ulp::bound(2.2));
}
TEST_CASE("erf_inv of many numbers is that of each, whatever the processor takes at once") {
  std::vector<double> x;
  for (int i = 0; i < 1003; ++i) x.push_back(i % 50 == 0 ? (i % 100 - 50) / 50.0 : i % 7 == 0 ? 1 - std::pow(0.5, i % 53) : std::sin(double(i)));
  x[3] = 1.5, x[5] = ulp::nan, x[6] = 1e-300, x[8] = -0.0, x[9] = 1e-310;
  const auto check = [&]<class T>(T, auto function) {
    std::vector<T> given(x.begin(), x.end()), y(x.size());
    function(given.data(), y.data(), std::int64_t(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(ulp::same(y[i], static_cast<T>(soft::erf_inv(double(given[i])))));
    function(given.data(), given.data(), std::int64_t(x.size()));  // in its place
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(ulp::same(y[i], given[i]));
  };
  const auto each_type = [&](auto function) { check(1.0, function), check(1.0f, function); };
  each_type([](auto* a, auto* b, std::int64_t n) { soft::erf_inv(a, b, n); });
  each_type([](auto* a, auto* b, std::int64_t n) { soft::erf_inv_by_vectors<2>(a, b, n); });
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
