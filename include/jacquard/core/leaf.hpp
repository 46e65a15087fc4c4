#pragma once
// Leaves of trees: what counts as one array. jq::array itself, C++ scalars, and any type with a specialisation of
// leaf_traits; std::vector and std::array of scalars have theirs here, foreign libraries theirs under interop/.
// Deliberately copies by default; a foreign argument of a transform may be borrowed for the call.

#include <array>
#include <cstring>
#include <vector>

#include "jacquard/core/eval.hpp"

namespace jacquard {

// A specialisation of leaf_traits<T> provides
//   using element = the scalar type of its elements
//   static array borrow(const T&)       a view valid while the object lives, or a copy where the layout forbids a view
//   static T from_array(const array&)   checked: type_error for another dtype or rank

namespace detail {

/// Values in constant evaluation, where arrays have no memory: a program puts the numbers together. Defined in numpy/creation.hpp.
template <class Values>
constexpr array symbolic_values(const Values& values, const shape& dims, const location& where = {});

/// A copy of `n` elements at `data` as an array of shape `dims`.
template <scalar S>
constexpr array copy_in(const S* data, const shape& dims) {
  if (__builtin_is_constant_evaluated()) return symbolic_values(view<const S>(data, std::size_t(dims.elements())), dims);
  buffer* b = make_buffer(aval(dtype_of<S>(), dims));
  copy_elements("copy in", *b, data);
  return array(b);
}
/// An array over memory that outlives the call.
template <scalar S>
constexpr array borrow_in(const S* data, const shape& dims) {
  if (__builtin_is_constant_evaluated()) return symbolic_values(view<const S>(data, std::size_t(dims.elements())), dims);
  return array(borrow_buffer(aval(dtype_of<S>(), dims), const_cast<S*>(data)));
}
/// The concrete elements of `x`, checked to be of type S and of rank `rank` (-1 = any).
template <scalar S>
std::span<const S> checked_elements(const array& x, std::string_view target, int rank) {
  const aval t = x.aval();
  if (t.type != dtype_of<S>() || (rank >= 0 && t.rank() != rank))
    raise(error_kind::type, "conversion of an array to ", target, ": got ", t, ", wanted dtype ", long_name(dtype_of<S>()),
          rank >= 0 ? cat(" and rank ", rank) : text(), "; convert it first with astype or reshape");
  return x.data<S>();
}

}  // namespace detail

template <scalar S>
  requires(!std::is_same_v<S, bool>)
struct leaf_traits<std::vector<S>> {
  using element = S;
  static constexpr array borrow(const std::vector<S>& v) { return detail::borrow_in(v.data(), {std::int64_t(v.size())}); }
  static std::vector<S> from_array(const array& x) {
    const auto e = detail::checked_elements<S>(x, "std::vector", 1);
    return {e.begin(), e.end()};
  }
};

template <scalar S, std::size_t N>
struct leaf_traits<std::array<S, N>> {
  using element = S;
  static constexpr array borrow(const std::array<S, N>& v) { return detail::borrow_in(v.data(), {std::int64_t(N)}); }
  static std::array<S, N> from_array(const array& x) {
    const auto e = detail::checked_elements<S>(x, "std::array", 1);
    if (e.size() != N)
      raise(error_kind::type, "conversion of an array to std::array: got ", e.size(), " elements, wanted ", N);
    std::array<S, N> r{};
    for (std::size_t i = 0; i < N; ++i) r[i] = e[i];
    return r;
  }
};

/// What a tree ends in. An aval is an array without a value, for what asks for types alone.
template <class T>
concept leaf = std::same_as<T, array> || scalar<T> || std::same_as<T, aval> || foreign_array<T>;

/// A leaf as an array; foreign leaves are borrowed.
template <leaf T>
constexpr array to_array(const T& x) {
  if constexpr (std::same_as<T, array>) return x;
  else if constexpr (scalar<T>) return array(x);
  else if constexpr (std::same_as<T, aval>) return detail::array_without_value(x, "aval");
  else return leaf_traits<T>::borrow(x);
}

/// An array as a leaf of type T.
template <leaf T>
constexpr T from_array(const array& x) {
  if constexpr (std::same_as<T, array>) return x;
  else if constexpr (scalar<T>) return x.item<T>(location{});
  else if constexpr (std::same_as<T, aval>) return x.aval();
  else return leaf_traits<T>::from_array(x);
}

}  // namespace jacquard
