#pragma once
// Reflections that make elements zero, and orthonormal bases from them, on dense row-major matrices. Loops for kernels, in constant
// evaluation too; deliberately unblocked, which is what LAPACK is for. The conventions are LAPACK's (larfg), so that both agree.

#include <limits>
#include <vector>

#include "jacquard/prims/matrix_rules.hpp"

namespace jacquard::detail {

/// The Euclidean norm of n numbers `stride` apart, without undue overflow.
template <class T>
constexpr real_of<T> norm_of(const T* x, std::int64_t n, std::int64_t stride) {
  using R = real_of<T>;
  R largest = 0, sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    R size = 0;
    if constexpr (is_complex_v<T>) size = math::abs(x[i * stride].re) > math::abs(x[i * stride].im) ? math::abs(x[i * stride].re) : math::abs(x[i * stride].im);
    else size = math::abs(x[i * stride]);
    if (!(size <= largest)) largest = size;  // and NaN
  }
  if (!(largest > 0) || !math::is_finite(largest)) return largest;
  for (std::int64_t i = 0; i < n; ++i) sum += squared(x[i * stride] / largest);
  return largest * math::sqrt(sum);
}

/// A power of two that takes numbers of this size, where it is so small that quotients of them have few digits, to ones that have all of theirs.
template <class R>
constexpr R magnification(R size) {
  constexpr R safe = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
  return size < safe ? R(1) / safe : R(1);
}

/// Makes x = (x[0], ..., x[n-1]) into (beta, v[1], ..., v[n-1]), v[0] = 1, such that (1 - conj(tau) v v^H) x is beta in its first element
/// and zero elsewhere. Returns tau.
template <class T>
constexpr T reflect(T* x, std::int64_t n, std::int64_t stride) {
  using R = real_of<T>;
  const R rest = norm_of(x + stride, n - 1, stride), first = norm_of(x, 1, 1);
  bool zero = rest == R(0);
  if constexpr (is_complex_v<T>) zero = zero && x[0].im == R(0);
  if (zero) return T(0);
  const R up = magnification(std::max(first, rest));
  if (up != R(1)) {  // as what is left of dependent columns; the reflection has to be one to all digits
    for (std::int64_t i = 0; i < n; ++i) x[i * stride] = x[i * stride] * up;
    const T tau = reflect(x, n, stride);
    x[0] = x[0] / up;
    return tau;
  }
  const R pair[2] = {first, rest}, size = norm_of(pair, 2, 1);
  const R beta = real_part(x[0]) >= R(0) ? -size : size;
  T tau{};
  if constexpr (is_complex_v<T>) tau = {(beta - x[0].re) / beta, -x[0].im / beta};
  else tau = (beta - x[0]) / beta;
  const T divisor = x[0] - T(beta);
  for (std::int64_t i = 1; i < n; ++i) x[i * stride] = x[i * stride] / divisor;
  x[0] = T(beta);
  return tau;
}
/// a := (1 - factor v v^H) a for a matrix of n rows `row` apart and some columns; v[0] = 1, the others are read `stride` apart.
template <class T>
constexpr void apply_reflection(const T* v, std::int64_t n, std::int64_t stride, T factor, T* a, std::int64_t row, std::int64_t columns) {
  if (factor == T(0)) return;
  for (std::int64_t j = 0; j < columns; ++j) {
    T sum = a[j];
    for (std::int64_t i = 1; i < n; ++i) sum = sum + conjugate(v[i * stride]) * a[i * row + j];
    sum = factor * sum;
    a[j] = a[j] - sum;
    for (std::int64_t i = 1; i < n; ++i) a[i * row + j] = a[i * row + j] - v[i * stride] * sum;
  }
}

/// Factors a (m x n) in place: R on and above the diagonal, below it the vectors of the reflections, whose factors go to taus.
template <class T>
constexpr void reflect_columns(T* a, std::int64_t m, std::int64_t n, T* taus) {
  for (std::int64_t k = 0; k < std::min(m, n); ++k) {
    T* const corner = a + k * n + k;
    taus[k] = reflect(corner, m - k, n);
    apply_reflection(corner, m - k, n, conjugate(taus[k]), corner + 1, n, n - k - 1);
  }
}
/// The first `columns` columns of the product of the reflections that reflect_columns left in a, into q (m x columns).
template <class T>
constexpr void product_of_reflections(const T* a, std::int64_t m, std::int64_t n, const T* taus, T* q, std::int64_t columns) {
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < columns; ++j) q[i * columns + j] = T(i == j ? 1 : 0);
  for (std::int64_t k = std::min(m, n) - 1; k >= 0; --k)
    if (k < columns) apply_reflection(a + k * n + k, m - k, n, taus[k], q + k * columns + k, columns, columns - k);
}

}  // namespace jacquard::detail
