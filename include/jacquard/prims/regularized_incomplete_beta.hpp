#pragma once
// regularized_incomplete_beta: the distribution function of the beta distribution.

#include "jacquard/core/math/incomplete_beta.hpp"
#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/lgamma.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/log1p.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// I_x(a, b), the share of the beta distribution that is below x, elementwise; operands in the order a, b, x. NaN unless a, b > 0 and
/// 0 <= x <= 1.
/// Rules   derivative in x: the density; none in a and b.
struct regularized_incomplete_beta_p : elementwise<regularized_incomplete_beta_p, floats, 3> {
  static constexpr std::string_view name = "regularized_incomplete_beta";
  template <class T>
  static constexpr T apply(T a, T b, T x) {
    return math::each([](auto u, auto v, auto w) { return math::regularized_incomplete_beta(u, v, w); }, a, b, x);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    if (k != 2) return detail::no_derivative_in(name, k == 0 ? "the parameter a" : "the parameter b", t);
    const array &a = x[0], &b = x[1], &at = x[2];
    const array size = lax::sub(lax::lgamma(lax::add(a, b)), lax::add(lax::lgamma(a), lax::lgamma(b)));
    const array powers = lax::add(lax::mul(lax::sub(a, 1.0), lax::log(at)), lax::mul(lax::sub(b, 1.0), lax::log1p(lax::neg(at))));
    return lax::mul(t, lax::exp(lax::add(powers, size)));
  }
};

namespace lax {
/// See regularized_incomplete_beta_p.
template <class Array = array>
constexpr array regularized_incomplete_beta(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where = location::current()) {
  return bind<regularized_incomplete_beta_p>({}, where, detail::match_literal(a, x), detail::match_literal(b, x), x);
}
}  // namespace lax

}  // namespace jacquard
