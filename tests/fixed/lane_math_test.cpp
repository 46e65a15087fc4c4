// Elementary functions of lanes: within 4 ulp of long double, and right at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_math.hpp>

#include "lane_accuracy.hpp"

namespace jq = jacquard;
using namespace lane_accuracy;

TEST_CASE("lane functions are within 4 ulp") {
  CHECK(worst(numbers::sin, [](long double x) { return std::sin(x); }, -1e5, 1e5) < 4);
  CHECK(worst(numbers::cos, [](long double x) { return std::cos(x); }, -1e5, 1e5) < 4);
  CHECK(worst(numbers::sin, [](long double x) { return std::sin(x); }, 1e5, 1e12) < 4);
  CHECK(worst(numbers::cos, [](long double x) { return std::cos(x); }, 1e5, 1e12) < 4);
  CHECK(worst(numbers::sin, [](long double x) { return std::sin(x); }, -700, 3, true) < 4);
  CHECK(worst(numbers::sin, [](long double x) { return std::sin(x); }, -4, 4) < 4);
  CHECK(worst(numbers::cos, [](long double x) { return std::cos(x); }, -4, 4) < 4);
}
TEST_CASE("tan and atan2 of lanes are within 4 ulp") {
  CHECK(worst(numbers::tan, [](long double x) { return std::tan(x); }, -1e5, 1e5) < 4);
  CHECK(worst(numbers::tan, [](long double x) { return std::tan(x); }, -2, 2) < 4);
  CHECK(worst(numbers::tan, [](long double x) { return std::tan(x); }, 1e5, 1e12) < 4);
  for (const auto& [low, high] : {std::pair{-1.0, 1.0}, {-700.0, 700.0}, {-40.0, 0.0}})
    for (double other : {1.0, -1.0, 3e-5, 1e300, -1e-300}) {
      const numbers fixed(other);
      const bool wide = high > 1;
      CHECK(worst([&](const numbers& y) { return numbers::atan2(y, fixed); },
                  [&](long double y) { return std::atan2(y, (long double)(other)); }, low, high, wide) < 4);
      CHECK(worst([&](const numbers& x) { return numbers::atan2(fixed, x); },
                  [&](long double x) { return std::atan2((long double)(other), x); }, low, high, wide) < 4);
    }
}
TEST_CASE("atan2 and tan of lanes at special values") {
  const double pi = 3.14159265358979323846;
  const auto angle = [](double y, double x) { return numbers::atan2(numbers(y), numbers(x))[0]; };
  for (double y : {0.0, -0.0, 1.0, -1.0, inf, -inf, 5e-324, 1.7e308})
    for (double x : {0.0, -0.0, 1.0, -1.0, inf, -inf, 5e-324, -1.7e308}) {
      INFO(y, " ", x);
      CHECK(distance(angle(y, x), std::atan2((long double)(y), (long double)(x))) < 4);
      CHECK(std::signbit(angle(y, x)) == std::signbit(y));
    }
  CHECK(angle(0, -0.0) == pi);
  CHECK(std::isnan(angle(no_number, 1)));
  CHECK(std::isnan(angle(1, no_number)));
  CHECK((special(numbers::tan, inf, no_number) && special(numbers::tan, 0, 0) && special(numbers::tan, no_number, no_number)));
}
TEST_CASE("roundings and magnitudes of lanes are exact") {
  for (double x : {0.0, 0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370495.5, 4503599627370497.0, 1e300, inf, 3.7})
    for (double s : {1.0, -1.0}) {
      const double v = s * x;
      INFO(v);
      CHECK((special(numbers::floor, v, std::floor(v)) && special(numbers::ceil, v, std::ceil(v))));
      CHECK((special(numbers::round, v, std::round(v)) && special(numbers::round_even, v, std::nearbyint(v))));
      CHECK(special(numbers::abs, v, std::fabs(v)));
      CHECK(std::signbit(numbers::floor(numbers(v))[0]) == std::signbit(std::floor(v)));
      CHECK(std::signbit(numbers::ceil(numbers(v))[0]) == std::signbit(std::ceil(v)));
    }
  CHECK(special(numbers::floor, no_number, no_number));
  using narrow = jq::lanes<float, width>;
  CHECK(narrow::abs(narrow(-2.5f))[0] == 2.5f);
  CHECK(narrow::floor(narrow(-2.5f))[0] == -3);
}
TEST_CASE("lane functions at special values") {
  CHECK((special(numbers::sin, inf, no_number) && special(numbers::cos, no_number, no_number) && special(numbers::cos, 0, 1)));
}
TEST_CASE("sin and cos of lanes of floats are within 4 ulp") {
  using floats = jq::lanes<float, width>;
  CHECK(worst<floats>(floats::sin, [](long double x) { return std::sin(x); }, -4, 4) < 4);
  CHECK(worst<floats>(floats::cos, [](long double x) { return std::cos(x); }, -4, 4) < 4);
  CHECK(worst<floats>(floats::sin, [](long double x) { return std::sin(x); }, -1e5, 1e5) < 4);
  CHECK(worst<floats>(floats::cos, [](long double x) { return std::cos(x); }, -1e5, 1e12) < 4);
  CHECK(worst<floats>(floats::sin, [](long double x) { return std::sin(x); }, -80, 0, true) < 4);
  CHECK((special<floats>(floats::sin, inf, no_number) && special<floats>(floats::cos, no_number, no_number) && special<floats>(floats::cos, 0, 1)));
}
TEST_CASE("other functions of lanes of floats compute in double") {
  using narrow = jq::lanes<float, width>;
  for (float x : {-3.f, 0.1f, 2.5f}) CHECK(narrow::tan(narrow(x))[0] == float(std::tan(double(x))));
  for (float x : {-3.f, 0.1f, 2.5f}) CHECK(narrow::atan2(narrow(x), narrow(2.f))[0] == float(std::atan2(double(x), 2.0)));
}
TEST_CASE("angles of lanes are within 4 ulp") {
  CHECK(worst(numbers::asin, [](long double x) { return std::asin(x); }, -1, 1) < 4);
  CHECK(worst(numbers::asin, [](long double x) { return std::asin(x); }, -700, 0, true) < 4);
  CHECK(worst(numbers::acos, [](long double x) { return std::acos(x); }, -1, 1) < 4);
  CHECK(worst(numbers::acos, [](long double x) { return std::acos(x); }, -1e-6, 0, true) < 4);
  CHECK(worst(numbers::atan, [](long double x) { return std::atan(x); }, -3, 3) < 4);
  CHECK(worst(numbers::atan, [](long double x) { return std::atan(x); }, -700, 700, true) < 4);
  CHECK((special(numbers::asin, 2, no_number) && special(numbers::acos, -2, no_number) && special(numbers::asin, no_number, no_number)));
  CHECK((special(numbers::asin, 1, std::asin(1.0)) && special(numbers::acos, 1, 0) && special(numbers::atan, inf, std::atan(inf))));
  CHECK(std::signbit(numbers::asin(numbers(-0.0))[0]));
}
TEST_CASE("whole numbers of lanes shift and count by their width") {
  using whole = jq::lanes<std::int32_t, width>;
  CHECK(whole::shift_left(whole(3), whole(4))[0] == 48);
  CHECK(whole::shift_left(whole(3), whole(32))[0] == 0);
  CHECK(whole::shift_right_logical(whole(-1), whole(28))[0] == 15);
  CHECK(whole::shift_right_arithmetic(whole(-64), whole(40))[0] == -1);
  CHECK(whole::population_count(whole(-1))[0] == 32);
  CHECK(whole::clz(whole(1))[0] == 31);
}
