#pragma once
// Pairs of neighbouring steps that do the same arithmetic to the two elements of arrays of two, as the rows of a Jacobian of two results do: on
// two lanes they cost what one costs. An operand of a pair is the result of another, two elements of an argument side by side, two constants, or
// the same number twice. Pairs that belong together are drawn only if few numbers move between lanes and the rest of the program. Results
// have the bits of one step after the other. Deliberately no longer rows, which compilers turn into vectors themselves, and no order of its own.

#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"

namespace jacquard {
namespace detail {

/// `width_at(i)` is how many steps from number i on are a row that is drawn anyhow, `arity(kind)` how many operands a step has, `slots` more than
/// any number of a slot. Complexity: linear.
template <class Width, class Arity>
class step_pairs {
 public:
  constexpr step_pairs(const run_step* steps, std::uint32_t count, const Width& width_at, std::uint32_t slots, const Arity& arity)
      : steps_(steps), count_(count), arity_(arity), first_(count), partner_(slots), made_(slots), lent_(slots), owner_(slots), pairs_(slots), moved_(slots) {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (is_plain(steps_[i])) made_[steps_[i].out] = true;
    for (std::uint32_t i = 0; i + 1 < count_;) {
      if (const std::uint32_t row = width_at(i); row != 0 || width_at(i + 1) != 0) {
        i += row != 0 ? row : 1;
        continue;
      }
      std::uint32_t n = goes_on_pair(steps_[i], steps_[i + 1]) ? 2 : 1;
      if (n == 1)
        while (i + n < count_ && width_at(i + n) == 0 && follows(steps_[i + n - 1], steps_[i + n])) ++n;
      if (n == 2 && is_pair(steps_[i], steps_[i + 1])) join(i);
      i += n;
    }
    count_moves();
  }
  /// Whether steps i and i + 1 are a pair that pays.
  constexpr bool begins_at(std::uint32_t i) const {
    if (!first_[i]) return false;
    const std::uint32_t o = root(steps_[i].out);
    return pairs_[o] >= least_pairs && 2 * moved_[o] <= pairs_[o];
  }

 private:
  /// So many pairs that belong together are drawn.
  static constexpr std::uint32_t least_pairs = 4;

  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  static constexpr bool is_plain(const run_step& s) { return (s.kind & run_step::plain_arithmetic) != 0 && (s.kind & run_step::whole) == 0; }
  static constexpr bool is_pairable(const run_step& s) {
    return s.is_sum() || s.is(arithmetic::multiply);
  }
  constexpr bool are_joined(std::uint32_t x, std::uint32_t y) const { return partner_[x] == y + 1; }
  /// Whether b does to the next elements what a does.
  constexpr bool follows(const run_step& a, const run_step& b) const {
    if (!is_pairable(a) || a.kind != b.kind) return false;
    bool any = false;
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t x = a.in[k], y = b.in[k];
      if (y == a.out) return false;
      if (x == y || (is_constant(x) && is_constant(y))) continue;
      if (is_constant(x) || is_constant(y) || (y != x + 1 && !are_joined(x, y))) return false;
      any = true;
    }
    return any;
  }
  constexpr bool goes_on_pair(const run_step& a, const run_step& b) const {
    return follows(a, b) && is_pair(a, b) && ((!is_constant(a.in[0]) && are_joined(a.in[0], b.in[0])) || (!is_constant(a.in[1]) && are_joined(a.in[1], b.in[1])));
  }
  /// Whether nothing that is not on two lanes goes into the two.
  constexpr bool is_pair(const run_step& a, const run_step& b) const {
    for (std::uint32_t k = 0; k < 2; ++k)
      if (const std::uint32_t x = a.in[k], y = b.in[k]; x != y && !is_constant(x) && !are_joined(x, y) && (made_[x] || made_[y])) return false;
    return true;
  }
  constexpr std::uint32_t root(std::uint32_t x) const {
    while (owner_[x] != 0 && owner_[x] != x + 1) x = owner_[x] - 1;
    return x;
  }
  constexpr void join(std::uint32_t i) {
    const run_step &a = steps_[i], &b = steps_[i + 1];
    first_[i] = true;
    partner_[a.out] = b.out + 1;
    owner_[a.out] = a.out + 1, owner_[b.out] = a.out + 1;
    pairs_[a.out] = 1;
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t x = a.in[k];
      if (is_constant(x) || x == b.in[k] || !made_[x]) continue;
      const std::uint32_t o = root(x), mine = root(a.out);
      if (o == mine) continue;
      const std::uint32_t large = pairs_[o] < pairs_[mine] ? mine : o, small = large == o ? mine : o;
      owner_[small] = large + 1, pairs_[large] += pairs_[small];
    }
  }
  /// Numbers that a step computed and a pair reads twice, and results of second lanes that other steps read.
  constexpr void count_moves() {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const run_step& s = steps_[i];
      if ((s.kind & run_step::whole) != 0) continue;
      const bool paired = first_[i] || (i != 0 && first_[i - 1]);
      for (std::uint32_t k = 0; k < arity_(s.kind); ++k) {
        const std::uint32_t x = s.in[k];
        if (is_constant(x) || lent_[x] || !made_[x]) continue;
        const bool twice = first_[i] && x == steps_[i + 1].in[k];
        if (twice || (!paired && owner_[x] != 0 && partner_[x] == 0)) lent_[x] = true, ++moved_[root(twice ? s.out : x)];
      }
    }
  }

  const run_step* steps_;
  std::uint32_t count_;
  const Arity& arity_;
  table<bool> first_;               ///< by step: it begins a pair
  table<std::uint32_t> partner_;    ///< by slot that is the first of a pair: the second, + 1
  table<bool> made_, lent_;         ///< by slot: arithmetic computes it; it moves between lanes
  table<std::uint32_t> owner_;      ///< by slot of a pair: one that it belongs together with, + 1
  table<std::uint32_t> pairs_, moved_;  ///< by slot that others belong to: how many pairs these are, and how many numbers move
};

}  // namespace detail
}  // namespace jacquard
