#pragma once
// add: the sum of two arrays, and of tangents and cotangents.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// a + b, elementwise; integers wrap.
/// Rules   linear in both together; transpose = the cotangent itself.
struct add_p : elementwise<add_p, numbers, 2> {
  static constexpr std::string_view name = "add";
  static constexpr bool commutative = true;
  static constexpr double unit = 0;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::add(a, b);
  }
  static constexpr array jvp(int, const array& t, std::span<const array>, const array&) { return t; }
  static constexpr array transpose(int, const array& ct, const transpose_call&) { return ct; }
};

namespace lax {
/// See add_p.
constexpr array add(const array& a, const array& b, location where = location::current()) {
  return bind<add_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

/// The sum of two tangents or cotangents; found by the rule generator.
constexpr array add_any(const array& a, const array& b) { return lax::add(a, b); }

}  // namespace jacquard
