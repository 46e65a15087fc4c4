#pragma once
// convert_element_type: the cast between dtypes. Deliberately numpy's value conversions: floats become integers by
// truncation (saturating out of range, NaN becomes 0), complex numbers become real ones by dropping the imaginary part.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array convert_element_type(const lazy<Array>& x, dtype to, bool weak, location where = location::current());
}  // namespace lax

/// `x` as another dtype, weakly typed if `weak`.
/// Shapes  kept.
/// Rules   linear between dtypes that have tangents; transpose = convert back. No derivative to other dtypes.
/// Cost    reads x once, writes the result once.
struct convert_element_type_p {
  static constexpr std::string_view name = "convert_element_type";
  struct params {
    dtype new_dtype;
    bool weak;
    static constexpr std::string_view fields = "new_dtype weak_type";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool is_elementwise = true;

  static constexpr aval abstract_eval(inference& c, const params& p) { return {p.new_dtype, c.in[0].dims, p.weak}; }
  static constexpr array jvp(const auto& t, const auto&, const auto&, const params& p) {
    if (!is_inexact(p.new_dtype)) return {};
    return lax::convert_element_type(t, p.new_dtype, p.weak);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params&) {
    return lax::convert_element_type(ct, c.in[0].type, c.in[0].weak);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {lax::convert_element_type(c.x[0], p.new_dtype, p.weak), c.dims[0]};
  }
  static constexpr masked mask(auto& c, const params& p) {
    return {lax::convert_element_type(c.x[0], p.new_dtype, p.weak), c.dims[0]};
  }
  static constexpr bool records_complex = true;
  static constexpr void record(record_call& c, const params& p) {
    const dtype t = real_dtype(p.new_dtype);
    c.result = c.to.convert(c.in[0], t);
    if (is_boolean(t) && c.any_complex()) c.result = c.to.apply(scalar_op::bit_or, c.result, c.to.convert(c.in_imaginary[0], t));
    if (is_complex(p.new_dtype)) c.imaginary = c.any_complex() ? c.to.convert(c.in_imaginary[0], t) : c.to.constant(literal(0.0, t, false));
  }
  /// One element; what the compile-time lane runs.
  template <class To, class From>
  static constexpr To convert(From x) {
    return detail::convert_element<From, To>(x);
  }
  static void run(const auto& c, const params&) {
    detail::convert_elements(c.in[0].type->type, c.in[0].data, c.out[0].type->type, c.out[0].data,
                             c.out[0].type->elements());
  }
};

namespace lax {

/// See convert_element_type_p. Returns x itself if nothing changes; literals are converted at once.
template <class Array>
constexpr array convert_element_type(const lazy<Array>& x, dtype to, bool weak, location where) {
  if (x.kind() == array_kind::literal) {
    literal l = x.as_literal().as(to);
    l.weak = weak;
    return array(l);
  }
  if (!x.is_none() && x.dtype() == to && x.weak_type() == weak) return x;
  return bind<convert_element_type_p>({to, weak}, where, x);
}
/// The strongly typed result.
template <class Array = array>
constexpr array convert_element_type(const lazy<Array>& x, dtype to, location where = location::current()) {
  return convert_element_type(x, to, false, where);
}

}  // namespace lax

}  // namespace jacquard
