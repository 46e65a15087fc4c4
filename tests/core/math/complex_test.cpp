// The functions of a complex number against std::complex<long double>, in norm, and their values at the
// edges.
#include "jacquard/core/math/complex.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;
using jacquard::complex128;
using jacquard::complex64;
using wide = std::complex<long double>;

static_assert(math::abs(complex64(3, 4)) == 5 && math::exp(complex128(0, 1)).re == 0.5403023058681398);
static_assert(math::sqrt(complex128(-4)) == complex128(0, 2) &&
              math::sqrt(complex128(-4, -0.0)) == complex128(0, -2));
static_assert(math::conj(complex128(1, 2)) == complex128(1, -2) &&
              math::sign(complex128(3, -4)) == complex128(0.6, -0.8));
static_assert(math::powi(complex128(0, 1), -2) == complex128(-1) &&
              math::logistic(complex128(0)) == complex128(0.5));
static_assert(math::pow(complex128(0), complex128(0)) == complex128(1) &&
              math::pow(complex128(0), complex128(2)) == complex128(0));
static_assert(math::is_nan(math::exp(complex128(std::numeric_limits<double>::quiet_NaN(), 1))));
static_assert(math::is_inf(math::exp(complex128(800, 1))) &&
              math::is_finite(math::tanh(complex128(800, 800))));
static_assert(math::add(complex64(1), complex64(0, 1)) == complex64(1, 1) &&
              math::negate(complex64(1)) == complex64(-1));
static_assert(math::log(complex128(0)).re < -1e308 && math::log(complex64(-1)).im > 3.14159f);
static_assert(math::complex_scalar<complex64> && !math::complex_scalar<double>);

namespace {

// The largest |f(z) - reference| / |reference| over random z, in units of 2^-53.
template <class F, class Reference, class Sampler>
double largest_norm(F f, Reference reference, Sampler sampler) {
  std::mt19937_64 random(7);
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    const complex128 z(sampler(random), sampler(random));
    const complex128 value = f(z);
    const wide expected = reference(wide(z.re, z.im));
    worst = std::max(worst,
                     static_cast<double>(std::abs(wide(value.re, value.im) - expected) / std::abs(expected)));
  }
  return worst * 0x1p53;
}

// Equal parts, NaN and signs of zero included.
bool same(complex128 z, double re, double im) { return ulp::same(z.re, re) && ulp::same(z.im, im); }

}  // namespace

#define CHECK_NORM(NAME, SAMPLER, BOUND)                                                              \
  CHECK(largest_norm([](complex128 z) { return math::NAME(z); }, [](wide z) { return std::NAME(z); }, \
                     SAMPLER) <= BOUND)

TEST_CASE("errors in norm") {
  CHECK_NORM(exp, ulp::between(-5, 5), 4);
  CHECK_NORM(exp, ulp::between(-700, 709), 6);
  CHECK_NORM(log, ulp::binades(-1000, 1000), 1.5);
  CHECK_NORM(log, ulp::between(-1.2, 1.2), 1.5);
  CHECK_NORM(sqrt, ulp::binades(-1000, 1000), 3);
  CHECK_NORM(sqrt, ulp::between(-2, 2), 3);
  CHECK_NORM(sin, ulp::between(-3, 3), 5);
  CHECK_NORM(cos, ulp::between(-3, 3), 5);
  CHECK_NORM(tan, ulp::between(-3, 3), 8);
  CHECK_NORM(sinh, ulp::between(-300, 300), 5);
  CHECK_NORM(cosh, ulp::between(-30, 30), 5);
  CHECK_NORM(tanh, ulp::between(-30, 30), 8);
  CHECK_NORM(tanh, ulp::binades(-30, 2), 8);
}

TEST_CASE("functions that std::complex lacks") {
  const auto expm1 = [](wide z) {
    const long double half = std::sin(z.imag() / 2);
    return wide(std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
                std::exp(z.real()) * std::sin(z.imag()));
  };
  const auto log1p = [](wide z) {
    const long double square = z.real() * (2 + z.real()) + z.imag() * z.imag();
    return wide(0.5L * std::log1p(square), std::atan2(z.imag(), 1 + z.real()));
  };
  const auto positive = [](auto& random) { return std::fabs(ulp::binades(-40, 10)(random)); };
  CHECK(largest_norm([](complex128 z) { return math::expm1(z); }, expm1, ulp::binades(-30, 2)) <= 6);
  CHECK(largest_norm([](complex128 z) { return math::log1p(z); }, log1p, positive) <= 4);
  const auto logistic = [](wide z) { return wide(1) / (wide(1) + std::exp(-z)); };
  CHECK(largest_norm([](complex128 z) { return math::logistic(z); }, logistic, ulp::between(-1.5, 1.5)) <=
        12);
  const auto power = [](wide z) { return std::pow(z, wide(1.5L, -0.5L)); };
  CHECK(largest_norm([](complex128 z) { return math::pow(z, complex128(1.5, -0.5)); }, power,
                     ulp::between(-2, 2)) <= 30);
}

TEST_CASE("values at the edges") {
  const double inf = ulp::inf;
  const double none = ulp::nan;
  CHECK(same(math::exp(complex128(-inf, inf)), 0, 0));
  CHECK(same(math::exp(complex128(inf, 0)), inf, 0));
  CHECK(same(math::exp(complex128(none, 0)), none, 0));
  // exp(709.9) is out of range, its product with the cosine is not.
  const wide beyond = std::exp(wide(709.9, 1.5707));
  CHECK(ulp::error(math::exp(complex128(709.9, 1.5707)).re, beyond.real()) < ulp::bound(8));
  CHECK(same(math::sqrt(complex128(0, -0.0)), 0, -0.0));
  CHECK(same(math::sqrt(complex128(-inf, 1)), 0, inf));
  CHECK(same(math::sqrt(complex128(none, -inf)), inf, -inf));
  CHECK(same(math::sqrt(complex128(1e308, 1e308)), std::sqrt(std::complex<double>(1e308, 1e308)).real(),
             std::sqrt(std::complex<double>(1e308, 1e308)).imag()));
  CHECK(same(math::log(complex128(-0.0, 0.0)), -inf, 3.141592653589793));
  CHECK(same(math::tanh(complex128(inf, 1)), 1, 0));
  CHECK(math::sinh(complex128(inf, 0)).re == inf);
  CHECK(math::sign(complex128(0)) == complex128(0));
  CHECK(math::is_nan(math::pow(complex128(0), complex128(-1))));
  CHECK(ulp::error(math::log1p(complex128(-1, 1e-310)).re, std::log(1e-310L)) < ulp::bound(1));  // the square of 1e-310 is 0
  CHECK(same(math::log1p(complex128(-1, 0)), -inf, 0));
  CHECK(math::abs(complex64(3e38f, 0)) == 3e38f);
  CHECK(math::rsqrt(complex128(4)) == complex128(0.5));
}

TEST_CASE("zeros have the signs of Annex G") {
  for (const double re : {0.0, -0.0, 2.0, -2.0, 4.0})
    for (const double im : {0.0, -0.0, 2.0, -2.0, 4.0}) {
      if (re != 0 && im != 0) continue;
      const complex128 z(re, im);
      const std::complex<double> w(re, im);
      CAPTURE(re);
      CAPTURE(im);
      const auto near = [&](complex128 ours, std::complex<double> want) {
        CHECK(std::signbit(ours.re) == std::signbit(want.real()));
        CHECK(std::signbit(ours.im) == std::signbit(want.imag()));
      };
      near(math::sin(z), std::sin(w)), near(math::cos(z), std::cos(w)), near(math::tan(z), std::tan(w));
      near(math::sinh(z), std::sinh(w)), near(math::cosh(z), std::cosh(w)), near(math::tanh(z), std::tanh(w));
      near(math::exp(z), std::exp(w)), near(math::sqrt(z), std::sqrt(w));
    }
}

TEST_CASE("inverse functions are within a few units, on both sides of their cuts") {
  for (const auto& sampler : {ulp::between(-2, 2), ulp::between(-1e-3, 1e-3), ulp::between(-1e6, 1e6)}) {
    CHECK_NORM(asin, sampler, 6);
    CHECK_NORM(acos, sampler, 6);
    CHECK_NORM(atan, sampler, 6);
    CHECK_NORM(asinh, sampler, 6);
    CHECK_NORM(acosh, sampler, 6);
    CHECK_NORM(atanh, sampler, 6);
  }
  for (const double im : {0.0, -0.0})
    for (const double re : {-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 1e200, ulp::inf, -ulp::inf}) {
      const complex128 z(re, im), turned(im, re);
      const std::complex<double> w(re, im), v(im, re);
      INFO(re << " " << im);
      const auto agree = [](complex128 a, std::complex<double> b) {
        const auto near = [](double x, double y) { return x == y || std::abs(x - y) <= 4e-16 * (1 + std::abs(y)); };
        return near(a.re, b.real()) && near(a.im, b.imag()) && std::signbit(a.re) == std::signbit(b.real()) &&
               std::signbit(a.im) == std::signbit(b.imag());
      };
      CHECK(agree(math::asin(z), std::asin(w)));
      CHECK(agree(math::acos(z), std::acos(w)));
      CHECK(agree(math::acosh(z), std::acosh(w)));
      CHECK(agree(math::atanh(z), std::atanh(w)));
      CHECK(agree(math::asinh(turned), std::asinh(v)));
      CHECK(agree(math::atan(turned), std::atan(v)));
    }
  CHECK(same(math::acosh(complex128(ulp::nan, ulp::inf)), ulp::inf, ulp::nan));
  CHECK(math::is_nan(math::asin(complex128(ulp::nan, 1))));
}
TEST_CASE("powers of two") {
  CHECK(largest_norm([](complex128 z) { return math::exp2(z); }, [](wide z) { return std::exp(z * std::log(2.0L)); },
                     ulp::between(-8, 8)) <= 8);
  CHECK(same(math::exp2(complex128(10, 0)), 1024, 0));
  CHECK(math::is_finite(math::exp2(complex128(1024, 1.2))));
}
TEST_CASE("the sign of a NaN, which nobody chose, decides nothing") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [&](const char* name, auto f) {
    for (double other : {0.0, -0.0, 1.0, -1.0, 0.3, -25.0, 800.0, 1e300, -1e300, 1e-300, inf, -inf, nan})
      for (bool in_real : {false, true}) {
        const auto at = [&](double quiet) { return f(in_real ? complex128(quiet, other) : complex128(other, quiet)); };
        const complex128 plus = at(std::copysign(nan, 1.0)), minus = at(std::copysign(nan, -1.0));
        CAPTURE(std::string(name));
        CAPTURE(other);
        CAPTURE(in_real);
        CHECK(same(plus, minus.re, minus.im));
      }
  };
#define CHECK_NAN(NAME) check(#NAME, [](complex128 z) { return math::NAME(z); })
  CHECK_NAN(exp), CHECK_NAN(expm1), CHECK_NAN(log), CHECK_NAN(log1p), CHECK_NAN(sqrt), CHECK_NAN(sinh), CHECK_NAN(cosh), CHECK_NAN(tanh);
  CHECK_NAN(logistic), CHECK_NAN(sin), CHECK_NAN(cos), CHECK_NAN(tan), CHECK_NAN(exp2), CHECK_NAN(asin), CHECK_NAN(acos), CHECK_NAN(atan);
  CHECK_NAN(asinh), CHECK_NAN(acosh), CHECK_NAN(atanh);
#undef CHECK_NAN
}
