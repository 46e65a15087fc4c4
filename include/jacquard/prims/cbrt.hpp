#pragma once
// cbrt: the real cube root.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// The y with y^3 = x, elementwise, of the sign of x.
/// Rules   derivative: 1 / (3 y^2), from the result; infinite at 0.
struct cbrt_p : elementwise<cbrt_p, floats, 1> {
  static constexpr std::string_view name = "cbrt";
  template <class T>
  static constexpr T apply(T x) {
    return math::cbrt(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    return lax::div(t, lax::mul(3.0, lax::mul(y, y)));
  }
};

namespace lax {
/// See cbrt_p.
template <class Array = array>
constexpr array cbrt(const lazy<Array>& x, location where = location::current()) { return bind<cbrt_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
