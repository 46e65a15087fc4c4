#pragma once
// neg: the additive inverse.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// -x, elementwise; unsigned integers wrap.
/// Rules   linear; transpose = neg.
struct neg_p : elementwise<neg_p, numbers, 1> {
  static constexpr std::string_view name = "neg";
  static constexpr std::uint32_t linear = 1;
  static constexpr bool only_arithmetic = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::negate(x);
  }
  static constexpr array transpose(int, const auto& ct, const auto&);
};

namespace lax {
/// See neg_p.
template <class Array = array>
constexpr array neg(const lazy<Array>& x, location where = location::current()) { return bind<neg_p>({}, where, x); }
}  // namespace lax

constexpr array neg_p::transpose(int, const auto& ct, const auto&) { return lax::neg(ct); }

}  // namespace jacquard
