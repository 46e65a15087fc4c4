// Scalar literals: every dtype there and back, conversion with rounding and saturation, weakness.
#include <jacquard/core/literal.hpp>

#include <cmath>
#include <complex>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::literal;

static_assert(literal(2.5).type == jq::f64 && !literal(2.5).weak && literal(2, true).weak);
static_assert(literal(-1).get<double>() == -1.0 && literal(-1).get<std::int64_t>() == -1);
static_assert(literal(std::uint64_t(-1)).get<std::uint64_t>() == ~std::uint64_t(0));
static_assert(literal(2.75).get<int>() == 2 && literal(-2.75).get<int>() == -2 && literal(0.25).get<bool>());
static_assert(literal(1e300).get<std::int32_t>() == 2147483647 && literal(-1e300).get<std::int8_t>() == -128);
static_assert(literal(-5.0).get<std::uint16_t>() == 0);
static_assert(literal(jq::complex128(0, 2)).get<bool>() && literal(jq::complex64(2, 0)).get<bool>() && !literal(jq::complex128(0, 0)).get<bool>());
static_assert(literal(jq::complex128(1, 2)).get<double>() == 1.0 && literal(jq::complex128(1, 2)).get<jq::complex64>().imag() == 2);
static_assert(literal(1, jq::f16, true) == literal(jq::float16(1), true));
static_assert(literal(true).as(jq::i32).get<int>() == 1 && literal(3).as(jq::bool_).get<int>() == 1);
static_assert(std::is_trivially_copyable_v<literal>);

TEST_CASE("conversion rounds as the target does") {
  CHECK(literal(0.1).as(jq::f32).get<double>() == double(0.1f));
  CHECK(literal(1.0 + 1.0 / 512).as(jq::bf16).get<double>() == 1.0);
  CHECK(literal(70000.0).as(jq::f16).get<float>() == INFINITY);
  CHECK(literal(300).as(jq::u8).get<int>() == 44);
  CHECK(std::isnan(literal(std::nan("")).as(jq::f16).get<float>()));
  CHECK(literal(std::nan("")).get<int>() == 0);
}

TEST_CASE("every dtype there and back") {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const literal l(1, jq::dtype(i), false);
    CHECK(l.type == jq::dtype(i));
    CHECK(l.aval() == jq::aval(jq::dtype(i), {}));
    jq::visit_dtype(l.type, [&]<class T>(std::type_identity<T>) { CHECK(literal(l.get<T>()) == l); });
  }
}

TEST_CASE("std::complex is a scalar too") {
  CHECK(literal(std::complex<float>(1, -2)).type == jq::c64);
  CHECK(literal(std::complex<double>(1, -2)).get<std::complex<float>>() == std::complex<float>(1, -2));
}
TEST_CASE("literals: the parts of complex ones, in the real dtype") {
  const jq::literal z(jq::complex64(1.5f, -2.5f));
  CHECK(z.real_part() == jq::literal(1.5f));
  CHECK(z.imaginary_part() == jq::literal(-2.5f));
  CHECK(jq::literal(3).real_part() == jq::literal(3));
  CHECK(jq::literal(3.0).imaginary_part() == jq::literal(0.0));
}
