// fourier_loops: roots of unity to the last place, transforms of impulses for every kind of length, lines of an array.
#include <jacquard/prims/fourier_loops.hpp>

#include <cmath>
#include <doctest/doctest.h>

using namespace jacquard::detail;
using number = jacquard::complex128;

namespace {
double squared_distance(number a, number b) { return norm(a - b); }
}  // namespace

static_assert(unit_root<double>(0, 8) == number(1, 0) && unit_root<double>(2, 8) == number(0, -1) && unit_root<double>(4, 8) == number(-1, 0) &&
              unit_root<double>(6, 8) == number(0, 1));
static_assert([] {
  number x[] = {{1, 0}, {1, 0}, {1, 0}};
  fourier_plan<double>(3).transform(x);
  return x[0] == number(3, 0) && x[1].re < 1e-15 && x[1].re > -1e-15;
}());

TEST_CASE("fourier: roots of unity are correct to the last place") {
  for (std::int64_t n : {3, 7, 24, 1000, 123457})
    for (std::int64_t k = 0; k < n; k += 1 + n / 50) {
      const long double angle = -2 * std::acos(-1.0L) * (long double)(k) / (long double)(n);
      const number w = unit_root<double>(k, n);
      CHECK(std::abs((long double)(w.re) - std::cos(angle)) < 1.2e-16L);
      CHECK(std::abs((long double)(w.im) - std::sin(angle)) < 1.2e-16L);
    }
}
TEST_CASE("fourier: an impulse becomes a wave, for factors, primes and a convolution") {
  for (std::int64_t n : {1, 2, 4, 6, 16, 27, 31, 60, 37, 74, 1009}) {
    INFO("length " << n);
    std::vector<number> x(std::size_t(n), number(0));
    x[std::size_t(n > 1)] = number(1);
    fourier_plan<double> plan(n);
    plan.transform(x.data());
    double error = 0;
    for (std::int64_t k = 0; k < n; ++k) error = std::max(error, squared_distance(x[std::size_t(k)], n > 1 ? unit_root<double>(k, n) : number(1)));
    CHECK(error < 1e-29);
  }
}
TEST_CASE("fourier: lines of an array along a dimension, there and back") {
  std::vector<number> x;
  for (int i = 0; i < 24; ++i) x.emplace_back(i % 5, i % 3);
  std::vector<number> y = x;
  transform_lines(y.data(), {2, 3, 4}, 1, false);
  CHECK(y[0] == x[0] + x[4] + x[8]);
  transform_lines(y.data(), {2, 3, 4}, 1, true);
  for (std::size_t i = 0; i < 24; ++i) CHECK(squared_distance(y[i], x[i] * 3.0) < 1e-28);
}
