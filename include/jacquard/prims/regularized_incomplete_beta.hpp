#pragma once
// regularized_incomplete_beta: the distribution function of the beta distribution, and its derivatives in the two parameters. One family: they
// are its rules.

#include "jacquard/core/math/incomplete_beta.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/lgamma.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/log1p.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array regularized_incomplete_beta_grad_a(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array regularized_incomplete_beta_grad_b(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where = location::current());
}  // namespace lax

/// I_x(a, b), the share of the beta distribution that is below x, elementwise; operands in the order a, b, x. NaN unless a, b > 0 and
/// 0 <= x <= 1.
/// Rules   derivatives: in x the density, in a and b regularized_incomplete_beta_grad_a and _grad_b.
struct regularized_incomplete_beta_p : elementwise<regularized_incomplete_beta_p, floats, 3> {
  static constexpr std::string_view name = "regularized_incomplete_beta";
  template <class T>
  static constexpr T apply(T a, T b, T x) {
    return math::each([](auto u, auto v, auto w) { return math::regularized_incomplete_beta(u, v, w); }, a, b, x);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    const array &a = x[0], &b = x[1], &at = x[2];
    if (k == 0) return lax::mul(t, lax::regularized_incomplete_beta_grad_a(a, b, at));
    if (k == 1) return lax::mul(t, lax::regularized_incomplete_beta_grad_b(a, b, at));
    const array size = lax::sub(lax::lgamma(lax::add(a, b)), lax::add(lax::lgamma(a), lax::lgamma(b)));
    // x^(a - 1) (1 - x)^(b - 1), where an exponent and its base may both be 0.
    const array left = lax::sub(a, 1.0), right = lax::sub(b, 1.0), zero = detail::scalar_like(at, 0), one = detail::scalar_like(at, 1);
    const array none_below = lax::and_(lax::eq(left, zero), lax::eq(at, zero)), none_above = lax::and_(lax::eq(right, zero), lax::eq(at, one));
    const array below = lax::log(lax::select(none_below, one, at)), above = lax::log1p(lax::neg(lax::select(none_above, zero, at)));
    const array powers = lax::add(lax::mul(left, below), lax::mul(right, above));
    return lax::mul(t, lax::exp(lax::add(powers, size)));
  }
};

/// The derivative of regularized_incomplete_beta(a, b, x) in a, elementwise.
/// Rules   no derivative.
struct regularized_incomplete_beta_grad_a_p : elementwise<regularized_incomplete_beta_grad_a_p, floats, 3> {
  static constexpr std::string_view name = "regularized_incomplete_beta_grad_a";
  template <class T>
  static constexpr T apply(T a, T b, T x) {
    return math::each([](auto u, auto v, auto w) { return math::regularized_incomplete_beta_grad_a(u, v, w); }, a, b, x);
  }
};

/// The derivative of regularized_incomplete_beta(a, b, x) in b, elementwise.
/// Rules   no derivative.
struct regularized_incomplete_beta_grad_b_p : elementwise<regularized_incomplete_beta_grad_b_p, floats, 3> {
  static constexpr std::string_view name = "regularized_incomplete_beta_grad_b";
  template <class T>
  static constexpr T apply(T a, T b, T x) {
    return math::each([](auto u, auto v, auto w) { return math::regularized_incomplete_beta_grad_b(u, v, w); }, a, b, x);
  }
};

namespace lax {
/// See regularized_incomplete_beta_p.
template <class Array = array>
constexpr array regularized_incomplete_beta(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where = location::current()) {
  return bind<regularized_incomplete_beta_p>({}, where, detail::match_literal_to(a, x), detail::match_literal_to(b, x), x);
}
/// See regularized_incomplete_beta_grad_a_p.
template <class Array>
constexpr array regularized_incomplete_beta_grad_a(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where) {
  return bind<regularized_incomplete_beta_grad_a_p>({}, where, detail::match_literal_to(a, x), detail::match_literal_to(b, x), x);
}
/// See regularized_incomplete_beta_grad_b_p.
template <class Array>
constexpr array regularized_incomplete_beta_grad_b(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where) {
  return bind<regularized_incomplete_beta_grad_b_p>({}, where, detail::match_literal_to(a, x), detail::match_literal_to(b, x), x);
}
}  // namespace lax

}  // namespace jacquard
