#pragma once
// lax::associative_scan: all partial results of an associative operation, in logarithmically many steps of operations on whole
// arrays. Deliberately not a loop: the steps are laid out, so that each is one fused operation.
// Source: Blelloch, "Prefix sums and their applications", 1990.

#include "jacquard/control/body.hpp"
#include "jacquard/prims/rev.hpp"

namespace jacquard {

namespace detail {

/// Elements start, start + step, ... below limit along `axis`.
template <class Array = array>
constexpr array strided_part(const lazy<Array>& x, int axis, std::int64_t start, std::int64_t limit, std::int64_t step) {
  const shape dims = x.shape();
  int_list from = int_list::filled(dims.rank(), 0), to = dims, by = int_list::filled(dims.rank(), 1);
  from[axis] = start, to[axis] = limit, by[axis] = step;
  return lax::slice(x, from, to, by);
}
/// a[0], b[0], a[1], b[1], ...; a may have one element more.
template <class Array = array>
constexpr array interleaved(const lazy<Array>& a, const lazy<Array>& b, int axis) {
  const std::int64_t pairs = b.shape()[axis];
  const auto column = [&](const array& x) {
    const array part = strided_part(x, axis, 0, pairs, 1);
    return lax::reshape(part, shape(part.shape().with(axis + 1, 1)));
  };
  const array columns[] = {column(a), column(b)};
  const array rows = lax::concatenate(columns, axis + 1);
  int_list dims = a.shape();
  dims[axis] = 2 * pairs;
  const array merged = lax::reshape(rows, shape(dims));
  if (a.shape()[axis] == pairs) return merged;
  const array ends[] = {merged, strided_part(a, axis, pairs, pairs + 1, 1)};
  return lax::concatenate(ends, axis);
}

/// Partial results of leaves; `combine` maps two lists of leaves to one.
template <class Combine>
constexpr std::vector<array> scan_by_halves(const Combine& combine, const std::vector<array>& x, int axis) {
  const std::int64_t n = x[0].shape()[axis];
  if (n < 2) return x;
  const auto part = [&](const std::vector<array>& leaves, std::int64_t start, std::int64_t limit, std::int64_t step) {
    std::vector<array> r;
    for (const array& leaf : leaves) r.push_back(strided_part(leaf, axis, start, limit, step));
    return r;
  };
  const std::vector<array> odd = scan_by_halves(combine, combine(part(x, 0, n - 1, 2), part(x, 1, n, 2)), axis);
  const std::vector<array> before = part(odd, 0, n % 2 == 0 ? n / 2 - 1 : n / 2, 1);
  std::vector<array> even = part(x, 0, 1, 1);
  if (n > 2) {
    const std::vector<array> rest = combine(before, part(x, 2, n, 2));
    for (std::size_t i = 0; i < even.size(); ++i) {
      const array both[] = {even[i], rest[i]};
      even[i] = lax::concatenate(both, axis);
    }
  }
  for (std::size_t i = 0; i < even.size(); ++i) even[i] = interleaved(even[i], odd[i], axis);
  return even;
}

}  // namespace detail

namespace lax {

/// f(x[0], x[1]), f(f(x[0], x[1]), x[2]), ... along `axis`, after x[0] itself; from the end if `reverse`. f maps two trees like
/// `elements`, of several elements each, to one, and is associative.
/// A negative axis counts from the last one of the first leaf.
/// Shapes  kept. Errors  value_error: leaves of different sizes along the axis.
/// Cost    about 2 n applications of f to one element, in 2 log2 n calls.
template <class F, class Tree>
constexpr rebind_t<Tree> associative_scan(F f, const Tree& elements, bool reverse = false, int axis = 0, location where = location::current()) {
  using tree = rebind_t<Tree>;
  const leaf_list leaves = flatten_all(elements);
  std::vector<array> x = leaves;
  error_record e;
  const int given = axis;
  if (axis < 0 && !x.empty()) axis += x[0].ndim();
  for (const array& leaf : x) {
    if (leaf.ndim() <= axis || axis < 0)
      e = make_error(error_kind::value, "associative_scan: got axis ", given, " for an array of shape ", leaf.shape(), "; wanted -rank <= axis < rank");
    else if (leaf.shape()[axis] != x[0].shape()[axis])
      e = make_error(error_kind::value, "associative_scan: got arrays of ", x[0].shape()[axis], " and ", leaf.shape()[axis], " elements along axis ",
                     axis, "; wanted equal sizes");
    if (e) break;
  }
  if (x.empty() || e) {
    if (e) detail::fail_at(leaves, where, e);
    return rebuild<tree>(elements, x);
  }
  const auto combine = [&](const std::vector<array>& a, const std::vector<array>& b) {
    std::vector<array> left = a, right = b, out;
    if (reverse) std::swap(left, right);
    flatten_into(f(rebuild<tree>(elements, left), rebuild<tree>(elements, right)), out);
    return out;
  };
  const auto turn = [&] {
    if (!reverse) return;
    for (array& leaf : x) leaf = lax::rev(leaf, {axis}, where);
  };
  turn();
  x = detail::scan_by_halves(combine, x, axis);
  turn();
  return rebuild<tree>(elements, x);
}

}  // namespace lax

}  // namespace jacquard
