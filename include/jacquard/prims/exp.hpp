#pragma once
// exp: the exponential function.

#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// e to the power x, elementwise.
/// Rules   derivative: the result itself.
struct exp_p : elementwise<exp_p, inexact, 1> {
  static constexpr std::string_view name = "exp";
  template <class T>
  static constexpr T apply(T x) {
    return math::exp(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) { return lax::mul(t, y); }
};

namespace lax {
/// See exp_p.
template <class Array = array>
constexpr array exp(const lazy<Array>& x, location where = location::current()) { return bind<exp_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
