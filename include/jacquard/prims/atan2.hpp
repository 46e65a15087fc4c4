#pragma once
// atan2: the angle of a point.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// The angle of the point (x, y) in (-pi, pi], elementwise; operands in the order y, x.
/// Errors  type_error: not floating point, or different dtypes.
/// Rules   derivative in y: x / (x^2 + y^2); in x: -y / (x^2 + y^2).
struct atan2_p : elementwise<atan2_p, floats, 2> {
  static constexpr std::string_view name = "atan2";
  template <class T>
  static constexpr T apply(T y, T x) {
    return math::atan2(y, x);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> in, const auto&) {
    const array &y = in[0], &x = in[1];
    const array square = lax::add(lax::mul(x, x), lax::mul(y, y));
    if (k == 0) return lax::mul(t, lax::div(x, square));
    return lax::mul(t, lax::neg(lax::div(y, square)));
  }
};

namespace lax {
/// See atan2_p.
template <class Array = array>
constexpr array atan2(const lazy<Array>& y, const lazy<Array>& x, location where = location::current()) {
  return bind<atan2_p>({}, where, detail::match_literal(y, x), detail::match_literal(x, y));
}
}  // namespace lax

}  // namespace jacquard
