// jq::map: arrays of structs, structs of arrays, remainders, mixed element types.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <algorithm>
#include <cmath>
#include <complex>

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

TEST_CASE("map: fractions become integers as they do in a call") {
  const auto check = [](auto to) {
    using T = decltype(to);
    const std::vector<double> x{-20, 300, 255.9, __builtin_nan(""), 3e9, 12, -1.7, -0.7, 1e30, -1e30, 2147483647.0, -2147483648.0, 9.3e18, 1.85e19, 65535.5, __builtin_inf()};
    constexpr auto f = [](auto v) { return jq::astype(v, jq::dtype_of<T>()); };
    std::vector<T> got(x.size());
    jq::map(f, x, got);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CAPTURE(x[i]);
      CHECK(got[i] == jq::jit(f)(x[i]));
    }
  };
  check(std::uint8_t{}), check(std::int8_t{}), check(std::uint16_t{}), check(std::int32_t{}), check(std::uint32_t{}), check(std::int64_t{}), check(std::uint64_t{});
}
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
TEST_CASE("map: inputs of bool, alone and beside numbers") {
  const std::array<bool, 9> flags{true, true, false, true, false, false, true, true, false};
  std::array<bool, 9> opposite{};
  jq::map([](auto b) { return !b; }, flags, opposite);
  std::vector<std::tuple<float, bool, double>> choices(9);
  for (std::size_t i = 0; i < 9; ++i) choices[i] = {1.5f + float(i), flags[i], -2.0 - double(i)};
  std::vector<double> chosen(9), counted(9);
  jq::map([](auto c) { return jq::where(std::get<1>(c), std::get<0>(c), std::get<2>(c)); }, choices, chosen);
  jq::map([](auto b) { return b + 0.5; }, flags, counted);
  for (std::size_t i = 0; i < 9; ++i) {
    CAPTURE(i);
    CHECK(opposite[i] != flags[i]);
    CHECK(chosen[i] == (flags[i] ? double(std::get<0>(choices[i])) : std::get<2>(choices[i])));
    CHECK(counted[i] == (flags[i] ? 1.5 : 0.5));
  }
}
TEST_CASE("map: order among bools, and the largest and smallest of them") {
  using flags = tensor<bool, 3>;
  std::vector<flags> in;
  for (int i = 0; i < 8; ++i) in.push_back({(i & 1) != 0, (i & 2) != 0, (i & 4) != 0});
  std::vector<std::tuple<bool, bool, bool, bool, flags>> out(8);
  jq::map([](auto v) { return std::tuple{v[0] < v[1], v[0] >= v[1], jq::max(v), jq::min(v), jq::maximum(v, v[0])}; }, in, out);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto [a, b, c] = in[i].elements;
    CAPTURE(i);
    CHECK(out[i] == std::tuple{a < b, a >= b, a || b || c, a && b && c, flags{a, a || b, a || c}});
  }
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

namespace {

/// Doubled until it is 100 or more. Of numbers that are not positive it would never end.
constexpr auto doubled = [](auto x) {
  return jq::lax::while_loop([](auto c) { return c < 100.0; }, [](auto c) { return c * 2.0; }, x);
};
/// The steps of 3 n + 1 until 1.
constexpr auto collatz = [](auto x) {
  const auto goes_on = [](const auto& c) { return std::get<0>(c) != 1; };
  const auto step = [](const auto& c) {
    const auto [n, steps] = c;
    return std::tuple{jq::where(n % 2 == 0, n / 2, 3 * n + 1), steps + 1};
  };
  return std::get<1>(jq::lax::while_loop(goes_on, step, std::tuple{x, jq::zeros_like(x)}));
};
/// Multiples of 7, by ones, until 50.
constexpr auto climb = [](auto x) {
  const auto to_multiple = [](auto a) {
    return jq::lax::while_loop([](auto b) { return b % 7 != 0; }, [](auto b) { return b + 1; }, a + 1);
  };
  return jq::lax::while_loop([](auto a) { return a < 50; }, to_multiple, x);
};
constexpr auto only_positive = [](auto x) {
  return jq::lax::cond(x > 0.0, doubled, [](auto y) { return y - 1.0; }, x);
};
constexpr auto chosen = [](auto x) {
  return jq::lax::switch_(x, std::tuple{[](auto y) { return y * 10; }, [](auto y) { return y + 1000; }, [](auto y) { return -y; }}, x);
};
constexpr auto slope = jq::grad([](auto x) {
  return jq::lax::cond(x > 0.0, [](auto y) { return y * y; }, [](auto y) { return -y; }, x);
});

}  // namespace

TEST_CASE("map: each item takes its own branch and its own number of trips") {
  for (const int n : {1, 5, 16, 37, 100}) {
    std::vector<double> x, y(std::size_t(n), 0), slopes(y);
    std::vector<int> k, steps(std::size_t(n), 0), tops(steps), choices(steps);
    for (int i = 0; i < n; ++i) x.push_back(i % 5 - 1), k.push_back(i - 2);
    jq::map(only_positive, x, y);
    jq::map(slope, x, slopes);
    jq::map(chosen, k, choices);
    jq::map(climb, k, tops);
    for (int& i : k) i += 3;
    jq::map(collatz, k, steps);
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      double end = x[i] > 0 ? x[i] : x[i] - 1;
      while (x[i] > 0 && end < 100) end *= 2;
      CHECK(y[i] == end);
      CHECK(slopes[i] == (x[i] > 0 ? 2 * x[i] : -1));
      const int index = k[i] - 3;
      CHECK(choices[i] == (index <= 0 ? index * 10 : index == 1 ? 1001 : -index));
      int top = index, count = 0;
      while (top < 50) {
        ++top;
        while (top % 7 != 0) ++top;
      }
      CHECK(tops[i] == top);
      for (int a = k[i]; a != 1; ++count) a = a % 2 == 0 ? a / 2 : 3 * a + 1;
      CHECK(steps[i] == count);
    }
  }
}
TEST_CASE("map: complex numbers and 16-bit floats, one item after the other") {
  const auto turned = [](auto z) { return jq::exp(z) / (z * z + 3.0); };
  const std::vector<std::complex<double>> in{{1, 2}, {-0.5, 0.25}, {0, -3}};
  const std::vector<jq::complex128> ours{{1, 2}, {-0.5, 0.25}, {0, -3}};
  std::vector<std::complex<double>> out(3);
  std::vector<jq::complex128> same(3);
  jq::map(turned, in, out);
  jq::map(turned, ours, same);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::complex<double> wanted = std::exp(in[i]) / (in[i] * in[i] + 3.0);
    CHECK(std::abs(out[i] - wanted) < 1e-15);
    CHECK(same[i] == jq::complex128(out[i].real(), out[i].imag()));
  }

  std::vector<double> parts(6), sizes(3);  // two planes
  for (std::size_t i = 0; i < 3; ++i) parts[i] = in[i].real(), parts[3 + i] = in[i].imag();
  auto to = jq::columns<double>::contiguous(sizes.data(), 3);
  jq::map([](auto p) { return jq::abs(jq::lax::complex(p[0], p[1])); }, jq::columns<const tensor<double, 2>>::contiguous(parts.data(), 3), to);
  for (std::size_t i = 0; i < 3; ++i) CHECK(sizes[i] == doctest::Approx(std::abs(in[i])).epsilon(1e-15));

  const std::vector<jq::float16> narrow{jq::float16(0.5f), jq::float16(2.f), jq::float16(-1.f)};
  std::vector<jq::float16> raised(3);
  jq::map([](auto x) { return x * x + x; }, narrow, raised);
  CHECK(raised == std::vector<jq::float16>{jq::float16(0.75f), jq::float16(6.f), jq::float16(0.f)});
  const std::vector<jq::bfloat16> brains{jq::bfloat16(3.f)};
  const std::vector<jq::bfloat16> twice = jq::vmap(jq::grad([](auto x) { return x * x; }))(std::span<const jq::bfloat16>(brains));
  CHECK(twice == std::vector<jq::bfloat16>{jq::bfloat16(6.f)});
}
