#pragma once
// erfc: the complement of the error function.

#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// 1 - erf(x), elementwise, with full precision where that is small.
/// Rules   derivative: -2 / sqrt(pi) exp(-x^2).
struct erfc_p : elementwise<erfc_p, floats, 1> {
  static constexpr std::string_view name = "erfc";
  template <class T>
  static constexpr T apply(T x) {
    return math::erfc(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    constexpr double minus_two_over_sqrt_pi = -1.1283791670955125739;
    return lax::mul(t, lax::mul(minus_two_over_sqrt_pi, lax::exp(lax::neg(lax::mul(x, x)))));
  }
};

namespace lax {
/// See erfc_p.
template <class Array = array>
constexpr array erfc(const lazy<Array>& x, location where = location::current()) { return bind<erfc_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
