#pragma once
// jq::linalg: systems, determinants and the factors they are made of. The last two dimensions are a matrix, leading ones broadcast.
// Deliberately without least squares, norms and functions of matrices: these are in spectral.hpp, which includes this header, and
// matrix_norms.hpp.

#include "jacquard/control/branches.hpp"
#include "jacquard/control/custom_batching.hpp"
#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/control/linear_solve.hpp"
#include "jacquard/numpy/contraction.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/cholesky.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/lu.hpp"
#include "jacquard/prims/reduce_logical.hpp"
#include "jacquard/prims/reduce_prod.hpp"
#include "jacquard/prims/rem.hpp"
#include "jacquard/prims/stop_gradient.hpp"
#include "jacquard/prims/svd.hpp"
#include "jacquard/prims/triangular_solve.hpp"

namespace jacquard {

namespace detail {

template <class Operand = operand>
constexpr array check_square(std::string_view operation, const lazy<Operand>& x) {
  const array missing = check_given(operation, x);
  if (!missing.is_none()) return missing;
  const shape s = x.value.shape();
  if (s.rank() >= 2 && rows_of(s) == columns_of(s)) return {};
  return bad_operand(x, error_kind::shape, operation, ": got an array of shape ", s,
                     "; wanted square matrices (..., n, n); jq::linalg::lstsq and pinv take others");
}
/// A matrix and a right-hand side of one dtype, with equal leading dimensions.
struct linear_system {
  array a, b;
  bool vector = false;  ///< b was one vector
};
/// `b` has one dimension, or those of matrices; `size` of its dimension `dimension` (-2 or -1) is wanted to be that of a.
template <class Operand = operand>
constexpr array make_system(std::string_view operation, const lazy<Operand>& a, const lazy<Operand>& b, linear_system& out) {
  const shape sa = a.value.shape(), sb = b.value.shape();
  out.vector = sb.rank() == 1;
  const std::int64_t n = rows_of(sa), got = sb.rank() == 0 ? -1 : out.vector ? sb[0] : rows_of(sb);
  shape joined;
  if (got != n || !broadcast_shapes(leading(sa, 2), out.vector ? shape{} : leading(sb, 2), joined))
    return bad_pair(operation, a, b, "a right-hand side (", n, ",) or (..., ", n, ", k) whose leading dimensions broadcast");
  const promoted_pair p(a, b, common_inexact_type(a, b));
  shape full_a = joined, full_b = joined;
  for (std::int64_t d : {n, columns_of(sa)}) full_a.push_back(d);
  for (std::int64_t d : {n, out.vector ? 1 : columns_of(sb)}) full_b.push_back(d);
  out.a = broadcast_operand(p.a, full_a, false, p.where);
  array columns = p.b;
  if (out.vector) columns = lax::reshape(columns, shape{n, 1});
  out.b = broadcast_operand(columns, full_b, false, p.where);
  return {};
}
/// A solution (..., n, k) as it is given back: (..., n) where b was a vector.
template <class Array = array>
constexpr array solution_of(const linear_system& s, const lazy<Array>& x) {
  if (s.vector) return lax::squeeze(x, {x.ndim() - 1});
  return x;
}

/// Solves with the factors of lu; of the transposed matrix, if wanted.
template <class Array = array>
constexpr array solve_by_lu(const lazy<Array>& lu, const lazy<Array>& permutation, const lazy<Array>& b, bool transpose) {
  const triangular_options unit_lower{.lower = true, .transpose_a = transpose, .unit_diagonal = true};
  const triangular_options upper{.lower = false, .transpose_a = transpose};
  if (!transpose) return lax::triangular_solve(lu, lax::triangular_solve(lu, rows_in_order(b, permutation), unit_lower), upper);
  return rows_put_back(lax::triangular_solve(lu, lax::triangular_solve(lu, b, upper), unit_lower), permutation);
}
/// x with a x = b, given the factors of a. Its derivatives are those of a solution, by the same factors: they never pass through the elimination.
template <class Array = array>
constexpr array solve_by_factors(const lazy<Array>& a, const lazy<Array>& lu, const lazy<Array>& permutation, const lazy<Array>& b) {
  return lax::custom_linear_solve([&](const array& x) { return product_of(a, x); }, b,
                                  [&](const auto&, const array& y) { return solve_by_lu(lu, permutation, y, false); },
                                  [&](const auto&, const array& y) { return solve_by_lu(lu, permutation, y, true); });
}
template <class Array = array>
constexpr array solve_matrices(const lazy<Array>& a, const lazy<Array>& b) {
  // One equation is a quotient, with the same bits. Filters that see one number at a time solve one in each trip of a loop, which is then
  // all of elementwise operations.
  if (rows_of(a.shape()) == 1) return lax::div(b, lax::broadcast_in_dim(a, b.shape(), int_list::iota(a.ndim())));
  const array_list factors = lax::lu(lax::stop_gradient(a));
  return solve_by_factors(a, factors[0], factors[2], b);
}
template <class Array = array>
constexpr array trace_of_matrices(const lazy<Array>& x) {
  return lax::reduce_sum(diagonals_of(x), {x.ndim() - 2});
}
/// +1 or -1: of the row exchanges.
template <class Array = array>
constexpr array sign_of_pivots(const lazy<Array>& pivots, const lazy<Array>& like) {
  const array moved = lax::ne(pivots, lax::iota(i32, pivots.shape(), pivots.ndim() - 1));
  const array count = lax::reduce_sum(lax::convert_element_type(moved, i32), {pivots.ndim() - 1});
  const array odd = lax::eq(lax::rem(count, array(literal(2, i32, false))), array(literal(1, i32, false)));
  return lax::select(odd, lax::full(odd.shape(), literal(-1, like.dtype(), false)), lax::full(odd.shape(), literal(1, like.dtype(), false)));
}
/// By cofactors, up to 3 x 3: a polynomial, whose derivatives are right for singular matrices too.
template <class Array = array>
constexpr array small_determinant(const lazy<Array>& x) {
  const std::int64_t n = rows_of(x.shape());
  const auto at = [&](std::int64_t i, std::int64_t j) { return element_of_matrices(x, i, j); };
  const auto minor = [&](std::int64_t i, std::int64_t j) {  // of rows n-2, n-1
    const array down = lax::mul(at(n - 2, i), at(n - 1, j)), up = lax::mul(at(n - 2, j), at(n - 1, i));
    return lax::sub(down, up);
  };
  if (n == 0) return lax::full(leading(x.shape(), 2), literal(1, x.dtype(), false));
  if (n == 1) return at(0, 0);
  if (n == 2) return minor(0, 1);
  const array first = lax::mul(at(0, 0), minor(1, 2)), second = lax::mul(at(0, 1), minor(0, 2)), third = lax::mul(at(0, 2), minor(0, 1));
  return lax::add(lax::sub(first, second), third);
}
template <class Array = array>
constexpr array determinant_by_lu(const lazy<Array>& a) {
  const array_list factors = lax::lu(a);
  return lax::mul(sign_of_pivots(factors[1], a), lax::reduce_prod(diagonals_of(factors[0]), {a.ndim() - 2}));
}


/// u, s and v^H of matrices for a derivative of second order; those beyond it, which have no safe form here, are NaN.
template <class Array = array>
constexpr std::tuple<array, array, array> singular_factors(const lazy<Array>& a) {
  const auto value = [](const array& m) {
    const array_list y = lax::svd(m);
    return std::tuple(y[1], y[0], y[2]);
  };
  return custom_jvp(value, [value](const std::tuple<array>& primals, const std::tuple<array>&) {
    const auto [u, s, vh] = value(std::get<0>(primals));
    const auto unknown = [](const array& x) { return lax::full(x.shape(), literal(std::numeric_limits<double>::quiet_NaN(), x.dtype(), false)); };
    return std::pair(std::tuple(u, s, vh), std::tuple(unknown(u), unknown(s), unknown(vh)));
  })(a);
}
/// The products of all singular values but number i, on the diagonal i, i; or but i and j, at i, j.
template <class Array = array>
constexpr array products_without(const lazy<Array>& s, bool pairs) {
  shape dims = s.shape();
  const int r = dims.rank();
  const std::int64_t n = dims[r - 1];
  for (int k = 0; k < (pairs ? 2 : 1); ++k) dims.push_back(n);
  int_list at = int_list::iota(r);
  at[r - 1] = dims.rank() - 1;
  const array all = lax::broadcast_in_dim(s, dims, at), place = lax::iota(i32, dims, dims.rank() - 1);
  array left_out = lax::eq(place, lax::iota(i32, dims, r - 1));
  if (pairs) left_out = lax::or_(left_out, lax::eq(place, lax::iota(i32, dims, r)));
  return lax::reduce_prod(lax::select(left_out, scalar_like(s, 1), all), {dims.rank() - 1});
}
/// det(a) a^-1 as v adj(s) u^H det(u v^H), which holds for matrices of every rank. Its derivative is that of the adjugate of a diagonal matrix:
/// adj(s + t f) has -t f_ij times the other s_k at i, j, and t times the sum of f_mm times the other s_k, m not i, at i, i.
template <class Array = array>
constexpr array singular_adjugate(const lazy<Array>& a) {
  const auto joined = [](const array& u, const array& vh, const array& middle) {
    const array turn = lax::mul(determinant_by_lu(u), determinant_by_lu(vh));
    const array y = product_of(adjoint(vh), product_of(middle, adjoint(u)));
    return lax::mul(lax::broadcast_in_dim(turn, y.shape(), int_list::iota(turn.ndim())), y);
  };
  const auto value = [joined](const array& m) {
    const auto [u, s, vh] = singular_factors(m);
    const array one = identity_like(m);
    const array diagonal = lax::broadcast_in_dim(in_type_of(products_without(s, false), m), m.shape(), int_list::iota(m.ndim() - 1));
    return joined(u, vh, lax::mul(one, diagonal));
  };
  return custom_jvp(value, [joined, value](const std::tuple<array>& primals, const std::tuple<array>& tangents) {
    const array& m = std::get<0>(primals);
    const auto [u, s, vh] = singular_factors(m);
    const int r = m.ndim();
    const array f = product_of(adjoint(u), product_of(std::get<0>(tangents), adjoint(vh)));
    const array diagonal = on_diagonal(m), others = in_type_of(products_without(s, true), m);
    const array apart = lax::select(diagonal, scalar_like(m, 0), others);
    const array weighted = lax::mul(apart, along_columns(diagonals_of(f), rows_of(m.shape())));
    const array sums = lax::broadcast_in_dim(lax::reduce_sum(weighted, {r - 1}), m.shape(), int_list::iota(r - 1));
    const array middle = lax::select(diagonal, sums, lax::neg(lax::mul(apart, f)));
    return std::pair(value(m), joined(u, vh, middle));
  })(a);
}
/// Where derivatives of a determinant may not be had from the inverse: a pivot has lost half of the digits to cancellation, so that the second of
/// them keeps less than half, or the determinant is zero. Number i is measured by (|L| |U|)_ii, from which it was left (Higham 2002, "Accuracy and
/// stability of numerical algorithms", theorem 9.3): scales of rows and columns do not matter.
template <class Array = array>
constexpr array near_singular(const lazy<Array>& lu, const lazy<Array>& det) {
  const array size = lax::abs(lu), pivots = diagonals_of(size);
  const array sums = lax::reduce_sum(lax::mul(size, matrix_transpose(upper_part(size, 1))), {lu.ndim() - 1});
  const double half_precision = size_of(pivots.dtype()) == 4 ? 0x1p-12 : 0x1p-26;
  const array lost = lax::reduce_or(lax::le(pivots, lax::mul(half_precision, lax::add(pivots, sums))), {lu.ndim() - 2});
  return lax::or_(lost, lax::eq(det, scalar_like(det, 0)));
}
/// det(a) a^-1, the derivative of det transposed, given the determinant. A mapped one is that of the matrices together: mapping a condition would
/// compute both sides.
template <class Array = array>
constexpr array adjugate(const lazy<Array>& a, const lazy<Array>& det) {
  const auto value = [](const array& m, const array& y, const array& lu, const array& permutation) {
    const array none_left = near_singular(lax::stop_gradient(lu), lax::stop_gradient(y));
    const auto singular = [](const array& x, const array&, const array&, const array&) { return singular_adjugate(x); };
    const auto regular = [](const array& x, const array& d, const array& factors, const array& order) {
      return lax::mul(lax::broadcast_in_dim(d, x.shape(), int_list::iota(d.ndim())), solve_by_factors(x, factors, order, identity_like(x)));
    };
    return lax::cond(lax::reduce_or(none_left, int_list::iota(none_left.ndim())), singular, regular, m, y, lu, permutation);
  };
  const auto many = [value](const mapped_arguments&, const array& m, const array& y, const array& lu, const array& permutation) {
    return value(m, y, lu, permutation);
  };
  const array_list factors = lax::lu(lax::stop_gradient(a));
  return custom_batching(value, many)(a, det, factors[0], factors[2]);
}

}  // namespace detail

namespace linalg {

struct slogdet_result {
  array sign, logabsdet;
};
struct lu_factors {
  array lu, pivots, permutation;
};

/// x with a x = b: b (n,) is a vector, b (..., n, k) holds columns; integers become f64. Infinities or NaN where a is singular.
/// Shapes  a (..., n, n), b -> that of b, leading dimensions broadcast.
/// Errors  shape_error: not square, or sizes that do not fit.
/// Rules   derivatives by the same factors, one pair of substitutions each; reverse mode solves the transposed system. Source: Giles, "An extended
///         collection of matrix derivative results for forward and reverse mode algorithmic differentiation", 2008.
/// Cost    2/3 n^3 + 2 n^2 k operations.
template <class Operand = operand>
constexpr array solve(const lazy<Operand>& a, const lazy<Operand>& b) {
  detail::linear_system s;
  array bad = detail::check_square("solve", a);
  if (!bad.is_none()) return bad;
  if (bad = detail::make_system("solve", a, b, s); !bad.is_none()) return bad;
  return detail::solution_of(s, detail::solve_matrices(s.a, s.b));
}
/// The inverse of matrices. Errors: shape_error for matrices that are not square. Prefer solve to a product with an inverse.
/// Rules   those of solve: the tangent is -a^-1 da a^-1. Source: Giles, as there.
template <class Operand = operand>
constexpr array inv(const lazy<Operand>& a) {
  const array bad = detail::check_square("inv", a);
  if (!bad.is_none()) return bad;
  const array x = detail::as_inexact(a);
  return detail::solve_matrices(x, detail::identity_like(x));
}
/// The determinant. Its derivatives are right for singular matrices of every rank, also where rounding hides it: the first two, up to size 3 all of
/// them.
/// Errors: shape_error for matrices that are not square.
/// Rules   the tangent is the trace of the adjugate times da (Jacobi's formula). Source: Magnus and Neudecker, "Matrix differential calculus", 1988.
template <class Operand = operand>
constexpr array det(const lazy<Operand>& a) {
  const array bad = detail::check_square("det", a);
  if (!bad.is_none()) return bad;
  const array x = detail::as_inexact(a);
  if (detail::rows_of(x.shape()) <= 3) return detail::small_determinant(x);
  return custom_jvp([](const array& m) { return detail::determinant_by_lu(m); },
                    [](const std::tuple<array>& primals, const std::tuple<array>& tangents) {
                      const array& m = std::get<0>(primals);
                      const array y = det(operand(m)), cofactors = detail::matrix_transpose(detail::adjugate(m, y));
                      const int r = m.ndim();
                      return std::pair(y, lax::reduce_sum(lax::mul(cofactors, std::get<0>(tangents)), {r - 2, r - 1}));
                    })(x);
}
/// The determinant as sign * exp(logabsdet), which neither overflows nor underflows; of a singular matrix 0 and -infinity.
/// Errors: shape_error for matrices that are not square.
/// Rules   the logarithm's tangent is the trace of a^-1 da, its imaginary part turns the sign. Source: as for det.
template <class Operand = operand>
constexpr slogdet_result slogdet(const lazy<Operand>& a) {
  const array bad = detail::check_square("slogdet", a);
  if (!bad.is_none()) return {bad, bad};
  const array x = detail::as_inexact(a);
  const auto value = [](const array& m) {
    if (detail::rows_of(m.shape()) == 1) {
      const array only = detail::element_of_matrices(m, 0, 0);
      return std::pair(lax::sign(only), lax::log(lax::abs(only)));
    }
    const array_list factors = lax::lu(m);
    const array pivots = detail::diagonals_of(factors[0]);
    const int last = pivots.ndim() - 1;
    const array size = lax::abs(pivots), sign = lax::reduce_prod(lax::sign(pivots), {last});
    return std::pair(lax::mul(detail::sign_of_pivots(factors[1], m), sign), lax::reduce_sum(lax::log(size), {last}));
  };
  const auto rule = [value](const std::tuple<array>& primals, const std::tuple<array>& tangents) {
    const array& m = std::get<0>(primals);
    const auto [sign, log] = value(m);
    const array slope = detail::trace_of_matrices(detail::solve_matrices(m, std::get<0>(tangents)));
    array turn = lax::zeros(sign.aval());
    if (is_complex(sign.dtype())) turn = lax::mul(sign, lax::complex(detail::scalar_like(lax::real(slope), 0), lax::imag(slope)));
    return std::pair(std::pair(sign, log), std::pair(turn, lax::real(slope)));
  };
  const auto [sign, log] = custom_jvp(value, rule)(x);
  return {sign, log};
}
/// The lower triangular factor L with a = L L^H; NaN where a is not positive definite. The Hermitian part of a is taken.
/// `upper`: the factor U = L^H. Errors: shape_error for matrices that are not square.
template <class Operand = operand>
constexpr array cholesky(const lazy<Operand>& a, bool upper = false) {
  const array bad = detail::check_square("cholesky", a);
  if (!bad.is_none()) return bad;
  const array x = detail::as_inexact(a);
  const array l = lax::cholesky(lax::mul(0.5, lax::add(x, detail::adjoint(x))), a.where);
  if (upper) return detail::adjoint(l);
  return l;
}
/// x with op(a) x = b for triangular a, as solve; see triangular_options (right-hand sides are on the left_side).
/// Errors: shape_error.
template <class Operand = operand>
constexpr array triangular_solve(const lazy<Operand>& a, const lazy<Operand>& b, const triangular_options& o = {}) {
  detail::linear_system s;
  array bad = detail::check_square("triangular_solve", a);
  if (!bad.is_none()) return bad;
  if (bad = detail::make_system("triangular_solve", a, b, s); !bad.is_none()) return bad;
  return detail::solution_of(s, lax::triangular_solve(s.a, s.b, o, a.where));
}
/// x with a x = b, given the factor of a that cholesky returns. Errors: shape_error.
template <class Operand = operand>
constexpr array cho_solve(const lazy<Operand>& factor, const lazy<Operand>& b, bool upper = false) {
  detail::linear_system s;
  array bad = detail::check_square("cho_solve", factor);
  if (!bad.is_none()) return bad;
  if (bad = detail::make_system("cho_solve", factor, b, s); !bad.is_none()) return bad;
  const triangular_options plain{.lower = !upper}, turned{.lower = !upper, .transpose_a = true, .conjugate_a = true};
  const array y = lax::triangular_solve(s.a, s.b, upper ? turned : plain, factor.where);
  return detail::solution_of(s, lax::triangular_solve(s.a, y, upper ? plain : turned, factor.where));
}
/// Rows and columns exchanged. Errors: value_error for fewer than two dimensions.
template <class Operand = operand>
constexpr array matrix_transpose(const lazy<Operand>& x) { return swapaxes(x, -1, -2); }
/// The factors of square matrices for lu_solve. Errors: shape_error.
template <class Operand = operand>
constexpr lu_factors lu_factor(const lazy<Operand>& a) {
  const array bad = detail::check_square("lu_factor", a);
  if (!bad.is_none()) return {bad, bad, bad};
  const array_list y = lax::lu(detail::as_inexact(a), a.where);
  return {y[0], y[1], y[2]};
}
/// x with a x = b, or of the transposed matrix, given the factors of a. Errors: shape_error.
template <class Operand = operand>
constexpr array lu_solve(const lu_factors& f, const lazy<Operand>& b, bool transpose = false) {
  detail::linear_system s;
  const array bad = detail::make_system("lu_solve", operand(f.lu, b.where), b, s);
  if (!bad.is_none()) return bad;
  const shape order = detail::leading(s.a.shape(), 1);
  const array permutation = detail::broadcast_operand(f.permutation, order, false, b.where);
  return detail::solution_of(s, detail::solve_by_lu(s.a, permutation, s.b, transpose));
}

}  // namespace linalg

}  // namespace jacquard
