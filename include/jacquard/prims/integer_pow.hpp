#pragma once
// integer_pow: a power with a constant whole exponent, by repeated squaring.

#include "jacquard/prims/mul.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array integer_pow(const lazy<Array>& x, int y, location where = location::current());
}  // namespace lax

/// x to the power y, elementwise; integers wrap.
/// Errors  type_error: a negative power of integers.
/// Rules   derivative: y x^(y-1), and 0 for y = 0.
/// Cost    about 2 log2 |y| products an element.
struct integer_pow_p : elementwise<integer_pow_p, numbers, 1> {
  static constexpr std::string_view name = "integer_pow";
  struct params {
    int y;
    static constexpr std::string_view fields = "y";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval t = detail::elementwise_type(c, domain);
    if (!c.problem && is_integer(t.type) && p.y < 0)
      return c.fail(error_kind::type, ": Integers cannot be raised to negative powers, got the power ", p.y,
                    " of an operand of dtype ", long_name(t.type), "; convert it to a floating point dtype first");
    return t;
  }
  template <class T>
  static constexpr T apply(T x, const params& p) {
    return math::powi(x, p.y);
  }
  /// Squarings, and a product for each further bit of the power.
  static constexpr void cost(auto& c, const params& p) {
    int products = p.y < 0 ? 1 : 0;
    for (unsigned n = p.y < 0 ? 0u - unsigned(p.y) : unsigned(p.y); n > 1; n >>= 1) products += 1 + int(n & 1);
    c.cost.flops *= products;
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto&, const params& p) {
    if (p.y == 0) return {};
    return lax::mul(t, lax::mul(double(p.y), lax::integer_pow(x, p.y - 1)));
  }
};

namespace lax {
/// See integer_pow_p. The first power returns x.
template <class Array>
constexpr array integer_pow(const lazy<Array>& x, int y, location where) {
  if (y == 1 && !x.is_none() && contains(numbers, x.dtype())) return x;
  return bind<integer_pow_p>({y}, where, x);
}
}  // namespace lax

}  // namespace jacquard
