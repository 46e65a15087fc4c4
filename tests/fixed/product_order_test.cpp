// Products whose factors are not there at once: how far the last step waits for others, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using jq::detail::run_step;
using namespace frozen_steps;

namespace {

/// How many steps at most wait for each other.
template <class F, class... A>
constexpr std::uint32_t depth_of(F f, const A&... x) {
  return longest_path([](const run_step&) { return true; }, f, x...);
}

// Euler's method for y' = a - b y^2: five operations a step wait for each other on the way there, and one on the way back, (1 - w) y' in place
// of y' - w y' with w = 0.02 b y there already.
template <int n>
constexpr auto chain = [](auto y, auto a, auto b) {
  for (int i = 0; i < n; ++i) y = y + 0.01 * (a - b * y * y);
  return y;
};
using gradient = decltype(jq::grad(chain<20>, jq::argnums<0, 1, 2>));
static_assert(depth_of(gradient{}, 1.0, 1.0, 1.0) <= 6 * 20 + 10);
static_assert(steps_of(gradient{}, 1.0, 1.0, 1.0) <= 13 * 20);

// A short program is multiplied as it was written, and so is a part of a long one that nothing waits for.
constexpr auto product = [](auto x, auto y) { return x * y * y * y * y * y; };
static_assert(depth_of(product, 1.0, 1.0) == 5);
// What is there last is multiplied last, in no more multiplications.
constexpr auto late = [](auto x, auto y) {
  for (int i = 0; i < 40; ++i) x = (x + 1.0) * y;
  return x * y * 3.0 * y * 5.0 * y;
};
static_assert(depth_of(late, 1.0, 1.0) == 2 * 40);
static_assert(steps_of(late, 1.0, 1.0) <= 2 * 40 + 5);
// Constants that would overflow together stay apart.
constexpr auto large = [](auto x, auto y) {
  for (int i = 0; i < 40; ++i) x = (x + 1.0) * y;
  return x * 1e-200 * y * 1e250 * y * 1e250 * y;
};
// So do those that together would be 0.
constexpr auto small = [](auto x, auto y) {
  for (int i = 0; i < 40; ++i) x = (x + 1.0) * y;
  return x * 1e-200 * y * 1e-200 * y * y;
};
// A product that is multiplied in another order, and is read by a sum and by a product that might take its constant.
constexpr auto shared = [](auto x, auto a, auto b) {
  for (int i = 0; i < 30; ++i) {
    const auto y = ((a + double(i)) * (x + 1.0)) * (0.3 + 0.01 * i);
    x = ((y * b) * (0.7 - 0.01 * i) + y) * 0.01;
  }
  return x;
};

}  // namespace

TEST_CASE("product order: values") {
  double y = .3, by_hand[3] = {1, 0, 0}, at[20];
  const double a = .9, b = 1.1;
  for (double& step : at) step = y, y += .01 * (a - b * y * y);
  for (int i = 19; i >= 0; --i) {
    by_hand[1] += .01 * by_hand[0], by_hand[2] -= .01 * at[i] * at[i] * by_hand[0];
    by_hand[0] *= 1 - .02 * b * at[i];
  }
  const auto [dy, da, db] = run(gradient{}, .3, a, b);
  CHECK(dy == doctest::Approx(by_hand[0]).epsilon(1e-14));
  CHECK(da == doctest::Approx(by_hand[1]).epsilon(1e-14));
  CHECK(db == doctest::Approx(by_hand[2]).epsilon(1e-14));
  CHECK(run(late, -1.0, 2.0) == doctest::Approx(late(-1.0, 2.0)).epsilon(1e-14));
  CHECK(run(large, -1.0, .5) == doctest::Approx(large(-1.0, .5)).epsilon(1e-14));
  CHECK(run(small, 1.0, 1e7) == doctest::Approx(small(1.0, 1e7)).epsilon(1e-13).scale(0));
  CHECK(run(shared, .3, .8, .9) == doctest::Approx(shared(.3, .8, .9)).epsilon(1e-14));
}
TEST_CASE("product order: infinities and NaN") {
  CHECK(run(late, 1.0, INFINITY) == INFINITY);
  CHECK(std::isnan(run(late, INFINITY, 0.0)));
  CHECK(std::isnan(run(late, NAN, 1.0)));
}
