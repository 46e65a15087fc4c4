#pragma once
// What scalar functions of primitives need beside operators and jacquard::math: choosing, converting and reinterpreting values, written
// once for single numbers and for the lanes of a vector register. Deliberately nothing else.

#include <bit>

#include "jacquard/core/kernel.hpp"
#include "jacquard/core/math.hpp"

namespace jacquard {

/// Operations of a value type T that have no operator.
template <class T>
struct value_traits {
  using element = T;
  /// on where `which` holds, else off.
  static constexpr T select(bool which, const T& on, const T& off) { return which ? on : off; }
  /// numpy's conversion.
  template <class To>
  static constexpr To convert(const T& x) {
    return detail::convert_element<T, To>(x);
  }
  /// The same bits as a type of that size.
  template <class To>
  static constexpr To bit_cast(const T& x) {
    return std::bit_cast<To>(x);
  }
};
/// Lanes, lane by lane. To is lanes of another type, as many.
template <math::lane_value T>
struct value_traits<T> {
  using element = typename T::lane_element;
  static constexpr T select(const typename T::mask& which, const T& on, const T& off) { return T::select(which, on, off); }
  template <class To>
  static constexpr To convert(const T& x) {
    return To::from(x);
  }
  template <class To>
  static constexpr To bit_cast(const T& x) {
    return To(typename To::vector(x.v));
  }
};

}  // namespace jacquard
