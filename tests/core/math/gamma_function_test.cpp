// lgamma against long double <cmath>, digamma against a long double asymptotic series; absolutely near their
// zeros on the negative axis.
#include "jacquard/core/math/gamma_function.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

#include <algorithm>

namespace soft = jacquard::math::soft;

static_assert(soft::lgamma(0.5) == 0.5723649429247001 && soft::lgamma(1.0) == 0 && soft::lgamma(2.0) == 0);
static_assert(soft::digamma(1.0) == -0.5772156649015329 && soft::digamma(-1.0) != soft::digamma(-1.0));
static_assert(soft::lgamma(1e308) > DBL_MAX && soft::lgamma(-3.0) > DBL_MAX);

namespace {

long double digamma_reference(long double x) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  if (x < 0) {
    const long double fraction = x - std::round(x);
    return digamma_reference(1 - x) - pi * std::cos(pi * fraction) / std::sin(pi * fraction);
  }
  long double sum = 0;
  for (; x < 40; x += 1) sum -= 1 / x;
  const long double s = 1 / (x * x);
  return sum + std::log(x) - 0.5L / x -
         s * (1.0L / 12 - s * (1.0L / 120 - s * (1.0L / 252 - s * (1.0L / 240 - s * (1.0L / 132)))));
}

// The largest error, in ulps where the value is above 1 and in units of 2^-53 below.
template <class F, class Reference>
double largest_absolute(F f, Reference reference, double low, double high) {
  std::mt19937_64 random(5);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = ulp::between(low, high)(random);
    const long double expected = reference(static_cast<long double>(x));
    const auto unit = std::max(1.0L, std::fabs(expected)) * 0x1p-53L;
    worst = std::max(worst, static_cast<double>(std::fabs(f(x) - expected) / unit));
  }
  return worst;
}

const auto lgamma_soft = [](double x) { return soft::lgamma(x); };
const auto lgamma_reference = [](long double x) { return std::lgamma(x); };
const auto digamma_soft = [](double x) { return soft::digamma(x); };

}  // namespace

TEST_CASE("lgamma of positive numbers is within 1.5 ulp, near its zeros too") {
  CHECK_ULPS(lgamma, ulp::between(0, 3), 0.8);
  CHECK_ULPS(lgamma, ulp::between(0.9, 1.1), 0.8);
  CHECK_ULPS(lgamma, ulp::between(1.9, 2.1), 0.8);
  CHECK_ULPS(lgamma, ulp::between(0, 30), 0.8);
  CHECK_ULPS(lgamma, ulp::any_positive, 1.5);
  CHECK_ULPS(lgamma, ulp::binades(-1000, -10), 0.6);
}

TEST_CASE("lgamma of negative numbers") {
  CHECK(largest_absolute(lgamma_soft, lgamma_reference, -2, 0) <= ulp::bound(1.5));
  CHECK(largest_absolute(lgamma_soft, lgamma_reference, -150, -2) <= ulp::bound(1.5));
}

TEST_CASE("digamma") {
  CHECK(largest_absolute(digamma_soft, digamma_reference, 0, 3) <= ulp::bound(2));
  CHECK(largest_absolute(digamma_soft, digamma_reference, 1.4, 1.5) <= ulp::bound(2));
  CHECK(largest_absolute(digamma_soft, digamma_reference, 3, 1e4) <= ulp::bound(2));
  CHECK(largest_absolute(digamma_soft, digamma_reference, -20, 0) <= ulp::bound(3));
  // The zero lies at 1.46163214496836234126265954232572132847 (OEIS A030169).
  CHECK(soft::digamma(1.4616321449683622) == doctest::Approx(-9.241e-17).epsilon(1e-3));
}

TEST_CASE("special values") {
  CHECK(soft::lgamma(0) == ulp::inf);
  CHECK(soft::lgamma(-0.0) == ulp::inf);
  CHECK(soft::lgamma(ulp::inf) == ulp::inf);
  CHECK(soft::lgamma(-ulp::inf) == ulp::inf);
  CHECK(ulp::same(soft::lgamma(ulp::nan), ulp::nan));
  CHECK(soft::lgamma(0x1p-1074) == std::lgamma(0x1p-1074));
  CHECK(ulp::same(soft::digamma(0), ulp::nan));
  CHECK(ulp::same(soft::digamma(-7), ulp::nan));
  CHECK(ulp::same(soft::digamma(-ulp::inf), ulp::nan));
  CHECK(soft::digamma(ulp::inf) == ulp::inf);
  CHECK(soft::digamma(0x1p-1074) == -ulp::inf);
  CHECK(soft::digamma(1e300) == doctest::Approx(std::log(1e300)).epsilon(1e-15));
}
