#pragma once
// Which argument types belong to the compile-time lane: numbers, tensors, std::arrays of numbers, and trees of them whose
// structure is part of the type. What their leaves look like to a trace, and reading and writing their elements.
// Deliberately no result types: fixed/static_result derives those from a program.

#include "jacquard/core/tree.hpp"
#include "jacquard/fixed/tensor.hpp"

namespace jacquard {

/// How a leaf of the compile-time lane stores its elements. Specialise for fixed-size arrays of other libraries:
///   using element = ...; static constexpr shape dims(); static constexpr element* data(T&), const element* data(const T&)
template <class T>
struct static_leaf_traits;

template <scalar T>
struct static_leaf_traits<T> {
  using element = T;
  static constexpr shape dims() { return {}; }
  static constexpr T* data(T& x) { return &x; }
  static constexpr const T* data(const T& x) { return &x; }
};
template <scalar T, std::int64_t... Dims>
struct static_leaf_traits<tensor<T, Dims...>> {
  using element = T;
  static constexpr shape dims() { return {Dims...}; }
  static constexpr T* data(tensor<T, Dims...>& x) { return x.data(); }
  static constexpr const T* data(const tensor<T, Dims...>& x) { return x.data(); }
};
template <scalar T, std::size_t N>
struct static_leaf_traits<std::array<T, N>> {
  using element = T;
  static constexpr shape dims() { return {std::int64_t(N)}; }
  static constexpr T* data(std::array<T, N>& x) { return x.data(); }
  static constexpr const T* data(const std::array<T, N>& x) { return x.data(); }
};

/// A leaf whose dtype and shape are part of its type.
template <class T>
concept static_leaf = leaf<T> && requires { typename static_leaf_traits<T>::element; };

namespace detail {

template <class T>
constexpr bool is_static_tree();

template <class Tuple, std::size_t... I>
constexpr bool are_static_trees(std::index_sequence<I...>) {
  return (is_static_tree<std::remove_cvref_t<std::tuple_element_t<I, Tuple>>>() && ...);
}
template <class T>
constexpr bool is_static_tree() {
  if constexpr (static_leaf<T>) return true;
  else if constexpr (leaf<T> || is_vector<T> || is_optional<T> || is_map<T>) return false;
  else if constexpr (is_std_array<T>) return is_static_tree<typename T::value_type>();
  else if constexpr (is_tuple<T>) return are_static_trees<T>(std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (tree_node<T>) {
    using parts_tuple = decltype(parts(std::declval<T&>()));
    return std::tuple_size_v<parts_tuple> != 0 &&
           are_static_trees<parts_tuple>(std::make_index_sequence<std::tuple_size_v<parts_tuple>>{});
  } else return false;
}
/// Whether a tree has a leaf at all; one without belongs to either lane.
template <class T>
constexpr std::size_t static_leaf_count() {
  std::size_t n = 0;
  const T prototype{};
  for_each_leaf(prototype, [&](const auto&) { ++n; });
  return n;
}

/// The type of a leaf: C++ numbers are weakly typed, as in the other lane.
template <static_leaf T>
constexpr aval static_aval() {
  using traits = static_leaf_traits<T>;
  return {dtype_of<typename traits::element>(), traits::dims(), scalar<T>};
}
/// The types of the leaves of trees, in order.
template <class... T>
constexpr std::vector<aval> static_avals() {
  std::vector<aval> r;
  [[maybe_unused]] const auto one = [&]<class U>(std::type_identity<U>) {
    const U prototype{};
    for_each_leaf(prototype, [&]<class Leaf>(const Leaf&) { r.push_back(static_aval<Leaf>()); });
  };
  (one(std::type_identity<T>{}), ...);
  return r;
}

/// Pointers to the elements of all leaves of a static tree, in order, as a tuple.
template <class T>
JACQUARD_INLINE constexpr auto leaf_pointers(T& t) {
  using U = std::remove_const_t<T>;
  if constexpr (leaf<U>) return std::tuple{static_leaf_traits<U>::data(t)};
  else if constexpr (is_tuple<U>)
    return std::apply([](auto&... part) { return std::tuple_cat(leaf_pointers(part)...); }, t);
  else if constexpr (is_std_array<U>)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(leaf_pointers(t[I])...);
    }(std::make_index_sequence<std::tuple_size_v<U>>{});
  else return std::apply([](auto&... part) { return std::tuple_cat(leaf_pointers(part)...); }, parts(t));
}

}  // namespace detail

/// A tree whose leaves and structure are part of its type.
template <class T>
concept static_tree = detail::is_static_tree<T>();

}  // namespace jacquard
