#pragma once
// erf: the error function.

#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// 2 / sqrt(pi) times the integral of exp(-s^2) from 0 to x, elementwise.
/// Rules   derivative: 2 / sqrt(pi) exp(-x^2).
struct erf_p : elementwise<erf_p, floats, 1> {
  static constexpr std::string_view name = "erf";
  template <class T>
  static constexpr T apply(T x) {
    return math::erf(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    constexpr double two_over_sqrt_pi = 1.1283791670955125739;
    return lax::mul(t, lax::mul(two_over_sqrt_pi, lax::exp(lax::neg(lax::mul(x, x)))));
  }
};

namespace lax {
/// See erf_p.
template <class Array = array>
constexpr array erf(const lazy<Array>& x, location where = location::current()) { return bind<erf_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
