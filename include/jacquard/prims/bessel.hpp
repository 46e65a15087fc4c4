#pragma once
// bessel_i0e and bessel_i1e: the modified Bessel functions of order 0 and 1, times exp(-|x|). One family: they are in each other's
// derivatives.

#include "jacquard/core/math/bessel.hpp"
#include "jacquard/prims/abs_sign.hpp"
#include "jacquard/prims/add.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array bessel_i0e(const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array bessel_i1e(const lazy<Array>& x, location where = location::current());
}  // namespace lax

/// exp(-|x|) I_0(x), elementwise.
/// Rules   derivative: bessel_i1e(x) - sign(x) y, from the result y.
struct bessel_i0e_p : elementwise<bessel_i0e_p, floats, 1> {
  static constexpr std::string_view name = "bessel_i0e";
  template <class T>
  static constexpr T apply(T x) {
    return math::bessel_i0e(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y) {
    return lax::mul(t, lax::sub(lax::bessel_i1e(x), lax::mul(lax::sign(x), y)));
  }
};

/// exp(-|x|) I_1(x), elementwise.
/// Rules   derivative: bessel_i0e(x) - y (sign(x) + 1 / x), from the result y; near 0 with y / x as exp(-|x|) times the series of I_1(x) / x (DLMF
///         10.25.2), which has all derivatives.
struct bessel_i1e_p : elementwise<bessel_i1e_p, floats, 1> {
  static constexpr std::string_view name = "bessel_i1e";
  template <class T>
  static constexpr T apply(T x) {
    return math::bessel_i1e(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y) {
    const array size = lax::abs(x), near = lax::lt(size, detail::scalar_like(x, 0.25)), small = lax::select(near, x, detail::scalar_like(x, 0));
    const array square = lax::mul(small, small);
    array series = detail::scalar_like(x, 1.0 / 29727129600);  // 1 / (2 4^k k! (k + 1)!)
    for (double c : {1.0 / 176947200, 1.0 / 1474560, 1.0 / 18432, 1.0 / 384, 1.0 / 16, 1.0 / 2}) series = lax::add(lax::mul(series, square), detail::scalar_like(x, c));
    const array quotient = lax::select(near, lax::mul(lax::exp(lax::neg(lax::abs(small))), series), lax::div(y, lax::select(near, detail::scalar_like(x, 1), x)));
    return lax::mul(t, lax::sub(lax::bessel_i0e(x), lax::add(lax::mul(y, lax::sign(x)), quotient)));
  }
};

namespace lax {
/// See bessel_i0e_p.
template <class Array>
constexpr array bessel_i0e(const lazy<Array>& x, location where) { return bind<bessel_i0e_p>({}, where, x); }
/// See bessel_i1e_p.
template <class Array>
constexpr array bessel_i1e(const lazy<Array>& x, location where) { return bind<bessel_i1e_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
