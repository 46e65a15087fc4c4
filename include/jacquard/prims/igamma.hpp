#pragma once
// igamma and igammac: the regularized incomplete gamma functions; their derivative in a; and the derivative of a sample of the gamma
// distribution. One family: they are each other's derivatives.

#include "jacquard/core/math/incomplete_gamma.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/lgamma.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array igamma_grad_a(const lazy<Array>& a, const lazy<Array>& x, location where = location::current());
}  // namespace lax

namespace detail {
/// The derivative of igamma in its operand k.
template <class Array = array>
constexpr array igamma_slope(int k, view<const lazy<Array>> x) {
  const array &a = x[0], &at = x[1];
  if (k == 0) return lax::igamma_grad_a(a, at);
  // x^(a - 1) exp(-x) / gamma(a), where a = 1 and x = 0 meet too.
  const array power = lax::sub(a, 1.0), zero = scalar_like(at, 0), none = lax::eq(power, scalar_like(power, 0));
  const array logs = lax::mul(power, lax::log(lax::select(none, scalar_like(at, 1), at)));
  return lax::exp(lax::sub(lax::sub(lax::select(none, zero, logs), at), lax::lgamma(a)));
}
}  // namespace detail

/// P(a, x), the share of the gamma distribution of shape a that is below x, elementwise; NaN for negative a or x.
/// Rules   derivatives: in a igamma_grad_a(a, x), in x the density.
struct igamma_p : elementwise<igamma_p, floats, 2> {
  static constexpr std::string_view name = "igamma";
  template <class T>
  static constexpr T apply(T a, T x) {
    return math::each([](auto u, auto v) { return math::igamma(u, v); }, a, x);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) { return lax::mul(t, detail::igamma_slope(k, x)); }
};

/// Q(a, x) = 1 - P(a, x), elementwise, with full precision where that is small; NaN for negative a or x.
/// Rules   derivatives: those of igamma, negative.
struct igammac_p : elementwise<igammac_p, floats, 2> {
  static constexpr std::string_view name = "igammac";
  template <class T>
  static constexpr T apply(T a, T x) {
    return math::each([](auto u, auto v) { return math::igammac(u, v); }, a, x);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    return lax::neg(lax::mul(t, detail::igamma_slope(k, x)));
  }
};

/// The derivative of igamma(a, x) in a, elementwise.
/// Rules   no derivative.
struct igamma_grad_a_p : elementwise<igamma_grad_a_p, floats, 2> {
  static constexpr std::string_view name = "igamma_grad_a";
  template <class T>
  static constexpr T apply(T a, T x) {
    return math::each([](auto u, auto v) { return math::igamma_grad_a(u, v); }, a, x);
  }
};

/// The derivative in a of a sample x of the gamma distribution of shape a, elementwise: how it moves while P(a, x) stays.
/// Rules   no derivative.
struct random_gamma_grad_p : elementwise<random_gamma_grad_p, floats, 2> {
  static constexpr std::string_view name = "random_gamma_grad";
  template <class T>
  static constexpr T apply(T a, T x) {
    return math::each([](auto u, auto v) { return math::random_gamma_grad(u, v); }, a, x);
  }
};

namespace lax {
/// See igamma_p.
template <class Array = array>
constexpr array igamma(const lazy<Array>& a, const lazy<Array>& x, location where = location::current()) {
  return bind<igamma_p>({}, where, detail::match_literal(a, x), detail::match_literal(x, a));
}
/// See igammac_p.
template <class Array = array>
constexpr array igammac(const lazy<Array>& a, const lazy<Array>& x, location where = location::current()) {
  return bind<igammac_p>({}, where, detail::match_literal(a, x), detail::match_literal(x, a));
}
/// See igamma_grad_a_p.
template <class Array>
constexpr array igamma_grad_a(const lazy<Array>& a, const lazy<Array>& x, location where) {
  return bind<igamma_grad_a_p>({}, where, detail::match_literal(a, x), detail::match_literal(x, a));
}
/// See random_gamma_grad_p.
template <class Array = array>
constexpr array random_gamma_grad(const lazy<Array>& a, const lazy<Array>& x, location where = location::current()) {
  return bind<random_gamma_grad_p>({}, where, detail::match_literal(a, x), detail::match_literal(x, a));
}
}  // namespace lax

}  // namespace jacquard
