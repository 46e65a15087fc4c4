// Inverse and hyperbolic functions, other bases, angles: values against <cmath>, plain numbers, safe derivatives.
#include "numpy_testing.hpp"

#include <jacquard/numpy/elementary.hpp>

static_assert(jq::asin(1.0) == 1.5707963267948966 && jq::exp2(10) == 1024 && jq::cbrt(27.0) == 3 && jq::log2(8.0f) == 3);
static_assert(jq::log10(1000.0) == 3 && jq::log10(1e-5f) == -5 && jq::log10(100) == 2 && jq::radians(180) == 3.141592653589793 && jq::degrees(jq::radians(90.f)) == 90);
static_assert(jq::reciprocal(4) == 0.25 && jq::fabs(-3) == 3.0 && jq::positive(-3) == -3 && jq::hypot(3, 4.f) == 5 && jq::float_power(2, 3) == 8.0);
static_assert(jq::sinc(0) == 1 && jq::sinc(1.0) == 0 && jq::sinc(0.5) == 0.6366197723675814 && jq::angle(-2.0) == 3.141592653589793);
static_assert(jq::angle(jq::complex<double>(0, 2), true) == 90 && jq::logaddexp(0.0, 0.0) == 0.6931471805599453 && jq::logaddexp2(3, 3) == 4);
static_assert(std::is_same_v<decltype(jq::hypot(3.f, 4.f)), float> && std::is_same_v<decltype(jq::log10(jq::float16(1))), jq::float16>);
static_assert(jq::arccos(1) == 0 && jq::sinh(0.0) == 0 && jq::arctanh(0.0) == 0 && jq::acosh(1.0) == 0 && jq::erfc(0.0) == 1);
static_assert(traced([](array x) { return jq::hypot(jq::sinc(x), jq::logaddexp(x, jq::arcsinh(x))); }, {2}) > 0);
static_assert(jq::grad([](auto x) { return jq::arctan(x); })(1.0) == 0.5);

namespace {
double at(const array& x) { return x.item<double>(); }
template <class F>
double slope(F f, double x) {
  return jq::grad([f](const array& v) { return f(v); })(asarray(x)).template item<double>();
}
}  // namespace

TEST_CASE("known values") {
  const double x = 0.4;
  const array v = asarray(x);
  CHECK(at(jq::exp2(v)) == doctest::Approx(std::exp2(x)));
  CHECK(at(jq::arcsin(v)) == doctest::Approx(std::asin(x)));
  CHECK(at(jq::arccos(v)) == doctest::Approx(std::acos(x)));
  CHECK(at(jq::arctan(v)) == doctest::Approx(std::atan(x)));
  CHECK(at(jq::sinh(v)) == doctest::Approx(std::sinh(x)));
  CHECK(at(jq::cosh(v)) == doctest::Approx(std::cosh(x)));
  CHECK(at(jq::arcsinh(v)) == doctest::Approx(std::asinh(x)));
  CHECK(at(jq::arccosh(asarray(1.4))) == doctest::Approx(std::acosh(1.4)));
  CHECK(at(jq::arctanh(v)) == doctest::Approx(std::atanh(x)));
  CHECK(at(jq::cbrt(asarray(-8.0))) == doctest::Approx(-2));
  CHECK(at(jq::erfc(v)) == doctest::Approx(std::erfc(x)));
  CHECK(at(jq::log2(asarray(8))) == doctest::Approx(3));
  CHECK(at(jq::log10(asarray(1000.0))) == doctest::Approx(3));
  CHECK(at(jq::deg2rad(asarray(180))) == doctest::Approx(3.141592653589793));
  CHECK(at(jq::degrees(asarray(3.141592653589793))) == doctest::Approx(180));
  CHECK(show(jq::reciprocal(asarray({4, -2}))) == "f64[2] 0.25 -0.5");
  CHECK(show(jq::fabs(asarray({-4, 2}))) == "f64[2] 4 2");
  CHECK(show(jq::positive(asarray({-4, 2}))) == "i32[2] -4 2");
  CHECK(show(jq::float_power(asarray({2, 3}), asarray(2))) == "f64[2] 4 9");
  CHECK(at(jq::angle(asarray(jq::complex128(0, 2)))) == doctest::Approx(1.5707963267948966));
  CHECK(at(jq::angle(asarray(jq::complex128(-1, 1)), true)) == doctest::Approx(135));
  CHECK(show(jq::angle(asarray({-1.0, 1.0}))) == "f64[2] 3.1416 0");
  CHECK(show(jq::asin(asarray({jq::complex128(2, 0)}))) == "c128[1] 1.5708+1.317i");
}
TEST_CASE("sums of exponentials do not overflow") {
  CHECK(at(jq::logaddexp(asarray(1000.0), 1000.0)) == doctest::Approx(1000.6931471805599));
  CHECK(at(jq::logaddexp(asarray(-inf), -inf)) == -inf);
  CHECK(at(jq::logaddexp(asarray(inf), 1.0)) == inf);
  CHECK(at(jq::logaddexp2(asarray(10.0), 10.0)) == doctest::Approx(11));
  CHECK(slope([](const array& x) { return jq::logaddexp(x, 0.0); }, 0.0) == doctest::Approx(0.5));
  CHECK(slope([](const array& x) { return jq::logaddexp(x, -inf); }, -inf) == 0);
}
TEST_CASE("sinc and hypot at their singular points") {
  CHECK(at(jq::sinc(asarray(0.0))) == 1);
  CHECK(at(jq::sinc(asarray(0.5))) == doctest::Approx(2 / 3.141592653589793));
  CHECK(std::abs(at(jq::sinc(asarray(3.0)))) < 1e-15);
  CHECK(slope([](const array& x) { return jq::sinc(x); }, 0.0) == 0);
  CHECK(slope([](const array& x) { return jq::grad([](const array& y) { return jq::sinc(y); })(x); }, 0.0) == doctest::Approx(-9.869604401089358 / 3));
  CHECK(at(jq::hypot(asarray(3e300), 4e300)) == doctest::Approx(5e300));
  CHECK(at(jq::hypot(asarray(0.0), 0.0)) == 0);
  CHECK(at(jq::hypot(asarray(-inf), not_a_number)) == inf);
  CHECK(slope([](const array& x) { return jq::hypot(x, 0.0); }, 0.0) == 0);
  CHECK(slope([](const array& x) { return jq::hypot(x, 4.0); }, 3.0) == doctest::Approx(0.6));
}
TEST_CASE("hypot: all derivatives, where sizes are equal and where one is 0") {
  // d2/dx2 sqrt(x^2 + y^2) = y^2 / r^3, and d3/dx3 = -3 x y^2 / r^5.
  for (const auto& [x, y] : {std::pair(1.0, 1.0), std::pair(-1.0, 1.0), std::pair(0.0, 2.0), std::pair(3.0, -4.0), std::pair(2.0, 0.0)}) {
    INFO(x << " " << y);
    const auto f = [y = y](const array& v) { return jq::hypot(v, asarray(y)); };
    const auto first = [&](const array& v) { return jq::grad(f)(v); };
    const auto second = [&](const array& v) { return jq::grad(first)(v); };
    const double r = std::hypot(x, y);
    CHECK(slope(f, x) == doctest::Approx(x / r));
    CHECK(slope(first, x) == doctest::Approx(y * y / (r * r * r)));
    CHECK(slope(second, x) == doctest::Approx(-3 * x * y * y / std::pow(r, 5)));
    const auto other = [x = x](const array& w) { return jq::grad([&](const array& v) { return jq::hypot(v, w); })(asarray(x)); };
    CHECK(slope(other, y) == doctest::Approx(-x * y / (r * r * r)));
  }
}
TEST_CASE("slopes at the ends of a domain are those of the function") {
  CHECK(slope([](const array& x) { return jq::arcsin(x); }, 1.0) == inf);
  CHECK(slope([](const array& x) { return jq::arccos(x); }, 1.0) == -inf);
  CHECK(slope([](const array& x) { return jq::arccosh(x); }, 1.0) == inf);
  CHECK(slope([](const array& x) { return jq::arctanh(x); }, 0.5) == doctest::Approx(4.0 / 3));
  CHECK(slope([](const array& x) { return jq::cbrt(x); }, 8.0) == doctest::Approx(1.0 / 12));
}
TEST_CASE("errors") {
  CHECK_ERROR(jq::type_error, jq::cbrt(asarray({jq::complex128(1, 1)})), "cbrt", "complex128", "wanted");
  CHECK_ERROR(jq::type_error, jq::fabs(asarray({jq::complex128(1, 1)})), "fabs", "complex128", "jq::abs");
  CHECK_ERROR(jq::type_error, jq::positive(asarray({true})), "bool");
  CHECK_ERROR(jq::shape_error, jq::hypot(jq::ones({2}), jq::ones({3})), "hypot", "(2,), (3,)");
}
TEST_CASE("sinc next to its zeros") {
  CHECK(at(jq::sinc(asarray(1.0000000000000002))) == doctest::Approx(-2.2204460492503126e-16).epsilon(1e-15));
  CHECK(at(jq::sinc(asarray(-2.999999))) == doctest::Approx(3.3333344449052586e-7).epsilon(1e-15));
  CHECK(at(jq::sinc(asarray(7.25))) == doctest::Approx(-0.031045390212314002).epsilon(1e-15));
  CHECK(at(jq::sinc(asarray(1e20))) == 0);
  CHECK(slope([](const array& x) { return jq::sinc(x); }, 2.0) == doctest::Approx(0.5));
}
TEST_CASE("logaddexp: a small share of the larger, and all derivatives where both are equal") {
  CHECK(at(jq::logaddexp(asarray(0.0), -40.0)) == doctest::Approx(4.248354255291589e-18).epsilon(1e-14));
  CHECK(at(jq::logaddexp2(asarray(-128.0), 0.0)) == doctest::Approx(4.239699676310764e-39).epsilon(1e-13));
  CHECK(std::isnan(at(jq::logaddexp(asarray(not_a_number), 0.0))));
  CHECK(at(jq::logaddexp(asarray(-inf), 2.0)) == 2);
  const auto f = [](const array& x) { return jq::logaddexp(x, 2.0); };
  CHECK(slope(jq::grad(f), 2.0) == doctest::Approx(0.25));
  CHECK(slope(f, -50.0) == doctest::Approx(std::exp(-52.0)));
  CHECK(slope(f, 60.0) == 1);
}
TEST_CASE("hypot of complex numbers is an error") {
  const auto z = jq::ones({2}, jq::c64);
  CHECK_THROWS_WITH_AS(jq::hypot(z, 1.0), doctest::Contains("hypot: got dtype complex64; wanted real numbers"), jq::type_error);
}
TEST_CASE("elementary: plain numbers are computed as arrays of them") {
  for (const double v : {-2.75, -1.0, -1e-3, 0.0, 0.3, 1.5, 40.0, 1e300, inf}) {
    const auto same = [v](double number, const array& of_array) {
      const double other = at(of_array);
      CHECK_MESSAGE((number == other || (number != number && other != other) || number == doctest::Approx(other).epsilon(1e-14)), v);
    };
    same(jq::log10(v), jq::log10(asarray(v)));
    same(jq::sinc(v), jq::sinc(asarray(v)));
    same(jq::angle(v), jq::angle(asarray(v)));
    same(jq::reciprocal(v), jq::reciprocal(asarray(v)));
    for (const double y : {-inf, -1.0, 0.3, 2e300}) {
      same(jq::hypot(v, y), jq::hypot(asarray(v), y));
      same(jq::logaddexp(v, y), jq::logaddexp(asarray(v), y));
    }
  }
}
TEST_CASE("whole numbers yield to floating point in functions of two operands") {
  const array whole = asarray({3, 4}), narrow = asarray({4.f, 3.f});
  CHECK(show(jq::hypot(whole, narrow)) == "f32[2] 5 5");
  CHECK(show(jq::float_power(narrow, asarray({true, false}))) == "f32[2] 4 1");
  for (const array& y : {jq::logaddexp(whole, narrow), jq::logaddexp(narrow, whole), jq::logaddexp2(whole, narrow)}) CHECK(y.dtype() == jq::f32);
  CHECK(jq::logaddexp2(whole, narrow.astype(jq::f16)).dtype() == jq::f16);
  CHECK(jq::hypot(whole, whole).dtype() == jq::f64);
  CHECK(jq::hypot(narrow, 2).dtype() == jq::f32);
  CHECK(jq::hypot(asarray(2.0), narrow).dtype() == jq::f64);
}
TEST_CASE("the angle of real numbers has the derivative 0 everywhere") {
  for (double x : {0.0, -0.0, 1e-300, -2.0}) CHECK(slope([](const array& v) { return jq::angle(v); }, x) == 0);
}
TEST_CASE("log2 and log10 of infinite complex numbers") {
  using z = jq::complex128;
  const array x = asarray({z(inf, 0), z(0, 0), z(0, inf), z(-8, 0)});
  CHECK(show(jq::log2(x)) == "c128[4] inf+0i -inf+0i inf+2.2662i 3+4.5324i");
  CHECK(show(jq::log10(x)(jq::slice(0, 3))) == "c128[3] inf+0i -inf+0i inf+0.68219i");
}
