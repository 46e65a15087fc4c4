#pragma once
// sinh and cosh. One family: they are each other's derivatives.

#include "jacquard/prims/mul.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array sinh(const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array cosh(const lazy<Array>& x, location where = location::current());
}  // namespace lax

/// (exp(x) - exp(-x)) / 2, elementwise, without cancellation near 0.
/// Rules   derivative: cosh(x).
struct sinh_p : elementwise<sinh_p, inexact, 1> {
  static constexpr std::string_view name = "sinh";
  template <class T>
  static constexpr T apply(T x) {
    return math::sinh(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::mul(t, lax::cosh(x)); }
};

/// (exp(x) + exp(-x)) / 2, elementwise.
/// Rules   derivative: sinh(x).
struct cosh_p : elementwise<cosh_p, inexact, 1> {
  static constexpr std::string_view name = "cosh";
  template <class T>
  static constexpr T apply(T x) {
    return math::cosh(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::mul(t, lax::sinh(x)); }
};

namespace lax {
/// See sinh_p.
template <class Array>
constexpr array sinh(const lazy<Array>& x, location where) { return bind<sinh_p>({}, where, x); }
/// See cosh_p.
template <class Array>
constexpr array cosh(const lazy<Array>& x, location where) { return bind<cosh_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
