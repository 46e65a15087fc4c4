#pragma once
// tan: the tangent of an angle in radians.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// sin(x) / cos(x), elementwise.
/// Rules   derivative: 1 + tan(x)^2.
struct tan_p : elementwise<tan_p, inexact, 1> {
  static constexpr std::string_view name = "tan";
  template <class T>
  static constexpr T apply(T x) {
    return math::tan(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    return lax::mul(t, lax::add(lax::mul(y, y), 1.0));
  }
};

namespace lax {
/// See tan_p.
template <class Array = array>
constexpr array tan(const lazy<Array>& x, location where = location::current()) { return bind<tan_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
