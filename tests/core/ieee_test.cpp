// The IEEE view: fields, neighbours, scaling, and arithmetic that constant evaluation accepts for every
// operand.
#include "jacquard/core/ieee.hpp"

#include <doctest/doctest.h>

#include "math/ulp.hpp"

namespace ieee = jacquard::ieee;

namespace {
constexpr double inf = ieee::infinity<double>();
constexpr double nan_value = ieee::quiet_nan<double>();
constexpr double largest = std::numeric_limits<double>::max();
}  // namespace

// Everything below is refused by one compiler or another when written with the plain operators.
static_assert(ieee::add(largest, largest) == inf && ieee::is_nan(ieee::add(inf, -inf)) &&
              ieee::is_nan(ieee::add(nan_value, 1.0)));
static_assert(ieee::subtract(-largest, largest) == -inf && ieee::is_nan(ieee::subtract(inf, inf)));
static_assert(ieee::multiply(1e200, -1e200) == -inf && ieee::is_nan(ieee::multiply(0.0, inf)));
static_assert(ieee::divide(1.0, -0.0) == -inf && ieee::is_nan(ieee::divide(0.0, 0.0)) &&
              ieee::divide(1e200, 1e-200) == inf);
static_assert(ieee::multiply(1e30f, 1e30f) == ieee::infinity<float>() &&
              ieee::divide(1.0f, 3.0f) == 1.0f / 3.0f);
static_assert(ieee::nextafter(0.0, -1.0) == -0x1p-1074 && ieee::nextafter(1.0f, 2.0f) == 1 + 0x1p-23f);
static_assert(ieee::exponent(0x1p-1074) == -1074 && ieee::significand(-0x1.8p-1073) == -1.5);

TEST_CASE("the constant-evaluated operations equal the operators") {
  std::mt19937_64 random(1);
  int wrong = 0;
  const auto check = [&](double a, double b) {
    wrong += !ulp::same(ieee::detail::constant_add(a, b), a + b);
    wrong += !ulp::same(ieee::detail::constant_multiply(a, b), a * b);
    wrong += !ulp::same(ieee::detail::constant_divide(a, b), a / b);
  };
  for (int i = 0; i < 50000; ++i) {
    check(ulp::any(random), ulp::any(random));
    check(ulp::binades(500, 520)(random), ulp::binades(500, 520)(random));
    check(ulp::binades(500, 520)(random), ulp::binades(-520, -500)(random));
    check(ulp::binades(1022, 1024)(random), ulp::binades(1020, 1024)(random));
    check(ulp::binades(-60, 3)(random), ulp::binades(-1074, -1020)(random));
  }
  const double values[] = {0.0,     -0.0,     1.0,     -1.0, 0x1p-1074, 0x1p-1022,
                           largest, -largest, 0x1p970, inf,  -inf,      nan_value};
  for (const double a : values)
    for (const double b : values) check(a, b);
  CHECK(wrong == 0);
}

TEST_CASE("scale rounds once, as ldexp does") {
  std::mt19937_64 random(2);
  int wrong = 0;
  for (int i = 0; i < 50000; ++i) {
    const double x = ulp::any(random);
    const int k = static_cast<int>(random() % 4400) - 2200;
    wrong += !ulp::same(ieee::scale(x, k), std::ldexp(x, k));
    const int to_subnormal = -1040 - ieee::exponent(x);
    wrong += !ulp::same(ieee::scale(x, to_subnormal), std::ldexp(x, to_subnormal));
    wrong += ieee::exponent(x) != std::ilogb(x);
  }
  for (const double x : {0.0, -0.0, inf, -inf, nan_value}) wrong += !ulp::same(ieee::scale(x, 5), x);
  CHECK(wrong == 0);
}

TEST_CASE("neighbours are those of <cmath>") {
  const double values[] = {0.0,       -0.0, 1.0,     -1.0, 0x1p-1074, -0x1p-1074,
                           0x1p-1022, 2.0,  largest, inf,  -inf,      nan_value};
  int wrong = 0;
  for (const double a : values)
    for (const double b : values) wrong += !ulp::same(ieee::nextafter(a, b), std::nextafter(a, b));
  CHECK(wrong == 0);
}

TEST_CASE("classification") {
  CHECK(ieee::is_nan(nan_value));
  CHECK(!ieee::is_nan(inf));
  CHECK(ieee::is_inf(-inf));
  CHECK(ieee::is_finite(0x1p-1074));
  CHECK(ieee::signbit(-0.0));
  CHECK(ieee::is_zero(-0.0f));
  CHECK(ieee::magnitude(-2.0f) == 2);
  CHECK(ieee::copysign(3.0, -0.0) == -3);
  CHECK(ieee::signbit(ieee::negate(nan_value)) != ieee::signbit(nan_value));
}
