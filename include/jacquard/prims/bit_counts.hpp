#pragma once
// population_count and clz: bits counted. One family, since each is one line. The result has the dtype of the operand.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// How many bits of x are set, elementwise.
/// Errors  type_error: not integers.
struct population_count_p : elementwise<population_count_p, integers, 1> {
  static constexpr std::string_view name = "population_count";
  static constexpr bool no_derivative = true;
  static constexpr bool exact_types = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::population_count(x);
  }
};

/// How many zeros are above the highest bit of x that is set, elementwise; the number of bits for 0.
/// Errors  type_error: not integers.
struct clz_p : elementwise<clz_p, integers, 1> {
  static constexpr std::string_view name = "clz";
  static constexpr bool no_derivative = true;
  static constexpr bool exact_types = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::clz(x);
  }
};

namespace lax {
/// See population_count_p.
template <class Array = array>
constexpr array population_count(const lazy<Array>& x, location where = location::current()) {
  return bind<population_count_p>({}, where, x);
}
/// See clz_p.
template <class Array = array>
constexpr array clz(const lazy<Array>& x, location where = location::current()) { return bind<clz_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
