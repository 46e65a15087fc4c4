// Powers of two and hyperbolic functions of lanes: within 4 ulp of long double, and right at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_hyperbolic.hpp>

#include "lane_accuracy.hpp"

namespace jq = jacquard;
using namespace lane_accuracy;

TEST_CASE("powers of two and hyperbolic functions of lanes are within 4 ulp") {
  CHECK(worst(numbers::exp2, [](long double x) { return std::exp2(x); }, -1070, 1023) < 4);
  CHECK(worst(numbers::sinh, [](long double x) { return std::sinh(x); }, -3, 3) < 4);
  CHECK(worst(numbers::sinh, [](long double x) { return std::sinh(x); }, -709, 710) < 4);
  CHECK(worst(numbers::sinh, [](long double x) { return std::sinh(x); }, -700, 0, true) < 4);
  CHECK(worst(numbers::cosh, [](long double x) { return std::cosh(x); }, -3, 3) < 4);
  CHECK(worst(numbers::cosh, [](long double x) { return std::cosh(x); }, -709, 710) < 4);
  CHECK(worst(numbers::asinh, [](long double x) { return std::asinh(x); }, -3, 3) < 4);
  CHECK(worst(numbers::asinh, [](long double x) { return std::asinh(x); }, -700, 700, true) < 4);
  CHECK(worst(numbers::acosh, [](long double x) { return std::acosh(x); }, 1, 3) < 4);
  CHECK(worst(numbers::acosh, [](long double x) { return std::acosh(x); }, 0, 700, true) < 4);
  CHECK(worst(numbers::acosh, [](long double x) { return std::acosh(x); }, 1, 1.0001) < 4);
  CHECK(worst(numbers::atanh, [](long double x) { return std::atanh(x); }, -1, 1) < 4);
  CHECK(worst(numbers::atanh, [](long double x) { return std::atanh(x); }, -700, 0, true) < 4);
}
TEST_CASE("powers of two and hyperbolic functions of lanes at special values") {
  CHECK((special(numbers::exp2, inf, inf) && special(numbers::exp2, -inf, 0) && special(numbers::exp2, no_number, no_number)));
  CHECK((special(numbers::exp2, 10, 1024) && special(numbers::exp2, -1074, 5e-324) && special(numbers::exp2, 1024, inf)));
  for (double x : {inf, -inf, no_number, 0.0, 1.0, -1.0, 2.0, -2.0, -1e300}) {
    INFO(x);
    CHECK(distance(numbers::sinh(numbers(x))[0], std::sinh((long double)(x))) < 4);
    CHECK(distance(numbers::cosh(numbers(x))[0], std::cosh((long double)(x))) < 4);
    CHECK(distance(numbers::asinh(numbers(x))[0], std::asinh((long double)(x))) < 4);
    CHECK(distance(numbers::acosh(numbers(x))[0], std::acosh((long double)(x))) < 4);
    CHECK(distance(numbers::atanh(numbers(x))[0], std::atanh((long double)(x))) < 4);
  }
  CHECK((std::signbit(numbers::sinh(numbers(-0.0))[0]) && std::signbit(numbers::asinh(numbers(-0.0))[0])));
  using narrow = jq::lanes<float, width>;
  CHECK(narrow::sinh(narrow(2.5f))[0] == float(std::sinh(2.5)));
}
