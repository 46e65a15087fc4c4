#pragma once
// tanh: the hyperbolic tangent.

#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// The hyperbolic tangent, elementwise.
/// Rules   derivative: 1 - tanh(x)^2.
struct tanh_p : elementwise<tanh_p, inexact, 1> {
  static constexpr std::string_view name = "tanh";
  template <class T>
  static constexpr T apply(T x) {
    return math::tanh(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    return lax::mul(t, lax::sub(1.0, lax::mul(y, y)));
  }
};

namespace lax {
/// See tanh_p.
template <class Array = array>
constexpr array tanh(const lazy<Array>& x, location where = location::current()) { return bind<tanh_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
