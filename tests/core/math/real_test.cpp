// The elementary functions under their public names: the two worlds agree, for every real type, and refuse
// others.
#include "jacquard/core/math/real.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;
namespace ieee = jacquard::ieee;
using jacquard::bfloat16;
using jacquard::float16;

namespace {

template <class T>
concept has_sin = requires(T x) { math::sin(x); };

constexpr std::array<double, 11> arguments{-20.5,
                                           -1.5,
                                           -0.75,
                                           -0.0,
                                           0.25,
                                           0.999,
                                           1.0,
                                           3.5,
                                           40.0,
                                           ieee::infinity<double>(),
                                           ieee::quiet_nan<double>()};

template <class T>
constexpr auto values(T x) {
  const T two(2);
  return std::array{
      math::exp(x),      math::expm1(x),      math::exp2(x),     math::log(x),     math::log1p(x),
      math::log2(x),     math::sqrt(x),       math::cbrt(x),     math::sin(x),     math::cos(x),
      math::tan(x),      math::asin(x),       math::acos(x),     math::atan(x),    math::sinh(x),
      math::cosh(x),     math::tanh(x),       math::asinh(x),    math::acosh(x),   math::atanh(x),
      math::erf(x),      math::erfc(x),       math::lgamma(x),   math::digamma(x), math::ceil(x),
      math::trunc(x),    math::erf_inv(x),    math::floor(x),    math::round(x),   math::round_even(x),
      math::pow(x, two), math::atan2(x, two), math::fmod(x, two),  math::log10(x),  math::hypot(x, two)};
}

template <class T>
constexpr auto table() {
  std::array<decltype(values(T(0))), arguments.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = values(T(arguments[i]));
  return rows;
}

// How many representable numbers lie between a and b; huge where only one is NaN.
template <class T>
long distance(T a, T b) {
  if (ieee::is_nan(a) || ieee::is_nan(b)) return ieee::is_nan(a) && ieee::is_nan(b) ? 0 : 1L << 60;
  if (ieee::signbit(a) != ieee::signbit(b)) return 1L << 60;
  return std::labs(static_cast<long>(ieee::magnitude_bits(a)) - static_cast<long>(ieee::magnitude_bits(b)));
}

template <class T>
long largest_distance() {
  constexpr auto in_the_compiler = table<T>();
  const auto at_run_time = table<T>();
  long worst = 0;
  for (std::size_t i = 0; i < in_the_compiler.size(); ++i)
    for (std::size_t j = 0; j < in_the_compiler[i].size(); ++j)
      worst = std::max(worst, distance(in_the_compiler[i][j], at_run_time[i][j]));
  return worst;
}

}  // namespace

static_assert(has_sin<double> && has_sin<float> && has_sin<float16> && has_sin<bfloat16>);
static_assert(!has_sin<int> && !has_sin<bool> && !has_sin<long double> && !has_sin<const char*>);
static_assert(math::exp(1.0f) == 2.7182817f && math::exp(float16(1)) == float16(2.7182817f));
static_assert(math::sin(bfloat16(1)) == bfloat16(0.8414709848078965) && math::exp(100.0f) > 3.4e38f);
static_assert(math::pow(2.0f, -150.0f) == 0 && math::tan(0x1p-149f) == 0x1p-149f);

TEST_CASE("constant evaluation and run time agree to the last places") {
  // At run time floats come from float functions and halves from floats, which may round once more.
  CHECK(largest_distance<double>() <= 4);
  CHECK(largest_distance<float>() <= 4);
  CHECK(largest_distance<float16>() <= 1);
  CHECK(largest_distance<bfloat16>() <= 1);
}

TEST_CASE("floats in constant evaluation are correctly rounded nearly always") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto x = static_cast<float>(ulp::between(-80, 80)(random));
    const auto through_double = static_cast<float>(math::soft::exp(static_cast<double>(x)));
    wrong += through_double != static_cast<float>(std::exp(static_cast<long double>(x)));
  }
  CHECK(wrong == 0);
}
