#pragma once
// Differences, gradients on grids, integrals by trapezoids, linear interpolation, and products of vectors and matrices beside
// those of contraction.hpp: cross, kron, matvec and vecmat; angles without jumps.

#include "jacquard/numpy/contraction.hpp"
#include "jacquard/numpy/searching.hpp"

namespace jacquard {

namespace detail {
/// Elements first, ..., limit - 1 along dimension d; a limit below 1 counts from the end.
template <class Operand = operand>
constexpr operand along(const lazy<Operand>& x, int d, std::int64_t first, std::int64_t limit) {
  int_list low = int_list::filled(x.value.ndim(), 0), high = x.value.shape();
  low[d] = first;
  high[d] = limit > 0 ? limit : high[d] + limit;
  return operand(lax::slice(x.value, low, high, {}, x.where), x.where);
}
/// A vector of coordinates of n elements, lying along dimension d of an array of the given rank; a scalar stays.
template <class Operand = operand>
constexpr operand coordinates(const lazy<Operand>& x, int d, int rank) {
  if (x.value.ndim() == 0) return x;
  shape dims;
  for (int i = 0; i < rank; ++i) dims.push_back(i == d ? x.value.size() : 1);
  return operand(lax::reshape(x.value, dims, x.where), x.where);
}
}  // namespace detail

/// Differences of order n of neighbours along an axis; of bool, whether they differ. Errors: value_error for an axis out of range or n < 0.
template <class Operand = operand>
constexpr array diff(const lazy<Operand>& x, int n = 1, int axis = -1) {
  int d = 0;
  const array bad = detail::resolve_one_axis("diff", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  if (n < 0) return detail::bad_operand(x, error_kind::value, "diff: got the order ", n, ", wanted one >= 0");
  operand y = x;
  for (; n > 0 && y.value.shape()[d] > 0; --n) {
    const operand after = detail::along(y, d, 1, 0), before = detail::along(y, d, 0, y.value.shape()[d] == 1 ? 0 : -1);
    if (y.value.shape()[d] == 1) y = after;
    else if (is_boolean(y.value.dtype())) y = operand(after != before, x.where);
    else y = operand(after - before, x.where);
  }
  return y.value;
}
/// Differences of neighbours of the raveled array.
template <class Operand = operand>
constexpr array ediff1d(const lazy<Operand>& x) { return diff(operand(ravel(x), x.where)); }

/// The derivative along an axis of values on a grid, by central differences, at the ends by one-sided ones of first order. `spacing` is
/// the distance of neighbours, or a vector of coordinates, which need not be even: differences are weighted to second order.
/// Source: numpy's documentation of gradient. Errors: value_error for an axis out of range; shape_error for fewer than 2 elements or other
/// coordinates.
template <class Operand = operand>
constexpr array gradient(const lazy<Operand>& x, const lazy<Operand>& spacing, int axis) {
  int d = 0;
  const int rank = x.value.ndim();
  const array bad = detail::resolve_one_axis("gradient", x, axis, rank, d);
  if (!bad.is_none()) return bad;
  const std::int64_t n = x.value.shape()[d];
  if (n < 2 || (spacing.value.ndim() != 0 && !(spacing.value.shape() == shape{n})))
    return detail::bad_operands(x, spacing, error_kind::shape, "gradient: got an array of shape ", x.value.shape(), " and a spacing of shape ",
                                spacing.value.shape(), "; wanted at least 2 elements along axis ", axis, ", and a scalar or one coordinate each");
  const operand f(detail::as_inexact(x), x.where);
  const auto minus = [&](const operand& a, const operand& b) { return operand(a - b, x.where); };
  const auto times = [&](const operand& a, const operand& b) { return operand(a * b, x.where); };
  const auto over = [&](const operand& a, const operand& b) { return operand(a / b, x.where); };
  const operand steps = minus(detail::along(f, d, 1, 0), detail::along(f, d, 0, -1));  // n - 1
  operand widths = spacing;
  if (spacing.value.ndim() != 0) widths = detail::coordinates(operand(diff(spacing), x.where), d, rank);
  const operand slopes = over(steps, widths);
  std::vector<array> parts{detail::along(slopes, d, 0, 1).value};
  if (n > 2) {
    if (spacing.value.ndim() == 0) {
      const operand across = minus(detail::along(f, d, 2, 0), detail::along(f, d, 0, -2));  // which leaves out the element between
      parts.push_back(times(over(across, spacing), operand(0.5, x.where)).value);
    } else {
      const operand left = detail::along(slopes, d, 0, -1), right = detail::along(slopes, d, 1, 0);
      const operand before = detail::along(widths, d, 0, -1), after = detail::along(widths, d, 1, 0);
      const operand weighted(times(left, after) + times(right, before), x.where);
      parts.push_back(over(weighted, operand(before + after, x.where)).value);
    }
  }
  parts.push_back(detail::along(slopes, d, n - 2, 0).value);
  return concatenate(view<const array>(parts), d, x.where);
}
/// One derivative per axis, at distance `spacing`. Errors: as along one axis.
template <class Operand = operand>
constexpr std::vector<array> gradient(const lazy<Operand>& x, const lazy<Operand>& spacing = 1.0) {
  std::vector<array> r;
  for (int d = 0; d < x.value.ndim(); ++d) r.push_back(gradient(x, spacing, d));
  return r;
}

/// The integral along an axis of values at distance dx, by trapezoids. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array trapezoid(const lazy<Operand>& y, double dx = 1, int axis = -1) {
  int d = 0;
  const array bad = detail::resolve_one_axis("trapezoid", y, axis, y.value.ndim(), d);
  if (!bad.is_none()) return bad;
  const operand v(detail::as_inexact(y), y.where);
  if (v.value.shape()[d] == 0) return sum(v, d);
  const operand pairs(detail::along(v, d, 1, 0) + detail::along(v, d, 0, -1), y.where);
  return operand(sum(pairs, d), y.where) * operand(0.5 * dx, y.where);
}
/// The same at coordinates x, a vector along the axis or like y. Errors: also shape_error for others.
template <class Operand = operand>
constexpr array trapezoid(const lazy<Operand>& y, const lazy<Operand>& x, int axis = -1) {
  int d = 0;
  const int rank = y.value.ndim();
  const array bad = detail::resolve_one_axis("trapezoid", y, axis, rank, d);
  if (!bad.is_none()) return bad;
  const bool vector = x.value.shape() == shape{y.value.shape()[d]};
  if (!vector && !(x.value.shape() == y.value.shape())) return detail::bad_pair("trapezoid", y, x,
                                                                                "coordinates like the values, or a vector along the axis");
  const element_type t = detail::common_inexact_type(y, x);
  const operand v(detail::as_type(y.value, t, y.where), y.where);
  if (v.value.shape()[d] == 0) return sum(v, d);
  operand at(detail::as_type(x.value, t, y.where), y.where);
  if (vector) at = detail::coordinates(at, d, rank);
  const operand widths(detail::along(at, d, 1, 0) - detail::along(at, d, 0, -1), y.where);
  const operand pairs(detail::along(v, d, 1, 0) + detail::along(v, d, 0, -1), y.where);
  return operand(sum(operand(pairs * widths, y.where), d), y.where) * operand(0.5, y.where);
}

/// The piecewise linear function through the points (xp, fp), xp increasing, at x; fp[0] before the first and fp[n-1] behind the last one, or `left`
/// and `right`. Errors: shape_error if xp and fp are no vectors of one size >= 1. Cost: log2 n rounds.
template <class Operand = operand>
constexpr array interp(const lazy<Operand>& x, const lazy<Operand>& xp, const lazy<Operand>& fp) {
  const location& at = x.where;
  const std::int64_t n = xp.value.size();
  if (xp.value.ndim() != 1 || !(xp.value.shape() == fp.value.shape()) || n == 0) return detail::bad_pair("interp", xp, fp,
                                                                                                         "vectors of one size, at least 1");
  const array all[] = {x.value, xp.value, fp.value};
  const element_type t = detail::common_inexact_type(view<const array>(all));
  const array v = detail::as_type(x.value, t, at), points = detail::as_type(xp.value, t, at), values = detail::as_type(fp.value, t, at);
  if (n == 1) return lax::broadcast_in_dim(lax::reshape(values, shape{}, at), v.shape(), {}, at);
  const array place = detail::count_before(lax::stop_gradient(points, at), lax::stop_gradient(v, at), true, at);
  const array upper = lax::max(array(std::int64_t(1)), lax::min(place, array(n - 1), at), at), lower = lax::sub(upper, array(std::int64_t(1)), at);
  const auto read = [&](const array& from, const array& i) {
    return lax::gather(from, lax::reshape(i, shape(v.shape().with(v.ndim(), 1)), at), {{}, {0}, {0}}, {1}, index_mode::promise_in_bounds, at);
  };
  const array x0 = read(points, lower), x1 = read(points, upper), f0 = read(values, lower), f1 = read(values, upper);
  const array width = lax::sub(x1, x0, at), one = detail::scalar_like(width, 1);
  const array safe = lax::select(lax::eq(width, 0.0, at), one, width, at);
  const array inner = lax::add(f0, lax::mul(lax::div(lax::sub(v, x0, at), safe, at), lax::sub(f1, f0, at), at), at);
  const array before = lax::lt(v, read(points, lax::mul(lower, array(std::int64_t(0)), at)), at);
  const array behind = lax::eq(place, array(n), at);
  const array first = lax::broadcast_in_dim(lax::reshape(lax::slice(values, {0}, {1}, {}, at), shape{}, at), v.shape(), {}, at);
  const array last = lax::broadcast_in_dim(lax::reshape(lax::slice(values, {n - 1}, {n}, {}, at), shape{}, at), v.shape(), {}, at);
  const array nan = lax::ne(v, v, at);
  return lax::select(nan, v, lax::select(before, first, lax::select(behind, last, inner, at), at), at);
}
template <class Operand = operand>
constexpr array interp(const lazy<Operand>& x, const lazy<Operand>& xp, const lazy<Operand>& fp, const lazy<Operand>& left,
                       const lazy<Operand>& right) {
  const operand y(interp(x, xp, fp), x.where);
  const std::int64_t n = xp.value.size();
  if (xp.value.ndim() != 1 || n == 0) return y.value;
  const operand first(lax::reshape(lax::slice(xp.value, {0}, {1}, {}, x.where), shape{}, x.where), x.where);
  const operand last(lax::reshape(lax::slice(xp.value, {n - 1}, {n}, {}, x.where), shape{}, x.where), x.where);
  return where(operand(x < first, x.where), left, operand(where(operand(x > last, x.where), right, y), x.where));
}

/// The vector product of vectors of 3 elements along the last axis (of 2: the third component of theirs; beside 3, a third one of 0); other
/// dimensions broadcast. Errors: shape_error for other sizes.
template <class Operand = operand>
constexpr array cross(const lazy<Operand>& a, const lazy<Operand>& b) {
  const location where = detail::where_of(a, b);
  const int ra = a.value.ndim(), rb = b.value.ndim();
  const std::int64_t n = ra == 0 ? 0 : a.value.shape()[ra - 1], m = rb == 0 ? 0 : b.value.shape()[rb - 1];
  if (n < 2 || n > 3 || m < 2 || m > 3) return detail::bad_pair("cross", a, b, "2 or 3 elements along the last axis of both");
  const auto in_space = [&](const operand& x) {
    const int last = x.value.ndim() - 1;
    return operand(lax::pad(x.value, detail::scalar_like(x.value, 0), int_list::filled(last + 1, 0), int_list::filled(last, 0).with(last, 1), {}, where), where);
  };
  if (n < m) return cross(in_space(a), b);
  if (m < n) return cross(a, in_space(b));
  const auto part = [&](const operand& x, int i) {
    const int last = x.value.ndim() - 1;
    return operand(lax::squeeze(detail::along(x, last, i, i + 1).value, {last}, where), where);
  };
  const auto component = [&](int i, int j) -> array {
    return operand(part(a, i) * part(b, j), where) - operand(part(a, j) * part(b, i), where);
  };
  if (n == 2) return component(0, 1);
  const array parts[] = {component(1, 2), component(2, 0), component(0, 1)};
  return stack(view<const array>(parts), -1, where);
}
/// The Kronecker product: each element of a times all of b; the one of fewer dimensions gets new ones in front.
/// Errors: shape_error where the result would have too many dimensions on the way (more than half of those of an array).
template <class Operand = operand>
constexpr array kron(const lazy<Operand>& a, const lazy<Operand>& b) {
  const int rank = std::max(a.value.ndim(), b.value.ndim());
  const location where = detail::where_of(a, b);
  if (2 * rank > max_rank) return detail::bad_pair("kron", a, b, "at most ", max_rank / 2, " dimensions");
  const detail::promoted_pair p(a, b);
  const std::vector<array> both = detail::with_rank({p.a, p.b}, rank, where);
  const shape x = both[0].shape(), y = both[1].shape();
  shape apart, out;
  int_list of_a, of_b;
  for (int d = 0; d < rank; ++d) {
    apart.push_back(x[d]);
    apart.push_back(y[d]);
    out.push_back(x[d] * y[d]);
    of_a.push_back(2 * d);
    of_b.push_back(2 * d + 1);
  }
  return lax::reshape(lax::mul(lax::broadcast_in_dim(both[0], apart, of_a, where), lax::broadcast_in_dim(both[1], apart, of_b, where), where), out,
                      where);
}

/// The products of matrices (..., m, n) and vectors (..., n), with leading dimensions broadcast. Errors: shape_error.
template <class Operand = operand>
constexpr array matvec(const lazy<Operand>& a, const lazy<Operand>& x) {
  if (a.value.ndim() < 2 || x.value.ndim() < 1) return detail::bad_pair("matvec", a, x, "matrices (..., m, n) and vectors (..., n)");
  const operand column(lax::reshape(x.value, shape(x.value.shape().with(x.value.ndim(), 1)), x.where), x.where);
  return squeeze(operand(matmul(a, column), a.where), -1);
}
/// The products of vectors (..., m), conjugated if complex, and matrices (..., m, n), with leading dimensions broadcast. Errors: shape_error.
template <class Operand = operand>
constexpr array vecmat(const lazy<Operand>& x, const lazy<Operand>& a) {
  if (a.value.ndim() < 2 || x.value.ndim() < 1) return detail::bad_pair("vecmat", x, a, "vectors (..., m) and matrices (..., m, n)");
  const operand row(lax::reshape(conj(x), shape(x.value.shape().with(x.value.ndim() - 1, 1)), x.where), x.where);
  return squeeze(operand(matmul(row, a), x.where), -2);
}
/// Angles along an axis without jumps: whole periods are added such that neighbours differ by at most half a period; jumps below `discont` stay.
/// Errors: value_error for an axis out of range. Source: numpy's documentation of unwrap.
template <class Operand = operand>
constexpr array unwrap(const lazy<Operand>& x, double discont = -1, int axis = -1, double period = 6.28318530717958647693) {
  const rule_location_scope here(x.where);
  int d = 0;
  const array bad = detail::resolve_one_axis("unwrap", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  const operand v(detail::as_inexact(x), x.where);
  if (v.value.shape()[d] < 2) return v.value;
  const double half = period / 2, least = discont < half ? half : discont;
  const array steps = diff(v, 1, d), rest = mod(steps + half, period) - half;
  const array nearest = jacquard::where((rest == -half) & (steps > 0.0), half, rest);
  const array change = jacquard::where(abs(steps) < least, 0.0, nearest - steps);
  const array first = detail::along(v, d, 0, 1).value, others = detail::along(v, d, 1, 0).value;
  return concatenate({first, others + cumsum(change, d)}, d);
}

}  // namespace jacquard
