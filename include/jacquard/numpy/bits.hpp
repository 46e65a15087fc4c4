#pragma once
// Whole numbers: shifts, bits counted and packed, and common divisors. Functions of floating point are elsewhere. A header of its own, which
// the compile-time lane does not include: it brings loops along.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/reductions.hpp"
#include "jacquard/prims/bit_counts.hpp"
#include "jacquard/prims/shift.hpp"

namespace jacquard {

/// a 2^b modulo the size of the dtype; 0 for b outside [0, bits). Errors: shape_error; type_error for other dtypes than integers.
template <class Operand = operand>
constexpr array left_shift(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<shift_left_p>(a, b); }
/// a / 2^b rounded down: the sign stays of signed numbers, unsigned ones are filled with zeros.
/// Errors: shape_error; type_error for other dtypes than integers.
template <class Operand = operand>
constexpr array right_shift(const lazy<Operand>& a, const lazy<Operand>& b) {
  const element_type t = promote(a.value.aval().element(), b.value.aval().element());
  if (is_signed_integer(t.type)) return detail::binary<shift_right_arithmetic_p>(a, b);
  return detail::binary<shift_right_logical_p>(a, b);
}
/// left_shift and right_shift.
template <class Operand = operand>
constexpr array operator<<(const lazy<Operand>& a, const lazy<Operand>& b) { return left_shift(a, b); }
template <class Operand = operand>
constexpr array operator>>(const lazy<Operand>& a, const lazy<Operand>& b) { return right_shift(a, b); }
template <class Operand = operand>
constexpr array& operator<<=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) << b; }
template <class Operand = operand>
constexpr array& operator>>=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) >> b; }
/// How many bits of |x| are set, in the dtype of x. Errors: type_error for other dtypes than integers.
template <class Operand = operand>
constexpr array bitwise_count(const lazy<Operand>& x) { return detail::unary<population_count_p>(operand(abs(x), x.where)); }
/// The complement, bit by bit; of bool the other one.
template <class Operand = operand>
constexpr array invert(const lazy<Operand>& x) { return ~x; }

namespace detail {
/// One step of Euclid's algorithm where it is not at its end.
struct euclid_step {
  constexpr std::pair<array, array> operator()(const auto& v) const {
    const array done = lax::eq(v.second, scalar_like(v.second, 0));
    const array rest = lax::rem(v.first, lax::select(done, scalar_like(v.second, 1), v.second));
    return {lax::select(done, v.first, v.second), lax::select(done, v.second, rest)};
  }
};
struct euclid_goes_on {
  constexpr array operator()(const auto& v) const { return any(operand(lax::ne(v.second, scalar_like(v.second, 0)))); }
};
/// Of numbers that are not negative. A template of their type, so that the loop is made where it is called.
template <class Array>
constexpr array euclid(const Array& a, const Array& b) {
  return lax::while_loop(euclid_goes_on(), euclid_step(), std::pair<Array, Array>{a, b}).first;
}
}  // namespace detail

/// The greatest common divisor, >= 0; 0 of two zeros. Errors: shape_error; type_error for other dtypes than integers.
template <class Operand = operand>
constexpr array gcd(const lazy<Operand>& a, const lazy<Operand>& b) {
  const detail::operand_pair x("gcd", a, b);
  if (!x.bad.is_none()) return x.bad;
  if (!is_integer(x.a.dtype()))
    return detail::bad_operand(a, error_kind::type, "gcd: got dtype ", long_name(x.a.dtype()), "; wanted integers, convert with x.astype(jq::i64)");
  const shape dims = x.a.ndim() == 0 ? x.b.shape() : x.a.shape();
  const auto size = [&](const array& v) { return detail::broadcast_operand(abs(operand(v, x.where)), dims, false, x.where); };
  return detail::euclid(size(x.a), size(x.b));
}
/// The least common multiple, >= 0; 0 where either is 0. Errors: shape_error; type_error for other dtypes than integers.
template <class Operand = operand>
constexpr array lcm(const lazy<Operand>& a, const lazy<Operand>& b) {
  const detail::operand_pair x("lcm", a, b);
  if (!x.bad.is_none()) return x.bad;
  const operand p(x.a, x.where), q(x.b, x.where), divisor(gcd(p, q), x.where), one(detail::scalar_like(x.a, 1), x.where);
  const operand quotient(floor_divide(operand(abs(p), x.where), operand(maximum(divisor, one), x.where)), x.where);
  return quotient * operand(abs(q), x.where);
}

namespace detail {
template <class Operand = operand>
constexpr array check_bit_order(std::string_view operation, const lazy<Operand>& x, std::string_view order) {
  if (order == "big" || order == "little") return {};
  return bad_operand(x, error_kind::value, operation, ": got the order \"", order, "\"; wanted big or little");
}
/// The weights of the bits of a byte, u8, along the last of rank dimensions.
template <class Array = array>
constexpr array bit_places(std::string_view order, const location& where) {
  const array i = lax::iota(u8, shape{8}, 0, where);
  if (order == "little") return i;
  return lax::sub(array(literal(7, u8, false)), i, where);
}
}  // namespace detail

/// Whether elements are not zero, eight to a byte (u8), along an axis, or of the raveled array; the last byte is filled up with zeros. The first of
/// eight is the highest bit, or the lowest for the order "little". Errors: value_error for an axis out of range, or another order; type_error for
/// other dtypes than integers and bool.
template <class Operand = operand>
constexpr array packbits(const lazy<Operand>& x, int axis = none, std::string_view order = "big") {
  const rule_location_scope here(x.where);
  int d = 0;
  array bad = detail::check_bit_order("packbits", x, order);
  if (!bad.is_none()) return bad;
  if (is_inexact(x.value.dtype()))
    return detail::bad_operand(x, error_kind::type, "packbits: got dtype ", long_name(x.value.dtype()), "; wanted integers or bool, e.g. x != 0");
  const operand v(detail::raveled_without(axis, x), x.where);
  if (bad = detail::resolve_one_axis("packbits", x, axis == none ? 0 : axis, v.value.ndim(), d); !bad.is_none()) return bad;
  const array last = moveaxis(operand(detail::as_type(detail::as_boolean(v), {u8, false}, x.where), x.where), d, -1);
  const int rank = last.ndim();
  const std::int64_t n = last.shape()[rank - 1], bytes = (n + 7) / 8;
  int_list high = int_list::filled(rank, 0);
  high[rank - 1] = 8 * bytes - n;
  shape dims = last.shape();
  dims[rank - 1] = bytes;
  const array filled = lax::pad(last, array(literal(0, u8, false)), int_list::filled(rank, 0), high, {}, x.where);
  const array eights = lax::reshape(filled, shape(dims.with(rank, 8)), x.where);
  const array shifted = left_shift(eights, detail::bit_places(order, x.where));
  return moveaxis(operand(lax::reduce_sum(shifted, {rank}, x.where), x.where), -1, d);
}
/// The bits of bytes (u8), each 0 or 1, along an axis, or of the raveled array; the first `count` of them if it is given. See packbits for the order.
/// Errors: value_error for an axis out of range, another order, or more bits than there are; type_error for another dtype.
template <class Operand = operand>
constexpr array unpackbits(const lazy<Operand>& x, int axis = none, std::int64_t count = none, std::string_view order = "big") {
  const rule_location_scope here(x.where);
  int d = 0;
  array bad = detail::check_bit_order("unpackbits", x, order);
  if (!bad.is_none()) return bad;
  if (x.value.dtype() != u8)
    return detail::bad_operand(x, error_kind::type, "unpackbits: got dtype ", long_name(x.value.dtype()), "; wanted uint8");
  const operand v(detail::raveled_without(axis, x), x.where);
  if (bad = detail::resolve_one_axis("unpackbits", x, axis == none ? 0 : axis, v.value.ndim(), d); !bad.is_none()) return bad;
  const array last = moveaxis(v, d, -1);
  const int rank = last.ndim();
  shape dims = last.shape();
  const std::int64_t n = 8 * dims[rank - 1];
  if (count != none && (count < 0 || count > n))
    return detail::bad_operand(x, error_kind::value, "unpackbits: got the count ", count, " for ", n, " bits; wanted at most as many");
  const array bits = right_shift(expand_dims(last, -1), detail::bit_places(order, x.where)) & array(literal(1, u8, false));
  dims[rank - 1] = n;
  int_list limit = dims;
  if (count != none) limit[rank - 1] = count;
  return moveaxis(operand(lax::slice(lax::reshape(bits, dims, x.where), int_list::filled(rank, 0), limit, {}, x.where), x.where), -1, d);
}

}  // namespace jacquard
