#pragma once
// Window functions of signal processing: weights that fall towards the ends of a vector, symmetric ones of n points. f64 by default; of fewer than
// two points they are ones. Errors: value_error for a negative number of points.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/creation.hpp"
#include "jacquard/prims/bessel.hpp"

namespace jacquard {

/// The modified Bessel function of order 0 (numpy.i0). Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array i0(const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  const array half = exp(0.5 * abs(operand(detail::as_inexact(x), x.where)));  // twice, since exp(|x|) is too large before the product is
  return half * detail::unary_inexact<bessel_i0e_p>(x) * half;
}

namespace detail {
/// weight(x) of n places x from -1 to 1.
template <class Weight>
constexpr array window(std::string_view operation, std::int64_t n, dtype t, const location& where, Weight weight) {
  const rule_location_scope here(where);
  if (n < 0) return operand_error({}, make_error(error_kind::value, operation, ": got ", n, " points, wanted at least 0"), where);
  if (n < 2) return ones(shape{n}, t, where);
  return as_type(weight(linspace(-1, 1, n, f64, where)), {t, false}, where);
}
inline constexpr double window_pi = 3.14159265358979323846;
}  // namespace detail

/// A triangle: 1 - |x| for x from -1 to 1.
template <class Array = array>
constexpr array bartlett(std::int64_t n, dtype t = f64, location where = location::current()) {
  return detail::window("bartlett", n, t, where, [](const auto& x) { return 1.0 - abs(x); });
}
/// Hann's window: 0.5 + 0.5 cos(pi x).
template <class Array = array>
constexpr array hanning(std::int64_t n, dtype t = f64, location where = location::current()) {
  return detail::window("hanning", n, t, where, [](const auto& x) { return 0.5 + 0.5 * cos(detail::window_pi * x); });
}
/// Hamming's window: 0.54 + 0.46 cos(pi x).
template <class Array = array>
constexpr array hamming(std::int64_t n, dtype t = f64, location where = location::current()) {
  return detail::window("hamming", n, t, where, [](const auto& x) { return 0.54 + 0.46 * cos(detail::window_pi * x); });
}
/// Blackman's window: 0.42 + 0.5 cos(pi x) + 0.08 cos(2 pi x).
template <class Array = array>
constexpr array blackman(std::int64_t n, dtype t = f64, location where = location::current()) {
  return detail::window("blackman", n, t, where,
                        [](const auto& x) { return 0.42 + 0.5 * cos(detail::window_pi * x) + 0.08 * cos(2 * detail::window_pi * x); });
}
/// Kaiser's window: i0(beta sqrt(1 - x^2)) / i0(beta).
template <class Array = array>
constexpr array kaiser(std::int64_t n, double beta, dtype t = f64, location where = location::current()) {
  return detail::window("kaiser", n, t, where, [&](const auto& x) { return i0(beta * sqrt(maximum(1.0 - x * x, 0.0))) / i0(beta); });
}

}  // namespace jacquard
