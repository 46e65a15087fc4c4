#pragma once
// not, and, or, xor: logical on bool, bit by bit on integers. One family, since each is one line. The names of the structs
// and functions end in an underscore because C++ keeps the words for itself.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// The complement, elementwise.
/// Errors  type_error: neither bool nor integers.
struct not_p : elementwise<not_p, bits, 1> {
  static constexpr std::string_view name = "not";
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T x) {
    if constexpr (std::is_same_v<T, bool>) return !x;
    else return T(~x);
  }
};

/// The bits set in both a and b, elementwise.
/// Errors  type_error: neither bool nor integers, or different dtypes.
struct and_p : elementwise<and_p, bits, 2> {
  static constexpr std::string_view name = "and";
  static constexpr bool commutative = true;
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return T(a & b);
  }
};

/// The bits set in a or b, elementwise.
/// Errors  type_error: neither bool nor integers, or different dtypes.
struct or_p : elementwise<or_p, bits, 2> {
  static constexpr std::string_view name = "or";
  static constexpr bool commutative = true;
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return T(a | b);
  }
};

/// The bits set in one of a and b, elementwise.
/// Errors  type_error: neither bool nor integers, or different dtypes.
struct xor_p : elementwise<xor_p, bits, 2> {
  static constexpr std::string_view name = "xor";
  static constexpr bool commutative = true;
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return T(a ^ b);
  }
};

namespace lax {
/// See not_p.
template <class Array = array>
constexpr array not_(const lazy<Array>& x, location where = location::current()) { return bind<not_p>({}, where, x); }
/// See and_p.
template <class Array = array>
constexpr array and_(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<and_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
/// See or_p.
template <class Array = array>
constexpr array or_(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<or_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
/// See xor_p.
template <class Array = array>
constexpr array xor_(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<xor_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

}  // namespace jacquard
