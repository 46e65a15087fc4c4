#pragma once
// Element types: the enumeration, their names and sizes, the C++ type of each, and the promotion table with weakly typed
// C++ scalars. Deliberately knows nothing of shapes or arrays.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "jacquard/core/complex.hpp"
#include "jacquard/core/half.hpp"

namespace jacquard {

/// The element type of an array.
enum class dtype : std::uint8_t { bool_, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128 };

inline constexpr int dtype_count = 15;
inline constexpr dtype i8 = dtype::i8, i16 = dtype::i16, i32 = dtype::i32, i64 = dtype::i64;
inline constexpr dtype u8 = dtype::u8, u16 = dtype::u16, u32 = dtype::u32, u64 = dtype::u64;
inline constexpr dtype f16 = dtype::f16, bf16 = dtype::bf16, f32 = dtype::f32, f64 = dtype::f64;
inline constexpr dtype c64 = dtype::c64, c128 = dtype::c128;
inline constexpr dtype bool_ = dtype::bool_;

/// The field a dtype belongs to, in the order in which promotion climbs.
enum class category : std::uint8_t { boolean, integer, floating, complex };

namespace detail {
struct dtype_facts {
  std::string_view name, long_name;
  std::uint8_t size;
  category kind;
  bool is_signed;
};
inline constexpr dtype_facts dtype_table[dtype_count] = {
    {"bool", "bool", 1, category::boolean, false},     {"i8", "int8", 1, category::integer, true},
    {"i16", "int16", 2, category::integer, true},      {"i32", "int32", 4, category::integer, true},
    {"i64", "int64", 8, category::integer, true},      {"u8", "uint8", 1, category::integer, false},
    {"u16", "uint16", 2, category::integer, false},    {"u32", "uint32", 4, category::integer, false},
    {"u64", "uint64", 8, category::integer, false},    {"f16", "float16", 2, category::floating, true},
    {"bf16", "bfloat16", 2, category::floating, true}, {"f32", "float32", 4, category::floating, true},
    {"f64", "float64", 8, category::floating, true},   {"c64", "complex64", 8, category::complex, true},
    {"c128", "complex128", 16, category::complex, true}};
}  // namespace detail

constexpr std::string_view name(dtype t) { return detail::dtype_table[int(t)].name; }
constexpr std::string_view long_name(dtype t) { return detail::dtype_table[int(t)].long_name; }
constexpr std::size_t size_of(dtype t) { return detail::dtype_table[int(t)].size; }
constexpr category category_of(dtype t) { return detail::dtype_table[int(t)].kind; }
constexpr bool is_boolean(dtype t) { return category_of(t) == category::boolean; }
constexpr bool is_integer(dtype t) { return category_of(t) == category::integer; }
constexpr bool is_signed_integer(dtype t) { return is_integer(t) && detail::dtype_table[int(t)].is_signed; }
constexpr bool is_unsigned_integer(dtype t) { return is_integer(t) && !detail::dtype_table[int(t)].is_signed; }
constexpr bool is_floating(dtype t) { return category_of(t) == category::floating; }
constexpr bool is_complex(dtype t) { return category_of(t) == category::complex; }
/// Whether values of this type have tangents (numpy's `inexact`).
constexpr bool is_inexact(dtype t) { return category_of(t) >= category::floating; }
/// The dtype of |x| for complex x; every other dtype itself.
constexpr dtype real_dtype(dtype t) { return t == c64 ? f32 : t == c128 ? f64 : t; }
constexpr dtype complex_dtype(dtype t) { return t == f64 || t == c128 ? c128 : c64; }

/// C++ types that count as one number: arithmetic types but the character types, the halves, and complex look-alikes.
template <class T>
concept complex_like = !std::is_arithmetic_v<T> && requires(const T& z) {
  typename T::value_type;
  { z.real() } -> std::convertible_to<typename T::value_type>;
  { z.imag() } -> std::convertible_to<typename T::value_type>;
} && std::is_floating_point_v<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);

template <class T>
concept scalar = (std::is_arithmetic_v<T> && !std::is_same_v<T, long double> && !std::is_same_v<T, char> &&
                  !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> &&
                  !std::is_same_v<T, char32_t>) ||
                 std::is_same_v<T, float16> || std::is_same_v<T, bfloat16> || complex_like<T>;

/// The dtype of a C++ scalar type.
template <scalar T>
constexpr dtype dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return dtype::bool_;
  else if constexpr (std::is_same_v<T, float16>) return f16;
  else if constexpr (std::is_same_v<T, bfloat16>) return bf16;
  else if constexpr (std::is_same_v<T, float>) return f32;
  else if constexpr (std::is_same_v<T, double>) return f64;
  else if constexpr (std::is_integral_v<T>) {
    constexpr int log2_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return dtype(int(std::is_signed_v<T> ? i8 : u8) + log2_size);
  } else return sizeof(typename T::value_type) == 4 ? c64 : c128;
}

/// The C++ type that stores a dtype.
template <dtype T>
using stored_type =
    std::tuple_element_t<std::size_t(T), std::tuple<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                                    std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16, float, double,
                                                    complex64, complex128>>;

/// Calls f with std::type_identity of the C++ type that stores `t`.
template <class F>
constexpr decltype(auto) visit_dtype(dtype t, F&& f) {
  switch (t) {
    case dtype::bool_: return f(std::type_identity<bool>{});
    case dtype::i8: return f(std::type_identity<std::int8_t>{});
    case dtype::i16: return f(std::type_identity<std::int16_t>{});
    case dtype::i32: return f(std::type_identity<std::int32_t>{});
    case dtype::i64: return f(std::type_identity<std::int64_t>{});
    case dtype::u8: return f(std::type_identity<std::uint8_t>{});
    case dtype::u16: return f(std::type_identity<std::uint16_t>{});
    case dtype::u32: return f(std::type_identity<std::uint32_t>{});
    case dtype::u64: return f(std::type_identity<std::uint64_t>{});
    case dtype::f16: return f(std::type_identity<float16>{});
    case dtype::bf16: return f(std::type_identity<bfloat16>{});
    case dtype::f32: return f(std::type_identity<float>{});
    case dtype::f64: return f(std::type_identity<double>{});
    case dtype::c64: return f(std::type_identity<complex64>{});
    default: return f(std::type_identity<complex128>{});
  }
}

/// A dtype together with "weak": the type of a C++ scalar, which yields to any array type of its own category.
struct element_type {
  dtype type = dtype::f32;
  bool weak = false;
  constexpr bool operator==(const element_type&) const = default;
};

namespace detail {
constexpr dtype signed_of_size(std::size_t bytes) {
  return bytes == 1 ? i8 : bytes == 2 ? i16 : bytes == 4 ? i32 : i64;
}
constexpr element_type promote_integers(dtype a, dtype b) {
  if (is_signed_integer(a) == is_signed_integer(b)) return {size_of(a) >= size_of(b) ? a : b, false};
  const dtype s = is_signed_integer(a) ? a : b;
  const dtype u = is_signed_integer(a) ? b : a;
  if (size_of(s) > size_of(u)) return {s, false};
  if (size_of(u) == 8) return {f64, true};  // no integer type holds both: JAX's lattice climbs to the weak float
  return {signed_of_size(2 * size_of(u)), false};
}
constexpr element_type promote_strong(dtype a, dtype b) {
  if (a == b) return {a, false};
  if (category_of(a) > category_of(b)) return promote_strong(b, a);
  switch (category_of(b)) {
    case category::boolean: return {b, false};
    case category::integer: return is_boolean(a) ? element_type{b, false} : promote_integers(a, b);
    case category::floating:
      if (!is_floating(a)) return {b, false};
      if (size_of(a) == 2 && size_of(b) == 2) return {f32, false};
      return {size_of(a) > size_of(b) ? a : b, false};
    default:
      if (a == f64 || a == c128 || b == c128) return {c128, false};
      return {c64, false};
  }
}
}  // namespace detail

/// The join of two element types in the promotion lattice (64-bit types always on).
/// Source: the table of JAX's type promotion semantics, docs/type_promotion.
constexpr element_type promote(element_type a, element_type b) {
  if (!a.weak && !b.weak) return detail::promote_strong(a.type, b.type);
  if (a.weak && b.weak) {
    element_type r = detail::promote_strong(a.type, b.type);
    return {r.type, true};
  }
  const element_type weak = a.weak ? a : b;
  const element_type strong = a.weak ? b : a;
  if (category_of(weak.type) <= category_of(strong.type)) return {strong.type, false};
  if (is_complex(weak.type) && is_floating(strong.type)) return {complex_dtype(strong.type), false};
  return {weak.type, true};
}

}  // namespace jacquard
