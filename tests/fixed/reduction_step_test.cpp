// Reductions of large arrays on vector lanes, with and without elements left over.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <algorithm>

namespace jq = jacquard;

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
