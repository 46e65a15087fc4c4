#pragma once
// Products that sum over dimensions: matmul, dot, tensordot and their relatives, trace and norm. Dimensions of two operands
// are named by labels where they broadcast, and each product is one dot_general. einsum is in einsum.hpp.

#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/reductions.hpp"
#include "jacquard/prims/dot_general.hpp"

namespace jacquard {

namespace detail {

/// An array whose dimensions are named: equal labels of two arrays belong together.
struct labelled {
  array value;
  int_list labels;
};
using label_set = std::vector<std::int64_t>;
constexpr bool has_label(const label_set& s, std::int64_t label) {
  for (std::int64_t l : s)
    if (l == label) return true;
  return false;
}

/// Dimensions of size 1 whose label has another size in the other array are dropped: the product repeats them.
template <class Array = array>
constexpr void drop_ones(labelled& x, const labelled& other, const location& where) {
  const shape dims = x.value.shape(), others = other.value.shape();
  int_list ones, kept;
  for (int d = 0; d < x.labels.size(); ++d) {
    const int o = other.labels.index_of(x.labels[d]);
    if (dims[d] == 1 && o >= 0 && others[o] != 1) ones.push_back(d);
    else kept.push_back(x.labels[d]);
  }
  x.value = lax::squeeze(x.value, ones, where);
  x.labels = kept;
}
/// The product of two arrays; shared labels are walked together where they are in `needed`, else summed over.
template <class Array = array>
constexpr labelled contract(labelled x, labelled y, const label_set& needed, const location& where) {
  drop_ones(x, y, where);
  drop_ones(y, x, where);
  dot_dimension_numbers n;
  int_list labels, x_free, y_free;
  for (int d = 0; d < x.labels.size(); ++d) {
    const std::int64_t label = x.labels[d];
    const int other = y.labels.index_of(label);
    if (other < 0) x_free.push_back(label);
    else if (has_label(needed, label)) n.lhs_batch.push_back(d), n.rhs_batch.push_back(other), labels.push_back(label);
    else n.lhs_contracting.push_back(d), n.rhs_contracting.push_back(other);
  }
  for (std::int64_t label : y.labels)
    if (!x.labels.contains(label)) y_free.push_back(label);
  for (std::int64_t label : x_free) labels.push_back(label);
  for (std::int64_t label : y_free) labels.push_back(label);
  return {lax::dot_general(x.value, y.value, n, where), labels};
}
/// The array with its dimensions in the order of `labels`.
template <class Array = array>
constexpr array in_order(const labelled& x, const int_list& labels, const location& where) {
  int_list order;
  for (std::int64_t label : labels) order.push_back(x.labels.index_of(label));
  return lax::transpose(x.value, order, where);
}

/// Two operands in their common dtype, each with its own shape.
template <class Operand>
struct promoted_pair {
  array a, b;
  location where;
  constexpr promoted_pair(const Operand& x, const Operand& y) : promoted_pair(x, y, common_type(x, y)) {}
  constexpr promoted_pair(const Operand& x, const Operand& y, element_type t) : where(where_of(x, y)) {
    a = as_type(x.value, t, where);
    b = as_type(y.value, t, where);
  }
};
/// Reports that two shapes do not fit together.
template <class... Parts>
constexpr array bad_pair(std::string_view operation, const operand& a, const operand& b, const Parts&... wanted) {
  const array missing = check_given(operation, a, b);
  if (!missing.is_none()) return missing;
  return bad_operands(a, b, error_kind::shape, "Incompatible shapes for ", operation, ": got ", a.value.shape(), " and ", b.value.shape(),
                      ". Wanted ", wanted...);
}

/// Labels of the dimensions of a matmul operand: batch dimensions by their distance from the matrix, then rows and columns.
constexpr int_list matrix_labels(int rank, std::int64_t row, std::int64_t column, bool first) {
  int_list r;
  for (int d = rank - 2; d > 0; --d) r.push_back(2 + d);
  if (rank > 1) r.push_back(row);
  r.push_back(rank > 1 || first ? column : row);
  return r;
}

}  // namespace detail

/// The product of matrices; leading dimensions broadcast. Of rank 1, the first operand is a row, the second a column, and
/// that dimension is dropped from the result. Errors: shape_error for scalars and for sizes that do not fit.
template <class Operand = operand>
constexpr array matmul(const lazy<Operand>& a, const lazy<Operand>& b) {
  const int ra = a.value.ndim(), rb = b.value.ndim();
  if (ra == 0 || rb == 0) return detail::bad_pair("matmul", a, b, "at least one dimension each; use * for scalars");
  const shape x = a.value.shape(), y = b.value.shape();
  if (x[ra - 1] != y[rb > 1 ? rb - 2 : 0])
    return detail::bad_pair("matmul", a, b, "as many columns as rows: size ", x[ra - 1], " is different from ",
                            y[rb > 1 ? rb - 2 : 0]);
  shape x_batch, y_batch, batch;
  for (int d = 0; d + 2 < ra; ++d) x_batch.push_back(x[d]);
  for (int d = 0; d + 2 < rb; ++d) y_batch.push_back(y[d]);
  if (!detail::broadcast_shapes(x_batch, y_batch, batch))
    return detail::bad_pair("matmul", a, b, "leading dimensions that are equal or 1");
  const detail::promoted_pair p(a, b);
  constexpr std::int64_t row = 0, inner = 1, column = 2;  // batch labels start at 3
  int_list out;
  for (int d = batch.rank(); d > 0; --d) out.push_back(2 + d);
  if (ra > 1) out.push_back(row);
  if (rb > 1) out.push_back(column);
  const detail::labelled first{p.a, detail::matrix_labels(ra, row, inner, true)};
  const detail::labelled second{p.b, detail::matrix_labels(rb, inner, column, false)};
  const detail::labelled product = detail::contract(first, second, detail::label_set(out.begin(), out.end()), p.where);
  return detail::in_order(product, out, p.where);
}

/// The sum of products over pairs of axes, first of a, then of b; the result has the other axes of a, then of b.
/// Errors: value_error for axes out of range or lists of different lengths; shape_error for sizes that differ.
template <class Operand = operand>
constexpr array tensordot(const lazy<Operand>& a, const lazy<Operand>& b, const axis_list& a_axes, const axis_list& b_axes) {
  dot_dimension_numbers n;
  array bad = detail::resolve_axes("tensordot", a, a_axes, a.value.ndim(), n.lhs_contracting);
  if (!bad.is_none())
    return bad;
  if (bad = detail::resolve_axes("tensordot", b, b_axes, b.value.ndim(), n.rhs_contracting); !bad.is_none())
    return bad;
  if (a_axes.size() != b_axes.size())
    return detail::bad_operands(a, b, error_kind::value, "tensordot: got ", a_axes.size(), " and ", b_axes.size(),
                                " axes to sum over; wanted as many of each operand");
  for (int i = 0; i < a_axes.size(); ++i)
    if (a.value.shape()[int(n.lhs_contracting[i])] != b.value.shape()[int(n.rhs_contracting[i])])
      return detail::bad_pair("tensordot", a, b, "equal sizes along the axes ", n.lhs_contracting, " and ", n.rhs_contracting);
  const detail::promoted_pair p(a, b);
  return lax::dot_general(p.a, p.b, n, p.where);
}
/// Over the last `count` axes of a and the first ones of b.
template <class Operand = operand>
constexpr array tensordot(const lazy<Operand>& a, const lazy<Operand>& b, int count = 2) {
  axis_list last, first;
  for (int i = 0; i < count; ++i) last.push_back(i - count), first.push_back(i);
  return tensordot(a, b, last, first);
}
/// The sum of products over the last axis of a and the second to last (or only) one of b; of scalars, the product.
/// Errors: shape_error for sizes that differ.
template <class Operand = operand>
constexpr array dot(const lazy<Operand>& a, const lazy<Operand>& b) {
  const int ra = a.value.ndim(), rb = b.value.ndim();
  if (ra == 0 || rb == 0) return a * b;
  if (a.value.shape()[ra - 1] != b.value.shape()[rb == 1 ? 0 : rb - 2])
    return detail::bad_pair("dot", a, b, "equal sizes of the last dimension of the first and dimension ",
                            rb == 1 ? 0 : rb - 2, " of the second");
  return tensordot(a, b, -1, rb == 1 ? 0 : rb - 2);
}
/// The sum of conj(a) * b over all elements. Errors: shape_error for different sizes.
template <class Operand = operand>
constexpr array vdot(const lazy<Operand>& a, const lazy<Operand>& b) {
  if (a.value.size() != b.value.size()) return detail::bad_pair("vdot", a, b, "as many elements in both");
  const operand x(conj(operand(ravel(a), a.where)), a.where);
  return tensordot(x, operand(ravel(b), b.where), 1);
}
/// The sum of products over the last axes of both; of scalars, the product. Errors: shape_error for sizes that differ.
template <class Operand = operand>
constexpr array inner(const lazy<Operand>& a, const lazy<Operand>& b) {
  const int ra = a.value.ndim(), rb = b.value.ndim();
  if (ra == 0 || rb == 0) return a * b;
  if (a.value.shape()[ra - 1] != b.value.shape()[rb - 1])
    return detail::bad_pair("inner", a, b, "equal sizes of the last dimensions");
  return tensordot(a, b, -1, -1);
}
/// All products of an element of a and one of b, both raveled: shape [size of a, size of b].
template <class Operand = operand>
constexpr array outer(const lazy<Operand>& a, const lazy<Operand>& b) {
  return tensordot(operand(ravel(a), a.where), operand(ravel(b), b.where), 0);
}

/// Linear algebra. (trace is here because jacquard::trace is the recorder of programs.)
namespace linalg {
/// The sum of diagonal k of the last two dimensions. Errors: shape_error for fewer than two.
template <class Operand = operand>
constexpr array trace(const lazy<Operand>& x, std::int64_t k = 0) {
  const array bad = detail::check_matrix("trace", x);
  if (!bad.is_none()) return bad;
  return sum(operand(diagonal(x, k, -2, -1), x.where), -1);
}
/// The Euclidean norm of the elements along the axes, all by default; its derivative at 0 is 0. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array norm(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) {
  return detail::reduce("norm", x, detail::as_inexact(x), axes, keep, [&](const array& v, const int_list& d) {
    return detail::root_of_squares(lax::reduce_sum(detail::squares_of(v, x.where), d, x.where), x.where);
  });
}
}  // namespace linalg

}  // namespace jacquard
