// Rows of results on vector lanes: which programs have them, what they are made of, what keeps them apart, and that values stay.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/numpy/linalg.hpp>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

constexpr bool wide = jq::preferred_lanes >= 4;

/// How many rows of so many numbers there are.
template <class F, class... A>
constexpr std::uint32_t rows_of(std::uint32_t width, F f, const A&... x) {
  return groups_of([width](const jq::detail::step_group& g) { return is_row(g) && g.count == width; }, f, x...);
}

// Of a polynomial of four elements all. Six elements are four and two, three are two and one.
static_assert(!wide || rows_of(4, polynomial, tensor<double, 4>{}, coefficients{}) == 9);
static_assert(!wide || (rows_of(4, polynomial, tensor<double, 6>{}, coefficients{}) == 9 && rows_of(2, polynomial, tensor<double, 6>{}, coefficients{}) == 9));
static_assert(rows_of(2, polynomial, tensor<double, 3>{}, coefficients{}) == 9);
static_assert(rows_of(4, polynomial, 1.0, coefficients{}) == 0 && rows_of(2, polynomial, 1.0, coefficients{}) == 0);
static_assert(run(polynomial, tensor<double, 4>{1, 2, 0, -1}, coefficients{1, 2, 3, 4, 5}) == tensor<double, 4>{15, 114, 0, -3});

// Rows of a product of matrices are sums of rows, and each of them is one number times a row.
constexpr auto product = [](auto a, auto b) { return jq::matmul(a, b); };
using square = tensor<double, 4, 4>;
static_assert(!wide || rows_of(4, product, square{}, square{}) == 4 * 4 + 4 * 3);
constexpr square counted{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, turned{2, 0, 0, 1, 0, 3, 0, 0, 0, 0, -1, 0, 1, 0, 0, 1};
static_assert(run(product, counted, turned) == square{6, 6, -3, 5, 18, 18, -7, 13, 30, 30, -11, 21, 42, 42, -15, 29});
// Those of an outer product share what they are made of.
constexpr auto outer = [](auto x, auto y) { return jq::outer(x * x, y + y * y); };
static_assert(!wide || rows_of(4, outer, tensor<double, 4>{}, tensor<double, 4>{}) >= 4);
static_assert(run(outer, tensor<double, 4>{1, 2, 3, -1}, tensor<double, 4>{0, 1, 2, 3}) ==
              square{0, 2, 6, 12, 0, 8, 24, 48, 0, 18, 54, 108, 0, 2, 6, 12});

// Not what would have to be put together from as many numbers as it saves operations, and not what different operations make.
constexpr auto scattered = [](auto x) { return jq::stack({x[0] * x[5], x[9] * x[2], x[7] * x[1], x[3] * x[8]}); };
static_assert(rows_of(4, scattered, tensor<double, 10>{}) == 0);
constexpr auto different = [](auto x) { return jq::stack({x[0] + x[1], x[1] * x[2], x[2] - x[3], x[3] / x[0]}); };
static_assert(rows_of(4, different, tensor<double, 4>{}) == 0);
// What is made of arguments side by side and constants alone is left to the compiler, whose vectors are wider.
constexpr auto of_arguments = [](auto x, auto y) { return (x * 2.0 + 1.0) * y; };
static_assert(rows_of(4, of_arguments, tensor<double, 16>{}, tensor<double, 16>{}) == 0);
// Not where an element waits for another one of the same row.
constexpr auto running = [](auto x) {
  auto a = x[0] * x[1], b = a * x[1], c = b * x[2], d = c * x[3];
  return jq::stack({a, b, c, d});
};
static_assert(rows_of(4, running, tensor<double, 4>{}) == 0);
// Nor where numbers are wanted one by one: what leaves the lanes costs more than they save.
constexpr auto leaving = [](auto x) {
  const auto s = x * x;
  return jq::stack({s[0], s[1], s[2], s[3], jq::sin(s[0]), jq::cos(s[1]), jq::exp(s[2]), jq::tanh(s[3])});
};
static_assert(rows_of(4, leaving, tensor<double, 4>{}) == 0);

// What whole equations compute comes before the rows that read it, and what reads rows after them.
constexpr auto around = [](auto m) {
  const auto inverse = jq::linalg::inv(m);
  return jq::matmul(jq::matmul(inverse, m), inverse + m);
};
constexpr square triangular{2, 1, 0, 0, 0, 4, 1, 0, 0, 0, 1, 3, 0, 0, 0, 8};
constexpr square all_rows = run(around, triangular);
static_assert(!wide || rows_of(4, around, square{}) > 0);

}  // namespace

TEST_CASE("step rows: the bits of numbers one by one, zeros and infinities among them") {
  const coefficients c = {.5, -.25, 3, 1.5, -7};
  for (const double x : {.5, -2., 0., -0., double(INFINITY), double(NAN)}) {
    const auto r = run(polynomial, tensor<double, 6>{1, x, 2, x, x, 1}, c);
    const double one = run(polynomial, x, c);
    for (const std::size_t k : {1, 3, 4}) {
      CHECK(std::isnan(one) == std::isnan(r[k]));
      if (!std::isnan(one)) CHECK(r[k] == one);
      CHECK(std::signbit(one) == std::signbit(r[k]));
    }
    CHECK(r[0] == run(polynomial, 1.0, c));
    CHECK(r[2] == run(polynomial, 2.0, c));
  }
}

TEST_CASE("step rows: products around a whole equation") {
  const square r = run(around, triangular);
  for (std::size_t i = 0; i < 16; ++i) CHECK(r[i] == doctest::Approx(all_rows[i]).epsilon(1e-14));
  // inverse * m is the identity, so that the result is inverse + m
  const double want[16] = {2.5, .875, .125, -.046875, 0, 4.25, .75, .09375, 0, 0, 2, 2.625, 0, 0, 0, 8.125};
  for (std::size_t i = 0; i < 16; ++i) CHECK(r[i] == doctest::Approx(want[i]).epsilon(1e-14));
}

TEST_CASE("step rows: several results, in memory of whoever calls") {
  const auto [y, back] = jq::vjp(product, counted, turned);
  const auto [a, b] = back(square{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  CHECK(y[3] == 5);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 4; ++k) CHECK((a(i, k) == turned(k, i) && b(i, k) == counted(k, i)));
  // Small ones, which are returned in registers.
  const auto [u, v] = jq::vjp([](auto x) { return std::tuple{x * x, x + 1.0}; }, tensor<double, 2>{3, 4}).first;
  CHECK((u == tensor<double, 2>{9, 16} && v == tensor<double, 2>{4, 5}));
}
