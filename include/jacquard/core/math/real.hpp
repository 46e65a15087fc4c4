#pragma once
// The elementary functions of one real number: float and double, and the halves through float. In constant
// evaluation they run the portable algorithms of `math::soft` in double and round once; at run time they call
// the C library. An unsupported type fails the concept `real_scalar`. It deliberately ignores errno, takes no
// integer where the result would not be one, and offers no vector form.

#include "jacquard/core/half.hpp"
#include "jacquard/core/math/error_function.hpp"
#include "jacquard/core/math/gamma_function.hpp"
#include "jacquard/core/math/hyperbolic.hpp"
#include "jacquard/core/math/integer.hpp"
#include "jacquard/core/math/inverse_trigonometric.hpp"
#include "jacquard/core/math/libm.hpp"
#include "jacquard/core/math/power.hpp"
#include "jacquard/core/math/rounding.hpp"

namespace jacquard::math {

template <class T>
concept real_scalar = ieee::native_float<T> || half_float<T>;

namespace detail {

// Chooses the world: `soft` on double in constant evaluation, `hard` on float or double at run time.
template <real_scalar T, class Soft, class Hard>
constexpr T evaluate(T x, Soft soft, Hard hard) {
  if (std::is_constant_evaluated()) return static_cast<T>(soft(static_cast<double>(x)));
  if constexpr (half_float<T>) {
    return static_cast<T>(hard(static_cast<float>(x)));
  } else {
    return hard(x);
  }
}

template <real_scalar T, class Soft, class Hard>
constexpr T evaluate(T x, T y, Soft soft, Hard hard) {
  if (std::is_constant_evaluated())
    return static_cast<T>(soft(static_cast<double>(x), static_cast<double>(y)));
  if constexpr (half_float<T>) {
    return static_cast<T>(hard(static_cast<float>(x), static_cast<float>(y)));
  } else {
    return hard(x, y);
  }
}

}  // namespace detail

template <real_scalar T>
constexpr T exp(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::exp(v); }, [](auto v) { return libm::exp(v); });
}

/// exp(x) - 1 without cancellation near 0.
template <real_scalar T>
constexpr T expm1(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::expm1(v); }, [](auto v) { return libm::expm1(v); });
}

template <real_scalar T>
constexpr T exp2(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::exp2(v); }, [](auto v) { return libm::exp2(v); });
}

template <real_scalar T>
constexpr T log(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::log(v); }, [](auto v) { return libm::log(v); });
}

/// log(1 + x) without cancellation near 0.
template <real_scalar T>
constexpr T log1p(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::log1p(v); }, [](auto v) { return libm::log1p(v); });
}

template <real_scalar T>
constexpr T log2(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::log2(v); }, [](auto v) { return libm::log2(v); });
}

template <real_scalar T>
constexpr T log10(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::log10(v); }, [](auto v) { return libm::log10(v); });
}

template <real_scalar T>
constexpr T sqrt(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::sqrt(v); }, [](auto v) { return libm::sqrt(v); });
}

/// The real cube root.
template <real_scalar T>
constexpr T cbrt(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::cbrt(v); }, [](auto v) { return libm::cbrt(v); });
}

template <real_scalar T>
constexpr T sin(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::sin(v); }, [](auto v) { return libm::sin(v); });
}

template <real_scalar T>
constexpr T cos(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::cos(v); }, [](auto v) { return libm::cos(v); });
}

template <real_scalar T>
constexpr T tan(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::tan(v); }, [](auto v) { return libm::tan(v); });
}

template <real_scalar T>
constexpr T asin(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::asin(v); }, [](auto v) { return libm::asin(v); });
}

template <real_scalar T>
constexpr T acos(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::acos(v); }, [](auto v) { return libm::acos(v); });
}

template <real_scalar T>
constexpr T atan(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::atan(v); }, [](auto v) { return libm::atan(v); });
}

template <real_scalar T>
constexpr T sinh(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::sinh(v); }, [](auto v) { return libm::sinh(v); });
}

template <real_scalar T>
constexpr T cosh(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::cosh(v); }, [](auto v) { return libm::cosh(v); });
}

template <real_scalar T>
constexpr T tanh(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::tanh(v); }, [](auto v) { return libm::tanh(v); });
}

template <real_scalar T>
constexpr T asinh(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::asinh(v); }, [](auto v) { return libm::asinh(v); });
}

template <real_scalar T>
constexpr T acosh(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::acosh(v); }, [](auto v) { return libm::acosh(v); });
}

template <real_scalar T>
constexpr T atanh(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::atanh(v); }, [](auto v) { return libm::atanh(v); });
}

template <real_scalar T>
constexpr T erf(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::erf(v); }, [](auto v) { return libm::erf(v); });
}

template <real_scalar T>
constexpr T erfc(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::erfc(v); }, [](auto v) { return libm::erfc(v); });
}

template <real_scalar T>
constexpr T floor(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::floor(v); }, [](auto v) { return libm::floor(v); });
}

template <real_scalar T>
constexpr T ceil(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::ceil(v); }, [](auto v) { return libm::ceil(v); });
}

template <real_scalar T>
constexpr T trunc(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::trunc(v); }, [](auto v) { return libm::trunc(v); });
}

/// To the nearest integer, halfway cases away from zero.
template <real_scalar T>
constexpr T round(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::round(v); }, [](auto v) { return libm::round(v); });
}

/// To the nearest integer, halfway cases to the even one (at run time: in the default rounding mode).
template <real_scalar T>
constexpr T round_even(T x) {
  return detail::evaluate(
      x, [](double v) { return soft::round_even(v); }, [](auto v) { return libm::nearbyint(v); });
}

/// The angle of the point (x, y), in [-pi, pi].
template <real_scalar T>
constexpr T atan2(T y, T x) {
  return detail::evaluate(
      y, x, [](double v, double u) { return soft::atan2(v, u); },
      [](auto v, auto u) { return libm::atan2(v, u); });
}

/// sqrt(x^2 + y^2) without overflow.
template <real_scalar T>
constexpr T hypot(T x, T y) {
  return detail::evaluate(
      x, y, [](double a, double b) { return soft::hypot(a, b); }, [](auto a, auto b) { return libm::hypot(a, b); });
}

/// x^y with the special cases of C F.10.4.4.
template <real_scalar T>
constexpr T pow(T x, T y) {
  return detail::evaluate(
      x, y, [](double v, double u) { return soft::pow(v, u); },
      [](auto v, auto u) { return libm::pow(v, u); });
}

/// The exact remainder of x / y with the sign of x.
template <real_scalar T>
constexpr T fmod(T x, T y) {
  return detail::evaluate(
      x, y, [](double v, double u) { return soft::fmod(v, u); },
      [](auto v, auto u) { return libm::fmod(v, u); });
}

template <real_scalar T>
constexpr T rem(T x, T y) {
  return fmod(x, y);
}

/// log |gamma(x)|; +inf at its poles 0, -1, -2, ... The same code in both worlds (see gamma_function.hpp), as
/// in the next two.
template <real_scalar T>
constexpr T lgamma(T x) {
  return static_cast<T>(soft::lgamma(static_cast<double>(x)));
}

/// The digamma function, the derivative of lgamma; NaN at its poles.
template <real_scalar T>
constexpr T digamma(T x) {
  return static_cast<T>(soft::digamma(static_cast<double>(x)));
}

/// The inverse of erf on [-1, 1]; infinite at the ends, NaN outside. Within 2 ulp.
template <real_scalar T>
constexpr T erf_inv(T x) {
  return static_cast<T>(soft::erf_inv(static_cast<double>(x)));
}

}  // namespace jacquard::math
