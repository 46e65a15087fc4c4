// Decimal digits of floating-point numbers, against std::to_chars and printf at run time and against known
// answers in constant evaluation.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <jacquard/core/float_text.hpp>
#include <jacquard/core/number_reader.hpp>

using jacquard::decimal;
using jacquard::float_kind;
using jacquard::put_complex;
using jacquard::put_float;
using jacquard::text;
using jacquard::to_decimal;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

template <class F>
constexpr text literal(F x) {
  text t;
  put_float(t, x);
  return t;
}

constexpr text literal(double x, float_kind kind) {
  text t;
  put_float(t, x, kind);
  return t;
}

constexpr text literal(double re, double im) {
  text t;
  put_complex(t, re, im, float_kind::double_);
  return t;
}

// d.ddde+dd, what std::to_chars writes in scientific notation.
constexpr text scientific(const decimal& d) {
  text t;
  if (d.negative) t << '-';
  t << d.digits[0];
  if (d.count > 1) t << '.' << d.view().substr(1);
  jacquard::numerals::put_exponent(t, d.exponent);
  return t;
}

constexpr text cut(double x, jacquard::digit_limits limits) {
  return scientific(to_decimal(x, float_kind::double_, limits));
}

// The texts are Python's repr of the same numbers.
static_assert(literal(1.0) == "1.0" && literal(-1.0) == "-1.0");
static_assert(literal(0.0) == "0.0" && literal(-0.0) == "-0.0");
static_assert(literal(0.1) == "0.1" && literal(0.1f) == "0.1");
static_assert(literal(0.1 + 0.2) == "0.30000000000000004");
static_assert(literal(1.0 / 3) == "0.3333333333333333" && literal(1.0f / 3) == "0.33333334");
static_assert(literal(123456.789) == "123456.789" && literal(100.0) == "100.0");
static_assert(literal(1e-4) == "0.0001" && literal(1e-5) == "1e-05" && literal(1.5e-7) == "1.5e-07");
static_assert(literal(1e15) == "1000000000000000.0" && literal(1e16) == "1e+16" && literal(1e20) == "1e+20");
static_assert(literal(123456789012345678.0) == "1.2345678901234568e+17");
static_assert(literal(9007199254740993.0) == "9007199254740992.0");
static_assert(literal(5e-324) == "5e-324" && literal(2.2250738585072014e-308) == "2.2250738585072014e-308");
static_assert(literal(1.7976931348623157e308) == "1.7976931348623157e+308" && literal(1e23) == "1e+23");
static_assert(literal(3.4028234664e38f) == "3.4028235e+38" && literal(1.4e-45f) == "1e-45");
static_assert(literal(inf) == "inf" && literal(-inf) == "-inf" && literal(nan) == "nan");
static_assert(literal(0.0999755859375, float_kind::half) == "0.1" &&
              literal(65504, float_kind::half) == "65500.0");
static_assert(literal(0x1p-24, float_kind::half) == "6e-08" && literal(3.140625, float_kind::brain) == "3.14");
static_assert(literal(0x1p-133, float_kind::brain) == "9e-41");
static_assert(literal(1, 2) == "(1+2j)" && literal(0, 2) == "2j" && literal(-0.0, 2) == "(-0+2j)");
static_assert(literal(1.5, -0.0) == "(1.5-0j)" && literal(1e20, 1e-7) == "(1e+20+1e-07j)");
static_assert(literal(nan, -inf) == "(nan-infj)" && literal(inf, nan) == "(inf+nanj)" &&
              literal(0, 0) == "0j");

// Cut-offs.
static_assert(cut(0.123456789012, {.most = 8, .after_point = true}) == "1.2345679e-01");
static_assert(cut(9.9999, {.most = 2, .after_point = true}) == "1e+01");
static_assert(cut(0.005, {.most = 2, .after_point = true}) == "1e-02");
static_assert(cut(0.004, {.most = 2, .after_point = true}) == "0e+00");
static_assert(cut(1e-300, {.most = 2, .after_point = true}) == "0e+00");
static_assert(cut(0.5, {.most = 0, .after_point = true}) == "0e+00");  // half way: to even
static_assert(cut(1.5, {.most = 0, .after_point = true}) == "2e+00");
static_assert(cut(1234567, {.most = 3}) == "1.23e+06" && cut(999999, {.most = 3}) == "1e+06");
static_assert(cut(0.1, {.least = 20}) == "1.0000000000000000555e-01");
static_assert(cut(12345, {.most = 30, .least = 30}) == "1.2345e+04");

struct expectation {
  char text[64];
  explicit expectation(double x) {
    *std::to_chars(text, text + 63, x, std::chars_format::scientific).ptr = 0;
  }
  explicit expectation(float x) { *std::to_chars(text, text + 63, x, std::chars_format::scientific).ptr = 0; }
};

template <class F>
bool same_digits(F x) {
  constexpr auto kind = sizeof(F) == 4 ? float_kind::single : float_kind::double_;
  return scientific(to_decimal(x, kind)) == expectation(x).text;
}

// Random bit patterns: all exponents equally often, subnormals among them.
template <class F, class Bits>
void compare_random(int times, Bits keep) {
  std::mt19937_64 random(20200507);
  int wrong = 0;
  F last{};
  for (int i = 0; i < times; ++i) {
    const F x = std::bit_cast<F>(static_cast<Bits>(static_cast<Bits>(random()) & keep));
    if (!std::isfinite(x) || same_digits(x)) continue;
    ++wrong;
    last = x;
  }
  INFO("for example ", last);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("shortest digits of random numbers are those of std::to_chars") {
  compare_random<double>(200000, ~std::uint64_t{0});
  compare_random<float>(200000, ~std::uint32_t{0});
  // Subnormals alone.
  compare_random<double>(20000, (std::uint64_t{1} << 63) | ((std::uint64_t{1} << 52) - 1));
  compare_random<float>(20000, (std::uint32_t{1} << 31) | ((std::uint32_t{1} << 23) - 1));
}

TEST_CASE("shortest digits around every power of two and of ten are those of std::to_chars") {
  int wrong = 0;
  for (int e = -1074; e < 1024; ++e) {
    const double x = std::ldexp(1.0, e);
    for (const double y : {std::nextafter(x, 0.0), x, std::nextafter(x, 2 * x)}) wrong += !same_digits(y);
    const auto f = static_cast<float>(x);
    if (f == 0 || std::isinf(f)) continue;
    for (const float y : {std::nextafter(f, 0.f), f, std::nextafter(f, 2 * f)})
      wrong += std::isfinite(y) && !same_digits(y);
  }
  for (int e = -323; e < 309; ++e) {
    const double x = std::strtod(("1e" + std::to_string(e)).c_str(), nullptr);
    for (const double y : {std::nextafter(x, 0.0), x, std::nextafter(x, inf)}) wrong += !same_digits(y);
  }
  CHECK(wrong == 0);
}

TEST_CASE("short decimals come back as they were written") {
  std::mt19937_64 random(3);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::string s = std::to_string(random() % 100000) + "." + std::to_string(1 + random() % 9);
    wrong += literal(std::strtod(s.c_str(), nullptr)) != s;
  }
  CHECK(wrong == 0);
}

TEST_CASE("digits that are cut off are rounded as printf rounds them") {
  std::mt19937_64 random(4);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto x = std::bit_cast<double>(random());
    const int digits = 1 + static_cast<int>(random() % 16);
    if (!std::isfinite(x) || to_decimal(x, float_kind::double_).count <= digits) continue;
    char expected[64];
    std::snprintf(expected, sizeof expected, "%.*e", digits - 1, x);
    const decimal d = to_decimal(x, float_kind::double_, {.most = digits});
    decimal padded = d;
    while (padded.count < digits) padded.digits[padded.count++] = '0';
    wrong += scientific(padded) != expected;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every half reads back from its shortest digits, and from none shorter") {
  for (const float_kind kind : {float_kind::half, float_kind::brain}) {
    const auto layout = jacquard::numerals::layout_of(kind);
    int lost = 0, long_winded = 0;
    for (int e = layout.min_exponent; e <= layout.max_exponent - layout.significand_bits + 1; ++e) {
      for (int m = 1; m < 1 << layout.significand_bits; ++m) {
        if (e > layout.min_exponent && m < 1 << (layout.significand_bits - 1)) continue;
        const double x = std::ldexp(m, e);
        const decimal d = to_decimal(x, kind);
        lost += jacquard::parse_float(scientific(d), kind).value != x;
        if (d.count == 1) continue;
        const decimal shorter = to_decimal(x, kind, {.most = d.count - 1});
        long_winded += jacquard::parse_float(scientific(shorter), kind).value == x;
      }
    }
    CHECK(lost == 0);
    CHECK(long_winded == 0);
  }
}
