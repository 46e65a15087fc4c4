#pragma once
// div: the quotient.

#include "jacquard/core/constant_division.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// a / b, elementwise. Integers are divided towards zero and never trap: x / 0 has all bits set, min / -1 wraps to min.
/// Rules   linear in a; transpose = divide the cotangent by b. Derivative in b: -y / b, from the result y.
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
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto& y);
  static constexpr array transpose(int k, const auto& ct, const auto& c);
};

namespace lax {
/// See div_p.
template <class Array = array>
constexpr array div(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<div_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

constexpr array div_p::jvp(int k, const auto& t, view<const array> x, const auto& y) {
  if (k == 0) return lax::div(t, x[1]);
  return lax::mul(t, lax::neg(lax::div(y, x[1])));
}
constexpr array div_p::transpose(int, const auto& ct, const auto& c) { return lax::div(ct, c.x[1]); }

}  // namespace jacquard
