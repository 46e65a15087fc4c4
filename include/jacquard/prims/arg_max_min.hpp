#pragma once
// argmax and argmin: where the largest and the smallest element are. One family: they share everything but the comparison.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array argmax(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where = location::current());
template <class Array = array>
constexpr array argmin(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where = location::current());
}  // namespace lax

namespace detail {
/// What the two share. P::find is the lax function, P::better the scalar comparison.
template <class P>
struct index_of_extreme {
  struct params {
    int_list axes;  ///< exactly one
    dtype index_dtype;
    static constexpr std::string_view fields = "axes index_dtype";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = ordered;
  static constexpr std::uint32_t index_results = 1;
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (!contains(domain, x.type)) return elementwise_type(c, domain);
    if (p.axes.size() != 1 || p.axes[0] < 0 || p.axes[0] >= x.rank())
      return c.fail(error_kind::value, ": Invalid axis ", p.axes, " for operand shape ", x.dims,
                    "; wanted one axis in [0, ", x.rank(), ")");
    if (x.dims[int(p.axes[0])] == 0)
      return c.fail(error_kind::value, " requires non-empty reduced dimension, got operand shape ", x.dims,
                    " and axis ", p.axes[0], "; reduce another axis or check the size first");
    if (!is_integer(p.index_dtype))
      return c.fail(error_kind::type, ": index_dtype must be an integer type, but got ", long_name(p.index_dtype),
                    "; pass e.g. jq::i32");
    return {p.index_dtype, shape(x.dims.without(int(p.axes[0])))};
  }
  static constexpr void cost(auto& c) { c.cost.flops = double(c.in[0].elements()); }
  static constexpr batched batch(auto& c, const params& p) {
    return batch_reduction(c, p.axes,
                           [&](const array& x, const int_list& axes) { return P::find(x, axes[0], p.index_dtype); });
  }
  static constexpr masked mask(auto& c, const params& p) {  // of equal elements the first one counts, so padding never does
    return mask_reduction(c, {p.axes, {}, extreme_literal(c.x[0].aval(), P::finds_smallest)},
                          [&](const array& x) { return P::find(x, p.axes[0], p.index_dtype); });
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& from = a.in_types[0].dims;
    const int axis = int(p.axes[0]);
    std::int64_t inner = 1;
    for (int d = axis + 1; d < from.rank(); ++d) inner *= from[d];
    const std::int64_t results = a.out_types[0].elements();
    for (std::int64_t o = 0; o < results; ++o) {
      const T* row = a.in[0] + (o / inner) * from[axis] * inner + o % inner;
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < from[axis]; ++i)
        if (P::better(row[i * inner], row[best * inner])) best = i;
      a.index_out[0][o] = best;
    }
  }
};
}  // namespace detail

/// The index of the largest element of `x` along one axis: the first of equal ones, the first NaN if there is one.
/// Shapes  x [d0 ... dn-1] -> x without the axis, of dtype index_dtype.
/// Errors  type_error: complex numbers, or an index dtype that is no integer; value_error: an axis out of range or of size 0.
/// Rules   no derivative.
/// Cost    reads x once.
struct argmax_p : detail::index_of_extreme<argmax_p> {
  static constexpr std::string_view name = "argmax";
  static constexpr bool finds_smallest = false;
  template <class T>
  static constexpr bool better(T a, T b) {
    return a > b || (math::is_nan(a) && !math::is_nan(b));
  }
  static constexpr array find(const auto& x, std::int64_t axis, dtype t) { return lax::argmax(x, axis, t); }
};

/// The index of the smallest element of `x` along one axis: the first of equal ones, the first NaN if there is one.
/// Shapes  x [d0 ... dn-1] -> x without the axis, of dtype index_dtype.
/// Errors  type_error: complex numbers, or an index dtype that is no integer; value_error: an axis out of range or of size 0.
/// Rules   no derivative.
/// Cost    reads x once.
struct argmin_p : detail::index_of_extreme<argmin_p> {
  static constexpr std::string_view name = "argmin";
  static constexpr bool finds_smallest = true;
  template <class T>
  static constexpr bool better(T a, T b) {
    return a < b || (math::is_nan(a) && !math::is_nan(b));
  }
  static constexpr array find(const auto& x, std::int64_t axis, dtype t) { return lax::argmin(x, axis, t); }
};

namespace lax {
/// See argmax_p.
template <class Array>
constexpr array argmax(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where) {
  return bind<argmax_p>({{axis}, index_dtype}, where, x);
}
/// See argmin_p.
template <class Array>
constexpr array argmin(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where) {
  return bind<argmin_p>({{axis}, index_dtype}, where, x);
}
}  // namespace lax

}  // namespace jacquard
