#pragma once
// max and min of two arrays. One family: they share their derivative.

#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard {

namespace detail {
/// 1 where the choice fell on this operand, 0.5 where both were equal, else 0 (also beside a NaN); dtype of `own`.
template <class Array = array>
constexpr array share_of_choice(const lazy<Array>& chosen, const lazy<Array>& equal, const lazy<Array>& own) {
  const array zero_or_one = lax::select(chosen, scalar_like(own, 1), scalar_like(own, 0));
  return lax::select(equal, scalar_like(own, 0.5), zero_or_one);
}
}  // namespace detail

/// The larger of a and b, elementwise; NaN if either is.
/// Errors  type_error: complex numbers, or different dtypes.
/// Rules   the derivative goes to the larger operand, half to each of two equal ones.
struct max_p : elementwise<max_p, ordered, 2> {
  static constexpr std::string_view name = "max";
  static constexpr bool commutative = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::max(a, b);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    const array &own = x[std::size_t(k)], &other = x[std::size_t(1 - k)];
    const array chosen = lax::gt(own, other);
    return lax::mul(t, detail::share_of_choice(chosen, lax::eq(own, other), own));
  }
};

/// The smaller of a and b, elementwise; NaN if either is.
/// Errors  type_error: complex numbers, or different dtypes.
/// Rules   the derivative goes to the smaller operand, half to each of two equal ones.
struct min_p : elementwise<min_p, ordered, 2> {
  static constexpr std::string_view name = "min";
  static constexpr bool commutative = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::min(a, b);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    const array &own = x[std::size_t(k)], &other = x[std::size_t(1 - k)];
    const array chosen = lax::lt(own, other);
    return lax::mul(t, detail::share_of_choice(chosen, lax::eq(own, other), own));
  }
};

namespace lax {
/// See max_p.
template <class Array = array>
constexpr array max(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<max_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
/// See min_p.
template <class Array = array>
constexpr array min(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<min_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

}  // namespace jacquard
