#pragma once
// sub: the difference.

#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// a - b, elementwise; integers wrap.
/// Rules   linear in both together; transpose = the cotangent and its negative.
struct sub_p : elementwise<sub_p, numbers, 2> {
  static constexpr std::string_view name = "sub";
  static constexpr double unit = 0;
  static constexpr bool only_arithmetic = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::subtract(a, b);
  }
  static constexpr void jvp(auto& c);
  static constexpr array transpose(int k, const auto& ct, const auto&) {
    if (k == 0) return ct;
    return lax::neg(ct);
  }
};

namespace lax {
/// See sub_p.
template <class Array = array>
constexpr array sub(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<sub_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

constexpr void sub_p::jvp(auto& c) {
  if (c.t[1].is_none()) c.ty[0] = c.t[0];
  else if (c.t[0].is_none()) c.ty[0] = lax::neg(c.t[1]);
  else c.ty[0] = lax::sub(c.t[0], c.t[1]);
}

}  // namespace jacquard
