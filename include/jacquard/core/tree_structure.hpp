#pragma once
// The structure of trees: as text for messages and comparison, and as words for the signatures of calls. Leaves count as
// equal, whatever their types.

#include "jacquard/core/tree_node.hpp"

namespace jacquard {

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

}  // namespace tree
}  // namespace jacquard
