// Loops over large arrays: reductions on vector lanes, with and without elements left over, alone and within loops that compute.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <algorithm>
#include <cmath>

namespace jq = jacquard;

namespace {

template <std::int64_t n>
void check() {
  jq::tensor<double, n> x{};
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] = double((i * 37) % 101) - 50;
  x[n / 2] += 1000, sum += 1000;
  constexpr auto f = [](auto v) { return std::tuple{jq::sum(v), jq::max(v), jq::min(v)}; };
  const auto [s, high, low] = jq::vjp(f, x).first;
  CHECK(s == doctest::Approx(sum).epsilon(1e-13));
  CHECK(high == *std::max_element(x.begin(), x.end()));
  CHECK(low == *std::min_element(x.begin(), x.end()));
}
/// Two reductions of what a loop computes, one of an argument, and a loop that reads their results.
constexpr auto moments = [](auto x, auto y) {
  const auto e = jq::exp(x - jq::max(y)), d = jq::where(x > y, e, 0.0 * x);
  const auto total = jq::sum(e), chosen = jq::sum(d);
  return std::tuple{e / total, chosen, jq::min(e * y)};
};
template <std::int64_t n>
void check_fused() {
  jq::tensor<double, n> x{}, y{};
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(double(i)), y[i] = std::cos(double(3 * i));
  const auto [share, chosen, least] = jq::vjp(moments, x, y).first;
  const double top = *std::max_element(y.begin(), y.end());
  double total = 0, sum = 0, low = INFINITY;
  for (std::size_t i = 0; i < n; ++i) {
    const double e = std::exp(x[i] - top);
    total += e;
    if (x[i] > y[i]) sum += e;
    low = std::min(low, e * y[i]);
  }
  CHECK(chosen == doctest::Approx(sum).epsilon(1e-13));
  CHECK(least == doctest::Approx(low).epsilon(1e-13));
  for (std::size_t i = 0; i < n; ++i) CHECK(share[i] == doctest::Approx(std::exp(x[i] - top) / total).epsilon(1e-13));
}

}  // namespace

TEST_CASE("reductions: any number of elements") {
  check<33>();
  check<64>();
  check<101>();
  check<5000>();
  check<9001>();
}
TEST_CASE("reductions: NaN is the largest and the smallest") {
  jq::tensor<double, 100> x{};
  x[71] = __builtin_nan("");
  constexpr auto f = [](auto v) { return jq::max(v); };
  const double high = jq::vjp(f, x).first;
  CHECK(high != high);
}
TEST_CASE("reductions: within the loops that compute their operands") {
  check_fused<33>();
  check_fused<40>();
  check_fused<71>();
  check_fused<1000>();
}
TEST_CASE("reductions: the compiler computes what the machine does") {
  constexpr auto f = [](auto x) { return std::tuple{jq::sum(x * x), jq::max(x - 1.0), jq::prod(x)}; };
  constexpr auto x = [] {
    jq::tensor<double, 50> r{};
    for (std::size_t i = 0; i < 50; ++i) r[i] = double(i % 5) + 1;
    return r;
  }();
  constexpr auto known = jq::vjp(f, x).first;
  static_assert(std::get<0>(known) == 550 && std::get<1>(known) == 4);
  jq::tensor<double, 50> same = x;
  const auto now = jq::vjp(f, same).first;
  CHECK(std::get<0>(now) == std::get<0>(known));
  CHECK(std::get<1>(now) == std::get<1>(known));
  CHECK(std::get<2>(now) == std::get<2>(known));  // a product of small integers, below 2^53 * 2^k
}
namespace {

template <std::int64_t n>
void check_floats() {
  jq::tensor<float, n> x{};
  double sum = 0, product = 1, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = float((i * 37) % 101) / 16 - 3;
    sum += double(x[i]), squares += double(x[i]) * double(x[i]), product *= 1 + double(x[i]) / 64;
  }
  constexpr auto f = [](auto v) { return std::tuple{jq::sum(v), jq::max(v), jq::min(v), jq::sum(v * v), jq::prod(1.0f + v / 64.0f)}; };
  const auto [s, high, low, sq, p] = jq::vjp(f, x).first;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(s)>, float>);
  CHECK(double(s) == doctest::Approx(sum).epsilon(1e-6));
  CHECK(high == *std::max_element(x.begin(), x.end()));
  CHECK(low == *std::min_element(x.begin(), x.end()));
  CHECK(double(sq) == doctest::Approx(squares).epsilon(1e-6));
  CHECK(double(p) == doctest::Approx(product).epsilon(n * 1e-7));
}

}  // namespace

TEST_CASE("reductions: of floats, in float") {
  check_floats<33>();
  check_floats<64>();
  check_floats<1001>();
}
