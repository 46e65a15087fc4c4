#pragma once
// Factors and triangular systems of matrices so small that each is better written out than called for: the of_few rules of lu and
// triangular_solve. Rows are exchanged by selects, so that matrices side by side each choose their own. Deliberately for real numbers, and with
// the operations of the kernels in their order.

#include "jacquard/prims/abs_sign.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/slice.hpp"

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

  /// Element (i, j) of each, [...].
  static constexpr array element(const array& x, std::int64_t i, std::int64_t j) {
    const int r = x.ndim();
    int_list low = int_list::filled(r, 0), high = x.shape();
    low[r - 2] = i, high[r - 2] = i + 1, low[r - 1] = j, high[r - 1] = j + 1;
    return lax::reshape(lax::slice(x, low, high), leading(x.shape(), 2));
  }
  /// Row i of each, [..., n], or column i, [..., m].
  static constexpr array line(const array& x, std::int64_t i, bool is_row) {
    const int r = x.ndim(), along = is_row ? r - 2 : r - 1;
    int_list low = int_list::filled(r, 0), high = x.shape();
    low[along] = i, high[along] = i + 1;
    return lax::reshape(lax::slice(x, low, high), shape(x.shape().without(along)));
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
  const auto zero = [&](const shape& of) { return lax::broadcast_in_dim(array(literal(0.0, x.dtype(), false)), of, {}); };
  const auto number = [&](std::int64_t k, const shape& of) { return written_matrices<Array>::number(k, of); };
  const array place = lax::iota(i32, list_shape, list_shape.rank() - 1);
  array left = x, pivots = place, order = place;
  for (std::int64_t k = 0; k + 1 < n; ++k) {
    array most = lax::abs(all.element(left, k, k)), best = number(k, each);
    for (std::int64_t i = k + 1; i < n; ++i) {
      const array size = lax::abs(all.element(left, i, k)), more = lax::gt(size, most);
      best = lax::select(more, number(i, each), best);
      if (i + 1 < n) most = lax::select(more, size, most);
    }
    array chosen = all.line(left, k, true);
    const array first = chosen;
    for (std::int64_t i = k + 1; i < n; ++i) chosen = lax::select(lax::eq(wide(best), number(i, list_shape)), all.line(left, i, true), chosen);
    left = lax::select(all.is_row(k), all.of_columns(chosen), lax::select(all.is_row_of(best), all.of_columns(first), left));
    array moved = number(0, each), here;
    for (std::int64_t i = 0; i < n; ++i) {  // the row that lies at best, and that at k
      int_list low = int_list::filled(list_shape.rank(), 0), high = list_shape;
      low[list_shape.rank() - 1] = i, high[list_shape.rank() - 1] = i + 1;
      const array at = lax::reshape(lax::slice(order, low, high), each);
      if (i == k) here = moved = at;
      else if (i > k) moved = lax::select(lax::eq(best, number(i, each)), at, moved);
    }
    const array is_k = lax::eq(place, number(k, list_shape));
    order = lax::select(is_k, wide(moved), lax::select(lax::eq(place, wide(best)), wide(here), order));
    pivots = lax::select(is_k, wide(best), pivots);
    const array pivot = all.element(left, k, k), none = lax::eq(pivot, zero(each));
    const array one = lax::broadcast_in_dim(array(literal(1.0, x.dtype(), false)), each, {});
    const array factors = lax::div(all.line(left, k, false), wide(lax::select(none, one, pivot)));
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
    return lax::broadcast_in_dim(turned ? result.element(a, j, i) : result.element(a, i, j), of, int_list::iota(of.rank() - 1));
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
