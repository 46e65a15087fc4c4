// Arrays that are made of few numbers are kept as single elements whatever their size: what is linear in a zero of an identity matrix is
// not computed, and dense arrays still run as loops. Values against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using frozen_steps::run, frozen_steps::steps_of;
using jq::tensor;

namespace {

constexpr int inputs = 13, outputs = 10;
using points = tensor<double, inputs>;
using slopes = tensor<double, outputs, inputs>;
constexpr double weights[] = {1. / 48, 23. / 48, 23. / 48, 1. / 48};

/// Squares of a cubic B-spline in the middles of its segments, as arrays and one by one.
constexpr auto spline = [](auto p) {
  const auto part = [&](int k) { return weights[k] * p(jq::slice(k, k + outputs)); };
  const auto y = part(0) + part(1) + part(2) + part(3);
  return y * y;
};
constexpr auto spline_one_by_one = [](auto p) {
  decltype(p[0]) r[outputs];
  for (int i = 0; i < outputs; ++i) {
    const auto y = weights[0] * p[i] + weights[1] * p[i + 1] + weights[2] * p[i + 2] + weights[3] * p[i + 3];
    r[i] = y * y;
  }
  return jq::stack({r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]});
};
constexpr points some_points() {
  points p{};
  for (std::size_t i = 0; i < inputs; ++i) p[i] = double((7 * i) % 13) / 4 - 1;
  return p;
}
double worst_of_spline(const slopes& got) {
  const points p = some_points();
  double worst = 0;
  for (std::size_t i = 0; i < outputs; ++i) {
    double y = 0;
    for (std::size_t k = 0; k < 4; ++k) y += weights[k] * p[i + k];
    for (std::size_t j = 0; j < inputs; ++j) {
      const double want = j >= i && j < i + 4 ? 2 * y * weights[j - i] : 0;
      worst = std::fmax(worst, std::fabs(want - got(i, j)));
    }
  }
  return worst;
}

/// Of the second differences of a chain, to the fourth power: a Hessian with five diagonals.
constexpr auto bending = [](auto x) {
  const auto d = x(jq::slice(2, jq::none)) - 2.0 * x(jq::slice(1, -1)) + x(jq::slice(0, -2));
  return jq::sum(d * d * d * d);
};
using chain = tensor<double, 12>;

}  // namespace

TEST_CASE("Jacobians of more than eight inputs cost what their elements other than zero cost") {
  constexpr auto forward = jq::jacfwd(spline);
  constexpr auto forward_one_by_one = jq::jacfwd(spline_one_by_one);
  constexpr auto reverse = jq::jacrev(spline);
  constexpr auto reverse_one_by_one = jq::jacrev(spline_one_by_one);
  const points p = some_points();
  CHECK(worst_of_spline(run(forward, p)) < 1e-15);
  CHECK(worst_of_spline(run(forward_one_by_one, p)) < 1e-15);
  CHECK(worst_of_spline(run(reverse, p)) < 1e-15);
  CHECK(worst_of_spline(run(reverse_one_by_one, p)) < 1e-15);
  static_assert(run(forward, some_points())(9, 0) == 0);
  // 26 products with weights, 30 sums, and at most four products for each of ten rows.
  static_assert(steps_of(forward, some_points()) <= 96);
  static_assert(steps_of(forward_one_by_one, some_points()) <= 96);
  static_assert(steps_of(reverse, some_points()) <= 96);
  static_assert(steps_of(reverse_one_by_one, some_points()) <= 96);
}
TEST_CASE("a Hessian with few diagonals") {
  constexpr auto second = jq::hessian(bending);
  chain x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(double(3 * i));
  double want[12][12]{};
  constexpr double c[] = {1, -2, 1};
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) want[i + a][i + b] += 12 * std::pow(x[i] - 2 * x[i + 1] + x[i + 2], 2) * c[a] * c[b];
  const tensor<double, 12, 12> got = run(second, x);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) CHECK(got(i, j) == doctest::Approx(want[i][j]).epsilon(1e-12));
  static_assert(steps_of(second, chain{}) < 160);
}
TEST_CASE("masks of numbers that count") {
  const auto lower = [](auto x) {  // the first column of a 10 x 10 matrix, in place of what lies below its diagonal
    const auto i = jq::arange(10);
    const auto below = jq::expand_dims(i, 1) > jq::expand_dims(i, 0);
    return jq::where(below, jq::expand_dims(x, 1), 0.0);
  };
  tensor<double, 10> x{};
  for (std::size_t i = 0; i < 10; ++i) x[i] = double(i + 1);
  const tensor<double, 10, 10> got = run(lower, x);
  bool all = true;
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) all = all && got(i, j) == (i > j ? x[i] : 0.0);
  CHECK(all);
  static_assert(steps_of(lower, tensor<double, 10>{}) == 0);
}
TEST_CASE("dense arrays run as loops, and what they are computed with lies in memory") {
  constexpr auto outer = [](auto x) {  // 10 x 10 cosines, with the diagonal counted twice
    const auto i = jq::arange(10);
    const auto diagonal = jq::expand_dims(i, 1) == jq::expand_dims(i, 0);
    return jq::cos(jq::expand_dims(x, 1) - 2.0 * jq::expand_dims(x, 0)) * jq::where(diagonal, 2.0, 1.0);
  };
  tensor<double, 10> x{};
  for (std::size_t i = 0; i < 10; ++i) x[i] = .1 * double(i + 1);
  const tensor<double, 10, 10> got = run(outer, x);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) CHECK(got(i, j) == doctest::Approx(std::cos(x[i] - 2 * x[j]) * (i == j ? 2 : 1)));
  static_assert(steps_of(outer, tensor<double, 10>{}) < 20);

  constexpr auto scaled = [](auto m) {  // of a large argument
    const auto i = jq::arange(12);
    return m * jq::where(jq::expand_dims(i, 1) == jq::expand_dims(i, 0), 3.0, 1.0);
  };
  tensor<double, 12, 12> m{};
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = double(i);
  const tensor<double, 12, 12> product = run(scaled, m);
  bool all = true;
  for (std::size_t i = 0; i < m.size(); ++i) all = all && product[i] == m[i] * (i % 13 == 0 ? 3 : 1);
  CHECK(all);
  static_assert(steps_of(scaled, tensor<double, 12, 12>{}) < 20);
}
