#pragma once
// rsqrt: the reciprocal square root.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// 1 / sqrt(x), elementwise.
/// Rules   derivative: -0.5 y / x, from the result y.
struct rsqrt_p : elementwise<rsqrt_p, inexact, 1> {
  static constexpr std::string_view name = "rsqrt";
  template <class T>
  static constexpr T apply(T x) {
    return math::rsqrt(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y) {
    return lax::mul(t, lax::mul(-0.5, lax::div(y, x)));
  }
};

namespace lax {
/// See rsqrt_p.
template <class Array = array>
constexpr array rsqrt(const lazy<Array>& x, location where = location::current()) { return bind<rsqrt_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
