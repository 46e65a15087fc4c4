#pragma once
// clamp: limits values to an interval.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard {

/// min(max(x, low), high), elementwise; operands in the order low, x, high. NaN if any of them is.
/// Errors  type_error: complex numbers, or different dtypes.
/// Rules   the derivative goes to x strictly inside the interval, to the bound that is the result otherwise.
struct clamp_p : elementwise<clamp_p, ordered, 3> {
  static constexpr std::string_view name = "clamp";
  template <class T>
  static constexpr T apply(T low, T x, T high) {
    return math::min(math::max(x, low), high);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    const array &low = x[0], &operand = x[1], &high = x[2];
    const array zero = detail::scalar_like(t, 0);
    if (k == 0) return lax::select(lax::and_(lax::gt(low, operand), lax::lt(low, high)), t, zero);
    if (k == 1) return lax::select(lax::and_(lax::gt(operand, low), lax::lt(operand, high)), t, zero);
    return lax::select(lax::or_(lax::lt(high, operand), lax::lt(high, low)), t, zero);
  }
};

namespace lax {
/// See clamp_p.
template <class Array = array>
constexpr array clamp(const lazy<Array>& low, const lazy<Array>& x, const lazy<Array>& high, location where = location::current()) {
  return bind<clamp_p>({}, where, detail::match_literal_to(low, x), x, detail::match_literal_to(high, x));
}
}  // namespace lax

}  // namespace jacquard
