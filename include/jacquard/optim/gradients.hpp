#pragma once
// Trees of gradients as vectors: norms, clipping, and the step from parameters to new ones: jq::optim. Plain functions over trees; all
// compose with jit, grad and scan.

#include "jacquard/numpy/elementary.hpp"
#include "jacquard/numpy/reductions.hpp"

namespace jacquard::optim {

namespace detail {
/// |x|^2 elementwise, real: for complex numbers Re^2 + Im^2.
template <class Array = array>
constexpr array squared_size(const lazy<Array>& x) {
  if (!is_complex(x.dtype())) return x * x;
  const array re = real(x), im = imag(x);
  return re * re + im * im;
}
template <class Array = array>
constexpr bool is_short(const lazy<Array>& x) { return is_inexact(x.dtype()) && size_of(x.dtype()) == 2; }
/// The global norm, of 16-bit floats in f32; and the type in which the elements meet.
template <class T>
constexpr std::pair<array, element_type> norm_of(const T& t) {
  array total(0.0f);
  element_type met = total.aval().element();
  tree::map([&](const array& x) {
    if (is_short(x)) total = total + sum(squared_size(x.astype(f32)));
    else total = total + sum(squared_size(x));
    met = promote(met, {real_dtype(x.dtype()), x.weak_type()});
    return x;
  }, t);
  return {jacquard::detail::root_of_squares(total, location{}), met};
}
}  // namespace detail

/// The inner product of two trees of real arrays, the sum over all elements of all leaves; of 16-bit floats in f32, rounded once. Errors: type_error for different trees.
template <class T>
constexpr array tree_dot(const T& a, const T& b) {
  array total(0.0f);
  element_type met = total.aval().element();
  tree::map([&](const array& x, const array& y) {
    if (detail::is_short(x) && detail::is_short(y)) total = total + sum(x.astype(f32) * y.astype(f32));
    else total = total + sum(x * y);
    met = promote(met, promote(x.aval().element(), y.aval().element()));
    return x;
  }, a, b);
  return is_inexact(met.type) && size_of(met.type) == 2 ? jacquard::detail::as_type(total, met, location{}) : total;
}
/// The square root of the sum of the squares of all elements of all leaves, of complex ones those of their magnitudes. Its derivative at 0 is 0.
template <class T>
constexpr array global_norm(const T& t) {
  const auto [norm, met] = detail::norm_of(t);
  if (!is_inexact(met.type) || size_of(met.type) > 2) return norm;
  return jacquard::detail::as_type(norm, met, location{});
}
/// The tree scaled down so that its global norm is at most `limit`; unchanged where it is, zero included. As optax has it, an infinite element becomes
/// NaN and all finite ones beside it 0, and beside a NaN all are: look for them before (jq::isfinite of the norm) where a step should be left out.
template <class T>
constexpr auto clip_by_global_norm(const T& gradients, double limit) {
  const array size = detail::norm_of(gradients).first, within = size <= limit;
  const array factor = where(within, 1.0, limit / where(within, 1.0, size));
  return tree::map([&](const array& g) -> array {
    if (detail::is_short(g)) return (g.astype(f32) * factor.astype(f32)).astype(g.dtype());
    return g * factor.astype(g.dtype());
  }, gradients);
}
/// Every element limited to [-limit, limit]. Errors: type_error for complex ones.
template <class T>
constexpr auto clip_by_value(const T& gradients, double limit) {
  return tree::map([&](const array& g) -> array {
    if (!is_complex(g.dtype())) return clip(g, -limit, limit);
    return jacquard::detail::bad_operand(operand(g), error_kind::type, "clip_by_value: got a gradient of dtype ", long_name(g.dtype()),
                                         "; wanted a real one, limit complex ones by clip_by_global_norm");
  }, gradients);
}
/// params + updates, in the dtypes of the parameters. Errors: type_error for different trees.
template <class P, class U>
constexpr auto apply_updates(const P& params, const U& updates) {
  return tree::map([](const array& p, const array& u) { return (p + u).astype(p.dtype()); }, params, updates);
}

}  // namespace jacquard::optim
