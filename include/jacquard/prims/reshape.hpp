#pragma once
// reshape: the same elements in row-major order under another shape. squeeze and expand_dims are reshapes.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array reshape(const lazy<Array>& x, const shape& dims, location where = location::current());
}  // namespace lax

namespace detail {

/// Whether reshaping a padded array reshapes its logical part: dimensions fall into groups with equal products, in each of
/// which only the first dimension is symbolic.
constexpr bool keeps_padding_last(const dimension_list& from, const dimension_list& to) {
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    dimension a(1), b(1);
    const std::size_t first_from = i, first_to = j;
    do {
      dimension q, r;
      const bool more_a = i < from.size(), more_b = j < to.size();
      if (!more_a && !more_b) return a == b;
      const bool take_a = more_a && (i == first_from || !more_b || b.divide(a, q, r));
      const bool take_b = more_b && (j == first_to || !more_a || !take_a);
      if (take_a) {
        if (i != first_from && !from[i].is_constant()) return false;
        a = a * from[i++];
      }
      if (take_b) {
        if (j != first_to && !to[j].is_constant()) return false;
        b = b * to[j++];
      }
    } while (!(a == b));
  }
  return true;
}

}  // namespace detail

/// `x` with shape `dims`, elements in row-major order.
/// Errors  shape_error: a different number of elements.
/// Rules   linear; transpose = reshape back.
/// Cost    a copy on the interpreter, none where a backend can take a view.
struct reshape_p {
  static constexpr std::string_view name = "reshape";
  struct params {
    shape dims;
    static constexpr std::string_view fields = "new_sizes";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (p.dims.overflowed())
      return c.fail(error_kind::shape, ": got a new shape of more than ", max_rank, " dimensions for an operand of shape ", c.in[0].dims,
                    "; an array has at most ", max_rank);
    bool negative = false;
    for (std::int64_t d : p.dims) negative = negative || d < 0;
    if (negative || p.dims.elements() != c.in[0].elements())
      return c.fail(error_kind::shape, ": got the new shape ", p.dims, " for an operand of shape ", c.in[0].dims,
                    "; the number of elements must stay ", c.in[0].elements());
    return c.in[0].with(p.dims);
  }
  static constexpr params resized(const params&, const shape& dims) { return {dims}; }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params&) {
    return lax::reshape(ct, c.in[0].dims);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {lax::reshape(detail::batch_to_front(c.x[0], c.dims[0]), shape(p.dims.with(0, c.size))), 0};
  }
  static constexpr masked mask(auto& c, const params&) {
    const dimension_list& from = c.dims[0];
    const dimension_list to = c.sizes(&params::dims);
    dimension elements(1), wanted(1);
    for (const dimension& d : from) elements = elements * d;
    for (const dimension& d : to) wanted = wanted * d;
    if (equal(elements, wanted) != verdict::yes) c.scope.fail(inconclusive(elements, "==", wanted));
    if (!detail::keeps_padding_last(from, to)) return {c.scope.reindexed(c.x[0], from, to), to};
    return {lax::reshape(c.x[0], c.scope.padded(to)), to};
  }
  /// Dimensions of size 1 come and go by a map of indices; anything else keeps the order only.
  static constexpr void indices(view_call& c, const params&) {
    int next = 0;
    for (int d = 0; d < c.in.rank(); ++d) {
      if (c.in.dims[d] == 1) {
        c.from.push_back({});
        continue;
      }
      while (next < c.out.rank() && c.out.dims[next] == 1) ++next;
      if (next == c.out.rank() || c.out.dims[next] != c.in.dims[d]) {
        c.from.clear();
        c.same_order = true;
        return;
      }
      c.from.push_back({next++, 0, 1});
    }
  }
};

namespace lax {
/// See reshape_p. The same shape returns x.
template <class Array>
constexpr array reshape(const lazy<Array>& x, const shape& dims, location where) {
  if (x.shape() == dims) return x;
  return bind<reshape_p>({dims}, where, x);
}
}  // namespace lax

}  // namespace jacquard
