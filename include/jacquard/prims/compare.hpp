#pragma once
// The six comparisons: eq, ne, lt, le, gt, ge. One family, since each is one line. Deliberately without a total order of
// floats: NaN compares as in C++.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// What comparisons share: operands of one dtype, a result of dtype bool, no derivative.
/// Shapes  equal, or rank 0.
/// Errors  type_error: different dtypes, or complex numbers where an order is asked for.
template <class P, type_set Domain>
struct comparison : elementwise<P, Domain, 2> {
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c) {
    const aval t = detail::elementwise_type(c, Domain);
    return {bool_, t.dims};
  }
};

/// a == b, elementwise; false where either is NaN.
struct eq_p : comparison<eq_p, any_type> {
  static constexpr std::string_view name = "eq";
  static constexpr bool commutative = true;
  template <class T>
  static constexpr auto apply(T a, T b) {
    return a == b;
  }
};

/// a != b, elementwise; true where either is NaN.
struct ne_p : comparison<ne_p, any_type> {
  static constexpr std::string_view name = "ne";
  static constexpr bool commutative = true;
  template <class T>
  static constexpr auto apply(T a, T b) {
    return a != b;
  }
};

/// a < b, elementwise; false < true.
struct lt_p : comparison<lt_p, ordered> {
  static constexpr std::string_view name = "lt";
  template <class T>
  static constexpr auto apply(T a, T b) {
    return a < b;
  }
};

/// a <= b, elementwise.
struct le_p : comparison<le_p, ordered> {
  static constexpr std::string_view name = "le";
  template <class T>
  static constexpr auto apply(T a, T b) {
    return a <= b;
  }
};

/// a > b, elementwise.
struct gt_p : comparison<gt_p, ordered> {
  static constexpr std::string_view name = "gt";
  template <class T>
  static constexpr auto apply(T a, T b) {
    return a > b;
  }
};

/// a >= b, elementwise.
struct ge_p : comparison<ge_p, ordered> {
  static constexpr std::string_view name = "ge";
  template <class T>
  static constexpr auto apply(T a, T b) {
    return a >= b;
  }
};

namespace detail {
template <class P>
constexpr array compare(const array& a, const array& b, const location& where) {
  return bind<P>({}, where, match_literal(a, b), match_literal(b, a));
}
}  // namespace detail

namespace lax {
/// See eq_p.
template <class Array = array>
constexpr array eq(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return detail::compare<eq_p>(a, b, where);
}
/// See ne_p.
template <class Array = array>
constexpr array ne(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return detail::compare<ne_p>(a, b, where);
}
/// See lt_p.
template <class Array = array>
constexpr array lt(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return detail::compare<lt_p>(a, b, where);
}
/// See le_p.
template <class Array = array>
constexpr array le(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return detail::compare<le_p>(a, b, where);
}
/// See gt_p.
template <class Array = array>
constexpr array gt(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return detail::compare<gt_p>(a, b, where);
}
/// See ge_p.
template <class Array = array>
constexpr array ge(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  return detail::compare<ge_p>(a, b, where);
}
}  // namespace lax

}  // namespace jacquard
