#pragma once
// lu: the factors of matrices under elimination with partial pivoting. Deliberately does not judge: a singular matrix has factors
// too, with a zero on the diagonal of the second one.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/few_matrices.hpp"
#include "jacquard/prims/gather_scatter.hpp"
#include "jacquard/prims/lapack.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/small_matrices.hpp"
#include "jacquard/prims/triangular_solve.hpp"

namespace jacquard {

namespace detail {

/// Rows of matrices x (..., m, n) in another order: row i of the result is row order[i], i32 (..., m).
template <class Array = array>
constexpr array rows_in_order(const lazy<Array>& x, const lazy<Array>& order) {
  const shape s = x.shape(), o = order.shape();
  const std::int64_t count = matrix_count(s), m = o[o.rank() - 1], n = columns_of(s);
  const array flat = lax::reshape(x, shape{count, rows_of(s), n}), places = lax::reshape(order, shape{count, m, 1});
  const array taken = lax::gather(flat, places, {{2}, {1}, {1}, {0}, {0}}, {1, 1, n}, index_mode::promise_in_bounds);
  return lax::reshape(taken, leading(s, 2, {m, n}));
}

/// The inverse of rows_in_order: row i of x becomes row order[i] of the result.
template <class Array = array>
constexpr array rows_put_back(const lazy<Array>& x, const lazy<Array>& order) {
  const shape s = x.shape(), o = order.shape();
  const std::int64_t count = matrix_count(s), m = o[o.rank() - 1];
  const array flat = lax::reshape(x, shape{count, m, columns_of(s)}), places = lax::reshape(order, shape{count, m, 1});
  const array put = lax::scatter(zeros_any(flat.aval()), places, flat, {{2}, {1}, {1}, {0}, {0}}, index_mode::promise_in_bounds, true);
  return lax::reshape(put, s);
}

}  // namespace detail

/// Matrices factored with row exchanges: a[permutation] = L U. Results: L below and U from the diagonal on, in one matrix (the
/// diagonal of L is 1); pivots: row i was exchanged with row pivots[i], one after another; permutation.
/// Shapes  a (..., m, n) -> (..., m, n), i32 (..., min(m, n)), i32 (..., m).
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: fewer than two dimensions.
/// Rules   derivative: L tril(X, -1) + triu(X) U with X = L^-1 da[permutation] U^-1 (de Hoog, Anderssen, Lukas 2011, ANZIAM J. 52);
///         none for the integers.
/// Cost    2/3 n^3 operations for square matrices.
struct lu_p {
  static constexpr std::string_view name = "lu";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  static constexpr type_set domain = inexact;
  static constexpr std::uint32_t index_results = 0b110;

  static constexpr void abstract_eval(inference& c) {
    if (!detail::check_matrices(c, false)) return;
    const shape& s = c.in[0].dims;
    const std::int64_t m = detail::rows_of(s), n = detail::columns_of(s);
    c.outputs.push_back(c.in[0]);
    c.outputs.push_back({i32, detail::leading(s, 2, {std::min(m, n)})});
    c.outputs.push_back({i32, detail::leading(s, 2, {m})});
  }
  static constexpr void cost(auto& c) {
    const shape& s = c.in[0].dims;
    const double m = double(detail::rows_of(s)), n = double(detail::columns_of(s)), k = std::min(m, n);
    c.cost.flops = double(detail::matrix_count(s)) * k * (2 * m * n - k * (m + n) + 2 * k * k / 3);
  }
  static constexpr void jvp(auto& c) {
    const array& lu = c.y[0];
    const shape s = lu.shape();
    const std::int64_t m = detail::rows_of(s), n = detail::columns_of(s);
    const array moved = detail::rows_in_order(c.t[0], c.y[2]);
    const array l = square_part(detail::lower_part(lu, -1), m), u = square_part(detail::upper_part(lu), n);
    const array first = lax::triangular_solve(l, moved, {.left_side = true, .lower = true, .unit_diagonal = true});
    const array x = lax::triangular_solve(u, first, {.left_side = false, .lower = false});
    const array unit = lax::add(detail::lower_part(l, -1), detail::identity_like(l));
    c.ty[0] = lax::add(detail::product_of(unit, detail::lower_part(x, -1)), detail::product_of(detail::upper_part(x), u));
  }
  static constexpr void batch(auto& c) { detail::batch_matrices<own<lu_p, decltype(c)>>(c, {}); }
  static constexpr void mask(auto& c) {
    const dimension_list& dims = c.dims[0];
    const std::size_t r = dims.size();
    array x;
    if (dims[r - 1] == dims[r - 2]) x = detail::extended_by_identity(c, 0);
    else if (detail::constant_matrices(c, name, 0, 2)) x = c.scope.fitted(c.x[0], dims);
    else return;
    const array_list y = bind_list<own<lu_p, decltype(c)>>({}, location{}, view<const array>(&x, 1));
    dimension_list rows, short_side;
    for (std::size_t d = 0; d + 2 < r; ++d) rows.push_back(dims[d]), short_side.push_back(dims[d]);
    const bool wide = dims[r - 1] == dims[r - 2] || dims[r - 2].constant() < dims[r - 1].constant();
    rows.push_back(dims[r - 2]);
    short_side.push_back(wide ? dims[r - 2] : dims[r - 1]);
    c.outputs.push_back({c.scope.guarded(y[0], dims, {std::int64_t(r - 2), std::int64_t(r - 1)}), dims});
    c.outputs.push_back({y[1], short_side});
    c.outputs.push_back({y[2], rows});
  }
  static constexpr void of_few(auto& c) {
    if (!detail::is_written_out(c.x[0].aval())) return;
    c.results = detail::lu_written_out(c.x[0]);
    c.is_of_examples = detail::matrix_count(c.x[0].shape()) >= detail::least_examples;
  }
  template <class T>
  [[gnu::always_inline]] static constexpr void kernel(const kernel_args<T>& a) {
    const shape& s = a.in_types[0].dims;
    const std::int64_t m = detail::rows_of(s), n = detail::columns_of(s), k = std::min(m, n);
    for (std::int64_t b = 0; b < detail::matrix_count(s); ++b) {
      T* const lu = a.out[0] + b * m * n;
      std::int64_t *const pivots = a.index_out[1] + b * k, *const order = a.index_out[2] + b * m;
      const T* const x = a.in[0] + b * m * n;
      if (is_few<T>(m, n)) {
        for (std::int64_t i = 0; i < m * n; ++i) lu[i] = x[i];
        eliminate_few(lu, pivots, order, n);
        continue;
      }
      if (is_small<T>(m, n) || !in_library(x, lu, pivots, m, n)) {
        for (std::int64_t i = 0; i < m * n; ++i) lu[i] = x[i];
        eliminate(lu, pivots, m, n);
      }
      for (std::int64_t i = 0; i < m; ++i) order[i] = i;
      for (std::int64_t i = 0; i < k; ++i) std::swap(order[i], order[pivots[i]]);
    }
  }
  static void run(const auto& c) { detail::run_matrices<own<lu_p, decltype(c)>>(c); }

 private:
  /// The leading square of size at most `size`, with an identity matrix beside it up to that size.
  static constexpr array square_part(const auto& x, std::int64_t size) {
    const shape s = x.shape();
    const int r = s.rank();
    int_list zero = int_list::filled(r, 0), limit = s, more = zero;
    limit[r - 2] = std::min(s[r - 2], size);
    limit[r - 1] = std::min(s[r - 1], size);
    more[r - 2] = size - limit[r - 2];
    more[r - 1] = size - limit[r - 1];
    const array part = lax::pad(lax::slice(x, zero, limit), detail::scalar_like(x, 0), zero, more);
    if (more[r - 2] == 0 && more[r - 1] == 0) return part;
    // Ones on the diagonal beyond.
    const array place = lax::iota(i32, part.shape(), r - 1);
    const array beyond = lax::ge(place, array(literal(std::min(limit[r - 2], limit[r - 1]), i32, false)));
    return lax::select(beyond, lax::select(detail::on_diagonal(part), detail::scalar_like(x, 1), part), part);
  }
  /// Whether all elements fit into registers.
  template <class T>
  static constexpr bool is_few(std::int64_t m, std::int64_t n) { return std::is_floating_point_v<T> && m == n && n >= 2 && n <= 4; }
  /// Whether vectors do it sooner than a library.
  template <class T>
  static constexpr bool is_small(std::int64_t m, std::int64_t n) {
    if constexpr (std::is_floating_point_v<T>)
      if (!__builtin_is_constant_evaluated()) return detail::small_matrices<T>::suit(m, n);
    return false;
  }
  template <class T>
  [[gnu::always_inline]] static constexpr void eliminate_few([[maybe_unused]] T* a, [[maybe_unused]] std::int64_t* pivots,
                                                             [[maybe_unused]] std::int64_t* order, [[maybe_unused]] std::int64_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      if (n == 2) detail::eliminate_few<2>(a, pivots, order);
      else if (n == 3) detail::eliminate_few<3>(a, pivots, order);
      else detail::eliminate_few<4>(a, pivots, order);
    }
  }
  template <class T>
  static constexpr void eliminate(T* a, std::int64_t* pivots, std::int64_t m, std::int64_t n) {
    if constexpr (std::is_floating_point_v<T>)
      if (is_small<T>(m, n)) return detail::small_matrices<T>::lu(a, pivots, m, n);
    detail::eliminate<&detail::size_of_pivot<T>, &subtract_row<T>>(a, pivots, m, n);
  }
  template <class T>
  static constexpr void subtract_row(T* y, const T* x, T factor, std::int64_t n) {
    for (std::int64_t j = 0; j < n; ++j) y[j] = y[j] - factor * x[j];
  }
  /// By LAPACK, on the matrix column by column; a square one lies where the result does. False: it cannot.
  template <class T>
  static constexpr bool in_library(const T* x, T* lu, std::int64_t* pivots, std::int64_t m, std::int64_t n) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(std::min(m, n), m * n) || !detail::lapack_function<T, "getrf">()) return false;
    list<T> apart(static_cast<std::size_t>(m == n ? 0 : m * n));
    T* const columns = m == n ? lu : apart.data();
    std::vector<int> rows(static_cast<std::size_t>(std::min(m, n)), 0);
    int info = 0;
    detail::transpose_into(x, m, n, columns);
    detail::call_lapack<T, "getrf">(int(m), int(n), columns, int(m), rows.data(), &info);
    if (m == n) detail::transpose_square(lu, n);
    else detail::transpose_into(columns, n, m, lu);
    for (std::size_t i = 0; i < rows.size(); ++i) pivots[i] = rows[i] - 1;
    return true;
  }
};

namespace lax {
/// See lu_p. Returns the factors in one matrix, pivots and permutation.
template <class Array = array>
constexpr array_list lu(const lazy<Array>& a, location where = location::current()) {
  return bind_list<lu_p>({}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
