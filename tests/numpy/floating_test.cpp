// Signs, neighbours, fractions and exponents: against <cmath>, at the edges of the formats.
#include "numpy_testing.hpp"

#include <jacquard/numpy/floating.hpp>

#include <cfloat>

static_assert(jq::nextafter(1.0, 2.0) == 1 + DBL_EPSILON && jq::nextafter(1.0f, 0.f) == 1 - FLT_EPSILON / 2);

namespace {
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("signs") {
  CHECK(show(jq::signbit(asarray({-0.0, 0.0, -3.0, inf}))) == "bool[4] 1 0 1 0");
  CHECK(show(jq::signbit(asarray({-1, 2}))) == "bool[2] 1 0");
  CHECK(show(jq::copysign(asarray({1.0, -2.0}), asarray({-0.0, 3.0}))) == "f64[2] -1 2");
  CHECK(show(jq::heaviside(asarray({-1.0, 0.0, 2.0, not_a_number}), 0.5)) == "f64[4] 0 0.5 1 nan");
  CHECK(show(jq::isposinf(asarray({inf, -inf, 1.0}))) == "bool[3] 1 0 0");
  CHECK(show(jq::isneginf(asarray({inf, -inf, 1.0}))) == "bool[3] 0 1 0");
}
TEST_CASE("neighbours") {
  CHECK(at(jq::nextafter(asarray(0.0), 1.0)) == DBL_TRUE_MIN);
  CHECK(jq::nextafter(asarray(1.0f), 2.0).item<float>() == 1 + FLT_EPSILON);
  CHECK(float(jq::nextafter(jq::ones({}, jq::f16), 2.0).astype(jq::f32)) == 1 + 0x1p-10f);
  CHECK(at(jq::spacing(asarray(1.0))) == DBL_EPSILON);
  CHECK(at(jq::spacing(asarray(-1.0))) == -DBL_EPSILON);
}
TEST_CASE("what is not finite is replaced") {
  CHECK(show(jq::nan_to_num(asarray({not_a_number, 2.0}), 7)) == "f64[2] 7 2");
  CHECK(at(jq::nan_to_num(asarray(-inf))) == -DBL_MAX);
  CHECK(jq::nan_to_num(asarray(float(inf))).item<float>() == FLT_MAX);
  CHECK(show(jq::nan_to_num(asarray({3}))) == "i32[1] 3");
}
TEST_CASE("what is not finite in parts of complex numbers is replaced") {
  const jq::complex128 z = jq::nan_to_num(asarray(jq::complex128(not_a_number, -inf)), 2).item<jq::complex128>();
  CHECK(z.re == 2);
  CHECK(z.im == -std::numeric_limits<double>::max());
}
TEST_CASE("fractions and exponents are exact, subnormal numbers included") {
  for (double x : {1.0, -0.75, 3.1e300, DBL_MIN, DBL_TRUE_MIN, -5e-320, 0.0}) {
    INFO(x);
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    const auto [f, e] = jq::frexp(asarray(x));
    CHECK(at(f) == fraction);
    CHECK(e.item<int>() == exponent);
    CHECK(at(jq::ldexp(f, e)) == x);
  }
  CHECK(at(jq::frexp(asarray(inf)).first) == inf);
  CHECK(show(jq::frexp(asarray({6.0f, -0.5f})).first) == "f32[2] 0.75 -0.5");
  CHECK(show(jq::frexp(asarray({6.0f, -0.5f})).second) == "i32[2] 3 0");
  CHECK(at(jq::ldexp(asarray(1.5), 4)) == 24);
  CHECK(at(jq::ldexp(asarray(1.0), 5000)) == inf);
  // Exponents beyond those of i32.
  for (std::int64_t n : {std::int64_t(4294967297), std::int64_t(1) << 31, std::numeric_limits<std::int64_t>::max()}) {
    INFO(n);
    CHECK(at(jq::ldexp(asarray(1.0), asarray({n})(0))) == inf);
    CHECK(at(jq::ldexp(asarray(1.0), n)) == inf);
    CHECK(at(jq::ldexp(asarray(1.0), asarray({-n})(0))) == 0);
    CHECK(at(jq::ldexp(asarray(1.0), asarray({std::uint64_t(n)})(0))) == inf);
  }
  CHECK(at(jq::ldexp(asarray(1.0), std::numeric_limits<std::int64_t>::min())) == 0);
  CHECK(at(jq::ldexp(asarray(1.0), asarray({4294967295u})(0))) == inf);
  CHECK(at(jq::ldexp(asarray(3.0), asarray({2u})(0))) == 12);
  CHECK(at(jq::ldexp(asarray(3.0), asarray({std::int64_t(-2)})(0))) == 0.75);
  CHECK(at(jq::ldexp(asarray(3.0), asarray({std::uint8_t(200)})(0))) == std::ldexp(3.0, 200));
  CHECK(at(jq::ldexp(asarray(DBL_TRUE_MIN), 2000)) == std::ldexp(DBL_TRUE_MIN, 2000));
  CHECK(at(jq::grad([](const array& x) { return jq::ldexp(x, 3); })(asarray(2.0))) == 8);
  CHECK_ERROR(jq::type_error, jq::ldexp(asarray(1.0), asarray(2.0)), "ldexp", "float64", "integers");
}
TEST_CASE("whole and fractional parts") {
  const auto [rest, whole] = jq::modf(asarray({-2.5, 3.25, -inf, -0.0}));
  CHECK(show(rest) == "f64[4] -0.5 0.25 -0 -0");
  CHECK(show(whole) == "f64[4] -2 3 -inf -0");
  const auto [q, r] = jq::divmod(asarray({-7, 7}), asarray(3));
  CHECK(show(q) == "i32[2] -3 2");
  CHECK(show(r) == "i32[2] 2 1");
}
TEST_CASE("complex numbers are errors") {
  CHECK_ERROR_ANYWHERE(jq::type_error, jq::signbit(asarray({jq::complex128(1, 1)})), "complex128");
}
TEST_CASE("frexp: the derivative of the fraction is the power of two that is taken out") {
  const auto slope = [](double x) { return at(jq::grad([](const array& v) { return jq::frexp(v).first; })(asarray(x))); };
  CHECK(slope(6.0) == 0.125);
  CHECK(slope(-0.3) == 2);
  CHECK(slope(0.0) == 1);
}
static_assert(jq::signbit(-0.0) && !jq::signbit(3) && jq::signbit(-3) && jq::copysign(3, -0.0) == -3.0 && jq::copysign(-2.f, 1.f) == 2.f);
static_assert(jq::heaviside(0.0, 0.5) == 0.5 && jq::heaviside(-1, 0.5) == 0 && jq::heaviside(2.f, 0.5f) == 1 && jq::spacing(1.0) == 0x1p-52 && jq::spacing(-1.f) == -0x1p-23f);
static_assert(jq::nan_to_num(std::numeric_limits<double>::quiet_NaN(), 7) == 7 && jq::nan_to_num(-std::numeric_limits<float>::infinity()) == std::numeric_limits<float>::lowest());
static_assert(jq::nan_to_num(3) == 3 && jq::isneginf(-std::numeric_limits<double>::infinity()) && !jq::isposinf(1.0));
TEST_CASE("whole numbers yield to floating point") {
  CHECK(show(jq::copysign(asarray({1, 2}), asarray({-1.f, 1.f}))) == "f32[2] -1 2");
  CHECK(show(jq::heaviside(asarray({-1.f, 0.f}), asarray({3, 3}))) == "f32[2] 0 3");
  CHECK(jq::copysign(asarray({1}), asarray({2})).dtype() == jq::f64);
}
