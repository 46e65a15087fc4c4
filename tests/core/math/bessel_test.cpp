// The Bessel functions: the two series meet, symmetry, narrow types. Values are in tests/prims/bessel_test.cpp.
#include "jacquard/core/math/bessel.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;

static_assert(math::bessel_i0e(0.0) == 1 && math::bessel_i1e(-0.0) == 0 && math::bessel_i0e(0.0f) == 1);

TEST_CASE("the series meet at 8") {
  CHECK(math::bessel_i0e(8.0) == doctest::Approx(math::bessel_i0e(std::nextafter(8.0, 9.0))).epsilon(4e-15));
  CHECK(math::bessel_i1e(8.0) == doctest::Approx(math::bessel_i1e(std::nextafter(8.0, 9.0))).epsilon(4e-15));
}
TEST_CASE("even and odd") {
  for (const double x : {1e-300, 0.3, 7.0, 9.0, 1e300}) {
    CHECK(math::bessel_i0e(-x) == math::bessel_i0e(x));
    CHECK(math::bessel_i1e(-x) == -math::bessel_i1e(x));
  }
}
TEST_CASE("order 1 is smaller than order 0") {
  for (double x = 0.5; x < 50; x += 0.5) CHECK(math::bessel_i1e(x) < math::bessel_i0e(x));
}
