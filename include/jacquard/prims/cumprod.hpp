#pragma once
// cumprod: running products along an axis, forwards or backwards. The derivative is a linear recurrence, right beside zeros too.

#include "jacquard/prims/linear_recurrence.hpp"

namespace jacquard {

/// Element i along `axis` is the product of elements 0 ... i of x; of elements i ... n-1 if `reverse`.
/// Shapes  kept; dtype kept.
/// Errors  type_error: bool; shape_error: an axis outside [0, rank).
/// Rules   derivative: dy_i = x_i dy_(i-1) + t_i y_(i-1).
/// Cost    O(size), its derivative too; f32, f16 and bf16 accumulate in f64.
struct cumprod_p : detail::cumulative<cumprod_p, numbers> {
  static constexpr std::string_view name = "cumprod";

  static constexpr array jvp(const auto& t, const auto& x, const auto& y, const params& p) {
    const array before = detail::moved_on(y, p, 1);
    return lax::linear_recurrence(x, lax::mul(t, before), p.axis, p.reverse);
  }
  static constexpr literal neutral(const aval& t) { return literal(1.0, t.type, t.weak); }
  template <class T>
  using state = detail::wide_accumulator<T>;
  template <class T>
  static constexpr state<T> begin(T x) {
    return state<T>(x);
  }
  template <class S, class T>
  static constexpr void advance(S& product, T x) {
    product = math::multiply(product, S(x));
  }
  static constexpr auto value(const auto& product) { return product; }
};

namespace lax {
/// See cumprod_p.
template <class Array = array>
constexpr array cumprod(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current()) {
  return bind<cumprod_p>({axis, reverse}, where, x);
}
}  // namespace lax

}  // namespace jacquard
