#pragma once
// Values as text: numpy's array2string layout, to_string and operator<<. Tracers print as their type.

#include <iosfwd>

#include "jacquard/core/array_text.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/core/print.hpp"

namespace jacquard {

namespace detail {

inline element_kind element_kind_of(dtype t) {
  switch (t) {
    case dtype::bool_: return element_kind::boolean;
    case dtype::f16: return element_kind::half;
    case dtype::bf16: return element_kind::brain;
    case dtype::f32: return element_kind::single;
    case dtype::f64: return element_kind::double_;
    case dtype::c64: return element_kind::complex_single;
    case dtype::c128: return element_kind::complex_double;
    default: return is_signed_integer(t) ? element_kind::integer : element_kind::natural;
  }
}

/// A number in the printer's form.
template <class T>
element_value printed_element(T x) {
  element_value v{};
  if constexpr (std::is_same_v<T, bool>) v.b = x;
  else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>) v.i = x;
    else v.u = x;
  } else if constexpr (is_complex_v<T>) v.re = double(x.real()), v.im = double(x.imag());
  else if constexpr (std::is_floating_point_v<T>) v.re = double(x);
  else v.re = double(float(x));
  return v;
}
/// A literal; the compute type holds its value whole.
template <class Literal = literal>
element_value scalar_element(const lazy<Literal>& l) {
  return visit_compute(compute_of(l.type), [&]<class T>(std::type_identity<T>) { return printed_element(l.template get<T>()); });
}
/// Element i of a dense block.
template <class Memory = void>
element_value element_at(const lazy<Memory>* data, dtype t, std::size_t i) {
  return visit_dtype(t, [&]<class T>(std::type_identity<T>) { return printed_element(static_cast<const T*>(data)[i]); });
}

}  // namespace detail

/// The elements of `x` in numpy's layout; a tracer without a value gives "Tracer<f32[3]>", a result of eval_shape
/// "ShapeDtypeStruct(shape=(3,), dtype=float32)".
template <class Array = array>
JACQUARD_ONCE text to_text(const lazy<Array>& x, const print_options& options = {}) {
  if (x.is_none()) return text("<empty jq::array>");
  if (x.as_constant()) return cat("ShapeDtypeStruct(shape=", x.shape(), ", dtype=", long_name(x.dtype()), ")");
  if (x.is_tracer() && !has_value(x)) return cat("Tracer<", x.aval(), ">");
  const array v = concrete(x);
  const aval t = v.aval();
  const buffer* dense = v.as_buffer();
  if (dense) dense->check_alive();
  text out;
  put_array(out, t.dims, detail::element_kind_of(t.type),
            [&](auto i) {
              if (!dense) return detail::scalar_element(v.as_literal());
              return detail::element_at(dense->data, t.type, std::size_t(i));
            },
            options);
  return out;
}
template <class Array = array>
std::string to_string(const lazy<Array>& x) {
  return std::string(to_text(x).view());
}

namespace detail {

constexpr text to_text(dtype t) { return text(long_name(t)); }
constexpr text to_text(const shape& s) { return cat(s); }
constexpr text to_text(const aval& t) { return cat(t); }
constexpr text to_text(const text& t) { return t; }
using jacquard::to_text;

template <class T>
concept printable = std::same_as<T, array> || std::same_as<T, jaxpr> || std::same_as<T, closed_jaxpr> ||
                    std::same_as<T, shape> || std::same_as<T, dtype> || std::same_as<T, aval> || std::same_as<T, text>;

}  // namespace detail

/// "(2, 3)", "float32", "f32[2,3]".
template <class T>
  requires std::same_as<T, shape> || std::same_as<T, dtype> || std::same_as<T, aval>
std::string to_string(const T& x) {
  return std::string(detail::to_text(x).view());
}

/// Writes arrays, jaxprs, shapes, dtypes, avals and texts to a stream. The stream is a template parameter, so that its
/// header, which is large, comes with whoever prints.
template <class Traits, detail::printable T>
  requires requires(std::basic_ostream<char, Traits>& out) { out.width(); }  // not where the stream is only declared
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const T& x) {
  const text t = detail::to_text(x);
  return out.write(t.view().data(), std::streamsize(t.size()));
}

}  // namespace jacquard
