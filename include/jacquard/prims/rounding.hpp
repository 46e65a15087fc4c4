#pragma once
// floor, ceil and round: to whole numbers, in the same dtype. One family, since each is one line.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// The largest whole number that is not above x, elementwise.
/// Rules   derivative 0.
struct floor_p : elementwise<floor_p, floats, 1> {
  static constexpr std::string_view name = "floor";
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::floor(x);
  }
};

/// The smallest whole number that is not below x, elementwise.
/// Rules   derivative 0.
struct ceil_p : elementwise<ceil_p, floats, 1> {
  static constexpr std::string_view name = "ceil";
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::ceil(x);
  }
};

/// The nearest whole number, halfway cases away from zero, elementwise.
/// Rules   derivative 0.
struct round_p : elementwise<round_p, floats, 1> {
  static constexpr std::string_view name = "round";
  static constexpr bool no_derivative = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::round(x);
  }
};

namespace lax {
/// See floor_p.
template <class Array = array>
constexpr array floor(const lazy<Array>& x, location where = location::current()) { return bind<floor_p>({}, where, x); }
/// See ceil_p.
template <class Array = array>
constexpr array ceil(const lazy<Array>& x, location where = location::current()) { return bind<ceil_p>({}, where, x); }
/// See round_p.
template <class Array = array>
constexpr array round(const lazy<Array>& x, location where = location::current()) { return bind<round_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
