// jvp, vjp, linearize and linear_transpose with static arguments.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::tensor;

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto product = [](auto x, auto y) { return x * y; };

static_assert(jq::jvp(cube, jq::primals(2.0), jq::tangents(1.0)) == std::pair{8.0, 12.0});
static_assert(jq::jvp(jq::grad(cube), jq::primals(2.0), jq::tangents(1.0)) == std::pair{12.0, 12.0});
static_assert(jq::jvp(cube, jq::primals(2.f), jq::tangents(1.0)) == std::pair{8.f, 12.f});
static_assert(jq::jvp(product, jq::primals(2.0, 3.0), jq::tangents(1.0, 0.0)).second == 3.0);

static_assert(jq::vjp(cube, 2.0).first == 8.0);
static_assert(jq::vjp(cube, 2.0).second(1.0) == std::tuple{12.0});
static_assert(jq::vjp(product, 2.0, tensor<double, 2>{3, 4}).second(tensor<double, 2>{1, 1}) ==
              std::tuple{7.0, tensor<double, 2>{2, 2}});
static_assert(jq::vjp(product, 2.f, 3.f).second(1.0) == std::tuple{3.f, 2.f});

static_assert(jq::linearize(cube, 2.0).first == 8.0);
static_assert(jq::linearize(cube, 2.0).second(2.0) == 24.0);
static_assert(jq::linearize(product, 2.0, 3.0).second(1.0, 1.0) == 5.0);

static_assert(jq::linear_transpose([](auto x) { return 3.0 * x; }, 1.0)(2.0) == std::tuple{6.0});
static_assert(jq::linear_transpose([](auto x) { return jq::sum(x); }, tensor<double, 2>{})(2.0) ==
              std::tuple{tensor<double, 2>{2, 2}});

constexpr auto with_sine = [](auto x) { return std::pair{x * x, jq::sin(x)}; };
static_assert(std::get<0>(jq::vjp(with_sine, 3.0, jq::has_aux)) == 9.0);
static_assert(std::get<1>(jq::vjp(with_sine, 3.0, jq::has_aux))(1.0) == std::tuple{6.0});
static_assert(std::get<2>(jq::vjp(with_sine, 0.0, jq::has_aux)) == 0.0);

TEST_CASE("static pullbacks and linear maps keep their arguments") {
  const auto [y, back] = jq::vjp(product, 2.0, 3.0);
  CHECK(y == 6);
  CHECK(back(1.0) == std::tuple{3.0, 2.0});
  CHECK(back(2.0) == std::tuple{6.0, 4.0});
  const auto [z, forward] = jq::linearize(product, 2.0, 3.0);
  CHECK(z == 6);
  CHECK(forward(1.0, 2.0) == 7.0);
}
TEST_CASE("static pullbacks take cotangents that are arrays") {
  const auto back = jq::vjp(cube, 2.0).second;
  const auto ct = back(jq::asarray(1.0));
  CHECK(double(std::get<0>(ct)) == 12);
}
