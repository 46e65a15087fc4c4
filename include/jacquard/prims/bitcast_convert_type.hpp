#pragma once
// bitcast_convert_type: the same bits under another dtype of the same size. Where sizes differ, numbers are split or joined with
// shifts around it. Deliberately without bool and complex numbers, whose bits are not ours to show.

#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/shift.hpp"

namespace jacquard {

/// The bits of x as another dtype of the same size, elementwise.
/// Errors  type_error: bool or complex numbers; shape_error: dtypes of different sizes.
/// Rules   derivative 0.
/// Cost    reads x once, writes the result once.
struct bitcast_convert_type_p {
  static constexpr std::string_view name = "bitcast_convert_type";
  static constexpr bool is_elementwise = true;
  static constexpr bool no_derivative = true;
  struct params {
    dtype new_dtype;
    static constexpr std::string_view fields = "new_dtype";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    for (const dtype t : {x.type, p.new_dtype})
      if (!contains(reals, t))
        return c.fail(error_kind::type, " does not accept dtype ", long_name(t), ": wanted one of: ", detail::accepted(reals),
                      "; take the parts of complex numbers first, or convert with x.astype(...)");
    if (size_of(x.type) != size_of(p.new_dtype))
      return c.fail(error_kind::shape, " from ", long_name(x.type), " to ", long_name(p.new_dtype), ": got the shape ", x.dims,
                    ", wanted dtypes of one size, or numbers to join along a last dimension that fills one; reshape the operand first");
    return {p.new_dtype, x.dims};
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {bind<own<bitcast_convert_type_p, decltype(c)>>(p, location{}, c.x[0]), c.dims[0]};
  }
  static constexpr masked mask(auto& c, const params& p) {
    return {bind<own<bitcast_convert_type_p, decltype(c)>>(p, location{}, c.x[0]), c.dims[0]};
  }
  static constexpr void record(record_call& c, const params& p) { c.result = c.to.bitcast(c.in[0], p.new_dtype); }
  /// One element; what the compile-time lane runs.
  template <class To, class From>
  static constexpr To recast(const From& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (math::lane_value<To>) return To(typename To::vector(x.v));
    else return __builtin_bit_cast(To, x);
  }
  static void run(const auto& c, const params& p) {
    if (const std::int64_t n = c.out[0].type->elements()) std::memcpy(c.out[0].data, c.in[0].data, std::size_t(n) * size_of(p.new_dtype));
  }
};

namespace detail {

constexpr dtype unsigned_of_size(std::size_t bytes) { return bytes == 1 ? u8 : bytes == 2 ? u16 : bytes == 4 ? u32 : u64; }
/// How far each part of a number is from its lowest bit: 0, bits, 2 bits, ... along a last dimension.
template <class Array = array>
constexpr array part_offsets(const lazy<Array>& like, std::int64_t parts, std::size_t bits, const location& where) {
  shape dims = like.shape();
  dims.push_back(parts);
  return lax::mul(lax::iota(like.dtype(), dims, dims.rank() - 1, where), scalar_like(like, double(bits)), where);
}
/// Unsigned numbers split into smaller ones along a new last dimension, the least significant first.
template <class Array = array>
constexpr array split_number(const lazy<Array>& x, dtype to, const location& where) {
  const std::int64_t parts = std::int64_t(size_of(x.dtype()) / size_of(to));
  const array offsets = part_offsets(x, parts, 8 * size_of(to), where);
  const array repeated = lax::broadcast_in_dim(x, offsets.shape(), int_list::iota(x.ndim()), where);
  const array low = lax::shift_right_logical(repeated, offsets, where);
  const array mask = array(literal((std::uint64_t(1) << (8 * size_of(to))) - 1).as(x.dtype()));
  return lax::convert_element_type(lax::and_(low, mask, where), to, where);
}
/// The reverse: the last dimension joined to one number.
template <class Array = array>
constexpr array join_numbers(const lazy<Array>& x, dtype to, const location& where) {
  const int last = x.ndim() - 1;
  const array wide = lax::convert_element_type(x, to, where);
  const array row = lax::zeros(aval(to, shape(x.shape().without(last))), where);
  const array offsets = part_offsets(row, x.shape()[last], 8 * size_of(x.dtype()), where);
  return lax::reduce_sum(lax::shift_left(wide, offsets, where), {last}, where);
}

}  // namespace detail

namespace lax {
/// The bits of x as another dtype. Returns x itself if nothing changes.
/// Shapes  kept where both dtypes have the same size. Smaller elements get a last dimension of their own, larger ones take one away;
///         the least significant part comes first.
/// Errors  type_error: bool or complex numbers; shape_error: a last dimension that does not fill a larger dtype.
template <class Array = array>
constexpr array bitcast_convert_type(const lazy<Array>& x, dtype to, location where = location::current()) {
  const bool known = !x.is_none() && contains(reals, x.dtype()) && contains(reals, to);
  const std::size_t have = known ? size_of(x.dtype()) : 0, want = size_of(to);
  const bool fits = known && (have >= want || (x.ndim() > 0 && x.shape()[x.ndim() - 1] == std::int64_t(want / have)));
  if (!fits) return bind<bitcast_convert_type_p>({to}, where, x);  // which reports the error
  const auto recast = [&](const array& from, dtype t) {
    if (from.dtype() == t) return from;
    return bind<bitcast_convert_type_p>({t}, where, from);
  };
  if (have == want) return recast(x, to);
  const array bits = recast(x, detail::unsigned_of_size(have));
  if (have > want) return recast(detail::split_number(bits, detail::unsigned_of_size(want), where), to);
  return recast(detail::join_numbers(bits, detail::unsigned_of_size(want), where), to);
}
}  // namespace lax

}  // namespace jacquard
