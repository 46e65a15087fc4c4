#pragma once
// jq::linalg, continued: orthogonal factors, eigenvalues, singular values and what is made of them: norms, pseudoinverses, least squares,
// functions of matrices. Orders of norms are in matrix_norms.hpp.

#include "jacquard/numpy/linalg.hpp"
#include "jacquard/prims/eig.hpp"
#include "jacquard/prims/eigh.hpp"
#include "jacquard/prims/qr.hpp"
#include "jacquard/prims/schur.hpp"
#include "jacquard/prims/svd.hpp"

namespace jacquard {

namespace linalg {

struct qr_result {
  array q, r;
};
struct svd_result {
  array u, s, vh;
};
struct eigh_result {
  array eigenvalues, eigenvectors;
};
using eig_result = eigh_result;
struct schur_result {
  array t, z;
};
struct lstsq_result {
  array x, residuals, rank, s;
};

/// a = q r with orthonormal columns of q: (..., m, k) and (..., k, n), k = min(m, n), or with full_matrices (..., m, m) and (..., m, n).
/// Errors: shape_error for fewer than two dimensions.
template <class Operand = operand>
constexpr qr_result qr(const lazy<Operand>& a, bool full_matrices = false) {
  const array_list y = lax::qr(detail::as_inexact(a), full_matrices, a.where);
  if (y.size() != 2) return {y[0], y[0]};
  return {y[0], y[1]};
}
/// a = u diag(s) vh, s descending; full_matrices as numpy's default, which adds vectors to bases of the whole spaces.
/// Errors: shape_error for fewer than two dimensions.
template <class Operand = operand>
constexpr svd_result svd(const lazy<Operand>& a, bool full_matrices = true) {
  const array_list y = lax::svd(detail::as_inexact(a), full_matrices, true, a.where);
  if (y.size() != 3) return {y[0], y[0], y[0]};
  return {y[1], y[0], y[2]};
}
/// The singular values, descending. Errors: shape_error for fewer than two dimensions.
template <class Operand = operand>
constexpr array svdvals(const lazy<Operand>& a) {
  return lax::svd(detail::as_inexact(a), false, false, a.where)[0];
}
/// Eigenvalues in ascending order and eigenvectors (columns) of the Hermitian part of a. Errors: shape_error if not square.
template <class Operand = operand>
constexpr eigh_result eigh(const lazy<Operand>& a) {
  const array bad = detail::check_square("eigh", a);
  if (!bad.is_none()) return {bad, bad};
  const array x = detail::as_inexact(a);
  const array_list y = lax::eigh(lax::mul(0.5, lax::add(x, detail::adjoint(x))), true, a.where);
  return {y[0], y[1]};
}
/// Eigenvalues of the Hermitian part of a, ascending. Errors: shape_error if not square.
template <class Operand = operand>
constexpr array eigvalsh(const lazy<Operand>& a) {
  const array bad = detail::check_square("eigvalsh", a);
  if (!bad.is_none()) return bad;
  const array x = detail::as_inexact(a);
  return lax::eigh(lax::mul(0.5, lax::add(x, detail::adjoint(x))), false, a.where)[0];
}

}  // namespace linalg

namespace detail {
/// The operand as complex numbers.
template <class Operand = operand>
constexpr array as_complex(const lazy<Operand>& x) {
  const array v = as_inexact(x);
  return is_complex(v.dtype()) ? v : as_type(v, {size_of(v.dtype()) == 8 ? c128 : c64, v.weak_type()}, x.where);
}
/// 1 / s where s is more than `relative` times the largest value, else 0.
template <class Array = array>
constexpr array inverse_of_values(const lazy<Array>& s, double relative) {
  const int last = s.ndim() - 1;
  const array cutoff = along_rows(lax::mul(relative, lax::reduce_max(s, {last})), s.shape()[last]);
  const array counts = lax::gt(s, cutoff);
  return lax::select(counts, lax::div(1.0, lax::select(counts, s, scalar_like(s, 1))), scalar_like(s, 0));
}
/// The relative size below which a singular value counts as zero, unless the user says it.
template <class Array = array>
constexpr double cutoff_of(const lazy<Array>& x, double given) {
  if (given >= 0) return given;
  const double unit = size_of(x.dtype()) == 4 || x.dtype() == c64 ? 0x1p-23 : 0x1p-52;
  return double(std::max(rows_of(x.shape()), columns_of(x.shape()))) * unit;
}
template <class Array = array>
constexpr array pseudoinverse(const lazy<Array>& x, double relative) {
  const auto value = [relative](const array& a) {
    const array_list y = lax::svd(a, false, true);
    const array inverse = in_type_of(inverse_of_values(y[0], relative), a), v = adjoint(y[2]);
    return product_of(lax::mul(v, along_columns(inverse, rows_of(v.shape()))), adjoint(y[1]));
  };
  // Golub and Pereyra 1973, SIAM J. Numer. Anal. 10, eq. 4.12: no terms over differences of singular values.
  const auto rule = [relative](const std::tuple<array>& primals, const std::tuple<array>& tangents) {
    const array &a = std::get<0>(primals), &da = std::get<0>(tangents);
    const array p = pseudoinverse(a, relative), ph = adjoint(p), dah = adjoint(da);
    const array direct = product_of(p, product_of(da, p));
    const array left = product_of(p, product_of(ph, dah)), right = product_of(dah, product_of(ph, p));
    const array outside = lax::sub(left, product_of(product_of(left, a), p)), beside = lax::sub(right, product_of(p, product_of(a, right)));
    return std::pair(p, lax::add(lax::sub(outside, direct), beside));
  };
  return custom_jvp(value, rule)(x);
}
}  // namespace detail

namespace linalg {

/// Eigenvalues, sorted by real, then imaginary part, and eigenvectors (columns of norm 1) of general matrices; complex.
/// Errors: shape_error if not square.
template <class Operand = operand>
constexpr eig_result eig(const lazy<Operand>& a) {
  const array bad = detail::check_square("eig", a);
  if (!bad.is_none()) return {bad, bad};
  const array_list y = lax::eig(detail::as_complex(a), true, a.where);
  return {y[0], y[1]};
}
/// Eigenvalues of general matrices, sorted by real, then imaginary part; complex. Errors: shape_error if not square.
template <class Operand = operand>
constexpr array eigvals(const lazy<Operand>& a) {
  const array bad = detail::check_square("eigvals", a);
  if (!bad.is_none()) return bad;
  return lax::eig(detail::as_complex(a), false, a.where)[0];
}
/// a = z t z^H with z unitary and t upper triangular; of real matrices, for output "real", real with blocks of 2 x 2 for pairs of complex
/// eigenvalues (see schur_p), for "complex" a triangle of complex numbers. Errors: shape_error if not square; value_error for another output.
template <class Operand = operand>
constexpr schur_result schur(const lazy<Operand>& a, std::string_view output = "real") {
  const array bad = detail::check_square("schur", a);
  if (!bad.is_none()) return {bad, bad};
  if (output != "real" && output != "complex") {
    const array unknown = detail::bad_operand(a, error_kind::value, "schur: got the output \"", output, "\"; wanted real or complex");
    return {unknown, unknown};
  }
  array x = detail::as_inexact(a);
  if (output == "complex") x = detail::as_complex(a);
  const array_list y = lax::schur(x, true, a.where);
  return {y[0], y[1]};
}
/// The pseudoinverse of Moore and Penrose. Singular values at most `relative` times the largest count as zero; by default max(m, n) times
/// the unit roundoff. Errors: shape_error for fewer than two dimensions.
/// Rules: the derivative at constant rank (Golub and Pereyra 1973).
template <class Operand = operand>
constexpr array pinv(const lazy<Operand>& a, double relative = -1) {
  const array bad = detail::check_matrix("pinv", a);
  if (!bad.is_none()) return bad;
  const array x = detail::as_inexact(a);
  if (x.size() == 0) return detail::matrix_transpose(x);
  return detail::pseudoinverse(x, detail::cutoff_of(x, relative));
}
/// How many singular values are more than `relative` times the largest, i64; see pinv. Of a vector or a number 1, unless all of it is zero.
template <class Operand = operand>
constexpr array matrix_rank(const lazy<Operand>& a, double relative = -1) {
  const array x = detail::as_inexact(a);
  if (x.ndim() < 2) return detail::as_type(any(operand(x != 0, a.where)), {i64, false}, a.where);
  if (x.size() == 0) return lax::full(detail::leading(x.shape(), 2), literal(0, i64, false));
  const array s = lax::svd(x, false, false)[0];
  const array counts = lax::ne(detail::inverse_of_values(s, detail::cutoff_of(x, relative)), detail::scalar_like(s, 0));
  return lax::reduce_sum(lax::convert_element_type(counts, i64), {s.ndim() - 1});
}
/// The x of least norm among those that make |a x - b| least: b (m,) or (m, k). Also the squares of what remains by column, the rank and
/// the singular values. `relative`: see pinv. Errors: shape_error: a is no matrix, sizes that do not fit.
template <class Operand = operand>
constexpr lstsq_result lstsq(const lazy<Operand>& a, const lazy<Operand>& b, double relative = -1) {
  array bad = detail::check_matrix("lstsq", a);
  if (!bad.is_none()) return {bad, bad, bad, bad};
  detail::linear_system s;
  if (bad = detail::make_system("lstsq", a, b, s); !bad.is_none()) return {bad, bad, bad, bad};
  const array x = detail::product_of(pinv(operand(s.a, a.where), relative), s.b);
  const array rest = lax::sub(s.b, detail::product_of(s.a, x));
  array squares = lax::reduce_sum(detail::squares_of(rest, a.where), {rest.ndim() - 2});
  if (s.vector) squares = lax::squeeze(squares, {squares.ndim() - 1});
  return {detail::solution_of(s, x), squares, matrix_rank(operand(s.a, a.where), relative),
          lax::svd(s.a, false, false)[0]};
}
/// a multiplied n times by itself, by repeated squaring; of n < 0 the powers of the inverse. Errors: shape_error if not square.
template <class Operand = operand>
constexpr array matrix_power(const lazy<Operand>& a, std::int64_t n) {
  const array bad = detail::check_square("matrix_power", a);
  if (!bad.is_none()) return bad;
  if (n == 0) return detail::identity_like(a.value);
  array power = a.value, r;
  if (n < 0) power = inv(a);
  for (std::uint64_t rest = n < 0 ? 0 - std::uint64_t(n) : std::uint64_t(n); rest != 0; rest /= 2) {
    if (rest % 2 == 1 && r.is_none()) r = power;
    else if (rest % 2 == 1) r = detail::product_of(r, power);
    if (rest > 1) power = detail::product_of(power, power);
  }
  return r;
}

}  // namespace linalg

}  // namespace jacquard
