#pragma once
// abs and sign, each other's derivative.

#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/complex_parts.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array abs(const lazy<Array>& x, location where = location::current());
template <class Array = array>
constexpr array sign(const lazy<Array>& x, location where = location::current());
}  // namespace lax

/// The magnitude, elementwise; of complex numbers the modulus, in the real dtype. Signed minima wrap.
/// Rules   derivative: t sign(x), of complex numbers Re(conj(sign(x)) t); 0 at 0.
struct abs_p : elementwise<abs_p, numbers, 1> {
  static constexpr std::string_view name = "abs";

  static constexpr aval abstract_eval(inference& c) {
    const aval t = detail::elementwise_type(c, domain);
    return t.with(real_dtype(t.type));
  }
  template <class T>
  static constexpr auto apply(T x) {
    return math::abs(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&) {
    return lax::real(lax::mul(t, lax::conj(lax::sign(x))));
  }
};

/// -1, 0 or 1, elementwise, with the sign of a zero kept and NaN for NaN; of complex numbers x / |x|, and 0 for 0.
/// Rules   derivative 0; of complex numbers (t - y Re(conj(y) t)) / |x|, and 0 at 0.
struct sign_p : elementwise<sign_p, numbers, 1> {
  static constexpr std::string_view name = "sign";
  template <class T>
  static constexpr T apply(T x) {
    return math::sign(x);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y) {
    if (!is_complex(x.dtype())) return {};
    const array zero = detail::scalar_like(x, 0);
    const array modulus = lax::abs(x);
    const array no_direction = lax::eq(x, zero);
    const array divisor = lax::select(no_direction, detail::scalar_like(modulus, 1), modulus);
    const array along = lax::real(lax::mul(lax::conj(y), t));
    const array across = lax::sub(t, lax::mul(y, lax::complex(along, detail::scalar_like(along, 0))));
    return lax::select(no_direction, zero, lax::div(across, lax::complex(divisor, detail::scalar_like(divisor, 0))));
  }
};

namespace lax {
/// See abs_p.
template <class Array>
constexpr array abs(const lazy<Array>& x, location where) { return bind<abs_p>({}, where, x); }
/// See sign_p.
template <class Array>
constexpr array sign(const lazy<Array>& x, location where) { return bind<sign_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
