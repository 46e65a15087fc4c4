#pragma once
// log1p: log(1 + x), accurate near 0.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/div.hpp"

namespace jacquard {

/// log(1 + x) without cancellation, elementwise.
/// Rules   derivative: 1 / (1 + x).
struct log1p_p : elementwise<log1p_p, inexact, 1> {
  static constexpr std::string_view name = "log1p";
  template <class T>
  static constexpr T apply(T x) {
    return math::log1p(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::div(t, lax::add(x, 1.0)); }
};

namespace lax {
/// See log1p_p.
template <class Array = array>
constexpr array log1p(const lazy<Array>& x, location where = location::current()) { return bind<log1p_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
