// Numbers read back from text, against strtod and strtof at run time and against known answers in constant
// evaluation.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <jacquard/core/float_text.hpp>
#include <jacquard/core/number_reader.hpp>

using jacquard::float_kind;
using jacquard::number_form;
using jacquard::number_form_of;
using jacquard::parse_complex;
using jacquard::parse_float;
using jacquard::parse_integer;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Integers.
static_assert(parse_integer<int>("42").value == 42 && parse_integer<int>("-42)").used == 3);
static_assert(parse_integer<int>("+7").value == 7 && !parse_integer<int>("x") && !parse_integer<int>("-"));
static_assert(parse_integer<std::int8_t>("-128").value == -128 && !parse_integer<std::int8_t>("128"));
static_assert(!parse_integer<std::int8_t>("-129") && parse_integer<std::uint8_t>("255").value == 255);
static_assert(!parse_integer<std::uint8_t>("256") && !parse_integer<unsigned>("-1"));
static_assert(parse_integer<std::int64_t>("-9223372036854775808").value ==
              std::numeric_limits<std::int64_t>::min());
static_assert(parse_integer<std::uint64_t>("18446744073709551615").value == ~std::uint64_t{0});
static_assert(!parse_integer<std::uint64_t>("18446744073709551616") &&
              !parse_integer<std::int64_t>("9223372036854775808"));
static_assert(parse_integer<int>("0000000000000000000000012 3").value == 12);

// Floating point.
static_assert(parse_float("0.1").value == 0.1 && parse_float("0.1").used == 3);
static_assert(parse_float("1.").value == 1 && parse_float("1.:f32[]").used == 2 &&
              parse_float(".5").value == 0.5);
static_assert(parse_float("-2.5e-3,").value == -2.5e-3 && parse_float("-2.5e-3,").used == 7);
static_assert(parse_float("1e").used == 1 && parse_float("1e+").used == 1 && parse_float("1E5").value == 1e5);
static_assert(!parse_float("") && !parse_float(".") && !parse_float("-") && !parse_float("e5"));
static_assert(parse_float("inf").value == inf && parse_float("-inf").value == -inf);
static_assert(parse_float("nan").value != parse_float("nan").value);
static_assert(parse_float("5e-324").value == 5e-324 && parse_float("2e-324").value == 0);
static_assert(parse_float("1.7976931348623157e308").value == 1.7976931348623157e308);
static_assert(parse_float("1.7976931348623159e308").value == inf &&
              parse_float("1e999999999999").value == inf);
static_assert(parse_float("1e-999999999999").value == 0 && parse_float("0e999999999999").value == 0);
static_assert(std::bit_cast<std::uint64_t>(parse_float("-0.0").value) == std::uint64_t{1} << 63);
static_assert(parse_float("9007199254740993").value == 9007199254740992.0);
static_assert(parse_float("9007199254740993.00000000000000000000000000000001").value == 9007199254740994.0);
static_assert(parse_float("0.1", float_kind::single).value == 0.1f &&
              parse_float("16777217", float_kind::single).value == 16777216);
static_assert(parse_float("3.4028235677973366e38", float_kind::single).value == 0x1.fffffep127);
static_assert(parse_float("3.4028235677973367e38", float_kind::single).value == inf);
static_assert(parse_float("2049", float_kind::half).value == 2048 &&
              parse_float("2051", float_kind::half).value == 2052);
static_assert(parse_float("65519", float_kind::half).value == 65504 &&
              parse_float("65520", float_kind::half).value == inf);
static_assert(parse_float("2.9802322387695312e-8", float_kind::half).value == 0);
static_assert(parse_float("2.9802322387695313e-8", float_kind::half).value == 0x1p-24);
static_assert(parse_float("257", float_kind::brain).value == 256 &&
              parse_float("259", float_kind::brain).value == 260);

// Complex numbers.
constexpr bool reads(const char* s, double re, double im, std::size_t used) {
  const auto z = parse_complex(s);
  return z.value.re == re && z.value.im == im && z.used == used;
}
static_assert(reads("(1+2j)", 1, 2, 6) && reads("(1.5e-3-infj):c64[]", 1.5e-3, -inf, 13) &&
              reads("2j ", 0, 2, 2));
static_assert(reads("-2.5", -2.5, 0, 4) && !parse_complex("(1+2j") && !parse_complex("(1)") &&
              !parse_complex("(1 2j)"));

static_assert(number_form_of("12:i32[]") == number_form::integer &&
              number_form_of("-1.0)") == number_form::floating);
static_assert(number_form_of("1e5") == number_form::floating &&
              number_form_of("inf") == number_form::floating);
static_assert(number_form_of("(1+2j)") == number_form::complex &&
              number_form_of("-2j") == number_form::complex);
static_assert(number_form_of("a") == number_form::nothing && number_form_of("") == number_form::nothing);
static_assert(number_form_of("(1, 2)") == number_form::nothing);

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool reads_as_c_does(const std::string& s) {
  const auto d = parse_float(s);
  const auto f = parse_float(s, float_kind::single);
  return d.used == s.size() && same(d.value, std::strtod(s.c_str(), nullptr)) &&
         same(f.value, static_cast<double>(std::strtof(s.c_str(), nullptr)));
}

std::string random_digits(std::mt19937_64& random, std::size_t n) {
  std::string s;
  while (s.size() < n) s += static_cast<char>('0' + random() % 10);
  return s;
}

}  // namespace

TEST_CASE("what put_float writes reads back as the same number") {
  std::mt19937_64 random(5);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto x = std::bit_cast<double>(random());
    const auto y = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    jacquard::text t, u;
    put_float(t, x);
    put_float(u, y);
    if (std::isfinite(x)) wrong += !same(parse_float(t).value, x) || parse_float(t).used != t.size();
    if (std::isfinite(y)) wrong += !same(parse_float(u, float_kind::single).value, static_cast<double>(y));
  }
  CHECK(wrong == 0);
}

TEST_CASE("random decimals are rounded as strtod and strtof round them") {
  std::mt19937_64 random(6);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string s(random() % 2, '-');
    s.append(random_digits(random, 1 + random() % 20))
        .append(1, '.')
        .append(random_digits(random, random() % 20));
    if (random() % 4) s.append(1, 'e').append(std::to_string(static_cast<int>(random() % 720) - 370));
    wrong += !reads_as_c_does(s);
  }
  CHECK(wrong == 0);
}

TEST_CASE("very long decimals are rounded exactly") {
  std::mt19937_64 random(7);
  int wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto exponent = std::to_string(static_cast<int>(random() % 600) - 700);
    wrong += !reads_as_c_does(random_digits(random, 700 + random() % 300) + "." + random_digits(random, 100) +
                              "e" + exponent);
  }
  CHECK(wrong == 0);
}

// A point half way between two doubles, written out in full, and the same with more behind it.
TEST_CASE("points half way go to even") {
  static_assert(std::numeric_limits<long double>::digits > 53);
  std::mt19937_64 random(8);
  int wrong = 0;
  char buffer[1300];
  for (int i = 0; i < 3000; ++i) {
    auto bits = random() & ~(std::uint64_t{1} << 63);
    if (i % 3 == 0) bits &= (std::uint64_t{1} << 52) - 1;
    const auto x = std::bit_cast<double>(bits), above = std::nextafter(x, inf);
    if (!std::isfinite(above)) continue;
    std::snprintf(buffer, sizeof buffer, "%.780Le", (static_cast<long double>(x) + above) / 2);
    std::string s = buffer;
    wrong += !reads_as_c_does(s);
    wrong += parse_float(s).value != (bits % 2 ? above : x);
    s.insert(s.find('e'), "000000000000000000000001");
    wrong += parse_float(s).value != above;
  }
  CHECK(wrong == 0);
}
