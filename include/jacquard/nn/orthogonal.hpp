#pragma once
// Initial values that are orthogonal matrices, which keep lengths through many layers. Apart from initializers.hpp since they need a factorisation.

#include "jacquard/nn/initializers.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/prims/qr.hpp"

namespace jacquard::nn::initializers {

namespace detail {
/// A matrix with orthonormal columns, or rows where it has more columns than rows, evenly distributed (Mezzadri 2007).
template <class Array = array>
constexpr array orthonormal(const lazy<Array>& key, std::int64_t rows, std::int64_t columns, dtype t, const location& where) {
  const bool tall = rows >= columns;
  const dtype wide = size_of(t) == 2 ? f32 : t;
  const array_list f = lax::qr(random::normal(operand(key, where), tall ? shape{rows, columns} : shape{columns, rows}, wide), false, where);
  if (f.size() != 2) return f[0];
  const array signs = sign(diagonal(f[1])), q = f[0] * jacquard::where(signs == 0.0, 1.0, signs);
  return jacquard::detail::as_type(tall ? q : swapaxes(q, 0, 1), {t, false}, where);
}
}  // namespace detail

/// Orthogonal: the axis `columns` against all others together, times scale (Saxe et al., 2014).
/// Errors: shape_error for a shape of fewer than two axes; value_error for an axis out of range; those of random::normal.
struct orthogonal {
  double scale = 1;
  int columns = -1;
  template <class = void>
  constexpr array operator()(const array& key, const shape& dims, dtype t = f32, location where = location::current()) const {
    const rule_location_scope here(where);
    const operand k(key, where);
    if (dims.rank() < 2)
      return jacquard::detail::bad_operand(k, error_kind::shape, "orthogonal: got the shape ", dims, "; wanted at least two axes");
    const int at = resolve_axis(columns, dims.rank());
    if (at < 0)
      return jacquard::detail::bad_operand(k, error_kind::value, "orthogonal: got the axis ", columns, " for the shape ", dims,
                                           "; wanted one of its axes");
    const std::int64_t n = dims[at], others = n == 0 ? 0 : dims.elements() / n;
    const array q = detail::orthonormal(key, n, others, t, where) * scale;
    return moveaxis(reshape(q, shape(shape(dims.without(at)).with(0, n))), 0, at);
  }
};
/// For kernels of convolutions, whose last two axes are inputs and outputs: orthogonal in the middle of the window, 0 elsewhere (Xiao et al., 2018).
/// Errors: shape_error for a shape of fewer than three axes, or more inputs than outputs; those of random::normal.
struct delta_orthogonal {
  double scale = 1;
  template <class = void>
  constexpr array operator()(const array& key, const shape& dims, dtype t = f32, location where = location::current()) const {
    const rule_location_scope here(where);
    const int rank = dims.rank();
    if (rank < 3 || dims[rank - 2] > dims[rank - 1])
      return jacquard::detail::bad_operand(operand(key, where), error_kind::shape, "delta_orthogonal: got the shape ", dims,
                                           "; wanted a window, inputs and at least as many outputs");
    const array q = detail::orthonormal(key, dims[rank - 2], dims[rank - 1], t, where) * scale;
    int_list before = int_list::filled(rank, 0), after = before;
    shape middle(int_list::filled(rank, 1));
    for (int d = 0; d < rank; ++d) {
      if (d >= rank - 2) middle[d] = dims[d];
      else before[d] = dims[d] > 0 ? (dims[d] - 1) / 2 : 0, after[d] = dims[d] - 1 - before[d];
    }
    return lax::pad(lax::reshape(q, middle, where), array(literal(0, t, false)), before, after, {}, where);
  }
};

}  // namespace jacquard::nn::initializers
