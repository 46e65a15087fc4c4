#pragma once
// lax::reduce and lax::reduce_window with an operation of the user's, on trees of arrays: reductions that no primitive names, such as
// an extreme together with its place. Deliberately no primitives: the operation is applied to whole arrays, pair by pair, so that each
// step is one fused operation and has the derivatives of its equations. Sums and extremes are primitives and faster.

#include "jacquard/control/associative_scan.hpp"
#include "jacquard/prims/reduction_windows.hpp"

namespace jacquard {

namespace detail {

/// What folding needs: the operation on lists of leaves, and its neutral elements.
template <class Combine>
struct leaf_fold {
  const Combine& combine;
  const std::vector<array>& initial;

  /// The elements of leaves of one shape [n, ...] along dimension 0 combined in order; n > 0.
  constexpr std::vector<array> along_first(std::vector<array> x) const {
    for (std::int64_t n = x[0].shape()[0]; n > 1; n = (n + 1) / 2) {
      std::vector<array> even, odd;
      for (std::size_t k = 0; k < x.size(); ++k) {
        array y = x[k];
        int_list high = int_list::filled(y.ndim(), 0);
        high[0] = n % 2;
        y = lax::pad(y, initial[k], int_list::filled(y.ndim(), 0), high);
        even.push_back(strided_part(y, 0, 0, n + n % 2, 2));
        odd.push_back(strided_part(y, 0, 1, n + n % 2, 2));
      }
      x = combine(even, odd);
    }
    return x;
  }
  /// Lists of leaves combined in order, pair by pair.
  constexpr std::vector<array> all(std::vector<std::vector<array>> x) const {
    while (x.size() > 1) {
      std::vector<std::vector<array>> next;
      for (std::size_t i = 0; i + 1 < x.size(); i += 2) next.push_back(combine(x[i], x[i + 1]));
      if (x.size() % 2 != 0) next.push_back(x.back());
      x = std::move(next);
    }
    return x[0];
  }
};

/// What is wrong with operands and initial values.
template <class Array = array>
constexpr error_record check_folded(std::string_view operation, view<const lazy<Array>> x, view<const lazy<Array>> initial) {
  bool same = !x.empty() && x.size() == initial.size();
  for (std::size_t k = 0; same && k < x.size(); ++k)
    same = x[k].shape() == x[0].shape() && initial[k].ndim() == 0 && initial[k].dtype() == x[k].dtype();
  if (same) return {};
  text got;
  for (const array& a : x) got << (got.empty() ? "" : ", ") << shaped_text(a.aval());
  for (const array& a : initial) got << ", " << shaped_text(a.aval());
  return make_error(error_kind::value, operation, ": got arrays and initial values ", got,
                    "; wanted at least one array, all of one shape, and a scalar of the same dtype for each");
}
/// The operation of the user on lists of leaves of a tree like `like`.
template <class F, class Tree>
constexpr auto combine_leaves(F& f, const Tree& like) {
  return [&](const std::vector<array>& a, const std::vector<array>& b) {
    std::vector<array> out;
    flatten_into(f(rebuild<rebind_t<Tree>>(like, a), rebuild<rebind_t<Tree>>(like, b)), out);
    return out;
  };
}
/// The elements of `x`, padded and dilated, that tap number `tap` of each window meets.
template <class Array = array>
constexpr array tap_of_windows(const lazy<Array>& x, const lazy<Array>& initial, const reduce_window_params& p, const shape& tap, const shape& places) {
  int_list low, high, interior, start, limit;
  for (int d = 0; d < x.ndim(); ++d) {
    const window_dim w = window_along(p, x.shape(), d);
    low.push_back(w.low);
    high.push_back(w.high);
    interior.push_back(w.dilation - 1);
    start.push_back(tap[d] * w.tap_dilation);
    limit.push_back(places[d] == 0 ? start[d] : start[d] + (places[d] - 1) * w.stride + 1);
  }
  return lax::slice(lax::pad(x, initial, low, high, interior), start, limit, p.window_strides);
}

}  // namespace detail

namespace lax {

/// The elements of `operands`, a tree of arrays of one shape, combined over `axes` by f, which maps two such trees of any one shape to one,
/// element by element. f is associative, and `initial`, a tree of scalars, is neutral for it; the order of elements is kept.
/// Shapes  [d...] -> without `axes`; `initial` itself, repeated, where there are no elements.
/// Errors  value_error: arrays of several shapes, initial values that do not fit, axes out of range or repeated.
/// Cost    n applications of f to one element, in log2 n calls.
template <class F, class Tree, class Scalars>
constexpr rebind_t<Tree> reduce(F f, const Tree& operands, const Scalars& initial, const int_list& axes, location where = location::current()) {
  const leaf_list leaves = flatten_all(operands);
  std::vector<array> x = leaves;
  const leaf_list scalars = flatten_all(initial);
  const std::vector<array> neutral = scalars;
  error_record e = detail::check_folded("reduce", view<const array>(x.data(), x.size()), view<const array>(neutral.data(), neutral.size()));
  const int rank = x.empty() ? 0 : x[0].ndim();
  if (!e && !detail::distinct_below(axes, rank))
    e = make_error(error_kind::value, "reduce: got axes ", axes, " for arrays of shape ", x[0].shape(), "; wanted distinct axes in [0, ", rank, ")");
  if (e) {
    detail::fail_at(view<const array>(x.data(), x.size()), where, e);
    return rebuild<rebind_t<Tree>>(operands, x);
  }
  int_list order = axes;
  std::int64_t count = 1;
  for (std::int64_t d : axes) count *= x[0].shape()[int(d)];
  shape rest, rows{count};
  for (int d = 0; d < rank; ++d)
    if (!axes.contains(d)) order.push_back(d), rest.push_back(x[0].shape()[d]), rows.push_back(x[0].shape()[d]);
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (count == 0) x[k] = lax::broadcast_in_dim(neutral[k], rest, {}, where);
    else x[k] = lax::reshape(lax::transpose(x[k], order, where), rows, where);
  }
  if (count > 0) {
    const auto combine = detail::combine_leaves(f, operands);
    x = detail::leaf_fold<decltype(combine)>{combine, neutral}.along_first(x);
    for (array& leaf : x) leaf = lax::reshape(leaf, rest, where);
  }
  return rebuild<rebind_t<Tree>>(operands, x);
}

/// The elements of each window of `operands` combined by f, as by reduce; `initial` is the padding. Strides and dilations are 1 where they are
/// left out; padding is "VALID", "SAME", "SAME_LOWER" or pairs of numbers.
/// Errors  value_error: as reduce; shape_error, value_error: windows as in reduce_window_sum.
/// Cost    as many applications of f to one element as a window has elements, per window.
template <class F, class Tree, class Scalars>
constexpr rebind_t<Tree> reduce_window(F f, const Tree& operands, const Scalars& initial, const int_list& window, const int_list& strides = {},
                                       const conv_padding& padding = "VALID", const int_list& base_dilation = {}, const int_list& window_dilation = {},
                                       location where = location::current()) {
  const leaf_list leaves = flatten_all(operands);
  std::vector<array> x = leaves;
  const leaf_list scalars = flatten_all(initial);
  const std::vector<array> neutral = scalars;
  error_record e = detail::check_folded("reduce_window", view<const array>(x.data(), x.size()), view<const array>(neutral.data(), neutral.size()));
  const int rank = x.empty() ? 0 : x[0].ndim();
  const auto p = detail::window_arguments<reduce_window_params>(rank, window, strides, padding, base_dilation, window_dilation);
  shape places;
  if (!e) {
    const aval type = x[0].aval();
    inference c{"reduce_window", view<const aval>(&type, 1), {}};
    places = detail::windows_over(c, type, p);
    e = c.problem;
  }
  if (e) {
    detail::fail_at(view<const array>(x.data(), x.size()), where, e);
    return rebuild<rebind_t<Tree>>(operands, x);
  }
  std::vector<std::vector<array>> taps;
  const shape sizes(window);
  const int_list each = sizes.strides();
  for (std::int64_t t = 0; t < sizes.elements(); ++t) {
    shape tap;
    for (int d = 0; d < rank; ++d) tap.push_back(t / each[d] % sizes[d]);
    taps.emplace_back();
    for (std::size_t k = 0; k < x.size(); ++k) taps.back().push_back(detail::tap_of_windows(x[k], neutral[k], p, tap, places));
  }
  const auto combine = detail::combine_leaves(f, operands);
  return rebuild<rebind_t<Tree>>(operands, detail::leaf_fold<decltype(combine)>{combine, neutral}.all(std::move(taps)));
}

}  // namespace lax

}  // namespace jacquard
