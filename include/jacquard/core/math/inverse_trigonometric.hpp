#pragma once
// atan2, atan, asin and acos in portable arithmetic, for constant evaluation. All are the angle of a point in
// the first quadrant, found in double-double by turning it near the axis with a table of nine angles, and put
// into its quadrant afterwards. Everything here takes and returns double; core/math.hpp chooses between these
// and the C library. It deliberately has one series, not four.

#include "jacquard/core/math/roots.hpp"
#include "jacquard/core/math/trigonometric.hpp"

namespace jacquard::math::soft {

/// atan(y / x) for 0 <= y <= x, x > 0: with c the nearest multiple of 1/8, atan(y/x) = atan c + atan((y - c
/// x) / (x + c y)), whose argument is at most 1/16.
constexpr double_double angle_below_diagonal(double_double y, double_double x) {
  constexpr double_double angle_of_eighths[] = {{0.0, 0.0},
                                                {0.12435499454676144, -3.1253241424539383e-18},
                                                {0.24497866312686414, 1.0698755618734451e-17},
                                                {0.35877067027057225, -2.4623815582638635e-17},
                                                {0.4636476090008061, 2.2698777452961687e-17},
                                                {0.5585993153435624, -5.4556305485916264e-18},
                                                {0.6435011087932844, 1.5834785051444286e-17},
                                                {0.7188299996216245, -2.1478388444456983e-17},
                                                {0.7853981633974483, 3.061616997868383e-17}};
  constexpr double terms[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15};
  // At a tie either neighbour will do. NOLINTNEXTLINE(bugprone-incorrect-roundings)
  const int eighths = static_cast<int>(8 * (y.hi / x.hi) + 0.5);
  const double_double c = eighths / 8.0;
  const double_double t = (y - c * x) / (x + c * y);
  const double square = t.hi * t.hi;
  return angle_of_eighths[eighths] + fast_two_sum(t.hi, t.lo + t.hi * square * polynomial(terms, square));
}

/// The angle of (x, y) in the first quadrant, axes included, not both 0; both at most 2^100 and the smaller
/// at least 2^-100, or 0.
constexpr double_double angle_in_quadrant(double_double y, double_double x) {
  return y.hi <= x.hi ? angle_below_diagonal(y, x) : half_pi - angle_below_diagonal(x, y);
}

constexpr double atan(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x) || size < 0x1p-27) return x;
  return ieee::copysign(size > 0x1p60 ? half_pi.hi : angle_in_quadrant(size, 1).value(), x);
}

/// The special cases are those of C F.10.1.4.
constexpr double atan2(double y, double x) {
  if (ieee::is_nan(x)) return x;
  if (ieee::is_nan(y)) return y;
  // Infinite coordinates have the angle of (1 or 0, 1 or 0).
  const bool infinite = ieee::is_inf(x) || ieee::is_inf(y);
  const double a = infinite ? (ieee::is_inf(x) ? 1 : 0) : ieee::magnitude(x);
  const double b = infinite ? (ieee::is_inf(y) ? 1 : 0) : ieee::magnitude(y);
  const bool left = ieee::signbit(x);
  if (b == 0) return ieee::copysign(left ? pi.hi : 0, y);
  if (a == 0) return ieee::copysign(half_pi.hi, y);
  const int slope = ieee::exponent(b) - ieee::exponent(a);
  if (slope > 60) return ieee::copysign(half_pi.hi, y);
  if (slope < -60) return ieee::copysign(left ? pi.hi : ieee::divide(b, a), y);
  const int k = -ieee::exponent(a);
  const double_double angle = angle_in_quadrant(ieee::scale(b, k), ieee::scale(a, k));
  return ieee::copysign((left ? pi - angle : angle).value(), y);
}

/// sqrt(1 - x^2) for |x| <= 1.
constexpr double_double other_leg(double x) { return sqrt(double_double(1) - two_product(x, x)); }

constexpr double asin(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x) || size < 0x1p-27) return x;
  if (size > 1) return ieee::quiet_nan<double>();
  return ieee::copysign(angle_in_quadrant(size, other_leg(x)).value(), x);
}

constexpr double acos(double x) {
  const double size = ieee::magnitude(x);
  if (ieee::is_nan(x)) return x;
  if (size > 1) return ieee::quiet_nan<double>();
  if (size < 0x1p-60) return half_pi.hi;
  const double_double angle = angle_in_quadrant(other_leg(x), size);
  return (x < 0 ? pi - angle : angle).value();
}

}  // namespace jacquard::math::soft
