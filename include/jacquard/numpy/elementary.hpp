#pragma once
// Elementary functions beyond those of elementwise.hpp: inverse and hyperbolic functions under numpy's names and C++'s, powers and
// logarithms of other bases, angles in degrees, and what numpy makes of them. Integers and bool become floating point first. Plain C++
// numbers give plain numbers, also in constant evaluation.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/prims/cbrt.hpp"
#include "jacquard/prims/erfc.hpp"
#include "jacquard/prims/exp2.hpp"
#include "jacquard/prims/hyperbolic.hpp"
#include "jacquard/prims/inverse_hyperbolic.hpp"
#include "jacquard/prims/inverse_trigonometric.hpp"

namespace jacquard {

#define JACQUARD_ELEMENTARY(name, prim, domain)                                        \
  template <class Operand = operand>                                                   \
  constexpr array name(const lazy<Operand>& x) { return detail::unary_inexact<prim##_p>(x); } \
  template <domain T>                                                                  \
  constexpr auto name(T x) {                                                           \
    return math::prim(detail::inexact_number(x));                                      \
  }

/// 2^x.
JACQUARD_ELEMENTARY(exp2, exp2, scalar)
/// The angle in [-pi/2, pi/2] with sine x; NaN for real x outside [-1, 1].
JACQUARD_ELEMENTARY(asin, asin, scalar)
JACQUARD_ELEMENTARY(arcsin, asin, scalar)
/// The angle in [0, pi] with cosine x; NaN for real x outside [-1, 1].
JACQUARD_ELEMENTARY(acos, acos, scalar)
JACQUARD_ELEMENTARY(arccos, acos, scalar)
/// The angle in [-pi/2, pi/2] with tangent x.
JACQUARD_ELEMENTARY(atan, atan, scalar)
JACQUARD_ELEMENTARY(arctan, atan, scalar)
/// The hyperbolic sine and cosine.
JACQUARD_ELEMENTARY(sinh, sinh, scalar)
JACQUARD_ELEMENTARY(cosh, cosh, scalar)
/// The y with sinh(y) = x.
JACQUARD_ELEMENTARY(asinh, asinh, scalar)
JACQUARD_ELEMENTARY(arcsinh, asinh, scalar)
/// The y >= 0 with cosh(y) = x; NaN for real x below 1.
JACQUARD_ELEMENTARY(acosh, acosh, scalar)
JACQUARD_ELEMENTARY(arccosh, acosh, scalar)
/// The y with tanh(y) = x; NaN for real x outside [-1, 1].
JACQUARD_ELEMENTARY(atanh, atanh, scalar)
JACQUARD_ELEMENTARY(arctanh, atanh, scalar)
/// The real cube root. Errors: type_error for complex numbers.
JACQUARD_ELEMENTARY(cbrt, cbrt, detail::real_number)
/// 1 - erf(x), with full precision where that is small. Errors: type_error for complex numbers.
JACQUARD_ELEMENTARY(erfc, erfc, detail::real_number)
#undef JACQUARD_ELEMENTARY

namespace detail {
/// x as a floating point operand.
template <class Operand = operand>
constexpr operand inexact_operand(const lazy<Operand>& x) {
  operand y(as_inexact(x), x.where);
  y.is_number = x.is_number;
  return y;
}
/// A plain number, in floating point, times a constant.
template <real_number T>
constexpr auto scaled_number(T x, double factor) {
  const auto y = inexact_number(x);
  using R = std::remove_const_t<decltype(y)>;
  return R(y * R(factor));
}
/// log(x) times a number, of complex numbers by their parts: an infinite one times 0 i would be NaN.
template <class Operand = operand>
constexpr array scaled_log(const lazy<Operand>& x, double factor) {
  const array y = unary_inexact<log_p>(x);
  const auto times = [&](const array& part) { return lax::mul(part, scalar_like(part, factor), x.where); };
  if (!is_complex(y.dtype())) return times(y);
  return lax::complex(times(lax::real(y, x.where)), times(lax::imag(y, x.where)), x.where);
}
}  // namespace detail

/// The logarithm to base 2.
template <class Operand = operand>
constexpr array log2(const lazy<Operand>& x) { return detail::scaled_log(x, 1.4426950408889634074); }
template <detail::real_number T>
constexpr auto log2(T x) {
  return math::log2(detail::inexact_number(x));
}
/// The logarithm to base 10.
template <class Operand = operand>
constexpr array log10(const lazy<Operand>& x) { return detail::scaled_log(x, 0.43429448190325182765); }
template <detail::real_number T>
constexpr auto log10(T x) {
  return math::log10(detail::inexact_number(x));
}
/// An angle from degrees to radians.
template <class Operand = operand>
constexpr array deg2rad(const lazy<Operand>& x) { return detail::inexact_operand(x) * 0.017453292519943295769; }
template <detail::real_number T>
constexpr auto deg2rad(T x) {
  return detail::scaled_number(x, 0.017453292519943295769);
}
template <class Operand = operand>
constexpr array radians(const lazy<Operand>& x) { return deg2rad(x); }
template <detail::real_number T>
constexpr auto radians(T x) {
  return jacquard::deg2rad(x);
}
/// An angle from radians to degrees.
template <class Operand = operand>
constexpr array rad2deg(const lazy<Operand>& x) { return detail::inexact_operand(x) * 57.295779513082320877; }
template <detail::real_number T>
constexpr auto rad2deg(T x) {
  return detail::scaled_number(x, 57.295779513082320877);
}
template <class Operand = operand>
constexpr array degrees(const lazy<Operand>& x) { return rad2deg(x); }
template <detail::real_number T>
constexpr auto degrees(T x) {
  return jacquard::rad2deg(x);
}
/// 1 / x.
template <class Operand = operand>
constexpr array reciprocal(const lazy<Operand>& x) { return operand(1.0, x.where) / detail::inexact_operand(x); }
template <scalar T>
constexpr auto reciprocal(T x) {
  const auto y = detail::inexact_number(x);
  return std::remove_const_t<decltype(y)>(1) / y;
}
/// x itself. Errors: type_error for bool.
template <class Operand = operand>
constexpr array positive(const lazy<Operand>& x) {
  if (!x.value.is_none() && is_boolean(x.value.dtype())) return detail::unary<neg_p>(x);  // which reports the error
  return x.value;
}
template <detail::quantity T>
constexpr T positive(T x) {
  return x;
}
/// |x| in floating point. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array fabs(const lazy<Operand>& x) {
  if (!x.value.is_none() && is_complex(x.value.dtype()))
    return detail::bad_operand(x, error_kind::type, "fabs: got dtype ", long_name(x.value.dtype()), "; wanted real numbers, use jq::abs for the modulus");
  return abs(detail::inexact_operand(x));
}
template <detail::real_number T>
constexpr auto fabs(T x) {
  return math::abs(detail::inexact_number(x));
}
namespace detail {
/// sin(pi x) of real x, as precise next to whole numbers, where it vanishes, as elsewhere: pi times the distance from the nearest is what is rounded.
template <class Array = array>
constexpr array sine_of_half_turns(const lazy<Array>& x) {
  const array nearest = round(x), sine = sin((x - nearest) * 3.14159265358979323846);
  return where(fmod(nearest, 2.0) != 0.0, -sine, sine);
}
/// The share of the standard normal distribution below x, erfc(z) / 2 with z = -x / sqrt(2). In f64 what z lost to rounding, which the tail multiplies
/// by 2 z, is put back: to within its roundoff by z + sqrt(z^2 + 4 / pi), which bounds the logarithmic slope of erfc (Abramowitz and Stegun 7.1.13).
template <class Array = array>
constexpr array normal_share(const lazy<Array>& x) {
  constexpr double high = 0x1.6a09e667p-1, low = 1.1083895630468347e-10, four_over_pi = 1.27323954473516268615, steps = 1024;
  const array z = x * -0.70710678118654752440, share = 0.5 * erfc(z);
  if (x.dtype() != f64) return share;
  const array tail = (x < 0.0) & (x > -40.0), v = lax::stop_gradient(where(tail, x, 0.0)), at = lax::stop_gradient(where(tail, z, 0.0));
  const array coarse = round(v * steps) * (1 / steps), fine = v - coarse;  // the products with `high` are exact
  const array lost = (coarse * high + at) + fine * high + v * low;
  return share * (1.0 + lost * (at + sqrt(at * at + four_over_pi)));
}
}  // namespace detail

/// sin(pi x) / (pi x), and 1 at 0, where the derivatives of all orders stay finite: near 0 it is its Taylor polynomial.
template <class Operand = operand>
constexpr array sinc(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const operand at = detail::inexact_operand(x), angle(at * 3.14159265358979323846, x.where);
  const operand near(abs(angle) < 1e-2, x.where);
  const operand square(jacquard::square(operand(where(near, angle, operand(0.0, x.where)), x.where)), x.where);
  // 1 - s/6 + s^2/120 - s^3/5040 + s^4/362880
  array series = detail::scalar_like(square.value, 1.0 / 362880);
  for (double term : {-1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0}) series = operand(operand(series, x.where) * square, x.where) + term;
  const operand away(where(near, operand(1.0, x.where), angle), x.where);
  array sine;
  if (is_complex(at.value.dtype())) sine = sin(away);
  else sine = detail::sine_of_half_turns(where(near, operand(0.5, x.where), at));
  return where(near, operand(series, x.where), operand(operand(sine, x.where) / away, x.where));
}
template <detail::real_number T>
constexpr auto sinc(T x) {
  const auto at = detail::inexact_number(x), nearest = math::round_even(at);
  using R = std::remove_const_t<decltype(at)>;
  if (at == R(0)) return R(1);
  const R sine = math::sin(R(detail::scaled_number(R(at - nearest), 3.14159265358979323846)));
  return R((math::fmod(nearest, R(2)) == R(0) ? sine : R(-sine)) / detail::scaled_number(at, 3.14159265358979323846));
}
/// The angle of a complex number in (-pi, pi], in degrees on request; of real numbers 0 or pi, with the derivative 0.
template <class Operand = operand>
constexpr array angle(const lazy<Operand>& z, bool degrees = false) {
  operand x = detail::inexact_operand(z);
  if (!x.value.is_none() && !is_complex(x.value.dtype())) x.value = lax::stop_gradient(x.value, z.where);
  const array y = arctan2(operand(imag(x), z.where), operand(real(x), z.where));
  if (degrees) return rad2deg(operand(y, z.where));
  return y;
}
template <scalar T>
constexpr auto angle(T z, bool degrees = false) {
  const auto x = detail::inexact_number(z);
  const auto y = math::atan2(jacquard::imag(x), jacquard::real(x));
  return degrees ? jacquard::rad2deg(y) : y;
}
/// log(exp(a) + exp(b)) without overflow; the derivatives are 0 where both are infinite. Errors: shape_error.
template <class Operand = operand>
constexpr array logaddexp(const lazy<Operand>& a, const lazy<Operand>& b) {
  const detail::inexact_pair x("logaddexp", a, b);
  if (!x.bad.is_none()) return x.bad;
  const rule_location_scope here(x.where);
  // Which is the larger is decided, not differentiated: all derivatives are right where both are equal, too.
  const array ordered = x.a >= x.b, larger = where(ordered, x.a, x.b), smaller = where(ordered, x.b, x.a);
  const array both_endless = (larger == smaller) & isinf(larger), gap = where(both_endless, 0.0, smaller) - where(both_endless, 0.0, larger);
  return where(both_endless, lax::stop_gradient(larger), larger) + log1p(exp(gap));
}
template <detail::real_number A, detail::real_number B>
constexpr auto logaddexp(A a, B b) {
  return detail::in_common_inexact(a, b, [](auto x, auto y) {
    using R = decltype(x);
    const R larger = math::max(x, y);
    if (x == y && math::is_inf(x)) return larger;
    return R(larger + math::log1p(math::exp(R(math::min(x, y) - larger))));
  });
}
/// log2(2^a + 2^b) without overflow. Errors: shape_error.
template <class Operand = operand>
constexpr array logaddexp2(const lazy<Operand>& a, const lazy<Operand>& b) {
  constexpr double ln2 = 0.69314718055994530942;
  const location at = detail::where_of(a, b);
  const element_type t = detail::common_inexact_type(a, b);
  const operand x(detail::as_type(a.value, t, at), at), y(detail::as_type(b.value, t, at), at);
  return operand(logaddexp(operand(x * ln2, at), operand(y * ln2, at)), at) * (1 / ln2);
}
template <detail::real_number A, detail::real_number B>
constexpr auto logaddexp2(A a, B b) {
  constexpr double ln2 = 0.69314718055994530942;
  return detail::in_common_inexact(a, b, [](auto x, auto y) {
    return detail::scaled_number(jacquard::logaddexp(detail::scaled_number(x, ln2), detail::scaled_number(y, ln2)), 1 / ln2);
  });
}
/// sqrt(a^2 + b^2) without overflow; the derivatives at (0, 0) are 0. Errors: shape_error; type_error for complex numbers.
template <class Operand = operand>
constexpr array hypot(const lazy<Operand>& a, const lazy<Operand>& b) {
  const detail::inexact_pair x("hypot", a, b);
  if (!x.bad.is_none()) return x.bad;
  if (is_complex(x.a.dtype()))
    return detail::bad_operands(a, b, error_kind::type, "hypot: got dtype ", long_name(x.a.dtype()), "; wanted real numbers, use jq::abs for moduli");
  const rule_location_scope here(x.where);
  const array p = abs(x.a), q = abs(x.b), larger = maximum(p, q), plain = (larger > 0.0) & isfinite(larger);
  // By which it is divided is decided, not differentiated: all derivatives are those of the root, also where both are equal or one is 0.
  const array by = lax::stop_gradient(where(plain, larger, 1.0)), u = where(plain, x.a, 1.0) / by, v = where(plain, x.b, 1.0) / by;
  const array length = by * sqrt(jacquard::square(u) + jacquard::square(v));
  return where(plain, length, where(isinf(p) | isinf(q), std::numeric_limits<double>::infinity(), larger));
}
template <detail::real_number A, detail::real_number B>
constexpr auto hypot(A a, B b) {
  return detail::in_common_inexact(a, b, [](auto x, auto y) { return math::hypot(x, y); });
}
/// x to the power y, in floating point. Errors: shape_error.
template <class Operand = operand>
constexpr array float_power(const lazy<Operand>& x, const lazy<Operand>& y) {
  return detail::binary_inexact<pow_p>(x, y);
}
template <scalar A, scalar B>
constexpr auto float_power(A x, B y) {
  return detail::in_common_inexact(x, y, [](auto a, auto b) { return math::pow(a, b); });
}

}  // namespace jacquard
