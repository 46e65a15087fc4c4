#pragma once
// Trees of leaves: tuples, pairs, arrays, vectors, optionals, string maps and plain aggregates, nested at will, with no
// registration. Flattening, rebuilding with other leaves, and comparing structures. Deliberately structural: a tree type
// is known at compile time, only lengths, keys and presence are run-time facts.

#include <map>
#include <optional>
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
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;
template <class T>
concept has_tree_traits = requires(T& t) { tree_traits<T>::members(t); };
template <class T>
concept plain_aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !is_std_array<T> && !leaf<T>;

/// The parts of an aggregate node, const or not.
template <class T>
constexpr auto parts(T& t) {
  using U = std::remove_const_t<T>;
  if constexpr (has_tree_traits<U>) return tree_traits<U>::members(t);
  else return members(t);
}
}  // namespace detail

/// Types that can be arguments and results of transformed functions.
template <class T>
concept tree_node = detail::is_tuple<T> || detail::is_std_array<T> || detail::is_vector<T> || detail::is_optional<T> ||
                    detail::is_map<T> || detail::has_tree_traits<T> || detail::plain_aggregate<T>;

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
  else {
    static_assert(tree_node<U>, "jacquard: this type is neither an array nor a tree; specialise jacquard::leaf_traits (an array "
                                "type) or jacquard::tree_traits (a container)");
    std::apply([&](auto&... part) { (for_each_leaf(part, f), ...); }, detail::parts(t));
  }
}

/// Appends the leaves of `t` as arrays; foreign leaves are borrowed.
template <class T>
constexpr void flatten_into(const T& t, std::vector<array>& out) {
  for_each_leaf(t, [&](const auto& x) { out.push_back(to_array(x)); });
}
template <class... T>
constexpr std::vector<array> flatten_all(const T&... trees) {
  std::vector<array> out;
  (flatten_into(trees, out), ...);
  return out;
}
template <class T>
constexpr std::size_t leaf_count(const T& t) {
  std::size_t n = 0;
  for_each_leaf(t, [&](const auto&) { ++n; });
  return n;
}

/// Whether every leaf of T is a jq::array already.
template <class T>
constexpr bool has_only_arrays();

namespace detail {
template <class T, std::size_t... I>
constexpr bool members_only_arrays(std::index_sequence<I...>) {
  using parts_tuple = decltype(parts(std::declval<T&>()));
  return (has_only_arrays<std::remove_cvref_t<std::tuple_element_t<I, parts_tuple>>>() && ...);
}
template <class T>
struct element_of;
template <class... T>
struct element_of<std::tuple<T...>> {
  static constexpr bool only_arrays() { return (has_only_arrays<T>() && ...); }
};
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
  else
    return detail::members_only_arrays<T>(
        std::make_index_sequence<std::tuple_size_v<decltype(detail::parts(std::declval<T&>()))>>{});
}

/// T with every leaf replaced by jq::array; specialise for templates whose parameters are not all types.
template <class T>
struct rebind {
  static_assert(has_only_arrays<T>(), "jacquard: an aggregate argument has arithmetic or foreign members; make it a template "
                                      "over its leaf type, give its members type jq::array, or specialise jacquard::rebind");
  using type = T;
};
template <leaf T>
struct rebind<T> {
  using type = array;
};
template <class T>
using rebind_t = typename rebind<std::remove_cvref_t<T>>::type;
template <template <class...> class C, class... T>
  requires(!leaf<C<T...>> && !detail::is_vector<C<T...>> && !detail::is_map<C<T...>>)
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
template <class T>
struct rebind<std::map<std::string, T>> {
  using type = std::map<std::string, rebind_t<T>>;
};

namespace detail {
template <class R, class T>
constexpr R rebuild_from(const T& like, const array*& next);

template <class R, class T, std::size_t... I>
constexpr R rebuild_parts(const T& like_parts, const array*& next, std::index_sequence<I...>) {
  using target = decltype(parts(std::declval<R&>()));
  return R{rebuild_from<std::remove_cvref_t<std::tuple_element_t<I, target>>>(std::get<I>(like_parts), next)...};
}
template <class R, class T, std::size_t... I>
constexpr R rebuild_tuple(const T& like, const array*& next, std::index_sequence<I...>) {
  return R{rebuild_from<std::remove_cvref_t<std::tuple_element_t<I, R>>>(std::get<I>(like), next)...};
}
template <class R, class T>
constexpr R rebuild_from(const T& like, const array*& next) {
  if constexpr (leaf<T>) return from_array<R>(*next++);
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
  } else {
    return rebuild_parts<R>(parts(like), next, std::make_index_sequence<std::tuple_size_v<decltype(parts(like))>>{});
  }
}
}  // namespace detail

/// A tree of type R with the structure of `like` and the given leaves.
template <class R, class T>
constexpr R rebuild(const T& like, std::span<const array> leaves) {
  const array* next = leaves.data();
  return detail::rebuild_from<R>(like, next);
}

namespace detail {
/// Writes the structure of `t`: "*" for a leaf, "(*, *)", "[*]", "{'a': *}", "None".
template <class T>
constexpr void put_structure(text& out, const T& t) {
  const auto list = [&](char open, const auto& parts_of, char close, bool comma) {
    out << open;
    int n = 0;
    parts_of([&](const auto& part) {
      if (n++) out << ", ";
      put_structure(out, part);
    });
    if (comma && n == 1) out << ',';
    out << close;
  };
  if constexpr (leaf<T>) out << '*';
  else if constexpr (is_tuple<T>)
    list('(', [&](auto f) { std::apply([&](const auto&... p) { (f(p), ...); }, t); }, ')', true);
  else if constexpr (is_std_array<T> || is_vector<T>)
    list('[', [&](auto f) { for (const auto& p : t) f(p); }, ']', false);
  else if constexpr (is_optional<T>) {
    if (t) put_structure(out, *t);
    else out << "None";
  } else if constexpr (is_map<T>) {
    out << '{';
    int n = 0;
    for (const auto& [key, part] : t) {
      out << (n++ ? ", '" : "'") << std::string_view(key) << "': ";
      put_structure(out, part);
    }
    out << '}';
  } else list('(', [&](auto f) { std::apply([&](const auto&... p) { (f(p), ...); }, parts(t)); }, ')', true);
}

/// Feeds the run-time facts of a structure (lengths, keys, presence) to `word`.
template <class T, class F>
constexpr void structure_words(const T& t, F&& word) {
  if constexpr (leaf<T>) return;
  else if constexpr (is_tuple<T>) std::apply([&](const auto&... p) { (structure_words(p, word), ...); }, t);
  else if constexpr (is_std_array<T>)
    for (const auto& p : t) structure_words(p, word);
  else if constexpr (is_vector<T>) {
    word(std::uint64_t(t.size()));
    for (const auto& p : t) structure_words(p, word);
  } else if constexpr (is_optional<T>) {
    word(std::uint64_t(t.has_value()));
    if (t) structure_words(*t, word);
  } else if constexpr (is_map<T>) {
    word(std::uint64_t(t.size()));
    for (const auto& [key, p] : t) {
      word(std::uint64_t(key.size()));
      for (char c : key) word(std::uint64_t(static_cast<unsigned char>(c)));
      structure_words(p, word);
    }
  } else std::apply([&](const auto&... p) { (structure_words(p, word), ...); }, parts(t));
}
}  // namespace detail

namespace tree {

/// The structure of a tree as text: "PyTreeDef((*, [*, *]))". Equal texts are equal structures.
template <class T>
constexpr text structure(const T& t) {
  text out("PyTreeDef(");
  detail::put_structure(out, t);
  return out << ')';
}
/// The leaves of a tree as arrays. Foreign leaves are borrowed: the tree must outlive them.
template <class T>
constexpr std::vector<array> flatten(const T& t) {
  return flatten_all(t);
}
/// A tree like `like` with other leaves. Errors: type_error if their number differs.
template <class T>
constexpr rebind_t<T> unflatten(const T& like, std::span<const array> leaves) {
  if (leaves.size() != leaf_count(like))
    raise(error_kind::type, "tree::unflatten: got ", leaves.size(), " leaves, wanted ", leaf_count(like), " for ",
          structure(like));
  return rebuild<rebind_t<T>>(like, leaves);
}
/// f applied to the leaves of one or more trees of equal structure.
/// Errors: type_error if the structures differ.
template <class F, class T, class... Rest>
constexpr auto map(F&& f, const T& first, const Rest&... rest) {
  std::vector<array> a = flatten_all(first);
  const std::vector<array> others[] = {flatten_all(rest)..., {}};
  const text structures[] = {structure(rest)..., text()};
  for (std::size_t k = 0; k < sizeof...(rest); ++k)
    if (!(structures[k] == structure(first)))
      raise(error_kind::type, "tree::map: got trees of different structure, ", structure(first), " and ", structures[k]);
  std::vector<array> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back([&]<std::size_t... K>(std::index_sequence<K...>) -> array {
      return f(a[i], others[K][i]...);
    }(std::make_index_sequence<sizeof...(rest)>{}));
  return rebuild<rebind_t<T>>(first, out);
}

}  // namespace tree
}  // namespace jacquard
