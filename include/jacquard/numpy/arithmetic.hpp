#pragma once
// Functions of several operands, element by element, with promotion and broadcasting: powers, extremes, remainders, logic,
// choice. Plain C++ numbers give plain numbers, also in constant evaluation. The operators are in operators.hpp.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/numpy/complex_extremes.hpp"
#include "jacquard/numpy/elementwise.hpp"
#include "jacquard/prims/atan2.hpp"
#include "jacquard/prims/max_min.hpp"
#include "jacquard/prims/pow.hpp"

namespace jacquard {

namespace detail {

template <class Operand = operand>
constexpr location where_of(const lazy<Operand>& a, const lazy<Operand>& b) { return a.where.known() ? a.where : b.where; }

/// Operands of a function of two arguments with a common dtype and shape.
template <class Operand>
struct operand_pair {
  array a, b;
  location where;
  array bad;  ///< none, or the result after an error

  constexpr operand_pair(std::string_view operation, const Operand& x, const Operand& y) : operand_pair(operation, x, y, common_type(x, y)) {}
  constexpr operand_pair(std::string_view operation, const Operand& x, const Operand& y, element_type t) : where(where_of(x, y)) {
    array both[] = {x.value, y.value};
    bad = harmonise(operation, both, t, where);
    a = both[0];
    b = both[1];
  }
};
/// Operands of a function of floating point: whole numbers become floats where both are whole, else they yield to the other operand.
template <class Operand>
struct inexact_pair : operand_pair<Operand> {
  constexpr inexact_pair(std::string_view operation, const Operand& x, const Operand& y)
      : operand_pair<Operand>(operation, x, y, common_inexact_type(x, y)) {}
};
/// A binary function of floating point: integers become floats first.
template <class P>
JACQUARD_ONCE constexpr array binary_inexact(const operand& a, const operand& b) {
  if (is_whole(a) && is_whole(b)) return binary<P>(operand(as_inexact(a), a.where), operand(as_inexact(b), b.where));
  return binary<P>(a, b);
}

/// The larger of two operands, or the smaller, by P or as complex numbers.
template <class P>
JACQUARD_ONCE constexpr array extreme_of(const operand& a, const operand& b, bool larger) {
  if (!has_complex_order(a.value) && !has_complex_order(b.value)) return binary<P>(a, b);
  const operand_pair<operand> both(P::name, a, b);
  if (!both.bad.is_none()) return both.bad;
  return complex_extreme(both.a, both.b, larger, both.where);
}

/// Two plain numbers in their common type.
template <class R, scalar T>
constexpr R number_as(T x) {
  return static_cast<R>(own_number(x));
}
template <class F, scalar A, scalar B>
constexpr auto in_common(A a, B b, F&& f) {
  using R = common_number<A, B>;
  return f(number_as<R>(a), number_as<R>(b));
}
template <class F, scalar A, scalar B>
constexpr auto in_common_inexact(A a, B b, F&& f) {
  using R = common_number<A, B>;
  return f(inexact_number(number_as<R>(a)), inexact_number(number_as<R>(b)));
}

}  // namespace detail

// --- powers, extremes, angles ----------------------------------------------------------------------------------------

/// x to the power y. A C++ integer as exponent multiplies repeatedly, with derivative y x^(y-1) everywhere.
/// Errors: shape_error; type_error for bool, and for integers to the power of a negative C++ integer.
template <class Operand = operand>
JACQUARD_ONCE constexpr array power(const lazy<Operand>& x, const lazy<Operand>& y) {
  const bool whole = y.value.kind() == array_kind::literal && is_integer(y.value.dtype()) && !x.value.is_none();
  const std::int64_t n = whole ? y.value.as_literal().template get<std::int64_t>() : 0;
  if (!whole || n != std::int64_t(int(n))) return detail::binary<pow_p>(x, y);
  const element_type t = detail::common_type(x, y);
  return lax::integer_pow(detail::as_type(x.value, t, x.where), int(n), detail::where_of(x, y));
}
template <scalar A, scalar B>
constexpr auto power(A x, B y) {
  if constexpr (std::is_integral_v<B> && !std::is_integral_v<A>) {
    if (y == B(int(y))) return math::powi(detail::own_number(x), int(y));
    return math::pow(detail::own_number(x), detail::number_as<decltype(detail::own_number(x))>(y));
  } else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    if (y < B(0)) raise(error_kind::type, "power: got an integer and the power ", y, "; wanted a power >= 0, or a double");
    return math::int_pow(x, y);
  } else return detail::in_common(x, y, [](auto a, auto b) { return math::pow(a, b); });
}
template <class Operand = operand>
constexpr array pow(const lazy<Operand>& x, const lazy<Operand>& y) { return power(x, y); }
template <scalar A, scalar B>
constexpr auto pow(A x, B y) {
  return jacquard::power(x, y);
}
/// The larger operand; NaN if either is. Complex numbers are ordered by the real part, then the imaginary one. Errors: shape_error.
template <class Operand = operand>
constexpr array maximum(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::extreme_of<max_p>(a, b, true); }
template <scalar A, scalar B>
constexpr auto maximum(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return math::max(x, y); });
}
/// The smaller operand; NaN if either is. Complex numbers are ordered by the real part, then the imaginary one. Errors: shape_error.
template <class Operand = operand>
constexpr array minimum(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::extreme_of<min_p>(a, b, false); }
template <scalar A, scalar B>
constexpr auto minimum(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return math::min(x, y); });
}
/// The angle of the point (x, y), in [-pi, pi]. Errors: shape_error; type_error for complex numbers.
template <class Operand = operand>
constexpr array arctan2(const lazy<Operand>& y, const lazy<Operand>& x) { return detail::binary_inexact<atan2_p>(y, x); }
template <scalar A, scalar B>
constexpr auto arctan2(A y, B x) {
  return detail::in_common_inexact(y, x, [](auto v, auto u) { return math::atan2(v, u); });
}
template <class Operand = operand>
constexpr array atan2(const lazy<Operand>& y, const lazy<Operand>& x) { return arctan2(y, x); }
template <scalar A, scalar B>
constexpr auto atan2(A y, B x) {
  return jacquard::arctan2(y, x);
}

// --- remainders ------------------------------------------------------------------------------------------------------

namespace detail {
/// Whether the remainder r of a division by b has the other sign, so that rounding down differs from rounding to zero.
template <class Array = array>
constexpr array crosses_zero(const lazy<Array>& r, const lazy<Array>& b, const location& where) {
  const array zero = scalar_like(b, 0);
  const array signs = lax::ne(lax::lt(r, zero, where), lax::lt(b, zero, where), where);
  return lax::and_(signs, lax::ne(r, zero, where), where);
}
template <class T>
constexpr T modulo(T a, T b) {
  const T r = math::rem(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? math::add(r, b) : r;
}
template <class T>
constexpr T quotient_below(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T r = math::rem(a, b), q = math::divide(a, b);
    return r != T(0) && (r < T(0)) != (b < T(0)) ? T(q - 1) : q;
  } else if constexpr (is_half_v<T>) {  // a - r may have more digits than 16 bits hold
    return static_cast<T>(quotient_below(static_cast<float>(a), static_cast<float>(b)));
  } else if (b == T(0)) {
    return math::divide(a, b);
  } else {
    const T r = math::rem(a, b), q = math::round(math::divide(math::subtract(a, r), b));
    return r != T(0) && (r < T(0)) != (b < T(0)) ? math::subtract(q, T(1)) : q;
  }
}
}  // namespace detail

/// The remainder of a division rounded down, with the sign of the divisor (Python's %).
/// Errors: shape_error; type_error for bool and complex numbers.
template <class Operand = operand>
constexpr array mod(const lazy<Operand>& a, const lazy<Operand>& b) {
  const detail::operand_pair x("mod", a, b);
  if (!x.bad.is_none()) return x.bad;
  const array r = lax::rem(x.a, x.b, x.where);
  return lax::select(detail::crosses_zero(r, x.b, x.where), lax::add(r, x.b, x.where), r, x.where);
}
template <detail::real_number A, detail::real_number B>
constexpr auto mod(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return detail::modulo(x, y); });
}
template <class Operand = operand>
constexpr array remainder(const lazy<Operand>& a, const lazy<Operand>& b) { return mod(a, b); }
template <detail::real_number A, detail::real_number B>
constexpr auto remainder(A a, B b) {
  return jacquard::mod(a, b);
}
/// The remainder of a division rounded towards zero, with the sign of the dividend (C's fmod).
/// Errors: shape_error; type_error for bool and complex numbers.
template <class Operand = operand>
constexpr array fmod(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<rem_p>(a, b); }
template <detail::real_number A, detail::real_number B>
constexpr auto fmod(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return math::rem(x, y); });
}
/// The quotient rounded down, in the dtype of the operands; a / 0 of floating point is an infinity, or NaN, as in a division.
/// Errors: shape_error; type_error for bool and complex numbers.
template <class Operand = operand>
constexpr array floor_divide(const lazy<Operand>& a, const lazy<Operand>& b) {
  const detail::operand_pair x("floor_divide", a, b);
  if (!x.bad.is_none()) return x.bad;
  if (const dtype type = x.a.dtype(); type == f16 || type == bf16) {  // a - r below may have more digits than these hold
    const auto wide = [&](const array& v) { return lax::convert_element_type(v, f32, false, x.where); };
    return lax::convert_element_type(floor_divide(operand(wide(x.a), x.where), operand(wide(x.b), x.where)), type, false, x.where);
  }
  const array r = lax::rem(x.a, x.b, x.where);
  const array below = detail::crosses_zero(r, x.b, x.where);
  array q;
  if (is_integer(x.a.dtype())) q = lax::div(x.a, x.b, x.where);
  // From the exact remainder, so that the quotient is right where a / b rounds up to a whole number.
  else q = lax::round(lax::div(lax::sub(x.a, r, x.where), x.b, x.where), x.where);
  const array quotient = lax::select(below, lax::sub(q, detail::scalar_like(q, 1), x.where), q, x.where);
  if (is_integer(x.a.dtype())) return quotient;
  return lax::select(lax::eq(x.b, detail::scalar_like(x.b, 0), x.where), lax::div(x.a, x.b, x.where), quotient, x.where);
}
template <detail::real_number A, detail::real_number B>
constexpr auto floor_divide(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return detail::quotient_below(x, y); });
}

// --- logic -----------------------------------------------------------------------------------------------------------

/// Both not zero. Errors: shape_error.
template <class Operand = operand>
constexpr array logical_and(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::logical<and_p>(a, b); }
template <scalar A, scalar B>
constexpr bool logical_and(A a, B b) {
  return !logical_not(a) && !logical_not(b);
}
/// Either not zero. Errors: shape_error.
template <class Operand = operand>
constexpr array logical_or(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::logical<or_p>(a, b); }
template <scalar A, scalar B>
constexpr bool logical_or(A a, B b) {
  return !logical_not(a) || !logical_not(b);
}
/// Exactly one not zero. Errors: shape_error.
template <class Operand = operand>
constexpr array logical_xor(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::logical<xor_p>(a, b); }
template <scalar A, scalar B>
constexpr bool logical_xor(A a, B b) {
  return logical_not(a) != logical_not(b);
}
namespace detail {
template <class P>
JACQUARD_ONCE constexpr array bitwise(std::string_view operation, const operand& a, const operand& b) {
  const array both[] = {a.value, b.value};
  const bool known = !a.value.is_none() && !b.value.is_none();
  if (known && (is_inexact(a.value.dtype()) || is_inexact(b.value.dtype())))
    return operand_error(both, make_error(error_kind::type, operation, ": got ", long_name(a.value.dtype()), " and ", long_name(b.value.dtype()),
                                          ", wanted bools or integers; convert the operands first, e.g. x.astype(jq::i32)"), where_of(a, b));
  return binary<P>(a, b);
}
}  // namespace detail
/// Bit by bit; logical on bool. Errors: shape_error; type_error for other dtypes.
template <class Operand = operand>
constexpr array bitwise_and(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::bitwise<and_p>("bitwise_and", a, b); }
template <class Operand = operand>
constexpr array bitwise_or(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::bitwise<or_p>("bitwise_or", a, b); }
template <class Operand = operand>
constexpr array bitwise_xor(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::bitwise<xor_p>("bitwise_xor", a, b); }
template <std::integral A, std::integral B>
constexpr auto bitwise_and(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return decltype(x)(x & y); });
}
template <std::integral A, std::integral B>
constexpr auto bitwise_or(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return decltype(x)(x | y); });
}
template <std::integral A, std::integral B>
constexpr auto bitwise_xor(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return decltype(x)(x ^ y); });
}

// --- choice ----------------------------------------------------------------------------------------------------------

/// Elements of x where the condition holds (is not zero), else of y. All three broadcast, x and y are promoted.
/// Errors: shape_error.
template <class Operand = operand>
JACQUARD_ONCE constexpr array where(const lazy<Operand>& condition, const lazy<Operand>& x, const lazy<Operand>& y) {
  const location at = condition.where.known() ? condition.where : detail::where_of(x, y);
  const array missing = detail::check_given("where", condition, x, y);
  if (!missing.is_none()) return missing;
  const element_type t = detail::common_type(x, y);
  const array which = detail::as_boolean(condition);
  shape cases, dims;
  if (!detail::broadcast_shapes(x.value.shape(), y.value.shape(), cases) ||
      !detail::broadcast_shapes(which.shape(), cases, dims)) {
    const array about[] = {which, x.value, y.value};
    return detail::operand_error(about, make_error(error_kind::shape, "where got incompatible shapes for broadcasting: ",
                                                   which.shape(), ", ", x.value.shape(), ", ", y.value.shape(),
                                                   ". Dimensions must be equal or 1; reshape one of the operands"), at);
  }
  const array on_true = detail::broadcast_operand(detail::as_type(x.value, t, at), dims, true, at);
  const array on_false = detail::broadcast_operand(detail::as_type(y.value, t, at), dims, true, at);
  // The condition stays a scalar only beside a case that has the shape of the result.
  const bool keep = on_true.shape() == dims || on_false.shape() == dims;
  return lax::select(detail::broadcast_operand(which, dims, keep, at), on_true, on_false, at);
}
template <scalar A, scalar B>
constexpr auto where(bool condition, A x, B y) {
  using R = detail::common_number<A, B>;
  return condition ? detail::number_as<R>(x) : detail::number_as<R>(y);
}
/// x limited to [low, high], in the order of maximum. Errors: shape_error.
template <class Operand = operand>
constexpr array clip(const lazy<Operand>& x, const lazy<Operand>& low, const lazy<Operand>& high) {
  return minimum(operand(maximum(x, low), x.where), high);
}
template <detail::real_number X, detail::real_number L, detail::real_number H>
constexpr auto clip(X x, L low, H high) {
  return jacquard::minimum(jacquard::maximum(x, low), high);
}
/// Whether |a - b| <= absolute + relative * |b|; equal infinities are close, NaN to nothing, or to NaN where `equal_nan` says so. Errors: shape_error.
template <class Operand = operand>
constexpr array isclose(const lazy<Operand>& a, const lazy<Operand>& b, double relative = 1e-5, double absolute_tolerance = 1e-8, bool equal_nan = false) {
  const detail::inexact_pair x("isclose", a, b);
  if (!x.bad.is_none()) return x.bad;
  const operand p(x.a, x.where), q(x.b, x.where);
  const operand distance(abs(operand(p - q, x.where)), x.where), size(abs(q), x.where);
  const operand near(distance <= operand(size * relative, x.where) + absolute_tolerance, x.where);
  const array close = operand(near & isfinite(q), x.where) | operand(p == q, x.where);
  if (!equal_nan) return close;
  return operand(close, x.where) | operand(operand(isnan(p), x.where) & operand(isnan(q), x.where), x.where);
}

}  // namespace jacquard
