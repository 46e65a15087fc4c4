#pragma once
// Collectives over several axes, one after the other, and of trees: the one of arrays, for each leaf. Deliberately not for those that ask where
// in a shape they split, which leaves seldom share.

#include "jacquard/core/tree.hpp"
#include "jacquard/prims/collectives.hpp"

namespace jacquard {

namespace detail {
template <class T>
concept tree_of_leaves = tree_node<T> && !leaf<T>;
}  // namespace detail

namespace lax {

// Over several axes: one collective after the other.
using axis_names = std::initializer_list<name_text>;
template <class Array = array>
constexpr array psum(lazy<Array> x, axis_names axes, location where = location::current()) {
  for (const name_text& a : axes) x = psum(x, a, where);
  return x;
}
template <class Array = array>
constexpr array pmean(lazy<Array> x, axis_names axes, location where = location::current()) {
  for (const name_text& a : axes) x = pmean(x, a, where);
  return x;
}
template <class Array = array>
constexpr array pmax(lazy<Array> x, axis_names axes, location where = location::current()) {
  for (const name_text& a : axes) x = pmax(x, a, where);
  return x;
}
template <class Array = array>
constexpr array pmin(lazy<Array> x, axis_names axes, location where = location::current()) {
  for (const name_text& a : axes) x = pmin(x, a, where);
  return x;
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

/// See psum_p.
template <detail::tree_of_leaves T>
constexpr rebind_t<T> psum(const T& x, const name_text& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return psum(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> psum(const T& x, axis_names axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return psum(leaf, axes, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmean(const T& x, const name_text& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmean(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmean(const T& x, axis_names axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmean(leaf, axes, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmax(const T& x, const name_text& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmax(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmax(const T& x, axis_names axes, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmax(leaf, axes, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmin(const T& x, const name_text& axis, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmin(leaf, axis, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmin(const T& x, axis_names axes, location where = location::current()) {
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
