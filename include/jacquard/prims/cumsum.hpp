#pragma once
// cumsum: running sums along an axis, forwards or backwards; each is the other's transpose.

#include "jacquard/prims/elementwise.hpp"

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
struct cumsum_p {
  static constexpr std::string_view name = "cumsum";
  struct params {
    std::int64_t axis;
    bool reverse;
    static constexpr std::string_view fields = "axis reverse";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = numbers;
  static constexpr std::uint32_t linear = 1;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (!contains(domain, x.type)) return detail::elementwise_type(c, domain);
    if (p.axis < 0 || p.axis >= x.rank())
      return c.fail(error_kind::shape, ": axis ", p.axis, " is out of bounds for array of shape ", x.dims,
                    "; wanted one in [0, ", x.rank(), ")");
    return x;
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    return lax::cumsum(ct, p.axis, !p.reverse);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {lax::cumsum(c.x[0], p.axis >= c.dims[0] ? p.axis + 1 : p.axis, p.reverse), c.dims[0]};
  }
  static constexpr masked mask(auto& c, const params& p) {  // backwards it starts, forwards its transpose starts in the padding
    if (p.reverse) return {lax::cumsum(c.zeroed(0, {p.axis}), p.axis, true), c.dims[0]};
    return {c.scope.guarded(lax::cumsum(c.x[0], p.axis), c.dims[0], {p.axis}), c.dims[0]};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    using accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;
    const shape& dims = a.in_types[0].dims;
    const std::int64_t n = dims[int(p.axis)];
    std::int64_t inner = 1;
    for (int d = int(p.axis) + 1; d < dims.rank(); ++d) inner *= dims[d];
    const std::int64_t rows = n == 0 ? 0 : dims.elements() / n;
    const std::int64_t step = p.reverse ? -inner : inner;
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t at = (r / inner) * n * inner + r % inner + (p.reverse ? (n - 1) * inner : 0);
      accumulator sum(0);
      for (std::int64_t i = 0; i < n; ++i, at += step) {
        sum = math::add(sum, accumulator(a.in[0][at]));
        a.out[0][at] = T(sum);
      }
    }
  }
};

namespace lax {
/// See cumsum_p.
template <class Array>
constexpr array cumsum(const lazy<Array>& x, std::int64_t axis, bool reverse, location where) {
  return bind<cumsum_p>({axis, reverse}, where, x);
}
}  // namespace lax

}  // namespace jacquard
