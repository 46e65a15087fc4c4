// householder_loops: norms without overflow, reflections that make zeros, bases that are orthonormal; in constant evaluation too.
#include <jacquard/prims/householder_loops.hpp>

#include <doctest/doctest.h>
#include <limits>

#include <array>

using namespace jacquard::detail;
using number = jacquard::complex128;

static_assert([] {
  const double x[] = {3, 0, 4};
  return norm_of(x, 3, 1) == 5 && norm_of(x, 0, 1) == 0;
}());
static_assert([] {
  double x[] = {3, 4};
  const double tau = reflect(x, 2, 1);  // beta = -5, v = (1, 4 / 8)
  return x[0] == -5 && x[1] == 0.5 && tau == 1.6;
}());

TEST_CASE("householder: norms of huge, tiny and missing numbers") {
  const double huge[] = {3e300, 4e300}, tiny[] = {3e-300, 4e-300};
  CHECK(norm_of(huge, 2, 1) == doctest::Approx(5e300));
  CHECK(norm_of(tiny, 2, 1) == doctest::Approx(5e-300));
  const double nan[] = {1, std::numeric_limits<double>::quiet_NaN()}, infinite[] = {1, std::numeric_limits<double>::infinity()};
  CHECK_FALSE(norm_of(nan, 2, 1) < 1e308);
  CHECK_FALSE(norm_of(infinite, 2, 1) < 1e308);
}
TEST_CASE("householder: a reflection of complex numbers gives a real one and zeros") {
  const number x[] = {{1, 2}, {-3, 0.5}, {0, 4}};
  number v[] = {x[0], x[1], x[2]}, y[] = {x[0], x[1], x[2]};
  const number tau = reflect(v, 3, 1);
  const double beta = v[0].re;
  apply_reflection(v, 3, 1, conjugate(tau), y, 1, 1);
  CHECK(v[0].im == 0);
  CHECK(beta == doctest::Approx(-norm_of(x, 3, 1)));
  CHECK(std::abs(y[0].re - beta) < 1e-15);
  for (int i = 1; i < 3; ++i) CHECK(norm_of(y + i, 1, 1) < 1e-15);
}
TEST_CASE("householder: nothing to do has no reflection") {
  double x[] = {-2, 0, 0};
  CHECK(reflect(x, 3, 1) == 0);
  CHECK(x[0] == -2);
  number z[] = {{0, 3}};
  CHECK(reflect(z, 1, 1) != number(0));  // a complex number is still made real
  CHECK(z[0].im == 0);
}
TEST_CASE("householder: columns of the product of reflections are orthonormal") {
  double a[] = {1, 2, 3, 4, 5, 7}, taus[2], q[9];
  reflect_columns(a, 3, 2, taus);
  product_of_reflections(a, 3, 2, taus, q, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += q[3 * k + i] * q[3 * k + j];
      CHECK(sum == doctest::Approx(double(i == j)).epsilon(1e-14));
    }
}
TEST_CASE("householder: columns of tiny numbers have reflections to all digits") {
  // v^H v tau = 2, or for complex tau |tau|^2 v^H v = 2 Re tau: the reflection is unitary (Golub and Van Loan, section 5.1).
  const double least = std::numeric_limits<double>::denorm_min();
  double x[] = {3 * least, -4 * least, 12 * least};
  const double tau = reflect(x, 3, 1);
  CHECK(tau * (1 + x[1] * x[1] + x[2] * x[2]) == doctest::Approx(2).epsilon(1e-15));
  CHECK(x[0] == -13 * least);
  CHECK(x[1] == doctest::Approx(-4.0 / 16));
  const float small = std::numeric_limits<float>::denorm_min();
  jacquard::complex64 z[] = {{small, 2 * small}, {small, 0}, {0, -3 * small}};
  const jacquard::complex64 factor = reflect(z, 3, 1);
  CHECK(squared(factor) * (1 + squared(z[1]) + squared(z[2])) == doctest::Approx(2 * factor.re).epsilon(1e-6));
}
