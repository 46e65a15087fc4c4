// Batches of a length known at run time: vmap over spans and columns, threads, taps item by item.
#include <ostream>

#include <doctest/doctest.h>
#include <jacquard/fixed/threads.hpp>
#include <jacquard/jacquard.hpp>

#include <cmath>

namespace jq = jacquard;
using jq::tensor;

namespace {
constexpr auto energy = [](auto p, auto scale) { return scale * jq::sum(p * p) / 2.0; };
std::vector<tensor<double, 3>> points(std::size_t n) {
  std::vector<tensor<double, 3>> r;
  for (std::size_t i = 0; i < n; ++i) r.push_back({0.1 * double(i), 1.0, -double(i)});
  return r;
}
}  // namespace

TEST_CASE("vmap over a span applies a frozen program to each item") {
  for (std::size_t n : {0, 1, 7, 8, 33}) {
    const auto p = points(n);
    const std::vector<tensor<double, 3>> g = jq::vmap(jq::grad(energy), jq::in_axes<0, jq::none>)(std::span(p), 3.0);
    REQUIRE(g.size() == n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 3; ++k) CHECK(g[i][k] == doctest::Approx(3 * p[i][k]));
  }
}
TEST_CASE("vmap over several spans, and over columns") {
  const auto p = points(13);
  std::vector<double> scale(13), planes(39);
  for (std::size_t i = 0; i < 13; ++i) {
    scale[i] = double(i);
    for (std::size_t k = 0; k < 3; ++k) planes[k * 13 + i] = p[i][k];
  }
  const auto from_spans = jq::vmap(energy)(std::span(p), std::span(scale));
  const auto from_planes = jq::vmap(energy)(jq::columns<const tensor<double, 3>>::contiguous(planes.data(), 13), std::span(scale));
  static_assert(std::is_same_v<decltype(from_spans), const std::vector<double>>);
  for (std::size_t i = 0; i < 13; ++i) {
    CHECK(from_spans[i] == doctest::Approx(scale[i] * (p[i][0] * p[i][0] + 1 + p[i][2] * p[i][2]) / 2));
    CHECK(from_planes[i] == from_spans[i]);
  }
}
TEST_CASE("vmap over spans of different lengths, or with axes that do not fit, is an error") {
  const auto p = points(3);
  const std::vector<double> scale(2);
  CHECK_THROWS_WITH_AS(jq::vmap(energy)(std::span(p), std::span(scale)), doctest::Contains("batches of different lengths"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(energy)(std::span(p), 1.0), doctest::Contains("give jq::in_axes<0, jq::none>"), jq::value_error);
}
TEST_CASE("map on threads gives what one thread gives") {
  const auto f = [](auto p) { return std::pair{jq::sin(p[0]) * p[1], jq::exp(-p[2] * p[2])}; };
  for (std::size_t n : {5, 100'003}) {
    std::vector<tensor<double, 3>> p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = {1e-3 * double(i), 1.5, 1e-5 * double(i)};
    std::vector<std::pair<double, double>> one(n), some(n), all(n);
    jq::map(f, p, one);
    jq::map(f, p, some, jq::threads(3));
    jq::map(f, p, all, jq::threads());
    CHECK(one == some);
    CHECK(one == all);
    CHECK(one[n - 1].first == doctest::Approx(1.5 * std::sin(p[n - 1][0])).epsilon(1e-14));
  }
}
TEST_CASE("map may write over its input") {
  auto p = points(21);
  const auto before = p;
  jq::map([](auto x) { return 2.0 * x; }, p, p);
  for (std::size_t i = 0; i < 21; ++i) CHECK(p[i][2] == 2 * before[i][2]);
}
TEST_CASE("taps in a mapped function are called item by item, in order") {
  static std::vector<double> seen;
  const auto f = [](auto x) {
    return jq::id_tap([](const auto& v) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, double>) seen.push_back(v);
    }, x * x);
  };
  std::vector<double> x(11), y(11);
  for (std::size_t i = 0; i < 11; ++i) x[i] = double(i);
  jq::map(f, x, y, jq::threads(2));
  CHECK(y[10] == 100);
  CHECK(seen == y);
  seen.clear();
  auto to = jq::columns<double>::contiguous(y.data(), 11);
  jq::map(f, jq::columns<const double>::contiguous(x.data(), 11), to);
  CHECK(seen == y);
}
TEST_CASE("items without lanes are shared by threads, too") {
  const std::size_t n = 300000;
  std::vector<jq::complex64> z(n), squares(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = {float(i % 7), float(i % 3)};
  jq::map([](auto x) { return x * x; }, z, squares, jq::threads(2));
  bool all = true;
  for (std::size_t i = 0; i < n; ++i) all = all && squares[i] == z[i] * z[i];
  CHECK(all);
}
