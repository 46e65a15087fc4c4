#pragma once
// Operators on arrays with promotion and broadcasting. C++ scalars mix in weakly typed: an f32 array times 2.0 stays f32, as does a C++ float that a
// function was called with.

#include <concepts>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/numpy/creation.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/rem.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

namespace detail {
/// The operation on numbers, or its counterpart on truth values where both operands are of dtype bool.
template <class Numbers, class Booleans>
JACQUARD_ONCE constexpr array binary_or_boolean(const operand& a, const operand& b) {
  const bool booleans = !a.value.is_none() && !b.value.is_none() && is_boolean(a.value.dtype()) && is_boolean(b.value.dtype());
  if (booleans) return binary<Booleans>(a, b);
  return binary<Numbers>(a, b);
}
/// The operation on what is not zero.
template <class P>
JACQUARD_ONCE constexpr array logical(const operand& a, const operand& b) {
  const array missing = check_given(P::name, a, b);
  if (!missing.is_none()) return missing;
  return binary<P>(operand(as_type(a.value, {bool_, false}, a.where), a.where), operand(as_type(b.value, {bool_, false}, b.where), b.where));
}
}  // namespace detail

/// Elementwise sum of promoted, broadcast operands; of two booleans, as in numpy, whether one holds. Errors: shape_error, type_error.
template <class Operand = operand>
constexpr array operator+(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary_or_boolean<add_p, or_p>(a, b); }
template <class Operand = operand>
constexpr array operator-(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<sub_p>(a, b); }
/// Elementwise product; of two booleans, whether both hold.
template <class Operand = operand>
constexpr array operator*(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary_or_boolean<mul_p, and_p>(a, b); }
/// Elementwise quotient; integers and booleans become floating point first, as in numpy.
template <class Operand = operand>
constexpr array operator/(const lazy<Operand>& a, const lazy<Operand>& b) {
  if (a.value.is_none() || b.value.is_none()) return detail::binary<div_p>(a, b);
  const element_type t = promote(a.value.aval().element(), b.value.aval().element());
  if (is_inexact(t.type)) return detail::binary<div_p>(a, b);
  const element_type f{f64, t.weak};
  return detail::binary<div_p>(operand(detail::as_type(a.value, f, a.where), a.where),
                               operand(detail::as_type(b.value, f, b.where), b.where));
}
/// Remainder with the sign of the dividend, as in C++ (numpy's fmod).
template <class Operand = operand>
constexpr array operator%(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<rem_p>(a, b); }
template <class Operand = operand>
constexpr array operator&(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<and_p>(a, b); }
template <class Operand = operand>
constexpr array operator|(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<or_p>(a, b); }
template <class Operand = operand>
constexpr array operator^(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<xor_p>(a, b); }
template <class Operand = operand>
constexpr array operator==(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<eq_p>(a, b); }
template <class Operand = operand>
constexpr array operator!=(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<ne_p>(a, b); }
template <class Operand = operand>
constexpr array operator<(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<lt_p>(a, b); }
template <class Operand = operand>
constexpr array operator<=(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<le_p>(a, b); }
template <class Operand = operand>
constexpr array operator>(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<gt_p>(a, b); }
template <class Operand = operand>
constexpr array operator>=(const lazy<Operand>& a, const lazy<Operand>& b) { return detail::binary<ge_p>(a, b); }

template <class Operand = operand>
constexpr array operator-(const lazy<Operand>& a) { return detail::unary<neg_p>(a); }
template <class Operand = operand>
constexpr array operator+(const lazy<Operand>& a) { return a.value; }
/// Logical not of bool, bitwise not of integers.
template <class Operand = operand>
constexpr array operator~(const lazy<Operand>& a) { return detail::unary<not_p>(a); }
template <class Operand = operand>
constexpr array operator!(const lazy<Operand>& a) {
  return detail::unary<not_p>(operand(detail::as_type(a.value, {bool_, false}, a.where), a.where));
}
/// Without this exact match, the conversion of arrays to bool makes `!x` ambiguous.
template <std::same_as<array> Array>
constexpr array operator!(const Array& a) { return !operand(a, location{}); }
/// Element by element, as logical_and and logical_or; both sides are computed, as by every operator on arrays. Exact matches, since the
/// conversion of arrays to bool would choose C++'s own operators. Beside a bool these are C++'s: the array is then asked for its one element.
/// Errors: shape_error.
template <std::same_as<array> A, std::same_as<array> B>
constexpr array operator&&(const A& a, const B& b) { return detail::logical<and_p>(a, b); }
template <std::same_as<array> A, std::same_as<array> B>
constexpr array operator||(const A& a, const B& b) { return detail::logical<or_p>(a, b); }

template <class Operand = operand>
constexpr array& operator+=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) + b; }
template <class Operand = operand>
constexpr array& operator-=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) - b; }
template <class Operand = operand>
constexpr array& operator*=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) * b; }
template <class Operand = operand>
constexpr array& operator/=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) / b; }
template <class Operand = operand>
constexpr array& operator%=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) % b; }
template <class Operand = operand>
constexpr array& operator&=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) & b; }
template <class Operand = operand>
constexpr array& operator|=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) | b; }
template <class Operand = operand>
constexpr array& operator^=(array& a, const lazy<Operand>& b) { return a = operand(a, b.where) ^ b; }

/// The only element of x as a T; the same as x.item<T>() without `template` in generic code. Numbers pass through.
template <scalar T>
constexpr T item(const array& x, location where = location::current()) {
  return x.item<T>(where);
}
template <scalar T, scalar S>
constexpr T item(S x) {
  return T(x);
}

}  // namespace jacquard
