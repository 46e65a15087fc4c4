// Long sums in parts: how far each step waits for others, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

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
