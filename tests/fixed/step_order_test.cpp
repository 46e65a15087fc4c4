// The order of steps: what is read late is made late, unless that keeps other values; results, functions and whole equations.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <array>
#include <cmath>

namespace jq = jacquard;
using jq::detail::arithmetic, jq::detail::run_step, jq::detail::step_order;

namespace {

constexpr run_step step(std::uint32_t out, std::uint32_t a, std::uint32_t b) { return {run_step::kind_of(arithmetic::add), out, {a, b, 0}}; }
constexpr run_step whole{run_step::whole, 0, {}};

/// The order of these steps, of which the last makes the result. Step `still` is one that stays.
template <std::uint32_t LeastWay = 0, std::size_t N>
constexpr std::array<std::uint32_t, N> order_of(const run_step (&steps)[N], std::uint32_t still = 100) {
  step_order o(16, LeastWay);
  bool kept[N]{};
  for (bool& k : kept) k = true;
  o.add_result(steps[N - 1].out);
  o.arrange(steps, N, kept, [](const run_step&) { return 2u; }, [&](const run_step& s) { return s.out == still; });
  std::array<std::uint32_t, N> r{};
  for (std::uint32_t i = 0; i < o.at.size(); ++i) r[i] = o.at[i];
  return r;
}
using order = std::array<std::uint32_t, 4>;

// Values 0 and 1 are arguments. What step 0 makes is read last of all, and costs nothing to make there.
static_assert(order_of({step(2, 0, 1), step(3, 0, 0), step(4, 3, 3), step(5, 4, 2)}, 4) == order{1, 2, 0, 3});
// A short way is none.
static_assert(order_of<3>({step(2, 0, 1), step(3, 0, 0), step(4, 3, 3), step(5, 4, 2)}, 4) == order{0, 1, 2, 3});
static_assert(order_of<2>({step(2, 0, 1), step(3, 0, 0), step(4, 3, 3), step(5, 4, 2)}, 4) == order{1, 2, 0, 3});
// A tree moves as one.
static_assert(order_of({step(2, 0, 1), step(3, 2, 1), step(4, 0, 0), step(5, 4, 3)}, 4) == order{2, 0, 1, 3});
// A sum that ends two values that others read, too, stays: it leaves one in their place.
static_assert(order_of({step(2, 0, 0), step(3, 1, 1), step(4, 2, 3), step(5, 2, 3), step(6, 5, 5), step(7, 6, 4)}) ==
              std::array<std::uint32_t, 6>{0, 1, 2, 3, 4, 5});
// What stays keeps its operands before it.
static_assert(order_of({step(2, 0, 1), step(3, 0, 0), step(4, 2, 2), step(5, 4, 3)}, 4) == order{0, 2, 1, 3});
// Whole equations are passed by nothing.
static_assert(order_of({step(2, 0, 1), whole, step(3, 0, 0), step(4, 3, 2)}) == order{0, 1, 2, 3});

/// Of each of n results, all values of one rank after the other: whether the steps of the first result come first.
template <std::uint32_t N>
constexpr bool goes_by_results() {
  run_step steps[4 * N]{};
  bool kept[4 * N]{};
  step_order o(8 * N, 0);
  for (std::uint32_t i = 0; i < N; ++i) {
    const std::uint32_t p = 2 + i, u = p + N, v = u + N, r = v + N;
    steps[i] = step(p, 0, 1), steps[N + i] = step(u, p, 0), steps[2 * N + i] = step(v, p, 1), steps[3 * N + i] = step(r, u, v);
    o.add_result(r);
  }
  for (bool& k : kept) k = true;
  o.arrange(steps, 4 * N, kept, [](const run_step&) { return 2u; }, [](const run_step&) { return false; });
  if (o.at.size() != 4 * N) return false;
  return o.at[0] == 0 && o.at[1] == N && o.at[2] == 2 * N && o.at[3] == 3 * N && o.at[4] == 1;
}
// Where there are more values than registers, one result is made after the other.
static_assert(goes_by_results<30>() && !goes_by_results<8>());

constexpr auto products = [](auto x) {
  const auto a = x[0] * x[1], b = x[1] * x[2], c = jq::sin(a + b);
  return jq::stack({c * c, a * c, (c - b) / a, a, b * c});
};

}  // namespace

TEST_CASE("steps in another order give the same numbers") {
  const jq::tensor<double, 3> x{1.5, -0.25, 2};
  const auto got = jq::vjp(products, x).first;
  const double a = 1.5 * -0.25, b = -0.5, c = std::sin(a + b);
  const double want[] = {c * c, a * c, (c - b) / a, a, b * c};
  for (std::size_t i = 0; i < 5; ++i) CHECK(got[i] == doctest::Approx(want[i]).epsilon(1e-14));
}
