// The 16-bit formats: every pattern there and back, rounding against an independent nearest-neighbour search,
// arithmetic.
#include <algorithm>
#include <cmath>

#include "jacquard/core/half.hpp"

#include <doctest/doctest.h>

#include "math/ulp.hpp"

using jacquard::bfloat16;
using jacquard::float16;

static_assert(sizeof(float16) == 2 && std::is_trivially_copyable_v<float16> &&
              std::is_standard_layout_v<float16>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);
static_assert(!std::is_convertible_v<float, float16> && !std::is_convertible_v<float16, float>);
static_assert(!std::is_convertible_v<bfloat16, float16> && !std::is_constructible_v<float16, long double>);

static_assert(float16(65519).bits() == 0x7bff && float16(65520).bits() == 0x7c00 &&
              float16(-0.0).bits() == 0x8000);
static_assert(float16(0x1p-25).bits() == 0 && float16(0x1.0000000000001p-25).bits() == 1);
// One rounding, not two: through float this double would land on the tie and go down.
static_assert(float16(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01 && float16(1 + 0x1p-11).bits() == 0x3c00);
static_assert(bfloat16((1ULL << 62) + (1ULL << 54) + 1).bits() == bfloat16(0x1.02p62).bits());
static_assert(bfloat16((1ULL << 62) + (1ULL << 54)).bits() == bfloat16(0x1p62).bits());
static_assert(float16(bfloat16(1.5)) == float16(1.5) && bfloat16(float16(1.5)) == bfloat16(1.5));
static_assert(float(float16(1) / float16(0)) > 65504 && float16(1) / float16(3) == float16(1.0 / 3));
static_assert(int(float16(-2.75)) == -2 && bool(float16(0.5)) && !bool(float16(-0.0)));
static_assert(-float16(2) < float16(1) && float16(0.0) == float16(-0.0));

template <float16 H>
struct with_half {};
static_assert(std::is_same_v<with_half<float16(1)>, with_half<float16(1.0f)>>);

using limits = std::numeric_limits<float16>;
using blimits = std::numeric_limits<bfloat16>;
static_assert(float(limits::max()) == 65504 && float(limits::min()) == 0x1p-14f &&
              float(limits::denorm_min()) == 0x1p-24f);
static_assert(float(limits::epsilon()) == 0x1p-10f && float(limits::round_error()) == 0.5f &&
              limits::is_specialized);
static_assert(limits::digits == 11 && limits::digits10 == 3 && limits::max_digits10 == 5 &&
              limits::is_iec559);
static_assert(limits::min_exponent == -13 && limits::max_exponent == 16);
static_assert(limits::min_exponent10 == -4 && limits::max_exponent10 == 4);
static_assert(float(blimits::max()) == 0x1.fep127f && float(blimits::min()) == 0x1p-126f &&
              blimits::digits == 8);
static_assert(float(blimits::epsilon()) == 0x1p-7f && blimits::digits10 == 2 && blimits::max_digits10 == 4);
static_assert(blimits::min_exponent == -125 && blimits::max_exponent == 128 && blimits::max_exponent10 == 38);
static_assert(blimits::min_exponent10 == -37 && limits::infinity().bits() == 0x7c00 &&
              blimits::lowest().bits() == 0xff7f);

namespace {

// The value of a pattern, from the definition of the format.
template <class Half>
double value_of(int bits) {
  using format = jacquard::ieee::layout<Half>;
  const int fraction = bits & format::mantissa_mask;
  const int exponent = (bits & format::exponent_mask) >> format::mantissa_bits;
  const double sign = (bits & format::sign_mask) != 0 ? -1 : 1;
  if (exponent == (1 << format::exponent_bits) - 1) return fraction != 0 ? ulp::nan : sign * ulp::inf;
  const int significand = exponent == 0 ? fraction : fraction + (1 << format::mantissa_bits);
  return sign * std::ldexp(significand, std::max(exponent, 1) - format::bias - format::mantissa_bits);
}

template <class Half>
int wrong_patterns() {
  int wrong = 0;
  for (int bits = 0; bits < 65536; ++bits) {
    const auto half = Half::from_bits(static_cast<std::uint16_t>(bits));
    const double value = value_of<Half>(bits);
    wrong += half.bits() != bits;
    wrong +=
        !ulp::same(static_cast<double>(half), value) || !ulp::same(static_cast<double>(float(half)), value);
    // Back again; of a NaN only the quiet bit may change.
    const int quiet =
        std::isnan(value) ? bits | 1 << (jacquard::ieee::layout<Half>::mantissa_bits - 1) : bits;
    wrong += Half(float(half)).bits() != quiet || Half(double(half)).bits() != quiet;
    wrong += (-half).bits() != (bits ^ 0x8000);
    wrong += (half == half) == std::isnan(value);
  }
  return wrong;
}

// The neighbours of each midpoint between adjacent patterns, and the midpoint itself, which goes to the even
// one.
template <class Half>
int wrong_roundings() {
  int wrong = 0;
  for (int bits = 0; bits < Half(ulp::inf).bits(); ++bits) {
    const double low = value_of<Half>(bits);
    const double next = value_of<Half>(bits + 1);
    // The step beyond the largest value is as wide as the one before it.
    const double high = std::isinf(next) ? low + (low - value_of<Half>(bits - 1)) : next;
    const double middle = (low + high) / 2;
    const int even = (bits & 1) == 0 ? bits : bits + 1;
    wrong += Half(middle).bits() != even || Half(-middle).bits() != (even | 0x8000);
    wrong += Half(std::nextafter(middle, 0.0)).bits() != bits ||
             Half(std::nextafter(middle, ulp::inf)).bits() != bits + 1;
    const auto single = static_cast<float>(middle);
    if (single != middle) continue;
    wrong += Half(single).bits() != even;
    wrong += Half(std::nextafter(single, 0.0f)).bits() != bits ||
             Half(std::nextafter(single, HUGE_VALF)).bits() != bits + 1;
  }
  return wrong;
}

template <class Half>
int wrong_operations() {
  std::mt19937_64 random(3);
  int wrong = 0;
  const auto same = [](Half a, Half b) { return a.bits() == b.bits() || (a != a && b != b); };
  for (int i = 0; i < 200000; ++i) {
    const auto a = Half::from_bits(static_cast<std::uint16_t>(random()));
    const auto b = Half::from_bits(static_cast<std::uint16_t>(random()));
    const auto x = static_cast<double>(a);
    const auto y = static_cast<double>(b);
    wrong += !same(a + b, Half(x + y)) + !same(a - b, Half(x - y)) + !same(a * b, Half(x * y));
    wrong += !same(a / b, Half(x / y));
    wrong += (a < b) != (x < y) || (a == b) != (x == y) || (a >= b) != (x >= y);
  }
  return wrong;
}

}  // namespace

TEST_CASE("every pattern converts to its value and back") {
  CHECK(wrong_patterns<float16>() == 0);
  CHECK(wrong_patterns<bfloat16>() == 0);
}

TEST_CASE("rounding is to nearest even, from float and from double") {
  CHECK(wrong_roundings<float16>() == 0);
  CHECK(wrong_roundings<bfloat16>() == 0);
}

TEST_CASE("integers are rounded once") {
  int wrong = 0;
  for (int n = -70000; n <= 70000; ++n) wrong += float16(n).bits() != float16(double(n)).bits();
  CHECK(wrong == 0);
  CHECK(bfloat16(INT64_MIN).bits() == bfloat16(-0x1p63).bits());
  CHECK(bfloat16(UINT64_MAX).bits() == bfloat16(0x1p64).bits());
  CHECK(float16(UINT64_MAX) == limits::infinity());
  CHECK(float16(true) == float16(1));
}

TEST_CASE("arithmetic and comparisons round like real numbers rounded once") {
  CHECK(wrong_operations<float16>() == 0);
  CHECK(wrong_operations<bfloat16>() == 0);
  float16 x(1);
  x += float16(2);
  x *= float16(4);
  x -= float16(2);
  x /= float16(5);
  CHECK(x == float16(2));
}
