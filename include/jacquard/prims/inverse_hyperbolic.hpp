#pragma once
// asinh, acosh and atanh: the inverses of the hyperbolic functions.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/rsqrt.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// The y with sinh(y) = x, elementwise.
/// Rules   derivative: 1 / sqrt(1 + x^2).
struct asinh_p : elementwise<asinh_p, inexact, 1> {
  static constexpr std::string_view name = "asinh";
  template <class T>
  static constexpr T apply(T x) {
    return math::asinh(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    return lax::mul(t, lax::rsqrt(lax::add(lax::mul(x, x), 1.0)));
  }
};

/// The y >= 0 with cosh(y) = x, elementwise; NaN for real x below 1.
/// Rules   derivative: 1 / (sqrt(x - 1) sqrt(x + 1)), infinite at 1.
struct acosh_p : elementwise<acosh_p, inexact, 1> {
  static constexpr std::string_view name = "acosh";
  template <class T>
  static constexpr T apply(T x) {
    return math::acosh(x);
  }
  // Of two roots, which have the right sign for complex numbers too.
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    return lax::mul(t, lax::mul(lax::rsqrt(lax::sub(x, 1.0)), lax::rsqrt(lax::add(x, 1.0))));
  }
};

/// The y with tanh(y) = x, elementwise; infinite at -1 and 1, NaN for real x outside.
/// Rules   derivative: 1 / (1 - x^2).
struct atanh_p : elementwise<atanh_p, inexact, 1> {
  static constexpr std::string_view name = "atanh";
  template <class T>
  static constexpr T apply(T x) {
    return math::atanh(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    return lax::div(t, lax::mul(lax::sub(1.0, x), lax::add(x, 1.0)));
  }
};

namespace lax {
/// See asinh_p.
template <class Array = array>
constexpr array asinh(const lazy<Array>& x, location where = location::current()) { return bind<asinh_p>({}, where, x); }
/// See acosh_p.
template <class Array = array>
constexpr array acosh(const lazy<Array>& x, location where = location::current()) { return bind<acosh_p>({}, where, x); }
/// See atanh_p.
template <class Array = array>
constexpr array atanh(const lazy<Array>& x, location where = location::current()) { return bind<atanh_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
