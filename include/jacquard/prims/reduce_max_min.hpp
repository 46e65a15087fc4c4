#pragma once
// reduce_max and reduce_min. One family: they share everything but the comparison.

#include <limits>

#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array reduce_max(const lazy<Array>& x, const int_list& axes, location where = location::current());
template <class Array = array>
constexpr array reduce_min(const lazy<Array>& x, const int_list& axes, location where = location::current());
}  // namespace lax

namespace detail {
/// The value of an empty maximum of dtype `t`, computed in T.
template <class T>
constexpr T lowest_of(dtype t) {
  if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
  else
    return visit_dtype(
        t, []<class D>(std::type_identity<D>) { return convert_element<D, T>(std::numeric_limits<D>::lowest()); });
}
/// The value of an empty minimum of dtype `t`, computed in T.
template <class T>
constexpr T highest_of(dtype t) {
  if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
  else
    return visit_dtype(
        t, []<class D>(std::type_identity<D>) { return convert_element<D, T>(std::numeric_limits<D>::max()); });
}

/// A result of a reduction of `x` over `axes`, repeated to the shape of x.
template <class Array = array>
constexpr array repeat_over(const lazy<Array>& y, const shape& x, const int_list& axes) {
  int_list kept;
  for (int d = 0; d < x.rank(); ++d)
    if (!axes.contains(d)) kept.push_back(d);
  return lax::broadcast_in_dim(y, x, kept);
}

/// What the two reductions share. P::reduce is the lax function, P::choose the scalar one, P::combine its name.
template <class P>
struct extreme_reduction {
  struct params {
    int_list axes;
    static constexpr std::string_view fields = "axes";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = ordered;
  static constexpr bool is_reduction = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, c.in[0].type)) return elementwise_type(c, domain);
    return reduced_type(c, p.axes);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y, const params& p) {
    const array here = lax::eq(x, repeat_over(y, x.shape(), p.axes));
    const array weights = lax::convert_element_type(here, x.dtype(), x.weak_type());
    const array count = lax::reduce_sum(weights, p.axes);
    return lax::div(lax::reduce_sum(lax::mul(t, weights), p.axes), count);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return batch_reduction(c, p.axes, [](const array& x, const int_list& axes) { return P::reduce(x, axes); });
  }
  static constexpr masked mask(auto& c, const params& p) {
    return mask_reduction(c, reduce_by(c.x[0].dtype(), p), [&](const array& v) { return P::reduce(v, p.axes); });
  }
  static constexpr reduction reduce_by(dtype t, const params& p) {
    const literal none = visit_compute(compute_of(t), [&]<class T>(std::type_identity<T>) {
      if constexpr (is_complex_v<T>) return literal();
      else return literal(P::template empty<T>(t)).as(t);
    });
    return {p.axes, P::combine, none};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    reduce_kernel<T>(a, p.axes, P::template empty<T>(a.out_types[0].type), [](T s, T x) { return P::choose(s, x); });
  }
};
}  // namespace detail

/// The largest element of `x` over `axes`; NaN if one is.
/// Shapes  x [d0 ... dn-1] -> x without `axes`. An empty reduction gives -inf, or the lowest value of the dtype.
/// Errors  type_error: complex numbers; shape_error: an axis outside [0, n) or repeated.
/// Rules   the derivative is the mean over the elements that are the largest.
/// Cost    reads x once.
struct reduce_max_p : detail::extreme_reduction<reduce_max_p> {
  static constexpr std::string_view name = "reduce_max";
  static constexpr scalar_op combine = scalar_op::max;
  template <class T>
  static constexpr T empty(dtype t) {
    return detail::lowest_of<T>(t);
  }
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::max(a, b);
  }
  static constexpr array reduce(const auto& x, const int_list& axes) { return lax::reduce_max(x, axes); }
};

/// The smallest element of `x` over `axes`; NaN if one is.
/// Shapes  x [d0 ... dn-1] -> x without `axes`. An empty reduction gives inf, or the highest value of the dtype.
/// Errors  type_error: complex numbers; shape_error: an axis outside [0, n) or repeated.
/// Rules   the derivative is the mean over the elements that are the smallest.
/// Cost    reads x once.
struct reduce_min_p : detail::extreme_reduction<reduce_min_p> {
  static constexpr std::string_view name = "reduce_min";
  static constexpr scalar_op combine = scalar_op::min;
  template <class T>
  static constexpr T empty(dtype t) {
    return detail::highest_of<T>(t);
  }
  template <class T>
  static constexpr T choose(T a, T b) {
    return math::min(a, b);
  }
  static constexpr array reduce(const auto& x, const int_list& axes) { return lax::reduce_min(x, axes); }
};

namespace lax {
/// See reduce_max_p.
template <class Array>
constexpr array reduce_max(const lazy<Array>& x, const int_list& axes, location where) {
  if (axes.empty() && !x.is_none() && contains(ordered, x.dtype())) return x;
  return bind<reduce_max_p>({axes}, where, x);
}
/// See reduce_min_p.
template <class Array>
constexpr array reduce_min(const lazy<Array>& x, const int_list& axes, location where) {
  if (axes.empty() && !x.is_none() && contains(ordered, x.dtype())) return x;
  return bind<reduce_min_p>({axes}, where, x);
}
}  // namespace lax

}  // namespace jacquard
