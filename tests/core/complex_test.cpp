// Complex numbers: conversions to and from std::complex, the operators against it, and division at the edges
// of the range.
#include "jacquard/core/complex.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include <doctest/doctest.h>

#include "math/ulp.hpp"

using jacquard::complex128;
using jacquard::complex64;
using std_complex = std::complex<double>;

static_assert(sizeof(complex128) == 16 && alignof(complex128) == alignof(double) &&
              std::is_trivially_copyable_v<complex64>);
static_assert(jacquard::is_complex_v<complex64> && !jacquard::is_complex_v<std_complex> &&
              !jacquard::is_complex_v<double>);
static_assert(std::is_convertible_v<std_complex, complex128> &&
              std::is_convertible_v<complex128, std_complex>);
static_assert(std::is_convertible_v<complex64, complex128> && !std::is_convertible_v<complex128, complex64>);
static_assert(std::is_constructible_v<complex64, complex128> &&
              std::is_constructible_v<complex64, std_complex>);
static_assert(std::is_convertible_v<double, complex128> && !std::is_convertible_v<complex128, double>);

constexpr complex128 a{1, 2};
constexpr complex128 b{3, -4};
static_assert(a + b == complex128(4, -2) && a - b == complex128(-2, 6) && a * b == complex128(11, 2));
static_assert(a * b / b == a && a / 2 == complex128(0.5, 1) && 2 * a == a + a && 1 - a == complex128(0, -2));
static_assert(-a == complex128(-1, -2) && conj(a) == complex128(1, -2) && norm(b) == 25 && abs(b) == 5);
static_assert(arg(complex128(0, 1)) == 1.5707963267948966 && abs(complex64(2e38f, 2e38f)) > 2.8e38f);
static_assert(a.real() == 1 && a.imag() == 2 && complex128(std_complex(1, 2)) == a &&
              std_complex(a) == std_complex(1, 2));
static_assert(complex128(1e308, 1e308) / complex128(1e308, -1e308) == complex128(0, 1));
static_assert(complex128(1) / complex128(0) != complex128(0));
static_assert((complex128(1e308) * complex128(1e308)).re > std::numeric_limits<double>::max());

template <complex64 Z>
struct with_complex {};
static_assert(std::is_same_v<with_complex<complex64(1, 2)>, with_complex<complex64(1, 2)>>);

namespace {

using wide = std::complex<long double>;

// The error of z relative to |reference|, in units of 2^-53.
double relative_error(complex128 z, wide reference) {
  return static_cast<double>(std::abs(wide(z.re, z.im) - reference) / std::abs(reference) * 0x1p53L);
}

}  // namespace

TEST_CASE("products and quotients have a small error in norm") {
  std::mt19937_64 random(1);
  double worst = 0;
  const auto sample = [&](double low, double high) {
    return complex128(ulp::binades(low, high)(random), ulp::binades(low, high)(random));
  };
  for (int i = 0; i < 20000; ++i) {
    const complex128 x = sample(-100, 100);
    const complex128 y = sample(-100, 100);
    worst = std::max(worst, relative_error(x * y, wide(x.re, x.im) * wide(y.re, y.im)));
    worst = std::max(worst, relative_error(x / y, wide(x.re, x.im) / wide(y.re, y.im)));
    // The same numbers near the ends of the range, where squares of the parts are out of it.
    for (const int k : {900, -900}) {
      const complex128 u(std::ldexp(x.re, k), std::ldexp(x.im, k));
      const complex128 v(std::ldexp(y.re, k), std::ldexp(y.im, k));
      worst = std::max(worst, relative_error(u / v, wide(x.re, x.im) / wide(y.re, y.im)));
    }
  }
  CHECK(worst <= 4);
}

TEST_CASE("quotients of zeros and infinities follow Annex G") {
  const double inf = ulp::inf;
  CHECK((complex128(1) / complex128(0)).re == inf);
  CHECK((complex128(1, 1) / complex128(0)).im == inf);
  CHECK((complex128(inf, 1) / complex128(2)).re == inf);
  CHECK(complex128(1, 1) / complex128(inf, -inf) == complex128(0));
  CHECK(std::isnan((complex128(0) / complex128(0)).re));
  CHECK(std::isnan((complex128(inf) / complex128(inf)).re));
  CHECK(std::isnan((complex128(ulp::nan) / complex128(1)).re));
}

TEST_CASE("a real operand leaves the other part alone") {
  const complex128 z(1, -0.0);
  CHECK(std::signbit((z + 1).im));
  CHECK(std::signbit((z - 1).im));
  CHECK(complex128(1, 0) * ulp::inf != complex128(ulp::inf, 0));
  CHECK((complex128(1, 2) * ulp::inf) == complex128(ulp::inf, ulp::inf));
  CHECK(complex128(4, 2) / 2 == complex128(2, 1));
}

TEST_CASE("modulus, angle and compound assignment") {
  complex64 z(3, 4);
  CHECK(abs(z) == 5);
  CHECK(arg(complex64(-1, 0)) == doctest::Approx(3.14159274));
  z += 1;
  z *= complex64(0, 1);
  z -= complex64(0, 4);
  z /= complex64(2);
  CHECK(z == complex64(-2, 0));
  const std::complex<float> foreign = z;
  CHECK(complex64(foreign) == z);
  CHECK(abs(complex128(0x1p-1074, 0x1p-1074)) == 0x1p-1074);
}
