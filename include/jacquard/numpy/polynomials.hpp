#pragma once
// Polynomials by their coefficients, the highest power first, as in numpy's poly functions. Roots and fits need linear algebra: they
// are in polynomial_roots.hpp.

#include "jacquard/numpy/convolution.hpp"
#include "jacquard/numpy/operators.hpp"

namespace jacquard {

namespace detail {
/// Two vectors in their common dtype, the shorter with zeros in front.
template <class Operand = operand>
constexpr array aligned_coefficients(std::string_view operation, const lazy<Operand>& a, const lazy<Operand>& b, array& x, array& y) {
  if (a.value.ndim() != 1 || b.value.ndim() != 1) return bad_pair(operation, a, b, "one dimension each");
  const promoted_pair p(a, b);
  const std::int64_t n = std::max(p.a.size(), p.b.size());
  const array zero(literal(0, p.a.dtype(), p.a.weak_type()));
  x = lax::pad(p.a, zero, {n - p.a.size()}, {0}, {}, p.where);
  y = lax::pad(p.b, zero, {n - p.b.size()}, {0}, {}, p.where);
  return {};
}
/// The powers n - 1, ..., 0 of n coefficients, in the dtype of `like`.
template <class Array = array>
constexpr array powers_of(const lazy<Array>& like, std::int64_t n, const location& where) {
  const array i = lax::sub(array(n - 1), lax::iota(i64, shape{n}, 0, where), where);
  return as_type(i, {like.dtype(), false}, where);
}
}  // namespace detail

/// p at x: p[0] x^(n-1) + ... + p[n-1], by Horner's rule. The dimensions of p after the first one are those of several polynomials.
/// Errors: shape_error for a scalar p, and shapes that do not broadcast.
template <class Operand = operand>
constexpr array polyval(const lazy<Operand>& p, const lazy<Operand>& x) {
  const location where = detail::where_of(p, x);
  if (p.value.ndim() == 0) return detail::bad_pair("polyval", p, x, "coefficients with at least one dimension");
  const shape dims = p.value.shape();
  const std::int64_t n = dims[0];
  const operand at(detail::as_type(x.value, detail::common_type(p, x), where), where);
  operand y(lax::full(shape(dims.without(0)), literal(0, p.value.dtype(), p.value.weak_type()), where), where);
  y = operand(y + operand(at * operand(0, where), where), where);
  for (std::int64_t k = 0; k < n; ++k) {
    int_list low = int_list::filled(dims.rank(), 0), high = dims;
    low[0] = k;
    high[0] = k + 1;
    const operand c(lax::squeeze(lax::slice(p.value, low, high, {}, where), {0}, where), where);
    if (k == 0) y = operand(y + c, where);  // of the shape of the result
    else y = operand(operand(y * at, where) + c, where);
  }
  return y.value;
}
/// The sum of two polynomials. Errors: shape_error for more or less than one dimension.
template <class Operand = operand>
constexpr array polyadd(const lazy<Operand>& a, const lazy<Operand>& b) {
  array x, y;
  const array bad = detail::aligned_coefficients("polyadd", a, b, x, y);
  if (!bad.is_none()) return bad;
  return lax::add(x, y, detail::where_of(a, b));
}
/// The difference of two polynomials. Errors: shape_error for more or less than one dimension.
template <class Operand = operand>
constexpr array polysub(const lazy<Operand>& a, const lazy<Operand>& b) {
  array x, y;
  const array bad = detail::aligned_coefficients("polysub", a, b, x, y);
  if (!bad.is_none()) return bad;
  return lax::sub(x, y, detail::where_of(a, b));
}
/// The product of two polynomials. Errors: shape_error for more or less than one dimension, or no coefficients.
template <class Operand = operand>
constexpr array polymul(const lazy<Operand>& a, const lazy<Operand>& b) { return convolve(a, b); }
/// The derivative of order m. Errors: shape_error for more or less than one dimension; value_error for m < 0.
template <class Operand = operand>
constexpr array polyder(const lazy<Operand>& p, int m = 1) {
  if (p.value.ndim() != 1 || m < 0)
    return detail::bad_operand(p, m < 0 ? error_kind::value : error_kind::shape, "polyder: got an array of shape ", p.value.shape(),
                               " and the order ", m,
                               "; wanted one dimension and an order >= 0");
  array y = p.value;
  for (; m > 0 && y.size() > 0; --m) {
    const std::int64_t n = y.size();
    y = lax::slice(lax::mul(y, detail::powers_of(y, n, p.where), p.where), {0}, {n - 1}, {}, p.where);
  }
  return y;
}
/// The antiderivative of order m, with integration constants 0; in floating point.
/// Errors: shape_error for more or less than one dimension; value_error for m < 0.
template <class Operand = operand>
constexpr array polyint(const lazy<Operand>& p, int m = 1) {
  if (p.value.ndim() != 1 || m < 0)
    return detail::bad_operand(p, m < 0 ? error_kind::value : error_kind::shape, "polyint: got an array of shape ", p.value.shape(),
                               " and the order ", m,
                               "; wanted one dimension and an order >= 0");
  array y = detail::as_inexact(p);
  const array zero(literal(0, y.dtype(), y.weak_type()));
  for (; m > 0; --m) {
    const array powers = lax::add(detail::powers_of(y, y.size(), p.where), 1.0, p.where);
    y = lax::pad(lax::div(y, powers, p.where), zero, {0}, {1}, {}, p.where);
  }
  return y;
}

/// The polynomial whose roots are the elements of a vector, with leading coefficient 1; in floating point. Complex for complex roots, also where they
/// come in pairs. Errors: shape_error for more or less than one dimension; for the characteristic polynomial of a matrix give its eigenvalues.
template <class Operand = operand>
constexpr array poly(const lazy<Operand>& roots) {
  if (roots.value.ndim() != 1)
    return detail::bad_operand(roots, error_kind::shape, "poly: got an array of shape ", roots.value.shape(),
                               "; wanted a vector of roots, of a matrix jq::linalg::eigvals(a)");
  const location& where = roots.where;
  const array r = detail::as_inexact(roots), zero(literal(0, r.dtype(), r.weak_type()));
  array y = lax::full(shape{1}, literal(1, r.dtype(), r.weak_type()), where);
  for (std::int64_t k = 0; k < r.size(); ++k) {
    const array root = lax::reshape(lax::slice(r, {k}, {k + 1}, {}, where), shape{}, where);
    const array shifted = lax::pad(y, zero, {1}, {0}, {}, where);
    y = lax::sub(lax::pad(y, zero, {0}, {1}, {}, where), lax::mul(root, shifted, where), where);
  }
  return y;
}
/// Quotient and remainder of two polynomials.
struct polydiv_result {
  array quotient, remainder;
};
/// a / b of polynomials, in floating point; the first coefficient of b must not be 0. The remainder has one coefficient less than b, at least one,
/// and that many of a where a is shorter. Errors: shape_error for more or less than one dimension, or no coefficients.
template <class Operand = operand>
constexpr polydiv_result polydiv(const lazy<Operand>& a, const lazy<Operand>& b) {
  const location where = detail::where_of(a, b);
  if (a.value.ndim() != 1 || b.value.ndim() != 1 || a.value.size() == 0 || b.value.size() == 0) {
    const array bad = detail::bad_pair("polydiv", a, b, "one dimension each, and at least one coefficient");
    return {bad, bad};
  }
  const detail::promoted_pair p(a, b, detail::common_inexact_type(a, b));
  const std::int64_t n = p.a.size(), m = p.b.size();
  const auto part = [&](const array& x, std::int64_t first, std::int64_t end) { return lax::slice(x, {first}, {end}, {}, where); };
  array rest = p.a;  // from coefficient k on
  if (n < m) return {lax::zeros(rest.aval().with(shape{1}), where), rest};
  const array leading = lax::reshape(part(p.b, 0, 1), shape{}, where);
  std::vector<array> quotient;
  for (std::int64_t k = 0; k + m <= n; ++k) {
    const array q = lax::div(lax::reshape(part(rest, 0, 1), shape{}, where), leading, where);
    quotient.push_back(lax::reshape(q, shape{1}, where));
    const array head = lax::sub(part(rest, 1, m), lax::mul(q, part(p.b, 1, m), where), where);
    rest = lax::concatenate({head, part(rest, m, rest.size())}, 0, where);
  }
  if (m == 1) rest = lax::zeros(rest.aval().with(shape{1}), where);
  return {lax::concatenate(view<const array>(quotient), 0, where), rest};
}

}  // namespace jacquard
