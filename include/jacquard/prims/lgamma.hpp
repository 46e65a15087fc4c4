#pragma once
// lgamma, digamma, polygamma and zeta: the logarithm of the gamma function, its derivatives, and the sum behind these. One family:
// each is in the derivative of another.

#include "jacquard/core/math/branchless_gamma.hpp"
#include "jacquard/core/math/zeta_function.hpp"
#include "jacquard/prims/add.hpp"
#include "jacquard/prims/held_operand.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array digamma(const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array polygamma(const lazy<Array>& n, const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array zeta(const lazy<Array>& s, const lazy<Array>& q, location where = location::current());
}  // namespace lax

namespace detail {
/// A formula of doubles, some ulp off, of a number that is written down, where such may be.
template <class F>
constexpr recorded_scalar recorded_in_parts(const recorded_scalar& x, F formula) {
  if (!x.program() || !x.program()->rounds_freely) return recorded_scalar::each(formula, x);
  return formula(x.as(f64)).as(x.program()->steps[std::size_t(x.number())].type);
}
}  // namespace detail

/// log |gamma(x)|, elementwise; infinite at 0, -1, -2, ...
/// Rules   derivative: digamma(x).
struct lgamma_p : elementwise<lgamma_p, floats, 1> {
  static constexpr std::string_view name = "lgamma";
  template <class T>
  static constexpr T apply(T x) {
    return math::each([](auto v) { return math::lgamma(v); }, x);
  }
  static constexpr recorded_scalar apply(const recorded_scalar& x) {
    return detail::recorded_in_parts(x, [](const recorded_scalar& v) { return math::branchless::lgamma(v); });
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) { return lax::mul(t, lax::digamma(x)); }
};

/// The derivative of lgamma, elementwise; NaN at 0, -1, -2, ...
/// Rules   derivative: polygamma(1, x).
struct digamma_p : elementwise<digamma_p, floats, 1> {
  static constexpr std::string_view name = "digamma";
  template <class T>
  static constexpr T apply(T x) {
    return math::each([](auto v) { return math::digamma(v); }, x);
  }
  static constexpr recorded_scalar apply(const recorded_scalar& x) {
    return detail::recorded_in_parts(x, [](const recorded_scalar& v) { return math::branchless::digamma(v); });
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    return lax::mul(t, lax::polygamma(detail::scalar_like(x, 1), x));
  }
};

/// The derivative of order n of digamma at x, elementwise; NaN unless n is a whole number >= 0.
/// Rules   derivative in x: polygamma(n + 1, x); none in n.
struct polygamma_p : elementwise<polygamma_p, floats, 2> {
  static constexpr std::string_view name = "polygamma";
  template <class T>
  static constexpr T apply(T n, T x) {
    return math::each([](auto m, auto v) { return math::polygamma(m, v); }, n, x);
  }
  /// The first one, which is the derivative of digamma, as a formula.
  static constexpr recorded_scalar apply(const recorded_scalar& n, const recorded_scalar& x) {
    if (!n.known() || n.known()->template get<double>() != 1) return recorded_scalar::each(0, n, x);
    return detail::recorded_in_parts(x, [](const recorded_scalar& v) { return math::branchless::trigamma(v); });
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    if (k == 0) return detail::no_derivative_in(name, "the order n, which is a whole number", t);
    return lax::mul(t, lax::polygamma(lax::add(x[0], 1.0), x[1]));
  }
};

/// The sum of (q + k)^-s over k = 0, 1, ..., the zeta function of Hurwitz, elementwise; infinite at s = 1, NaN below.
/// Rules   derivative in q: -s zeta(s + 1, q); none in s.
struct zeta_p : elementwise<zeta_p, floats, 2> {
  static constexpr std::string_view name = "zeta";
  template <class T>
  static constexpr T apply(T s, T q) {
    return math::each([](auto u, auto v) { return math::zeta(u, v); }, s, q);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> x, const auto&) {
    if (k == 0) return detail::no_derivative_in(name, "the exponent s", t);
    return lax::neg(lax::mul(t, lax::mul(x[0], lax::zeta(lax::add(x[0], 1.0), x[1]))));
  }
};

namespace lax {
/// See lgamma_p.
template <class Array = array>
constexpr array lgamma(const lazy<Array>& x, location where = location::current()) { return bind<lgamma_p>({}, where, x); }
/// See digamma_p.
template <class Array>
constexpr array digamma(const lazy<Array>& x, location where) { return bind<digamma_p>({}, where, x); }
/// See polygamma_p.
template <class Array>
constexpr array polygamma(const lazy<Array>& n, const lazy<Array>& x, location where) {
  return bind<polygamma_p>({}, where, detail::match_literal(n, x), detail::match_literal(x, n));
}
/// See zeta_p.
template <class Array>
constexpr array zeta(const lazy<Array>& s, const lazy<Array>& q, location where) {
  return bind<zeta_p>({}, where, detail::match_literal(s, q), detail::match_literal(q, s));
}
}  // namespace lax

}  // namespace jacquard
