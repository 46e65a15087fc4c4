// jacobi_loops: rotations that make zeros, values of known matrices, orthogonal columns, completed bases, the choice of phases.
#include <jacquard/prims/jacobi_loops.hpp>

#include <doctest/doctest.h>

using namespace jacquard::detail;
using number = jacquard::complex128;

static_assert([] {
  double a[] = {2, 1, 1, 2}, v[] = {1, 0, 0, 1};
  diagonalise(a, v, 2);
  const double product = a[0] * a[3], sum = a[0] + a[3];
  return product > 2.9999999 && product < 3.0000001 && sum > 3.9999999 && sum < 4.0000001 && a[1] == 0;
}());

TEST_CASE("jacobi: complex Hermitian matrices become real diagonals with the same invariants") {
  number a[] = {{2, 0}, {1, 1}, {0, -1}, {1, -1}, {0, 0}, {3, 0}, {0, 1}, {3, 0}, {-1, 0}}, v[9];
  for (int i = 0; i < 9; ++i) v[i] = number(i % 4 == 0);
  const double before = norm_of(a, 9, 1);
  diagonalise(a, v, 3);
  double sum = 0, squares = 0;
  for (int i = 0; i < 3; ++i) {
    sum += a[4 * i].re;
    squares += squared(a[4 * i]);
    CHECK(std::abs(a[4 * i].im) < 1e-15);
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(squares == doctest::Approx(before * before));
}
TEST_CASE("jacobi: columns become orthogonal, and the rotations are kept") {
  double u[] = {1, 2, 3, 4, 5, 6}, v[] = {1, 0, 0, 1};
  orthogonalise(u, v, 3, 2);
  CHECK(std::abs(u[0] * u[1] + u[2] * u[3] + u[4] * u[5]) < 1e-14);
  CHECK(v[0] * v[3] - v[1] * v[2] == doctest::Approx(1));
  CHECK(u[0] * v[0] + u[1] * v[1] == doctest::Approx(1));  // u v^T is the matrix again
  CHECK(u[4] * v[2] + u[5] * v[3] == doctest::Approx(6));
}
TEST_CASE("jacobi: a basis is completed by unit vectors orthogonal to it") {
  double q[] = {0.6, 0, 0, 0.8, 0, 0, 0, 0, 0};
  complete_column(q, 3, 3, 1);
  complete_column(q, 3, 3, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(q[i] * q[j] + q[3 + i] * q[3 + j] + q[6 + i] * q[6 + j] == doctest::Approx(double(i == j)).epsilon(1e-14));
}
TEST_CASE("jacobi: the largest element becomes real and positive; among nearly equal ones the first") {
  const number x[] = {{0, 1}, {0, -2}, {1, 0}};
  CHECK(squared(x[1] * phase_of(x, 3, 1) - number(2)) < 1e-30);
  const double y[] = {-1, 1.0001, 0.5};
  CHECK(phase_of(y, 3, 1) == -1);
  const double zero[] = {0, 0};
  CHECK(phase_of(zero, 2, 1) == 1);
  CHECK(phase_of(zero, 0, 1) == 1);
}
