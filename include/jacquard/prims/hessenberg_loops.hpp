#pragma once
// What iterations for eigenvalues of general matrices start from: the Hessenberg form by reflections, rotations of two rows, and where a
// block of the iteration begins. Loops for kernels, in constant evaluation too; deliberately unblocked. The reflections are LAPACK's (gehrd).
// Source: Golub and Van Loan, "Matrix computations", 4th edition, algorithm 7.4.2.

#include <limits>

#include "jacquard/prims/householder_loops.hpp"

namespace jacquard::detail {

/// a := a (1 - factor v v^H) for a matrix of `rows` rows `row` apart and n columns; v[0] = 1, the others are read `stride` apart.
template <class T>
constexpr void apply_reflection_right(const T* v, std::int64_t n, std::int64_t stride, T factor, T* a, std::int64_t row, std::int64_t rows) {
  if (factor == T(0)) return;
  for (std::int64_t i = 0; i < rows; ++i) {
    T* const x = a + i * row;
    T sum = x[0];
    for (std::int64_t j = 1; j < n; ++j) sum = sum + x[j] * v[j * stride];
    sum = factor * sum;
    x[0] = x[0] - sum;
    for (std::int64_t j = 1; j < n; ++j) x[j] = x[j] - sum * conjugate(v[j * stride]);
  }
}

/// Reduces a (n x n) in place: h with a = q h q^H on, above and right below the diagonal; further below the vectors of the reflections whose
/// product is q, without their leading ones, and their n - 1 factors in taus.
template <class T>
constexpr void reduce_to_hessenberg(T* a, std::int64_t n, T* taus) {
  for (std::int64_t k = 0; k + 1 < n; ++k) {
    const std::int64_t m = n - k - 1;
    T* const column = a + (k + 1) * n + k;
    const T tau = taus[k] = reflect(column, m, n);
    apply_reflection(column, m, n, conjugate(tau), a + (k + 1) * n + k + 1, n, m);
    apply_reflection_right(column, m, n, tau, a + k + 1, n, n);
  }
}

/// x 2^k, rounded once.
template <class T>
constexpr T times_power_of_two(T x, int k) {
  using R = real_of<T>;
  if constexpr (is_complex_v<T>) return {R(ieee::scale(double(x.re), k)), R(ieee::scale(double(x.im), k))};
  else return R(ieee::scale(double(x), k));
}
/// Divides n numbers by the power of two 2^k that is next to the largest, where products of them, or the rounding of those, would leave the range
/// (LAPACK's geev has the same bounds). Returns k, otherwise 0.
template <class T>
constexpr int in_safe_range(T* x, std::int64_t n) {
  using R = real_of<T>;
  R largest = 0;
  const auto part = [&](R value) {
    const R size = math::abs(value);
    if (!(size <= largest)) largest = size;
    return math::is_finite(size);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (is_complex_v<T>) {
      if (!part(x[i].re) || !part(x[i].im)) return 0;
    } else if (!part(x[i])) return 0;
  }
  const R low = math::sqrt(std::numeric_limits<R>::min()) / std::numeric_limits<R>::epsilon();
  if (largest == R(0) || (largest >= low && largest <= R(1) / low)) return 0;
  const int k = ieee::exponent(double(largest));
  for (std::int64_t i = 0; i < n; ++i) x[i] = times_power_of_two(x[i], -k);
  return k;
}

/// a := h with a = z h z^H, zero below the first subdiagonal; z is made, or null.
template <class T>
constexpr void hessenberg_form(T* a, T* z, std::int64_t n) {
  for (std::int64_t i = 0; z && i < n * n; ++i) z[i] = T(i % (n + 1) == 0 ? 1 : 0);
  std::vector<T> taus(static_cast<std::size_t>(n), T(0));
  reduce_to_hessenberg(a, n, taus.data());
  for (std::int64_t k = n - 2; k >= 0; --k) {
    T* const column = a + (k + 1) * n + k;
    if (z) apply_reflection(column, n - k - 1, n, taus[std::size_t(k)], z + (k + 1) * n + k + 1, n, n - k - 1);
    for (std::int64_t j = 1; j < n - k - 1; ++j) column[j * n] = T(0);
  }
}

/// A unitary matrix [c, s; -conj(s), c] that takes (x, y) to (r, 0).
template <class T>
struct givens {
  real_of<T> c = 1;
  T s = T(0);
  constexpr givens(T x, T y) {
    const real_of<T> up = magnification(std::max(norm_of(&x, 1, 1), norm_of(&y, 1, 1)));
    x = x * up, y = y * up;
    const real_of<T> size_x = norm_of(&x, 1, 1), size_y = norm_of(&y, 1, 1);
    if (size_y == 0) return;
    if (size_x == 0) {
      c = 0;
      s = conjugate(y) / size_y;
      return;
    }
    const real_of<T> pair[2] = {size_x, size_y}, size = norm_of(pair, 2, 1);
    c = size_x / size;
    s = x / size_x * conjugate(y) / size;
  }
  constexpr void rows(T* x, T* y, std::int64_t n) const {
    for (std::int64_t j = 0; j < n; ++j) {
      const T u = x[j], v = y[j];
      x[j] = u * c + s * v;
      y[j] = v * c - conjugate(s) * u;
    }
  }
  constexpr void columns(T* x, T* y, std::int64_t n, std::int64_t stride) const {  // by the adjoint, from the right
    for (std::int64_t i = 0; i < n; ++i) {
      const T u = x[i * stride], v = y[i * stride];
      x[i * stride] = u * c + conjugate(s) * v;
      y[i * stride] = v * c - s * u;
    }
  }
};

/// The first row of the block of a Hessenberg matrix that ends with row `last`: the element before it is too small to count, and becomes zero.
template <class T>
constexpr std::int64_t start_of_block(T* a, std::int64_t n, std::int64_t last) {
  using R = real_of<T>;
  constexpr R least = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();  // LAPACK's smlnum; see in_safe_range
  std::int64_t first = last;
  for (; first > 0; --first) {
    const T below = a[first * n + first - 1];
    const R scale = norm_of(a + (first - 1) * n + first - 1, 1, 1) + norm_of(a + first * n + first, 1, 1);
    if (norm_of(&below, 1, 1) <= std::numeric_limits<R>::epsilon() * (scale > R(0) ? scale : norm_of(a, n * n, 1)) + least) break;
  }
  if (first > 0) a[first * n + first - 1] = T(0);
  return first;
}

}  // namespace jacquard::detail
