// jq::map: arrays of structs, structs of arrays, remainders, mixed element types.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <algorithm>
#include <cmath>

namespace jq = jacquard;
using jq::tensor;

namespace {

constexpr auto f = [](auto p) { return std::pair{jq::sin(p[0]) * p[1], jq::where(p[1] > p[2], p[1], jq::exp(p[2]))}; };
constexpr auto jacobian = [](auto p) {
  return jq::jacrev([](auto q) { return jq::stack({jq::sin(q[0]) * q[1], jq::tanh(q[2]) * q[1]}); })(p);
};
std::vector<tensor<double, 3>> inputs(std::size_t n) {
  std::vector<tensor<double, 3>> r;
  for (std::size_t i = 0; i < n; ++i) r.push_back({0.1 * double(i), 1.0 + double(i % 3), 0.05 * double(i)});
  return r;
}

}  // namespace

TEST_CASE("map: every count, with and without a remainder") {
  for (std::size_t n : {0, 1, 3, 8, 16, 21}) {
    const auto in = inputs(n);
    std::vector<std::pair<double, double>> out(n);
    jq::map(f, in, out);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(out[i].first == doctest::Approx(std::sin(in[i][0]) * in[i][1]).epsilon(1e-14));
      CHECK(out[i].second == doctest::Approx(in[i][1] > in[i][2] ? in[i][1] : std::exp(in[i][2])).epsilon(1e-14));
    }
  }
}
TEST_CASE("map: a Jacobian, from structs and from planes") {
  const auto in = inputs(19);
  std::vector<tensor<double, 2, 3>> out(19);
  jq::map(jacobian, in, out);
  std::vector<double> planes(3 * 19), results(6 * 19);
  for (std::size_t i = 0; i < 19; ++i)
    for (std::size_t k = 0; k < 3; ++k) planes[k * 19 + i] = in[i][k];
  auto to = jq::columns<tensor<double, 2, 3>>::contiguous(results.data(), 19);
  jq::map(jacobian, jq::columns<const tensor<double, 3>>::contiguous(planes.data(), 19), to);
  for (std::size_t i = 0; i < 19; ++i) {
    CHECK(out[i](0, 0) == doctest::Approx(std::cos(in[i][0]) * in[i][1]));
    CHECK(out[i](0, 2) == 0);
    CHECK(out[i](1, 1) == doctest::Approx(std::tanh(in[i][2])));
    for (std::size_t k = 0; k < 6; ++k) CHECK(results[k * 19 + i] == out[i][k]);
  }
}
TEST_CASE("map: element types may differ") {
  const std::vector<std::pair<double, float>> in{{1, 2.f}, {3, 4.f}, {5, 6.f}, {-1, 0.f}, {2, 2.f}};
  std::vector<std::tuple<float, bool>> out(5);
  jq::map([](auto p) { return std::tuple{p.second * 2.0, p.first > 2.0}; }, in, out);
  CHECK(out[0] == std::tuple{4.f, false});
  CHECK(out[1] == std::tuple{8.f, true});
  CHECK(out[4] == std::tuple{4.f, false});
}
TEST_CASE("map: too little room is an error") {
  const auto in = inputs(3);
  std::vector<std::pair<double, double>> out(2);
  CHECK_THROWS_WITH_AS(jq::map(f, in, out), doctest::Contains("got 3 inputs and room for 2 outputs"), jq::shape_error);
}

// Kernels that compare or index run lane by lane.
namespace {
constexpr auto middle = [](auto x) { return std::tuple{jq::sort(x)[2], jq::argmax(x), jq::take(x, jq::argmin(x)), jq::cumsum(x)}; };
constexpr auto noise = [](auto key) { return jq::random::normal(key, {3}); };
}  // namespace
TEST_CASE("map: sorting, places of extremes, elements by index and running sums of each item") {
  using row = jq::tensor<double, 5>;
  std::vector<row> in(19);
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t k = 0; k < 5; ++k) in[i][k] = double((i * 7 + k * 13) % 11);
  std::vector<std::tuple<double, std::int64_t, double, row>> out(in.size());
  jq::map(middle, in, out);
  for (std::size_t i = 0; i < in.size(); ++i) {
    row sorted = in[i];
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::get<0>(out[i]) == sorted[2]);
    CHECK(std::get<1>(out[i]) == std::max_element(in[i].begin(), in[i].end()) - in[i].begin());
    CHECK(std::get<2>(out[i]) == sorted[0]);
    CHECK(std::get<3>(out[i])[4] == doctest::Approx(sorted[0] + sorted[1] + sorted[2] + sorted[3] + sorted[4]));
  }
}
TEST_CASE("map: random numbers are those of one key after the other") {
  std::vector<jq::tensor<std::uint32_t, 2>> keys(11);
  for (std::uint32_t i = 0; i < 11; ++i) keys[i] = {7u, i};
  std::vector<jq::tensor<float, 3>> out(keys.size());
  jq::map(noise, keys, out);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto alone = jq::detail::run_static<std::remove_const_t<decltype(noise)>, jq::detail::own_result>(keys[i]);
    for (std::size_t k = 0; k < 3; ++k) CHECK(out[i][k] == doctest::Approx(alone[k]).epsilon(1e-5));
  }
}
