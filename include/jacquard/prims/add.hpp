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
  static constexpr bool only_arithmetic = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::add(a, b);
  }
  static constexpr array jvp(int, const auto& t, view<const array>, const auto&) { return t; }
  static constexpr array transpose(int, const auto& ct, const auto&) { return ct; }
};

namespace lax {
/// See add_p.
template <class Array = array>
constexpr array add(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<add_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

/// The sum of two tangents or cotangents; found by the rule generator.
template <class Array>
constexpr array add_any(const lazy<Array>& a, const lazy<Array>& b) { return lax::add(a, b); }
#if defined(__clang__)
// core/rules names it before it is defined here. Named again, clang compiles it now; else only at the end of the file, too late
// for constant evaluation.
static_assert((static_cast<void>(&add_any<array>), true));
#endif

}  // namespace jacquard
