#pragma once
// Collectives among groups of the members of a mapped axis: each member meets those of its own group alone. They are made of all_gather, so that
// every lane, backend and transform has them. Deliberately no primitives: what a group does not want is gathered, too.

#include "jacquard/numpy/creation.hpp"
#include "jacquard/prims/all_gather.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
#include "jacquard/prims/gather_scatter.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/tree_collectives.hpp"

namespace jacquard {

/// Groups of members of a mapped axis, by their positions on it: axis_index_groups{{0, 1}, {2, 3}}. Each member is in one of them.
class axis_index_groups {
 public:
  using list = std::vector<std::int64_t>;
  constexpr axis_index_groups(std::initializer_list<std::initializer_list<std::int64_t>> groups) {
    for (const auto& g : groups) groups_.emplace_back(g);
  }
  template <std::integral Position>
  constexpr explicit axis_index_groups(const std::vector<std::vector<Position>>& groups) {
    for (const auto& g : groups) groups_.emplace_back(g.begin(), g.end());
  }
  constexpr const std::vector<list>& all() const { return groups_; }
  constexpr std::size_t largest() const {
    std::size_t n = 0;
    for (const list& g : groups_) n = g.size() > n ? g.size() : n;
    return n;
  }
  constexpr bool are_of_one_size() const {
    for (const list& g : groups_)
      if (g.size() != groups_[0].size()) return false;
    return true;
  }
  /// Whether each of n members is in one of them, once.
  constexpr bool cover(std::int64_t n) const {
    std::vector<char> seen(std::size_t(n), false);
    std::int64_t count = 0;
    for (const list& g : groups_)
      for (std::int64_t i : g) {
        if (i < 0 || i >= n || seen[std::size_t(i)]) return false;
        seen[std::size_t(i)] = true, ++count;
      }
    return count == n;
  }
  /// "[[0, 1], [2, 3]]"
  constexpr text words() const {
    text r;
    for (const list& g : groups_) {
      r << (r.empty() ? "[[" : ", [");
      for (std::size_t i = 0; i < g.size(); ++i) r << (i ? ", " : "") << g[i];
      r << ']';
    }
    return r.empty() ? cat("[]") : cat(r, ']');
  }

 private:
  std::vector<list> groups_;
};

namespace detail {

/// What a member sees of its group: x of each of them, and where it is among them.
class group_rows {
 public:
  array rows;  ///< along a new first dimension; of smaller groups the first one's again
  array bad;   ///< the result where something was wrong in constant evaluation

  /// Errors: value_error for a dimension in the place of an axis, for groups that do not cover it, and for ones of several sizes where these may not be.
  template <class Array = array>
  constexpr group_rows(std::string_view operation, const lazy<Array>& x, const lax::axis_or_dimension& axis, const axis_index_groups& groups, bool of_one_size,
                       const location& where)
      : groups_(groups), where_(where) {
    const auto refuse = [&](const array& about, const auto&... parts) {
      bad = operand_error(view<const array>(&about, 1), make_error(error_kind::value, operation, ": axis_index_groups ", parts...), where);
    };
    if (axis.is_position) {
      refuse(x, "only supported for sums over just named axes; name the axis, or reshape and reduce dimensions");
      return;
    }
    const array all = lax::all_gather(x, axis.name, 0, where);
    if (all.is_none()) return;
    count_ = all.shape()[0];
    const auto refuse_groups = [&](std::string_view problem, std::string_view remedy) {
      refuse(all, "must ", problem, ", got ", groups.words().view(), " for an axis of ", count_, " members; ", remedy);
    };
    if (groups.all().empty() || !groups.cover(count_)) refuse_groups("cover all indices exactly once", "name each of them in one group");
    else if (of_one_size && !groups.are_of_one_size()) refuse_groups("all be the same size", "make the results of each group as large as those of the others");
    if (!bad.is_none()) return;
    member_ = lax::axis_index(axis.name, where);
    const std::int64_t k = std::int64_t(groups.largest());
    const array wanted = own_row<Array>(k, [k](const axis_index_groups::list& g, std::size_t, std::int32_t* row) {
      for (std::size_t j = 0; j < std::size_t(k); ++j) row[j] = std::int32_t(g[j < g.size() ? j : 0]);
    });
    gather_dimension_numbers along;
    for (int d = 1; d < all.ndim(); ++d) along.offset_dims.push_back(d);
    along.collapsed_slice_dims.push_back(0), along.start_index_map.push_back(0);
    int_list sizes = all.shape();
    sizes[0] = 1;
    rows = lax::gather(all, lax::reshape(wanted, shape{k, 1}, where), along, sizes, index_mode::clip, where);
  }
  /// i32[]: where the member itself is among its group.
  template <class Array = array>
  constexpr array place() const {
    return lax::reshape(own_row<Array>(1, [](const axis_index_groups::list&, std::size_t i, std::int32_t* row) { *row = std::int32_t(i); }), shape{}, where_);
  }
  /// i32[]: how many they are.
  template <class Array = array>
  constexpr array count() const {
    return lax::reshape(own_row<Array>(1, [](const axis_index_groups::list& g, std::size_t, std::int32_t* row) { *row = std::int32_t(g.size()); }), shape{}, where_);
  }

 private:
  /// This member's row of k numbers of a table in which `write` puts that of each member: its group, its place there, and where it goes.
  template <class Array>
  constexpr array own_row(std::int64_t k, auto&& write) const {
    std::vector<std::int32_t> table(std::size_t(count_ * k));
    for (const axis_index_groups::list& g : groups_.all())
      for (std::size_t i = 0; i < g.size(); ++i) write(g, i, table.data() + g[i] * k);
    const array first[] = {member_, Array(0)};
    return lax::reshape(lax::dynamic_slice(from_flat(table, shape{count_, k}), view<const array>(first, 2), int_list{1, k}, where_), shape{k}, where_);
  }

  const axis_index_groups& groups_;
  location where_;
  std::int64_t count_ = 0;
  array member_;
};
/// What is the same for every member of an axis that is mapped here, in groups of one size: a constant.
template <class Array = array>
constexpr bool is_repeated_in_groups(const lazy<Array>& x, const name_text& axis, const axis_index_groups& groups) {
  const axis_binding* const a = axis_beside(x, axis);
  return a && a->size > 0 && !a->has_own_constants && groups.cover(a->size) && groups.are_of_one_size();
}
/// The part of `x` along a dimension that belongs to a member at a place among k; entry `place`, or, if `tiled`, that of k equal parts.
template <class Array = array>
constexpr array part_at(std::string_view operation, const lazy<Array>& x, int dimension, std::int64_t k, bool tiled, const lazy<Array>& place, const location& where) {
  const std::int64_t size = dimension >= 0 && dimension < x.ndim() ? x.shape()[dimension] : -1;
  if (size < 0 || (tiled ? size % k != 0 : size != k))
    return operand_error(view<const array>(&x, 1), make_error(error_kind::shape, operation, ": got dimension ", dimension, " of the shape ", x.shape(), ", wanted one of ",
                         tiled ? "a size divisible by " : "size ", k, ", the members of a group"), where);
  std::vector<array> start(std::size_t(x.ndim()), array(0));
  start[std::size_t(dimension)] = lax::mul(place, array(literal(double(size / k), i32, false)), where);
  int_list sizes = x.shape();
  sizes[dimension] = size / k;
  const array part = lax::dynamic_slice(x, start, sizes, where);
  if (tiled) return part;
  return lax::reshape(part, shape(x.shape().without(dimension)), where);
}
/// The leading dimension moved to `dimension`, or, if `tiled`, into it.
template <class Array = array>
constexpr array with_rows_at(const lazy<Array>& rows, int dimension, bool tiled) {
  const array moved = move_axis(rows, 0, dimension);
  if (!tiled) return moved;
  return merge_dimension(moved, dimension);
}
/// The elements of each group reduced by `reduce` along their first dimension; groups may be of several sizes where that is idempotent.
template <class Array = array>
constexpr array extreme_of_group(std::string_view operation, const lazy<Array>& x, const lax::axis_or_dimension& axis, const axis_index_groups& groups, auto&& reduce,
                                 const location& where) {
  const group_rows g(operation, x, axis, groups, false, where);
  if (!g.bad.is_none()) return g.bad;
  return reduce(g.rows);
}
}  // namespace detail

namespace lax {

/// Sums among the members of a group. Booleans are counted as i32; a constant is multiplied with the number of members.
/// Errors: those of psum; value_error for groups that do not cover all members exactly once. Cost: as all_gather.
template <class Array = array>
constexpr array psum(const lazy<Array>& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  if (x.is_none()) return x;
  if (is_boolean(x.dtype())) return psum(convert_element_type(x, i32, false, where), axis, groups, where);
  if (!axis.is_position && detail::is_repeated_in_groups(x, axis.name, groups)) return psum_p::repeat(x, std::int64_t(groups.largest()));
  const detail::group_rows g("psum", x, axis, groups, false, where);
  if (!g.bad.is_none()) return g.bad;
  if (groups.are_of_one_size()) return reduce_sum(g.rows, {0}, where);
  const shape dims = g.rows.shape();
  const array there = lt(iota(i32, dims, 0, where), broadcast_in_dim(g.count(), dims, {}, where), where);
  return reduce_sum(select(there, g.rows, zeros(g.rows.aval())), {0}, where);
}
/// The mean among the members of a group. Integers and booleans become f64 first. Otherwise as psum.
template <class Array = array>
constexpr array pmean(const lazy<Array>& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  if (!x.is_none() && !is_inexact(x.dtype())) return pmean(convert_element_type(x, f64, false, where), axis, groups, where);
  const array sum = psum(x, axis, groups, where), count = psum(array(std::int32_t(1)), axis, groups, where);
  return div(sum, convert_element_type(count, sum.dtype(), true, where), where);
}
/// The largest among the members of a group. Otherwise as psum.
template <class Array = array>
constexpr array pmax(const lazy<Array>& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  return detail::extreme_of_group<Array>("pmax", x, axis, groups, [&](const array& rows) { return reduce_max(rows, {0}, where); }, where);
}
/// The smallest among the members of a group. Otherwise as psum.
template <class Array = array>
constexpr array pmin(const lazy<Array>& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  return detail::extreme_of_group<Array>("pmin", x, axis, groups, [&](const array& rows) { return reduce_min(rows, {0}, where); }, where);
}
/// What each member of a group of k has, in the group's order.
/// Shapes: [.., ..] -> [.., k, ..] at `dimension`, or, if `tiled`, [.., d, ..] -> [.., k * d, ..].
/// Errors: those of all_gather; value_error for groups of several sizes, or that do not cover all members exactly once. Cost: as all_gather.
template <class Array = array>
constexpr array all_gather(const lazy<Array>& x, const name_text& axis, const axis_index_groups& groups, int dimension = 0, bool tiled = false,
                           location where = location::current()) {
  const detail::group_rows g("all_gather", x, axis, groups, true, where);
  if (!g.bad.is_none()) return g.bad;
  if (dimension < 0 || dimension >= g.rows.ndim() || (tiled && dimension >= x.ndim()))
    return detail::operand_error(view<const array>(&x, 1), make_error(error_kind::shape, "all_gather: got dimension ", dimension, " for the shape ", x.shape(),
                                 ", wanted one of 0 to ", tiled ? x.ndim() - 1 : x.ndim()), where);
  return detail::with_rows_at<Array>(g.rows, dimension, tiled);
}
/// The sum among a group of k members, of which each gets its part: entry i of `dimension`, which has k, or, if `tiled`, the i-th of k equal parts.
/// Errors: those of the others; shape_error for a dimension that cannot be cut so.
template <class Array = array>
constexpr array psum_scatter(const lazy<Array>& x, const name_text& axis, const axis_index_groups& groups, int dimension = 0, bool tiled = false,
                             location where = location::current()) {
  const detail::group_rows g("psum_scatter", x, axis, groups, true, where);
  if (!g.bad.is_none()) return g.bad;
  return detail::part_at<Array>("psum_scatter", reduce_sum(g.rows, {0}, where), dimension, std::int64_t(groups.largest()), tiled, g.place(), where);
}
/// Member i of a group of k gets part i of dimension `split` from each of the group, along `concat`. Parts are entries, or, if `tiled`, k equal pieces.
/// Errors: those of the others; shape_error for a dimension that cannot be cut so.
template <class Array = array>
constexpr array all_to_all(const lazy<Array>& x, const name_text& axis, int split, int concat, const axis_index_groups& groups, bool tiled = false,
                           location where = location::current()) {
  const detail::group_rows g("all_to_all", x, axis, groups, true, where);
  if (!g.bad.is_none()) return g.bad;
  if (split < 0 || split >= x.ndim() || concat < 0 || concat >= x.ndim())
    return detail::operand_error(view<const array>(&x, 1), make_error(error_kind::shape, "all_to_all: got dimensions ", split, " and ", concat, " for the shape ", x.shape(),
                                 ", wanted those that it has"), where);
  const array parts = detail::part_at<Array>("all_to_all", g.rows, split + 1, std::int64_t(groups.largest()), tiled, g.place(), where);
  return detail::with_rows_at<Array>(parts, concat, tiled);
}

// Trees: leaf by leaf.
template <detail::tree_of_leaves T>
constexpr rebind_t<T> psum(const T& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  return tree::map([&](const array& leaf) { return psum(leaf, axis, groups, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmean(const T& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmean(leaf, axis, groups, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmax(const T& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmax(leaf, axis, groups, where); }, x);
}
template <detail::tree_of_leaves T>
constexpr rebind_t<T> pmin(const T& x, const axis_or_dimension& axis, const axis_index_groups& groups, location where = location::current()) {
  return tree::map([&](const array& leaf) { return pmin(leaf, axis, groups, where); }, x);
}

}  // namespace lax

}  // namespace jacquard
