#pragma once
// Values of several types, by number. What std::tuple is, but a pack of n values is one class, and its members are classes and
// functions that packs share, where a tuple costs the compiler a chain of n classes for every list of types. Deliberately an aggregate
// without conversions, comparison and structured bindings.

#include <cstddef>
#include <utility>

namespace jacquard {
namespace detail {

/// Value number K of a pack.
template <std::size_t K, class T>
struct pack_member {
  T value;
};
template <class Index, class... T>
struct pack_of;
template <std::size_t... K, class... T>
struct pack_of<std::index_sequence<K...>, T...> : pack_member<K, T>... {};

/// A T for each T.... `pack<int, double>{{1}, {2.0}}`.
template <class... T>
using pack = pack_of<std::index_sequence_for<T...>, T...>;

template <std::size_t K, class T>
[[gnu::always_inline]] constexpr T& get(pack_member<K, T>& p) {
  return p.value;
}
template <std::size_t K, class T>
[[gnu::always_inline]] constexpr const T& get(const pack_member<K, T>& p) {
  return p.value;
}

/// Copies of x... as a pack.
template <class... T>
[[gnu::always_inline]] constexpr pack<T...> packed(const T&... x) {
  return {{x}...};
}

}  // namespace detail
}  // namespace jacquard
