#pragma once
// Random vectors and matrices that need linear algebra: the multivariate normal distribution and evenly distributed orthogonal matrices.

#include "jacquard/numpy/linalg.hpp"
#include "jacquard/numpy/random_continuous.hpp"
#include "jacquard/numpy/spectral.hpp"

namespace jacquard::random {

/// Normal vectors, along the last axis, of a mean (..., n) and covariances (..., n, n), of which the lower triangular factor of cholesky is taken:
/// NaN where they are not positive definite. `dims` are the dimensions before the last one; {} those of mean and covariances. Differentiable in both.
/// Errors: type_error as uniform; shape_error for a mean or covariances of other shapes, or that do not broadcast to dims.
template <class Operand = operand>
constexpr array multivariate_normal(const lazy<Operand>& k, const lazy<Operand>& mean, const lazy<Operand>& cov, const shape& dims = {},
                                    dtype t = f32) {
  const rule_location_scope here(k.where);
  const shape m = mean.value.shape(), c = cov.value.shape();
  const std::int64_t n = m.rank() > 0 ? m[m.rank() - 1] : -1;
  shape joined;
  const bool fits = m.rank() >= 1 && c.rank() >= 2 && c[c.rank() - 1] == n && c[c.rank() - 2] == n &&
                    detail::broadcast_shapes(shape(m.without(m.rank() - 1)), shape(c.without(c.rank() - 1).without(c.rank() - 2)), joined);
  if (!fits)
    return detail::bad_operands(mean, cov, error_kind::shape, "random::multivariate_normal: got a mean of shape ", m, " and covariances of shape ", c,
                                "; wanted (..., n) and (..., n, n)");
  if (dims.rank() == 0) joined.push_back(n);
  const detail::draw d("multivariate_normal", k, {mean}, dims.rank() == 0 ? joined : shape(dims.with(dims.rank(), n)), t);
  if (!d.bad.is_none()) return d.bad;
  shape whole;
  const shape batch(d.dims.without(d.dims.rank() - 1));
  if (dims.rank() != 0 && (!detail::broadcast_shapes(joined, batch, whole) || !(whole == batch)))
    return detail::bad_operands(mean, cov, error_kind::shape, "random::multivariate_normal: got covariances of shape ", c, " for samples of shape ",
                                d.dims,
                                "; wanted leading dimensions that broadcast to them");
  const array factor = linalg::cholesky(detail::as_type(cov.value, {d.wide, false}, k.where));
  const array z = lax::reshape(d.normal(), shape(d.dims.with(d.dims.rank(), 1)), k.where);
  return d.as_drawn(d.at[0] + lax::reshape(matmul(factor, z), d.dims, k.where));
}
/// Orthogonal n x n matrices (unitary for complex dtypes), evenly distributed: q of a normal matrix, its columns turned such that r has a positive
/// diagonal. `dims` are the dimensions before the last two. Source: Mezzadri, "How to generate random matrices from the classical compact groups",
/// Notices AMS 54, 2007. Errors: as normal.
template <class Operand = operand>
constexpr array orthogonal(const lazy<Operand>& k, std::int64_t n, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const array z = normal(k, shape(dims.with(dims.rank(), n).with(dims.rank() + 1, n)), size_of(t) == 2 ? f32 : t);
  if (!detail::check("orthogonal", k, dims).is_none()) return z;
  const linalg::qr_result f = linalg::qr(z);
  const array on_diagonal = diagonal(f.r, 0, -2, -1), phases = sign(on_diagonal);
  return detail::as_type(f.q * expand_dims(jacquard::where(phases == 0.0, 1.0, phases), -2), {t, false}, k.where);
}

}  // namespace jacquard::random
