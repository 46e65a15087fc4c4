#pragma once
// Reductions over several axes, one after the other, and over dimensions of the operand; collectives of trees: the one of arrays, for each leaf.
// Deliberately not for those that ask where in a shape they split, which leaves seldom share.

#include "jacquard/core/tree.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/collectives.hpp"
#include "jacquard/prims/reduce_max_min.hpp"

namespace jacquard {

namespace lax {

using axis_names = std::initializer_list<name_text>;

/// What a reduction goes over: a mapped axis by its name, or a dimension of its operand by its position.
struct axis_or_dimension {
  name_text name;
  std::int64_t position = 0;
  bool is_position = false;

  constexpr axis_or_dimension(const char* its_name) : name(its_name) {}
  constexpr axis_or_dimension(std::string_view its_name) : name(its_name) {}
  constexpr axis_or_dimension(const name_text& its_name) : name(its_name) {}
  template <std::integral Position>
  constexpr axis_or_dimension(Position at) : position(at), is_position(true) {}
};
using axes_and_dimensions = std::initializer_list<axis_or_dimension>;

}  // namespace lax

namespace detail {
template <class T>
concept tree_of_leaves = tree_node<T> && !leaf<T>;
/// The name of a mapped axis, or the position of a dimension.
template <class T>
concept one_axis = std::convertible_to<const T&, lax::axis_or_dimension>;

/// `of_dimensions` over all dimensions of `axes` at once, then `of_axis` over one mapped axis after the other.
template <class Array = array>
constexpr array over_axes(lazy<Array> x, lax::axes_and_dimensions axes, auto&& of_dimensions, auto&& of_axis) {
  if (x.is_none()) return x;
  int_list dims;
  for (const lax::axis_or_dimension& a : axes) {
    if (!a.is_position) continue;
    const int d = resolve_axis(a.position, x.shape().rank());
    dims.push_back(d < 0 ? a.position : d);  // one that is not there is the reduction's error
  }
  if (!dims.empty()) x = of_dimensions(x, dims);
  for (const lax::axis_or_dimension& a : axes)
    if (!a.is_position) x = of_axis(x, a.name);
  return x;
}
}  // namespace detail

namespace lax {

// Over several axes and dimensions. Errors: those of the collective and of the reduction.
template <class Array = array>
constexpr array psum(const lazy<Array>& x, axes_and_dimensions axes, location where = location::current()) {
  return detail::over_axes(x, axes, [&](const array& v, const int_list& dims) {
    if (is_boolean(v.dtype())) return reduce_sum(convert_element_type(v, i32, false, where), dims, where);
    return reduce_sum(v, dims, where);
  }, [&](const array& v, const name_text& axis) { return psum(v, axis, where); });
}
template <class Array = array>
constexpr array pmean(const lazy<Array>& x, axes_and_dimensions axes, location where = location::current()) {
  if (!x.is_none() && !is_inexact(x.dtype())) return pmean(convert_element_type(x, f64, false, where), axes, where);
  return detail::over_axes(x, axes, [&](const array& v, const int_list& dims) {
    const array sum = reduce_sum(v, dims, where);
    if (sum.is_none() || sum.size() == 0) return sum;
    return div(sum, double(v.size() / sum.size()), where);
  }, [&](const array& v, const name_text& axis) { return pmean(v, axis, where); });
}
template <class Array = array>
constexpr array pmax(const lazy<Array>& x, axes_and_dimensions axes, location where = location::current()) {
  return detail::over_axes(x, axes, [&](const array& v, const int_list& dims) { return reduce_max(v, dims, where); },
                           [&](const array& v, const name_text& axis) { return pmax(v, axis, where); });
}
template <class Array = array>
constexpr array pmin(const lazy<Array>& x, axes_and_dimensions axes, location where = location::current()) {
  return detail::over_axes(x, axes, [&](const array& v, const int_list& dims) { return reduce_min(v, dims, where); },
                           [&](const array& v, const name_text& axis) { return pmin(v, axis, where); });
}
/// The position on several axes taken as one, the first one varying slowest.
template <class Array = array>
constexpr array axis_index(axis_names axes, location where = location::current()) {
  array r;
  for (const name_text& a : axes) {
    const array i = axis_index(a, where);
    if (r.is_none()) r = i;
    else r = add(mul(r, axis_size(a, where), where), i, where);
  }
  return r;
}

// Over one dimension.
template <std::integral Position, class Array = array>
constexpr array psum(const lazy<Array>& x, Position dimension, location where = location::current()) {
  return psum(x, {axis_or_dimension(dimension)}, where);
}
template <std::integral Position, class Array = array>
constexpr array pmean(const lazy<Array>& x, Position dimension, location where = location::current()) {
  return pmean(x, {axis_or_dimension(dimension)}, where);
}
template <std::integral Position, class Array = array>
constexpr array pmax(const lazy<Array>& x, Position dimension, location where = location::current()) {
  return pmax(x, {axis_or_dimension(dimension)}, where);
}
template <std::integral Position, class Array = array>
constexpr array pmin(const lazy<Array>& x, Position dimension, location where = location::current()) {
  return pmin(x, {axis_or_dimension(dimension)}, where);
}
/// See psum_p.
template <detail::tree_of_leaves T, detail::one_axis Axis>
constexpr rebind_t<T> psum(const T& x, const Axis& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return psum(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> psum(const T& x, axes_and_dimensions axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return psum(leaf, axes, where); }, x);
}
template <detail::tree_of_leaves T, detail::one_axis Axis>
constexpr rebind_t<T> pmean(const T& x, const Axis& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmean(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmean(const T& x, axes_and_dimensions axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmean(leaf, axes, where); }, x);
}
template <detail::tree_of_leaves T, detail::one_axis Axis>
constexpr rebind_t<T> pmax(const T& x, const Axis& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmax(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmax(const T& x, axes_and_dimensions axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmax(leaf, axes, where); }, x);
}
template <detail::tree_of_leaves T, detail::one_axis Axis>
constexpr rebind_t<T> pmin(const T& x, const Axis& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmin(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmin(const T& x, axes_and_dimensions axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmin(leaf, axes, where); }, x);
}
/// See ppermute_p; pairs as {source, destination}.
template <detail::tree_of_leaves T, std::integral Source, std::integral Destination>
constexpr rebind_t<T> ppermute(const T& x, const name_text& axis, const std::vector<std::pair<Source, Destination>>& pairs,
                               location where = location::current()) {
  return tree::map([&](const array& leaf) { return ppermute(leaf, axis, pairs, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> ppermute(const T& x, const name_text& axis, std::initializer_list<std::pair<std::int64_t, std::int64_t>> pairs,
                               location where = location::current()) {
  return tree::map([&](const array& leaf) { return ppermute(leaf, axis, pairs, where); }, x);
}

}  // namespace lax

}  // namespace jacquard
