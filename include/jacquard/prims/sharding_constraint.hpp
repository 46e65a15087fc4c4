#pragma once
// sharding_constraint: a value that shall lie on devices in a given way. Deliberately only the wish; parallel/ partitions programs.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// x itself, cut into so many pieces along each dimension, or whole on each device where `pieces` is empty.
/// Errors  shape_error: another number of dimensions than x has.
/// Rules   linear; transpose = the same for the cotangent. vmap: the mapped dimension is not cut.
struct sharding_constraint_p : elementwise<sharding_constraint_p, any_type, 1> {
  static constexpr std::string_view name = "sharding_constraint";
  struct params {
    int_list pieces;
    static constexpr std::string_view fields = "partitions";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr bool identity = true;
  static constexpr std::uint32_t linear = 1;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (p.pieces.empty() || p.pieces.size() == c.in[0].rank()) return c.in[0];
    return c.fail(error_kind::shape, ": got partitions ", p.pieces, " for an operand of shape ", c.in[0].dims, "; wanted one number of pieces for each dimension");
  }
  template <class T>
  static constexpr T apply(T x, const params&) {
    return x;
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) { return bind<own<sharding_constraint_p, decltype(ct)>>(p, location{}, ct); }
  static constexpr batched batch(auto& c, const params& p) {
    params q = p;
    if (!p.pieces.empty()) q.pieces = p.pieces.with(c.dims[0], 1);
    return {bind<own<sharding_constraint_p, decltype(c)>>(q, location{}, c.x[0]), c.dims[0]};
  }
};

}  // namespace jacquard
