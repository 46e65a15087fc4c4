#pragma once
// Running products, extremes and log-sums along an axis; running sums are in reductions.hpp. Each is one pass, its derivative another.

#include "jacquard/numpy/reductions.hpp"
#include "jacquard/prims/cumlogsumexp.hpp"
#include "jacquard/prims/cummax_cummin.hpp"
#include "jacquard/prims/cumprod.hpp"

namespace jacquard {

namespace detail {
/// f(v, axis) of the operand converted to v, raveled for jq::none.
template <class F>
constexpr array running(std::string_view operation, const operand& x, const array& v, int axis, F&& f) {
  array bad = check_given(operation, x);
  if (!bad.is_none()) return bad;
  if (axis == none) return f(lax::reshape(v, shape{v.size()}, x.where), 0);
  int d = 0;
  if (bad = resolve_one_axis(operation, x, axis, v.ndim(), d); !bad.is_none()) return bad;
  return f(v, d);
}
}  // namespace detail

/// Running products along an axis; without one, of the raveled array. bool is multiplied in i64, other dtypes stay.
/// Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array cumprod(const lazy<Operand>& x, int axis = none, bool reverse = false) {
  array v = x.value;
  if (!v.is_none() && is_boolean(v.dtype())) v = detail::as_type(v, {i64, false}, x.where);
  return detail::running("cumprod", x, v, axis, [&](const array& a, int d) { return lax::cumprod(a, d, reverse, x.where); });
}
/// The largest elements so far along an axis; without one, of the raveled array. NaN from the first one on.
/// Errors: value_error for an axis out of range; type_error for complex numbers.
template <class Operand = operand>
constexpr array cummax(const lazy<Operand>& x, int axis = none, bool reverse = false) {
  return detail::running("cummax", x, x.value, axis, [&](const array& a, int d) { return lax::cummax(a, d, reverse, x.where); });
}
/// The smallest elements so far along an axis; without one, of the raveled array. NaN from the first one on.
/// Errors: value_error for an axis out of range; type_error for complex numbers.
template <class Operand = operand>
constexpr array cummin(const lazy<Operand>& x, int axis = none, bool reverse = false) {
  return detail::running("cummin", x, x.value, axis, [&](const array& a, int d) { return lax::cummin(a, d, reverse, x.where); });
}
/// Running log(sum(exp(x))) along an axis without overflow; without one, of the raveled array.
/// Errors: value_error for an axis out of range; type_error for complex numbers.
template <class Operand = operand>
constexpr array cumlogsumexp(const lazy<Operand>& x, int axis = none, bool reverse = false) {
  return detail::running("cumlogsumexp", x, detail::as_inexact(x), axis, [&](const array& a, int d) { return lax::cumlogsumexp(a, d, reverse, x.where); });
}

}  // namespace jacquard
