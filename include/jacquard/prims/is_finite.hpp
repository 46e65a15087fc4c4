#pragma once
// is_finite: tells numbers from infinities and NaN.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// Whether x is neither infinite nor NaN, elementwise; of a complex number, whether both parts are.
/// Rules   a result of dtype bool; no derivative.
struct is_finite_p : elementwise<is_finite_p, inexact, 1> {
  static constexpr std::string_view name = "is_finite";
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c) {
    const aval t = detail::elementwise_type(c, domain);
    return {bool_, t.dims};
  }
  template <class T>
  static constexpr auto apply(T x) {
    return math::is_finite(x);
  }
};

namespace lax {
/// See is_finite_p.
template <class Array = array>
constexpr array is_finite(const lazy<Array>& x, location where = location::current()) {
  return bind<is_finite_p>({}, where, x);
}
}  // namespace lax

}  // namespace jacquard
