#pragma once
// stop_gradient: a value that differentiation takes for a constant.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// x itself.
/// Rules   derivative 0, in both modes.
struct stop_gradient_p : elementwise<stop_gradient_p, any_type, 1> {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr bool no_derivative = true;
  static constexpr bool identity = true;
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};

namespace lax {
/// See stop_gradient_p.
template <class Array = array>
constexpr array stop_gradient(const lazy<Array>& x, location where = location::current()) {
  return bind<stop_gradient_p>({}, where, x);
}
}  // namespace lax

}  // namespace jacquard
