#pragma once
// Factors and triangular systems of matrices so small that each is better written out than called for: the of_few rules of lu and
// triangular_solve. Rows are exchanged by selects, so that matrices side by side each choose their own. Deliberately for real numbers, and so that
// each element is computed as by the kernels.

#include "jacquard/prims/abs_sign.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/squeeze.hpp"

namespace jacquard::detail {

/// Sides of matrices that are written out.
inline constexpr std::int64_t most_written_out = 4;
/// So many of them are many.
inline constexpr std::int64_t least_examples = 8;

/// Matrices x [..., m, n], of which parts are taken and put together again by the numbers of rows and columns.
template <class Array = array>
class written_matrices {
 public:
  constexpr explicit written_matrices(const shape& s) : s_(s), row_(lax::iota(i32, s, s.rank() - 2)), column_(lax::iota(i32, s, s.rank() - 1)) {}

  /// Row i of each, [..., n], or column i, [..., m]; of lists [..., n] element i.
  static constexpr array line(const array& x, std::int64_t i, bool is_row) {
    const int along = x.ndim() - (is_row ? 2 : 1);
    int_list low = int_list::filled(x.ndim(), 0), high = x.shape();
    low[along] = i, high[along] = i + 1;
    return lax::squeeze(lax::slice(x, low, high), {along});
  }
  /// A value of each matrix [...] for all its elements; one of each row [..., m], one of each column [..., n].
  constexpr array of_each(const array& x) const { return lax::broadcast_in_dim(x, s_, int_list::iota(s_.rank() - 2)); }
  constexpr array of_rows(const array& x) const { return lax::broadcast_in_dim(x, s_, int_list::iota(s_.rank() - 1)); }
  constexpr array of_columns(const array& x) const {
    int_list dims = int_list::iota(s_.rank() - 1);
    dims[s_.rank() - 2] = s_.rank() - 1;
    return lax::broadcast_in_dim(x, s_, dims);
  }
  static constexpr array number(std::int64_t k, const shape& s) { return lax::broadcast_in_dim(array(literal(k, i32, false)), s, {}); }
  constexpr array is_row(std::int64_t k) const { return lax::eq(row_, number(k, s_)); }
  constexpr array is_column(std::int64_t k) const { return lax::eq(column_, number(k, s_)); }
  constexpr array is_below(std::int64_t k) const { return lax::gt(row_, number(k, s_)); }
  constexpr array is_behind(std::int64_t k) const { return lax::gt(column_, number(k, s_)); }
  /// Where the row is that of each matrix [...].
  constexpr array is_row_of(const array& which) const { return lax::eq(row_, of_each(which)); }

 private:
  shape s_;
  array row_, column_;
};

/// Whether square matrices of that type are written out.
constexpr bool is_written_out(const aval& t) {
  return is_floating(t.type) && size_of(t.type) >= 4 && t.rank() >= 2 && rows_of(t.dims) == columns_of(t.dims) && rows_of(t.dims) >= 1 && rows_of(t.dims) <= most_written_out;
}

/// The results of lu of such matrices. The first of the largest elements is the pivot; where it is zero nothing is eliminated.
template <class Array = array>
constexpr array_list lu_written_out(const array& x) {
  const shape s = x.shape(), each = leading(s, 2), list_shape = leading(s, 2, {rows_of(s)});
  const std::int64_t n = rows_of(s);
  const written_matrices<Array> all(s);
  const auto wide = [&](const array& a) { return lax::broadcast_in_dim(a, list_shape, int_list::iota(each.rank())); };
  const auto all_are = [&](double v) { return lax::broadcast_in_dim(scalar_like(x, v), each, {}); };
  const array place = lax::iota(i32, list_shape, list_shape.rank() - 1);
  array left = x, pivots = place, order = place;
  for (std::int64_t k = 0; k + 1 < n; ++k) {
    array most = lax::abs(element_of_matrices(left, k, k)), best = all.number(k, each);
    for (std::int64_t i = k + 1; i < n; ++i) {
      const array size = lax::abs(element_of_matrices(left, i, k)), more = lax::gt(size, most);
      best = lax::select(more, all.number(i, each), best);
      if (i + 1 < n) most = lax::select(more, size, most);
    }
    array chosen = all.line(left, k, true);
    const array first = chosen;
    for (std::int64_t i = k + 1; i < n; ++i) chosen = lax::select(lax::eq(wide(best), all.number(i, list_shape)), all.line(left, i, true), chosen);
    left = lax::select(all.is_row(k), all.of_columns(chosen), lax::select(all.is_row_of(best), all.of_columns(first), left));
    const array here = all.line(order, k, false);
    array moved = here;  // the number of the row that lies at best
    for (std::int64_t i = k + 1; i < n; ++i) moved = lax::select(lax::eq(best, all.number(i, each)), all.line(order, i, false), moved);
    const array is_k = lax::eq(place, all.number(k, list_shape));
    order = lax::select(is_k, wide(moved), lax::select(lax::eq(place, wide(best)), wide(here), order));
    pivots = lax::select(is_k, wide(best), pivots);
    const array pivot = element_of_matrices(left, k, k), none = lax::eq(pivot, all_are(0));
    const array factors = lax::div(all.line(left, k, false), wide(lax::select(none, all_are(1), pivot)));
    const array eliminated = lax::sub(left, lax::mul(all.of_rows(factors), all.of_columns(chosen)));
    const array made = lax::select(all.is_column(k), all.of_rows(factors), lax::select(lax::and_(all.is_behind(k), lax::not_(all.of_each(none))), eliminated, left));
    left = lax::select(all.is_below(k), made, left);
  }
  return {left, pivots, order};
}

/// x with op(a) x = b, or x op(a) = b; see triangular_solve_p. `turned`: element (i, j) of what acts on unknowns is a(j, i).
template <class Array = array>
constexpr array triangular_written_out(const array& a, const array& b, bool left_side, bool turned, bool forward, bool unit_diagonal) {
  const std::int64_t n = rows_of(a.shape());
  const written_matrices<Array> result(b.shape());
  const auto at = [&](std::int64_t i, std::int64_t j, const shape& of) {
    return lax::broadcast_in_dim(turned ? element_of_matrices(a, j, i) : element_of_matrices(a, i, j), of, int_list::iota(of.rank() - 1));
  };
  array x = b;
  std::vector<array> solved(static_cast<std::size_t>(n));
  for (std::int64_t step = 0; step < n; ++step) {
    const std::int64_t i = forward ? step : n - 1 - step;
    array y = result.line(b, i, left_side);
    for (std::int64_t s = 0; s < step; ++s) {
      const std::int64_t j = forward ? s : n - 1 - s;
      y = lax::sub(y, lax::mul(at(i, j, y.shape()), solved[std::size_t(j)]));
    }
    if (!unit_diagonal) y = lax::div(y, at(i, i, y.shape()));
    solved[std::size_t(i)] = y;
    if (left_side) x = lax::select(result.is_row(i), result.of_columns(y), x);
    else x = lax::select(result.is_column(i), result.of_rows(y), x);
  }
  return x;
}

}  // namespace jacquard::detail
