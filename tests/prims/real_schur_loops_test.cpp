// real_schur_loops: blocks of real and complex pairs, eigenvalues and eigenvectors of quasi-triangular matrices; in constant evaluation too.
#include <jacquard/prims/real_schur_loops.hpp>

#include <array>
#include <cmath>

#include <doctest/doctest.h>

using namespace jacquard::detail;
using number = jacquard::complex128;

static_assert([] {
  double a[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};  // a cycle: the cubic roots of 1
  number w[3] = {};
  if (!real_eigenvectors(a, w, static_cast<number*>(nullptr), 3)) return false;
  int real = 0;
  for (const number& x : w) real += x.im == 0 && x.re > 1 - 1e-14 && x.re < 1 + 1e-14;
  return real == 1;
}());

TEST_CASE("real schur: standardised blocks") {
  for (const auto& [p, q, r, s] : {std::array{1.0, 2.0, -3.0, 4.0}, {1.0, 2.0, 3.0, 4.0}, {0.0, 0.0, 5.0, 0.0}, {2.0, -1.0, 1.0, 2.0}, {1.0, 1e-9, -1e-9, 1.0 + 1e-9}}) {
    double a[] = {p, q, r, s}, z[] = {1, 0, 0, 1};
    standardise_block(a, z, 2, 0);
    const bool pair = a[2] != 0;
    CHECK(pair == ((p - s) * (p - s) + 4 * q * r < 0));
    if (pair) CHECK(a[0] == a[3]);
    if (pair) CHECK(a[1] * a[2] < 0);
    CHECK(a[0] + a[3] == doctest::Approx(p + s));
    CHECK(a[0] * a[3] - a[1] * a[2] == doctest::Approx(p * s - q * r));
    CHECK(z[0] * z[3] - z[1] * z[2] == doctest::Approx(1));
  }
}
TEST_CASE("real schur: eigenvectors of two pairs and a number between them") {
  const double t[] = {1, 2, 3, 4, 5, -8, 1, 2, 6, 7, 0, 0, 3, 1, 2, 0, 0, 0, -1, 4, 0, 0, 0, -1, -1};
  number w[5] = {};
  block_eigenvalues(t, w, 5);
  CHECK(w[0].im == doctest::Approx(4));
  CHECK(w[1].im == -w[0].im);
  CHECK(w[2].im == 0);
  CHECK(w[3].im == doctest::Approx(2));
  for (int k : {0, 2, 3}) {
    number y[5] = {};
    block_eigenvector(t, w[k], y, 5, k + (w[k].im != 0 ? 2 : 1), 1e-300);
    for (int i = 0; i < 5; ++i) {
      number sum(0, 0);
      for (int j = 0; j < 5; ++j) sum = sum + y[j] * t[i * 5 + j];
      const number gap = sum - w[k] * y[i];
      CHECK(norm_of(&gap, 1, 1) < 1e-13);
      if (w[k].im == 0) CHECK(y[i].im == 0);
    }
  }
}
