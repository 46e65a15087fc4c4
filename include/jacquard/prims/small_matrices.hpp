#pragma once
// Factors and solutions of small real matrices, row by row in vectors of 32 bytes: for these a library's call and the transpositions that
// it wants cost as much as the work. The same operations in the same order as the plain loops of the primitives, so that results have the same
// bits. Deliberately for processors that have such vectors: elsewhere the plain loops and libraries remain.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "jacquard/core/math.hpp"
#include "jacquard/core/wide_vectors.hpp"

namespace jacquard::detail {

/// Gaussian elimination of a (m, n) in its place with partial pivoting, by functions for the size of a number and for y -= factor x. Always
/// inlined: it takes the vectors of who calls it.
template <auto Size, auto SubtractRow, class T>
[[gnu::always_inline]] constexpr void eliminate(T* a, std::int64_t* pivots, std::int64_t m, std::int64_t n) {
  for (std::int64_t k = 0; k < m && k < n; ++k) {
    std::int64_t best = k;
    auto most_yet = Size(a[k * n + k]);
    for (std::int64_t i = k + 1; i < m; ++i) {
      const auto size = Size(a[i * n + k]);
      if (size > most_yet) best = i, most_yet = size;
    }
    pivots[k] = best;
    if (best != k)
      for (std::int64_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]);
    const T pivot = a[k * n + k];
    if (pivot == T(0)) continue;
    for (std::int64_t i = k + 1; i < m; ++i) {
      const T factor = a[i * n + k] / pivot;
      a[i * n + k] = factor;
      SubtractRow(a + i * n + k + 1, a + k * n + k + 1, factor, n - k - 1);
    }
  }
}

#if defined(__CUDACC__)  // nvcc 13 warns of GCC's pragmas
#define JACQUARD_UNROLL
#else
#define JACQUARD_UNROLL _Pragma("GCC unroll 8")
#endif
/// The same for N rows and columns that fit into registers, without a branch and with all loops unrolled: rows are exchanged by choosing. Also
/// gives the order in which this leaves them.
template <std::int64_t N, class T>
[[gnu::always_inline]] constexpr void eliminate_few(T* a, std::int64_t* pivots, std::int64_t* order) {
  const auto choose = [](bool second, auto x, auto y) { return second ? y : x; };
  const auto exchange = [choose](bool wanted, auto& x, auto& y) {
    const auto first = x, second = y;
    x = choose(wanted, first, second), y = choose(wanted, second, first);
  };
  T r[std::size_t(N)][std::size_t(N)]{};
  std::int64_t row[std::size_t(N)]{};
  for (std::int64_t i = 0; i < N; ++i) row[i] = i;
  for (std::int64_t i = 0; i < N * N; ++i) r[i / N][i % N] = a[i];
  JACQUARD_UNROLL
  for (std::int64_t k = 0; k < N; ++k) {
    std::int64_t best = k;
    T most_yet = r[k][k] < T(0) ? -r[k][k] : r[k][k];
    JACQUARD_UNROLL
    for (std::int64_t i = k + 1; i < N; ++i) {
      const T size = r[i][k] < T(0) ? -r[i][k] : r[i][k];
      const bool more = size > most_yet;
      best = choose(more, best, i), most_yet = choose(more, most_yet, size);
    }
    pivots[k] = best;
    JACQUARD_UNROLL
    for (std::int64_t i = k + 1; i < N; ++i) {
      exchange(best == i, row[k], row[i]);
      JACQUARD_UNROLL
      for (std::int64_t j = 0; j < N; ++j) exchange(best == i, r[k][j], r[i][j]);
    }
    const T pivot = r[k][k];
    if (pivot == T(0)) continue;
    JACQUARD_UNROLL
    for (std::int64_t i = k + 1; i < N; ++i) {
      const T factor = r[i][k] = r[i][k] / pivot;
      JACQUARD_UNROLL
      for (std::int64_t j = k + 1; j < N; ++j) r[i][j] = r[i][j] - factor * r[k][j];
    }
  }
  for (std::int64_t i = 0; i < N * N; ++i) a[i] = r[i / N][i % N];
  for (std::int64_t i = 0; i < N; ++i) order[i] = row[i];
}
/// The factor of the lower triangle of such a matrix in its place; false where it is not positive definite.
template <std::int64_t N, class T>
[[gnu::always_inline]] constexpr bool factor_few(T* l) {
  T r[std::size_t(N)][std::size_t(N)]{};
  JACQUARD_UNROLL
  for (std::int64_t i = 0; i < N; ++i) {
    JACQUARD_UNROLL
    for (std::int64_t j = 0; j <= i; ++j) r[i][j] = l[i * N + j];
  }
  JACQUARD_UNROLL
  for (std::int64_t k = 0; k < N; ++k) {
    if (!(r[k][k] > 0)) return false;
    r[k][k] = math::sqrt(r[k][k]);
    JACQUARD_UNROLL
    for (std::int64_t i = k + 1; i < N; ++i) r[i][k] = r[i][k] / r[k][k];
    JACQUARD_UNROLL
    for (std::int64_t i = k + 1; i < N; ++i) {
      JACQUARD_UNROLL
      for (std::int64_t j = k + 1; j <= i; ++j) r[i][j] = r[i][j] - r[j][k] * r[i][k];
    }
  }
  JACQUARD_UNROLL
  for (std::int64_t i = 0; i < N; ++i) {
    JACQUARD_UNROLL
    for (std::int64_t j = 0; j <= i; ++j) l[i * N + j] = r[i][j];
  }
  return true;
}
#undef JACQUARD_UNROLL

template <class T>
struct small_matrices {
  /// Matrices of more rows or columns go elsewhere.
  static constexpr std::int64_t most = 32;

  /// Whether the functions below may be called.
  static bool suit([[maybe_unused]] std::int64_t rows, [[maybe_unused]] std::int64_t columns) {
#if defined(__x86_64__)
    if constexpr (std::is_floating_point_v<T>) {
      return has_wide_vectors() && rows <= most && columns <= most;
    }
#endif
    return false;
  }
#if defined(__x86_64__)
#define JACQUARD_SMALL_TARGET [[gnu::target("avx2")]]
#else
#define JACQUARD_SMALL_TARGET
#endif
  /// L and U of a (m, n) in its place, and with which row each was exchanged: see lu_p. Complexity: O(m n min(m, n)).
  JACQUARD_SMALL_TARGET static void lu(T* a, std::int64_t* pivots, std::int64_t m, std::int64_t n) {
    eliminate<&size_of_number, &subtract_row>(a, pivots, m, n);
  }
  /// L of the lower triangle of l (n, n) in its place; false where it is not positive definite. Complexity: O(n^3).
  JACQUARD_SMALL_TARGET static bool cholesky(T* l, std::int64_t n) {
    if (n == 2) return factor_few<2>(l);
    if (n == 3) return factor_few<3>(l);
    if (n == 4) return factor_few<4>(l);
    T u[most * most];  // the transposed matrix, whose rows are subtracted from those below
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j) u[j * n + i] = l[i * n + j];
    for (std::int64_t k = 0; k < n; ++k) {
      T* const row = u + k * n;
      if (!(row[k] > 0)) return false;
      row[k] = math::sqrt(row[k]);
      divide_row(row + k + 1, row[k], n - k - 1);
      for (std::int64_t i = k + 1; i < n; ++i) subtract_row(u + i * n + i, row + i, row[i], n - i);
    }
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j) l[i * n + j] = u[j * n + i];
    return true;
  }
  /// x (n, k) becomes the solution of a triangular system whose element (i, j) is a[i row + j column], from the first unknown on or from the last.
  /// Complexity: O(n^2 k).
  JACQUARD_SMALL_TARGET static void solve(const T* a, std::int64_t row, std::int64_t column, bool forward, bool unit, T* x, std::int64_t n,
                                          std::int64_t k) {
    for (std::int64_t step = 0; step < n; ++step) {
      const std::int64_t i = forward ? step : n - 1 - step;
      T factors[most];  // in the order in which unknowns were found
      const T* rows[most];
      for (std::int64_t s = 0; s < step; ++s) {
        const std::int64_t j = forward ? s : n - 1 - s;
        factors[s] = a[i * row + j * column], rows[s] = x + j * k;
      }
      const T pivot = unit ? T(1) : a[i * row + i * column];
      std::int64_t q = 0;
      for (; q + 2 * lanes <= k; q += 2 * lanes) {
        vector y = *reinterpret_cast<vector*>(x + i * k + q), z = *reinterpret_cast<vector*>(x + i * k + q + lanes);
        for (std::int64_t s = 0; s < step; ++s) {
          y -= factors[s] * *reinterpret_cast<const vector*>(rows[s] + q);
          z -= factors[s] * *reinterpret_cast<const vector*>(rows[s] + q + lanes);
        }
        *reinterpret_cast<vector*>(x + i * k + q) = y / pivot;
        *reinterpret_cast<vector*>(x + i * k + q + lanes) = z / pivot;
      }
      for (; q < k; ++q) {
        T y = x[i * k + q];
        for (std::int64_t s = 0; s < step; ++s) y = y - factors[s] * rows[s][q];
        x[i * k + q] = y / pivot;
      }
    }
  }

 private:
  static constexpr std::int64_t lanes = 32 / std::int64_t(sizeof(T));
  typedef T vector __attribute__((vector_size(32), aligned(alignof(T)), may_alias));

  [[gnu::always_inline]] static T size_of_number(T x) { return x < T(0) ? -x : x; }
  /// y -= factor x.
  [[gnu::always_inline]] static void subtract_row(T* y, const T* x, T factor, std::int64_t n) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) *reinterpret_cast<vector*>(y + i) -= factor * *reinterpret_cast<const vector*>(x + i);
    for (; i < n; ++i) y[i] = y[i] - factor * x[i];
  }
  /// y /= factor.
  [[gnu::always_inline]] static void divide_row(T* y, T factor, std::int64_t n) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) *reinterpret_cast<vector*>(y + i) /= factor;
    for (; i < n; ++i) y[i] = y[i] / factor;
  }
#undef JACQUARD_SMALL_TARGET
};

}  // namespace jacquard::detail
