#pragma once
// argmax and argmin: where the largest and the smallest element are. One family: they share everything but the comparison.

#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/row_pairs.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array argmax(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where = location::current());
template <class Array = array>
constexpr array argmin(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where = location::current());
}  // namespace lax

namespace detail {
/// What the two share. P::find is the lax function, P::ahead says which of two numbers it looks for.
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
  /// The smallest of the places of elements that are the extreme; of NaNs, where there are any, since these equal nothing.
  static constexpr void of_few(auto& c, const params& p) {
    using pairs = row_pairs<own<array, decltype(c)>>;
    const array x = c.x[0];
    const aval t = x.aval();
    const int axis = int(p.axes[0]);
    if (is_boolean(t.type) || !pairs::are_few(t, axis)) return;
    int_list rest;
    for (int d = 0; d < t.rank(); ++d)
      if (d != axis) rest.push_back(d);
    const array extreme = lax::broadcast_in_dim(P::reduced(x, p.axes), t.dims, rest);
    const array hit = is_inexact(t.type) ? lax::or_(lax::eq(x, extreme), lax::ne(x, x)) : lax::eq(x, extreme);
    const array place = lax::iota(p.index_dtype, t.dims, axis), last(literal(t.dims[axis] - 1, p.index_dtype, false));
    c.results.push_back(lax::reduce_min(lax::select(hit, place, lax::broadcast_in_dim(last, t.dims, {})), p.axes));
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
      std::int64_t best = 0, i = 1;
      if (inner == 1)
        for (; i + block <= from[axis]; i += block) {
          const best_value<T> there = best_in_block(row + i);
          if (there.unsure) best = best_of(row, best, i, i + block, 1);
          else if (P::ahead(there.value, row[best]))
            for (best = i; row[best] != there.value;) ++best;
        }
      a.index_out[0][o] = best_of(row, best, i, from[axis], inner);
    }
  }
  /// Whether a is to be found rather than b, which comes before it.
  template <class T>
  static constexpr bool better(T a, T b) {
    return P::ahead(a, b) || (math::is_nan(a) && !math::is_nan(b));
  }

 private:
  static constexpr std::int64_t block = 128, lanes = 16;
  /// The best of elements `from` to before `to` and one before them.
  template <class T>
  static constexpr std::int64_t best_of(const T* row, std::int64_t best, std::int64_t from, std::int64_t to, std::int64_t step) {
    for (std::int64_t i = from; i < to; ++i)
      if (better(row[i * step], row[best * step])) best = i;
    return best;
  }
  template <class T>
  struct best_value {
    T value;
    bool unsure;  ///< there may be NaN
  };
  /// Of `block` elements, in lanes that the compiler makes vectors of. NaN shows in x - x, as do infinities.
  template <class T>
  static constexpr best_value<T> best_in_block(const T* x) {
    T best[lanes], odd[lanes];
    for (std::int64_t l = 0; l < lanes; ++l) best[l] = x[l], odd[l] = T(x[l] - x[l]);
    for (std::int64_t i = lanes; i < block; i += lanes)
      for (std::int64_t l = 0; l < lanes; ++l) {
        best[l] = P::ahead(x[i + l], best[l]) ? x[i + l] : best[l];
        odd[l] = T(odd[l] + T(x[i + l] - x[i + l]));
      }
    for (std::int64_t l = 1; l < lanes; ++l) {
      if (P::ahead(best[l], best[0])) best[0] = best[l];
      odd[0] = T(odd[0] + odd[l]);
    }
    return {best[0], !(odd[0] == T(0))};
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
  static constexpr bool ahead(T a, T b) {
    return a > b;
  }
  static constexpr array find(const auto& x, std::int64_t axis, dtype t) { return lax::argmax(x, axis, t); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_max(x, axes); }
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
  static constexpr bool ahead(T a, T b) {
    return a < b;
  }
  static constexpr array find(const auto& x, std::int64_t axis, dtype t) { return lax::argmin(x, axis, t); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_min(x, axes); }
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
