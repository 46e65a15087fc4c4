// erf of lanes: within 4 ulp of long double, and right at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_error_function.hpp>

#include <algorithm>
#include <cmath>

namespace jq = jacquard;
constexpr int width = jq::preferred_lanes;

namespace {
template <class T>
double worst(double low, double high, bool exponential = false) {
  using numbers = jq::lanes<T, width>;
  double r = 0;
  const int steps = 40000;
  for (int n = 0; n < steps; ++n) {
    const double u = low + (high - low) * n / steps;
    const T x = T(exponential ? std::exp(u) : u);
    const long double exact = std::erf((long double)(x));
    const T ulp = std::nextafter(std::fabs(T(exact)), T(2)) - std::fabs(T(exact));
    r = std::max(r, double(std::fabs((numbers::erf(numbers(x))[width - 1] - exact) / (long double)(ulp))));
  }
  return r;
}
}  // namespace

TEST_CASE("erf of lanes is within 4 ulp") {
  CHECK(worst<double>(-7, 7) < 4);
  CHECK(worst<double>(0.8, 1.3) < 4);
  CHECK(worst<double>(-700, 2, true) < 4);
  CHECK(worst<float>(-5, 5) < 4);
}
TEST_CASE("erf of lanes at special values") {
  using numbers = jq::lanes<double, width>;
  const auto erf = [](double x) { return numbers::erf(numbers(x))[0]; };
  CHECK(erf(INFINITY) == 1);
  CHECK(erf(-INFINITY) == -1);
  CHECK(std::isnan(erf(NAN)));
  CHECK(erf(0.0) == 0);
  CHECK(std::signbit(erf(-0.0)));
  CHECK(erf(1e300) == 1);
  CHECK(erf(0.5) == doctest::Approx(0.5204998778130465).epsilon(1e-15));  // Abramowitz and Stegun, table 7.1
}
