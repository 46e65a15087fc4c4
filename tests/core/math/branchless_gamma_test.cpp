// lgamma, digamma and trigamma without conditions, of plain numbers, against those with conditions.
#include "jacquard/core/math/branchless_gamma.hpp"

#include "jacquard/core/math/zeta_function.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace {

/// The largest error against the functions with conditions, which are within 1.5 ulp, in ulps where the value is above one and in units of 2^-53 below.
template <class F, class Exact, class Draw>
double largest_error(F f, Exact exact, Draw draw) {
  std::mt19937_64 random(6);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = draw(random), want = exact(x);
    worst = std::max(worst, std::fabs(f(x) - want) / (std::max(1.0, std::fabs(want)) * 0x1p-53));
  }
  return worst;
}

}  // namespace

TEST_CASE("branchless lgamma is within 5 ulp, near its zeros absolutely below zero") {
  const auto f = [](double x) { return jacquard::math::branchless::lgamma(x); };
  const auto exact = [](double x) { return jacquard::math::soft::lgamma(x); };
  const auto reference = [](long double x) { return static_cast<long double>(jacquard::math::soft::lgamma(static_cast<double>(x))); };
  CHECK(ulp::largest(f, reference, ulp::between(0, 3)) <= ulp::bound(5));
  CHECK(ulp::largest(f, reference, ulp::between(0.9, 1.1)) <= ulp::bound(5));
  CHECK(ulp::largest(f, reference, ulp::between(1.9, 2.3)) <= ulp::bound(5));
  CHECK(ulp::largest(f, reference, ulp::between(0, 30)) <= ulp::bound(5));
  CHECK(ulp::largest(f, reference, ulp::any_positive) <= ulp::bound(5));
  CHECK(ulp::largest(f, reference, ulp::binades(-1000, -10)) <= ulp::bound(5));
  CHECK(largest_error(f, exact, ulp::between(-30, 0)) <= 20);
  CHECK(largest_error(f, exact, ulp::between(-1e9, -1e8)) <= 5);
  for (const double x : {0.0, -0.0, -1.0, -2.0, -1e15, -1e300, -DBL_MAX, ulp::inf, -ulp::inf}) CHECK(f(x) == ulp::inf);
  CHECK(ulp::same(f(ulp::nan), ulp::nan));
  CHECK(f(1) == 0);
  CHECK(f(2) == 0);
  CHECK(f(DBL_MAX) == ulp::inf);
  for (const double x : {0x1p-1074, -0x1p-1074, 0x1p-1000, -0x1p-1000, -1e-20, 2.5e305}) CHECK(std::fabs(f(x) / exact(x) - 1) < 1e-15);
}
TEST_CASE("branchless digamma is within 6 ulp, absolutely below zero") {
  const auto f = [](double x) { return jacquard::math::branchless::digamma(x); };
  const auto exact = [](double x) { return jacquard::math::soft::digamma(x); };
  const auto reference = [](long double x) { return static_cast<long double>(jacquard::math::soft::digamma(static_cast<double>(x))); };
  CHECK(ulp::largest(f, reference, ulp::between(0, 3)) <= ulp::bound(6));
  CHECK(ulp::largest(f, reference, ulp::between(1.4, 1.5)) <= ulp::bound(6));
  CHECK(ulp::largest(f, reference, ulp::between(0, 30)) <= ulp::bound(6));
  CHECK(ulp::largest(f, reference, ulp::any_positive) <= ulp::bound(6));
  CHECK(largest_error(f, exact, ulp::between(-30, 0)) <= 40);
  for (const double x : {0.0, -0.0, -1.0, -2.0, -1e15, -ulp::inf, ulp::nan}) CHECK(ulp::same(f(x), ulp::nan));
  CHECK(f(ulp::inf) == ulp::inf);
  CHECK(f(0x1p-1074) == -ulp::inf);
  CHECK(std::fabs(f(-0x1p-1000) * 0x1p-1000 - 1) < 1e-15);
}
TEST_CASE("branchless trigamma is within 6 ulp, absolutely below zero") {
  const auto f = [](double x) { return jacquard::math::branchless::trigamma(x); };
  const auto exact = [](double x) { return jacquard::math::soft::polygamma(1, x); };
  const auto reference = [=](long double x) { return static_cast<long double>(exact(static_cast<double>(x))); };
  CHECK(ulp::largest(f, reference, ulp::between(0, 3)) <= ulp::bound(6));
  CHECK(ulp::largest(f, reference, ulp::between(0, 30)) <= ulp::bound(6));
  CHECK(ulp::largest(f, reference, ulp::between(1e3, 1e6)) <= ulp::bound(6));
  CHECK(largest_error(f, exact, ulp::between(-30, 0)) <= 40);
  for (const double x : {0.0, -1.0, -2.0, -1e15, -ulp::inf, ulp::inf, ulp::nan, 1e-200, 1e-100, -1e-100, 1e100}) CHECK(ulp::error(f(x), exact(x)) <= ulp::bound(6));
}
