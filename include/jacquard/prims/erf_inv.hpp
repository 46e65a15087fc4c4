#pragma once
// erf_inv: the inverse of the error function.

#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

/// The y with erf(y) = x, elementwise; infinite at -1 and 1, NaN outside.
/// Rules   derivative: sqrt(pi) / 2 exp(y^2), from the result y.
struct erf_inv_p : elementwise<erf_inv_p, floats, 1> {
  static constexpr std::string_view name = "erf_inv";
  template <class T>
  static constexpr T apply(T x) {
    return math::erf_inv(x);
  }
  template <class T>
  static void tile(const T* x, T* y, std::int64_t n) {
    math::soft::erf_inv(x, y, n);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    constexpr double half_sqrt_pi = 0.88622692545275801365;
    return lax::mul(t, lax::mul(half_sqrt_pi, lax::exp(lax::mul(y, y))));
  }
};

namespace lax {
/// See erf_inv_p.
template <class Array = array>
constexpr array erf_inv(const lazy<Array>& x, location where = location::current()) { return bind<erf_inv_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
