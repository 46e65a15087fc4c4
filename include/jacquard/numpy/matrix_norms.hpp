#pragma once
// jq::linalg, continued: norms of every order, condition numbers, and products and functions of matrices that need no factors of their own:
// expm, multi_dot, tensorsolve, tensorinv, cross, vecdot.

#include "jacquard/control/cond.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/spectral.hpp"
#include "jacquard/prims/integer_pow.hpp"
#include "jacquard/prims/pow.hpp"
#include "jacquard/prims/rounding.hpp"
#include "jacquard/prims/stop_gradient.hpp"

namespace jacquard {

namespace linalg {

/// The order of a norm: a number, "fro" (Frobenius) or "nuc" (nuclear, the sum of singular values).
struct ord {
  enum class kind : std::uint8_t { number, frobenius, nuclear, unknown } what = kind::number;
  double value = 2;
  constexpr explicit ord(double p) : value(p) {}
  /// A name as it is written, norm(x, "nuc"); a number is not, since norm(x, 1) is along an axis.
  template <std::size_t N>
  constexpr ord(const char (&name)[N]) : ord(std::string_view(name)) {}
  constexpr explicit ord(std::string_view name) : what(name == "fro" ? kind::frobenius : name == "nuc" ? kind::nuclear : kind::unknown) {}
};

}  // namespace linalg

namespace detail {
template <class Array = array>
constexpr array with_kept_ones(const lazy<Array>& y, const shape& from, const int_list& axes, keepdims_option keep) {
  if (!keep.value) return y;
  shape s = from;
  for (std::int64_t d : axes) s[int(d)] = 1;
  return lax::reshape(y, s);
}
/// The norm of order p of the elements along axes.
template <class Array = array>
constexpr array norm_along(const lazy<Array>& x, const int_list& axes, double p) {
  if (p == 2) return root_of_squares(lax::reduce_sum(squares_of(x, location{}), axes), location{});
  const array size = lax::abs(x);
  const double infinity = std::numeric_limits<double>::infinity();
  if (p == infinity) return lax::reduce_max(size, axes);
  if (p == -infinity) return lax::reduce_min(size, axes);
  if (p == 0) return lax::reduce_sum(lax::convert_element_type(lax::ne(size, scalar_like(size, 0)), size.dtype()), axes);
  if (p == 1) return lax::reduce_sum(size, axes);
  const array none = scalar_like(size, 0);
  array powers;
  if (p > 0 && p < 1) {  // whose slopes at 0 are infinite, with the mean 0
    const array empty = lax::eq(size, none);
    powers = lax::select(empty, none, lax::pow(lax::select(empty, scalar_like(size, 1), size), scalar_like(size, p)));
  } else powers = lax::pow(size, scalar_like(size, p));
  const array sum = lax::reduce_sum(powers, axes), zero = scalar_like(sum, 0);
  if (p < 0) return lax::pow(sum, scalar_like(size, 1 / p));
  const array nothing = lax::eq(sum, zero);  // where the root has an infinite derivative, the norm has 0 as the mean of its slopes
  return lax::select(nothing, zero, lax::pow(lax::select(nothing, scalar_like(sum, 1), sum), scalar_like(size, 1 / p)));
}
/// Singular values for norms, which are not differentiable where one is zero to rounding: its vectors are arbitrary there, and it has no part in
/// the derivative, which is then the least of the subgradients (Watson 1992, Linear Algebra Appl. 170, for the sum and the largest).
template <class Array = array>
constexpr array values_with_slopes(const lazy<Array>& x) {
  const array s = lax::svd(x, false, false)[0];
  const int last = s.ndim() - 1;
  if (s.size() == 0) return s;
  const array cutoff = along_rows(lax::mul(cutoff_of(x, -1), lax::reduce_max(s, {last})), s.shape()[last]);
  return lax::select(lax::le(s, cutoff), lax::stop_gradient(s), s);
}
/// Of matrices, (...): none for an order that they do not have.
template <class Array = array>
constexpr array norm_of_matrices(const lazy<Array>& x, linalg::ord o) {
  const int r = x.ndim();
  const double infinity = std::numeric_limits<double>::infinity(), p = o.value < 0 ? -o.value : o.value;
  if (o.what == linalg::ord::kind::frobenius) return norm_along(x, {r - 2, r - 1}, 2);
  if (o.what == linalg::ord::kind::nuclear) return lax::reduce_sum(values_with_slopes(x), {r - 2});
  if (o.what != linalg::ord::kind::number || (p != 1 && p != 2 && p != infinity)) return {};
  array sums;
  if (p == 2) sums = values_with_slopes(x);
  else sums = lax::reduce_sum(lax::abs(x), {p == 1 ? r - 2 : r - 1});
  if (o.value > 0) return lax::reduce_max(sums, {r - 2});
  return lax::reduce_min(sums, {r - 2});
}
}  // namespace detail

namespace linalg {

/// The norm of order p of the elements along the axes, all by default: the p-th root of the sum of |x|^p; of 0 the number of elements that
/// are not zero, of infinity and -infinity the largest and smallest |x|. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array vector_norm(const lazy<Operand>& x, double p = 2, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("vector_norm", x, detail::as_inexact(x), axes, keep, [&](const array& v, const int_list& d) { return detail::norm_along(v, d, p); });
}
/// The norm of matrices (the last two dimensions): "fro", "nuc", of 1 and infinity the largest sum of |elements| of a column or row, of 2
/// the largest singular value, of negative orders the smallest. Errors: shape_error for fewer dimensions; value_error for another order.
template <class Operand = operand>
constexpr array matrix_norm(const lazy<Operand>& x, ord o = ord("fro"), keepdims_option keep = {}) {
  const array bad = detail::check_matrix("matrix_norm", x);
  if (!bad.is_none()) return bad;
  const array v = detail::as_inexact(x), y = detail::norm_of_matrices(v, o);
  if (y.is_none())
    return detail::bad_operand(x, error_kind::value, "matrix_norm: there is no such order; wanted \"fro\", \"nuc\", 1, -1, 2, -2, infinity or -infinity");
  return detail::with_kept_ones(y, v.shape(), {v.ndim() - 2, v.ndim() - 1}, keep);
}
/// The norm of a given order: of vectors along one axis, of matrices along two (rows, columns), of all of a vector or matrix without axes.
/// Errors: value_error for an order that there is not, or another number of axes; shape_error: no axes and neither vector nor matrix.
template <class Operand = operand>
constexpr array norm(const lazy<Operand>& x, ord o, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  const int rank = x.value.ndim();
  const keepdims_option kept = axes.keep() ? keepdims_option(keepdims) : keep;
  int_list list;
  array bad;
  if (axes.all()) list = int_list::iota(rank);
  else bad = detail::resolve_axes("norm", x, axes.list(), rank, list);
  if (!bad.is_none()) return bad;
  if (list.size() == 1 && o.what == ord::kind::number) return vector_norm(x, o.value, list, kept);
  if (list.size() != 2)
    return detail::bad_operand(x, axes.all() ? error_kind::shape : error_kind::value, "norm: got an array of shape ", x.value.shape(), " and ",
                               list.size(), " axes; wanted one axis for a number as order, two for the norm of a matrix");
  int_list order = detail::other_axes(rank, list);
  for (std::int64_t d : list) order.push_back(d);
  const array y = matrix_norm(operand(lax::transpose(x.value, order, x.where), x.where), o);
  return detail::with_kept_ones(y, x.value.shape(), list, kept);
}
/// How much solutions magnify errors: |a| |a^-1| in a norm, by default the quotient of the largest and smallest singular value, which also
/// matrices have that are not square; infinite for zeros. Errors: shape_error; value_error for an order that there is not.
template <class Operand = operand>
constexpr array cond(const lazy<Operand>& a, ord o = ord(2)) {
  const array bad = detail::check_matrix("cond", a);
  if (!bad.is_none()) return bad;
  if (o.what == ord::kind::number && (o.value == 2 || o.value == -2)) {
    const array s = svdvals(a);
    const int last = s.ndim() - 1;
    const array most = lax::reduce_max(s, {last}), least = lax::reduce_min(s, {last});
    if (o.value < 0) return lax::div(least, most);
    const array quotient = lax::div(most, least);
    return lax::select(lax::eq(most, detail::scalar_like(most, 0)), detail::scalar_like(quotient, std::numeric_limits<double>::infinity()), quotient);
  }
  const array inverse = inv(a);
  const array own_norm = matrix_norm(a, o), other = matrix_norm(operand(inverse, a.where), o);
  return lax::mul(own_norm, other);
}

/// The sum of conj(a) * b along an axis, in their common dtype. Errors: shape_error for shapes that do not broadcast; value_error for an axis out of range.
template <class Operand = operand>
constexpr array vecdot(const lazy<Operand>& a, const lazy<Operand>& b, int axis = -1) {
  const array products = operand(jacquard::conj(a), a.where) * b;
  return jacquard::detail::as_type(sum(operand(products, a.where), axis), products.aval().element(), a.where);
}
/// The cross product of vectors of three elements along an axis. Errors: shape_error for another size.
template <class Operand = operand>
constexpr array cross(const lazy<Operand>& a, const lazy<Operand>& b, int axis = -1) {
  for (const operand* x : {&a, &b}) {
    const int d = resolve_axis(axis, x->value.ndim());
    if (d < 0 || x->value.shape()[d] != 3)
      return detail::bad_pair("cross", a, b, "3 elements along axis ", axis);
  }
  const array first = operand(roll(a, -1, axis), a.where) * operand(roll(b, -2, axis), b.where);
  const array second = operand(roll(a, -2, axis), a.where) * operand(roll(b, -1, axis), b.where);
  return operand(first, a.where) - operand(second, b.where);
}
using jacquard::diagonal;
using jacquard::matmul;
using jacquard::outer;
using jacquard::tensordot;

/// The product of several matrices in the order that takes the fewest multiplications (the first and last may be vectors).
/// Errors: shape_error for sizes that do not fit; value_error for fewer than two.
template <class Array = array>
constexpr array multi_dot(view<const lazy<Array>> xs, location where = location::current()) {
  const std::size_t n = xs.size();
  if (n < 2) return detail::operand_error(xs, make_error(error_kind::value, "multi_dot: got ", n, " arrays, wanted at least 2; use matmul for two"), where);
  std::vector<double> size;  // matrix i is size[i] x size[i + 1]
  for (std::size_t i = 0; i < n; ++i) {
    const shape s = xs[i].shape();
    const bool end = i == 0 || i + 1 == n;
    if (s.rank() != 2 && !(end && s.rank() == 1))
      return detail::operand_error(xs, make_error(error_kind::shape, "multi_dot: array ", i, " has the shape ", s, ", wanted a matrix; the first and the last may be vectors"), where);
    size.push_back(i == 0 && s.rank() == 1 ? 1 : double(s[0]));
    if (i + 1 == n) size.push_back(s.rank() == 1 ? 1 : double(s[1]));
  }
  // cost[i, j] of the product of i ... j, and where it is best split (Cormen et al., "Introduction to algorithms", section 15.2).
  std::vector<double> cost(n * n, 0.0);
  std::vector<std::size_t> split(n * n, 0);
  for (std::size_t length = 1; length < n; ++length)
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      for (std::size_t k = i; k < j; ++k) {
        const double c = cost[i * n + k] + cost[(k + 1) * n + j] + size[i] * size[k + 1] * size[j + 1];
        if (k == i || c < cost[i * n + j]) cost[i * n + j] = c, split[i * n + j] = k;
      }
    }
  const auto product = [&](const auto& self, std::size_t i, std::size_t j) -> array {
    if (i == j) return xs[i];
    const std::size_t k = split[i * n + j];
    const array left = self(self, i, k), right = self(self, k + 1, j);
    return jacquard::matmul(operand(left, where), operand(right, where));
  };
  return product(product, 0, n - 1);
}
template <class Operand = operand>
constexpr array multi_dot(std::initializer_list<lazy<Operand>> xs) {
  const std::vector<array> values = detail::values_of(xs);
  return multi_dot(view<const array>(values), detail::where_of(xs));
}

/// x with tensordot(a, x, rank of x) = b: the first dimensions of a are those of b, the others those of x.
/// Errors: shape_error if those do not make a square.
template <class Operand = operand>
constexpr array tensorsolve(const lazy<Operand>& a, const lazy<Operand>& b) {
  const shape s = a.value.shape(), rhs = b.value.shape();
  shape unknowns;
  bool fits = s.rank() >= rhs.rank();
  for (int d = 0; fits && d < s.rank(); ++d) {
    if (d < rhs.rank()) fits = s[d] == rhs[d];
    else unknowns.push_back(s[d]);
  }
  const std::int64_t n = rhs.elements();
  if (!fits || unknowns.elements() != n)
    return detail::bad_pair("tensorsolve", a, b, "the dimensions of the second, then others of as many elements");
  const array x = solve(operand(lax::reshape(a.value, shape{n, n}), a.where), operand(lax::reshape(b.value, shape{n}), b.where));
  return lax::reshape(x, unknowns);
}
/// The inverse of a as a map from its last dimensions to the first `first` ones. Errors: shape_error if those do not make a square.
template <class Operand = operand>
constexpr array tensorinv(const lazy<Operand>& a, int first = 2) {
  const shape s = a.value.shape();
  shape rows, columns;
  for (int d = 0; d < s.rank(); ++d) (d < first ? rows : columns).push_back(s[d]);
  const std::int64_t n = rows.elements();
  if (first < 1 || first >= s.rank() || columns.elements() != n)
    return detail::bad_operand(a, error_kind::shape, "tensorinv: got an array of shape ", s, " and ", first,
                               " first dimensions; wanted as many elements in these as in the others");
  const array x = inv(operand(lax::reshape(a.value, shape{n, n}), a.where));
  for (std::int64_t d : rows) columns.push_back(d);
  return lax::reshape(x, columns);
}

}  // namespace linalg

namespace detail {
/// The quotient of the Pade approximation of degree 13 (Higham 2005, SIAM J. Matrix Anal. Appl. 26, eq. 2.7).
template <class Array = array>
constexpr array pade_exponential(const lazy<Array>& a) {
  constexpr double b[] = {64764752532480000., 32382376266240000., 7771770303897600., 1187353796428800., 129060195264000., 10559470521600.,
                          670442572800.,      33522128640.,       1323241920.,       40840800.,         960960.,           16380.,
                          182.,               1.};
  const array one = identity_like(a), a2 = product_of(a, a), a4 = product_of(a2, a2), a6 = product_of(a4, a2);
  const auto sum = [&](double p, double q, double r) { return lax::add(lax::add(lax::mul(p, a6), lax::mul(q, a4)), lax::mul(r, a2)); };
  const array odd = lax::add(lax::add(product_of(a6, sum(b[13], b[11], b[9])), sum(b[7], b[5], b[3])), lax::mul(b[1], one));
  const array u = product_of(a, odd);
  const array v = lax::add(lax::add(product_of(a6, sum(b[12], b[10], b[8])), sum(b[6], b[4], b[2])), lax::mul(b[0], one));
  return solve_matrices(lax::sub(v, u), lax::add(v, u));
}
}  // namespace detail

namespace linalg {

/// The exponential of matrices, by scaling and squaring (Higham 2005). NaN for norms above 5 * 2^most_squarings, whose exponentials mean
/// nothing. Errors: shape_error if not square.
template <class Operand = operand>
constexpr array expm(const lazy<Operand>& a, int most_squarings = 16) {
  const array bad = detail::check_square("expm", a);
  if (!bad.is_none()) return bad;
  const array x = detail::as_inexact(a);
  if (x.size() == 0) return x;
  const array size = lax::stop_gradient(detail::norm_of_matrices(x, ord(1)));
  const array halvings = lax::ceil(lax::div(lax::log(lax::div(size, detail::scalar_like(size, 5.371920351148152))), detail::scalar_like(size, 0.6931471805599453)));
  const array steps = lax::max(halvings, detail::scalar_like(size, 0));
  const auto spread = [&](const array& v) { return lax::broadcast_in_dim(v, x.shape(), int_list::iota(x.ndim() - 2)); };
  const array factor = lax::pow(detail::scalar_like(size, 0.5), steps);
  const array start = detail::pade_exponential(lax::mul(x, detail::in_type_of(spread(factor), x)));
  const array count = lax::convert_element_type(lax::min(steps, detail::scalar_like(size, most_squarings)), i64);
  const int_list all = int_list::iota(count.ndim());
  const array largest = lax::reduce_max(count, all);
  const array y = lax::fori_loop(std::int64_t(0), std::int64_t(most_squarings), [&](const array& i, const array& r) {
    return lax::cond(lax::lt(i, largest), [&](const array& m) {
      return lax::select(spread(lax::lt(lax::broadcast_in_dim(i, count.shape(), {}), count)), detail::product_of(m, m), m);
    }, [](const array& m) { return m; }, r);
  }, start);
  const array fits = lax::le(steps, detail::scalar_like(size, most_squarings));
  return lax::select(spread(fits), y, detail::scalar_like(y, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace linalg

}  // namespace jacquard
