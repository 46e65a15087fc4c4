// erf, erfc and erf_inv of lanes: within 4 ulp of long double, and right at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_error_function.hpp>

#include <algorithm>
#include <cmath>

namespace jq = jacquard;
constexpr int width = jq::preferred_lanes;

namespace {
template <class T>
double worst_of(jq::lanes<T, width> (*f)(const jq::lanes<T, width>&), long double (*reference)(long double), double low, double high,
                bool exponential = false) {
  using numbers = jq::lanes<T, width>;
  double r = 0;
  const int steps = 40000;
  for (int n = 0; n < steps; ++n) {
    const double u = low + (high - low) * n / steps;
    const T x = T(exponential ? std::exp(u) : u);
    const long double exact = reference((long double)(x));
    const T ulp = std::nextafter(std::fabs(T(exact)), T(3)) - std::fabs(T(exact));
    r = std::max(r, double(std::fabs((f(numbers(x))[width - 1] - exact) / (long double)(ulp))));
  }
  return r;
}
template <class T>
double worst(double low, double high, bool exponential = false) {
  return worst_of<T>(jq::lanes<T, width>::erf, std::erf, low, high, exponential);
}
template <class T>
double worst_complement(double low, double high, bool exponential = false) {
  return worst_of<T>(jq::lanes<T, width>::erfc, std::erfc, low, high, exponential);
}
}  // namespace

TEST_CASE("erf of lanes is within 4 ulp") {
  CHECK(worst<double>(-7, 7) < 4);
  CHECK(worst<double>(0.8, 1.3) < 4);
  CHECK(worst<double>(-700, 2, true) < 4);
  CHECK(worst<float>(-5, 5) < 4);
  CHECK(worst<float>(-80, 2, true) < 4);
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
TEST_CASE("erfc of lanes is within 4 ulp, where erf is next to 1 too") {
  CHECK(worst_complement<double>(-7, 7) < 4);
  CHECK(worst_complement<double>(0.2, 1.3) < 4);
  CHECK(worst_complement<double>(1.25, 26.5) < 4);
  CHECK(worst_complement<double>(-700, 0, true) < 4);
  CHECK(worst_complement<float>(-5, 9) < 4);
  using numbers = jq::lanes<double, width>;
  const auto erfc = [](double x) { return numbers::erfc(numbers(x))[0]; };
  CHECK(erfc(INFINITY) == 0);
  CHECK(erfc(-INFINITY) == 2);
  CHECK(std::isnan(erfc(NAN)));
  CHECK(erfc(0) == 1);
  CHECK(erfc(2) == doctest::Approx(0.004677734981047266).epsilon(1e-15));
}
TEST_CASE("erf_inv of lanes: within 4 ulp of the scalar function, which is within 2") {
  const auto scalar = [](long double x) -> long double { return jq::math::erf_inv(double(x)); };
  const auto worst_inverse = [&](double low, double high, bool exponential) {
    return worst_of<double>(jq::lanes<double, width>::erf_inv, +scalar, low, high, exponential);
  };
  CHECK(worst_inverse(-0.9999, 0.9999, false) < 4);
  CHECK(worst_inverse(-700, -0.0001, true) < 4);
  using numbers = jq::lanes<double, width>;
  const auto erf_inv = [](double x) { return numbers::erf_inv(numbers(x))[0]; };
  CHECK(erf_inv(1) == INFINITY);
  CHECK(erf_inv(-1) == -INFINITY);
  CHECK(std::isnan(erf_inv(1.5)));
  CHECK(std::isnan(erf_inv(NAN)));
  CHECK(std::signbit(erf_inv(-0.0)));
}
