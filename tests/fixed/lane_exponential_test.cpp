// Exponentials and logarithms of lanes: within 4 ulp of long double in double and in float, and right at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_exponential.hpp>

#include "lane_accuracy.hpp"

namespace jq = jacquard;
using namespace lane_accuracy;
using floats = jq::lanes<float, width>;

TEST_CASE("exponentials and logarithms of doubles are within 4 ulp") {
  CHECK(worst(numbers::exp, [](long double x) { return std::exp(x); }, -745, 709) < 4);
  CHECK(worst(numbers::expm1, [](long double x) { return std::expm1(x); }, -2, 2) < 4);
  CHECK(worst(numbers::log, [](long double x) { return std::log(x); }, -744, 709, true) < 4);
  CHECK(worst(numbers::log, [](long double x) { return std::log(x); }, 0.5, 2) < 4);
  CHECK(worst(numbers::log1p, [](long double x) { return std::log1p(x); }, -0.9, 2) < 4);
  CHECK(worst(numbers::log1p, [](long double x) { return std::log1p(x); }, -40, 0, true) < 4);
  CHECK(worst(numbers::tanh, [](long double x) { return std::tanh(x); }, -3, 3) < 4);
  CHECK(worst(numbers::tanh, [](long double x) { return std::tanh(x); }, -20, 20) < 4);
  CHECK(worst(numbers::tanh, [](long double x) { return std::tanh(x); }, -700, 3, true) < 4);
  CHECK(worst(numbers::exp, [](long double x) { return std::exp(x); }, -700, 6, true) < 4);
}
TEST_CASE("exponentials and logarithms of floats are within 4 ulp") {
  CHECK(worst<floats>(floats::exp, [](long double x) { return std::exp(x); }, -103, 88.7) < 4);
  CHECK(worst<floats>(floats::exp, [](long double x) { return std::exp(x); }, -1, 1) < 4);
  CHECK(worst<floats>(floats::expm1, [](long double x) { return std::expm1(x); }, -2, 2) < 4);
  CHECK(worst<floats>(floats::expm1, [](long double x) { return std::expm1(x); }, -80, 4, true) < 4);
  CHECK(worst<floats>(floats::log, [](long double x) { return std::log(x); }, -103, 88, true) < 4);
  CHECK(worst<floats>(floats::log, [](long double x) { return std::log(x); }, 0.5, 2) < 4);
  CHECK(worst<floats>(floats::log1p, [](long double x) { return std::log1p(x); }, -0.9, 2) < 4);
  CHECK(worst<floats>(floats::log1p, [](long double x) { return std::log1p(x); }, -80, 80, true) < 4);
  CHECK(worst<floats>(floats::tanh, [](long double x) { return std::tanh(x); }, -12, 12) < 4);
  CHECK(worst<floats>(floats::tanh, [](long double x) { return std::tanh(x); }, -80, 3, true) < 4);
}
template <class Numbers>
void check_special() {
  CHECK((special<Numbers>(Numbers::exp, inf, inf) && special<Numbers>(Numbers::exp, -inf, 0) && special<Numbers>(Numbers::exp, no_number, no_number) &&
         special<Numbers>(Numbers::exp, 0, 1)));
  CHECK((special<Numbers>(Numbers::expm1, inf, inf) && special<Numbers>(Numbers::expm1, -inf, -1) && special<Numbers>(Numbers::expm1, no_number, no_number)));
  CHECK((special<Numbers>(Numbers::log, 0, -inf) && special<Numbers>(Numbers::log, inf, inf) && special<Numbers>(Numbers::log, -1, no_number) &&
         special<Numbers>(Numbers::log, no_number, no_number) && special<Numbers>(Numbers::log, 1, 0)));
  CHECK((special<Numbers>(Numbers::log1p, -1, -inf) && special<Numbers>(Numbers::log1p, inf, inf) && special<Numbers>(Numbers::log1p, -2, no_number) &&
         special<Numbers>(Numbers::log1p, 0x1p-120, 0x1p-120)));
  CHECK((special<Numbers>(Numbers::tanh, inf, 1) && special<Numbers>(Numbers::tanh, -inf, -1) && special<Numbers>(Numbers::tanh, no_number, no_number)));
  CHECK(std::signbit(Numbers::tanh(Numbers(typename Numbers::lane_element(-0.0)))[0]));
}
TEST_CASE("logistic: it does not vanish before its own numbers do") {
  const auto wide = [](long double x) { return 1 / (1 + std::exp(-x)); };
  CHECK(worst(numbers::logistic, wide, -745, 40) < 4);
  CHECK(worst<floats>(floats::logistic, wide, -103, 20) < 4);
  CHECK((special(numbers::logistic, -inf, 0) && special(numbers::logistic, inf, 1) && special(numbers::logistic, no_number, no_number) &&
         special(numbers::logistic, 0, 0.5)));
}
TEST_CASE("exponentials and logarithms at special values") {
  check_special<numbers>();
  check_special<floats>();
  CHECK(special(numbers::log, 5e-324, -744.4400719213812));
  CHECK(special(numbers::log1p, 1e-300, 1e-300));
  CHECK(special<floats>(floats::log, 0x1p-149, float(-149 * std::log(2.0))));
}
