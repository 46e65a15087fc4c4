#pragma once
// Literals: scalar constants written into equations. Every value is kept in the widest type of its category, so that one
// layout serves all dtypes and a literal is trivially copyable. Deliberately rank 0 only; larger constants are equations
// on literals or captured arrays.

#include <bit>
#include <cstdint>
#include <cstring>

#include "jacquard/core/aval.hpp"
#include "jacquard/core/compiled_once.hpp"

namespace jacquard {

/// A scalar constant with its element type.
class literal {
  template <class S, class V>
  static constexpr S convert(V v) {
    if constexpr (std::is_same_v<S, bool>) return v != V{};
    else if constexpr (std::is_integral_v<S> && std::is_floating_point_v<V>) return saturate<S>(v);
    else if constexpr (complex_like<S>) return S(typename S::value_type(v), typename S::value_type(0));
    else return S(v);
  }
  /// Float to integer without undefined behaviour: out-of-range values saturate, NaN gives 0.
  template <class S, class V>
  static constexpr S saturate(V v) {
    constexpr S low = std::numeric_limits<S>::lowest(), high = std::numeric_limits<S>::max();
    if (v != v) return S(0);
    if (v <= V(low)) return low;
    if (v >= V(high)) return high;
    return S(v);
  }
  template <class S>
  constexpr void store(S v) {
    if constexpr (std::is_integral_v<S>) low = std::uint64_t(std::int64_t(v));
    else if constexpr (complex_like<S>) {
      low = std::bit_cast<std::uint64_t>(double(v.real()));
      high = std::bit_cast<std::uint64_t>(double(v.imag()));
    } else low = std::bit_cast<std::uint64_t>(double(float_value(v)));
  }
  static constexpr std::uint64_t single_bits(std::uint64_t bits_of_double) {
    return std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(bits_of_double)));
  }
  template <class S>
  static constexpr auto float_value(S v) {
    if constexpr (std::is_floating_point_v<S>) return v;
    else return float(v);
  }

 public:
  dtype type = dtype::f32;
  bool weak = false;
  std::uint64_t low = 0;   ///< integer bits, or the bits of the (real part as a) double
  std::uint64_t high = 0;  ///< the bits of the imaginary part as a double

  constexpr literal() = default;
  template <scalar S>
  constexpr explicit literal(S value, bool is_weak = false) : type(dtype_of<S>()), weak(is_weak) {
    store(value);
  }
  /// `value` converted to `t`.
  template <scalar S>
  constexpr literal(S value, dtype t, bool is_weak) : literal(literal(value).as(t)) {
    weak = is_weak;
  }

  /// The value as C++ type S; complex to real drops the imaginary part, and a complex number is true unless both parts are 0.
  template <scalar S>
  constexpr S get() const {
    switch (category_of(type)) {
      case category::boolean: return convert<S>(low != 0);
      case category::integer:
        return is_signed_integer(type) ? convert<S>(std::int64_t(low)) : convert<S>(low);
      case category::floating: return convert<S>(std::bit_cast<double>(low));
      default:
        if constexpr (complex_like<S>) {
          using real = typename S::value_type;
          return S(real(std::bit_cast<double>(low)), real(std::bit_cast<double>(high)));
        } else if constexpr (std::is_same_v<S, bool>) return std::bit_cast<double>(low) != 0 || std::bit_cast<double>(high) != 0;
        else return convert<S>(std::bit_cast<double>(low));
    }
  }
  /// This value converted to another dtype, rounded as that dtype rounds.
  JACQUARD_ONCE constexpr literal as(dtype t) const {
    return visit_dtype(t, [&]<class T>(std::type_identity<T>) { return literal(get<T>(), weak); });
  }
  /// The parts of a complex value, in the real dtype; a real one is its own real part.
  constexpr literal real_part() const { return as(real_dtype(type)); }
  constexpr literal imaginary_part() const {
    literal r = as(real_dtype(type));
    r.low = is_complex(type) ? high : 0;
    return r;
  }
  /// The element as it lies in memory, in the lowest bytes; of a c128 the real part.
  constexpr std::uint64_t element_bits() const {
    switch (type) {
      case dtype::f16: return std::bit_cast<std::uint16_t>(get<float16>());
      case dtype::bf16: return std::bit_cast<std::uint16_t>(get<bfloat16>());
      case dtype::f32: return single_bits(low);
      case dtype::c64: return single_bits(low) | single_bits(high) << 32;
      default: return low;
    }
  }
  /// `high` of the c64 with these bits.
  static constexpr std::uint64_t imaginary_of(std::uint64_t bits) {
    return std::bit_cast<std::uint64_t>(double(std::bit_cast<float>(std::uint32_t(bits >> 32))));
  }
  constexpr jacquard::aval aval() const { return {type, jacquard::shape{}, weak}; }
  /// Writes the value to memory for one element of its dtype.
  void store_to(void* memory) const {
    visit_dtype(type, [&]<class T>(std::type_identity<T>) {
      const T v = get<T>();
      std::memcpy(memory, &v, sizeof(T));
    });
  }
  constexpr bool operator==(const literal&) const = default;
};

}  // namespace jacquard
