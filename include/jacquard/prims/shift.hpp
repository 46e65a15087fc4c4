#pragma once
// shift_left, shift_right_arithmetic and shift_right_logical: the bits of integers moved. One family, since each is one line.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// a 2^b modulo 2^n, elementwise, for integers of n bits; 0 for b outside [0, n).
/// Errors  type_error: not integers, or different dtypes.
struct shift_left_p : elementwise<shift_left_p, integers, 2> {
  static constexpr std::string_view name = "shift_left";
  static constexpr bool no_derivative = true;
  static constexpr bool exact_types = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::shift_left(a, b);
  }
};

/// The bits of a moved down by b places, elementwise, filled up with copies of the highest bit (of unsigned integers too); nothing
/// else remains for b outside [0, n).
/// Errors  type_error: not integers, or different dtypes.
struct shift_right_arithmetic_p : elementwise<shift_right_arithmetic_p, integers, 2> {
  static constexpr std::string_view name = "shift_right_arithmetic";
  static constexpr bool no_derivative = true;
  static constexpr bool exact_types = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::shift_right_arithmetic(a, b);
  }
};

/// The bits of a moved down by b places, elementwise, filled up with zeros (of signed integers too); 0 for b outside [0, n).
/// Errors  type_error: not integers, or different dtypes.
struct shift_right_logical_p : elementwise<shift_right_logical_p, integers, 2> {
  static constexpr std::string_view name = "shift_right_logical";
  static constexpr bool no_derivative = true;
  static constexpr bool exact_types = true;
  template <class T>
  static constexpr T apply(T a, T b) {
    return math::shift_right_logical(a, b);
  }
};

namespace lax {
/// See shift_left_p.
template <class Array = array>
constexpr array shift_left(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<shift_left_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
/// See shift_right_arithmetic_p.
template <class Array = array>
constexpr array shift_right_arithmetic(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<shift_right_arithmetic_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
/// See shift_right_logical_p.
template <class Array = array>
constexpr array shift_right_logical(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return bind<shift_right_logical_p>({}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

}  // namespace jacquard
