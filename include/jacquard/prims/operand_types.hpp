#pragma once
// The types of operands: what elementwise primitives and reductions check, and scalars that take the dtype of the array
// they meet. Not a primitive itself. Deliberately strict about dtypes: promotion belongs to numpy/.

#include "jacquard/core/bind.hpp"

namespace jacquard {

namespace detail {

/// The type of a weakly typed literal of type t beside an array of dtype `met`: no wider, also if that array is weakly typed, so that a C++ float which
/// is traced stays float beside the doubles that a function is written with. Only for inexact numbers, where that is rounding; whole ones would wrap.
constexpr element_type beside(element_type t, dtype met) {
  if (!t.weak || !is_inexact(t.type) || !is_inexact(met)) return t;
  return {is_complex(t.type) ? complex_dtype(met) : real_dtype(met), true};
}
/// The type in which two weakly typed literals of one category meet. Of floating point ones the less precise decides: the other is a double that a
/// rule is written with, beside a number of a program.
constexpr dtype between_literals(dtype a, dtype b) {
  if (is_inexact(a) && size_of(a) != size_of(b)) return size_of(a) < size_of(b) ? a : b;
  return promote({a, true}, {b, true}).type;
}
/// A scalar literal takes a dtype, as C++ scalars are weakly typed.
constexpr array literal_as(const array& a, const aval& t) {
  const literal l = a.as_literal();
  if (!l.weak || (l.type == t.type && l.weak == t.weak) || category_of(l.type) > category_of(t.type)) return a;
  literal matched = l.as(t.type);
  matched.weak = t.weak;
  return array(matched);
}
// Not as conditional expressions: g++ 12 loses copies in those while it evaluates constants.
/// A literal beside an operand that stays as it is.
template <class Array = array>
constexpr array match_literal_to(const lazy<Array>& a, const lazy<Array>& other) {
  if (a.kind() != array_kind::literal || other.kind() == array_kind::none) return a;
  return literal_as(a, other.aval());
}
/// One of two operands that meet, both of which are matched so.
template <class Array = array>
constexpr array match_literal(const lazy<Array>& a, const lazy<Array>& other) {
  if (a.kind() != array_kind::literal || other.kind() == array_kind::none) return a;
  aval t = other.aval();
  if (other.kind() == array_kind::literal && a.weak_type() && t.weak && category_of(a.dtype()) == category_of(t.type)) t.type = between_literals(a.dtype(), t.type);
  return literal_as(a, t);
}

/// `value` as a scalar of the dtype of x.
template <class Array = array>
constexpr array scalar_like(const lazy<Array>& x, double value) {
  const aval t = x.aval();
  return array(literal(value, t.type, t.weak));
}

constexpr void put_dtypes(text& out, view<const aval> in) {
  for (std::size_t i = 0; i < in.size(); ++i) out << (i ? ", " : "") << long_name(in[i].type);
}
constexpr void put_shapes(text& out, view<const aval> in) {
  for (std::size_t i = 0; i < in.size(); ++i) out << (i ? ", " : "") << in[i].dims;
}
constexpr text accepted(type_set s) {
  text out;
  const auto put = [&](int bit, std::string_view word) {
    if ((s & bit) == bit) out << (out.empty() ? "" : ", ") << word;
  };
  put(booleans, "bool");
  put(integers, "integers");
  if ((s & integers) == signed_integers) out << (out.empty() ? "" : ", ") << "signed integers";
  put(floats, "floating point");
  put(complexes, "complex");
  return out;
}

/// Checks operands of an elementwise primitive; returns the type of the result before any change of dtype.
constexpr aval elementwise_type(inference& c, type_set domain) {
  const aval* shaped = &c.in[0];  // whose shape is that of the result
  bool weak = true;
  for (const aval& a : c.in) {
    if (!contains(domain, a.type)) {
      text got;
      put_dtypes(got, c.in);
      return c.fail(error_kind::type, " does not accept dtype ", long_name(a.type), ": got ", got, ", wanted one of: ",
                    accepted(domain), "; convert the operand first, e.g. x.astype(jq::f32)");
    }
    if (a.type != shaped->type) {
      text got;
      put_dtypes(got, c.in);
      return c.fail(error_kind::type, " requires arguments to have the same dtypes, got ", got,
                    "; convert one of them with x.astype(...) or use the operators, which promote");
    }
    if (a.rank() != 0) {
      if (shaped->rank() != 0 && !(shaped->dims == a.dims)) {
        text got;
        put_shapes(got, c.in);
        return c.fail(error_kind::shape, " got incompatible shapes for broadcasting: ", got,
                      ". Make the dimensions equal or 1, e.g. with reshape or expand_dims");
      }
      shaped = &a;
    }
    weak = weak && a.weak;
  }
  if (weak == shaped->weak) return *shaped;  // copied in one piece: what is put together is waited for by whoever copies it next
  return {shaped->type, shaped->dims, weak};
}

}  // namespace detail

}  // namespace jacquard
