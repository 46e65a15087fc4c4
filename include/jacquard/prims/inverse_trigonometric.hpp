#pragma once
// asin, acos and atan: the angles of a sine, a cosine and a tangent, in radians. One family, since their derivatives are made of
// one root. Deliberately infinite slopes at the ends of the interval, as the functions have them.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/rsqrt.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace detail {
/// 1 / sqrt(1 - x^2), of factors that do not cancel near 1.
template <class Array = array>
constexpr array reciprocal_leg(const lazy<Array>& x) {
  return lax::rsqrt(lax::mul(lax::sub(1.0, x), lax::add(x, 1.0)));
}
}  // namespace detail

/// The angle in [-pi/2, pi/2] with sine x, elementwise; NaN for real x outside [-1, 1].
/// Rules   derivative: 1 / sqrt(1 - x^2).
struct asin_p : elementwise<asin_p, inexact, 1> {
  static constexpr std::string_view name = "asin";
  template <class T>
  static constexpr T apply(T x) {
    return math::asin(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::mul(t, detail::reciprocal_leg(x)); }
};

/// The angle in [0, pi] with cosine x, elementwise; NaN for real x outside [-1, 1].
/// Rules   derivative: -1 / sqrt(1 - x^2).
struct acos_p : elementwise<acos_p, inexact, 1> {
  static constexpr std::string_view name = "acos";
  template <class T>
  static constexpr T apply(T x) {
    return math::acos(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::neg(lax::mul(t, detail::reciprocal_leg(x))); }
};

/// The angle in [-pi/2, pi/2] with tangent x, elementwise.
/// Rules   derivative: 1 / (1 + x^2).
struct atan_p : elementwise<atan_p, inexact, 1> {
  static constexpr std::string_view name = "atan";
  template <class T>
  static constexpr T apply(T x) {
    return math::atan(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::div(t, lax::add(lax::mul(x, x), 1.0)); }
};

namespace lax {
/// See asin_p.
template <class Array = array>
constexpr array asin(const lazy<Array>& x, location where = location::current()) { return bind<asin_p>({}, where, x); }
/// See acos_p.
template <class Array = array>
constexpr array acos(const lazy<Array>& x, location where = location::current()) { return bind<acos_p>({}, where, x); }
/// See atan_p.
template <class Array = array>
constexpr array atan(const lazy<Array>& x, location where = location::current()) { return bind<atan_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
