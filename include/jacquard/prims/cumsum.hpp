#pragma once
// cumsum: running sums along an axis, forwards or backwards; each is the other's transpose.

#include "jacquard/prims/cumulative.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array cumsum(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current());
}  // namespace lax

/// Element i along `axis` is the sum of elements 0 ... i of x; of elements i ... n-1 if `reverse`.
/// Shapes  kept; dtype kept.
/// Errors  type_error: bool; shape_error: an axis outside [0, rank).
/// Rules   linear; transpose = cumsum in the other direction.
/// Cost    O(size); f32, f16 and bf16 accumulate in f64.
struct cumsum_p : detail::cumulative<cumsum_p, numbers> {
  static constexpr std::string_view name = "cumsum";
  static constexpr std::uint32_t linear = 1;

  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    return lax::cumsum(ct, p.axis, !p.reverse);
  }
  static constexpr masked mask(auto& c, const params& p) {  // backwards it starts, forwards its transpose starts in the padding
    if (p.reverse) return {lax::cumsum(c.zeroed(0, {p.axis}), p.axis, true), c.dims[0]};
    return {c.scope.guarded(lax::cumsum(c.x[0], p.axis), c.dims[0], {p.axis}), c.dims[0]};
  }
  static constexpr literal neutral(const aval& t) { return literal(0.0, t.type, t.weak); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_sum(x, axes); }
  template <class T>
  using state = detail::wide_accumulator<T>;
  template <class T>
  static constexpr state<T> begin(T x) {
    return state<T>(x);
  }
  template <class S, class T>
  static constexpr void advance(S& sum, T x) {
    sum = math::add(sum, S(x));
  }
  static constexpr auto value(const auto& sum) { return sum; }
};

namespace lax {
/// See cumsum_p.
template <class Array>
constexpr array cumsum(const lazy<Array>& x, std::int64_t axis, bool reverse, location where) {
  return bind<cumsum_p>({axis, reverse}, where, x);
}
}  // namespace lax

}  // namespace jacquard
