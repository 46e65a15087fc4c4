#pragma once
// Functions of jax.lax that are made of others: short forms of slices, shapes, sorts and collectives, patches of convolutions, products whose matrix
// depends on the row or place, and bits from a key that is moved on. Strict as the primitives: operands do not promote or broadcast.

#include <limits>
#include <utility>

#include "jacquard/control/reduce.hpp"
#include "jacquard/numpy/axes.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/prims/all_gather.hpp"
#include "jacquard/prims/bitcast_convert_type.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/collectives.hpp"
#include "jacquard/prims/conv.hpp"
#include "jacquard/prims/cumsum.hpp"
#include "jacquard/prims/dot_general.hpp"
#include "jacquard/prims/regularized_incomplete_beta.hpp"
#include "jacquard/prims/shift.hpp"
#include "jacquard/prims/sort.hpp"
#include "jacquard/prims/threefry2x32.hpp"
#include "jacquard/prims/tree_collectives.hpp"

namespace jacquard {

namespace detail {
/// An error about an operand of a function of lax.
template <class... Parts>
constexpr array refuse(const array& x, error_kind kind, const location& where, const Parts&... parts) {
  return operand_error(view<const array>(&x, 1), make_error(kind, parts...), where);
}
/// The first member of a mapped axis whose x is `value`; a NaN is what every member has then.
template <class Array = array>
constexpr array first_member_with(const lazy<Array>& x, const lazy<Array>& value, const name_text& axis, const location& where) {
  if (x.is_none() || value.is_none()) return value;
  array found = lax::eq(x, value, where);
  if (is_floating(x.dtype())) found = lax::or_(found, lax::ne(x, x, where), where);
  const array own = lax::broadcast_in_dim(lax::axis_index(axis, where), x.shape(), {}, where);
  const array none = lax::broadcast_in_dim(array(std::numeric_limits<std::int32_t>::max()), x.shape(), {}, where);
  return lax::pmin(lax::select(found, own, none, where), axis, where);
}
/// "('i', 'j')"
constexpr text axes_text(lax::axis_names axes) {
  text r;
  for (const name_text& a : axes) r << (r.empty() ? "('" : "', '") << a.view();
  return cat(r, "')");
}
}  // namespace detail

namespace lax {

// --- second names --------------------------------------------------------------------------------------------------------

/// 1 / x. Errors: type_error for whole numbers.
template <class Array = array>
constexpr array reciprocal(const lazy<Array>& x, location where = location::current()) { return div(1.0, x, where); }
template <class Array = array>
constexpr array bitwise_and(const lazy<Array>& x, const lazy<Array>& y, location where = location::current()) { return and_(x, y, where); }
template <class Array = array>
constexpr array bitwise_or(const lazy<Array>& x, const lazy<Array>& y, location where = location::current()) { return or_(x, y, where); }
template <class Array = array>
constexpr array bitwise_xor(const lazy<Array>& x, const lazy<Array>& y, location where = location::current()) { return xor_(x, y, where); }
template <class Array = array>
constexpr array bitwise_not(const lazy<Array>& x, location where = location::current()) { return not_(x, where); }
/// regularized_incomplete_beta.
template <class Array = array>
constexpr array betainc(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, location where = location::current()) {
  return regularized_incomplete_beta(a, b, x, where);
}
/// iota.
template <class Array = array>
constexpr array broadcasted_iota(dtype t, const shape& dims, std::int64_t dimension, location where = location::current()) {
  return iota(t, dims, dimension, where);
}

// --- shapes --------------------------------------------------------------------------------------------------------------

/// x repeated along new dimensions in front.
template <class Array = array>
constexpr array broadcast(const lazy<Array>& x, const shape& sizes, location where = location::current()) {
  shape dims = sizes;
  int_list kept;
  for (int d = 0; d < x.ndim(); ++d) kept.push_back(sizes.rank() + d), dims.push_back(x.shape()[d]);
  return broadcast_in_dim(x, dims, kept, where);
}
/// x with new dimensions of size 1, at these places of the result. Errors: value_error for a place out of range or named twice.
template <class Array = array>
constexpr array expand_dims(const lazy<Array>& x, const axis_list& dimensions, location where = location::current()) {
  int_list at;
  const int rank = x.ndim() + dimensions.size();
  const array bad = detail::resolve_axes("expand_dims", operand(x, where), dimensions, rank, at);
  if (!bad.is_none()) return bad;
  shape dims;
  for (int d = 0, from = 0; d < rank; ++d) dims.push_back(at.contains(d) ? 1 : x.shape()[from++]);
  return reshape(x, dims, where);
}
/// Dimensions first ... end - 1 (to the last one for jq::none) as one. Errors: value_error for a range that is empty or outside.
template <class Array = array>
constexpr array collapse(const lazy<Array>& x, int first, int end = none, location where = location::current()) {
  const int rank = x.ndim(), from = first < 0 ? first + rank : first, to = end == none ? rank : end < 0 ? end + rank : end;
  if (from < 0 || from >= to || to > rank)
    return detail::refuse(x, error_kind::value, where, "collapse: got dimensions ", first, " to ", end, " of an array of shape ", x.shape(),
                          "; wanted at least one of its dimensions");
  shape dims;
  std::int64_t joined = 1;
  for (int d = 0; d < rank; ++d) {
    if (d < from || d >= to) dims.push_back(x.shape()[d]);
    else joined *= x.shape()[d];
    if (d == to - 1) dims.push_back(joined);
  }
  return reshape(x, dims, where);
}

// --- parts ---------------------------------------------------------------------------------------------------------------

/// Elements start, start + stride, ... before limit along an axis; negative places count from the end, jq::none is an end.
/// Errors: value_error for an axis out of range or a stride below 1.
template <class Array = array>
constexpr array slice_in_dim(const lazy<Array>& x, std::int64_t start, std::int64_t limit, std::int64_t stride = 1, int axis = 0,
                             location where = location::current()) {
  int d = 0;
  const array bad = detail::resolve_one_axis("slice_in_dim", operand(x, where), axis, x.ndim(), d);
  if (!bad.is_none()) return bad;
  if (stride < 1) return detail::refuse(x, error_kind::value, where, "slice_in_dim: got the stride ", stride, "; wanted at least 1");
  const detail::index_item part = detail::resolve_slice(jacquard::slice(start, limit, stride), d, x.shape()[d]);
  int_list low = int_list::filled(x.ndim(), 0), high = x.shape(), strides = int_list::filled(x.ndim(), 1);
  low[d] = part.count == 0 ? 0 : part.start;
  high[d] = part.count == 0 ? 0 : part.start + (part.count - 1) * stride + 1;
  strides[d] = part.count == 0 ? 1 : stride;
  return lax::slice(x, low, high, strides, where);
}
/// Element `index` along an axis, which stays with size 1, or is dropped. Errors: value_error for an axis or an index out of range.
template <class Array = array>
constexpr array index_in_dim(const lazy<Array>& x, std::int64_t index, int axis = 0, bool keepdims = true, location where = location::current()) {
  int d = 0;
  const array bad = detail::resolve_one_axis("index_in_dim", operand(x, where), axis, x.ndim(), d);
  if (!bad.is_none()) return bad;
  const std::int64_t n = x.shape()[d], at = index < 0 ? index + n : index;
  if (at < 0 || at >= n)
    return detail::refuse(x, error_kind::value, where, "index_in_dim: index ", index, " is out of bounds for axis ", axis, " with size ", n,
                          "; wanted one in [", -n,
                          ", ", n, ")");
  const array y = slice_in_dim(x, at, at + 1, 1, d, where);
  if (keepdims) return y;
  return squeeze(y, {d}, where);
}
/// Keys in ascending order along a dimension, and values in the order of their keys; equal keys keep their order.
/// Errors: value_error for a dimension out of range; shape_error for different shapes.
template <class Array = array>
constexpr std::pair<array, array> sort_key_val(const lazy<Array>& keys, const lazy<Array>& values, int dimension = -1,
                                               location where = location::current()) {
  int d = 0;
  const array bad = detail::resolve_one_axis("sort_key_val", operand(keys, where), dimension, keys.ndim(), d);
  if (!bad.is_none()) return {bad, bad};
  const array both[] = {keys, values};
  const array_list y = sort(view<const array>(both), d, 1, true, where);
  if (y.size() != 2) return {y[0], y[0]};
  return {y[0], y[1]};
}

// --- products ------------------------------------------------------------------------------------------------------------

/// Products of matrices (batch..., m, k) and (batch..., k, n). Errors: shape_error for fewer than two dimensions, or sizes that do not fit.
template <class Array = array>
constexpr array batch_matmul(const lazy<Array>& a, const lazy<Array>& b, location where = location::current()) {
  const int rank = a.ndim();
  if (rank < 2 || b.ndim() != rank)
    return detail::refuse(a, error_kind::shape, where, "batch_matmul: got arrays of shapes ", a.shape(), " and ", b.shape(),
                          "; wanted matrices with the same leading dimensions");
  const int_list batch = int_list::iota(rank - 2);
  return dot_general(a, b, {{rank - 1}, {rank - 2}, batch, batch}, where);
}
/// Rows (m, k) times matrices (g, k, n), one matrix for each of g groups of consecutive rows, of which `sizes`, whole numbers (g,), says how many there
/// are; rows beyond them give zeros. Each row meets every matrix, the others with zeros: infinite elements of one make NaN for all. Errors: shape_error;
/// type_error for sizes that are no integers. Cost: 2 g m k n operations.
template <class Array = array>
constexpr array ragged_dot(const lazy<Array>& x, const lazy<Array>& matrices, const lazy<Array>& sizes, location where = location::current()) {
  const shape s = x.shape(), f = matrices.shape();
  if (s.rank() != 2 || f.rank() != 3 || f[1] != s[1] || !(sizes.shape() == shape{f[0]}))
    return detail::refuse(x, error_kind::shape, where, "ragged_dot: got arrays of shapes ", s, " and ", f, " and sizes of shape ", sizes.shape(),
                          "; wanted (m, k), (g, k, n) and (g,)");
  if (!is_integer(sizes.dtype()))
    return detail::refuse(sizes, error_kind::type, where, "ragged_dot: got sizes of dtype ", long_name(sizes.dtype()), ", wanted integers");
  const shape grid{s[0], f[0]}, blocks{s[0], f[0], s[1]};
  const array ends = cumsum(convert_element_type(sizes, i64, false, where), 0, false, where), row = iota(i64, grid, 0, where);
  const array starts = sub(ends, convert_element_type(sizes, i64, false, where), where);
  const array after = ge(row, broadcast_in_dim(starts, grid, {1}, where), where), before = lt(row, broadcast_in_dim(ends, grid, {1}, where), where);
  const array own = broadcast_in_dim(and_(after, before, where), blocks, {0, 1}, where);
  const array spread = select(own, broadcast_in_dim(x, blocks, {0, 2}, where), array(literal(0, x.dtype(), false)), where);
  return dot_general(spread, matrices, {{1, 2}, {0, 1}, {}, {}}, where);
}
/// The patches that a convolution of (N, C, sizes...) meets, (N, C * taps, places...): the taps of the first channel, in row-major order, then those
/// of the next. Errors: shape_error as conv_general_dilated.
template <class Array = array>
constexpr array conv_general_dilated_patches(const lazy<Array>& x, const shape& filter_shape, const int_list& window_strides,
                                             const conv_padding& padding, const int_list& lhs_dilation = {}, const int_list& rhs_dilation = {},
                                             location where = location::current()) {
  if (x.ndim() < 2 || filter_shape.rank() != x.ndim() - 2)
    return detail::refuse(x, error_kind::shape, where, "conv_general_dilated_patches: got an array of shape ", x.shape(), " and a filter of shape ",
                          filter_shape,
                          "; wanted (N, C, sizes...) and one number of taps for each size");
  const std::int64_t taps = filter_shape.elements(), channels = x.shape()[1];
  const shape all{channels, taps, taps};
  const array one_tap = convert_element_type(eq(iota(i64, all, 1, where), iota(i64, all, 2, where), where), x.dtype(), false, where);
  const array filter = reshape(one_tap, shape(shape(filter_shape.with(0, 1)).with(0, channels * taps)), where);
  conv_options o{lhs_dilation, rhs_dilation};
  o.feature_group_count = channels;
  return conv_general_dilated(x, filter, window_strides, padding, o, where);
}

/// A convolution of (N, C, sizes...) with weights of their own at each place, (O, C * taps, places...) in the order of conv_general_dilated_patches:
/// (N, O, places...). Errors: shape_error.
template <class Array = array>
constexpr array conv_general_dilated_local(const lazy<Array>& x, const lazy<Array>& weights, const int_list& window_strides, const conv_padding& padding,
                                           const shape& filter_shape, const int_list& lhs_dilation = {}, const int_list& rhs_dilation = {},
                                           location where = location::current()) {
  const array patches = conv_general_dilated_patches(x, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation, where);
  const int rank = patches.ndim();
  const shape s = patches.shape(), w = weights.shape();
  bool fits = w.rank() == rank;
  for (int d = 1; fits && d < rank; ++d) fits = w[d] == s[d];
  if (!fits)
    return detail::refuse(x, error_kind::shape, where, "conv_general_dilated_local: got weights of shape ", w, " for patches of shape ", s,
                          "; wanted (O, C * taps, places...)");
  int_list places, order{rank - 2, rank - 1};
  for (int d = 2; d < rank; ++d) places.push_back(d), order.push_back(d - 2);
  return transpose(dot_general(patches, weights, {{1}, {1}, places, places}, where), order, where);
}

// --- bits ----------------------------------------------------------------------------------------------------------------

/// Uniform bits in an unsigned dtype by threefry2x32, and the state moved on: two words of key, then two of a counter, the low one first, u32[4].
/// Bits i and i + ceil(n / 2) of n are the two words of the hash of counter + i; of u64 each has a hash of its own, the first word being the low one.
/// Errors: type_error for another state or dtype; shape_error for negative dimensions.
template <class Array = array>
constexpr std::pair<array, array> rng_bit_generator(const lazy<Array>& state, const shape& dims, dtype t = u32,
                                                    location where = location::current()) {
  if (state.dtype() != u32 || !(state.shape() == shape{4}) || !is_unsigned_integer(t)) {
    const array bad = detail::refuse(state, error_kind::type, where, "rng_bit_generator: got a state of type ", state.aval(), " and the dtype ",
                                     long_name(t),
                                     "; wanted u32[4], the words of a key and of a counter, and an unsigned dtype");
    return {bad, bad};
  }
  bool sizes = !dims.overflowed();
  for (std::int64_t d : dims) sizes = sizes && d >= 0;
  if (!sizes) {
    const array bad = detail::refuse(state, error_kind::shape, where, "rng_bit_generator: got the shape ", dims,
                                     "; wanted non-negative dimensions");
    return {bad, bad};
  }
  const rule_location_scope here(where);
  const auto word = [&](std::int64_t i) { return index_in_dim(state, i, 0, false, where); };
  const auto as = [&](const array& x, dtype to) { return convert_element_type(x, to, false, where); };
  const std::int64_t n = dims.elements(), hashes = t == u64 ? n : (n + 1) / 2;
  const array high_unit(literal(std::uint64_t(1) << 32)), counter = or_(as(word(2), u64), mul(as(word(3), u64), high_unit));
  const array places = add(broadcast_in_dim(counter, shape{hashes}, {}, where), iota(u64, shape{hashes}, 0, where));
  const array_list w = threefry2x32(word(0), word(1), as(places, u32), as(div(places, high_unit), u32), where);
  array bits;
  if (t == u64) bits = or_(as(w[0], u64), mul(as(w[1], u64), high_unit));
  else bits = as(lax::slice(concatenate({w[0], w[1]}, 0, where), {0}, {n}, {}, where), t);
  const array moved = add(counter, array(literal(std::uint64_t(hashes))));
  const array next[] = {lax::slice(state, {0}, {2}, {}, where), reshape(as(moved, u32), shape{1}, where),
                        reshape(as(div(moved, high_unit), u32), shape{1}, where)};
  return {concatenate(view<const array>(next), 0, where), reshape(bits, dims, where)};
}

/// x with dimensions of size 1 in front, `rank` in all. Errors: value_error for a rank below that of x.
template <class Array = array>
constexpr array broadcast_to_rank(const lazy<Array>& x, int rank, location where = location::current()) {
  const shape s = x.shape();
  if (rank < s.rank() || rank > max_rank)
    return detail::refuse(x, error_kind::value, where, "broadcast_to_rank: got the rank ", rank, " for an array of shape ", s, "; wanted one in [", s.rank(), ", ",
                          max_rank, "]");
  shape dims(int_list::filled(rank - s.rank(), 1));
  for (int d = 0; d < s.rank(); ++d) dims.push_back(s[d]);
  return reshape(x, dims, where);
}
/// x broadcast to the shape of another array, its dimensions being the last ones. Errors: shape_error as broadcast_in_dim.
template <class Array = array>
constexpr array broadcast_like(const lazy<Array>& x, const lazy<Array>& like, location where = location::current()) {
  int_list last;
  for (int d = 0; d < x.ndim(); ++d) last.push_back(like.ndim() - x.ndim() + d);
  if (like.ndim() < x.ndim())
    return detail::refuse(x, error_kind::shape, where, "broadcast_like: got the shape ", x.shape(), ", wanted at most the dimensions of ", like.shape());
  return broadcast_in_dim(x, like.shape(), last, where);
}
/// The high half of the product of whole numbers, as wide as they are. Errors: type_error for other dtypes or different ones; shape_error.
template <class Array = array>
constexpr array mulhi(const lazy<Array>& x, const lazy<Array>& y, location where = location::current()) {
  const dtype t = x.dtype();
  if (!is_integer(t) || y.dtype() != t)
    return detail::refuse(x, error_kind::type, where, "mulhi: got arrays of dtypes ", long_name(t), " and ", long_name(y.dtype()), "; wanted the same integers");
  const auto as = [&](const array& v, dtype to) { return convert_element_type(v, to, false, where); };
  const bool has_sign = is_signed_integer(t);
  if (const int bits = 8 * int(size_of(t)); bits < 64) {
    const dtype wide = has_sign ? i64 : u64;
    return as(shift_right_logical(mul(as(x, wide), as(y, wide), where), array(literal(bits, wide, false)), where), t);
  }
  const auto bits_of = [&](const array& v, dtype to) {
    if (v.dtype() == to) return v;
    return bitcast_convert_type(v, to, where);
  };
  const array half(literal(32, u64, false)), low(literal(std::uint64_t(0xffffffff))), a = bits_of(x, u64), b = bits_of(y, u64);
  const array a_low = and_(a, low, where), a_high = shift_right_logical(a, half, where), b_low = and_(b, low, where), b_high = shift_right_logical(b, half, where);
  // Partial products of 32 bits each: what is carried into the upper half comes from the two in the middle and the lowest.
  const array first = mul(a_high, b_low, where), second = mul(a_low, b_high, where);
  const array middle = add(add(shift_right_logical(mul(a_low, b_low, where), half, where), and_(first, low, where), where), and_(second, low, where), where);
  const array carried = add(add(shift_right_logical(first, half, where), shift_right_logical(second, half, where), where),
                            shift_right_logical(middle, half, where), where);
  array high = add(mul(a_high, b_high, where), carried, where);
  if (!has_sign) return high;
  const array zero(literal(0, i64, false)), none(literal(0, u64, false));  // a negative number is 2^64 more as bits
  high = sub(sub(high, select(lt(x, zero, where), b, none, where), where), select(lt(y, zero, where), a, none, where), where);
  return bits_of(high, i64);
}
/// The exclusive or of the elements over axes. Errors: type_error for anything but whole numbers and bool; otherwise as reduce.
template <class Array = array>
constexpr array reduce_xor(const lazy<Array>& x, const int_list& axes, location where = location::current()) {
  if (is_inexact(x.dtype()))
    return detail::refuse(x, error_kind::type, where, "reduce_xor: got an array of dtype ", long_name(x.dtype()), ", wanted whole numbers or bool");
  const auto combine = [](const array& a, const array& b) { return xor_(a, b); };
  return reduce(combine, array(x), array(literal(0, x.dtype(), false)), axes, where);
}
/// What each member of a mapped axis gets from the one that `order` names for it. Errors: as ppermute.
template <class Array = array>
constexpr array pshuffle(const lazy<Array>& x, const name_text& axis, const int_list& order, location where = location::current()) {
  text all;
  for (std::int64_t member : order) all << (all.empty() ? "" : ", ") << member;
  std::vector<char> named(std::size_t(order.size()), false);
  for (std::int64_t member : order) {
    if (member < 0 || member >= std::int64_t(named.size()) || named[std::size_t(member)])
      return detail::refuse(x, error_kind::value, where, "pshuffle: `perm` does not represent a permutation: [", all, "]; name every member once");
    named[std::size_t(member)] = true;
  }
  std::vector<std::int64_t> pairs;
  for (std::int64_t member = 0; member < std::int64_t(order.size()); ++member) pairs.push_back(order[int(member)]), pairs.push_back(member);
  return ppermute(x, axis, view<const std::int64_t>(pairs), where);
}
/// The first member of a mapped axis that has the largest x, or the smallest, for each element.
/// Shapes  x -> i32 of the same shape. Errors: value_error for an axis that is not mapped, type_error for complex numbers or several axes.
template <class Array = array>
constexpr array pargmax(const lazy<Array>& x, const name_text& axis, location where = location::current()) {
  return detail::first_member_with(x, pmax(x, axis, where), axis, where);
}
template <class Array = array>
constexpr array pargmin(const lazy<Array>& x, const name_text& axis, location where = location::current()) {
  return detail::first_member_with(x, pmin(x, axis, where), axis, where);
}
template <class Array = array>
constexpr array pargmax(const lazy<Array>& x, axis_names axes, location where = location::current()) {
  if (axes.size() == 1) return pargmax(x, *axes.begin(), where);
  return detail::refuse(x, error_kind::type, where, "pargmax only accepts a single axis, got ", detail::axes_text(axes), "; gather x along them first");
}
template <class Array = array>
constexpr array pargmin(const lazy<Array>& x, axis_names axes, location where = location::current()) {
  if (axes.size() == 1) return pargmin(x, *axes.begin(), where);
  return detail::refuse(x, error_kind::type, where, "pargmin only accepts a single axis, got ", detail::axes_text(axes), "; gather x along them first");
}
/// A mapped axis and a dimension of its size exchanged. Errors: as all_to_all.
template <class Array = array>
constexpr array pswapaxes(const lazy<Array>& x, const name_text& axis, int dimension, location where = location::current()) {
  return all_to_all(x, axis, dimension, dimension, false, where);
}
/// x minus the updates at the indices; otherwise as scatter_add. Errors: those of scatter_add.
template <class Array = array>
constexpr array scatter_sub(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates, const scatter_dimension_numbers& n,
                            index_mode mode = index_mode::fill_or_drop, bool unique_indices = false, location where = location::current()) {
  return scatter_add(x, indices, neg(updates, where), n, mode, unique_indices, where);
}

}  // namespace lax

}  // namespace jacquard
