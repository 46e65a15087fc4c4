#pragma once
// log: the natural logarithm.

#include "jacquard/prims/div.hpp"

namespace jacquard {

/// The natural logarithm, elementwise; the principal branch for complex numbers. log(0) = -inf.
/// Rules   derivative: 1 / x.
struct log_p : elementwise<log_p, inexact, 1> {
  static constexpr std::string_view name = "log";
  template <class T>
  static constexpr T apply(T x) {
    return math::log(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::div(t, x); }
};

namespace lax {
/// See log_p.
template <class Array = array>
constexpr array log(const lazy<Array>& x, location where = location::current()) { return bind<log_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
