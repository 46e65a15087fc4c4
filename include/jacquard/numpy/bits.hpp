#pragma once
// Whole numbers: shifts, bits counted, and common divisors. Functions of floating point are elsewhere. A header of its own, which
// jacquard.hpp does not include: it brings loops along.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/arithmetic.hpp"
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

}  // namespace jacquard
