#pragma once
// Functions of one operand, element by element: elementary functions, rounding, predicates, parts of complex numbers.
// Integers and bool become floating point first where the result is. Plain C++ numbers give plain numbers, also in constant
// evaluation. Deliberately functions, not objects, so that sin(x) in generic code never meets ::sin in ambiguity.

#include "jacquard/numpy/axes.hpp"
#include "jacquard/numpy/operators.hpp"
#include "jacquard/prims/abs_sign.hpp"
#include "jacquard/prims/erf.hpp"
#include "jacquard/prims/erf_inv.hpp"
#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/expm1.hpp"
#include "jacquard/prims/integer_pow.hpp"
#include "jacquard/prims/is_finite.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/log1p.hpp"
#include "jacquard/prims/logistic.hpp"
#include "jacquard/prims/rounding.hpp"
#include "jacquard/prims/rsqrt.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sin_cos.hpp"
#include "jacquard/prims/sqrt.hpp"
#include "jacquard/prims/stop_gradient.hpp"
#include "jacquard/prims/tan.hpp"
#include "jacquard/prims/tanh.hpp"

namespace jacquard {

namespace detail {

template <class T>
concept real_number = scalar<T> && !jacquard::complex_like<T>;
/// A real number that is no truth value.
template <class T>
concept quantity = real_number<T> && !std::is_same_v<T, bool>;

/// A plain number as what functions of floating point take: integers as double, foreign complex numbers as ours.
template <scalar T>
constexpr auto inexact_number(T x) {
  if constexpr (std::is_integral_v<T>) return double(x);
  else if constexpr (jacquard::complex_like<T>) return jacquard::complex<typename T::value_type>(x.real(), x.imag());
  else return x;
}
/// Foreign complex numbers as ours; everything else as it is.
template <scalar T>
constexpr auto own_number(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  else return inexact_number(x);
}

/// The type in which plain numbers meet: that of arrays of their types.
template <scalar A, scalar B>
using common_number = stored_type<promote({dtype_of<A>(), true}, {dtype_of<B>(), true}).type>;

/// Whether the elements are whole numbers by their dtype.
template <class Operand = operand>
constexpr bool is_whole(const lazy<Operand>& x) { return !x.value.is_none() && !is_inexact(x.value.dtype()); }
template <class Operand = operand>
constexpr array full_of(const lazy<Operand>& x, bool value) { return lax::full(x.value.shape(), literal(value), x.where); }

}  // namespace detail

// --- elementary functions --------------------------------------------------------------------------------------------

/// The sine. Errors: type_error for an empty array.
template <class Operand = operand>
constexpr array sin(const lazy<Operand>& x) { return detail::unary_inexact<sin_p>(x); }
template <scalar T>
constexpr auto sin(T x) {
  return math::sin(detail::inexact_number(x));
}
/// The cosine.
template <class Operand = operand>
constexpr array cos(const lazy<Operand>& x) { return detail::unary_inexact<cos_p>(x); }
template <scalar T>
constexpr auto cos(T x) {
  return math::cos(detail::inexact_number(x));
}
/// The tangent.
template <class Operand = operand>
constexpr array tan(const lazy<Operand>& x) { return detail::unary_inexact<tan_p>(x); }
template <scalar T>
constexpr auto tan(T x) {
  return math::tan(detail::inexact_number(x));
}
/// The exponential.
template <class Operand = operand>
constexpr array exp(const lazy<Operand>& x) { return detail::unary_inexact<exp_p>(x); }
template <scalar T>
constexpr auto exp(T x) {
  return math::exp(detail::inexact_number(x));
}
/// exp(x) - 1, exact near 0.
template <class Operand = operand>
constexpr array expm1(const lazy<Operand>& x) { return detail::unary_inexact<expm1_p>(x); }
template <scalar T>
constexpr auto expm1(T x) {
  return math::expm1(detail::inexact_number(x));
}
/// The natural logarithm.
template <class Operand = operand>
constexpr array log(const lazy<Operand>& x) { return detail::unary_inexact<log_p>(x); }
template <scalar T>
constexpr auto log(T x) {
  return math::log(detail::inexact_number(x));
}
/// log(1 + x), exact near 0.
template <class Operand = operand>
constexpr array log1p(const lazy<Operand>& x) { return detail::unary_inexact<log1p_p>(x); }
template <scalar T>
constexpr auto log1p(T x) {
  return math::log1p(detail::inexact_number(x));
}
/// The hyperbolic tangent.
template <class Operand = operand>
constexpr array tanh(const lazy<Operand>& x) { return detail::unary_inexact<tanh_p>(x); }
template <scalar T>
constexpr auto tanh(T x) {
  return math::tanh(detail::inexact_number(x));
}
/// The logistic function 1 / (1 + exp(-x)).
template <class Operand = operand>
constexpr array logistic(const lazy<Operand>& x) { return detail::unary_inexact<logistic_p>(x); }
template <scalar T>
constexpr auto logistic(T x) {
  return math::logistic(detail::inexact_number(x));
}
/// The logistic function under its other name.
template <class Operand = operand>
constexpr array sigmoid(const lazy<Operand>& x) { return logistic(x); }
template <scalar T>
constexpr auto sigmoid(T x) {
  return jacquard::logistic(x);
}
/// The square root.
template <class Operand = operand>
constexpr array sqrt(const lazy<Operand>& x) { return detail::unary_inexact<sqrt_p>(x); }
template <scalar T>
constexpr auto sqrt(T x) {
  return math::sqrt(detail::inexact_number(x));
}
/// 1 / sqrt(x).
template <class Operand = operand>
constexpr array rsqrt(const lazy<Operand>& x) { return detail::unary_inexact<rsqrt_p>(x); }
template <scalar T>
constexpr auto rsqrt(T x) {
  return math::rsqrt(detail::inexact_number(x));
}
/// The error function. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array erf(const lazy<Operand>& x) { return detail::unary_inexact<erf_p>(x); }
template <detail::real_number T>
constexpr auto erf(T x) {
  return math::erf(detail::inexact_number(x));
}
/// The inverse of erf. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array erf_inv(const lazy<Operand>& x) { return detail::unary_inexact<erf_inv_p>(x); }
template <detail::real_number T>
constexpr auto erf_inv(T x) {
  return math::erf_inv(detail::inexact_number(x));
}
/// x * x, in the dtype of x. Errors: type_error for bool.
template <class Operand = operand>
constexpr array square(const lazy<Operand>& x) {
  const array missing = detail::check_given("square", x);
  if (!missing.is_none()) return missing;
  return lax::integer_pow(x.value, 2, x.where);
}
template <scalar T>
constexpr auto square(T x) {
  const auto v = detail::own_number(x);
  return math::multiply(v, v);
}

// --- magnitude, sign, rounding: the dtype stays ----------------------------------------------------------------------

/// The magnitude; of complex numbers the modulus, in the real dtype.
template <class Operand = operand>
constexpr array abs(const lazy<Operand>& x) {
  if (detail::is_whole(x) && !is_signed_integer(x.value.dtype())) return x.value;
  return detail::unary<abs_p>(x);
}
template <scalar T>
constexpr auto abs(T x) {
  if constexpr (std::is_same_v<T, bool>) return x;
  else return math::abs(detail::own_number(x));
}
template <class Operand = operand>
constexpr array absolute(const lazy<Operand>& x) { return abs(x); }
template <scalar T>
constexpr auto absolute(T x) {
  return jacquard::abs(x);
}
/// -1, 0 or 1; of complex numbers x / |x|. Errors: type_error for bool.
template <class Operand = operand>
constexpr array sign(const lazy<Operand>& x) { return detail::unary<sign_p>(x); }
template <scalar T>
constexpr auto sign(T x) {
  return math::sign(detail::own_number(x));
}
/// The largest whole number not above x. Whole numbers stay. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array floor(const lazy<Operand>& x) {
  if (detail::is_whole(x)) return x.value;
  return detail::unary<floor_p>(x);
}
template <detail::real_number T>
constexpr T floor(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  else return math::floor(x);
}
/// The smallest whole number not below x. Whole numbers stay. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array ceil(const lazy<Operand>& x) {
  if (detail::is_whole(x)) return x.value;
  return detail::unary<ceil_p>(x);
}
template <detail::real_number T>
constexpr T ceil(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  else return math::ceil(x);
}
/// x without what follows the point. Whole numbers stay. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array trunc(const lazy<Operand>& x) {
  if (detail::is_whole(x)) return x.value;
  const array up = detail::unary<ceil_p>(x), down = detail::unary<floor_p>(x);
  return lax::select(lax::lt(x.value, detail::scalar_like(x.value, 0), x.where), up, down, x.where);
}
template <detail::real_number T>
constexpr T trunc(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  else return math::trunc(x);
}

namespace detail {
/// Halfway cases to the even number: where x is 0.5 from its rounding, 2 * round(x / 2), which is never a halfway case.
template <class Array = array>
constexpr array round_to_even(const lazy<Array>& x, const location& where) {
  const array nearest = lax::round(x, where);
  const array distance = lax::abs(lax::sub(x, nearest, where), where);
  const array even = lax::mul(2.0, lax::round(lax::mul(0.5, x, where), where), where);
  return lax::select(lax::eq(distance, scalar_like(x, 0.5), where), even, nearest, where);
}
}  // namespace detail

/// The nearest number with `decimals` places after the point (before it, if negative); halfway cases to the even one, as
/// in numpy. Whole numbers stay; of complex ones both parts are rounded. Errors: not_implemented for whole numbers and
/// places before the point.
template <class Operand = operand>
constexpr array round(const lazy<Operand>& x, int decimals = 0) {
  if (detail::is_whole(x)) {
    if (decimals >= 0) return x.value;
    return detail::bad_operand(x, error_kind::not_implemented, "round: got decimals ", decimals, " for dtype ",
                               long_name(x.value.dtype()), "; wanted decimals >= 0, or convert with x.astype(jq::f64)");
  }
  if (x.value.is_none()) return detail::unary<round_p>(x);  // which reports the error
  if (is_complex(x.value.dtype()))
    return lax::complex(round(operand(lax::real(x.value, x.where), x.where), decimals), round(operand(lax::imag(x.value, x.where), x.where), decimals), x.where);
  if (decimals == 0) return detail::round_to_even(x.value, x.where);
  const double power = math::powi(10.0, decimals < 0 ? -decimals : decimals);
  const array scale = detail::scalar_like(x.value, power);
  if (decimals < 0) return lax::mul(detail::round_to_even(lax::div(x.value, scale, x.where), x.where), scale, x.where);
  return lax::div(detail::round_to_even(lax::mul(x.value, scale, x.where), x.where), scale, x.where);
}
template <detail::real_number T>
constexpr T round(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  else return math::round_even(x);
}

// --- predicates: dtype bool ------------------------------------------------------------------------------------------

/// Neither infinite nor NaN.
template <class Operand = operand>
constexpr array isfinite(const lazy<Operand>& x) {
  if (detail::is_whole(x)) return detail::full_of(x, true);
  return detail::unary<is_finite_p>(x);
}
template <scalar T>
constexpr bool isfinite(T x) {
  return math::is_finite(detail::own_number(x));
}
/// Not a number.
template <class Operand = operand>
constexpr array isnan(const lazy<Operand>& x) {
  if (detail::is_whole(x)) return detail::full_of(x, false);
  return lax::ne(x.value, x.value, x.where);
}
template <scalar T>
constexpr bool isnan(T x) {
  return math::is_nan(detail::own_number(x));
}
/// Infinite, of either sign; a complex number if one of its parts is.
template <class Operand = operand>
constexpr array isinf(const lazy<Operand>& x) {
  if (detail::is_whole(x)) return detail::full_of(x, false);
  const auto infinite = [&](const array& part) {
    const array limit = detail::scalar_like(part, std::numeric_limits<double>::infinity());
    return lax::eq(lax::abs(part, x.where), limit, x.where);
  };
  if (x.value.is_none() || !is_complex(x.value.dtype())) return infinite(x.value);
  return lax::or_(infinite(lax::real(x.value, x.where)), infinite(lax::imag(x.value, x.where)), x.where);
}
template <scalar T>
constexpr bool isinf(T x) {
  return math::is_inf(detail::own_number(x));
}
/// Equal to zero.
template <class Operand = operand>
constexpr array logical_not(const lazy<Operand>& x) { return !x; }
template <scalar T>
constexpr bool logical_not(T x) {
  return detail::own_number(x) == decltype(detail::own_number(x))(0);
}
/// The complement: bit by bit of integers, logical of bool. Errors: type_error for other dtypes.
template <class Operand = operand>
constexpr array bitwise_not(const lazy<Operand>& x) { return ~x; }
template <std::integral T>
constexpr T bitwise_not(T x) {
  if constexpr (std::is_same_v<T, bool>) return !x;
  else return T(~x);
}

// --- complex numbers -------------------------------------------------------------------------------------------------

/// The real part; real arrays stay.
template <class Operand = operand>
constexpr array real(const lazy<Operand>& x) { return lax::real(x.value, x.where); }
template <scalar T>
constexpr auto real(T x) {
  if constexpr (jacquard::complex_like<T>) return x.real();
  else return x;
}
/// The imaginary part; zeros for real arrays.
template <class Operand = operand>
constexpr array imag(const lazy<Operand>& x) {
  if (x.value.is_none() || is_complex(x.value.dtype())) return lax::imag(x.value, x.where);
  return lax::zeros(x.value.aval(), x.where);
}
template <scalar T>
constexpr auto imag(T x) {
  if constexpr (jacquard::complex_like<T>) return x.imag();
  else return T(0);
}
/// The complex conjugate; real arrays stay.
template <class Operand = operand>
constexpr array conj(const lazy<Operand>& x) { return lax::conj(x.value, x.where); }
template <scalar T>
constexpr auto conj(T x) {
  if constexpr (jacquard::complex_like<T>) return math::conj(detail::inexact_number(x));
  else return x;
}

// --- for learning ----------------------------------------------------------------------------------------------------

/// max(x, 0); the derivative at 0 is 0, and NaN stays NaN.
template <class Operand = operand>
constexpr array relu(const lazy<Operand>& x) {
  const array zero = detail::scalar_like(x.value, 0);
  return lax::select(lax::le(x.value, zero, x.where), zero, x.value, x.where);
}
template <detail::real_number T>
constexpr T relu(T x) {
  return x <= T(0) ? T(0) : x;
}
/// x, which differentiation takes for a constant.
template <class Operand = operand>
constexpr array stop_gradient(const lazy<Operand>& x) { return lax::stop_gradient(x.value, x.where); }

}  // namespace jacquard
