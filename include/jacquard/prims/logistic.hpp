#pragma once
// logistic: the sigmoid function.

#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// 1 / (1 + exp(-x)) without overflow, elementwise.
/// Rules   derivative: y (1 - y), from the result y.
struct logistic_p : elementwise<logistic_p, inexact, 1> {
  static constexpr std::string_view name = "logistic";
  template <class T>
  static constexpr T apply(T x) {
    return math::logistic(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    return lax::mul(t, lax::mul(y, lax::sub(1.0, y)));
  }
};

namespace lax {
/// See logistic_p.
template <class Array = array>
constexpr array logistic(const lazy<Array>& x, location where = location::current()) {
  return bind<logistic_p>({}, where, x);
}
}  // namespace lax

}  // namespace jacquard
