#pragma once
// expm1: exp(x) - 1, accurate near 0.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// exp(x) - 1 without cancellation, elementwise.
/// Rules   derivative: exp(x), from the result.
struct expm1_p : elementwise<expm1_p, inexact, 1> {
  static constexpr std::string_view name = "expm1";
  template <class T>
  static constexpr T apply(T x) {
    return math::expm1(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) { return lax::mul(t, lax::add(y, 1.0)); }
};

namespace lax {
/// See expm1_p.
template <class Array = array>
constexpr array expm1(const lazy<Array>& x, location where = location::current()) { return bind<expm1_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
