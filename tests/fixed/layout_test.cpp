// Layouts: what dissolves, what is computed once, which loops form and which memory they share.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

namespace jq = jacquard;
using jq::tensor;

template <class F, class... A>
constexpr const auto& code = jq::detail::frozen_of<jq::detail::static_program<true, F, A...>>;
template <class F, class... A>
constexpr const auto& layout = jq::detail::layout_of<code<F, A...>>;
template <class F, class... A>
constexpr int computed() {
  int n = 0;
  for (std::uint32_t c : layout<F, A...>.slots) n += int(c);
  return n;
}
template <class F, class... A>
constexpr std::uint32_t steps = layout<F, A...>.used.steps;

// Inputs count as computed elements.
constexpr auto moves = [](auto x) { return jq::reshape(jq::transpose(x), {4})(jq::slice(1, 3)); };
static_assert(computed<std::remove_const_t<decltype(moves)>, tensor<double, 2, 2>>() == 4);
constexpr auto same_twice = [](auto x) { return x[0] * x[1] + x[1] * x[0]; };
static_assert(computed<std::remove_const_t<decltype(same_twice)>, tensor<double, 2>>() == 4);
constexpr auto by_constants = [](auto x) { return x * (jq::arange(3, jq::f64) + 1.0); };
static_assert(computed<std::remove_const_t<decltype(by_constants)>, tensor<double, 3>>() == 5);  // the product with 1 is the element

// Structural zeros of a Jacobian cost nothing: three sines have three derivatives, not nine.
constexpr auto sines = [](auto x) { return jq::sin(x); };
constexpr auto jacobian = jq::jacrev(sines);
static_assert(computed<std::remove_const_t<decltype(jacobian)>, tensor<double, 3>>() == 6);

// Elements of arguments that nothing reads before a branch are loaded after it; the others, before.
constexpr auto branches = [](auto x) {
  const auto y = jq::lax::cond(x[0] > 0.0, [](auto u) { return jq::sin(u); }, [](auto u) { return u * u; }, x[1]);
  return std::tuple{y * x[2], x[3]};
};
constexpr const auto& arrivals = layout<std::remove_const_t<decltype(branches)>, tensor<double, 4>>.arrivals;
static_assert(arrivals[0] == 0 && arrivals[1] == 0 && arrivals[2] == 1 && arrivals[3] > 1);
constexpr auto counted_branches = [](auto k, auto x) {
  const auto y = jq::lax::cond(x[0] > 0.0, [](auto u) { return jq::sin(u); }, [](auto u) { return u * u; }, x[1]);
  return std::tuple{y * x[2], k};
};
constexpr const auto& arrivals_of_two_types = layout<std::remove_const_t<decltype(counted_branches)>, tensor<int, 2>, tensor<double, 3>>.arrivals;
static_assert(arrivals_of_two_types[2] == 0 && arrivals_of_two_types[3] == 0 && arrivals_of_two_types[4] == 1);

// What no result needs is not computed: of four products one is read.
constexpr auto one_of_four = [](auto x) { return (x * x)[2]; };
static_assert(steps<std::remove_const_t<decltype(one_of_four)>, tensor<double, 4>> == 1);
// A small product of matrices is the operations it is made of, and those with the zeros and ones of a constant are not there.
constexpr auto twice_identity = [](auto x) { return jq::matmul(x, jq::eye(2, jq::f64)); };
static_assert(steps<std::remove_const_t<decltype(twice_identity)>, tensor<double, 2, 2>> == 0);

// Up to 4 x 4 products, and up to 32 elements sums, are the operations they are made of; beyond, one step, which runs in loops.
constexpr auto product = [](auto a, auto b) { return jq::matmul(a, b); };
template <long n>
constexpr std::uint32_t steps_of_product = steps<std::remove_const_t<decltype(product)>, tensor<double, n, n>, tensor<double, n, n>>;
static_assert(steps_of_product<2> == 8 + 4 && steps_of_product<4> > 16 && steps_of_product<8> == 1 && steps_of_product<40> == 1);
constexpr auto sum_of_squares = [](auto x) { return jq::sum(x * x); };
template <long n>
constexpr std::uint32_t steps_of_sum = steps<std::remove_const_t<decltype(sum_of_squares)>, tensor<double, n>>;
static_assert(steps_of_sum<8> == 8 + 7 && steps_of_sum<32> == 32 + 31 && steps_of_sum<64> == 1 && steps_of_sum<1000> == 1);

// The room for steps is what equations can become: one for each element, and many only for products and sums.
static_assert(jq::detail::most_steps_apart(jq::detail::program_view_of<code<std::remove_const_t<decltype(sines)>, tensor<double, 3>>>) == 1);
static_assert(jq::detail::most_steps_apart(jq::detail::program_view_of<code<std::remove_const_t<decltype(twice_identity)>, tensor<double, 2, 2>>>) > 256);

// A value that divides several does so by one reciprocal; a factor of two finds the constant of the other factor.
constexpr auto quotients = [](auto x) { return x[0] / x[2] + x[1] / x[2]; };
static_assert(steps<std::remove_const_t<decltype(quotients)>, tensor<double, 3>> == 4);  // 1 / z, two products, a sum
constexpr auto half_of_square = [](auto x) { return 0.5 * (x * x); };
constexpr auto derivative_of_square = jq::grad(half_of_square);
static_assert(steps<std::remove_const_t<decltype(derivative_of_square)>, double> == 0);
constexpr auto large_factors = [](auto x) { return x * 1e300 * 8.0; };
static_assert(steps<std::remove_const_t<decltype(large_factors)>, double> == 2);  // 8e300 may overflow where x * 1e300 does not

// Large arrays: one loop, results in place, no memory.
constexpr auto chain = [](auto x) { return jq::exp(x * 2.0) + x; };
using large = tensor<double, 100>;
static_assert(layout<std::remove_const_t<decltype(chain)>, large>.loop == std::array<std::uint32_t, 3>{3, 3, 3});
static_assert(layout<std::remove_const_t<decltype(chain)>, large>.memory[std::size_t(jq::f64)] == 0);
constexpr auto two_loops = [](auto x) { return (x - jq::sum(x * x)) * 2.0; };
static_assert(layout<std::remove_const_t<decltype(two_loops)>, large>.loop == std::array<std::uint32_t, 4>{2, 2, 4, 4});
static_assert(layout<std::remove_const_t<decltype(two_loops)>, large>.memory[std::size_t(jq::f64)] == 0);  // squares are summed as they are made
// What reads a sum runs after the loop that makes it, directly and through others.
constexpr auto scaled_by_sum = [](auto x) { return x * (1.0 + jq::sum(jq::exp(x))); };
static_assert(layout<std::remove_const_t<decltype(scaled_by_sum)>, large>.loop == std::array<std::uint32_t, 4>{2, 2, 0, 4});

// Functions of independent numbers go together; a chain of them does not.
constexpr auto eight_sines = [](auto x) { return jq::sin(x) * 2.0; };
static_assert(layout<std::remove_const_t<decltype(eight_sines)>, tensor<double, 8>>.used.groups == 1);
constexpr auto sine_of_sines = [](auto x) { return jq::sin(jq::sin(jq::sin(jq::sin(jq::sin(x))))); };
static_assert(layout<std::remove_const_t<decltype(sine_of_sines)>, double>.used.groups == 0);
static_assert(layout<std::remove_const_t<decltype(sine_of_sines)>, tensor<double, 8>>.used.groups == 5);
constexpr auto views = [](auto x) { return x(jq::slice(1, jq::none)) - x(jq::slice(0, -1)); };
static_assert(steps<std::remove_const_t<decltype(views)>, large> == 1);

TEST_CASE("arguments that are loaded late") {
  CHECK(jq::detail::run_static<std::remove_const_t<decltype(branches)>, jq::detail::own_result>(tensor<double, 4>{-1, 3, 5, 7}) == std::tuple{45.0, 7.0});
}

TEST_CASE("layouts: what is drawn together has the value it should") {
  constexpr auto run = [](auto f, const auto&... x) { return jq::detail::run_static<decltype(f), jq::detail::own_result>(x...); };
  CHECK(run(quotients, tensor<double, 3>{1, 2, 4}) == 0.75);
  CHECK(run(quotients, tensor<double, 3>{1, 2, 3}) == doctest::Approx(1.0).epsilon(1e-15));
  CHECK(jq::grad(half_of_square)(-3.25) == -3.25);
  CHECK(run(large_factors, 1e-100) == 1e-100 * 1e300 * 8.0);
}
TEST_CASE("layouts: views and loops give what they should") {
  large x{};
  for (std::size_t i = 0; i < 100; ++i) x[i] = double(i * i);
  const auto d = jq::detail::run_static<std::remove_const_t<decltype(views)>, jq::detail::own_result>(x);
  for (std::size_t i = 0; i < 99; ++i) CHECK(d[i] == double(2 * i + 1));
}
TEST_CASE("layouts: groups of functions give what the functions give") {
  const auto check = [](auto x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.3 * double(i) - 1;
    const auto y = jq::detail::run_static<std::remove_const_t<decltype(sine_of_sines)>, jq::detail::own_result>(x);
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(y[i] == doctest::Approx(std::sin(std::sin(std::sin(std::sin(std::sin(x[i])))))).epsilon(1e-14));
  };
  check(tensor<double, 2>{}), check(tensor<double, 5>{}), check(tensor<double, 8>{}), check(tensor<double, 11>{}), check(tensor<double, 31>{});
}
