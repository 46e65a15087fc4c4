#pragma once
// qr: an orthonormal basis of the columns of matrices, and their coordinates in it. Deliberately without column pivoting; signs are
// those of Householder reflections, so the diagonal of R may be negative.

#include "jacquard/prims/householder_loops.hpp"
#include "jacquard/prims/lapack.hpp"
#include "jacquard/prims/triangular_solve.hpp"

namespace jacquard {

/// a = q r, q with orthonormal columns, r upper triangular.
/// Shapes  a (..., m, n), k = min(m, n) -> (..., m, k), (..., k, n); with full_matrices (..., m, m), (..., m, n).
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: fewer than two dimensions.
/// Rules   derivative (Roberts and Roberts 2020, arXiv:2009.10071, for m < n too): dq from the first k columns, dr = q^H (da - dq r). They
///         have to be independent: else the rule divides by a diagonal element of r that is 0, and tangents are infinite or NaN. None for
///         full_matrices with m > n, whose added columns are not a function of a.
/// Cost    4 m n k operations.
struct qr_p {
  static constexpr std::string_view name = "qr";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  struct params {
    bool full_matrices;
    static constexpr std::string_view fields = "full_matrices";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (!detail::check_matrices(c, false)) return;
    const shape& s = c.in[0].dims;
    const std::int64_t m = detail::rows_of(s), n = detail::columns_of(s), k = p.full_matrices ? m : std::min(m, n);
    c.outputs.push_back(c.in[0].with(detail::leading(s, 2, {m, k})));
    c.outputs.push_back(c.in[0].with(detail::leading(s, 2, {k, n})));
  }
  static constexpr void cost(auto& c, const params&) {
    const shape& s = c.in[0].dims;
    c.cost.flops = 4 * double(c.in[0].elements()) * double(std::min(detail::rows_of(s), detail::columns_of(s)));
  }
  static constexpr void jvp(auto& c, const params& p) {
    const array &q = c.y[0], &r = c.y[1], &da = c.t[0];
    const std::int64_t m = detail::rows_of(da.shape()), n = detail::columns_of(da.shape()), k = std::min(m, n);
    if (p.full_matrices && m > n)
      return detail::fail_rule(c.x, make_error(error_kind::not_implemented, "qr: the derivative of full matrices of shape ", da.shape(),
                                                  " is not implemented, as their last columns are arbitrary; use the reduced form"));
    const array first = detail::first_columns(r, k), moved = detail::first_columns(da, k);
    const array scaled = lax::triangular_solve(first, moved, {.left_side = false, .lower = false});  // da R^-1
    const array inner = detail::product_of(detail::adjoint(q), scaled), low = detail::lower_part(inner, -1);
    array turn = lax::sub(low, detail::adjoint(low));
    if (is_complex(q.dtype())) {
      const array im = lax::imag(inner);
      const array phase = lax::complex(detail::scalar_like(im, 0), im);
      turn = lax::add(turn, lax::select(detail::on_diagonal(inner), phase, detail::scalar_like(phase, 0)));
    }
    const array dq = lax::add(detail::product_of(q, lax::sub(turn, inner)), scaled);
    c.ty[0] = dq;
    c.ty[1] = detail::upper_part(detail::product_of(detail::adjoint(q), lax::sub(da, detail::product_of(dq, r))));
  }
  static constexpr void batch(auto& c, const params& p) { detail::batch_matrices<own<qr_p, decltype(c)>>(c, p); }
  static constexpr void mask(auto& c, const params& p) { detail::mask_leading<own<qr_p, decltype(c)>>(c, p, {2, 2}); }

  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& s = a.in_types[0].dims;
    const std::int64_t m = detail::rows_of(s), n = detail::columns_of(s), k = p.full_matrices ? m : std::min(m, n);
    list<T> work(static_cast<std::size_t>(m * n)), taus(static_cast<std::size_t>(std::min(m, n)));
    for (std::int64_t b = 0; b < detail::matrix_count(s); ++b) {
      const T* const x = a.in[0] + b * m * n;
      T *const q = a.out[0] + b * m * k, *const r = a.out[1] + b * k * n;
      if (in_library(x, q, r, m, n, k)) continue;
      for (std::int64_t i = 0; i < m * n; ++i) work[std::size_t(i)] = x[i];
      detail::reflect_columns(work.data(), m, n, taus.data());
      detail::product_of_reflections(work.data(), m, n, taus.data(), q, k);
      for (std::int64_t i = 0; i < k; ++i)
        for (std::int64_t j = 0; j < n; ++j) r[i * n + j] = j >= i ? work[std::size_t(i * n + j)] : T(0);
    }
  }
  static void run(const auto& c, const params& p) { detail::run_matrices<own<qr_p, decltype(c)>>(c, p); }

 private:
  /// By LAPACK, column by column. False: it cannot.
  template <class T>
  static constexpr bool in_library(const T* x, T* q, T* r, std::int64_t m, std::int64_t n, std::int64_t k) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(std::min(m, n), m * std::max(n, k)) || !detail::lapack_function<T, "geqrf">()) return false;
    const int rows = int(m), columns = int(n), wanted = int(k), reflections = int(std::min(m, n));
    const bool square = m == k && n <= k;  // then the columns lie where q will
    list<T> apart(square ? 0 : static_cast<std::size_t>(m * std::max(n, k))), taus(static_cast<std::size_t>(reflections));
    T* const a = square ? q : apart.data();
    detail::transpose_into(x, m, n, a);
    int info = 0;
    detail::with_workspace<T>([&](T* work, int size) { detail::call_lapack<T, "geqrf">(rows, columns, a, rows, taus.data(), work, size, &info); });
    for (std::int64_t i = 0; i < k; ++i)
      for (std::int64_t j = 0; j < n; ++j) r[i * n + j] = j >= i ? a[j * m + i] : T(0);
    detail::with_workspace<T>([&](T* work, int size) {
      if constexpr (is_complex_v<T>) detail::call_lapack<T, "ungqr">(rows, wanted, reflections, a, rows, taus.data(), work, size, &info);
      else detail::call_lapack<T, "orgqr">(rows, wanted, reflections, a, rows, taus.data(), work, size, &info);
    });
    if (square) detail::transpose_square(q, m);
    else detail::transpose_into(a, k, m, q);
    return true;
  }
};

namespace lax {
/// See qr_p. Returns q and r.
template <class Array = array>
constexpr array_list qr(const lazy<Array>& a, bool full_matrices = false, location where = location::current()) {
  return bind_list<qr_p>({full_matrices}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
