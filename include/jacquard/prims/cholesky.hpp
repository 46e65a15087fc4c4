#pragma once
// cholesky: the lower triangular factor of Hermitian positive definite matrices. Deliberately reads the lower triangle only, and
// of the diagonal the real part: who has a matrix that is Hermitian up to rounding averages it first, as jq::linalg::cholesky does.

#include <limits>

#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/lapack.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/small_matrices.hpp"
#include "jacquard/prims/sqrt.hpp"
#include "jacquard/prims/triangular_solve.hpp"

namespace jacquard {

/// L with a = L L^H, lower triangular with a positive diagonal; NaN throughout its triangle where a is not positive definite.
/// Shapes  a (..., n, n) -> the same.
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: not square.
/// Rules   derivative: L Phi(L^-1 da L^-H), Phi taking the lower triangle and half the diagonal (Murray 2016, arXiv:1602.07527, eq. 8).
/// Cost    n^3 / 3 additions and multiplications a matrix.
struct cholesky_p {
  static constexpr std::string_view name = "cholesky";
  static constexpr int arity = 1;

  static constexpr aval abstract_eval(inference& c) {
    if (!detail::check_matrices(c, true)) return {};
    return c.in[0];
  }
  static constexpr void cost(auto& c) {
    const double n = c.in[0].rank() ? double(detail::rows_of(c.in[0].dims)) : 0;
    c.cost.flops = double(detail::matrix_count(c.in[0].dims)) * n * n * n / 3;
  }
  static constexpr array jvp(const auto& t, const auto&, const auto& y) {
    const bool real = !is_complex(y.dtype());
    const array da = detail::hermitian_from_lower(t);
    const array left = lax::triangular_solve(y, da, {.left_side = true, .lower = true});
    const array both = lax::triangular_solve(y, left, {.left_side = false, .lower = true, .transpose_a = true, .conjugate_a = !real});
    return detail::product_of(y, detail::half_lower_part(both));
  }
  static constexpr void batch(auto& c) { detail::batch_matrices<own_type<decltype(c)>>(c, {}); }
  static constexpr masked mask(auto& c) {
    const int r = int(c.dims[0].size());
    const array y = bind<own_type<decltype(c)>>({}, location{}, detail::extended_by_identity(c, 0));
    return {c.scope.guarded(y, c.dims[0], {r - 2, r - 1}), c.dims[0]};
  }
  /// Column by column of one small real matrix: what a column makes is subtracted from the whole matrix.
  static constexpr void of_few(auto& c) {
    const aval t = c.x[0].aval();
    constexpr std::int64_t most = 4;
    if (t.rank() != 2 || !is_floating(t.type) || t.dims[0] == 0 || t.dims[0] > most) return;
    const std::int64_t n = t.dims[0];
    const auto constant = [&](double v, const shape& s) { return lax::broadcast_in_dim(array(literal(v, t.type, t.weak)), s, {}); };
    const auto at = [&](std::int64_t k) { return array(literal(k, i32, false)); };
    const array row = lax::iota(i32, t.dims, 0), column = lax::iota(i32, t.dims, 1), place = lax::iota(i32, shape{n}, 0);
    const auto is = [&](const array& places, std::int64_t k) { return lax::eq(places, lax::broadcast_in_dim(at(k), places.shape(), {})); };
    array left = c.x[0], l = constant(0, t.dims), definite;
    for (std::int64_t k = 0; k < n; ++k) {
      const array pivot = lax::reshape(lax::slice(left, {k, k}, {k + 1, k + 1}), shape{}), root = lax::sqrt(pivot);
      const array positive = lax::gt(pivot, constant(0, shape{}));
      if (k == 0) definite = positive;
      else definite = lax::and_(definite, positive);
      const array roots = lax::broadcast_in_dim(root, shape{n}, {}), below = lax::div(lax::reshape(lax::slice(left, {0, k}, {n, k + 1}), shape{n}), roots);
      const array lower = lax::lt(lax::broadcast_in_dim(at(k), shape{n}, {}), place);
      const array made = lax::select(lower, below, lax::select(is(place, k), roots, constant(0, shape{n})));
      l = lax::select(is(column, k), lax::broadcast_in_dim(made, t.dims, {0}), l);
      left = lax::sub(left, lax::mul(lax::broadcast_in_dim(made, t.dims, {0}), lax::broadcast_in_dim(made, t.dims, {1})));
    }
    const array fails = lax::and_(lax::not_(lax::broadcast_in_dim(definite, t.dims, {})), lax::ge(row, column));
    c.results.push_back(lax::select(fails, constant(std::numeric_limits<double>::quiet_NaN(), t.dims), l));
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a) {
    const shape& s = a.in_types[0].dims;
    const std::int64_t n = detail::rows_of(s);
    for (std::int64_t m = 0; m < detail::matrix_count(s); ++m) factor(a.in[0] + m * n * n, a.out[0] + m * n * n, n);
  }
  static void run(const auto& c) { detail::run_matrices<own_type<decltype(c)>>(c); }

 private:
  template <class C>
  using own_type = own<cholesky_p, C>;

  template <class T>
  static constexpr void factor(const T* a, T* l, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) l[i * n + j] = a[i * n + j];
      for (std::int64_t j = i + 1; j < n; ++j) l[i * n + j] = T(0);
    }
    bool definite = true;
    if (!by_vectors(l, n, definite) && !in_library(l, n, definite)) definite = by_rows(l, n);
    if (!definite)
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) l[i * n + j] = T(std::numeric_limits<detail::real_of<T>>::quiet_NaN());
  }
  /// In place, where the matrix is small and real. False: it is not.
  template <class T>
  static constexpr bool by_vectors(T* l, std::int64_t n, bool& definite) {
    if constexpr (std::is_floating_point_v<T>)
      if (!__builtin_is_constant_evaluated() && detail::small_matrices<T>::suit(n, n)) {
        definite = detail::small_matrices<T>::cholesky(l, n);
        return true;
      }
    return false;
  }
  /// In place, row by row. False: not positive definite.
  template <class T>
  static constexpr bool by_rows(T* l, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < i; ++j) {
        T sum = l[i * n + j];
        for (std::int64_t k = 0; k < j; ++k) sum = sum - l[i * n + k] * detail::conjugate(l[j * n + k]);
        l[i * n + j] = sum / detail::real_part(l[j * n + j]);
      }
      detail::real_of<T> pivot = detail::real_part(l[i * n + i]);
      for (std::int64_t k = 0; k < i; ++k) pivot -= detail::squared(l[i * n + k]);
      if (!(pivot > 0)) return false;
      l[i * n + i] = T(math::sqrt(pivot));
    }
    return true;
  }
  /// By LAPACK, which reads the rows as columns: the conjugate matrix, of which it makes U^H U with U^T = L. False: it cannot.
  template <class T>
  static constexpr bool in_library(T* l, std::int64_t n, bool& definite) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n)) return false;
    int info = 0;
    const bool found = detail::call_lapack<T, "potrf", 1>('U', int(n), l, int(n), &info);
    definite = info == 0;
    return found;
  }
};

namespace lax {
/// See cholesky_p.
template <class Array = array>
constexpr array cholesky(const lazy<Array>& a, location where = location::current()) { return bind<cholesky_p>({}, where, a); }
}  // namespace lax

}  // namespace jacquard
