#pragma once
// div: the quotient.

#include "jacquard/core/constant_division.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// a / b, elementwise. Integers are divided towards zero and never trap: x / 0 has all bits set, min / -1 wraps to min.
/// Rules   linear in a; transpose = divide the cotangent by b. Derivative in both: (ta - tb y) / b, from the result y: one division, forwards and
///         backwards; in b alone: -y / b, which all tangents share.
struct div_p : elementwise<div_p, numbers, 2> {
  static constexpr std::string_view name = "div";
  static constexpr double unit = 1;
  static constexpr std::uint32_t linear = 0b01;
  static constexpr bool only_arithmetic = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::divide(a, b);
  }
  static constexpr recorded_scalar apply(const recorded_scalar& a, const recorded_scalar& b) { return detail::recorded_quotient(a, b); }
  template <math::integer_scalar T>
  static void tile(const T* a, const T* b, T* y, std::int64_t n) {
    math::divide_all(a, b, y, n);
  }
  static constexpr void jvp(auto& c);
  static constexpr array transpose(int k, const auto& ct, const auto& c);
};

namespace lax {
/// See div_p.
template <class Array = array>
constexpr array div(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<div_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

constexpr void div_p::jvp(auto& c) {
  // auto, not array: with operands of known type clang instantiates lax::div, and with it the table, before this is defined.
  const auto &ta = c.t[0], &tb = c.t[1], &b = c.x[1], &y = c.y[0];
  if (tb.is_none()) c.ty[0] = lax::div(ta, b);
  else if (ta.is_none()) c.ty[0] = lax::mul(tb, lax::neg(lax::div(y, b)));
  else c.ty[0] = lax::div(lax::sub(ta, lax::mul(tb, y)), b);
}
constexpr array div_p::transpose(int, const auto& ct, const auto& c) { return lax::div(ct, c.x[1]); }

}  // namespace jacquard
