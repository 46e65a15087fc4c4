#pragma once
// Floating point numbers taken apart and put together: signs, neighbours, fractions and exponents, and the repair of what is not
// finite. Errors are type_errors for complex numbers but in nan_to_num.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/prims/bitcast_convert_type.hpp"
#include "jacquard/prims/exp2.hpp"
#include "jacquard/prims/nextafter.hpp"

#include <utility>

namespace jacquard {

namespace detail {
constexpr dtype pattern_dtype(dtype t) { return unsigned_of_size(size_of(t)); }
constexpr int mantissa_bits(dtype t) { return t == f64 ? 52 : t == f32 ? 23 : t == f16 ? 10 : 7; }
constexpr int exponent_bias(dtype t) { return t == f64 ? 1023 : t == f16 ? 15 : 127; }
template <class Array = array>
constexpr array whole_like(const lazy<Array>& x, std::uint64_t value) {
  return array(literal(value).as(x.dtype()));
}
/// 2^k for whole k between the exponents of the normal numbers, exactly: the bits are put together.
template <class Array = array>
constexpr array power_of_two(const lazy<Array>& k, dtype t, const location& where) {
  const dtype bits = pattern_dtype(t);
  const array biased = lax::convert_element_type(lax::add(k, scalar_like(k, exponent_bias(t)), where), bits, where);
  return lax::bitcast_convert_type(lax::shift_left(biased, whole_like(biased, std::uint64_t(mantissa_bits(t))), where), t, where);
}
}  // namespace detail

/// Whether the sign bit is set: of -0 and negative NaN too. Whole numbers: x < 0.
template <class Operand = operand>
constexpr array signbit(const lazy<Operand>& x) {
  if (x.value.is_none() || !is_inexact(x.value.dtype())) return x < operand(0, x.where);
  if (is_complex(x.value.dtype())) return detail::unary<floor_p>(x);  // which reports the error
  const dtype t = x.value.dtype();
  const array bits = lax::bitcast_convert_type(x.value, detail::pattern_dtype(t), x.where);
  const array top = lax::shift_right_logical(bits, detail::whole_like(bits, 8 * size_of(t) - 1), x.where);
  return lax::ne(top, detail::whole_like(bits, 0), x.where);
}
template <detail::real_number T>
constexpr bool signbit(T x) {
  if constexpr (std::is_integral_v<T>) return x < T(0);
  else return ieee::signbit(x);
}
/// The size of x with the sign of y. Errors: shape_error.
template <class Operand = operand>
constexpr array copysign(const lazy<Operand>& x, const lazy<Operand>& y) {
  const detail::inexact_pair p("copysign", x, y);
  if (!p.bad.is_none()) return p.bad;
  const operand size(abs(operand(p.a, p.where)), p.where);
  return where(operand(signbit(operand(p.b, p.where)), p.where), operand(-size, p.where), size);
}
template <detail::real_number A, detail::real_number B>
constexpr auto copysign(A x, B y) {
  return detail::in_common_inexact(x, y, [](auto a, auto b) {
    using R = decltype(a);
    return jacquard::signbit(a) == jacquard::signbit(b) ? a : R(-a);
  });
}
/// The number that follows x in the direction of y, in their common dtype. Errors: shape_error.
template <class Operand = operand>
constexpr array nextafter(const lazy<Operand>& x, const lazy<Operand>& y) { return detail::binary_inexact<nextafter_p>(x, y); }
template <detail::real_number A, detail::real_number B>
constexpr auto nextafter(A x, B y) {
  return detail::in_common_inexact(x, y, [](auto a, auto b) { return math::nextafter(a, b); });
}
/// The distance to the neighbour away from zero, with the sign of x.
template <class Operand = operand>
constexpr array spacing(const lazy<Operand>& x) {
  const operand at(detail::as_inexact(x), x.where);
  const operand away(copysign(operand(std::numeric_limits<double>::infinity(), x.where), at), x.where);
  return operand(nextafter(at, away), x.where) - at;
}
template <detail::real_number T>
constexpr auto spacing(T x) {
  const auto at = detail::inexact_number(x);
  using R = std::remove_const_t<decltype(at)>;
  return R(math::nextafter(at, R(jacquard::copysign(std::numeric_limits<double>::infinity(), at))) - at);
}
/// 0 where x < 0, 1 where x > 0, y where x is 0; NaN stays. Errors: shape_error.
template <class Operand = operand>
constexpr array heaviside(const lazy<Operand>& x, const lazy<Operand>& y) {
  const detail::inexact_pair p("heaviside", x, y);
  if (!p.bad.is_none()) return p.bad;
  const operand a(p.a, p.where), zero(detail::scalar_like(p.a, 0), p.where), one(detail::scalar_like(p.a, 1), p.where);
  const operand side(where(operand(a < zero, p.where), zero, operand(where(operand(a > zero, p.where), one, a), p.where)), p.where);
  return where(operand(a == zero, p.where), operand(p.b, p.where), side);
}
template <detail::real_number A, detail::real_number B>
constexpr auto heaviside(A x, B y) {
  return detail::in_common_inexact(x, y, [](auto a, auto b) {
    using R = decltype(a);
    return a < R(0) ? R(0) : a > R(0) ? R(1) : a == R(0) ? b : a;
  });
}
/// Whether x is +inf. Whole numbers never are.
template <class Operand = operand>
constexpr array isposinf(const lazy<Operand>& x) { return operand(isinf(x), x.where) & operand(x > operand(0, x.where), x.where); }
template <detail::real_number T>
constexpr bool isposinf(T x) {
  return jacquard::isinf(x) && !jacquard::signbit(x);
}
/// Whether x is -inf.
template <class Operand = operand>
constexpr array isneginf(const lazy<Operand>& x) { return operand(isinf(x), x.where) & operand(x < operand(0, x.where), x.where); }
template <detail::real_number T>
constexpr bool isneginf(T x) {
  return jacquard::isinf(x) && jacquard::signbit(x);
}

namespace detail {
constexpr double largest_number(dtype t) {
  return t == f64 ? std::numeric_limits<double>::max() : t == f32 ? std::numeric_limits<float>::max() : t == f16 ? 65504.0 : 3.3895313892515355e38;
}
}  // namespace detail
/// NaN replaced by `nan`, infinities by the largest numbers of the dtype with their sign; whole numbers stay. Of complex numbers both parts.
template <class Operand = operand>
constexpr array nan_to_num(const lazy<Operand>& x, double nan = 0) {
  if (detail::is_whole(x)) return x.value;
  const dtype t = x.value.is_none() ? f64 : x.value.dtype();
  if (is_complex(t))
    return lax::complex(nan_to_num(operand(lax::real(x.value, x.where), x.where), nan), nan_to_num(operand(lax::imag(x.value, x.where), x.where), nan), x.where);
  const double largest = detail::largest_number(t);
  const operand number(where(operand(isnan(x), x.where), operand(nan, x.where), x), x.where);
  return clip(number, operand(-largest, x.where), operand(largest, x.where));
}
template <detail::real_number T>
constexpr T nan_to_num(T x, double nan = 0) {
  if constexpr (!std::is_integral_v<T>) {
    const T largest(detail::largest_number(dtype_of<T>()));
    return x != x ? T(nan) : x > largest ? largest : x < -largest ? T(-largest) : x;
  } else return x;
}

namespace detail {
/// Integers beyond those of i32 moved to -limit or limit, so that they can become such.
template <class Array = array>
constexpr array narrowed(const lazy<Array>& n, int limit, const location& where) {
  const dtype t = n.dtype();
  if (size_of(t) < 4 || t == i32) return n;
  const array top = lax::min(n, whole_like(n, std::uint64_t(limit)), where);
  if (!is_signed_integer(t)) return top;
  return lax::max(top, lax::neg(whole_like(n, std::uint64_t(limit)), where), where);
}
}  // namespace detail
/// x 2^n for whole n, rounded once where it is normal. Errors: shape_error; type_error for n of another dtype than integers.
template <class Operand = operand>
constexpr array ldexp(const lazy<Operand>& x, const lazy<Operand>& n) {
  if (!n.value.is_none() && !is_integer(n.value.dtype()))
    return detail::bad_operand(n, error_kind::type, "ldexp: got exponents of dtype ", long_name(n.value.dtype()), "; wanted integers, convert with x.astype(jq::i32)");
  const array at = detail::as_inexact(x);
  const dtype t = at.dtype();
  // In three steps, each a power of two that the dtype has.
  const int most = detail::exponent_bias(t) - 1;
  const operand limit(most, n.where), whole(lax::convert_element_type(detail::narrowed(n.value, 3 * most, n.where), i32, n.where), n.where);
  array left = clip(whole, operand(operand(-3, n.where) * limit, n.where), operand(operand(3, n.where) * limit, n.where));
  array y = at;
  for (int step = 0; step < 3; ++step) {
    const operand part(clip(operand(left, n.where), operand(-limit, n.where), limit), n.where);
    y = operand(y, x.where) * operand(detail::power_of_two(part.value, t, n.where), n.where);
    left = operand(left, n.where) - part;
  }
  return y;
}
/// The fraction in (-1, -1/2] or [1/2, 1), and the exponent as i32, of which x is fraction 2^exponent; both 0 for 0, exponent 0 for
/// what is not finite.
template <class Operand = operand>
constexpr std::pair<array, array> frexp(const lazy<Operand>& x) {
  const array at = detail::as_inexact(x);
  const location where = x.where;
  const dtype t = at.dtype(), b = detail::pattern_dtype(t);
  const int mantissa = detail::mantissa_bits(t), bias = detail::exponent_bias(t);
  const array special = lax::or_(lax::eq(at, detail::scalar_like(at, 0), where), lax::not_(lax::is_finite(at, where), where), where);
  const array usual = lax::select(special, detail::scalar_like(at, 1), at, where);
  // Subnormal numbers become normal first.
  const array tiny = lax::lt(lax::abs(usual, where), detail::scalar_like(at, math::powi(2.0, 1 - bias)), where);
  const array scaled = lax::select(tiny, lax::mul(usual, detail::scalar_like(at, math::powi(2.0, mantissa + 1)), where), usual, where);
  const array bits = lax::bitcast_convert_type(scaled, b, where);
  const std::uint64_t field = (std::uint64_t(2) * std::uint64_t(bias) + 1) << mantissa;
  const array high = lax::and_(bits, detail::whole_like(bits, field), where);
  const array exponent = lax::convert_element_type(lax::shift_right_logical(high, detail::whole_like(bits, std::uint64_t(mantissa)), where), i32, where);
  const array rest = lax::and_(bits, detail::whole_like(bits, ~field), where);
  const array half = lax::or_(rest, detail::whole_like(bits, std::uint64_t(bias - 1) << mantissa), where);
  // The fraction times a power of two, whose derivative is that power: the bits have none.
  const array power = lax::stop_gradient(lax::div(lax::bitcast_convert_type(half, t, where), scaled, where), where);
  const array fraction = lax::mul(scaled, power, where);
  const array shift = lax::select(tiny, array(literal(bias - 1 + mantissa + 1, i32, false)), array(literal(bias - 1, i32, false)), where);
  return {lax::select(special, at, fraction, where),
          lax::select(special, array(literal(0, i32, false)), lax::sub(exponent, shift, where), where)};
}
/// The fractional and the whole part, both with the sign of x.
template <class Operand = operand>
constexpr std::pair<array, array> modf(const lazy<Operand>& x) {
  const operand at(detail::as_inexact(x), x.where), whole(trunc(at), x.where);
  const operand rest(where(operand(isinf(at), x.where), operand(0.0, x.where), operand(at - whole, x.where)), x.where);
  return {copysign(rest, at), whole.value};
}
/// The quotient rounded down and the remainder with the sign of the divisor. Errors: shape_error; type_error for bool.
template <class Operand = operand>
constexpr std::pair<array, array> divmod(const lazy<Operand>& a, const lazy<Operand>& b) { return {floor_divide(a, b), mod(a, b)}; }

}  // namespace jacquard
