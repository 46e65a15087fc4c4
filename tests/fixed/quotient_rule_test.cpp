// Slopes of quotients whose numerator is a part of the denominator: how many steps they take, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

// 0.9 x / (0.4 + x): the slope is 0.36 / (0.4 + x)^2, a sum, a reciprocal and two products.
constexpr auto saturation = [](auto x) { return 0.9 * x / (0.4 + x); };
using slope = decltype(jq::grad(saturation));
static_assert(steps_of(slope{}, 1.0) == 4);
// The same with a variable half: y / (x + y)^2.
constexpr auto share = [](auto x, auto y) { return x / (x + y); };
using share_slope = decltype(jq::grad(share));
static_assert(steps_of(share_slope{}, 1.0, 1.0) == 4);
// x^2 / (k + x^2), as Hill has it, and denominators that are differences.
constexpr auto hill = [](auto x) { return x * x / (0.3 + x * x); };
constexpr auto lens = [](auto x) { return 2.0 * x / (x - 3.0); };
constexpr auto turned = [](auto x) { return -x / (3.0 - x); };
constexpr auto scaled = [](auto x) { return 0.5 * x / (0.75 + 2.0 * x); };
using hill_slope = decltype(jq::grad(hill));
using lens_slope = decltype(jq::grad(lens));
using turned_slope = decltype(jq::grad(turned));
using scaled_slope = decltype(jq::grad(scaled));
static_assert(steps_of(lens_slope{}, 1.0) == 4);
static_assert(steps_of(turned_slope{}, 1.0) <= 5);
static_assert(steps_of(scaled_slope{}, 1.0) <= 6);

// Of both signs, one is the other's negative.
constexpr auto rates = [](auto x) {
  const auto r = saturation(x[0]), s = saturation(x[1]);
  return jq::stack({-r, r - s, s});
};
using jacobian = decltype(jq::jacrev(rates));
static_assert(steps_of(jacobian{}, tensor<double, 2>{}) <= 9);

// A part that something else reads stays, and with it the difference.
constexpr auto read_twice = [](auto x) {
  const auto p = 1.0 / (x + 2.0), q = x * p * p;
  return (p - q) * q;
};
// What only looks like one.
constexpr auto other = [](auto x, auto y) { return 1.0 / (y + 2.0) - x / (y + 2.0) / (y + 2.0); };

}  // namespace

TEST_CASE("quotient rule: values") {
  const auto close = [](double got, double want) { return std::abs(got - want) <= 1e-14 * std::abs(want); };
  for (const double x : {-0.3, 0.0, 0.7, 1e3, 1e9}) {
    const double k = .4 + x, y = x + 2.5, h = .3 + x * x, l = x - 3, s = .75 + 2 * x;
    CHECK(close(run(slope{}, x), .36 / (k * k)));
    CHECK(close(run(share_slope{}, x, 2.5), 2.5 / (y * y)));
    CHECK(close(run(hill_slope{}, x), .6 * x / (h * h)));
    CHECK(close(run(lens_slope{}, x), -6 / (l * l)));
    CHECK(close(run(turned_slope{}, x), -3 / (l * l)));
    CHECK(close(run(scaled_slope{}, x), .375 / (s * s)));
    CHECK(run(other, x, .5) == doctest::Approx(1 / 2.5 - x / 6.25).epsilon(1e-14));
  }
  const double p = 1 / 2.7, q = .7 * p * p;
  CHECK(close(run(read_twice, .7), (p - q) * q));
  const auto j = run(jacobian{}, tensor<double, 2>{.5, 2});
  const double a = .36 / .81, b = .36 / 5.76, want[] = {-a, 0, a, -b, 0, b};
  for (std::size_t i = 0; i < 6; ++i) CHECK(close(j.data()[i], want[i]));
}
TEST_CASE("quotient rule: poles, infinities and NaN") {
  const double infinity = INFINITY;
  CHECK(run(slope{}, -.4) == infinity);
  CHECK(run(lens_slope{}, 3.0) == -infinity);
  CHECK(run(slope{}, infinity) == 0);
  CHECK(std::isnan(run(slope{}, double(NAN))));
}
