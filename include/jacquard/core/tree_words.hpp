#pragma once
// Trees made anew from the words of their structure (core/tree_structure), which a program may have kept outside the process.
// Deliberately trusts nothing: words that do not fit give a tree of another structure, which the caller sees by comparing.

#include "jacquard/core/tree.hpp"

namespace jacquard::detail {

/// Goes through the words of a structure; zeros follow the last one.
class structure_reader {
 public:
  /// No part of the tree may have more than `most` parts of its own, nor a key as many characters.
  structure_reader(view<const std::uint64_t> words, std::size_t most) : words_(words), most_(most) {}
  std::size_t next_count() {
    const std::uint64_t n = next();
    return n > most_ ? 0 : std::size_t(n);
  }
  std::uint64_t next() { return at_ < words_.size() ? words_[at_++] : 0; }

 private:
  view<const std::uint64_t> words_;
  std::size_t most_;
  std::size_t at_ = 0;
};

template <class T>
T tree_of_words(structure_reader& in);

template <class T, class Parts, std::size_t... I>
T tree_of_parts(structure_reader& in, std::index_sequence<I...>) {
  if constexpr (has_tree_traits<T>) {
    T r{};
    Parts to = parts(r);
    ((std::get<I>(to) = tree_of_words<std::remove_cvref_t<std::tuple_element_t<I, Parts>>>(in)), ...);
    return r;
  } else return T{tree_of_words<std::remove_cvref_t<std::tuple_element_t<I, Parts>>>(in)...};
}
template <class T, std::size_t... I>
T array_of_words(structure_reader& in, std::index_sequence<I...>) {
  return T{((void)I, tree_of_words<typename T::value_type>(in))...};
}
template <class T>
T map_of_words(structure_reader& in) {
  T r;
  for (std::size_t n = in.next_count(); n > 0; --n) {
    std::string key;
    for (std::size_t k = in.next_count(); k > 0; --k) key += char(in.next());
    r.emplace(std::move(key), tree_of_words<typename T::mapped_type>(in));
  }
  return r;
}

/// A tree of type T, with leaves that hold nothing, of which structure_words would say the words that `in` gives.
template <class T>
T tree_of_words([[maybe_unused]] structure_reader& in) {
  if constexpr (leaf<T>) return T{};
  else if constexpr (is_tuple<T>) return tree_of_parts<T, T>(in, std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (is_std_array<T>) return array_of_words<T>(in, std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (is_vector<T>) {
    T r;
    for (std::size_t n = in.next_count(); n > 0; --n) r.push_back(tree_of_words<typename T::value_type>(in));
    return r;
  } else if constexpr (is_optional<T>) {
    if (in.next() == 0) return T{};
    return T{tree_of_words<typename T::value_type>(in)};
  } else if constexpr (is_map<T>) return map_of_words<T>(in);
  else {
    using parts_tuple = decltype(parts(std::declval<T&>()));
    return tree_of_parts<T, parts_tuple>(in, std::make_index_sequence<std::tuple_size_v<parts_tuple>>{});
  }
}

}  // namespace jacquard::detail
