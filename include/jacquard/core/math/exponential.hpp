#pragma once
// exp, log, pow and their relatives in portable arithmetic, for constant evaluation. Each reduces its
// argument to a small interval, sums a Taylor series there with the leading terms in double-double, and
// rounds once, so that errors stay close to half an ulp. Everything here takes and returns double;
// core/math.hpp chooses between these and the C library. It deliberately has no base 10.

#include "jacquard/core/math/double_double.hpp"
#include "jacquard/core/math/polynomial.hpp"
#include "jacquard/core/math/rounding.hpp"

namespace jacquard::math::soft {

inline constexpr double_double ln2{0.6931471805599453, 2.3190468138462996e-17};

/// exp(r) - 1 for |r| <= 0.35, with a relative error below 2^-57: r + r^2 / 2 exactly, the rest of the Taylor
/// series in double.
constexpr double_double expm1_near_zero(double_double r) {
  constexpr double terms[] = {1.0 / 6,        1.0 / 24,        1.0 / 120,       1.0 / 720,
                              1.0 / 5040,     1.0 / 40320,     1.0 / 362880,    1.0 / 3628800,
                              1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  const double_double square = two_product(r.hi, r.hi);
  const double_double head = fast_two_sum(r.hi, 0.5 * square.hi);
  const double tail = 0.5 * square.lo + r.hi * square.hi * polynomial(terms, r.hi) + (r.lo + r.hi * r.lo);
  return fast_two_sum(head.hi, head.lo + tail);
}

/// exp(x) for |x| <= 1000, as a number in [0.7, 1.42] times 2^k: k = round(x / ln 2), and k ln 2 is
/// subtracted in two parts, the first with 40 bits so that its product with k is exact.
constexpr scaled_double_double exp(double_double x) {
  constexpr double ln2_head = 0.6931471805592082;
  constexpr double ln2_tail = 7.371002565167799e-13;
  const double k = floor(x.hi * 1.4426950408889634 + 0.5);
  const double_double r = two_sum(x.hi - k * ln2_head, x.lo - k * ln2_tail);
  return {double_double(1) + expm1_near_zero(r), static_cast<int>(k)};
}

/// exp(x) - 1 for |x| <= 40.
constexpr double_double expm1(double_double x) {
  if (ieee::magnitude(x.hi) < 0.34) return expm1_near_zero(x);
  const scaled_double_double power = exp(x);
  return scale(power.unit, power.exponent) - double_double(1);
}

constexpr double exp(double x) {
  if (ieee::is_nan(x)) return x;
  if (x > 710) return ieee::infinity<double>();
  if (x < -746) return 0;
  return exp(double_double(x)).value();
}

constexpr double expm1(double x) {
  if (ieee::is_nan(x) || ieee::magnitude(x) < 0x1p-54) return x;
  if (x < -40) return -1;
  return x > 40 ? exp(x) : expm1(double_double(x)).value();
}

constexpr double exp2(double x) {
  if (ieee::is_nan(x)) return x;
  if (x >= 1024) return ieee::infinity<double>();
  if (x < -1076) return 0;
  const double k = floor(x + 0.5);
  const double_double power = double_double(1) + expm1_near_zero(double_double(x - k) * ln2);
  return ieee::scale(power.value(), static_cast<int>(k));
}

/// log(m) for m in [0.7, 1.42], with a relative error below 2^-64: with c the nearest multiple of 1/16,
/// log m = log c + 2 artanh((m - c) / (m + c)), whose argument is below 1/44.
constexpr double_double log_near_one(double_double m) {
  constexpr double_double log_of_sixteenths[] = {{-0.3746934494414107, 3.9243112288632396e-18},   // 11/16
                                                 {-0.2876820724517809, -2.607160616442564e-17},   // 12/16
                                                 {-0.2076393647782445, -1.2053243216686129e-17},  // 13/16
                                                 {-0.13353139262452263, 3.664457663660085e-18},   // 14/16
                                                 {-0.06453852113757118, 6.470486661692933e-18},   // 15/16
                                                 {0.0, 0.0},                                      // 16/16
                                                 {0.06062462181643484, 2.6424025938726934e-18},   // 17/16
                                                 {0.11778303565638346, -1.1971685747593677e-18},  // 18/16
                                                 {0.17185025692665923, -6.0224538210113705e-18},  // 19/16
                                                 {0.22314355131420976, -9.091270597324799e-18},   // 20/16
                                                 {0.27193371548364176, 7.83319637697442e-19},     // 21/16
                                                 {0.3184537311185346, 2.7114779367326236e-17},    // 22/16
                                                 {0.3629054936893685, -2.1492361455310972e-17}};  // 23/16
  constexpr double terms[] = {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13};
  // At a tie either neighbour will do. NOLINTNEXTLINE(bugprone-incorrect-roundings)
  const int sixteenths = static_cast<int>(16 * m.hi + 0.5);
  const double_double centre = sixteenths / 16.0;
  const double_double s = (m - centre) / (m + centre);
  const double square = s.hi * s.hi;
  const double_double series = fast_two_sum(2 * s.hi, 2 * s.lo + s.hi * square * polynomial(terms, square));
  return log_of_sixteenths[sixteenths - 11] + series;
}

/// A finite x > 0 as m * 2^e with m in [0.7, 1.42].
constexpr scaled_double_double centred(double_double x) {
  const int e = ieee::exponent(x.hi);
  const int up = ieee::significand(x.hi) > 1.4142135623730951 ? 1 : 0;
  return {scale(x, -e - up), e + up};
}

/// log of a finite double-double > 0.
constexpr double_double log(double_double x) {
  const scaled_double_double parts = centred(x);
  return ln2 * double_double(parts.exponent) + log_near_one(parts.unit);
}

// NaN, infinities, zero and negative numbers: whatever log and its relatives answer without computing. Called
// only for those.
constexpr double log_of_special(double x) {
  if (ieee::is_nan(x)) return x;
  if (ieee::is_zero(x)) return ieee::infinity<double>(true);
  return ieee::signbit(x) ? ieee::quiet_nan<double>() : x;
}

constexpr bool is_positive_finite(double x) { return ieee::is_finite(x) && x > 0; }

constexpr double log(double x) {
  return is_positive_finite(x) ? log(double_double(x)).value() : log_of_special(x);
}

/// Exact at powers of two.
constexpr double log2(double x) {
  constexpr double_double inverse_ln2{1.4426950408889634, 2.0355273740931033e-17};
  if (!is_positive_finite(x)) return log_of_special(x);
  const scaled_double_double parts = centred(x);
  return (double_double(parts.exponent) + log_near_one(parts.unit) * inverse_ln2).value();
}

/// Exact at powers of ten.
constexpr double log10(double x) {
  constexpr double_double inverse_ln10{0.4342944819032518, 1.098319650216765e-17}, log10_2{0.3010299956639812, -2.8037281277851704e-18};
  if (!is_positive_finite(x)) return log_of_special(x);
  const scaled_double_double parts = centred(x);
  return (log10_2 * double_double(parts.exponent) + log_near_one(parts.unit) * inverse_ln10).value();
}

constexpr double log1p(double x) {
  if (ieee::is_nan(x) || ieee::magnitude(x) < 0x1p-54) return x;
  if (x <= -1 || ieee::is_inf(x)) return log_of_special(x == -1 ? 0 : x);
  return log(two_sum(1, x)).value();
}

}  // namespace jacquard::math::soft
