#pragma once
// Collectives where their axis is no dimension: each member of the axis runs a program of its own, all of them come to the collective, and read
// each other's operands while they are there. Deliberately without threads and ways to other processes: who runs members brings those that meet.

#include <algorithm>

#include "jacquard/core/bind.hpp"
#include "jacquard/core/kernel.hpp"

namespace jacquard::detail {

/// What one member brings to a collective and takes from it.
struct exchange {
  std::string_view operation;
  param_view params;
  std::int64_t member = 0;
  tensor_ref x{};                    ///< the operand
  aval type{};                       ///< of the result
  array y{};                         ///< the result, or nothing where it is another member's
  view<const exchange* const> all{};  ///< by member, while they are together

  std::int64_t size() const { return std::int64_t(all.size()); }
  const std::byte* operand(std::int64_t m) const { return static_cast<const std::byte*>(all[std::size_t(m)]->x.data); }
  std::byte* result() const { return static_cast<std::byte*>(y.as_buffer()->data); }
};

/// Bytes of an array, from the first to before the last.
struct byte_range {
  std::int64_t first = 0, last = 0;
};
/// What a collective is to those that bring its members together.
struct collective_steps {
  void (*part)(exchange&);                                 ///< makes a member's result, or its part of the one that it shares
  std::int64_t (*holder)(const exchange&);                 ///< the member whose result a member has
  byte_range (*reads)(const exchange&, std::int64_t from);  ///< what a part reads of a member's operand; null where that is all of each
  byte_range (*writes)(const exchange&);                   ///< what a part writes of the result that all share; null where that is not in one piece
};

/// A member of a mapped axis whose members run at the same time.
class axis_member {
 public:
  axis_member(const axis_binding& over, std::int64_t number) : axis(over), index(number) {}

  const axis_binding axis;
  const std::int64_t index;

  /// Waits until all members have come to this collective, lets each of them do its part, and waits until all have. Errors: value_error where
  /// they come to different ones, or one never comes; what another member threw.
  virtual void meet(exchange& mine, const collective_steps& steps) = 0;
  /// Functions of the host are called for one member at a time.
  virtual void begin_host_call() = 0;
  virtual void end_host_call() = 0;

 protected:
  ~axis_member() = default;
};
/// The member whose program this thread runs.
inline constinit thread_local axis_member* this_member = nullptr;

/// While it lives, this thread runs the program of a member, or of none.
class member_scope {
 public:
  explicit member_scope(axis_member* m) : axes_(m ? &m->axis : nullptr), outer_(std::exchange(this_member, m)) {}
  member_scope(const member_scope&) = delete;
  ~member_scope() { this_member = outer_; }

 private:
  const axis_scope axes_;
  axis_member* const outer_;
};
/// While a function of the host is called: one after the other, and what it runs is no part of the member's program.
class host_turn {
 public:
  host_turn() : member_(this_member) {
    if (!member_) return;
    member_->begin_host_call();
    this_member = nullptr;
    thread_axes = nullptr;
  }
  host_turn(const host_turn&) = delete;
  ~host_turn() {
    if (!member_) return;
    this_member = member_;
    thread_axes = &member_->axis;
    member_->end_host_call();
  }

 private:
  axis_member* const member_;
};

/// The member that runs a collective over `axis`. Errors: not_implemented where that axis is not one of running members.
inline axis_member& member_of(const name_text& axis, std::string_view operation) {
  if (this_member && this_member->axis.name == axis) return *this_member;
  raise(error_kind::not_implemented, "Evaluation rule for '", operation, "' not implemented; give the primitive a kernel, or apply the transform "
        "it is meant for (collectives need jq::vmap or jq::pmap with their axis_name)");
}

/// The steps of collective P, whose exchange_members(e, params) is the part of a member. Where several members get the same, P::holder names the one
/// whose result they share. P::reads and P::writes are there for members of other processes, which spare what nobody needs.
template <class P, class Params>
constexpr collective_steps steps_of() {
  collective_steps r{};
  r.part = [](exchange& e) {
    const Params p = decode<Params>(e.params);
    if (const std::int64_t holder = P::holder(e.member, p); holder != e.member) e.y = e.all[std::size_t(holder)]->y;
    P::exchange_members(e, p);
  };
  r.holder = [](const exchange& e) { return P::holder(e.member, decode<Params>(e.params)); };
  if constexpr (requires(const exchange& e, const Params& p) { P::reads(e, p, 0); })
    r.reads = [](const exchange& e, std::int64_t from) { return P::reads(e, decode<Params>(e.params), from); };
  if constexpr (requires(const exchange& e, const Params& p) { P::writes(e, p); })
    r.writes = [](const exchange& e) { return P::writes(e, decode<Params>(e.params)); };
  return r;
}
/// Runs collective P for the member of this thread.
template <class P, class Params>
void run_collective(auto& c, const Params& p) {
  static constexpr collective_steps steps = steps_of<P, Params>();
  axis_member& self = member_of(p.axis, P::name);
  complex128 scratch;
  aval scalar_type;
  exchange mine{P::name, c.params, self.index, operand_ref(c.in[0], scratch, scalar_type)};
  inference types(P::name, view<const aval>(mine.x.type, 1), c.params, &self.axis);
  mine.type = P::abstract_eval(types, p);
  if (P::holder(self.index, p) == self.index) mine.y = array(make_buffer(mine.type));
  self.meet(mine, steps);
  c.out[0] = std::move(mine.y);
}

// What members do with each other's operands.

/// The part of `count` elements that falls to one of so many, in blocks of 64: first and last.
constexpr std::pair<std::int64_t, std::int64_t> share_of(std::int64_t count, std::int64_t number, std::int64_t of) {
  const std::int64_t part = ((count + of - 1) / of + 63) / 64 * 64, first = std::min(count, part * number);
  return {first, std::min(count, first + part)};
}

/// An array of these dimensions as rows that `at` splits: what comes before it, and what from there on.
constexpr std::pair<std::int64_t, std::int64_t> split_at(const shape& dims, int at) {
  std::pair<std::int64_t, std::int64_t> r{1, 1};
  for (int d = 0; d < dims.rank(); ++d) (d < at ? r.first : r.second) *= dims[d];
  return r;
}
/// That share of the result, in bytes, where each member has one part.
inline byte_range own_share(const exchange& e) {
  const auto [first, last] = share_of(e.type.elements(), e.member, e.size());
  return {first * std::int64_t(size_of(e.type.type)), last * std::int64_t(size_of(e.type.type))};
}
/// Of an operand the piece along a dimension that has this member's number; all of it, where the piece is in several.
inline byte_range own_piece(const exchange& e, int dimension) {
  const std::int64_t all = e.x.type->bytes(), bytes = all / e.size();
  if (split_at(e.x.type->dims, dimension).first != 1) return {0, all};
  return {e.member * bytes, (e.member + 1) * bytes};
}

/// Copies rows of bytes that lie at distances from each other.
inline void copy_rows(std::byte* to, std::int64_t to_distance, const std::byte* from, std::int64_t from_distance, std::int64_t bytes, std::int64_t rows) {
  if (bytes == 0) return;
  for (std::int64_t r = 0; r < rows; ++r) std::memcpy(to + r * to_distance, from + r * from_distance, std::size_t(bytes));
}
/// Piece `number` of `pieces` along a dimension of an operand, one row after the other.
inline void copy_piece(std::byte* to, const exchange& e, std::int64_t from, int dimension, std::int64_t number, std::int64_t pieces) {
  const auto [rows, rest] = split_at(e.x.type->dims, dimension);
  const std::int64_t bytes = rest / pieces * std::int64_t(size_of(e.x.type->type));
  copy_rows(to, bytes, e.operand(from) + number * bytes, bytes * pieces, bytes, rows);
}
/// Puts an array of these dimensions into the result, in which it has place `number` among those of the members: along a new dimension, or one
/// after the other along one that is there.
inline void place_between(const exchange& e, const std::byte* from, const shape& dims, int dimension, std::int64_t number) {
  const auto [rows, rest] = split_at(dims, dimension);
  const std::int64_t bytes = rest * std::int64_t(size_of(e.type.type));
  copy_rows(e.result() + number * bytes, bytes * e.size(), from, bytes, bytes, rows);
}
/// to = the elements at each of these, combined in order, a block that stays in cache after the other.
inline void fold_members(const primitive& op, dtype element, std::byte* to, view<const std::byte* const> from, std::int64_t count) {
  constexpr std::int64_t block = 4096;
  for (std::int64_t at = 0; at < count; at += block) {
    const aval types[2] = {{element, shape{std::min(block, count - at)}}, {element, shape{std::min(block, count - at)}}};
    const std::int64_t bytes = at * std::int64_t(size_of(element));
    const tensor_ref y{to + bytes, types};
    std::memcpy(y.data, from[0] + bytes, std::size_t(types[0].bytes()));
    for (std::size_t m = 1; m < from.size(); ++m) {
      const tensor_ref in[2] = {y, {const_cast<std::byte*>(from[m]) + bytes, types + 1}};
      op.kernel({view<const tensor_ref>(in, 2), view<const tensor_ref>(&y, 1), {}});
    }
  }
}
/// The share of this member, number `number` of those in `from`, of the result that they have in common.
inline void fold_share(const primitive& op, const exchange& e, view<const std::int64_t> from, std::int64_t number) {
  const auto [first, last] = share_of(e.type.elements(), number, std::int64_t(from.size()));
  const std::int64_t offset = first * std::int64_t(size_of(e.type.type));
  std::vector<const std::byte*> parts;
  for (std::int64_t m : from) parts.push_back(e.operand(m) + offset);
  fold_members(op, e.type.type, e.result() + offset, parts, last - first);
}
/// The result: of every member's operand the piece along a dimension that has this member's number, combined.
inline void fold_pieces(const primitive& op, const exchange& e, int dimension) {
  const std::int64_t bytes = e.type.bytes();
  const bool is_row = split_at(e.x.type->dims, dimension).first == 1;  // a piece lies in one
  std::vector<std::byte> copies(std::size_t(is_row ? 0 : bytes * e.size()));
  std::vector<const std::byte*> pieces;
  for (std::int64_t m = 0; m < e.size(); ++m) {
    pieces.push_back(is_row ? e.operand(m) + e.member * bytes : copies.data() + m * bytes);
    if (!is_row) copy_piece(copies.data() + m * bytes, e, m, dimension, e.member, e.size());
  }
  fold_members(op, e.type.type, e.result(), pieces, e.type.elements());
}

}  // namespace jacquard::detail
