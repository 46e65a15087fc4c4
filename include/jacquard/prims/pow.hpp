#pragma once
// pow: a power with an array as exponent.

#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// x to the power y, elementwise; special cases as in C. Integers wrap, negative powers of integers are truncated.
/// Rules   derivative in x: y x^(y-1), and 0 for 0^0; in y: x^y log(x), and 0 where x is 0.
struct pow_p : elementwise<pow_p, numbers, 2> {
  static constexpr std::string_view name = "pow";
  template <class T>
  static constexpr T apply(T x, T y) {
    return math::pow(x, y);
  }
  static constexpr array jvp(int k, const auto& t, view<const array> in, const auto& z) {
    const array &x = in[0], &y = in[1];
    const array x_is_zero = lax::eq(x, detail::scalar_like(x, 0));
    const array one = detail::scalar_like(x, 1);
    if (k == 1) return lax::mul(t, lax::mul(z, lax::log(lax::select(x_is_zero, one, x))));
    // Replacing the base of 0^0, not the result, keeps the derivative of this derivative finite.
    const array base = lax::select(lax::and_(x_is_zero, lax::eq(y, detail::scalar_like(y, 0))), one, x);
    return lax::mul(t, lax::mul(y, bind<own<pow_p, decltype(z)>>({}, location{}, base, lax::sub(y, detail::scalar_like(y, 1)))));
  }
};

namespace lax {
/// See pow_p.
template <class Array = array>
constexpr array pow(const lazy<Array>& x, const lazy<Array>& y, location where = location::current()) {
  return bind<pow_p>({}, where, detail::match_literal(x, y), detail::match_literal(y, x));
}
}  // namespace lax

}  // namespace jacquard
