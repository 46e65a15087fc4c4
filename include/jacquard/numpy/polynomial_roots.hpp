#pragma once
// What polynomials need of linear algebra: roots as eigenvalues, and fits by least squares. Coefficients come with the highest power first.

#include "jacquard/numpy/grids.hpp"
#include "jacquard/numpy/linalg.hpp"
#include "jacquard/numpy/polynomials.hpp"
#include "jacquard/numpy/spectral.hpp"

namespace jacquard {

namespace detail {
/// The roots of a polynomial whose first coefficient is not 0: the eigenvalues of its companion matrix.
template <class Array = array>
constexpr array companion_roots(const lazy<Array>& p, const location& where) {
  const std::int64_t n = p.size() - 1;
  const array tail = lax::slice(p, {1}, {n + 1}, {}, where), leading = lax::reshape(lax::slice(p, {0}, {1}, {}, where), shape{}, where);
  const array row = lax::reshape(lax::neg(lax::div(tail, leading, where), where), shape{1, n}, where);
  return linalg::eigvals(operand(lax::concatenate({row, eye(n - 1, n, 0, p.dtype(), where)}, 0, where), where));
}
}  // namespace detail

/// The roots of a polynomial, complex, in no certain order. Zeros in front are dropped, and those at the end give roots 0, which needs values: with
/// strip_zeros = false nothing is looked at, and the first coefficient must not be 0. Errors: shape_error for more or less than one dimension;
/// concretization_error where zeros are to be dropped and values are not known.
template <class Operand = operand>
constexpr array roots(const lazy<Operand>& p, bool strip_zeros = true) {
  const location& where = p.where;
  const array bad = detail::check_vector("roots", p);
  if (!bad.is_none()) return bad;
  const array c = detail::as_inexact(p);
  const aval type(complex_dtype(c.dtype()), shape{c.size() > 0 ? c.size() - 1 : 0});
  if (c.size() < 2) return lax::zeros(type, where);
  if (!strip_zeros) return detail::companion_roots(c, where);
  const Operand nonzero(operand(c, where) != operand(0, where), where);  // not `operand`: see places_of
  if (!any(nonzero).template item<bool>()) return lax::zeros(type.with(shape{0}), where);
  const std::int64_t first = argmax(nonzero).template item<std::int64_t>();
  const std::int64_t last = c.size() - 1 - argmax(operand(lax::rev(nonzero.value, {0}, where), where)).template item<std::int64_t>();
  const array zeros = lax::zeros(type.with(shape{c.size() - 1 - last}), where);
  if (first == last) return zeros;
  return lax::concatenate({detail::companion_roots(lax::slice(c, {first}, {last + 1}, {}, where), where), zeros}, 0, where);
}

/// A fit of polynomials, and the covariances of the coefficients.
struct polyfit_result {
  array coefficients, covariances;
};
namespace detail {
/// The least squares of a fit: the matrix of powers, its columns scaled to norm 1, and what they were divided by.
struct scaled_powers {
  array matrix, right_side, scales, bad;

  template <class Array = array>
  constexpr array unscaled(const lazy<Array>& c) const {
    if (c.ndim() == 2) return c / expand_dims(scales, -1);
    return c / scales;
  }
};
template <class Operand = operand>
constexpr scaled_powers powers_to_fit(const lazy<Operand>& x, const lazy<Operand>& y, std::int64_t degree, const lazy<Operand>& weights) {
  const rule_location_scope here(x.where);
  const std::int64_t n = x.value.size();
  const int rank = y.value.ndim();
  const bool fits = x.value.ndim() == 1 && (rank == 1 || rank == 2) && y.value.shape()[0] == n && degree >= 0 &&
                    (weights.value.ndim() == 0 || weights.value.shape() == shape{n});
  if (!fits)
    return {{}, {}, {}, bad_operands(x, y, error_kind::shape, "polyfit: got points of shape ", x.value.shape(), ", values of shape ", y.value.shape(),
                                     ", weights of shape ", weights.value.shape(), " and the degree ", degree,
                                     "; wanted a vector of points, as many values or rows of values, a weight for each, and a degree >= 0")};
  const promoted_pair p(x, y, common_inexact_type(x, y));
  array w = as_type(weights.value, {real_dtype(p.a.dtype()), false}, x.where);
  array b = p.b;
  if (w.ndim() == 1) {
    w = lax::reshape(w, shape{n, 1}, x.where);
    if (rank == 2) b = b * w;
    else b = b * lax::reshape(w, shape{n}, x.where);
  }
  const array powers = vander(p.a, degree + 1) * w, lengths = sqrt(sum(squares_of(powers, x.where), 0)), scales = jacquard::where(lengths == 0.0, 1.0,
                                                                                                                                  lengths);
  return {powers / scales, b, scales, {}};
}
}  // namespace detail

/// The polynomial of a degree with the least sum of squares of weights (p(x) - y): x (n,), y (n,) or (n, k) for k fits, weights one number or (n,).
/// Singular values at most `relative` times the largest count as zero, by default n times the unit roundoff. Differentiable in y, and in x where the
/// singular values differ. Errors: shape_error.
template <class Operand = operand>
constexpr array polyfit(const lazy<Operand>& x, const lazy<Operand>& y, std::int64_t degree, const lazy<Operand>& weights = 1.0,
                        double relative = -1) {
  const rule_location_scope here(x.where);
  const detail::scaled_powers p = detail::powers_to_fit(x, y, degree, weights);
  if (!p.bad.is_none()) return p.bad;
  const array c = linalg::lstsq(p.matrix, p.right_side, relative).x;
  return p.unscaled(c);
}
/// The same with the covariances of the coefficients (degree + 1, degree + 1), or (degree + 1, degree + 1, k): the inverse of the normal equations,
/// times the sum of squares over n - degree - 1 unless `unscaled`. Errors: also shape_error for too few points to scale them.
template <class Operand = operand>
constexpr polyfit_result polyfit_cov(const lazy<Operand>& x, const lazy<Operand>& y, std::int64_t degree, const lazy<Operand>& weights = 1.0,
                                     bool unscaled = false) {
  const rule_location_scope here(x.where);
  const detail::scaled_powers p = detail::powers_to_fit(x, y, degree, weights);
  if (!p.bad.is_none()) return {p.bad, p.bad};
  const std::int64_t spare = x.value.size() - degree - 1;
  if (!unscaled && spare < 1) {
    const array bad = detail::bad_operand(x, error_kind::shape, "polyfit_cov: got ", x.value.size(), " points for the degree ", degree,
                                          "; wanted at least ", degree + 2, ", or unscaled covariances");
    return {bad, bad};
  }
  const array c = linalg::lstsq(p.matrix, p.right_side).x;
  const array normal = linalg::inv(matmul(conj(swapaxes(p.matrix, 0, 1)), p.matrix)) / (expand_dims(p.scales, 1) * p.scales);
  const array coefficients = p.unscaled(c);
  if (unscaled) return {coefficients, normal};
  const array misses = p.right_side - matmul(p.matrix, c), factor = sum(detail::squares_of(misses, x.where), 0) / double(spare);
  if (c.ndim() == 1) return {coefficients, normal * factor};
  return {coefficients, expand_dims(normal, -1) * factor};
}

}  // namespace jacquard
