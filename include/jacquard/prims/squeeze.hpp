#pragma once
// squeeze: drops dimensions of size 1. A primitive of its own, although a reshape does the same, because it says which
// dimensions go and reads so in a jaxpr.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array squeeze(const lazy<Array>& x, const int_list& dimensions, location where = location::current());
}  // namespace lax

/// `x` without `dimensions`, all of which have size 1.
/// Shapes  x [.., 1, ..] -> [.., ..].
/// Errors  shape_error: a dimension of another size, out of range or repeated.
/// Rules   linear; transpose = broadcast_in_dim.
/// Cost    a copy on the interpreter, none where a backend can take a view.
struct squeeze_p {
  static constexpr std::string_view name = "squeeze";
  struct params {
    int_list dimensions;
    static constexpr std::string_view fields = "dimensions";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval out = detail::reduced_type(c, p.dimensions);
    if (c.problem) return out;
    for (std::int64_t d : p.dimensions)
      if (c.in[0].dims[int(d)] != 1)
        return c.fail(
            error_kind::shape,
            ": cannot select an axis to squeeze out which has size not equal to one: got dimensions ",
            p.dimensions, " of shape ", c.in[0].dims, "; use reshape or a sum");
    return out;
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    int_list kept;
    for (int d = 0; d < c.in[0].rank(); ++d)
      if (!p.dimensions.contains(d)) kept.push_back(d);
    return lax::broadcast_in_dim(ct, c.in[0].dims, kept);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return detail::batch_reduction(c, p.dimensions,
                                   [](const array& x, const int_list& d) { return lax::squeeze(x, d); });
  }
  static constexpr masked mask(auto& c, const params& p) {
    return {lax::squeeze(c.x[0], p.dimensions), detail::without(c.dims[0], p.dimensions)};
  }
  static constexpr void indices(view_call& c, const params& p) {
    for (int d = 0, kept = 0; d < c.in.rank(); ++d) {
      if (p.dimensions.contains(d)) c.from.push_back({});
      else c.from.push_back({kept++, 0, 1});
    }
  }
};

namespace lax {
/// See squeeze_p. No dimensions return x.
template <class Array>
constexpr array squeeze(const lazy<Array>& x, const int_list& dimensions, location where) {
  if (dimensions.empty()) return x;
  return bind<squeeze_p>({dimensions}, where, x);
}
}  // namespace lax

}  // namespace jacquard
