// Cubes of the reciprocal of a length: how many steps they take, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

template <class F, class... A>
constexpr int divisions_of(F, const A&...) {
  const auto& l = layout_for<F, A...>;
  int n = 0;
  for (std::uint32_t i = 0; i < l.used.steps; ++i) n += l.steps[i].is(jq::detail::arithmetic::divide) ? 1 : 0;
  for (std::uint32_t i = 0; i < l.used.groups; ++i) n += is_division(l.groups[i]) ? int(l.groups[i].count) : 0;
  return n;
}

using place = tensor<double, 3>;
// The force of a charge, x / r^3: five steps to x^2 + y^2 + z^2, a root, a product, a quotient, and three products.
constexpr auto potential = [](auto p) { return -1.0 / jq::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); };
using force = decltype(jq::grad(potential));
static_assert(steps_of(force{}, place{}) == 11);
// Of one distance and a constant below the root.
constexpr auto softened = [](auto x) { return 1.0 / jq::sqrt(x * x + 0.25); };
using softened_slope = decltype(jq::grad(softened));
static_assert(steps_of(softened_slope{}, 1.0) == 6);

// The value is a quotient of that root as well: one reciprocal serves both.
using both = decltype(jq::value_and_grad(potential));
static_assert(divisions_of(both{}, place{}) == 1 && divisions_of(force{}, place{}) == 1);
// Something else reads the reciprocal itself: its square times itself costs less than a division.
constexpr auto force_and_more = [](auto p) {
  const auto u = 1.0 / jq::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return std::pair(u + p[0], u * u * u * p);
};
static_assert(steps_of(force_and_more, place{}) == 5 + 1 + 1 + 1 + 2 + 3);
// No square below the root, which may be a negative zero.
constexpr auto of_any = [](auto x) {
  const auto u = 1.0 / jq::sqrt(x);
  return u * u * u;
};
static_assert(steps_of(of_any, 1.0) == 4);
constexpr auto of_square = [](auto x) {
  const auto u = 1.0 / jq::sqrt(x * x);
  return u * u * u;
};
static_assert(steps_of(of_square, 1.0) == 4);
constexpr auto of_square_in_f32 = [](auto x) {
  const auto u = 1.f / jq::sqrt(1.f + x * x);
  return u * u * u;
};

}  // namespace

TEST_CASE("inverse cubes: values") {
  const auto close = [](double got, double want) { return std::abs(got - want) <= 1e-15 * std::abs(want); };
  for (const double scale : {1e-50, 1e-3, 1.0, 7.25, 1e60}) {
    const place p{0.3 * scale, -0.7 * scale, 1.1 * scale}, f = run(force{}, p);
    const auto [value, slope] = run(both{}, p);
    const double r = std::sqrt(0.09 + 0.49 + 1.21) * scale;
    CHECK(close(value, -1 / r));
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(f.data()[i] == doctest::Approx(p.data()[i] / (r * r * r)).epsilon(1e-14));
      CHECK(slope.data()[i] == doctest::Approx(p.data()[i] / (r * r * r)).epsilon(1e-14));
    }
  }
  for (const double x : {-3.0, 0.0, 0.2, 12.5}) CHECK(run(softened_slope{}, x) == doctest::Approx(-x * std::pow(x * x + 0.25, -1.5)).epsilon(1e-14));
  CHECK(run(of_square, -2.0) == 0.125);
  CHECK(run(of_square_in_f32, 2.f) == doctest::Approx(std::pow(5.0, -1.5)).epsilon(1e-6));
}
TEST_CASE("inverse cubes: zeros, infinities and NaN are those of the reciprocal's cube") {
  const double infinity = INFINITY;
  CHECK(run(of_square, 0.0) == infinity);
  CHECK(run(of_square, infinity) == 0);
  CHECK(std::isnan(run(of_square, double(NAN))));
  CHECK(run(of_any, -0.0) == -infinity);
  CHECK(std::isnan(run(of_any, -1.0)));
  CHECK(run(of_square, 1e-80) == doctest::Approx(1e240).epsilon(1e-14));
  CHECK(run(of_square, 1e-110) == infinity);
  CHECK(run(of_square, 1e110) == 0);
}
