#pragma once
// Eigenvalues of Hermitian matrices and singular values by Jacobi's rotations: slow beside LAPACK's methods for large matrices, at least
// as accurate for all, the same loops for real and complex numbers, and in constant evaluation. Deliberately without preconditioning.
// Sources: Golub and Van Loan, "Matrix computations", 4th edition, sections 8.5 and 8.6.3; Demmel and Veselic 1992, SIAM J. Matrix Anal. 13.

#include <limits>
#include <utility>

#include "jacquard/prims/householder_loops.hpp"

namespace jacquard::detail {

/// c, s real and a phase such that the columns (p, q) [c, s phase; -s conj(phase), c] diagonalise [a, h; conj(h), b]: the half-angle formulas.
template <class T>
struct rotation {
  real_of<T> cosine = 1, sine = 0;
  T phase = T(1);

  /// For h != 0 of modulus `size`.
  constexpr rotation(real_of<T> a, real_of<T> b, T h, real_of<T> size) : phase(h / size) {
    using R = real_of<T>;
    const R slope = (b - a) / (R(2) * size);
    const R hypotenuse = math::abs(slope) > R(1e10) ? math::abs(slope) : math::sqrt(R(1) + slope * slope);
    const R tangent = slope >= R(0) ? R(1) / (slope + hypotenuse) : R(-1) / (hypotenuse - slope);
    cosine = R(1) / math::sqrt(R(1) + tangent * tangent);
    sine = tangent * cosine;
  }
  /// Of n pairs of elements, x of the first column and y of the second, `stride` apart.
  constexpr void apply(T* x, T* y, std::int64_t n, std::int64_t stride) const {
    for (std::int64_t i = 0; i < n; ++i) {
      T &u = x[i * stride], &v = y[i * stride];
      const T first = u * cosine - conjugate(phase) * v * sine, second = phase * u * sine + v * cosine;
      u = first;
      v = second;
    }
  }
};

inline constexpr int most_sweeps = 60;

/// Diagonalises the Hermitian matrix a in place; its eigenvectors become the columns of v, which is an identity matrix at first, or null.
template <class T>
constexpr void diagonalise(T* a, T* v, std::int64_t n) {
  using R = real_of<T>;
  const R whole = norm_of(a, n * n, 1), least = whole * std::numeric_limits<R>::epsilon() * R(0.0625) / R(n > 0 ? n : 1);
  for (int sweep = 0; sweep < most_sweeps && math::is_finite(whole); ++sweep) {
    bool rotated = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        const T h = a[p * n + q];
        const R size = norm_of(&h, 1, 1);
        if (!(size > least)) continue;
        rotated = true;
        const rotation<T> r(real_part(a[p * n + p]), real_part(a[q * n + q]), h, size);
        r.apply(a + p, a + q, n, n);
        for (std::int64_t j = 0; j < n; ++j) {  // the adjoint on the rows
          T &x = a[p * n + j], &y = a[q * n + j];
          const T first = x * r.cosine - r.phase * y * r.sine, second = conjugate(r.phase) * x * r.sine + y * r.cosine;
          x = first;
          y = second;
        }
        a[p * n + q] = a[q * n + p] = T(0);
        if (v) r.apply(v + p, v + q, n, n);
      }
    if (!rotated) return;
  }
}

/// Rotates the columns of u (m x n, m >= n) until they are orthogonal, and those of v (n x n) or null alike.
template <class T>
constexpr void orthogonalise(T* u, T* v, std::int64_t m, std::int64_t n) {
  using R = real_of<T>;
  const R least = std::numeric_limits<R>::epsilon();
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool rotated = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        R a = 0, b = 0;
        T h = T(0);
        for (std::int64_t i = 0; i < m; ++i) {
          a += squared(u[i * n + p]);
          b += squared(u[i * n + q]);
          h = h + conjugate(u[i * n + p]) * u[i * n + q];
        }
        const R size = norm_of(&h, 1, 1);
        if (!(size > least * math::sqrt(a) * math::sqrt(b)) || size == R(0) || !math::is_finite(size)) continue;
        rotated = true;
        const rotation<T> r(a, b, h, size);
        r.apply(u + p, u + q, m, n);
        if (v) r.apply(v + p, v + q, n, n);
      }
    if (!rotated) return;
  }
}

/// Sets column k of q (m x n) to a unit vector orthogonal to the columns before it, which are orthonormal.
template <class T>
constexpr void complete_column(T* q, std::int64_t m, std::int64_t n, std::int64_t k) {
  using R = real_of<T>;
  std::int64_t best = 0;  // the unit vector that lies least within the columns
  R least = std::numeric_limits<R>::max();
  for (std::int64_t i = 0; i < m; ++i) {
    R within = 0;
    for (std::int64_t j = 0; j < k; ++j) within += squared(q[i * n + j]);
    if (within < least) best = i, least = within;
  }
  for (std::int64_t i = 0; i < m; ++i) q[i * n + k] = T(i == best ? 1 : 0);
  for (int again = 0; again < 2; ++again)
    for (std::int64_t j = 0; j < k; ++j) {
      T part = T(0);
      for (std::int64_t i = 0; i < m; ++i) part = part + conjugate(q[i * n + j]) * q[i * n + k];
      for (std::int64_t i = 0; i < m; ++i) q[i * n + k] = q[i * n + k] - part * q[i * n + j];
    }
  const R size = norm_of(q + k, m, n);
  for (std::int64_t i = 0; i < m; ++i) q[i * n + k] = q[i * n + k] / size;
}

/// The factor of modulus 1 that makes the largest of n elements `stride` apart real and positive: eigenvectors and singular vectors are
/// unique up to it, and so the same from every method. (Among elements of nearly the same size the first counts.) See turns_of_phases.
template <class T>
constexpr T phase_of(const T* x, std::int64_t n, std::int64_t stride) {
  using R = real_of<T>;
  R largest = 0;
  for (std::int64_t i = 0; i < n; ++i)
    if (const R s = squared(x[i * stride]); s > largest) largest = s;
  std::int64_t best = 0;
  while (best < n && squared(x[best * stride]) * R(1.001) < largest) ++best;
  const R size = n > 0 ? norm_of(x + best * stride, 1, 1) : R(0);
  if (!(size > R(0))) return T(1);
  return conjugate(x[best * stride]) / size;
}
template <class T>
constexpr void scale_by(T* x, std::int64_t n, std::int64_t stride, T factor) {
  if (factor == T(1)) return;
  for (std::int64_t i = 0; i < n; ++i) x[i * stride] = x[i * stride] * factor;
}

}  // namespace jacquard::detail
