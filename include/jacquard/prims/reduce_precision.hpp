#pragma once
// reduce_precision: numbers rounded to a format with fewer bits, in the same dtype.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// x rounded, to nearest and halves to even, to the numbers of a format with so many bits of exponent and mantissa, elementwise. What
/// is too large for it becomes infinite, what is too small for its normal numbers becomes 0.
/// Errors  type_error: not floating point; value_error: no bit of exponent, or a negative number of bits of mantissa.
/// Rules   derivative 1, as without rounding.
struct reduce_precision_p : elementwise<reduce_precision_p, floats, 1> {
  static constexpr std::string_view name = "reduce_precision";
  struct params {
    int exponent_bits, mantissa_bits;
    static constexpr std::string_view fields = "exponent_bits mantissa_bits";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (p.exponent_bits < 1 || p.mantissa_bits < 0)
      return c.fail(error_kind::value, ": got ", p.exponent_bits, " bits of exponent and ", p.mantissa_bits,
                    " bits of mantissa; wanted at least 1 and 0");
    return detail::elementwise_type(c, domain);
  }
  template <class T>
  static constexpr T apply(T x, const params& p) {
    return math::each([&](auto v) { return math::reduce_precision(v, p.exponent_bits, p.mantissa_bits); }, x);
  }
  static constexpr array jvp(const auto& t, const auto&, const auto&, const params&) { return t; }
};

namespace lax {
/// See reduce_precision_p.
template <class Array = array>
constexpr array reduce_precision(const lazy<Array>& x, int exponent_bits, int mantissa_bits, location where = location::current()) {
  return bind<reduce_precision_p>({exponent_bits, mantissa_bits}, where, x);
}
}  // namespace lax

}  // namespace jacquard
