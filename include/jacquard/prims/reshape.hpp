#pragma once
// reshape: the same elements in row-major order under another shape. squeeze and expand_dims are reshapes.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array reshape(const lazy<Array>& x, const shape& dims, location where = location::current());
}  // namespace lax

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
    bool negative = p.dims.overflowed();
    for (std::int64_t d : p.dims) negative = negative || d < 0;
    if (negative || p.dims.elements() != c.in[0].elements())
      return c.fail(error_kind::shape, ": got the new shape ", p.dims, " for an operand of shape ", c.in[0].dims,
                    "; the number of elements must stay ", c.in[0].elements());
    return c.in[0].with(p.dims);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params&) {
    return lax::reshape(ct, c.in[0].dims);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {lax::reshape(detail::batch_to_front(c.x[0], c.dims[0]), shape(p.dims.with(0, c.size))), 0};
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
