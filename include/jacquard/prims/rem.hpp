#pragma once
// rem: the remainder of a division towards zero.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/rounding.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// a - b * trunc(a / b), elementwise and exact, with the sign of a. Integers never trap: the remainder by 0 is a.
/// Rules   derivative in a: 1; in b: -trunc(a / b), from the result.
struct rem_p : elementwise<rem_p, reals, 2> {
  static constexpr std::string_view name = "rem";
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::rem(a, b);
  }
  static constexpr recorded_scalar apply(const recorded_scalar& a, const recorded_scalar& b) { return detail::recorded_remainder(a, b); }
  template <math::integer_scalar T>
  static void tile(const T* a, const T* b, T* y, std::int64_t n) {
    math::rem_all(a, b, y, n);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto& y) {
    if (k == 0) return t;
    return lax::mul(t, lax::neg(lax::round(lax::div(lax::sub(x[0], y), x[1]))));
  }
};

namespace lax {
/// See rem_p.
template <class Array = array>
constexpr array rem(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<rem_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

}  // namespace jacquard
