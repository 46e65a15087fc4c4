// core/math.hpp as its users see it: every function by its qualified name, for every type it is meant for, in
// both worlds.
#include "jacquard/core/math.hpp"

#include <doctest/doctest.h>

namespace math = jacquard::math;
using namespace jacquard;

namespace {

template <class T>
concept has_floor = requires(T x) { math::floor(x); };
template <class T>
concept has_rem = requires(T x) { math::rem(x, x); };
template <class T>
concept has_pow = requires(T x) { math::pow(x, x); };
template <class T>
concept has_exp = requires(T x) { math::exp(x); };

// What all all_numbers have, by the same names; the number of the first wrong claim, or 0.
template <class T>
constexpr int first_wrong_of_numbers() {
  const T two(2);
  const T four(4);
  if (math::add(two, two) != four || math::multiply(two, two) != four || math::subtract(four, two) != two)
    return 1;
  if (math::divide(four, two) != two || math::negate(math::negate(two)) != two) return 2;
  if (math::powi(two, 2) != four || math::sign(four) != T(1) || !math::is_finite(two) || math::is_nan(two))
    return 3;
  if (math::is_inf(two) || math::abs(four) != decltype(math::abs(four))(4)) return 4;
  return 0;
}

// What all inexact all_numbers have.
template <class T>
constexpr int first_wrong_of_inexact() {
  const T zero(0);
  const T one(1);
  if (math::exp(zero) != one || math::expm1(zero) != zero || math::log(one) != zero ||
      math::log1p(zero) != zero)
    return 1;
  if (math::sin(zero) != zero || math::cos(zero) != one || math::tan(zero) != zero ||
      math::sqrt(T(4)) != T(2))
    return 2;
  if (math::sinh(zero) != zero || math::cosh(zero) != one || math::tanh(zero) != zero) return 3;
  if (math::logistic(zero) != T(0.5) || math::rsqrt(T(4)) != T(0.5) || math::pow(one, one) != one) return 4;
  return 0;
}

template <class... T>
constexpr bool all_numbers = ((first_wrong_of_numbers<T>() == 0) && ...);
template <class... T>
constexpr bool inexact = ((first_wrong_of_inexact<T>() == 0) && ...);

}  // namespace

static_assert(all_numbers<std::int8_t, std::int16_t, std::int32_t, std::int64_t>);
static_assert(all_numbers<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>);
static_assert(all_numbers<float16, bfloat16, float, double, complex64, complex128>);
static_assert(inexact<float16, bfloat16, float, double, complex64, complex128>);
static_assert(has_floor<float16> && !has_floor<int> && !has_floor<complex64>);
static_assert(has_rem<int> && has_rem<double> && !has_rem<bool> && !has_rem<complex128>);
static_assert(has_pow<int> && has_pow<bfloat16> && has_pow<complex128> && !has_pow<bool>);
static_assert(has_exp<complex64> && !has_exp<int> && !has_exp<const char*>);

TEST_CASE("all types at run time") {
  CHECK(first_wrong_of_numbers<std::int32_t>() == 0);
  CHECK(first_wrong_of_numbers<std::uint8_t>() == 0);
  CHECK(first_wrong_of_inexact<float16>() == 0);
  CHECK(first_wrong_of_inexact<bfloat16>() == 0);
  CHECK(first_wrong_of_inexact<float>() == 0);
  CHECK(first_wrong_of_inexact<double>() == 0);
  CHECK(first_wrong_of_inexact<complex64>() == 0);
  CHECK(first_wrong_of_inexact<complex128>() == 0);
}
