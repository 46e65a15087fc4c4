// Arithmetic on arrays of two elements, on two lanes: how many pairs there are, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

template <class F, class... A>
constexpr std::uint32_t pairs_of(F f, const A&... x) {
  return groups_of([](const jq::detail::step_group& g) { return !is_division(g); }, f, x...);
}

static_assert(pairs_of(polynomial, tensor<double, 2>{}, coefficients{}) == 9);
static_assert(run(polynomial, tensor<double, 2>{1, 2}, coefficients{1, 2, 3, 4, 5}) == tensor<double, 2>{15, 114});
// Of an array that is no result, too.
constexpr auto summed = [](auto x, auto c) { return jq::sum(polynomial(x, c)); };
static_assert(pairs_of(summed, tensor<double, 2>{}, coefficients{}) == 9);
static_assert(run(summed, tensor<double, 2>{1, 2}, coefficients{1, 2, 3, 4, 5}) == 129);
// Not of single numbers, and not of longer rows, which are no pairs.
static_assert(pairs_of(polynomial, 1.0, coefficients{}) == 0);
static_assert(pairs_of(summed, tensor<double, 3>{}, coefficients{}) == 0);
static_assert(pairs_of(summed, tensor<double, 4>{}, coefficients{}) == 0);
// Not of few, and not where most results leave the lanes again.
constexpr auto few = [](auto x) { return x * x + x; };
static_assert(pairs_of(few, tensor<double, 2>{}) == 0);
constexpr auto leaving = [](auto x, auto c) {
  auto s = x * c[0];
  auto t = s[0] * s[1];
  for (int i = 1; i < 5; ++i) {
    s = s * c[i];
    t = t * s[1] - s[0];
  }
  return t;
};
static_assert(pairs_of(leaving, tensor<double, 2>{}, coefficients{}) == 0);

}  // namespace

TEST_CASE("step pairs: values, zeros and infinities") {
  const coefficients c = {.5, -.25, 3, 1.5, -7};
  for (const double x : {.5, -2., 0., -0., double(INFINITY), double(NAN)}) {
    const auto r = run(polynomial, tensor<double, 2>{1, x}, c);
    const double one = run(polynomial, x, c);
    CHECK(std::isnan(one) == std::isnan(r[1]));
    if (!std::isnan(one)) CHECK(r[1] == one);
    CHECK(std::signbit(one) == std::signbit(r[1]));
    CHECK(r[0] == run(polynomial, 1.0, c));
  }
}
