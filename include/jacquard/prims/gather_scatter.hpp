#pragma once
// gather, scatter_add and scatter: reading and writing windows of an array at computed places. One family, since gather and
// scatter_add are each other's transpose. Deliberately in XLA's general form; numpy's indexing is built on it. The scatters that
// multiply and take extremes are in scatter_reductions.hpp.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/masked_windows.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/transpose.hpp"
#include "jacquard/prims/window_walk.hpp"

namespace jacquard {

/// Result j is the window of `operand` that starts at index vector j of `indices`; see gather_dimension_numbers.
/// Shapes  operand [d...], indices [rows..., k] -> rows and the window's dimensions, the latter at offset_dims.
/// Errors  type_error: indices that are no integers. shape_error: numbers and shapes that do not fit together.
/// Rules   linear in the operand, outside of which tangents are 0; transpose = scatter_add.
/// Cost    writes the result once.
struct gather_p {
  static constexpr std::string_view name = "gather";
  struct params {
    int_list offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims, start_indices_batching_dims, slice_sizes;
    index_mode mode;
    bool default_fill;  ///< NaN, the smallest signed or the largest unsigned integer, true; else fill_value
    double fill_value;
    static constexpr std::string_view fields =
        "offset_dims collapsed_slice_dims start_index_map operand_batching_dims start_indices_batching_dims slice_sizes mode default_fill "
        "fill_value";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 0b01;
  static constexpr bool moves_data = true;
  static constexpr std::uint32_t index_operands = 0b10;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    return c.in[0].with(detail::windows_shape(c, windows(p), c.in[0], c.in[1]));
  }
  static constexpr array jvp(int, const auto& t, view<const array> x, const auto&, const params& p) {
    params q = p;
    q.default_fill = false;
    q.fill_value = 0;
    return bind<gather_p>(q, location{}, t, x[1]);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p);
  static constexpr masked mask(auto& c, const params& p) { return detail::mask_gather<gather_p>(c, windows(p), p); }
  static constexpr batched batch(auto& c, const params& p) {
    const array x = detail::batch_to_front(c.x[0], c.dims[0]), indices = detail::batch_to_front(c.x[1], c.dims[1]);
    params q = p;
    q.offset_dims = detail::shifted(p.offset_dims);
    if (c.dims[1] != not_mapped) q.start_indices_batching_dims = detail::shifted(p.start_indices_batching_dims);
    if (c.dims[0] == not_mapped) return {bind<own<gather_p, decltype(c)>>(q, location{}, x, indices), 0};
    q.collapsed_slice_dims = detail::shifted(p.collapsed_slice_dims);
    q.start_index_map = detail::shifted(p.start_index_map);
    q.operand_batching_dims = detail::shifted(p.operand_batching_dims);
    if (c.dims[1] == not_mapped) {
      q.offset_dims = q.offset_dims.with(0, 0);
      q.slice_sizes = p.slice_sizes.with(0, c.size);
    } else {
      q.operand_batching_dims = q.operand_batching_dims.with(0, 0);
      q.start_indices_batching_dims = q.start_indices_batching_dims.with(0, 0);
      q.slice_sizes = p.slice_sizes.with(0, 1);
    }
    return {bind<own<gather_p, decltype(c)>>(q, location{}, x, indices), 0};
  }
  static constexpr void look_up(lookup_call& c, const params& p) {
    detail::look_up_windows(c, windows(p));
    c.clips = p.mode != index_mode::fill_or_drop;
    if (!c.clips) c.outside = detail::value_outside(c.out.type, p);
  }
  static constexpr detail::window_walk plan(view<const aval> in, const aval& out, const params& p) {
    return {windows(p), p.mode != index_mode::fill_or_drop, in[0].dims, in[1].dims, out.dims};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) { by_plan(a, p, plan(a.in_types, a.out_types[0], p)); }
  template <class T>
  [[gnu::always_inline]] static constexpr void by_plan(const kernel_args<T>& a, const params& p, const detail::window_walk& w) {
    const T fill = w.never_leaves() ? T{} : detail::value_outside<T>(a.out_types[0].type, p);
    T* const y = a.out[0];
    const T* const x = a.in[0];
    if (w.even.are_these() && w.strides.run == 1)
      return w.even.for_each(a.index[1], [=](std::int64_t out, std::int64_t in, bool inside) { y[out] = inside ? x[in] : fill; });
    w.for_each(a.index[1], [&, run = w.strides.run](std::int64_t out, std::int64_t in, bool inside) {
      if (run > 0 && inside) std::copy(x + in, x + in + run, y + out);
      else if (run > 0) fill_elements(y + out, run, fill);
      else
        for_each_pair(w.strides.sizes, w.strides.in_windows, out, w.strides.in_operand, in,
                      [&](std::int64_t o, std::int64_t i) { y[o] = inside ? x[i] : fill; });
    });
  }

 private:
  static constexpr detail::index_windows windows(const params& p) {
    return {p.offset_dims,           p.collapsed_slice_dims,        p.start_index_map,
            p.operand_batching_dims, p.start_indices_batching_dims, p.slice_sizes};
  }
};

namespace detail {

/// What all scatters share. Combine folds an update into the element that is there.
template <class P>
struct scatter_family {
  using params = scatter_params;
  static constexpr std::uint32_t linear = 0b101;
  static constexpr bool jointly_linear = true;
  static constexpr std::uint32_t index_operands = 0b010;
  static constexpr int overwrites = 0;
  static constexpr std::uint32_t puts = 2;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval &x = c.in[0], &updates = c.in[2];
    if (x.type != updates.type)
      return c.fail(error_kind::type, ": got an operand of dtype ", long_name(x.type), " and updates of dtype ", long_name(updates.type),
                    "; convert the updates with x.astype(...)");
    const shape wanted = windows_shape(c, windows(p, x.rank(), updates.dims), x, c.in[1]);
    if (!c.problem && !(wanted == updates.dims))
      return c.fail(error_kind::shape, ": got updates of shape ", updates.dims, ", wanted ", wanted, " for an operand of shape ", x.dims,
                    " and indices of shape ", c.in[1].dims, "; broadcast the updates first");
    return {x.type, x.dims, x.weak && updates.weak};
  }
  static constexpr batched batch(auto& c, const params& p) {
    const array x = batch_materialise(c.x[0], c.dims[0], c.size);
    const array updates = batch_materialise(c.x[2], c.dims[2], c.size);
    params q = p;
    q.update_window_dims = shifted(p.update_window_dims);
    q.inserted_window_dims = shifted(p.inserted_window_dims);
    q.scatter_dims_to_operand_dims = shifted(p.scatter_dims_to_operand_dims);
    q.operand_batching_dims = shifted(p.operand_batching_dims);
    if (c.dims[1] == not_mapped) {
      q.update_window_dims = q.update_window_dims.with(0, 0);  // the same places for all: a window dimension
      return {bind<P>(q, location{}, x, c.x[1], updates), 0};
    }
    q.operand_batching_dims = q.operand_batching_dims.with(0, 0);
    q.scatter_indices_batching_dims = shifted(p.scatter_indices_batching_dims).with(0, 0);
    return {bind<P>(q, location{}, x, batch_to_front(c.x[1], c.dims[1]), updates), 0};
  }
  static constexpr masked mask(auto& c, const params& p) { return mask_scatter<P>(c, windows(p, c.x[0].ndim(), c.x[2].shape()), p); }
  static constexpr void put(lookup_call& c, const params& p) {
    look_up_windows(c, windows(p, c.in[0].rank(), c.out.dims));
    c.clips = p.mode == index_mode::clip;
  }
  static constexpr window_walk plan(view<const aval> in, const aval&, const params& p) {
    return {windows(p, in[0].rank(), in[2].dims), p.mode == index_mode::clip, in[0].dims, in[1].dims, in[2].dims};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) { by_plan(a, p, plan(a.in_types, a.out_types[0], p)); }
  template <class T>
  [[gnu::always_inline]] static constexpr void by_plan(const kernel_args<T>& a, const params&, const window_walk& w) {
    if (a.out[0] != a.in[0])
      for (std::int64_t i = 0, n = w.operand.elements(); i < n; ++i) a.out[0][i] = a.in[0][i];
    T* const y = a.out[0];
    const T* const updates = a.in[2];
    if (w.even.are_these() && w.strides.run == 1)
      return w.even.for_each(a.index[1], [=](std::int64_t in, std::int64_t out, bool inside) {
        if (inside) y[out] = P::combine(y[out], updates[in]);
      });
    w.for_each(a.index[1], [&, run = w.strides.run](std::int64_t in, std::int64_t out, bool inside) {
      if (!inside) return;
      if (run > 0)
        for (std::int64_t i = 0; i < run; ++i) y[out + i] = P::combine(y[out + i], updates[in + i]);
      else for_each_pair(w.strides.sizes, w.strides.in_operand, out, w.strides.in_windows, in, [&](auto o, auto i) { y[o] = P::combine(y[o], updates[i]); });
    });
  }
  static constexpr index_windows windows(const params& p, int rank, const shape& updates) {
    index_windows w{p.update_window_dims,    p.inserted_window_dims,          p.scatter_dims_to_operand_dims,
                    p.operand_batching_dims, p.scatter_indices_batching_dims, {}};
    int next = 0;
    for (int d = 0; d < rank; ++d) {
      const bool left_out = p.inserted_window_dims.contains(d) || p.operand_batching_dims.contains(d);
      const std::int64_t at = left_out || next >= p.update_window_dims.size() ? -1 : p.update_window_dims[next++];
      w.sizes.push_back(at < 0 || at >= updates.rank() ? 1 : updates[int(at)]);
    }
    return w;
  }
  /// The elements of an array shaped like the operand at the places that the updates went to; `fill` for those dropped.
  static constexpr array read_back(const auto& x, const auto& indices, const aval& updates, const params& p, double fill) {
    const index_windows w = windows(p, x.ndim(), updates.dims);
    return bind<gather_p>({w.window_dims, w.collapsed_dims, w.index_map, w.operand_batching, w.indices_batching, w.sizes,
                           p.mode == index_mode::clip ? index_mode::clip : index_mode::fill_or_drop, false, fill},
                          location{}, x, indices);
  }
};

}  // namespace detail

/// `operand` with each window of `updates` added at the place that its index vector gives; see scatter_dimension_numbers.
/// Shapes  operand [d...], indices [rows..., k], updates as the result of the corresponding gather -> [d...].
/// Errors  as gather; type_error: operand and updates of different dtypes, bool.
/// Rules   linear in operand and updates together; transpose = the cotangent itself, and gather.
/// Cost    copies the operand, then reads the updates once, in row-major order.
struct scatter_add_p : detail::scatter_family<scatter_add_p> {
  static constexpr std::string_view name = "scatter_add";
  static constexpr scalar_op puts_by = scalar_op::add;
  static constexpr void cost(auto& c) { c.cost.flops = double(c.in[2].elements()); }
  static constexpr type_set domain = numbers;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (is_boolean(c.in[0].type))
      return c.fail(error_kind::type, " does not accept dtype bool; convert the operand with x.astype(jq::i32)");
    return scatter_family::abstract_eval(c, p);
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    if (k == 0) return ct;  // not `?:`, whose mixed form g++ 12 destroys twice in constant evaluation
    return read_back(ct, c.x[1], c.in[2], p, 0);
  }
  static constexpr literal neutral(const aval& t) { return literal(0.0, t.type, t.weak); }
  template <class T>
  static constexpr T combine(T there, T update) {
    return math::add(there, update);
  }
};

/// `operand` with each window of `updates` put at the place that its index vector gives; where several meet, the last one
/// in row-major order stays. See scatter_dimension_numbers.
/// Shapes  operand [d...], indices [rows..., k], updates as the result of the corresponding gather -> [d...].
/// Errors  as gather; type_error: operand and updates of different dtypes.
/// Rules   linear in operand and updates together; transpose = the cotangent where nothing was written, and gather of those
///         updates that stayed. `unique_indices` promises that no two meet, which saves finding them out.
/// Cost    copies the operand, then reads the updates once.
struct scatter_p : detail::scatter_family<scatter_p> {
  static constexpr std::string_view name = "scatter";
  static constexpr scalar_op puts_by = scalar_op::load;
  static constexpr bool moves_data = true;

  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    const aval& updates = c.in[2];
    if (k == 0) return bind<scatter_p>(p, location{}, ct, c.x[1], lax::zeros(updates));
    const array read = read_back(ct, c.x[1], updates, p, 0);
    if (p.unique_indices) return read;
    // Number the index vectors, scatter the numbers as the updates were, and keep those that are found again.
    shape rows;
    int_list positions;
    for (int d = 0; d < updates.rank(); ++d)
      if (!p.update_window_dims.contains(d)) rows.push_back(updates.dims[d]), positions.push_back(d);
    const array number = lax::reshape(lax::iota(i64, rows.elements()), rows);
    const array numbers = lax::broadcast_in_dim(number, updates.dims, positions);
    const array written = bind<scatter_p>(p, location{}, lax::zeros({i64, c.in[0].dims}), c.x[1], numbers);
    const array stayed = lax::eq(numbers, read_back(written, c.x[1], updates, p, -1));
    return lax::select(stayed, read, array(literal(0.0, ct.dtype(), ct.weak_type())));
  }
  template <class T>
  static constexpr T combine(T, T update) {
    return update;
  }
};

constexpr array gather_p::transpose(int, const auto& ct, const auto& c, const params& p) {
  array sum = c.take_sum(0);
  if (sum.is_none()) sum = lax::zeros(c.in[0]);
  return bind<scatter_add_p>(
      {p.offset_dims, p.collapsed_slice_dims, p.start_index_map, p.operand_batching_dims, p.start_indices_batching_dims, false, p.mode},
      location{}, sum, c.x[1], ct);
}

namespace lax {

/// See gather_p. Fills with NaN, the smallest signed or the largest unsigned integer, or true.
template <class Array = array>
constexpr array gather(const lazy<Array>& x, const lazy<Array>& indices, const gather_dimension_numbers& n, const int_list& slice_sizes,
                       index_mode mode = index_mode::fill_or_drop, location where = location::current()) {
  return bind<gather_p>({n.offset_dims, n.collapsed_slice_dims, n.start_index_map, n.operand_batching_dims, n.start_indices_batching_dims,
                         slice_sizes, mode, true, 0},
                        where, x, indices);
}
/// See gather_p. Windows out of range give `fill_value`.
template <class Array = array>
constexpr array gather_fill(const lazy<Array>& x, const lazy<Array>& indices, const gather_dimension_numbers& n,
                            const int_list& slice_sizes, double fill_value, location where = location::current()) {
  return bind<gather_p>({n.offset_dims, n.collapsed_slice_dims, n.start_index_map, n.operand_batching_dims, n.start_indices_batching_dims,
                         slice_sizes, index_mode::fill_or_drop, false, fill_value},
                        where, x, indices);
}
/// See scatter_add_p.
template <class Array = array>
constexpr array scatter_add(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates,
                            const scatter_dimension_numbers& n, index_mode mode = index_mode::fill_or_drop, bool unique_indices = false,
                            location where = location::current()) {
  return bind<scatter_add_p>({n.update_window_dims, n.inserted_window_dims, n.scatter_dims_to_operand_dims, n.operand_batching_dims,
                              n.scatter_indices_batching_dims, unique_indices, mode},
                             where, x, indices, detail::match_literal_to(updates, x));
}
/// See scatter_p.
template <class Array = array>
constexpr array scatter(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates, const scatter_dimension_numbers& n,
                        index_mode mode = index_mode::fill_or_drop, bool unique_indices = false, location where = location::current()) {
  return bind<scatter_p>({n.update_window_dims, n.inserted_window_dims, n.scatter_dims_to_operand_dims, n.operand_batching_dims,
                          n.scatter_indices_batching_dims, unique_indices, mode},
                         where, x, indices, detail::match_literal_to(updates, x));
}

}  // namespace lax

}  // namespace jacquard
