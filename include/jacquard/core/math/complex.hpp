#pragma once
// The functions of one complex number, over float (computed in double) and double, in both worlds. The
// formulas are in complex_kernels.hpp and complex_inverse.hpp; this header gives them their names and narrows the result. It
// deliberately has no special functions of complex numbers.

#include "jacquard/core/math/complex_inverse.hpp"

namespace jacquard::math {

template <class T>
concept complex_scalar = is_complex_v<T>;

namespace detail {

template <complex_scalar Z, class Function>
constexpr Z evaluate(Z z, Function function) {
  return static_cast<Z>(function(static_cast<complex128>(z)));
}

}  // namespace detail

template <complex_scalar Z>
constexpr Z exp(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_exp(v); });
}

template <complex_scalar Z>
constexpr Z expm1(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_expm1(v); });
}

/// The principal branch, cut along the negative real axis; likewise sqrt and log1p.
template <complex_scalar Z>
constexpr Z log(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_log(v); });
}

template <complex_scalar Z>
constexpr Z log1p(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_log1p(v); });
}

template <complex_scalar Z>
constexpr Z sqrt(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_sqrt(v); });
}

template <complex_scalar Z>
constexpr Z sinh(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_sinh(v); });
}

template <complex_scalar Z>
constexpr Z cosh(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_cosh(v); });
}

template <complex_scalar Z>
constexpr Z tanh(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_tanh(v); });
}

template <complex_scalar Z>
constexpr Z logistic(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_logistic(v); });
}

template <complex_scalar Z>
constexpr Z sin(Z z) {
  return detail::evaluate(
      z, [](complex128 v) { return detail::over_i(detail::complex_sinh(detail::times_i(v))); });
}

template <complex_scalar Z>
constexpr Z tan(Z z) {
  return detail::evaluate(
      z, [](complex128 v) { return detail::over_i(detail::complex_tanh(detail::times_i(v))); });
}

template <complex_scalar Z>
constexpr Z cos(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_cosh(detail::times_i(v)); });
}

template <complex_scalar Z>
constexpr Z exp2(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_exp2(v); });
}

/// The principal branch, cut along the real axis outside [-1, 1]; likewise acos and atanh.
template <complex_scalar Z>
constexpr Z asin(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_asin(v); });
}

template <complex_scalar Z>
constexpr Z acos(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_acos(v); });
}

/// The principal branch, cut along the imaginary axis outside [-i, i]; likewise asinh.
template <complex_scalar Z>
constexpr Z atan(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_atan(v); });
}

template <complex_scalar Z>
constexpr Z asinh(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_asinh(v); });
}

/// The principal branch, cut along the real axis below 1.
template <complex_scalar Z>
constexpr Z acosh(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_acosh(v); });
}

template <complex_scalar Z>
constexpr Z atanh(Z z) {
  return detail::evaluate(z, [](complex128 v) { return detail::complex_atanh(v); });
}

template <complex_scalar Z>
constexpr Z rsqrt(Z z) {
  return Z(1) / math::sqrt(z);
}

/// z^n by repeated squaring; a negative n gives 1 / z^-n.
template <complex_scalar Z>
constexpr Z powi(Z z, int n) {
  Z power = 1;
  for (unsigned rest = n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n); rest != 0;
       rest >>= 1) {
    if ((rest & 1) != 0) power *= z;
    if (rest > 1) z *= z;
  }
  return n < 0 ? Z(1) / power : power;
}

/// exp(w log z); 0^w is 1, 0 or NaN as w is 0, has a positive real part, or neither.
template <complex_scalar Z>
constexpr Z pow(Z z, Z w) {
  if (w == Z(0)) return Z(1);
  if (z == Z(0))
    return w.re > 0 ? Z(0)
                    : Z(ieee::quiet_nan<typename Z::value_type>(), ieee::quiet_nan<typename Z::value_type>());
  return static_cast<Z>(
      detail::complex_exp(static_cast<complex128>(w) * detail::complex_log(static_cast<complex128>(z))));
}

/// The modulus |z|, a real number. (The call finds the friend of complex, which is no template and so
/// preferred.)
template <complex_scalar Z>
constexpr typename Z::value_type abs(Z z) {
  return abs(z);
}

template <complex_scalar Z>
constexpr Z conj(Z z) {
  return {z.re, ieee::negate(z.im)};
}

/// z / |z|; zero is returned as it is.
template <complex_scalar Z>
constexpr Z sign(Z z) {
  return z == Z(0) ? z : z / math::abs(z);
}

template <complex_scalar Z>
constexpr Z add(Z a, Z b) {
  return a + b;
}

template <complex_scalar Z>
constexpr Z subtract(Z a, Z b) {
  return a - b;
}

template <complex_scalar Z>
constexpr Z multiply(Z a, Z b) {
  return a * b;
}

template <complex_scalar Z>
constexpr Z divide(Z a, Z b) {
  return a / b;
}

template <complex_scalar Z>
constexpr Z negate(Z z) {
  return -z;
}

template <complex_scalar Z>
constexpr bool is_finite(Z z) {
  return ieee::is_finite(z.re) && ieee::is_finite(z.im);
}

template <complex_scalar Z>
constexpr bool is_nan(Z z) {
  return ieee::is_nan(z.re) || ieee::is_nan(z.im);
}

/// Infinite if either part is, even beside a NaN.
template <complex_scalar Z>
constexpr bool is_inf(Z z) {
  return ieee::is_inf(z.re) || ieee::is_inf(z.im);
}

}  // namespace jacquard::math
