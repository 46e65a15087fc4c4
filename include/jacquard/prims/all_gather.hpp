#pragma once
// Collectives that exchange pieces: all_gather and psum_scatter, which are each other's transpose, and all_to_all. As in
// collectives.hpp, each names one mapped axis and becomes ordinary array operations inside vmap.

#include "jacquard/prims/collectives.hpp"
#include "jacquard/prims/reshape.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array all_gather(const lazy<Array>& x, const name_text& axis, int dimension, bool tiled,
                           location where = location::current());
template <class Array = array>
constexpr array psum_scatter(const lazy<Array>& x, const name_text& axis, int dimension, bool tiled,
                             location where = location::current());
template <class Array = array>
constexpr array all_to_all(const lazy<Array>& x, const name_text& axis, int split, int concat, bool tiled,
                           location where = location::current());
}  // namespace lax

namespace detail {

/// The axis and the dimension that is gathered along or scattered over.
struct gather_params {
  name_text axis;
  int dimension;
  bool tiled;  ///< the pieces lie one after the other in an existing dimension, instead of in a new one
  static constexpr std::string_view fields = "axis_name dimension tiled";
  constexpr bool operator==(const gather_params&) const = default;
};
constexpr bool check_dimension(inference& c, std::string_view what, int d, int bound) {
  if (d >= 0 && d < bound) return true;
  c.fail(error_kind::shape, ": got ", what, " ", d, " for an operand of shape ", c.in[0].dims,
         "; wanted a dimension in [0, ", bound, ")");
  return false;
}
/// `x` with dimension d split into `n` pieces: dimensions (n, size / n).
template <class Array = array>
constexpr array split_dimension(const lazy<Array>& x, int d, std::int64_t n) {
  shape dims = x.shape();
  dims[d] = n == 0 ? 0 : dims[d] / n;
  return lax::reshape(x, shape(dims.with(d, n)));
}
/// `x` with dimensions d and d + 1 made one.
template <class Array = array>
constexpr array merge_dimension(const lazy<Array>& x, int d) {
  shape dims = x.shape();
  dims[d + 1] *= dims[d];
  return lax::reshape(x, shape(dims.without(d)));
}

/// States that a dimension which members exchange pieces of is the same for all.
constexpr void require_constant(mask_call& c, std::string_view operation, int d) {
  const dimension& n = c.dims[0][std::size_t(d)];
  if (!n.is_constant())
    c.scope.fail(make_error(error_kind::not_implemented, "mask: ", operation, " of a dimension of symbolic size ", n,
                            " is not implemented; exchange pieces of a dimension that is not masked"));
}

}  // namespace detail

/// The `x` of all members of the mapped axis, the same for each: stacked along a new `dimension`, or if `tiled` one after
/// the other along that dimension of x.
/// Shapes  n members: x [.., d, ..] -> [.., n, d, ..], or tiled [.., n * d, ..].
/// Errors  value_error: an axis that is not mapped here. shape_error: a dimension out of range.
/// Rules   linear; transpose = psum_scatter.
/// Cost    every member receives all parts.
struct all_gather_p : detail::collective<all_gather_p> {
  static constexpr std::string_view name = "all_gather";
  using params = detail::gather_params;
  static constexpr std::uint32_t linear = 1;
  static constexpr std::int64_t holder(std::int64_t, const auto&) { return 0; }
  static void exchange_members(detail::exchange& e, const params& p) { detail::place_between(e, e.operand(e.member), e.x.type->dims, p.dimension, e.member); }

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    const std::int64_t n = c.axis_size(p.axis);
    if (n < 0 || !detail::check_dimension(c, "dimension", p.dimension, x.rank() + (p.tiled ? 0 : 1)))
      return {};
    if (!p.tiled && x.rank() == max_rank)
      return c.fail(error_kind::shape, ": the result would have more than ", max_rank,
                    " dimensions; pass tiled = true");
    shape out = p.tiled ? x.dims : shape(x.dims.with(p.dimension, n));
    if (p.tiled) out[p.dimension] *= n;
    return x.with(out);
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    return lax::psum_scatter(ct, p.axis, p.dimension, p.tiled);
  }
  static constexpr batched batch(auto& c, const params& p) {
    const int d = c.dims[0];
    if (c.axis == p.axis) {
      const array x = detail::batch_materialise(c.x[0], d, c.size);
      const array stacked = detail::move_axis(x, 0, p.dimension);
      if (p.tiled) return {detail::merge_dimension(stacked, p.dimension), not_mapped};
      return {stacked, not_mapped};
    }
    if (d == not_mapped) return {bind<all_gather_p>(p, location{}, c.x[0]), d};
    return {lax::all_gather(detail::move_axis(c.x[0], d, 0), p.axis, p.dimension + 1, p.tiled), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    if (p.tiled) detail::require_constant(c, name, p.dimension);
    const array y = bind<all_gather_p>(p, location{}, c.x[0]);
    dimension_list dims = c.dims[0];
    if (p.tiled) dims[std::size_t(p.dimension)] = y.shape()[p.dimension];
    else dims.insert(dims.begin() + p.dimension, dimension(y.shape()[p.dimension]));
    return {y, dims};
  }
};

/// The sum of `x` over the mapped axis, of which each member gets its piece of `dimension`: entry i, or if `tiled` the i-th
/// of n equal parts.
/// Shapes  n members: x [.., n, ..] -> [.., ..], or tiled [.., n * d, ..] -> [.., d, ..].
/// Errors  value_error: an axis that is not mapped here. shape_error: a dimension that cannot be split in n.
/// Rules   linear; transpose = all_gather.
/// Cost    one reduction over the axis, of which each member receives a part.
struct psum_scatter_p : detail::collective<psum_scatter_p> {
  static constexpr std::string_view name = "psum_scatter";
  using params = detail::gather_params;
  static constexpr std::uint32_t linear = 1;
  static detail::byte_range reads(const detail::exchange& e, const params& p, std::int64_t) { return detail::own_piece(e, p.dimension); }
  static void exchange_members(auto& e, const params& p) { detail::fold_pieces(table_of<own<add_p, decltype(e)>>(), e, p.dimension); }

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (!contains(numbers, x.type)) return detail::elementwise_type(c, numbers);
    const std::int64_t n = c.axis_size(p.axis);
    if (n < 0 || !detail::check_dimension(c, "scatter dimension", p.dimension, x.rank())) return {};
    const std::int64_t k = x.dims[p.dimension];
    if (!p.tiled && k != n)
      return c.fail(error_kind::shape, ": reduce_scatter operand scatter dimension size ", k, " must match shard count ", n,
                    "; pass tiled = true to split a larger dimension");
    if (p.tiled && (n == 0 || k % n != 0))
      return c.fail(error_kind::shape, ": tiled reduce_scatter operand scatter dimension size ", k,
                    " must be divisible by shard_count ", n, "; pad the operand");
    shape out = p.tiled ? x.dims : shape(x.dims.without(p.dimension));
    if (p.tiled) out[p.dimension] /= n;
    return x.with(out);
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    return lax::all_gather(ct, p.axis, p.dimension, p.tiled);
  }
  static constexpr batched batch(auto& c, const params& p) {
    const int d = c.dims[0];
    if (c.axis == p.axis) {
      array sum;
      if (d == not_mapped) sum = psum_p::repeat(c.x[0], c.size);
      else sum = psum_p::reduce(c.x[0], d);
      if (p.tiled) sum = detail::split_dimension(sum, p.dimension, c.size);
      return {sum, p.dimension};
    }
    if (d == not_mapped) return {bind<psum_scatter_p>(p, location{}, c.x[0]), d};
    return {lax::psum_scatter(detail::move_axis(c.x[0], d, 0), p.axis, p.dimension + 1, p.tiled), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    detail::require_constant(c, name, p.dimension);
    const array y = bind<psum_scatter_p>(p, location{}, c.x[0]);
    dimension_list dims = c.dims[0];
    if (p.tiled) dims[std::size_t(p.dimension)] = y.shape()[p.dimension];
    else dims.erase(dims.begin() + p.dimension);
    return {y, dims};
  }
};

/// Member i gets piece i of dimension `split_axis` of every member's `x`, stacked along a new dimension `concat_axis`, or
/// if `tiled` one after the other along that dimension.
/// Shapes  n members: x without split_axis, of size n, and with a new concat_axis of size n; tiled: split_axis divided by n,
///         concat_axis multiplied by n.
/// Errors  value_error: an axis that is not mapped here. shape_error: a dimension that cannot be split in n.
/// Rules   linear; transpose = all_to_all with the dimensions exchanged.
/// Cost    every member sends a piece to every other.
struct all_to_all_p : detail::collective<all_to_all_p> {
  static constexpr std::string_view name = "all_to_all";
  struct params {
    name_text axis;
    int split, concat;
    bool tiled;
    static constexpr std::string_view fields = "axis_name split_axis concat_axis tiled";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static detail::byte_range reads(const detail::exchange& e, const params& p, std::int64_t) { return detail::own_piece(e, p.split); }
  static void exchange_members(detail::exchange& e, const params& p) {
    shape dims = e.x.type->dims;  // of a piece
    if (p.tiled) dims[p.split] /= e.size();
    else dims = shape(dims.without(p.split));
    std::vector<std::byte> piece(std::size_t(e.x.type->bytes() / e.size()));
    for (std::int64_t m = 0; m < e.size(); ++m) {
      detail::copy_piece(piece.data(), e, m, p.split, e.member, e.size());
      detail::place_between(e, piece.data(), dims, p.concat, m);
    }
  }

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    const std::int64_t n = c.axis_size(p.axis);
    if (n < 0 || !detail::check_dimension(c, "split_axis", p.split, x.rank()) ||
        !detail::check_dimension(c, "concat_axis", p.concat, x.rank()))
      return {};
    const std::int64_t k = x.dims[p.split];
    if (!p.tiled && k != n)
      return c.fail(
          error_kind::shape,
          " requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are ", n, " and ", k,
          " respectively. The axis is ", p.axis.view(), "; pass tiled = true to split a larger dimension");
    if (p.tiled && (n == 0 || k % n != 0))
      return c.fail(error_kind::shape, ": The size of all_to_all split_axis (", k,
                    ") has to be divisible by the size of the named axis ", p.axis.view(), " (", n,
                    "); pad the operand");
    shape out = p.tiled ? x.dims : shape(x.dims.without(p.split).with(p.concat, n));
    if (p.tiled) {
      out[p.split] /= n;
      out[p.concat] *= n;
    }
    return x.with(out);
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    return lax::all_to_all(ct, p.axis, p.concat, p.split, p.tiled);
  }
  static constexpr batched batch(auto& c, const params& p) {
    const int d = c.dims[0];
    if (c.axis == p.axis) return {exchange(detail::batch_materialise(c.x[0], d, c.size), p, c.size), 0};
    if (d == not_mapped) return {bind<all_to_all_p>(p, location{}, c.x[0]), d};
    return {lax::all_to_all(detail::move_axis(c.x[0], d, 0), p.axis, p.split + 1, p.concat + 1, p.tiled), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    detail::require_constant(c, name, p.split);
    if (p.tiled) detail::require_constant(c, name, p.concat);
    const array y = bind<all_to_all_p>(p, location{}, c.x[0]);
    dimension_list dims = c.dims[0];
    if (!p.tiled) {
      dims.erase(dims.begin() + p.split);
      dims.insert(dims.begin() + p.concat, dimension(1));
    }
    for (int d : {p.split, p.concat})
      if (p.tiled || d == p.concat) dims[std::size_t(d)] = y.shape()[d];
    return {y, dims};
  }

 private:
  /// x [sender, dims of one example] -> [receiver, dims of its result].
  static constexpr array exchange(const auto& x, const params& p, std::int64_t n) {
    array pieces = x;
    if (p.tiled) pieces = detail::split_dimension(x, p.split + 1, n);
    const int receiver = p.split + 1;
    int_list order;  // the dimensions of one piece
    for (int e = 1; e < pieces.ndim(); ++e)
      if (e != receiver) order.push_back(e);
    const array exchanged = lax::transpose(pieces, order.with(p.concat, 0).with(0, receiver));
    if (p.tiled) return detail::merge_dimension(exchanged, p.concat + 1);
    return exchanged;
  }
};

namespace lax {

/// See all_gather_p.
template <class Array>
constexpr array all_gather(const lazy<Array>& x, const name_text& axis, int dimension, bool tiled, location where) {
  return bind<all_gather_p>({axis, dimension, tiled}, where, x);
}
template <class Array = array>
constexpr array all_gather(const lazy<Array>& x, const name_text& axis, int dimension = 0,
                           location where = location::current()) {
  return all_gather(x, axis, dimension, false, where);
}
/// See psum_scatter_p.
template <class Array>
constexpr array psum_scatter(const lazy<Array>& x, const name_text& axis, int dimension, bool tiled,
                             location where) {
  return bind<psum_scatter_p>({axis, dimension, tiled}, where, x);
}
template <class Array = array>
constexpr array psum_scatter(const lazy<Array>& x, const name_text& axis, int dimension = 0,
                             location where = location::current()) {
  return psum_scatter(x, axis, dimension, false, where);
}
/// See all_to_all_p.
template <class Array>
constexpr array all_to_all(const lazy<Array>& x, const name_text& axis, int split, int concat, bool tiled,
                           location where) {
  return bind<all_to_all_p>({axis, split, concat, tiled}, where, x);
}
template <class Array = array>
constexpr array all_to_all(const lazy<Array>& x, const name_text& axis, int split, int concat,
                           location where = location::current()) {
  return all_to_all(x, axis, split, concat, false, where);
}

}  // namespace lax

}  // namespace jacquard
