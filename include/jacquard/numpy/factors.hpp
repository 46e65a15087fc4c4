#pragma once
// Factors of matrices that are made of others: products of reflections, tridiagonal forms, polar factors, updates of Cholesky factors. Those of
// jax.lax.linalg are in lax, strict as the primitives. A header of its own, which jacquard.hpp does not include; deliberately without
// primitives, so that all have the derivatives of what they are made of.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/lax.hpp"
#include "jacquard/numpy/spectral.hpp"
#include "jacquard/prims/hessenberg.hpp"

namespace jacquard {

namespace detail {
/// Vectors v (..., m, k) and factors (..., k) of reflections, the first k columns of LAPACK's compact form; none after an error.
struct reflections {
  array vectors, factors;
};
template <class Array = array>
constexpr reflections reflections_of(std::string_view operation, const lazy<Array>& a, const lazy<Array>& taus, const location& where, array& bad) {
  const shape s = a.shape(), t = taus.shape();
  const int r = s.rank();
  const bool fits = r >= 2 && t.rank() == r - 1 && leading(s, 2) == leading(t, 1) && t[r - 2] <= columns_of(s) && t[r - 2] <= rows_of(s) && a.dtype() == taus.dtype();
  if (!fits) {
    bad = refuse(a, error_kind::shape, where, operation, ": got reflections ", s, " of dtype ", long_name(a.dtype()), " and factors ", t, " of dtype ",
                 long_name(taus.dtype()), "; wanted matrices (..., m, n) and factors (..., k) of one dtype, k <= min(m, n), as hessenberg gives them");
    return {};
  }
  const array v = first_columns(lower_part(a, -1), t[r - 2]);
  return {lax::add(v, identity_like(v)), taus};
}
/// q c, or q^H c, for the product q of the reflections 1 - tau v v^H: q = 1 - v t v^H with t = d (1 + s d)^-1, where d = diag(taus) and s is the
/// part of v^H v above the diagonal (Puglisi 1992, SIAM J. Sci. Stat. Comput. 13, in a form that takes factors of 0).
template <class Array = array>
constexpr array reflected_rows(const reflections& h, const lazy<Array>& c, bool adjoint_wanted) {
  const array inner = product_of(adjoint(h.vectors), c), above = upper_part(product_of(adjoint(h.vectors), h.vectors), 1);
  const std::int64_t k = rows_of(inner.shape()), n = columns_of(inner.shape());
  const array triangle = lax::mul(above, along_columns(h.factors, k));  // the solver reads its upper part and takes ones on the diagonal
  array y = inner;
  if (adjoint_wanted) {
    const array scaled = lax::mul(along_rows(lax::conj(h.factors), n), inner);
    y = lax::triangular_solve(triangle, scaled, {.lower = false, .transpose_a = true, .conjugate_a = true, .unit_diagonal = true});
  } else {
    y = lax::mul(along_rows(h.factors, n), lax::triangular_solve(triangle, inner, {.lower = false, .unit_diagonal = true}));
  }
  return lax::sub(c, product_of(h.vectors, y));
}
}  // namespace detail

namespace lax {

/// The first n columns of the product of reflections: of column j of a (..., m, n) the elements below row j, with a one before them, are a
/// vector v, and 1 - tau v v^H a reflection, for each of the factors taus (..., k); the form of LAPACK's orgqr.
/// Errors: shape_error for m < n, factors that do not fit or another dtype. Cost: 4 m n k operations.
template <class Array = array>
constexpr array householder_product(const lazy<Array>& a, const lazy<Array>& taus, location where = location::current()) {
  const rule_location_scope here(where);
  array bad;
  const detail::reflections h = detail::reflections_of("householder_product", a, taus, where, bad);
  if (h.vectors.is_none()) return bad;
  if (detail::rows_of(a.shape()) < detail::columns_of(a.shape()))
    return detail::refuse(a, error_kind::shape, where, "householder_product: got matrices of shape ", a.shape(), "; wanted at least as many rows as columns");
  return detail::reflected_rows(h, detail::identity_like(a), false);
}
/// q c for the product q of reflections (see householder_product), or q^H c if `transpose`, or without `left` c q and c q^H, without making q.
/// Errors: shape_error for factors or matrices that do not fit.
template <class Array = array>
constexpr array ormqr(const lazy<Array>& a, const lazy<Array>& taus, const lazy<Array>& c, bool left = true, bool transpose = false,
                      location where = location::current()) {
  const rule_location_scope here(where);
  array bad;
  const detail::reflections h = detail::reflections_of("ormqr", a, taus, where, bad);
  if (h.vectors.is_none()) return bad;
  const shape s = c.shape();
  if (s.rank() != a.ndim() || !(detail::leading(s, 2) == detail::leading(a.shape(), 2)) || s[s.rank() - (left ? 2 : 1)] != detail::rows_of(a.shape()))
    return detail::refuse(a, error_kind::shape, where, "ormqr: got a matrix of shape ", s, " and reflections of shape ", a.shape(),
                          "; wanted as many ", left ? "rows as" : "columns as the reflections have", left ? " the reflections have" : " rows");
  if (left) return detail::reflected_rows(h, c, transpose);
  return detail::adjoint(detail::reflected_rows(h, detail::adjoint(c), !transpose));
}

/// Hermitian matrices reduced by reflections.
struct tridiagonal_result {
  array a;     ///< (..., n, n): the tridiagonal form, and below it the vectors of the reflections; see hessenberg_p
  array d, e;  ///< the diagonal (..., n) and the one beside it (..., n - 1), real
  array taus;  ///< the factors of the reflections (..., n - 1)
};
/// The tridiagonal form of Hermitian matrices, of which the lower triangle is read, or the upper one. (The reflections are below the diagonal
/// in both cases.) Errors: as hessenberg_p; shape_error for n = 0. Cost: 10/3 n^3 operations.
template <class Array = array>
constexpr tridiagonal_result tridiagonal(const lazy<Array>& a, bool lower = true, location where = location::current()) {
  const rule_location_scope here(where);
  array x = a;
  if (x.ndim() >= 2 && detail::rows_of(x.shape()) == detail::columns_of(x.shape()) && detail::is_matrix_dtype(x.dtype())) {
    if (!lower) x = detail::adjoint(x);
    x = detail::hermitian_from_lower(x);
  }
  const array_list y = hessenberg(x, where);
  if (y.size() < 2) return {y[0], y[0], y[0], y[0]};  // after an error
  const std::int64_t n = detail::rows_of(x.shape());
  if (n == 0) {
    const array bad = detail::refuse(a, error_kind::shape, where, "tridiagonal: got matrices of shape ", x.shape(), "; wanted at least one row");
    return {bad, bad, bad, bad};
  }
  int_list from = int_list::filled(x.ndim(), 0), to = x.shape();
  from[x.ndim() - 2] = 1;
  to[x.ndim() - 1] = n - 1;
  const array beside = detail::diagonals_of(slice(y[0], from, to)), middle = detail::diagonals_of(y[0]);
  if (!is_complex(a.dtype())) return {y[0], middle, beside, y[1]};
  return {y[0], real(middle), real(beside), y[1]};
}

/// The upper triangular r' with r'^H r' = r^H r + w w^H, for an upper triangular r with a real diagonal: r (..., n, n), w (..., n). By rotations, row by
/// row (Golub and Van Loan, "Matrix computations", 4th edition, section 6.5.4). Errors: shape_error. Cost: 8 n^2 operations.
template <class Array = array>
constexpr array cholesky_update(const lazy<Array>& r, const lazy<Array>& w, location where = location::current()) {
  const rule_location_scope here(where);
  const shape s = r.shape();
  const int rank = s.rank();
  if (rank < 2 || detail::rows_of(s) != detail::columns_of(s) || !(w.shape() == detail::leading(s, 1)) || r.dtype() != w.dtype())
    return detail::refuse(r, error_kind::shape, where, "cholesky_update: got a factor of shape ", s, " and a vector of shape ", w.shape(),
                          "; wanted square matrices (..., n, n) and vectors (..., n) of one dtype");
  const auto step = [&](const array& x, const std::tuple<array, array>& in) {
    const array &row = std::get<0>(in), &k = std::get<1>(in);
    const array places = iota(i64, row.shape(), row.ndim() - 1), zero = detail::scalar_like(row, 0);
    const array here_only = eq(places, k);
    const auto element = [&](const array& v) { return reduce_sum(lax::select(here_only, v, zero), {v.ndim() - 1}); };
    const array diagonal = jacquard::real(element(row)), other = element(x);
    const array size = sqrt(add(mul(diagonal, diagonal), jacquard::real(mul(other, conj(other)))));
    const array nothing = eq(size, 0.0);
    const array divisor = lax::select(nothing, detail::scalar_like(size, 1), size);
    const auto along = [&](const array& v) { return detail::in_type_of(broadcast_in_dim(v, row.shape(), int_list::iota(v.ndim())), row); };
    const array cosine = along(lax::select(nothing, detail::scalar_like(size, 1), div(diagonal, divisor)));
    const array sine = div(broadcast_in_dim(other, row.shape(), int_list::iota(other.ndim())), along(divisor));
    const array turned = add(mul(cosine, row), mul(conj(sine), x)), rest = sub(mul(cosine, x), mul(sine, row));
    return std::pair(array(rest), array(lax::select(ge(places, k), turned, zero)));
  };
  const array rows = moveaxis(operand(r, where), rank - 2, 0);
  const array y = scan(step, array(conj(w)), std::tuple{rows, iota(i64, shape{detail::rows_of(s)}, 0)}, {}, where).second;
  return moveaxis(operand(y, where), 0, rank - 2);
}
/// alpha a a^T + beta c, without conjugation; all of it, not one triangle: a (..., n, k), c (..., n, n). Errors: shape_error.
template <class Array = array>
constexpr array symmetric_product(const lazy<Array>& a, const lazy<Array>& c, double alpha = 1, double beta = 0, location where = location::current()) {
  const rule_location_scope here(where);
  if (a.ndim() < 2 || !(c.shape() == detail::leading(a.shape(), 1, {detail::rows_of(a.shape())})))
    return detail::refuse(a, error_kind::shape, where, "symmetric_product: got matrices of shapes ", a.shape(), " and ", c.shape(),
                          "; wanted (..., n, k) and (..., n, n)");
  return add(mul(detail::product_of(a, detail::matrix_transpose(a)), alpha, where), mul(c, beta, where), where);
}

}  // namespace lax

namespace detail {
/// The unitary polar factor of matrices with at least as many rows as columns. Derivative: the part within the columns solves
/// x h + h x = u^H da - da^H u in the eigenvectors of h, the rest is da h^-1 (Kenney and Laub 1991, SIAM J. Matrix Anal. 12): it needs no
/// differences of singular values.
template <class Array = array>
constexpr array unitary_factor(const lazy<Array>& a) {
  const auto value = [](const array& x) {
    const array_list y = lax::svd(x, false, true);
    return product_of(y[1], y[2]);
  };
  const auto rule = [](const std::tuple<array>& primals, const std::tuple<array>& tangents) {
    const array_list y = lax::svd(std::get<0>(primals), false, true);
    const array &da = std::get<0>(tangents), &s = y[0], &vh = y[2];
    const array v = adjoint(vh), u = product_of(y[1], vh), inside = product_of(adjoint(u), da);
    const std::int64_t n = columns_of(da.shape());
    const array sums = in_type_of(lax::add(along_columns(s, n), along_rows(s, n)), da);
    const array turn = lax::div(product_of(vh, product_of(lax::sub(inside, adjoint(inside)), v)), sums);
    const array within = product_of(u, product_of(v, product_of(turn, vh)));
    const array outside = lax::div(product_of(lax::sub(da, product_of(u, inside)), v), in_type_of(along_columns(s, rows_of(da.shape())), da));
    return std::pair(array(u), array(lax::add(within, product_of(outside, vh))));
  };
  return custom_jvp(value, rule)(a);
}
}  // namespace detail

namespace linalg {

struct polar_result {
  array u, p;
};
/// a = u p for the side "right", a = p u for "left": u with orthonormal columns (or rows, whichever are fewer), p Hermitian and positive
/// semidefinite. By singular values. Derivatives need full rank, and distinct singular values from the second one on. Errors: shape_error for
/// fewer than two dimensions; value_error for another side.
template <class Operand = operand>
constexpr polar_result polar(const lazy<Operand>& a, std::string_view side = "right") {
  const rule_location_scope here(a.where);
  array bad = detail::check_matrix("polar", a);
  if (bad.is_none() && side != "left" && side != "right")
    bad = detail::bad_operand(a, error_kind::value, "polar: got the side \"", side, "\"; wanted right or left");
  if (!bad.is_none()) return {bad, bad};
  const array x = detail::as_inexact(a);
  array u;
  if (detail::rows_of(x.shape()) >= detail::columns_of(x.shape())) u = detail::unitary_factor(x);
  else u = detail::adjoint(detail::unitary_factor(detail::adjoint(x)));
  array p;
  if (side == "right") p = detail::product_of(detail::adjoint(u), x);
  else p = detail::product_of(x, detail::adjoint(u));
  return {u, lax::mul(0.5, lax::add(p, detail::adjoint(p)))};
}

}  // namespace linalg

}  // namespace jacquard
