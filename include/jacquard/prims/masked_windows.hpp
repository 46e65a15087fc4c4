#pragma once
// Windows of padded arrays: how places that were computed for the logical part of an array are adapted to its padded form,
// which is what the masking rules of gather, scatter and the dynamic slices share. Not a primitive itself.

#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/index_windows.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard::detail {

/// Whether a window of logical size `size` may reach beyond the padded size of a dimension of logical size `n`.
constexpr bool needs_room(const dimension& n, const dimension& size) { return !size.is_constant() && !(size == n); }

/// `x` with room for windows of these sizes at its end.
constexpr array with_room(mask_call& c, const dimension_list& sizes) {
  array x = c.x[0];
  for (int d = 0; d < x.ndim(); ++d)
    if (const std::size_t k = std::size_t(d); needs_room(c.dims[0][k], sizes[k]))
      x = c.scope.window(x, d, 0, x.shape()[d] + c.scope.padded(sizes[k]));
  return x;
}

/// Index vectors, i64[..., k], for the padded operand: moved inside its logical part if `clip`, else those that are not inside
/// made to miss the padded one, too. As they are where no size is symbolic, unless `always`.
template <class Array = array>
constexpr array masked_indices(mask_call& c, const index_windows& w, const dimension_list& sizes, bool clip, bool always = false) {
  const lazy<Array>& given = c.x[1];
  dimension_list rooms;
  for (std::int64_t d : w.index_map) rooms.push_back(c.dims[0][std::size_t(d)] - sizes[std::size_t(d)]);
  if (!always && !has_symbolic(rooms) && !has_symbolic(sizes)) return given;
  const array places = lax::convert_element_type(given, i64);
  const shape dims = places.shape();
  const array room = lax::broadcast_in_dim(c.scope.shape_of(rooms), dims, {dims.rank() - 1});
  const array far = lax::gt(places, room), zero(std::int64_t(0));
  if (!clip) return lax::select(far, array(std::int64_t(1) << 40), places);
  return lax::select(lax::lt(places, zero), zero, lax::select(far, room, places));
}

/// The scalar `start` of a window of logical size `size` in a dimension of logical size `n`: counted from the end if it is
/// negative, then moved inside.
template <class Array = array>
constexpr array masked_start(mask_call& c, const lazy<Array>& start, const dimension& n, const dimension& size) {
  if (n.is_constant() && size.is_constant()) return start;
  const array zero(std::int64_t(0)), i = lax::convert_element_type(start, i64);
  if (n == size) return zero;
  const array end = lax::select(lax::lt(i, zero), lax::add(i, c.scope.size(n)), i), last = c.scope.size(n - size);
  return lax::select(lax::lt(end, zero), zero, lax::select(lax::gt(end, last), last, end));
}

/// The masking rule of gather P.
template <class P>
constexpr masked mask_gather(mask_call& c, const index_windows& w, params_of<P> p) {
  const dimension_list sizes = c.sizes(&params_of<P>::slice_sizes);
  const int_list spanned = w.spanned();
  const int rank = spanned.size() + int(c.dims[1].size()) - 1;
  dimension_list dims;
  for (int d = 0, window = 0, row = 0; d < rank; ++d)
    dims.push_back(w.window_dims.contains(d) ? sizes[std::size_t(spanned[window++])] : c.dims[1][std::size_t(row++)]);
  p.slice_sizes = c.scope.padded(sizes);
  const array indices = masked_indices(c, w, sizes, p.mode != index_mode::fill_or_drop);
  const array y = bind<P>(p, location{}, with_room(c, sizes), indices);
  return {c.scope.guarded(y, dims, int_list::iota(rank)), dims};
}

/// The sizes of the windows of a scatter by operand dimension: those of the updates' window dimensions.
constexpr dimension_list update_sizes(const mask_call& c, const index_windows& w) {
  dimension_list sizes;
  int next = 0;
  for (int d = 0; d < w.sizes.size(); ++d) {
    const bool spanned = !w.collapsed_dims.contains(d) && !w.operand_batching.contains(d);
    sizes.push_back(dimension(1));
    if (spanned) sizes.back() = c.dims[2][std::size_t(w.window_dims[next++])];
  }
  return sizes;
}

/// A scatter as one of single elements, of which those in the padding of a window write nowhere. In the order of the windows.
template <class P>
constexpr masked mask_elements(mask_call& c, const index_windows& w, const dimension_list& sizes, params_of<P> p, const auto& indices) {
  const int rows = indices.ndim() - 1;
  const int_list spanned = w.spanned();
  dimension_list dims(c.dims[1].begin(), c.dims[1].end() - 1);
  for (std::int64_t d : spanned) dims.push_back(sizes[std::size_t(d)]);
  const shape all = c.scope.padded(dims), vectors = indices.shape();
  const array zero(std::int64_t(0)), far(std::int64_t(1) << 40);
  std::vector<array> entries;
  int_list targets, order;
  for (int d = 0; d < c.x[0].ndim(); ++d) {
    if (w.operand_batching.contains(d)) continue;
    targets.push_back(d);
    array place = lax::broadcast_in_dim(zero, all, {});
    if (const int k = w.index_map.index_of(d); k >= 0) {
      int_list low = int_list::filled(rows + 1, 0), high = vectors;
      low[rows] = k;
      high[rows] = k + 1;
      const array start = lax::reshape(lax::slice(indices, low, high), shape(vectors.without(rows)));
      place = lax::broadcast_in_dim(lax::select(lax::lt(start, zero), far, start), all, int_list::iota(rows));
    }
    if (const int s = spanned.index_of(d); s >= 0)
      place = lax::add(place, lax::broadcast_in_dim(lax::iota(i64, all[rows + s]), all, {rows + s}));
    entries.push_back(lax::reshape(place, shape(all.with(all.rank(), 1))));
  }
  dims.push_back(dimension(targets.size()));
  const array places = c.scope.filled(lax::concatenate(entries, all.rank()), dims, int_list::iota(all.rank()), far);
  for (int d = 0; d < c.x[2].ndim(); ++d)
    if (!w.window_dims.contains(d)) order.push_back(d);
  for (std::int64_t d : w.window_dims) order.push_back(d);
  const params_of<P> q{{}, targets, targets, p.operand_batching_dims, p.scatter_indices_batching_dims, false, index_mode::fill_or_drop};
  return {bind<P>(q, location{}, c.x[0], places, lax::transpose(c.x[2], order)), c.dims[0]};
}

/// The masking rule of scatter P. What is combined with an element may be neutral; what is written must not come from padding.
template <class P>
constexpr masked mask_scatter(mask_call& c, const index_windows& w, params_of<P> p) {
  constexpr bool combines = requires(const aval& t) { P::neutral(t); };
  const dimension_list sizes = update_sizes(c, w);
  const bool clip = p.mode == index_mode::clip;
  array indices = masked_indices(c, w, sizes, clip, clip && has_symbolic(c.dims[1]));
  bool partial = false;
  for (std::size_t d = 0; d < sizes.size(); ++d) partial = partial || needs_room(c.dims[0][d], sizes[d]);
  if (partial && !combines) return mask_elements<P>(c, w, sizes, p, lax::convert_element_type(indices, i64));
  if (has_symbolic(sizes) || has_symbolic(c.dims[0]) || has_symbolic(c.dims[1])) p.mode = index_mode::fill_or_drop;
  array updates = c.x[2];
  if constexpr (combines) updates = c.scope.filled(updates, c.dims[2], int_list::iota(updates.ndim()), array(P::neutral(updates.aval())));
  else if (has_symbolic(c.dims[1]))  // rows of padding write nowhere
    indices = c.scope.filled(lax::convert_element_type(indices, i64), c.dims[1], int_list::iota(indices.ndim()),
                             array(std::int64_t(-1)));
  return {c.scope.fitted(bind<P>(p, location{}, with_room(c, sizes), indices, updates), c.dims[0]), c.dims[0]};
}

}  // namespace jacquard::detail
