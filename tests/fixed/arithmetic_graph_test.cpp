// Factors of single elements: how many operations are left, and that results are those of the operations as they were written.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>
#include <random>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using frozen_steps::run, frozen_steps::steps_of;

namespace {

using pair = tensor<double, 2>;

// A product of more parts than are compared is found again by its operands.
constexpr auto sixteenth_powers = [](auto x) {
  jq::array v = jq::broadcast_to(x, {4});
  for (int i = 0; i < 4; ++i) v = v * v;
  return jq::sum(v);
};
static_assert(jq::grad(sixteenth_powers)(1.5) == 64 * 437.893890380859375);

// Signs and powers of two cancel, and signs become differences.
constexpr auto cancelled = [](auto x, auto y) { return (2.0 * x) * (-0.5 * y) * (-y); };
static_assert(steps_of(cancelled, 1.0, 1.0) == 2);
constexpr auto difference = [](auto x, auto y) { return -x + y; };
static_assert(steps_of(difference, 1.0, 1.0) == 1);
constexpr auto fourth = [](auto x, auto y) { return 0.25 * (x + x + y + y); };
static_assert(steps_of(fourth, 1.0, 1.0) == 3);  // x / 2, y / 2, their sum
constexpr auto half_sum = [](auto x, auto y) { return 0.5 * x + 0.5 * y; };
static_assert(steps_of(half_sum, 1.0, 1.0) == 2);
constexpr auto absorbed = [](auto x) { return (x * 3.0) * 2.0 + 4.0 / x; };
static_assert(steps_of(absorbed, 1.0) == 3);
// A reciprocal serves every division by its operand.
constexpr auto reciprocals = [](auto x, auto y) { return 0.5 / y + x / y; };
static_assert(steps_of(reciprocals, 1.0, 1.0) == 4);
// A factor that many results share is multiplied into what they have in common: one operation, not four.
constexpr auto shared_factor = [](auto x, auto y) { return 2.0 * (x * y); };
static_assert(steps_of(shared_factor, tensor<double, 4>{}, 1.0) == 5);
constexpr auto gradient_of_squares = jq::grad([](auto x, auto a) {
  const auto u = jq::matmul(a, x);
  return jq::sum(u * u);
}, jq::argnums<0, 1>);
static_assert(steps_of(gradient_of_squares, pair{}, tensor<double, 2, 2>{}) == 6 + 2 + 6 + 4);
// A value that is added once more is doubled, which costs nothing where a factor of it is there.
constexpr auto once_more = [](auto x, auto y) { return x + (y + x); };
static_assert(steps_of(once_more, 1.0, 1.0) == 2);
constexpr auto triple = [](auto x) { return (x + x) + x; };
static_assert(steps_of(triple, 1.0) == 1);
// Products of the same values are one.
constexpr auto reordered = [](auto x, auto y, auto z) { return (x * y) * z - y * (z * x); };
static_assert(steps_of(reordered, 1.0, 1.0, 1.0) == 3);
constexpr auto cubes = [](auto x, auto y) { return (x * (x * y)) * y + (y * y) * (x * x); };
static_assert(steps_of(cubes, 1.0, 1.0) == 4);
// So are two halves of a value that is added twice, which is what the derivative of a square under a root comes to.
constexpr auto halves = [](auto x, auto y, auto z) {
  const auto half = 0.5 * (x * y);
  return half + (z + half);
};
static_assert(steps_of(halves, 1.0, 1.0, 1.0) == 2);
constexpr auto without_halves = [](auto x, auto y, auto z) {
  const auto half = 0.5 * (x * y);
  return (z - half) - half;
};
static_assert(steps_of(without_halves, 1.0, 1.0, 1.0) == 2);
constexpr auto neither_half = [](auto x, auto y, auto z) {
  const auto half = 0.5 * (x * y);
  return (z - half) + half;
};
// A product of matrices of which one is mostly zeros is what is left of it, however large it is.
constexpr auto scaled_rows = [](auto s, auto p) { return jq::matmul(jq::jacfwd([](auto x) { return x * x; })(s), p); };
static_assert(steps_of(scaled_rows, tensor<double, 6>{}, tensor<double, 6, 6>{}) == 42);
// Where constants are too large a factor stays outside.
constexpr auto huge = [](auto x) { return x * 1e300 * 1024.0 * 1024.0; };
static_assert(steps_of(huge, 1.0) == 2);

constexpr auto minus_both = [](auto x, auto y) { return -x + -y; };
constexpr auto turned = [](auto x, auto y) { return -(x - y); };
constexpr auto twice_negative = [](auto x, auto y) { return -2.0 * x - 2.0 * y; };
constexpr auto tangled = [](auto x, auto y) {
  const auto a = -0.5 * x, b = 4.0 * y, c = a * b - b, d = (a - c) / (0.25 * b);
  return -(c * d) + a / d - 2.0 * (b + c) * (-d) + (c - -a) * 0.125;
};

// Floats have the same arithmetic where most numbers of a program are floats, in float.
using floats = tensor<float, 2>;
static_assert(steps_of([](auto v) { return cancelled(v[0], v[1]); }, floats{}) == 2 && steps_of([](auto v) { return fourth(v[0], v[1]); }, floats{}) == 3);
static_assert(steps_of([](auto v) { return reciprocals(v[0], v[1]); }, floats{}) == 4);
static_assert(steps_of(gradient_of_squares, floats{}, tensor<float, 2, 2>{}) == 6 + 2 + 6 + 4);
static_assert(run([](auto v) { return (v[0] + 0.1) + v[1] * 0.1; }, floats{1, 2}) == (1.f + 0.1f) + 2.f * 0.1f);
// What is too large for a float is infinite, also when the compiler computes it.
static_assert(run([](auto v) { return jq::full_like(v, 1e30) * jq::full_like(v, 1e30) - v * 1e30 * 1e30; }, floats{-1, 1})[0] == std::numeric_limits<float>::infinity());
static_assert(run([](auto v) { return v * 1e-30 * 1e30; }, floats{3, 0}) == floats{3, 0});
constexpr auto mostly_floats = [](auto x, auto y) { return std::pair{jq::sum(x * x), y * y * 0.1}; };
static_assert(run(mostly_floats, tensor<float, 3>{1, 2, 3}, 0.5) == std::pair{14.f, 0.5 * 0.5 * 0.1});

}  // namespace

TEST_CASE("factors: zeros keep the sign that the operations as written give them") {
  for (const double x : {0.0, -0.0, 1.5, -1.5})
    for (const double y : {0.0, -0.0, 1.5, -1.5}) {
      CHECK(std::signbit(run(minus_both, x, y)) == std::signbit(-x + -y));
      CHECK(std::signbit(run(turned, x, y)) == std::signbit(-(x - y)));
      CHECK(std::signbit(run(twice_negative, x, y)) == std::signbit(-2.0 * x - 2.0 * y));
      CHECK(std::signbit(run(difference, x, y)) == std::signbit(-x + y));
    }
}
TEST_CASE("factors: infinities and NaN are those of the operations as written") {
  const double inf = INFINITY;
  CHECK(run(cancelled, inf, 1.0) == inf);
  CHECK(std::isnan(run(cancelled, inf, 0.0)));
  CHECK(std::isnan(run(difference, inf, inf)));
  CHECK(run(reciprocals, 1.0, 0.0) == inf);
  CHECK(run(once_more, inf, 1.0) == inf);
  CHECK(std::isnan(run(once_more, inf, -inf)));
  CHECK(std::isnan(run(triple, double(NAN))));
}
TEST_CASE("products of matrices with structural zeros: values") {
  tensor<double, 6> s{};
  tensor<double, 6, 6> p{};
  for (std::size_t i = 0; i < 6; ++i) s[i] = 0.5 + double(i);
  for (std::size_t i = 0; i < 36; ++i) p.data()[i] = 1.0 / (1.0 + double(i));
  const tensor<double, 6, 6> r = run(scaled_rows, s, p);
  for (std::size_t i = 0; i < 36; ++i) CHECK(r.data()[i] == doctest::Approx(2 * s[i / 6] * p.data()[i]).epsilon(1e-15));
}
TEST_CASE("factors: values") {
  std::mt19937_64 g(3);
  std::uniform_real_distribution<double> u(-3, 3);
  for (int i = 0; i < 200; ++i) {
    const double x = u(g), y = u(g);
    const double a = -0.5 * x, b = 4.0 * y, c = a * b - b, d = (a - c) / (0.25 * b);
    const double want = -(c * d) + a / d - 2.0 * (b + c) * (-d) + (c - -a) * 0.125;
    CHECK(run(tangled, x, y) == doctest::Approx(want).epsilon(1e-12));
    CHECK(run(fourth, x, y) == doctest::Approx(0.5 * (x + y)));
    CHECK(run(once_more, x, y) == doctest::Approx(2 * x + y).epsilon(1e-14));
    CHECK(run(triple, x) == 3 * x);
    CHECK(run(halves, x, y, a) == doctest::Approx(a + x * y).epsilon(1e-14));
    CHECK(run(without_halves, x, y, a) == doctest::Approx(a - x * y).epsilon(1e-14));
    CHECK(run(neither_half, x, y, a) == doctest::Approx(a).epsilon(1e-12));
    CHECK(std::fabs(run(reordered, x, y, a)) < 1e-13);
    CHECK(run(cubes, x, y) == doctest::Approx(2 * x * x * y * y).epsilon(1e-14));
    CHECK(run(cancelled, x, y) == doctest::Approx(x * y * y));
    const auto [gx, ga] = gradient_of_squares(pair{x, y}, tensor<double, 2, 2>{1, 2, 3, 4});
    const double u0 = x + 2 * y, u1 = 3 * x + 4 * y;
    CHECK(gx[0] == doctest::Approx(2 * u0 + 6 * u1));
    CHECK(ga(1, 0) == doctest::Approx(2 * u1 * x));
  }
}
