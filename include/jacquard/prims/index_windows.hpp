#pragma once
// Windows of an array placed by rows of indices: what gather, scatter and scatter_add share. The numbers that say which
// dimension is which, and the treatment of indices out of range. Deliberately without the walk over all windows, which is in window_walk.hpp.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// What happens to a window that does not lie inside the array.
enum class index_mode : std::uint8_t {
  clip,              ///< it is moved inside
  fill_or_drop,      ///< reading it gives the fill value, writing it does nothing
  promise_in_bounds  ///< it does not occur; if it does after all, reads clip and writes drop
};

/// Which dimension is which in a gather. The last dimension of the indices holds one index vector per window.
struct gather_dimension_numbers {
  int_list offset_dims{};                  ///< dimensions of the result that run over a window
  int_list collapsed_slice_dims{};         ///< dimensions of the operand in which windows have size 1, left out
  int_list start_index_map{};              ///< entry k of an index vector is an index into this operand dimension
  int_list operand_batching_dims{};        ///< operand dimensions indexed by the position of the index vector itself,
  int_list start_indices_batching_dims{};  ///< along these dimensions of the indices
};

/// Which dimension is which in a scatter; field by field the counterpart of gather_dimension_numbers.
struct scatter_dimension_numbers {
  int_list update_window_dims{};
  int_list inserted_window_dims{};
  int_list scatter_dims_to_operand_dims{};
  int_list operand_batching_dims{};
  int_list scatter_indices_batching_dims{};
};

/// The parameters of scatter and scatter_add.
struct scatter_params {
  int_list update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims, scatter_indices_batching_dims;
  bool unique_indices;
  index_mode mode;
  static constexpr std::string_view fields =
      "update_window_dims inserted_window_dims scatter_dims_to_operand_dims operand_batching_dims "
      "scatter_indices_batching_dims unique_indices mode";
  constexpr bool operator==(const scatter_params&) const = default;
};

namespace detail {

/// The numbers of a gather (or, by the same roles, of a scatter) and the sizes of a window by operand dimension.
struct index_windows {
  int_list window_dims, collapsed_dims, index_map, operand_batching, indices_batching, sizes;

  /// Operand dimensions that a window spans, in order.
  constexpr int_list spanned() const {
    int_list r;
    for (int d = 0; d < sizes.size(); ++d)
      if (!collapsed_dims.contains(d) && !operand_batching.contains(d)) r.push_back(d);
    return r;
  }
};

constexpr bool distinct_below(const int_list& dims, int bound) {
  for (int i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= bound) return false;
    for (int j = 0; j < i; ++j)
      if (dims[i] == dims[j]) return false;
  }
  return true;
}
constexpr bool increasing(const int_list& dims) {
  for (int i = 1; i < dims.size(); ++i)
    if (dims[i] <= dims[i - 1]) return false;
  return true;
}

/// Collects what is wrong with the numbers of a gather or scatter.
struct windows_check {
  inference& c;
  const index_windows& w;
  const aval &operand, &indices;

  template <class... Parts>
  constexpr bool fail(const Parts&... what) {
    c.fail(error_kind::shape, ": ", what..., "; got an operand of shape ", operand.dims, ", indices of shape ", indices.dims,
           " and windows of sizes ", w.sizes);
    return false;
  }
  /// One index vector entry per indexed dimension, the right dimensions left out, windows that fit.
  constexpr bool operand_dims() {
    const int rank = operand.rank();
    if (indices.rank() == 0) return fail("indices must have a last dimension that holds the index vectors, e.g. shape (n, 1)");
    if (w.index_map.size() != indices.dims.back())
      return fail("an index vector has ", indices.dims.back(), " entries but the indexed operand dimensions are ", w.index_map,
                  "; wanted one each");
    if (w.sizes.size() != rank) return fail("wanted one window size per operand dimension");
    int_list left_out = w.collapsed_dims;
    for (std::int64_t d : w.operand_batching) left_out.push_back(d);
    if (!distinct_below(w.index_map, rank) || !distinct_below(left_out, rank) || !increasing(w.collapsed_dims))
      return fail("indexed dimensions ", w.index_map, ", collapsed dimensions ", w.collapsed_dims, " and batching dimensions ",
                  w.operand_batching, " must be distinct dimensions of the operand, the collapsed ones increasing");
    for (int d = 0; d < rank; ++d) {
      if (left_out.contains(d) ? w.sizes[d] != 1 : w.sizes[d] < 0 || w.sizes[d] > operand.dims[d])
        return fail(
            "a window must fit into the operand, and have size 1 where it is collapsed; it does not in "
            "dimension ",
            d);
    }
    return true;
  }
  /// Batching dimensions pair up.
  constexpr bool batching_dims() {
    bool ok = w.operand_batching.size() == w.indices_batching.size() && distinct_below(w.indices_batching, indices.rank() - 1);
    for (int i = 0; ok && i < w.operand_batching.size(); ++i)
      ok = !w.index_map.contains(w.operand_batching[i]) &&
           operand.dims[int(w.operand_batching[i])] == indices.dims[int(w.indices_batching[i])];
    return ok || fail("batching dimensions ", w.operand_batching, " of the operand and ", w.indices_batching,
                      " of the indices must pair up, be equal in size and not be indexed");
  }
  /// The window's dimensions have their places in the result.
  constexpr bool window_dims() {
    const int spanned = w.spanned().size(), rank = spanned + indices.rank() - 1;
    if (w.window_dims.size() != spanned || !distinct_below(w.window_dims, rank) || !increasing(w.window_dims))
      return fail("window dimensions ", w.window_dims, " must be ", spanned, " increasing positions below ", rank);
    return rank <= max_rank || fail("the array of windows would have more than ", max_rank, " dimensions");
  }
};

/// Shape of the array of all windows; records an error where numbers and shapes do not fit together.
constexpr shape windows_shape(inference& c, const index_windows& w, const aval& operand, const aval& indices) {
  if (!is_integer(indices.type)) {
    c.fail(error_kind::type, " indices must have an integer type, got ", long_name(indices.type), "; convert them with x.astype(jq::i32)");
    return {};
  }
  windows_check check{c, w, operand, indices};
  if (!check.operand_dims() || !check.batching_dims() || !check.window_dims()) return {};
  const int_list spanned = w.spanned();
  shape out;
  int window = 0, row = 0;
  for (int d = 0; d < spanned.size() + indices.rank() - 1; ++d)
    out.push_back(w.window_dims.contains(d) ? w.sizes[int(spanned[window++])] : indices.dims[row++]);
  return out;
}

/// What a gather with parameters `p` has outside its operand, of dtype `t`.
constexpr literal value_outside(dtype t, const auto& p) {
  if (!p.default_fill) return literal(p.fill_value).as(t);
  if (is_inexact(t)) return literal(std::numeric_limits<double>::quiet_NaN()).as(t);
  return visit_dtype(t, [&]<class D>(std::type_identity<D>) {
    if constexpr (std::is_same_v<D, bool>) return literal(true);
    else if constexpr (std::is_integral_v<D>) return literal(std::is_signed_v<D> ? std::numeric_limits<D>::lowest() : std::numeric_limits<D>::max());
    else return literal();
  });
}
/// The same in the storage type T.
template <class T>
constexpr T value_outside(dtype t, const auto& p) {
  const literal l = value_outside(t, p);
  return visit_dtype(t, [&]<class D>(std::type_identity<D>) -> T {
    if constexpr (sizeof(T) == sizeof(D)) return std::bit_cast<T>(l.get<D>());
    else if constexpr (scalar<T>) return l.get<T>();
    else return T{};
  });
}

/// Where the elements of an array of windows come from, one by one.
constexpr void look_up_windows(lookup_call& c, const index_windows& w) {
  int_list rows;  // dimensions of the result that run over index vectors
  for (int d = 0; d < c.out.rank(); ++d)
    if (!w.window_dims.contains(d)) rows.push_back(d);
  c.from = index_map(std::size_t(w.sizes.size()), index_source{-1, 0, 0});
  const int_list spanned = w.spanned();
  for (int i = 0; i < spanned.size(); ++i) c.from[std::size_t(spanned[i])] = {int(w.window_dims[i]), 0, 1};
  for (int i = 0; i < w.operand_batching.size(); ++i) c.from[std::size_t(w.operand_batching[i])] = {int(rows[int(w.indices_batching[i])]), 0, 1};
  index_map vector;
  for (std::int64_t d : rows) vector.push_back({int(d), 0, 1});
  for (int k = 0; k < w.index_map.size(); ++k) {
    const int d = int(w.index_map[k]);
    lookup_call::entry e{1, vector, d, c.in[0].dims[d] - w.sizes[d]};
    e.from.push_back({-1, k, 0});
    c.entries.push_back(e);
  }
}

/// `dims` moved up by one, to make room for a batch dimension in front, optionally with that dimension itself.
constexpr int_list shifted(const int_list& dims) {
  int_list r;
  for (std::int64_t d : dims) r.push_back(d + 1);
  return r;
}

}  // namespace detail
}  // namespace jacquard
