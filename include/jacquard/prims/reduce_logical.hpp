#pragma once
// reduce_and and reduce_or: all and any on bool, bit by bit on integers. One family, since they share everything but the
// operation.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array reduce_and(const lazy<Array>& x, const int_list& axes, location where = location::current());
template <class Array = array>
constexpr array reduce_or(const lazy<Array>& x, const int_list& axes, location where = location::current());
}  // namespace lax

namespace detail {
/// What the two reductions share. P::reduce is the lax function, P::combine the scalar one, P::combining its name.
template <class P>
struct logical_reduction {
  struct params {
    int_list axes;
    static constexpr std::string_view fields = "axes";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = bits;
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, c.in[0].type)) return elementwise_type(c, domain);
    return reduced_type(c, p.axes);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return batch_reduction(c, p.axes, [](const array& x, const int_list& axes) { return P::reduce(x, axes); });
  }
  static constexpr masked mask(auto& c, const params& p) {
    return mask_reduction(c, reduce_by(c.x[0].dtype(), p), [&](const array& v) { return P::reduce(v, p.axes); });
  }
  static constexpr reduction reduce_by(dtype t, const params& p) {
    const literal none = visit_compute(compute_of(t), [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>) return literal(P::template empty<T>()).as(t);
      else return literal();
    });
    return {p.axes, P::combining, none};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    reduce_kernel<T>(a, p.axes, P::template empty<T>(), [](T s, T x) { return P::combine(s, x); });
  }
};
}  // namespace detail

/// Whether all elements of `x` over `axes` are true; of integers, the bits that all have.
/// Shapes  x [d0 ... dn-1] -> x without `axes`. An empty reduction gives true, or all bits.
/// Errors  type_error: neither bool nor integers; shape_error: an axis outside [0, n) or repeated.
/// Rules   no derivative.
/// Cost    reads x once.
struct reduce_and_p : detail::logical_reduction<reduce_and_p> {
  static constexpr std::string_view name = "reduce_and";
  static constexpr scalar_op combining = scalar_op::bit_and;
  template <class T>
  static constexpr T empty() {
    if constexpr (std::is_same_v<T, bool>) return true;
    else return T(~T(0));
  }
  template <class T>
  static constexpr T combine(T a, T b) {
    return T(a & b);
  }
  static constexpr array reduce(const auto& x, const int_list& axes) { return lax::reduce_and(x, axes); }
};

/// Whether any element of `x` over `axes` is true; of integers, the bits that any has.
/// Shapes  x [d0 ... dn-1] -> x without `axes`. An empty reduction gives false, or no bit.
/// Errors  type_error: neither bool nor integers; shape_error: an axis outside [0, n) or repeated.
/// Rules   no derivative.
/// Cost    reads x once.
struct reduce_or_p : detail::logical_reduction<reduce_or_p> {
  static constexpr std::string_view name = "reduce_or";
  static constexpr scalar_op combining = scalar_op::bit_or;
  template <class T>
  static constexpr T empty() {
    return T(0);
  }
  template <class T>
  static constexpr T combine(T a, T b) {
    return T(a | b);
  }
  static constexpr array reduce(const auto& x, const int_list& axes) { return lax::reduce_or(x, axes); }
};

namespace lax {
/// See reduce_and_p.
template <class Array>
constexpr array reduce_and(const lazy<Array>& x, const int_list& axes, location where) {
  return bind<reduce_and_p>({axes}, where, x);
}
/// See reduce_or_p.
template <class Array>
constexpr array reduce_or(const lazy<Array>& x, const int_list& axes, location where) {
  return bind<reduce_or_p>({axes}, where, x);
}
}  // namespace lax

}  // namespace jacquard
