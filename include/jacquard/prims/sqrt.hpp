#pragma once
// sqrt: the square root.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// The square root, elementwise; NaN below 0, the principal branch for complex numbers.
/// Rules   derivative: 0.5 / sqrt(x), infinite at 0.
struct sqrt_p : elementwise<sqrt_p, inexact, 1> {
  static constexpr std::string_view name = "sqrt";
  static constexpr bool is_square_root = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::sqrt(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) { return lax::mul(t, lax::div(0.5, y)); }
};

namespace lax {
/// See sqrt_p.
template <class Array = array>
constexpr array sqrt(const lazy<Array>& x, location where = location::current()) { return bind<sqrt_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
