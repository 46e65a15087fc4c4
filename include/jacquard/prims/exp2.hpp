#pragma once
// exp2: powers of two.

#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// 2^x, elementwise.
/// Rules   derivative: log(2) 2^x, from the result.
struct exp2_p : elementwise<exp2_p, inexact, 1> {
  static constexpr std::string_view name = "exp2";
  template <class T>
  static constexpr T apply(T x) {
    return math::exp2(x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    constexpr double ln2 = 0.69314718055994530942;
    return lax::mul(t, lax::mul(ln2, y));
  }
};

namespace lax {
/// See exp2_p.
template <class Array = array>
constexpr array exp2(const lazy<Array>& x, location where = location::current()) { return bind<exp2_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
