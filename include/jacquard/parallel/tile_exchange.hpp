#pragma once
// Collectives that partitioned programs consist of beside the user's operations: an array cut in another way, and partial results of some members
// combined. Deliberately without rules of transforms, which are done with before a program is partitioned.

#include "jacquard/parallel/tiling.hpp"
#include "jacquard/prims/collectives.hpp"

namespace jacquard::detail {

/// A member's tile of an array that lies on the members in another way.
/// Shapes  a tile -> another tile.
/// Cost    each member reads what its new tile has in common with those of others.
struct retile_p : collective<retile_p> {
  static constexpr std::string_view name = "retile";
  struct params {
    name_text axis;
    int_list from_pieces, from_strides, to_pieces, to_strides;
    static constexpr std::string_view fields = "axis_name from_pieces from_strides to_pieces to_strides";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (c.axis_size(p.axis) < 0) return {};
    return c.in[0].with(to(p).tile_of(from(p).of_tiles(c.in[0].dims)));
  }
  static void exchange_members(exchange& e, const params& p) {
    const tiling old = from(p), made = to(p);
    const shape &cell = e.x.type->dims, &dims = e.type.dims;
    if (dims.elements() == 0) return;
    const int_list begin = made.begin_of(dims, e.member);
    int_list first, at;
    for (int d = 0; d < dims.rank(); ++d) first.push_back(begin[d] / cell[d]);
    for (at = first;;) {  // over tiles that lie within the new one
      int_list source, target, extent;
      for (int d = 0; d < dims.rank(); ++d) {
        const std::int64_t low = std::max(begin[d], at[d] * cell[d]), high = std::min(begin[d] + dims[d], (at[d] + 1) * cell[d]);
        source.push_back(low - at[d] * cell[d]);
        target.push_back(low - begin[d]);
        extent.push_back(high - low);
      }
      copy_box({e.result(), dims, target}, {e.operand(old.owner(at, e.member)), cell, source}, extent, std::int64_t(size_of(e.type.type)));
      int d = dims.rank();
      while (d > 0 && (at[d - 1] + 1) * cell[d - 1] >= begin[d - 1] + dims[d - 1]) --d, at[d] = first[d];
      if (d == 0) return;
      ++at[d - 1];
    }
  }

 private:
  static constexpr tiling from(const params& p) { return {p.from_pieces, p.from_strides}; }
  static constexpr tiling to(const params& p) { return {p.to_pieces, p.to_strides}; }
};

/// What the first member has, the same for all.
/// Shapes  x -> the same.
/// Cost    one copy.
struct from_first_p : collective<from_first_p> {
  static constexpr std::string_view name = "from_first";
  struct params {
    name_text axis;
    static constexpr std::string_view fields = "axis_name";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (c.axis_size(p.axis) < 0) return {};
    return c.in[0];
  }
  static constexpr std::int64_t holder(std::int64_t, const params&) { return 0; }
  static void exchange_members(exchange& e, const params&) {
    if (const std::int64_t bytes = e.type.bytes(); e.member == 0 && bytes != 0) std::memcpy(e.result(), e.operand(0), std::size_t(bytes));
  }
};

/// Which operation combines partial results.
enum class combiner : std::int64_t { none, add, mul, max, min };
constexpr combiner combiner_of(scalar_op op) {
  switch (op) {
    case scalar_op::add: return combiner::add;
    case scalar_op::multiply: return combiner::mul;
    case scalar_op::max: return combiner::max;
    case scalar_op::min: return combiner::min;
    default: return combiner::none;
  }
}

/// What the members whose numbers differ in some digits alone have, combined; the same for each of them.
/// Shapes  x -> the same.
/// Cost    one reduction over these members.
struct combine_p : collective<combine_p> {
  static constexpr std::string_view name = "combine";
  struct params {
    name_text axis;
    std::int64_t by;
    int_list pieces, strides;
    static constexpr std::string_view fields = "axis_name by pieces strides";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (c.axis_size(p.axis) < 0) return {};
    return c.in[0];
  }
  static constexpr std::int64_t holder(std::int64_t member, const params& p) {
    return tiling{p.pieces, p.strides}.owner(int_list::filled(p.pieces.size(), 0), member);
  }
  static void exchange_members(auto& e, const params& p) {
    const tiling group{p.pieces, p.strides};
    std::vector<std::int64_t> members;
    std::int64_t place = 0;
    for (std::int64_t i = 0; i < group.tiles(); ++i) {
      int_list digits;
      std::int64_t rest = i;
      for (std::int64_t n : p.pieces) digits.push_back(rest % n), rest /= n;
      members.push_back(group.owner(digits, e.member));
      if (members.back() == e.member) place = i;
    }
    fold_share(operation<decltype(e)>(combiner(p.by)), e, members, place);
  }

 private:
  template <class Call>
  static const primitive& operation(combiner by) {
    if (by == combiner::add) return table_of<own<add_p, Call>>();
    if (by == combiner::mul) return table_of<own<mul_p, Call>>();
    if (by == combiner::max) return table_of<own<max_p, Call>>();
    return table_of<own<min_p, Call>>();
  }
};

}  // namespace jacquard::detail
