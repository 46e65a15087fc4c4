#pragma once
// tridiagonal_solve: systems with three diagonals, by elimination with row exchanges (LAPACK's gtsv). Deliberately without a library: the
// loop reads everything once. The first element of the lower and the last of the upper diagonal lie outside and do not count.

#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/slice.hpp"

namespace jacquard {

/// x with lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = b[i].
/// Shapes  lower, diagonal, upper (..., n), b (..., n, k) -> that of b; equal leading dimensions.
/// Errors  type_error: not f32, f64, c64 or c128, or different dtypes; shape_error: sizes that do not fit.
/// Rules   linear in b, transpose = the transposed system; derivative in the diagonals: solves for -da x.
/// Cost    O(n k) for each system.
struct tridiagonal_solve_p {
  static constexpr std::string_view name = "tridiagonal_solve";
  static constexpr int arity = 4;
  static constexpr bool allocates = true;
  static constexpr std::uint32_t linear = 0b1000;

  static constexpr aval abstract_eval(inference& c) {
    const aval &d = c.in[1], &b = c.in[3];
    for (const aval& a : c.in)
      if (!detail::is_matrix_dtype(a.type) || a.type != d.type) {
        text got;
        detail::put_dtypes(got, c.in);
        return c.fail(error_kind::type, " does not accept dtypes ", got, ": wanted one and the same of float32, float64, complex64 and complex128; "
                      "convert with x.astype(jq::f64)");
      }
    bool fits = d.rank() >= 1 && b.rank() == d.rank() + 1 && detail::leading(b.dims, 1) == d.dims;
    for (std::size_t k = 0; k < 3; ++k) fits = fits && c.in[k].dims == d.dims;
    if (fits) return b;
    text got;
    detail::put_shapes(got, c.in);
    return c.fail(error_kind::shape, ": got operands of shapes ", got, ", wanted three diagonals (..., n) and right-hand sides (..., n, k)");
  }
  static constexpr void cost(auto& c) { c.cost.flops = 5 * double(c.in[3].elements()) + 3 * double(c.in[1].elements()); }

  static constexpr void jvp(auto& c) {
    array rhs = c.t[3];
    const std::int64_t columns = detail::columns_of(c.y[0].shape());
    for (std::size_t k = 0; k < 3; ++k) {
      if (c.t[k].is_none()) continue;
      array x = c.y[0];
      if (k != 1) x = shifted(x, x.ndim() - 2, k == 0 ? 1 : -1);
      const array moved = lax::mul(detail::along_rows(c.t[k], columns), x);
      if (rhs.is_none()) rhs = lax::neg(moved);
      else rhs = lax::sub(rhs, moved);
    }
    c.ty[0] = bind<own<tridiagonal_solve_p, decltype(c)>>({}, location{}, c.x[0], c.x[1], c.x[2], rhs);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c) {
    const int last = c.x[1].ndim() - 1;
    const array lower = shifted(c.x[2], last, 1), upper = shifted(c.x[0], last, -1);
    return bind<own<tridiagonal_solve_p, decltype(c)>>({}, location{}, lower, c.x[1], upper, ct);
  }
  static constexpr void batch(auto& c) { detail::batch_matrices<own<tridiagonal_solve_p, decltype(c)>>(c, {}); }
  static constexpr masked mask(auto& c) {
    const std::int64_t r = std::int64_t(c.dims[3].size());
    const auto diagonal = [&](std::size_t k) { return c.scope.fitted(c.zeroed(k, {r - 2}), c.dims[k]); };
    const array ones = c.scope.filled(c.scope.fitted(c.x[1], c.dims[1]), c.dims[1], {r - 2}, detail::scalar_like(c.x[1], 1));
    const array b = c.scope.fitted(c.zeroed(3, {r - 2, r - 1}), c.dims[3]);
    const array lower = diagonal(0), upper = diagonal(2);
    const array y = bind<own<tridiagonal_solve_p, decltype(c)>>({}, location{}, lower, ones, upper, b);
    return {c.scope.guarded(y, c.dims[3], {r - 2, r - 1}), c.dims[3]};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a) {
    const shape &s = a.in_types[1].dims, &t = a.in_types[3].dims;
    const std::int64_t n = s[s.rank() - 1], k = detail::columns_of(t);
    const std::size_t size = std::size_t(n);
    std::vector<T> lower(size, T(0)), diagonal(size, T(0)), upper(size, T(0)), second(size, T(0));
    for (std::int64_t b = 0; n > 0 && b < s.elements() / n; ++b) {
      for (std::int64_t i = 0; i < n; ++i) {
        lower[std::size_t(i)] = a.in[0][b * n + i];
        diagonal[std::size_t(i)] = a.in[1][b * n + i];
        upper[std::size_t(i)] = i + 1 < n ? a.in[2][b * n + i] : T(0);
        second[std::size_t(i)] = T(0);
      }
      T* const x = a.out[0] + b * n * k;
      for (std::int64_t i = 0; i < n * k; ++i) x[i] = a.in[3][b * n * k + i];
      eliminate(lower.data(), diagonal.data(), upper.data(), second.data(), x, n, k);
      substitute(diagonal.data(), upper.data(), second.data(), x, n, k);
    }
  }
  static void run(const auto& c) { detail::run_matrices<own<tridiagonal_solve_p, decltype(c)>>(c); }

 private:
  /// Moved by one along dimension d, zero where nothing was: up (element i to i + 1) or down.
  static constexpr array shifted(const auto& x, int d, int by) {
    const std::int64_t n = x.shape()[d];
    if (n == 0) return x;
    int_list low = int_list::filled(x.ndim(), 0), high = low, start = low, limit = x.shape();
    (by > 0 ? low : high)[d] = 1;
    if (by > 0) limit[d] = n - 1;
    else start[d] = 1;
    return lax::pad(lax::slice(x, start, limit), detail::scalar_like(x, 0), low, high);
  }
  /// To an upper triangle with two further diagonals. What the next row needs of this one stays in registers: reading it back from memory
  /// would lengthen the chain from row to row, which is all the time there is.
  template <class T>
  static constexpr void eliminate(const T* lower, T* diagonal, T* upper, T* second, T* x, std::int64_t n, std::int64_t k) {
    T own = diagonal[0], own_upper = upper[0];
    for (std::int64_t i = 0; i + 1 < n; ++i) {
      const T below = lower[i + 1];
      T next = diagonal[i + 1], next_upper = upper[i + 1];
      T *const row = x + i * k, *const next_row = row + k;
      if (detail::size_of_pivot(own) >= detail::size_of_pivot(below)) {
        diagonal[i] = own;
        upper[i] = own_upper;
        if (below != T(0)) {
          const T factor = below / own;
          next = next - factor * own_upper;
          for (std::int64_t j = 0; j < k; ++j) next_row[j] = next_row[j] - factor * row[j];
        }
      } else {
        const T factor = own / below;
        diagonal[i] = below;
        upper[i] = next;
        second[i] = next_upper;
        next = own_upper - factor * next;
        next_upper = T(0) - factor * next_upper;
        for (std::int64_t j = 0; j < k; ++j) {
          const T held = row[j];
          row[j] = next_row[j];
          next_row[j] = held - factor * row[j];
        }
      }
      own = next;
      own_upper = next_upper;
    }
    diagonal[n - 1] = own;
  }
  template <class T>
  static constexpr void substitute(const T* diagonal, const T* upper, const T* second, T* x, std::int64_t n, std::int64_t k) {
    if (k == 1) {
      T after(0), second_after(0);
      for (std::int64_t i = n - 1; i >= 0; --i) {
        T sum = x[i];
        if (i + 1 < n) sum = sum - upper[i] * after;
        if (i + 2 < n) sum = sum - second[i] * second_after;
        second_after = after;
        after = x[i] = sum / diagonal[i];
      }
      return;
    }
    for (std::int64_t i = n - 1; i >= 0; --i)
      for (std::int64_t j = 0; j < k; ++j) {
        T sum = x[i * k + j];
        if (i + 1 < n) sum = sum - upper[i] * x[(i + 1) * k + j];
        if (i + 2 < n) sum = sum - second[i] * x[(i + 2) * k + j];
        x[i * k + j] = sum / diagonal[i];
      }
  }
};

namespace lax {
/// See tridiagonal_solve_p.
template <class Array = array>
constexpr array tridiagonal_solve(const lazy<Array>& lower, const lazy<Array>& diagonal, const lazy<Array>& upper, const lazy<Array>& b,
                                  location where = location::current()) {
  return bind<tridiagonal_solve_p>({}, where, lower, diagonal, upper, b);
}
}  // namespace lax

}  // namespace jacquard
