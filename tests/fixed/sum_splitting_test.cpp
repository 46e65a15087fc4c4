// Long sums in parts: how far each step waits for others, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <bit>
#include <cmath>
#include <cstdint>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using jq::detail::run_step;
using namespace frozen_steps;

namespace {

/// How many additions at most wait for each other.
template <class F, class... A>
constexpr std::uint32_t depth_of(F f, const A&... x) {
  const auto adds = [](const run_step& s) {
    return s.kind == run_step::kind_of(jq::detail::arithmetic::add) || s.kind == run_step::kind_of(jq::detail::arithmetic::subtract);
  };
  return longest_path(adds, f, x...);
}
template <int n>
constexpr auto counted() {
  tensor<double, n> x{};
  for (std::size_t i = 0; i < n; ++i) x[i] = double(i + 1);
  return x;
}

constexpr auto dot = [](auto x, auto y) { return jq::sum(x * y); };
static_assert(depth_of(dot, tensor<double, 7>{}, tensor<double, 7>{}) == 6);
static_assert(depth_of(dot, tensor<double, 8>{}, tensor<double, 8>{}) == 4);
static_assert(depth_of(dot, tensor<double, 16>{}, tensor<double, 16>{}) == 8);
static_assert(run(dot, counted<8>(), counted<8>()) == 204);
static_assert(run(dot, counted<16>(), counted<16>()) == 1496);
static_assert(run(dot, counted<15>(), counted<15>()) == 1240);

constexpr auto alternating = [](auto x) {
  auto s = -x[0] - x[1];
  for (int i = 2; i < 12; ++i) s = i % 3 == 0 ? s + x[i] : s - x[i];
  return s;
};
// What lies between is read elsewhere.
constexpr auto running = [](auto x) {
  auto s = x[0] + x[1], t = s * s;
  for (int i = 2; i < 12; ++i) s = s + x[i], t = t * s;
  return t;
};
static_assert(depth_of(running, tensor<double, 12>{}) == 11);

// So do terms that are all subtracted.
constexpr auto rest = [](auto x) { return 1.0 - x[0] - x[1] - x[2] - x[3] - x[4] - x[5] - x[6] - x[7]; };
static_assert(depth_of(rest, tensor<double, 8>{}) <= 5);
static_assert(run(rest, counted<8>()) == -35);

// Extremes are balanced trees.
template <class F, class... A>
constexpr std::uint32_t extremes_that_wait(F f, const A&... x) {
  const auto extremes = [](const run_step& s) {
    return s.kind == run_step::kind_of(jq::detail::arithmetic::max) || s.kind == run_step::kind_of(jq::detail::arithmetic::min);
  };
  return longest_path(extremes, f, x...);
}
constexpr auto largest = [](auto x) { return jq::max(x); };
constexpr auto smallest = [](auto x) { return jq::min(x); };
static_assert(extremes_that_wait(largest, tensor<double, 3>{}) == 2);
static_assert(extremes_that_wait(largest, tensor<double, 4>{}) == 2);
static_assert(extremes_that_wait(largest, tensor<double, 8>{}) == 3);
static_assert(extremes_that_wait(smallest, tensor<double, 11>{}) == 4);
// One of which another one is read, and a largest of smallest.
constexpr auto between = [](auto x) {
  auto m = x[0];
  for (int i = 1; i < 6; ++i) m = jq::maximum(x[i], m);
  const auto first = m;
  for (int i = 6; i < 12; ++i) m = jq::minimum(m, x[i]);
  return m * first;
};
static_assert(run(between, counted<12>()) == 36);

}  // namespace

TEST_CASE("sum splitting: values, signs and zeros") {
  const auto x = counted<12>();
  double s = -x[0] - x[1], t = x[0] + x[1], all = t * t;
  for (std::size_t i = 2; i < 12; ++i) s = i % 3 == 0 ? s + x[i] : s - x[i], t += x[i], all *= t;
  CHECK(run(alternating, x) == s);
  CHECK(run(running, x) == doctest::Approx(all));
  tensor<double, 12> zeros{};
  for (std::size_t i = 2; i < 12; ++i) zeros[i] = i % 3 == 0 ? -0.0 : 0.0;
  CHECK(std::signbit(run(alternating, zeros)));
  zeros[5] = -0.0;
  CHECK(!std::signbit(run(alternating, zeros)));
}
TEST_CASE("sum splitting: infinities and NaN") {
  auto x = counted<16>();
  const auto one = [] {
    tensor<double, 16> r{};
    for (double& v : r) v = 1;
    return r;
  }();
  x[3] = INFINITY;
  CHECK(run(dot, x, one) == INFINITY);
  x[4] = -INFINITY;
  CHECK(std::isnan(run(dot, x, one)));
}
TEST_CASE("sum splitting: extremes keep every bit") {
  const double of[] = {1, -1, 0, -0.0, NAN, -NAN, INFINITY, -INFINITY};
  std::uint32_t lot = 7;
  for (int round = 0; round < 400; ++round) {
    tensor<double, 8> x{};
    for (double& v : x) lot = lot * 1664525u + 1013904223u, v = of[(lot >> 24) % (round % 2 == 0 ? 4 : 8)];
    double largest_of = jq::math::max(x[0], x[1]), smallest_of = jq::math::min(x[0], x[1]);
    for (std::size_t i = 2; i < 8; ++i) largest_of = jq::math::max(x[i], largest_of), smallest_of = jq::math::min(x[i], smallest_of);
    const double l = run(largest, x), s = run(smallest, x);
    CHECK(std::bit_cast<std::uint64_t>(l) == std::bit_cast<std::uint64_t>(largest_of));
    CHECK(std::bit_cast<std::uint64_t>(s) == std::bit_cast<std::uint64_t>(smallest_of));
  }
}
