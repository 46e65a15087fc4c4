// Groups of steps: which divisions come together and what moves out of their way, what forms a group, and that quotients keep every bit.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace jq = jacquard;
using jq::tensor;
using jq::detail::arithmetic, jq::detail::run_step;

namespace {

constexpr run_step step(arithmetic what, std::uint32_t out, std::uint32_t a, std::uint32_t b) { return {run_step::kind_of(what), out, {a, b, 0}}; }
constexpr run_step sum(std::uint32_t out, std::uint32_t a, std::uint32_t b) { return step(arithmetic::add, out, a, b); }
constexpr run_step quotient(std::uint32_t out, std::uint32_t a, std::uint32_t b) { return step(arithmetic::divide, out, a, b); }
constexpr run_step whole{run_step::whole, 0, {}};

using jq::detail::step_list;
constexpr void draw_divisions_together(step_list& r) {
  jq::detail::draw_divisions_together(r.steps.data(), std::uint32_t(r.steps.size()), 128, [](std::uint32_t) { return 2u; });
}
/// What the steps make, in the order in which they run after divisions were drawn together; 99 stands for a whole equation.
template <std::size_t N>
constexpr std::array<std::uint32_t, N> order_of(const run_step (&steps)[N]) {
  step_list r;
  for (const run_step& s : steps) r.steps.push_back(s);
  draw_divisions_together(r);
  std::array<std::uint32_t, N> order{};
  for (std::size_t i = 0; i < N; ++i) order[i] = (r.steps[i].kind & run_step::whole) != 0 ? 99 : r.steps[i].out;
  return order;
}
using order = std::array<std::uint32_t, 4>;

// Values 0 and 1 are arguments. What the first division is read by runs after the second, what the second reads before the first.
static_assert(order_of({quotient(2, 0, 1), sum(3, 2, 0), sum(4, 0, 1), quotient(5, 4, 1)}) == order{4, 2, 5, 3});
// One that waits for the first, if only through others, is no partner; a third may be.
static_assert(order_of({quotient(2, 0, 1), sum(3, 2, 0), quotient(4, 1, 3), quotient(5, 1, 0)}) == order{2, 5, 3, 4});
static_assert(order_of({quotient(2, 0, 1), sum(3, 2, 0), quotient(4, 1, 3), sum(5, 4, 0)}) == order{2, 3, 4, 5});
// Pairs, not more: the third division waits for a fourth.
static_assert(order_of({quotient(2, 0, 1), quotient(3, 1, 0), quotient(4, 0, 0), sum(5, 4, 0)}) == order{2, 3, 4, 5});
static_assert(order_of({quotient(2, 0, 1), quotient(3, 1, 0), quotient(4, 0, 0), sum(5, 4, 0), quotient(6, 1, 1)}) ==
              std::array<std::uint32_t, 5>{2, 3, 4, 6, 5});
// Whole equations are passed by nothing.
static_assert(order_of({quotient(2, 0, 1), whole, quotient(3, 1, 0), sum(4, 3, 2)}) == order{2, 99, 3, 4});

/// Whether two divisions with n sums between them come together.
constexpr bool meet(std::uint32_t n) {
  step_list r;
  r.steps.push_back(quotient(2, 0, 1));
  for (std::uint32_t i = 0; i < n; ++i) r.steps.push_back(sum(3 + i, 2, 0));
  r.steps.push_back(quotient(3 + n, 1, 0));
  draw_divisions_together(r);
  return r.steps[1].out == 3 + n;
}
static_assert(meet(0) && meet(jq::detail::most_between) && !meet(jq::detail::most_between + 1));

/// How many groups there are among the steps.
template <std::size_t N>
constexpr std::size_t groups_of(const run_step (&steps)[N]) {
  step_list r;
  for (const run_step& s : steps) r.steps.push_back(s);
  jq::detail::draw_groups(r, [](const run_step&) { return false; }, [](std::uint32_t) { return 0u; }, 100, [](std::uint32_t) { return 2u; });
  return r.groups.size();
}
static_assert(groups_of({quotient(2, 0, 1), quotient(3, 1, 0), quotient(4, 0, 0), quotient(5, 1, 1)}) == 2);
static_assert(groups_of({quotient(2, 0, 1), quotient(3, 0, 2)}) == 0);
static_assert(groups_of({quotient(2, 0, 1), quotient(3, 2, 0)}) == 0);
static_assert(groups_of({sum(2, 0, 1), sum(3, 0, 1)}) == 0);

// Quotients of a program.
constexpr auto ratios = [](auto x, auto y) {
  return jq::stack({x[0] / y[0] + x[6], 1.0 / y[1] - x[5], x[2] / y[2] * x[1], y[3] / x[3], x[4] / 3.0, (x[5] / y[5]) / y[6], x[6] / (x[0] / y[4])});
};
using seven = tensor<double, 7>;
constexpr seven by_hand(const seven& x, const seven& y) {
  return {x[0] / y[0] + x[6], 1.0 / y[1] - x[5], x[2] / y[2] * x[1], y[3] / x[3], x[4] / 3.0, (x[5] / y[5]) / y[6], x[6] / (x[0] / y[4])};
}
constexpr auto run = [](const seven& x, const seven& y) { return jq::detail::run_static<std::remove_const_t<decltype(ratios)>, jq::detail::own_result>(x, y); };
constexpr seven some_x{1.25, -3, 0.7, 11, 1e-3, 5, 2}, some_y{3, 7, -0.1, 1e5, 0.3, 13, 17};
static_assert(run(some_x, some_y) == by_hand(some_x, some_y));

}  // namespace

TEST_CASE("groups of divisions keep every bit") {
  const auto check = [](seven x, seven y) {
    asm volatile("" : "+m"(x), "+m"(y));
    const seven got = run(x, y), want = by_hand(x, y);
    for (std::size_t i = 0; i < 7; ++i) {
      if (want[i] != want[i]) CHECK(got[i] != got[i]);
      else CHECK(std::bit_cast<std::uint64_t>(got[i]) == std::bit_cast<std::uint64_t>(want[i]));
    }
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  check(some_x, some_y);
  check(some_y, some_x);
  check({0, 1, -0.0, 1, -1, infinite, 1}, {0, 0, 5, -0.0, infinite, infinite, 1e308});
  check({1e-308, 1, 1e308, 4e-324, -1, 1e-310, 1}, {3, -0.0, 1e-10, 1e308, 2, 3, 7});
}
