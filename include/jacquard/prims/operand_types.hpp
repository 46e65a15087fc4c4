#pragma once
// The types of operands: what elementwise primitives and reductions check, and scalars that take the dtype of the array
// they meet. Not a primitive itself. Deliberately strict about dtypes: promotion belongs to numpy/.

#include "jacquard/core/bind.hpp"

namespace jacquard {

namespace detail {

/// A scalar literal takes the dtype of the array it meets, as C++ scalars are weakly typed.
template <class Array = array>
constexpr array match_literal(const lazy<Array>& a, const lazy<Array>& other) {
  if (a.kind() != array_kind::literal || other.kind() == array_kind::none) return a;
  const literal l = a.as_literal();
  const aval t = other.aval();
  if (!l.weak || (l.type == t.type && l.weak == t.weak) || category_of(l.type) > category_of(t.type)) return a;
  literal matched = l.as(t.type);
  matched.weak = t.weak;
  return array(matched);
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
