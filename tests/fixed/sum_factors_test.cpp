// Constants of all terms of a long sum: how many steps are left, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

template <int n, class T>
constexpr auto sum_of(const T& term) {
  auto s = term(0);
  for (int i = 1; i < n; ++i) s = s + term(i);
  return s;
}
using ten = tensor<double, 10>;

// Ten products with the constant, or one with the sum, whose terms may be added in pairs.
constexpr auto scaled = [](auto x) { return sum_of<10>([&](int i) { return 0.1 * x[i]; }); };
static_assert(steps_of(scaled, ten{}) <= 9 + 1);
// Of products with several factors, with either sign, and with a number among the terms.
constexpr auto mixed = [](auto x) {
  auto s = 0.3 - 0.1 * x[0];
  for (int i = 1; i < 10; ++i) s = i % 3 == 0 ? s - x[i] * (0.1 * x[0]) : s + x[0] * x[i] * 0.1;
  return s;
};
// What is taken out is positive, so that zeros keep their signs; of two terms that are subtracted, one is negated.
// One more is where the second half of the sum begins.
constexpr auto opposite = [](auto x) { return sum_of<10>([&](int i) { return x[i] * (i % 2 == 0 ? 0.1 : -0.1); }); };
static_assert(steps_of(opposite, ten{}) == 9 + 1 + 1);
constexpr auto negative = [](auto x) { return sum_of<10>([&](int i) { return x[i] * -0.1; }); };
static_assert(steps_of(negative, ten{}) == 9 + 2 + 1);
// Not of short sums, not with another constant among them, not where the products are read elsewhere, and no powers of two.
constexpr auto few = [](auto x) { return sum_of<5>([&](int i) { return 0.1 * x[i]; }); };
constexpr auto other = [](auto x) { return sum_of<10>([&](int i) { return (i == 7 ? 0.2 : 0.1) * x[i]; }); };
constexpr auto bare = [](auto x) { return sum_of<10>([&](int i) { return i == 7 ? x[i] : 0.1 * x[i]; }); };
constexpr auto read = [](auto x) {
  auto s = 0.1 * x[0], t = s * s + s;
  for (int i = 1; i < 10; ++i) {
    const auto y = 0.1 * x[i];
    s = s + y, t = t * y + y;
  }
  return std::pair{s, t};
};
static_assert(steps_of(few, ten{}) == 5 + 4);
static_assert(steps_of(other, ten{}) >= 10 + 9);
static_assert(steps_of(bare, ten{}) >= 9 + 9);
static_assert(steps_of(read, ten{}) >= 10 + 9 + 20);

constexpr ten counted = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

}  // namespace

TEST_CASE("sum factors: values") {
  CHECK(run(scaled, counted) == doctest::Approx(5.5).epsilon(1e-15));
  CHECK(run(mixed, counted) == doctest::Approx(0.3 - 0.1 + 0.1 * (2 + 3 + 5 + 6 + 8 + 9) - 0.1 * (4 + 7 + 10)).epsilon(1e-14));
  CHECK(run(other, counted) == doctest::Approx(5.5 + 0.8).epsilon(1e-15));
  CHECK(run(bare, counted) == doctest::Approx(5.5 + 7.2).epsilon(1e-15));
  CHECK(run(read, counted).first == doctest::Approx(5.5).epsilon(1e-15));
}
TEST_CASE("sum factors: zeros, infinities and NaN") {
  const auto all = [](double v) {
    ten r;
    for (double& x : r) x = v;
    return r;
  };
  CHECK(!std::signbit(run(scaled, all(0.0))));
  CHECK(std::signbit(run(scaled, all(-0.0))));
  CHECK(!std::signbit(run(opposite, all(1.0))));
  CHECK(!std::signbit(run(opposite, all(0.0))));
  CHECK(std::signbit(run(opposite, ten{-0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0})));
  CHECK(std::signbit(run(negative, all(0.0))));
  CHECK(!std::signbit(run(negative, all(-0.0))));
  CHECK(!std::signbit(run(negative, ten{0.0, -0.0})));
  CHECK(run(negative, counted) == doctest::Approx(-5.5).epsilon(1e-15));
  ten x = counted;
  x[3] = INFINITY;
  CHECK(run(scaled, x) == INFINITY);
  x[4] = -INFINITY;
  CHECK(std::isnan(run(scaled, x)));
}
