#pragma once
// cummax and cummin: running extremes along an axis, forwards or backwards. One family: they share everything but the comparison.

#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/linear_recurrence.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace detail {
/// What the two share. P::choose is the scalar function, P::stays whether the extreme before stays, element by element.
template <class P>
struct running_extreme : cumulative<P, ordered> {
  using params = cumulative_params;

  /// dy_i = w_i dy_(i-1) + (1 - w_i) t_i; w is 1 where the extreme stays, 1/2 where the element equals it. Nothing equals the NaN
  /// before the first element.
  static constexpr array jvp(const auto& t, const auto& x, const auto& y, const params& p) {
    const array before = moved_on(y, p, std::numeric_limits<double>::quiet_NaN());
    const auto number = [&](const array& b) { return lax::convert_element_type(b, x.dtype(), x.weak_type()); };
    const array half(literal(0.5, x.dtype(), x.weak_type())), one(literal(1.0, x.dtype(), x.weak_type()));
    const array stays = number(P::stays(x, before)), ties = lax::mul(half, number(lax::eq(x, before)));
    const array weight = lax::add(stays, ties);
    return lax::linear_recurrence(weight, lax::mul(lax::sub(one, weight), t), p.axis, p.reverse);
  }
  static constexpr literal neutral(const aval& t) { return extreme_literal(t, P::finds_smallest); }
  template <class T>
  using state = T;
  template <class T>
  static constexpr T begin(T x) {
    return x;
  }
  template <class T>
  static constexpr void advance(T& extreme, T x) {
    // NaN stays. As a branch, which is foreseen, it is none of what the next element waits for.
    if (__builtin_expect_with_probability(extreme == extreme, 1, 0.999)) extreme = P::choose(extreme, x);
  }
  /// The same without a branch, for vectors of rows.
  template <class T>
  static constexpr void advance_beside(T& extreme, T x) {
    extreme = P::choose(extreme, x);
  }
  static constexpr auto value(const auto& extreme) { return extreme; }
};
}  // namespace detail

/// Element i along `axis` is the largest of elements 0 ... i of x, of elements i ... n-1 if `reverse`; NaN from the first one on.
/// Shapes  kept; dtype kept.
/// Errors  type_error: complex numbers; shape_error: an axis outside [0, rank).
/// Rules   derivative: that of the element that is the largest; halved between the extreme so far and one equal to it.
/// Cost    O(size), its derivative too.
struct cummax_p : detail::running_extreme<cummax_p> {
  static constexpr std::string_view name = "cummax";
  static constexpr bool finds_smallest = false;
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::max(a, b);
  }
  static constexpr array stays(const auto& x, const auto& before) { return lax::lt(x, before); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_max(x, axes); }
};

/// Element i along `axis` is the smallest of elements 0 ... i of x, of elements i ... n-1 if `reverse`; NaN from the first one on.
/// Shapes  kept; dtype kept.
/// Errors  type_error: complex numbers; shape_error: an axis outside [0, rank).
/// Rules   derivative: that of the element that is the smallest; halved between the extreme so far and one equal to it.
/// Cost    O(size), its derivative too.
struct cummin_p : detail::running_extreme<cummin_p> {
  static constexpr std::string_view name = "cummin";
  static constexpr bool finds_smallest = true;
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::min(a, b);
  }
  static constexpr array stays(const auto& x, const auto& before) { return lax::gt(x, before); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_min(x, axes); }
};

namespace lax {
/// See cummax_p.
template <class Array = array>
constexpr array cummax(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current()) {
  return bind<cummax_p>({axis, reverse}, where, x);
}
/// See cummin_p.
template <class Array = array>
constexpr array cummin(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current()) {
  return bind<cummin_p>({axis, reverse}, where, x);
}
}  // namespace lax

}  // namespace jacquard
