#pragma once
// sin and cos, each other's derivative.

#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array sin(const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array cos(const lazy<Array>& x, location where = location::current());
}  // namespace lax

/// Sine, elementwise, of radians.
struct sin_p : elementwise<sin_p, inexact, 1> {
  static constexpr std::string_view name = "sin";
  template <class T>
  static constexpr T apply(T x) {
    return math::sin(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::mul(t, lax::cos(x)); }
};

/// Cosine, elementwise, of radians.
struct cos_p : elementwise<cos_p, inexact, 1> {
  static constexpr std::string_view name = "cos";
  template <class T>
  static constexpr T apply(T x) {
    return math::cos(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    return lax::neg(lax::mul(t, lax::sin(x)));
  }
};

namespace lax {
/// See sin_p.
template <class Array>
constexpr array sin(const lazy<Array>& x, location where) { return bind<sin_p>({}, where, x); }
/// See cos_p.
template <class Array>
constexpr array cos(const lazy<Array>& x, location where) { return bind<cos_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
