// Where factors go: how many multiplications by signs and powers of two are left, and that values are those of the operations as written.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>
#include <random>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

using triple = tensor<double, 3>;

// Through sums of products up to what all of them have in common: one doubling, six products, three sums.
constexpr auto sums = [](auto x, auto y, auto z) { return 2.0 * (x * z + y * z); };
static_assert(steps_of(sums, triple{}, triple{}, 1.0) == 1 + 6 + 3);
// Through products of products to a reciprocal, whose numerator takes it in.
constexpr auto reciprocal = [](auto x, auto y) {
  const auto r = 1.0 / y;
  return 2.0 * (x * (r * r));
};
static_assert(steps_of(reciprocal, triple{}, 1.0) == 1 + 1 + 1 + 3);
constexpr auto reciprocal_alone = [](auto x, auto y) { return 2.0 * (x * (1.0 / y)); };
static_assert(steps_of(reciprocal_alone, triple{}, 1.0) == 1 + 3);
// Not where several values would have to be multiplied in place of one result.
constexpr auto two_inputs = [](auto x, auto y) { return 4.0 * (jq::sin(x) + jq::cos(y)); };
static_assert(steps_of(two_inputs, 1.0, 1.0) == 4);
// A result that is wanted as it is, too.
constexpr auto both_wanted = [](auto x, auto y) {
  const auto p = x * y;
  return std::tuple{p, 2.0 * p, -p};
};
static_assert(steps_of(both_wanted, triple{}, 1.0) == 9);
// Factors that meet on the way cancel.
constexpr auto halves = [](auto x, auto y) { return 2.0 * (0.5 * x + 0.5 * (y * y)); };
static_assert(steps_of(halves, 1.0, 1.0) == 2);
// A sign goes into products, not into sums, whose zeros have signs of their own.
constexpr auto negated = [](auto x, auto y) { return -((x - y) * (x - y)) - (y - x); };
// Two gradients of which one is half of the other, which is made first.
constexpr auto energies = [](auto x, auto y) { return std::tuple{jq::sum(x * x) * y, 0.5 * jq::sum(x * x) * y}; };
constexpr auto gradients = [](auto x, auto y) {
  const auto f = [](auto u, auto v) { return std::get<0>(energies(u, v)); };
  const auto g = [](auto u, auto v) { return std::get<1>(energies(u, v)); };
  return std::tuple{jq::grad(f)(x, y), jq::grad(g)(x, y)};
};
static_assert(steps_of(gradients, triple{}, 1.0) == 3 + 3);
// Values that are one once their factors have moved, and what is made of them: one reciprocal, with three products and two sums; one multiple.
constexpr auto halves_and_wholes = [](auto x) {
  const auto l = jq::sqrt(x + 0.25), half = 0.5 / l, one = 1.0 / l;
  return std::tuple{one / l * half + x * half, 2.0 * (half + half * half), one};
};
static_assert(run(halves_and_wholes, 0.0) == std::tuple(4.0, 4.0, 2.0));
constexpr auto multiples = [](auto x, auto y) { return std::tuple{2.0 * (0.3 * x * y), 0.6 * x * y}; };
static_assert(steps_of(multiples, 1.0, 1.0) == 2);

}  // namespace

TEST_CASE("factor placement: values") {
  std::mt19937_64 g(5);
  std::uniform_real_distribution<double> u(-3, 3);
  for (int i = 0; i < 100; ++i) {
    const triple x{u(g), u(g), u(g)}, y{u(g), u(g), u(g)};
    const double z = u(g);
    const auto s = run(sums, x, y, z), r = run(reciprocal, x, z), a = run(reciprocal_alone, x, z);
    const auto [p, twice, minus] = run(both_wanted, x, z);
    const auto [whole, half] = run(gradients, x, z);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(s[k] == doctest::Approx(2 * (x[k] * z + y[k] * z)).epsilon(1e-13));
      CHECK(r[k] == doctest::Approx(2 * x[k] / (z * z)).epsilon(1e-14));
      CHECK(a[k] == doctest::Approx(2 * x[k] / z).epsilon(1e-14));
      CHECK(p[k] == x[k] * z);
      CHECK(twice[k] == 2 * p[k]);
      CHECK(minus[k] == -p[k]);
      CHECK(whole[k] == doctest::Approx(2 * x[k] * z).epsilon(1e-14));
      CHECK(half[k] == doctest::Approx(x[k] * z).epsilon(1e-14));
    }
    CHECK(run(two_inputs, z, x[0]) == doctest::Approx(4 * (std::sin(z) + std::cos(x[0]))).epsilon(1e-14));
    CHECK(run(halves, x[0], z) == doctest::Approx(x[0] + z * z).epsilon(1e-14));
    const auto [cube, square, inverse] = run(halves_and_wholes, z * z);
    const double l = std::sqrt(z * z + 0.25);
    CHECK(cube == doctest::Approx(0.5 / (l * l * l) + z * z * 0.5 / l).epsilon(1e-14));
    CHECK(square == doctest::Approx(1 / l + 0.5 / (l * l)).epsilon(1e-14));
    CHECK(inverse == doctest::Approx(1 / l).epsilon(1e-15));
    const double d = x[0] - z;
    CHECK(run(negated, x[0], z) == doctest::Approx(-d * d + d).epsilon(1e-13));
  }
}
TEST_CASE("factor placement: infinities and NaN are those of the operations as written") {
  const double inf = INFINITY;
  const triple x{inf, -inf, 0};
  const auto r = run(reciprocal, x, 0.0);
  CHECK(r[0] == inf);
  CHECK(r[1] == -inf);
  CHECK(std::isnan(r[2]));
  const auto s = run(sums, x, triple{1, inf, 2}, 1.0);
  CHECK(s[0] == inf);
  CHECK(std::isnan(s[1]));
  CHECK(s[2] == 4);
}
