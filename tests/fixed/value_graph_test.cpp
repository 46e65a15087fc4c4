// Values and steps as passes see them: what is one, what is listed, and room.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cstdint>

namespace jq = jacquard;
using jq::detail::arithmetic, jq::detail::run_step;

namespace {

/// With what only arithmetic calls.
struct graph : jq::detail::value_graph {
  using value_graph::constant_of, value_graph::is_constant, value_graph::is_number, value_graph::value_graph;
  constexpr std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x[] = {a, b};
    return shared(run_step::kind_of(arithmetic::add), x, 2, number_type);
  }
  constexpr std::uint32_t negative(std::uint32_t a) { return shared(run_step::kind_of(arithmetic::negate), &a, 1, number_type); }
};

constexpr bool equal_steps_are_one() {
  graph g(jq::f64, 100, 400);
  const std::uint32_t a = g.new_number(), b = g.new_number(), c = g.sum(a, b);
  const bool one = g.sum(a, b) == c && g.sum(b, a) != c && g.negative(a) != g.negative(b) && g.negative(a) != g.sum(a, a);
  return one && g.step_count == 5 && g.value_count == 7;
}
static_assert(equal_steps_are_one());

constexpr bool equal_constants_are_one() {
  graph g(jq::f32, 100, 400);
  g.add_literal(jq::literal(2.0f));
  const std::uint32_t tenth = g.number(.1);
  return g.number(2) == (jq::atom::literal_bit | 0) && g.number(.1) == tenth && g.constant_count == 2 && g.is_constant(tenth) && g.double_of(tenth) == double(.1f) &&
         g.is_number(tenth, double(.1f)) && !g.is_number(tenth, .1) && g.number(0) != g.number(-0.0) && g.constant_of(tenth).type == jq::f32;
}
static_assert(equal_constants_are_one());

// Steps of constants alone are listed, too.
constexpr bool steps_of_constants_are_one() {
  graph g(jq::f64, 100, 400);
  const std::uint32_t one = g.number(1), two = g.number(2), sum = g.sum(one, two);
  return g.sum(one, two) == sum && g.sum(two, one) != sum && g.step_count == 2;
}
static_assert(steps_of_constants_are_one());

constexpr bool room_ends() {
  graph g(jq::f64, 3, 300);
  g.new_number();
  const bool two = g.has_room_for_values(2) && !g.has_room_for_values(3);
  for (int i = 0; i < 40; ++i) g.number(i);  // 260 are kept for factors
  return two && !g.has_room_for_constants();
}
static_assert(room_ends());

// Many values, so that what lists them moves: steps and what is known of values stay.
constexpr bool grows(std::uint32_t n) {
  graph g(jq::f64, 10000, 400);
  const std::uint32_t x = g.new_number();
  std::uint32_t last = x;
  for (std::uint32_t i = 0; i < n; ++i) last = g.sum(last, x);
  if (g.step_count != n || g.sum(x, x) != 1 || g.steps[n - 1].out != last || g.type_of(last) != jq::f64) return false;
  jq::list<run_step> kept;
  kept.push_back(g.steps[0]);
  g.set_steps(kept);
  return g.step_count == 1 && g.steps[0].out == 1;
}
static_assert(grows(200));

}  // namespace

TEST_CASE("factors are signs and powers of two of moderate size") {
  const graph g(jq::f64, 10, 300), f(jq::f32, 10, 300);
  for (const double v : {1., -1., 2., -.25, 0x1p40}) CHECK(g.is_factor(v));
  for (const double v : {0., 3., -1.5, 0x1p80, 0x1p-80, 1e300}) CHECK_FALSE(g.is_factor(v));
  CHECK_FALSE(f.is_factor(0x1p40));
  CHECK(f.is_factor(0x1p20));
  CHECK(grows(1000));
}
