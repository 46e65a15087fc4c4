#pragma once
// What trees are made of: tuples, pairs, arrays, vectors, optionals, string maps and plain aggregates, nested at will, with
// no registration. Visiting the leaves in order. Deliberately structural: a tree type is known at compile time, only
// lengths, keys and presence are run-time facts.

#include <string>
#include <tuple>

#include "jacquard/core/leaf.hpp"

namespace jacquard {

/// Specialise for types that are neither leaves nor nodes known here: `static constexpr auto members(T&)` returns a
/// std::tie of the parts.
template <class T>
struct tree_traits;

namespace detail {
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
// std::optional and std::map are known by their shape: including them would cost every user what only theirs need.
template <class T>
inline constexpr bool is_optional = requires(T& t) {
  requires std::is_same_v<decltype(*t), typename T::value_type&>;
  requires std::is_same_v<decltype(t.has_value()), bool>;
  t.reset();
};
template <class T>
inline constexpr bool is_map = requires {
  requires std::is_same_v<typename T::key_type, std::string>;
  requires std::is_same_v<typename T::value_type, std::pair<const std::string, typename T::mapped_type>>;
  typename T::key_compare;  // in order
};
template <class T>
concept has_tree_traits = requires(T& t) { tree_traits<T>::members(t); };
/// An option of a transform, by a name within: many are aggregates, but none is a tree.
template <class T>
concept transform_option = requires { typename T::option_of_a_transform; };
template <class T>
concept plain_aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !is_std_array<T> && !leaf<T> && !transform_option<T>;
}  // namespace detail

/// Types that can be arguments and results of transformed functions.
template <class T>
concept tree_node = detail::is_tuple<T> || detail::is_std_array<T> || detail::is_vector<T> || detail::is_optional<T> ||
                    detail::is_map<T> || detail::has_tree_traits<T> || detail::plain_aggregate<T>;

namespace detail {
/// Says in words what the compiler would otherwise say about private members and bases.
template <class T>
constexpr bool check_tree_node() {
  static_assert(!transform_option<T>, "jacquard: an option of a transform was passed where an array or a tree of arrays is wanted; pass it to the "
                                      "transform, as in jq::grad(f, jq::argnums<0>)(x)");
  static_assert(tree_node<T> || transform_option<T>,
                "jacquard: this type is neither an array nor a tree; evaluate an expression, a view or a map of another library "
                "into an array of its own, and pass a C array, a span or a pointer as std::array, jq::tensor or jq::asarray(span, shape); "
                "what is not data, as a string, belongs among the captures of the function or is a jq::static_argnums of jit; "
                "for a type of yours specialise jacquard::leaf_traits (an array type) or jacquard::tree_traits (a container)");
  return tree_node<T>;
}

/// The parts of an aggregate node, const or not.
template <class T>
constexpr auto parts(T& t) {
  using U = std::remove_const_t<T>;
  if constexpr (has_tree_traits<U>) return tree_traits<U>::members(t);
  else if constexpr (check_tree_node<U>()) return members(t);
  else return std::tie();
}
}  // namespace detail

/// Calls f with each leaf of `t`, in order (map keys sorted).
template <class T, class F>
constexpr void for_each_leaf(T& t, F&& f) {
  using U = std::remove_const_t<T>;
  if constexpr (leaf<U>) f(t);
  else if constexpr (detail::is_tuple<U>) std::apply([&](auto&... part) { (for_each_leaf(part, f), ...); }, t);
  else if constexpr (detail::is_std_array<U> || detail::is_vector<U>)
    for (auto& part : t) for_each_leaf(part, f);
  else if constexpr (detail::is_optional<U>) {
    if (t) for_each_leaf(*t, f);
  } else if constexpr (detail::is_map<U>)
    for (auto& [key, part] : t) for_each_leaf(part, f);
  else std::apply([&](auto&... part) { (for_each_leaf(part, f), ...); }, detail::parts(t));
}

/// The number of leaves.
template <class T>
constexpr std::size_t leaf_count(const T& t) {
  std::size_t n = 0;
  for_each_leaf(t, [&](const auto&) { ++n; });
  return n;
}

}  // namespace jacquard
