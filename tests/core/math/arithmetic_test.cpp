// Arithmetic, sign, classification, NaN-propagating comparisons and the composed functions, for every real
// type.
#include <cmath>

#include "jacquard/core/math/arithmetic.hpp"

#include <doctest/doctest.h>

#include "ulp.hpp"

namespace math = jacquard::math;
using jacquard::bfloat16;
using jacquard::float16;

namespace {

constexpr double inf = jacquard::ieee::infinity<double>();
constexpr double nan_value = jacquard::ieee::quiet_nan<double>();

// One function for both worlds: the number of the first wrong claim, or 0.
template <class T>
constexpr int first_wrong() {
  const T one(1);
  const T two(2);
  const T zero(0);
  const T infinite(inf);
  const T none(nan_value);
  if (math::add(one, two) != T(3) || math::subtract(one, two) != T(-1) || math::multiply(two, two) != T(4))
    return 1;
  if (math::divide(one, two) != T(0.5) || math::divide(one, zero) != infinite) return 2;
  if (!math::is_nan(math::add(none, one)) || !math::is_nan(math::subtract(infinite, infinite))) return 3;
  if (!math::is_nan(math::divide(zero, zero)) || !math::is_nan(math::multiply(zero, infinite))) return 4;
  if (!math::signbit(math::negate(zero)) || math::abs(T(-2)) != two || math::copysign(two, T(-0.0)) != T(-2))
    return 5;
  if (math::sign(T(-7)) != T(-1) || !math::signbit(math::sign(T(-0.0))) || !math::is_nan(math::sign(none)))
    return 6;
  if (!math::is_nan(math::max(none, one)) || !math::is_nan(math::max(one, none)) ||
      math::max(one, two) != two)
    return 7;
  if (!math::is_nan(math::min(none, one)) || !math::is_nan(math::min(one, none)) ||
      math::min(one, two) != one)
    return 8;
  if (!math::is_finite(one) || math::is_finite(infinite) || math::is_finite(none) || !math::is_inf(infinite))
    return 9;
  if (math::nextafter(one, two) != T(1 + static_cast<double>(std::numeric_limits<T>::epsilon()))) return 10;
  if (math::rsqrt(T(4)) != T(0.5) || math::rsqrt(zero) != infinite || math::rsqrt(infinite) != zero)
    return 11;
  if (math::powi(two, 5) != T(32) || math::powi(two, -2) != T(0.25) || math::powi(none, 0) != one) return 12;
  if (math::powi(zero, -1) != infinite || math::powi(T(-1), 0x7fffffff) != T(-1)) return 13;
  if (math::powi(one, -0x7fffffff - 1) != one) return 14;
  if (math::logistic(zero) != T(0.5) || math::logistic(infinite) != one || math::logistic(T(-inf)) != zero)
    return 15;
  if (!math::is_nan(math::logistic(none)) || math::rem(T(-7), T(4)) != T(-3)) return 16;
  return 0;
}

}  // namespace

static_assert(first_wrong<float>() == 0 && first_wrong<double>() == 0);
static_assert(first_wrong<float16>() == 0 && first_wrong<bfloat16>() == 0);
static_assert(math::pow(3, 5) == 243 && math::powi(3U, 2) == 9U);
static_assert(math::logistic(-745.0) > 0 && math::logistic(-745.0f) == 0);

TEST_CASE("the same claims hold at run time") {
  CHECK(first_wrong<float>() == 0);
  CHECK(first_wrong<double>() == 0);
  CHECK(first_wrong<float16>() == 0);
  CHECK(first_wrong<bfloat16>() == 0);
}

TEST_CASE("logistic is accurate in both tails") {
  const auto reference = [](long double x) { return 1 / (1 + std::exp(-x)); };
  CHECK(ulp::largest([](double x) { return math::logistic(x); }, reference, ulp::between(-700, 40)) <=
        ulp::bound(3));
}
