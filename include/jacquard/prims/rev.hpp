#pragma once
// rev: reverses dimensions.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array rev(const lazy<Array>& x, const int_list& dimensions, location where = location::current());
}  // namespace lax

/// `x` with the order of its elements reversed along `dimensions`.
/// Shapes  x [n_d] -> [n_d].
/// Errors  shape_error: a dimension out of range or repeated.
/// Rules   linear; transpose = rev.
/// Cost    copies x once.
struct rev_p {
  static constexpr std::string_view name = "rev";
  struct params {
    int_list dimensions;
    static constexpr std::string_view fields = "dimensions";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    detail::reduced_type(c, p.dimensions);  // the same conditions on axes
    return c.in[0];
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    return lax::rev(ct, p.dimensions);
  }
  static constexpr batched batch(auto& c, const params& p) {
    int_list shifted;
    for (std::int64_t d : p.dimensions) shifted.push_back(d >= c.dims[0] ? d + 1 : d);
    return {lax::rev(c.x[0], shifted), c.dims[0]};
  }
  static constexpr masked mask(auto& c, const params& p) {
    array y = lax::rev(c.x[0], p.dimensions);
    for (std::int64_t d : p.dimensions) {  // the padding comes first now
      const dimension& n = c.dims[0][std::size_t(d)];
      const std::int64_t room = c.x[0].shape()[int(d)];
      if (!n.is_constant()) y = c.scope.window(y, int(d), dimension(room) - n, room);
    }
    return {y, c.dims[0]};
  }
  static constexpr void indices(view_call& c, const params& p) {
    for (int d = 0; d < c.in.rank(); ++d) {
      if (p.dimensions.contains(d)) c.from.push_back({d, c.in.dims[d] - 1, -1});
      else c.from.push_back({d, 0, 1});
    }
  }
};

namespace lax {
/// See rev_p. No dimensions return x.
template <class Array>
constexpr array rev(const lazy<Array>& x, const int_list& dimensions, location where) {
  if (dimensions.empty()) return x;
  return bind<rev_p>({dimensions}, where, x);
}
}  // namespace lax

}  // namespace jacquard
