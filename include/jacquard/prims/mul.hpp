#pragma once
// mul: the elementwise product.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// a * b, elementwise; integers wrap.
/// Rules   linear in each operand; transpose = multiply by the other.
struct mul_p : elementwise<mul_p, numbers, 2> {
  static constexpr std::string_view name = "mul";
  static constexpr bool commutative = true;
  static constexpr double unit = 1;
  static constexpr bool only_arithmetic = true;
  static constexpr std::uint32_t linear = 0b11;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::multiply(a, b);
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c);
};

namespace lax {
/// See mul_p.
template <class Array = array>
constexpr array mul(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<mul_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

constexpr array mul_p::transpose(int k, const auto& ct, const auto& c) {
  if (k == 0) return lax::mul(ct, c.x[1]);
  return lax::mul(c.x[0], ct);
}

}  // namespace jacquard
