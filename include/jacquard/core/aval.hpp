#pragma once
// Abstract values: what tracing knows of an array: dtype, weakness and shape. Deliberately without a value or a device.

#include "jacquard/core/dtype.hpp"
#include "jacquard/core/shape.hpp"
#include "jacquard/core/text.hpp"

namespace jacquard {

/// dtype, weak flag and shape of a variable.
struct aval {
  dtype type = dtype::f32;
  bool weak = false;
  jacquard::shape dims;

  constexpr aval() = default;
  constexpr aval(dtype t, const jacquard::shape& s, bool is_weak = false) : type(t), weak(is_weak), dims(s) {}
  constexpr int rank() const { return dims.rank(); }
  constexpr std::int64_t elements() const { return dims.elements(); }
  /// Size in memory; the largest integer if it cannot be counted.
  constexpr std::int64_t bytes() const {
    return detail::counted_product(dims.elements(), std::int64_t(size_of(type)));
  }
  constexpr element_type element() const { return {type, weak}; }
  constexpr aval with(const jacquard::shape& s) const { return {type, s, weak}; }
  constexpr aval with(dtype t) const { return {t, dims, weak}; }
  constexpr bool operator==(const aval&) const = default;
};

/// Equal but for weakness.
constexpr bool same_type(const aval& a, const aval& b) { return a.type == b.type && a.dims == b.dims; }

namespace detail {
/// The type of one step's part of a stacked array.
constexpr aval element_type_of(const aval& stacked) { return stacked.with(shape(stacked.dims.without(0))); }
}  // namespace detail

/// "f32[3,4]", the short form of jaxprs.
constexpr text& operator<<(text& out, const aval& a) {
  out << name(a.type) << '[';
  for (int i = 0; i < a.rank(); ++i) {
    if (i) out << ',';
    out << a.dims[i];
  }
  return out << ']';
}

}  // namespace jacquard
