// hessenberg_loops: reflections from the right are adjoints of those from the left, zeros below the subdiagonal, rotations; in constant evaluation too.
#include <jacquard/prims/hessenberg_loops.hpp>

#include <array>
#include <cmath>

#include <doctest/doctest.h>

using namespace jacquard::detail;
using number = jacquard::complex128;

static_assert([] {
  double a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, z[9] = {};
  hessenberg_form(a, z, 3);
  return a[6] == 0 && z[0] == 1 && z[1] == 0 && a[0] == 1 && a[3] < -8.06 && a[3] > -8.07;  // -sqrt(4^2 + 7^2)
}());

TEST_CASE("hessenberg: rotations make a zero and keep the norm") {
  const number x(3, 1), y(-2, 4);
  number u[] = {x}, v[] = {y};
  const givens<number> g(x, y);
  g.rows(u, v, 1);
  CHECK(norm_of(v, 1, 1) < 1e-15);
  CHECK(norm_of(u, 1, 1) == doctest::Approx(std::sqrt(30.0)));
  const givens<double> swap(0, 2);
  CHECK(swap.c == 0);
  CHECK(swap.s == 1);
}
TEST_CASE("hessenberg: rotations of tiny numbers keep the norm") {
  const double least = std::numeric_limits<double>::denorm_min();
  const givens<double> g(least, 2 * least);
  CHECK(g.c == doctest::Approx(1 / std::sqrt(5.0)).epsilon(1e-15));
  CHECK(g.s == doctest::Approx(2 / std::sqrt(5.0)).epsilon(1e-15));
}
TEST_CASE("hessenberg: numbers of a range in which products have no digits are scaled by a power of two") {
  double huge[] = {3e300, -1e-10}, tiny[] = {0, 5e-320}, usual[] = {1e100, 1e-300}, nan[] = {1e300, std::nan("")};
  const double first = huge[0], second = tiny[1];
  const int up = in_safe_range(huge, 2), down = in_safe_range(tiny, 2);
  CHECK(std::abs(huge[0]) >= 1);
  CHECK(std::abs(huge[0]) < 2);
  CHECK(times_power_of_two(huge[0], up) == first);
  CHECK(tiny[1] >= 1);
  CHECK(times_power_of_two(tiny[1], down) == second);
  CHECK(in_safe_range(usual, 2) == 0);
  CHECK(in_safe_range(nan, 2) == 0);
  CHECK(nan[0] == 1e300);
  number pair[] = {{0, 1e200}};
  const int k = in_safe_range(pair, 1);
  CHECK(times_power_of_two(pair[0], k) == number(0, 1e200));
}
TEST_CASE("hessenberg: from the right a reflection is the adjoint of the one from the left") {
  const number v[] = {{1, 0}, {2, -1}, {0, 3}}, tau(0.1, 0.2);
  number left[] = {{1, 1}, {2, 0}, {-1, 4}}, right[] = {conjugate(left[0]), conjugate(left[1]), conjugate(left[2])};
  apply_reflection(v, 3, 1, tau, left, 1, 1);
  apply_reflection_right(v, 3, 1, conjugate(tau), right, 3, 1);
  for (int i = 0; i < 3; ++i) {
    const number gap = right[i] - conjugate(left[i]);
    CHECK(norm_of(&gap, 1, 1) < 1e-14);
  }
}
TEST_CASE("hessenberg: blocks begin where the element before does not count") {
  double a[] = {1, 2, 3, 1e-20, 2, 3, 0, 1, 1};
  CHECK(start_of_block(a, 3, 2) == 1);
  CHECK(a[3] == 0);
  CHECK(start_of_block(a, 3, 0) == 0);
}
