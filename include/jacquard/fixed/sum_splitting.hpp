#pragma once
// Sums of many terms, which are written one after the other, as two or four sums that do not wait for each other. Only where nothing else
// reads what lies between, and from eight terms on: what a person arranges with care, such as a compensated sum, stays as it is. The last
// bits of a sum may move, and what overflows on the way to it. Deliberately not a balanced tree, whose sums could not be fused with the
// products that they add. Largest and smallest of four or more are such trees, which keep every bit: of the same operands in the same order
// the same one is taken, zeros and NaN included.

#include "jacquard/fixed/value_uses.hpp"

namespace jacquard {
namespace detail {

/// How many terms a sum has that is split, and how many for which it is split twice.
inline constexpr std::uint32_t long_sum = 8, very_long_sum = 32;
/// How many operands an extreme has that is taken by a tree.
inline constexpr std::uint32_t long_extreme = 4;

class sum_splitting : value_uses {
 public:
  /// `arity` and `reads` as in value_uses.
  template <class Arity, class Reads>
  constexpr sum_splitting(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : value_uses(g, keep, arity, reads), links_(g.step_count) {}

  /// Rewrites the steps that are kept. False: no sum is long.
  constexpr bool split() {
    if (!find_long_sums() || !g_.has_room_for_values(count_ + 4 * std::uint32_t(sums_.size()))) return false;
    list<run_step> steps;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n]) {
        if (links_[n].sum == 0) steps.push_back(g_.steps[n]);
        else if (is_extreme(g_.steps[n])) add_operand(n, sums_[links_[n].sum - 1], steps);
        else add_term(n, sums_[links_[n].sum - 1], steps);
      }
    g_.set_steps(steps);
    return true;
  }

 private:
  struct link {
    std::uint32_t length = 0;   ///< how many steps of the sum there are up to this one; 0: it is no sum
    std::uint32_t partial = 0;  ///< which operand is the sum of the terms before
    bool goes_on = false;       ///< its only reader adds to it
    std::uint32_t sum = 0;      ///< the number of the long sum that it belongs to, + 1
  };
  /// The extreme of so many operands that follow each other.
  struct block {
    std::uint32_t value, size;
  };
  struct long_one {
    std::uint32_t ways = 0, next = 0, parts[4]{none, none, none, none};
    list<block> blocks;  ///< of an extreme
  };

  static constexpr bool is_extreme(const run_step& s) {
    return s.is(arithmetic::max) || s.is(arithmetic::min);
  }
  /// How many steps of the sum or extreme that s ends its operand k is.
  constexpr std::uint32_t length_of(const run_step& s, std::uint32_t k) const {
    const std::uint32_t x = s.in[k];
    if (!is_made(x) || values_[x].uses != 1) return 0;
    const run_step& before = maker(x);
    const link& l = links_[values_[x].maker - 1];
    if (is_extreme(s)) return before.kind == s.kind && (l.length == 1 || l.partial == k) ? l.length : 0;
    return before.is_sum() ? l.length : 0;
  }
  constexpr bool is_long(std::uint32_t n) const {
    return links_[n].length + 1 >= (is_extreme(g_.steps[n]) ? long_extreme : long_sum) && !links_[n].goes_on;
  }
  constexpr bool find_long_sums() {
    for (std::uint32_t n = 0; n < count_; ++n) {
      const run_step& s = g_.steps[n];
      if (!keep_[n] || (!s.is_sum() && !is_extreme(s))) continue;
      const std::uint32_t a = length_of(s, 0), b = s.is(arithmetic::subtract) ? 0 : length_of(s, 1);
      links_[n].partial = b > a ? 1 : 0;
      links_[n].length = (b > a ? b : a) + 1;
      if (links_[n].length == 1) continue;
      link& before = links_[values_[s.in[links_[n].partial]].maker - 1];
      before.goes_on = true;
      if (is_extreme(s)) before.partial = links_[n].partial;
    }
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!is_long(n)) continue;
      sums_.extend(1)->ways = links_[n].length + 1 < very_long_sum ? 2 : 4;
      for (std::uint32_t m = n;; m = values_[g_.steps[m].in[links_[m].partial]].maker - 1) {
        links_[m].sum = std::uint32_t(sums_.size());
        if (links_[m].length == 1) break;
      }
    }
    return sums_.size() != 0;
  }
  /// What step n takes the extreme of, too: blocks of one size become one, of twice the size, as soon as they are there.
  constexpr void add_operand(std::uint32_t n, long_one& all, list<run_step>& steps) {
    const run_step s = g_.steps[n];
    const link& l = links_[n];
    if (l.length == 1) all.blocks.push_back({s.in[l.partial], 1});
    all.blocks.push_back({s.in[1 - l.partial], 1});
    while (all.blocks.size() > 1) {
      const block later = all.blocks[all.blocks.size() - 1], earlier = all.blocks[all.blocks.size() - 2];
      if (l.goes_on && later.size != earlier.size) return;
      all.blocks.pop_back(), all.blocks.pop_back();
      const std::uint32_t a = l.partial == 0 ? earlier.value : later.value, b = l.partial == 0 ? later.value : earlier.value;
      all.blocks.push_back({added(s.kind, a, b, steps), later.size + earlier.size});
    }
    if (!l.goes_on) steps[steps.size() - 1].out = s.out;
  }
  /// What step n adds, to one of the parts of its sum after the other. A part that begins with a term that is subtracted begins with its
  /// negative, so that zeros keep their signs.
  constexpr void add_term(std::uint32_t n, long_one& sum, list<run_step>& steps) {
    const run_step s = g_.steps[n];
    const link& l = links_[n];
    if (l.length == 1) sum.parts[0] = s.in[0], sum.next = 1;
    const bool begins_negative = s.is(arithmetic::subtract) && sum.parts[sum.next] == none;
    std::uint32_t& part = sum.parts[sum.next];
    const std::uint32_t term = l.length == 1 ? s.in[1] : s.in[1 - l.partial];
    if (part != none) part = added(s.kind, part, term, steps);
    else if (begins_negative) part = added(run_step::kind_of(arithmetic::negate), term, term, steps);
    else part = term;
    sum.next = (sum.next + 1) % sum.ways;
    if (l.goes_on) return;
    std::uint32_t all = sum.parts[0];
    for (std::uint32_t k = 1; k < sum.ways; ++k)
      if (sum.parts[k] != none) all = added(run_step::kind_of(arithmetic::add), all, sum.parts[k], steps);
    steps[steps.size() - 1].out = s.out;
  }
  constexpr std::uint32_t added(std::uint32_t kind, std::uint32_t a, std::uint32_t b, list<run_step>& steps) {
    const std::uint32_t value = g_.new_number();
    steps.push_back({kind, value, {a, b, 0}});
    return value;
  }

  table<link> links_;
  list<long_one> sums_;
};

}  // namespace detail
}  // namespace jacquard
