#pragma once
// nextafter: the neighbour of a number among those of its dtype.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// The number of the dtype of x that follows x in the direction of y, elementwise; y itself where they are equal, NaN where either
/// is one.
/// Errors  type_error: not floating point, or different dtypes.
/// Rules   derivative 1 in x, up to the last place, and 0 in y.
struct nextafter_p : elementwise<nextafter_p, floats, 2> {
  static constexpr std::string_view name = "nextafter";
  static constexpr bool exact_types = true;
  template <class T>
  static constexpr T apply(T x, T y) {
    return math::each([](auto a, auto b) { return math::nextafter(a, b); }, x, y);
  }
  static constexpr array jvp(int k, const auto& t, view<const array>, const auto&) {
    if (k == 0) return t;
    return {};
  }
};

namespace lax {
/// See nextafter_p.
template <class Array = array>
constexpr array nextafter(const lazy<Array>& x, const lazy<Array>& y, location where = location::current()) {
  return bind<nextafter_p>({}, where, detail::match_literal(x, y), detail::match_literal(y, x));
}
}  // namespace lax

}  // namespace jacquard
