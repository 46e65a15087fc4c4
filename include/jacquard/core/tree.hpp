#pragma once
// Trees of arrays: rebuilding a tree with other leaves or with leaves of another type, and the functions of jq::tree.
// core/tree_node says what a tree is, core/leaf_list flattens the arguments of calls.

#include "jacquard/core/leaf_list.hpp"
#include "jacquard/core/tree_structure.hpp"

namespace jacquard {

/// Whether every leaf of T is a jq::array already.
template <class T>
constexpr bool has_only_arrays();

namespace detail {
template <class T, std::size_t... I>
constexpr bool members_only_arrays(std::index_sequence<I...>) {
  using parts_tuple = decltype(parts(std::declval<T&>()));
  return (has_only_arrays<std::remove_cvref_t<std::tuple_element_t<I, parts_tuple>>>() && ...);
}
}  // namespace detail

template <class T>
constexpr bool has_only_arrays() {
  if constexpr (leaf<T>) return std::same_as<T, array>;
  else if constexpr (detail::is_std_array<T> || detail::is_vector<T> || detail::is_optional<T>)
    return has_only_arrays<typename T::value_type>();
  else if constexpr (detail::is_map<T>) return has_only_arrays<typename T::mapped_type>();
  else if constexpr (detail::is_tuple<T>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_only_arrays<std::remove_cvref_t<std::tuple_element_t<I, T>>>() && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (!tree_node<T>) return true;  // another message says what is wrong
  else
    return detail::members_only_arrays<T>(
        std::make_index_sequence<std::tuple_size_v<decltype(detail::parts(std::declval<T&>()))>>{});
}

/// T with every leaf replaced by jq::array; specialise for templates whose parameters are not all types.
template <class T>
struct rebind {
  static constexpr bool is_known = detail::check_tree_node<T>();
  static_assert(has_only_arrays<T>(), "jacquard: an aggregate argument has arithmetic or foreign members; make it a template "
                                      "over its leaf type, give its members type jq::array, or specialise jacquard::rebind");
  using type = std::conditional_t<is_known, T, array>;
};
template <leaf T>
struct rebind<T> {
  using type = array;
};
template <class T>
using rebind_t = typename rebind<std::remove_cvref_t<T>>::type;
template <template <class...> class C, class... T>
  requires(tree_node<C<T...>> && !leaf<C<T...>> && !detail::is_vector<C<T...>> && !detail::is_map<C<T...>> && !detail::transform_option<C<T...>>)
struct rebind<C<T...>> {
  using type = C<rebind_t<T>...>;
};
template <class T>
  requires(!leaf<std::vector<T>>)
struct rebind<std::vector<T>> {
  using type = std::vector<rebind_t<T>>;
};
template <class T, std::size_t N>
  requires(!leaf<std::array<T, N>>)
struct rebind<std::array<T, N>> {
  using type = std::array<rebind_t<T>, N>;
};
template <template <class...> class Map, class T, class Order, class... Rest>
  requires(detail::is_map<Map<std::string, T, Order, Rest...>>)
struct rebind<Map<std::string, T, Order, Rest...>> {
  using type = Map<std::string, rebind_t<T>, Order>;
};

namespace detail {
/// `Next`: const array*, or array*, whose arrays are moved from.
template <class R, class T, class Next>
constexpr R rebuild_from(const T& like, Next& next);

template <class R, class T, class Next, std::size_t... I>
constexpr R rebuild_parts(const T& like_parts, Next& next, std::index_sequence<I...>) {
  using destination = decltype(parts(std::declval<R&>()));
  if constexpr (has_tree_traits<R>) {
    R r{};
    destination to = parts(r);
    ((std::get<I>(to) = rebuild_from<std::remove_cvref_t<std::tuple_element_t<I, destination>>>(std::get<I>(like_parts), next)),
     ...);
    return r;
  } else return R{rebuild_from<std::remove_cvref_t<std::tuple_element_t<I, destination>>>(std::get<I>(like_parts), next)...};
}
template <class R, class T, class Next, std::size_t... I>
constexpr R rebuild_tuple(const T& like, Next& next, std::index_sequence<I...>) {
  return R{rebuild_from<std::remove_cvref_t<std::tuple_element_t<I, R>>>(std::get<I>(like), next)...};
}
template <class R, class T, class Next>
constexpr R rebuild_from(const T& like, Next& next) {
  if constexpr (leaf<T>) {
    static_assert(leaf<R>, "jacquard: a container of numbers, which is one array, would become a container of arrays in the rebound "
                           "type; give the member the type jq::array or T instead of a container of T");
    if constexpr (std::is_same_v<R, array> && std::is_same_v<Next, array*>) return std::move(*next++);
    else return from_array<R>(*next++);
  }
  else if constexpr (is_tuple<T>) return rebuild_tuple<R>(like, next, std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (is_std_array<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return R{rebuild_from<typename R::value_type>(like[I], next)...};
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (is_vector<T>) {
    R r;
    r.reserve(like.size());
    for (const auto& part : like) r.push_back(rebuild_from<typename R::value_type>(part, next));
    return r;
  } else if constexpr (is_optional<T>) {
    if (!like) return R{};
    return R{rebuild_from<typename R::value_type>(*like, next)};
  } else if constexpr (is_map<T>) {
    R r;
    for (const auto& [key, part] : like) r.emplace(key, rebuild_from<typename R::mapped_type>(part, next));
    return r;
  } else if constexpr (!tree_node<T>) return R{};  // another message says what is wrong
  else {
    return rebuild_parts<R>(parts(like), next, std::make_index_sequence<std::tuple_size_v<decltype(parts(like))>>{});
  }
}
}  // namespace detail

/// A tree of type R with the structure of `like` and the given leaves.
template <class R, class T>
constexpr R rebuild(const T& like, view<const array> leaves) {
  const array* next = leaves.data();
  return detail::rebuild_from<R>(like, next);
}

namespace tree {

/// The leaves of a tree as arrays. Foreign leaves are copied.
template <class T>
constexpr std::vector<array> flatten(const T& t) {
  std::vector<array> r;
  flatten_into(t, r);
  return r;
}
/// A tree like `like` with other leaves. Errors: type_error if their number differs.
template <class T>
constexpr rebind_t<T> unflatten(const T& like, view<const array> leaves) {
  if (leaves.size() != leaf_count(like))
    raise(error_kind::type, "tree::unflatten: got ", leaves.size(), " leaves, wanted ", leaf_count(like), " for ",
          structure(like));
  return rebuild<rebind_t<T>>(like, leaves);
}
/// f applied to the leaves of one or more trees of equal structure.
/// Errors: type_error if the structures differ.
template <class F, class T, class... Rest>
constexpr auto map(F&& f, const T& first, const Rest&... rest) {
  const leaf_list a = flatten_all(first);
  const leaf_list others[] = {flatten_all(rest)..., {}};
  const text structures[] = {structure(rest)..., text()};
  for (std::size_t k = 0; k < sizeof...(rest); ++k)
    if (!(structures[k] == structure(first)))
      raise(error_kind::type, "tree::map: got trees of different structure, ", structure(first), " and ", structures[k], "; give all of them the structure of the first");
  std::vector<array> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back([&]<std::size_t... K>(std::index_sequence<K...>) -> array {
      return f(a[i], others[K][i]...);
    }(std::make_index_sequence<sizeof...(rest)>{}));
  return rebuild<rebind_t<T>>(first, out);
}

}  // namespace tree
}  // namespace jacquard
