#pragma once
// dynamic_slice and dynamic_update_slice, which are each other's transpose: reading and writing one window of fixed size at
// a computed place. Many windows at once are a gather or a scatter, which is what batched places turn into.

#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/gather_scatter.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array dynamic_slice(const lazy<Array>& x, view<const lazy<Array>> start, const int_list& sizes,
                              location where = location::current());
template <class Array = array>
constexpr array dynamic_update_slice(const lazy<Array>& x, const lazy<Array>& update, view<const lazy<Array>> start,
                                     location where = location::current());
}  // namespace lax

namespace detail {

/// The place of a window of `size` in a dimension: a negative index counts from the end, then the window is moved inside.
constexpr std::int64_t window_start(std::int64_t index, std::int64_t dimension, std::int64_t size) {
  if (index < 0) index += dimension;
  return index < 0 ? 0 : index > dimension - size ? dimension - size : index;
}

/// Where elements of a window of `size` lie in dimension d: as many further on as scalar operand `start` says.
constexpr void add_window_start(lookup_call& c, std::uint32_t start, int d, std::int64_t size) {
  const std::int64_t n = c.in[0].dims[d], most = n - size;
  c.from.push_back({d, 0, 1});
  if (most > 0) c.entries.push_back({start, {}, d, most, n});
}

/// Checks that `start` are scalar integers, one per dimension of x, and that a window of `sizes` fits into x.
constexpr void check_window(inference& c, const aval& x, view<const aval> start, const int_list& sizes) {
  bool ok = int(start.size()) == x.rank() && sizes.size() == x.rank();
  for (int d = 0; ok && d < x.rank(); ++d) ok = sizes[d] >= 0 && sizes[d] <= x.dims[d];
  if (!ok)
    return void(c.fail(error_kind::shape, ": got ", start.size(), " indices and a window of shape ", sizes,
                       " for an operand of shape ", x.dims,
                       "; wanted one of each per dimension, the window not larger"));
  for (const aval& i : start) {
    if (!is_integer(i.type))
      return void(c.fail(error_kind::type, ": index arguments must be integers, got ", long_name(i.type),
                         "; convert them with x.astype(jq::i32)"));
    if (i.rank() != 0)
      return void(c.fail(error_kind::shape, ": index arguments must be scalars, got shape ", i.dims,
                         "; pass one scalar per dimension, or use gather"));
  }
}

constexpr bool any_mapped(view<const int> dims) {
  for (int d : dims)
    if (d != not_mapped) return true;
  return false;
}

/// One row of indices per example, i64[size, rank], from scalars of which some are mapped; negative ones wrapped.
template <class Array = array>
constexpr array stack_indices(view<const lazy<Array>> start, view<const int> dims, std::int64_t size,
                              const shape& x) {
  std::vector<array> columns;
  for (std::size_t d = 0; d < start.size(); ++d) {
    const array i = lax::convert_element_type(start[d], i64);
    const array wrapped = lax::add(i, array(x[int(d)]));
    const array place = lax::select(lax::lt(i, array(std::int64_t(0))), wrapped, i);
    columns.push_back(
        lax::broadcast_in_dim(place, shape{size, 1}, dims[d] == not_mapped ? int_list{} : int_list{0}));
  }
  return lax::concatenate(columns, 1);
}

}  // namespace detail

/// The window of `x` of shape `slice_sizes` that starts at the scalars `start`, one per dimension. A negative index counts
/// from the end; then the window is moved so that it lies inside.
/// Shapes  x [n_d], start [] each -> [slice_sizes_d].
/// Errors  type_error: indices that are no integers. shape_error: a window larger than x, a wrong number of indices.
/// Rules   linear in x; transpose = dynamic_update_slice of zeros, or of a running sum where it lies.
/// Cost    copies the window once.
struct dynamic_slice_p {
  static constexpr std::string_view name = "dynamic_slice";
  struct params {
    int_list slice_sizes;
    static constexpr std::string_view fields = "slice_sizes";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;
  static constexpr std::uint32_t index_operands = ~1u;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    detail::check_window(c, c.in[0], c.in.subspan(1), p.slice_sizes);
    return c.in[0].with(shape(p.slice_sizes));
  }
  static constexpr void look_up(lookup_call& c, const params& p) {
    for (int d = 0; d < c.out.rank(); ++d) detail::add_window_start(c, std::uint32_t(1 + d), d, p.slice_sizes[d]);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    const array sum = c.take_sum(0);
    if (!sum.is_none()) {
      const array there = lax::dynamic_slice(sum, c.x.subspan(1), p.slice_sizes);
      return lax::dynamic_update_slice(sum, lax::add(there, ct), c.x.subspan(1));
    }
    return lax::dynamic_update_slice(lax::zeros(c.in[0]), ct, c.x.subspan(1));
  }
  static constexpr masked mask(auto& c, const params&) {
    const dimension_list sizes = c.sizes(&params::slice_sizes);
    std::vector<array> start;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      c.scope.require_at_least(c.dims[0][d], sizes[d]);
      start.push_back(detail::masked_start(c, c.x[1 + d], c.dims[0][d], sizes[d]));
    }
    return {lax::dynamic_slice(detail::with_room(c, sizes), start, c.scope.padded(sizes)), sizes};
  }
  static constexpr batched batch(auto& c, const params& p) {
    const int d = c.dims[0], rank = p.slice_sizes.size();
    if (!detail::any_mapped(c.dims.subspan(1))) {
      std::vector<array> start(c.x.begin() + 1, c.x.end());
      start.insert(start.begin() + d, array(0));
      return {lax::dynamic_slice(c.x[0], start, p.slice_sizes.with(d, c.size)), d};
    }
    const array x = detail::batch_to_front(c.x[0], d);
    const shape one = d == not_mapped ? x.shape() : shape(x.shape().without(0));
    const array rows = detail::stack_indices(c.x.subspan(1), c.dims.subspan(1), c.size, one);
    gather_dimension_numbers n{detail::shifted(int_list::iota(rank)), {}, int_list::iota(rank)};
    int_list sizes = p.slice_sizes;
    if (d != not_mapped) {
      n.start_index_map = n.offset_dims;
      n.operand_batching_dims = n.start_indices_batching_dims = {0};
      sizes = sizes.with(0, 1);
    }
    return {lax::gather(x, rows, n, sizes, index_mode::clip), 0};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& from = a.in_types[0].dims;
    const int_list strides = from.strides();
    std::int64_t at = 0;
    for (int d = 0; d < from.rank(); ++d)
      at += detail::window_start(a.index[std::size_t(1 + d)][0], from[d], p.slice_sizes[d]) * strides[d];
    strided_copy(shape(p.slice_sizes), strides, at, a.in[0], a.out[0]);
  }
};

/// `x` with `update` written over the window that starts at the scalars `start`, one per dimension. A negative index counts
/// from the end; then the window is moved so that it lies inside.
/// Shapes  x [n_d], update [m_d], start [] each -> [n_d].
/// Errors  type_error: different dtypes, indices that are no integers. shape_error: an update larger than x.
/// Rules   linear in x and update together; transpose = dynamic_update_slice of zeros, and dynamic_slice.
/// Cost    copies x, unless nothing reads it afterwards, then the update over it.
struct dynamic_update_slice_p {
  static constexpr std::string_view name = "dynamic_update_slice";
  static constexpr std::uint32_t linear = 0b11;
  static constexpr bool jointly_linear = true;
  static constexpr bool moves_data = true;
  static constexpr int overwrites = 0;
  static constexpr std::uint32_t puts = 1;
  static constexpr scalar_op puts_by = scalar_op::load;
  static constexpr std::uint32_t index_operands = ~3u;

  static constexpr aval abstract_eval(inference& c) {
    const aval &x = c.in[0], &update = c.in[1];
    if (x.type != update.type)
      return c.fail(error_kind::type, ": got an operand of dtype ", long_name(x.type),
                    " and an update of dtype ", long_name(update.type),
                    "; convert the update with x.astype(...)");
    detail::check_window(c, x, c.in.subspan(2), update.dims);
    return {x.type, x.dims, x.weak && update.weak};
  }
  static constexpr void put(lookup_call& c) {
    for (int d = 0; d < c.out.rank(); ++d) detail::add_window_start(c, std::uint32_t(2 + d), d, c.out.dims[d]);
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c) {
    const view<const array> start = c.x.subspan(2);
    if (k == 1) return lax::dynamic_slice(ct, start, c.in[1].dims);
    return lax::dynamic_update_slice(ct, lax::zeros(c.in[1]), start);
  }
  /// The padding of the update takes what is there.
  static constexpr masked mask(auto& c) {
    const dimension_list &dims = c.dims[0], &sizes = c.dims[1];
    std::vector<array> start;
    bool partial = false;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      c.scope.require_at_least(dims[d], sizes[d]);
      start.push_back(detail::masked_start(c, c.x[2 + d], dims[d], sizes[d]));
      partial = partial || detail::needs_room(dims[d], sizes[d]);
    }
    const array x = detail::with_room(c, sizes);
    array update = c.x[1];
    if (partial) {
      const array there = lax::dynamic_slice(x, start, update.shape());
      update = c.scope.filled(update, sizes, int_list::iota(update.ndim()), there);
    }
    return {c.scope.fitted(lax::dynamic_update_slice(x, update, start), dims), dims};
  }
  static constexpr batched batch(auto& c) {
    const array x = detail::batch_materialise(c.x[0], c.dims[0], c.size);
    const array update = detail::batch_materialise(c.x[1], c.dims[1], c.size);
    std::vector<array> start(c.x.begin() + 2, c.x.end());
    if (!detail::any_mapped(c.dims.subspan(2))) {
      start.insert(start.begin(), array(0));
      return {lax::dynamic_update_slice(x, update, start), 0};
    }
    const array rows = detail::stack_indices(start, c.dims.subspan(2), c.size, shape(x.shape().without(0)));
    const int_list dims = detail::shifted(int_list::iota(x.ndim() - 1));
    return {lax::scatter(x, rows, update, {dims, {}, dims, {0}, {0}}, index_mode::clip, true), 0};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a) {
    const shape &to = a.out_types[0].dims, &window = a.in_types[1].dims;
    const int_list strides = to.strides();
    std::int64_t at = 0;
    for (int d = 0; d < to.rank(); ++d)
      at += detail::window_start(a.index[std::size_t(2 + d)][0], to[d], window[d]) * strides[d];
    if (a.out[0] != a.in[0])
      for (std::int64_t i = 0, n = to.elements(); i < n; ++i) a.out[0][i] = a.in[0][i];
    for_each_pair(window, strides, at, window.strides(), 0,
                  [&](std::int64_t o, std::int64_t i) { a.out[0][o] = a.in[1][i]; });
  }
};

namespace lax {

/// See dynamic_slice_p.
template <class Array>
constexpr array dynamic_slice(const lazy<Array>& x, view<const lazy<Array>> start, const int_list& sizes,
                              location where) {
  std::vector<array> operands{x};
  operands.insert(operands.end(), start.begin(), start.end());
  return bind_list<dynamic_slice_p>({sizes}, where, operands)[0];
}
template <class Array = array>
constexpr array dynamic_slice(const lazy<Array>& x, std::initializer_list<lazy<Array>> start, const int_list& sizes,
                              location where = location::current()) {
  return dynamic_slice(x, view<const array>(start.begin(), start.size()), sizes, where);
}
/// See dynamic_update_slice_p.
template <class Array>
constexpr array dynamic_update_slice(const lazy<Array>& x, const lazy<Array>& update, view<const lazy<Array>> start,
                                     location where) {
  std::vector<array> operands{x, detail::match_literal_to(update, x)};
  operands.insert(operands.end(), start.begin(), start.end());
  return bind_list<dynamic_update_slice_p>({}, where, operands)[0];
}
template <class Array = array>
constexpr array dynamic_update_slice(const lazy<Array>& x, const lazy<Array>& update, std::initializer_list<lazy<Array>> start,
                                     location where = location::current()) {
  return dynamic_update_slice(x, update, view<const array>(start.begin(), start.size()), where);
}

/// `size` elements of x from the scalar `start` on along dimension `d`, all of it along the others.
template <class Array = array>
constexpr array dynamic_slice_in_dim(const lazy<Array>& x, const lazy<Array>& start, std::int64_t size, int d,
                                     location where = location::current()) {
  std::vector<array> starts(std::size_t(x.ndim()), array(0));
  int_list sizes = x.shape();
  starts[std::size_t(d)] = start;
  sizes[d] = size;
  return dynamic_slice(x, starts, sizes, where);
}
/// Entry `index` of x along dimension `d`, which is dropped.
template <class Array = array>
constexpr array dynamic_index_in_dim(const lazy<Array>& x, const lazy<Array>& index, int d,
                                     location where = location::current()) {
  return reshape(dynamic_slice_in_dim(x, index, 1, d, where), shape(x.shape().without(d)), where);
}
/// x with `update`, of the same rank, written from the scalar `start` on along dimension `d`.
template <class Array = array>
constexpr array dynamic_update_slice_in_dim(const lazy<Array>& x, const lazy<Array>& update, const lazy<Array>& start, int d,
                                            location where = location::current()) {
  std::vector<array> starts(std::size_t(x.ndim()), array(0));
  starts[std::size_t(d)] = start;
  return dynamic_update_slice(x, update, starts, where);
}
/// x with `update`, which lacks dimension `d`, written as its entry `index` along that dimension.
template <class Array = array>
constexpr array dynamic_update_index_in_dim(const lazy<Array>& x, const lazy<Array>& update, const lazy<Array>& index, int d,
                                            location where = location::current()) {
  const array entry = detail::match_literal_to(update, x);
  return dynamic_update_slice_in_dim(x, reshape(entry, shape(entry.shape().with(d, 1)), where), index, d,
                                     where);
}

}  // namespace lax

}  // namespace jacquard
