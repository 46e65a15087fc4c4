#pragma once
// Errors in units in the last place against a long double reference, and samplers of random arguments, for
// the tests of core/math. Where long double is no wider than double the reference itself may be an ulp off,
// which `bound` allows for.

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <random>

namespace ulp {

inline double bound(double ulps) { return LDBL_MANT_DIG > 53 ? ulps : ulps + 1; }

/// |value - reference| in units of the last place of the reference; huge where only one of them is NaN or
/// infinite.
inline double error(double value, long double reference) {
  const auto rounded = static_cast<double>(reference);
  if (std::isnan(value) || std::isnan(rounded)) return std::isnan(value) && std::isnan(rounded) ? 0 : 1e30;
  if (std::isinf(value) || std::isinf(rounded)) return value == rounded ? 0 : 1e30;
  int exponent = -1021;
  if (rounded != 0) std::frexp(rounded, &exponent);
  return static_cast<double>(std::fabs(value - reference) / std::ldexp(1.0L, std::max(exponent, -1021) - 53));
}

/// The largest error of f over `count` arguments.
template <class F, class Reference, class Sampler>
double largest(F f, Reference reference, Sampler sampler, int count = 20000) {
  std::mt19937_64 random(7);
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double x = sampler(random);
    worst = std::max(worst, error(f(x), reference(static_cast<long double>(x))));
  }
  return worst;
}

inline auto between(double low, double high) {
  return [=](auto& random) { return std::uniform_real_distribution<double>(low, high)(random); };
}

/// Magnitudes spread evenly over the binades from 2^low to 2^high, both signs.
inline auto binades(double low, double high) {
  return [=](auto& random) {
    const double size = std::exp2(std::uniform_real_distribution<double>(low, high)(random));
    return (random() & 1) != 0 ? -size : size;
  };
}

/// Any finite pattern.
inline double any(std::mt19937_64& random) {
  for (;;) {
    const auto x = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
    if (std::isfinite(x)) return x;
  }
}

inline double any_positive(std::mt19937_64& random) { return std::fabs(any(random)); }

inline constexpr double inf = HUGE_VAL;
inline constexpr double nan = __builtin_nan("");

/// Equal as numbers with the same sign of zero, or both NaN.
template <class T>
bool same(T a, T b) {
  return a != a ? b != b
                : a == b && std::signbit(static_cast<double>(a)) == std::signbit(static_cast<double>(b));
}

/// Whether value is the reference rounded almost correctly, with its sign of zero.
inline bool agrees(double value, long double reference) {
  return error(value, reference) <= bound(0.76) &&
         (std::isnan(value) || std::signbit(value) == std::signbit(reference));
}

}  // namespace ulp

// Checks soft::NAME against NAMEl of <cmath> on arguments of a sampler.
#define CHECK_ULPS(NAME, SAMPLER, ULPS)                                      \
  CHECK(ulp::largest([](double x) { return jacquard::math::soft::NAME(x); }, \
                     [](long double x) { return std::NAME(x); }, SAMPLER) <= ulp::bound(ULPS))
