#pragma once
// broadcast_in_dim and reduce_sum, which are each other's transpose.
// Deliberately no numpy-style broadcasting rules here: those live in numpy/broadcasting.

#include "jacquard/prims/operand_types.hpp"
#include "jacquard/prims/reduction.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array broadcast_in_dim(const lazy<Array>& x, const shape& dims, const int_list& positions,
                                 location where = location::current());
template <class Array = array>
constexpr array reduce_sum(const lazy<Array>& x, const int_list& axes, location where = location::current());
}  // namespace lax

/// `x` placed into an array of shape `shape`: dimension i of x becomes dimension broadcast_dimensions[i], which is equal
/// or has size 1 in x; the other dimensions repeat it.
/// Errors  shape_error: a dimension that neither matches nor is 1.
/// Rules   linear; transpose = reduce_sum over what was repeated.
/// Cost    writes the result once.
struct broadcast_in_dim_p {
  static constexpr std::string_view name = "broadcast_in_dim";
  struct params {
    jacquard::shape dims;
    int_list broadcast_dimensions;
    static constexpr std::string_view fields = "shape broadcast_dimensions";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (p.dims.overflowed())
      return c.fail(error_kind::shape, ": the result would have more than ", max_rank, " dimensions");
    if (x.rank() != p.broadcast_dimensions.size())
      return c.fail(error_kind::shape, ": got operand of shape ", x.dims, " and broadcast_dimensions ",
                    p.broadcast_dimensions, "; wanted one target dimension per operand dimension");
    for (int i = 0; i < x.rank(); ++i) {
      const std::int64_t d = p.broadcast_dimensions[i];
      if (d < 0 || d >= p.dims.rank() || (i > 0 && d <= p.broadcast_dimensions[i - 1]))
        return c.fail(error_kind::shape, ": broadcast_dimensions ", p.broadcast_dimensions,
                      " must be increasing positions of the shape ", p.dims);
      if (x.dims[i] != p.dims[int(d)] && x.dims[i] != 1)
        return c.fail(error_kind::shape, ": operand dimension ", i, " of shape ", x.dims, " cannot become dimension ", d,
                      " of shape ", p.dims, "; it must be equal to it or 1");
    }
    for (std::int64_t d : p.dims)
      if (d < 0) return c.fail(error_kind::shape, ": got the shape ", p.dims, "; dimensions must not be negative");
    return x.with(p.dims);
  }
  static constexpr params resized(const params& p, const shape& dims) { return {dims, p.broadcast_dimensions}; }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    const aval& x = c.in[0];
    int_list repeated;
    for (int d = 0; d < p.dims.rank(); ++d) {
      const int i = p.broadcast_dimensions.index_of(d);
      if (i < 0 || (x.dims[i] == 1 && p.dims[d] != 1)) repeated.push_back(d);
    }
    const array sum = lax::reduce_sum(ct, repeated);
    if (sum.ndim() == x.rank()) return sum;
    int_list kept;  // dimensions of x that were not repeated; those of size 1 come back
    for (int i = 0; i < x.rank(); ++i)
      if (!repeated.contains(p.broadcast_dimensions[i])) kept.push_back(i);
    return lax::broadcast_in_dim(sum, x.dims, kept);
  }
  static constexpr batched batch(auto& c, const params& p) {
    const array x = detail::batch_to_front(c.x[0], c.dims[0]);
    params q{p.dims.with(0, c.size), {0}};
    for (std::int64_t d : p.broadcast_dimensions) q.broadcast_dimensions.push_back(d + 1);
    return {lax::broadcast_in_dim(x, q.dims, q.broadcast_dimensions), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    const dimension_list dims = c.sizes(&params::dims);
    dimension_list own = c.dims[0];
    int_list repeated;
    for (int d = 0; d < p.dims.rank(); ++d) {
      const int i = p.broadcast_dimensions.index_of(d);
      if (i < 0 || (own[std::size_t(i)] == 1 && !(dims[std::size_t(d)] == 1))) repeated.push_back(d);
      else own[std::size_t(i)] = dims[std::size_t(d)];
    }
    const array x = c.scope.fitted(c.x[0], own);
    return {c.scope.guarded(lax::broadcast_in_dim(x, c.scope.padded(dims), p.broadcast_dimensions), dims, repeated), dims};
  }
  static constexpr void indices(view_call& c, const params& p) {
    for (int i = 0; i < c.in.rank(); ++i) {
      const int d = int(p.broadcast_dimensions[i]);
      c.from.push_back(c.in.dims[i] == 1 ? index_source{} : index_source{d, 0, 1});
    }
  }
};

/// Sum of `x` over `axes`.
/// Shapes  x [d0 ... dn-1] -> x without `axes`; dtype kept. An empty reduction gives 0.
/// Errors  shape_error: an axis outside [0, n) or repeated.
/// Rules   linear; transpose = broadcast along `axes`.
/// Cost    reads x once; f32, f16 and bf16 accumulate in f64.
struct reduce_sum_p {
  static constexpr std::string_view name = "reduce_sum";
  struct params {
    int_list axes;
    static constexpr std::string_view fields = "axes";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = numbers;
  static constexpr std::uint32_t linear = 1;
  static constexpr bool is_reduction = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, c.in[0].type)) return detail::elementwise_type(c, domain);
    return detail::reduced_type(c, p.axes);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    int_list kept;
    for (int d = 0; d < c.in[0].rank(); ++d)
      if (!p.axes.contains(d)) kept.push_back(d);
    return lax::broadcast_in_dim(ct, c.in[0].dims, kept);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return detail::batch_reduction(c, p.axes, [](const array& x, const int_list& axes) { return lax::reduce_sum(x, axes); });
  }
  static constexpr masked mask(auto& c, const params& p) {
    return detail::mask_reduction(c, reduce_by(c.x[0].dtype(), p), [&](const array& v) { return lax::reduce_sum(v, p.axes); });
  }
  static constexpr reduction reduce_by(dtype t, const params& p) { return {p.axes, scalar_op::add, literal(0.0, t, false)}; }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    using accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;
    detail::reduce_kernel<accumulator>(a, p.axes, accumulator(0), [](accumulator s, T x) {
      if constexpr (math::integer_scalar<accumulator>) return math::add(s, accumulator(x));
      else return s + accumulator(x);
    });
  }
};

namespace lax {

/// See broadcast_in_dim_p.
template <class Array>
constexpr array broadcast_in_dim(const lazy<Array>& x, const shape& dims, const int_list& positions, location where) {
  if (x.shape() == dims) return x;
  return bind<broadcast_in_dim_p>({dims, positions}, where, x);
}
/// See reduce_sum_p.
template <class Array>
constexpr array reduce_sum(const lazy<Array>& x, const int_list& axes, location where) {
  if (axes.empty() && contains(numbers, x.dtype())) return x;
  return bind<reduce_sum_p>({axes}, where, x);
}
/// An array of shape `dims` filled with a literal.
template <class Array = array>
constexpr array full(const shape& dims, const literal& value, location where = location::current()) {
  return broadcast_in_dim(lazy<Array>(value), dims, {}, where);
}
/// Zeros of the given type.
template <class Array = array>
constexpr array zeros(const aval& t, location where = location::current()) {
  return full<Array>(t.dims, literal(0.0, t.type, t.weak), where);
}

}  // namespace lax

/// The zero tangent of a type, materialised; found by the rule generator.
template <class Array>
constexpr array zeros_any(const aval& t) { return lax::zeros<Array>(t); }

}  // namespace jacquard
