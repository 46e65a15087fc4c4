#pragma once
// Sums of many terms, which are written one after the other, as two or four sums that do not wait for each other. Only where nothing else
// reads what lies between, and from eight terms on: what a person arranges with care, such as a compensated sum, stays as it is. The last
// bits of a sum may move, and what overflows on the way to it.
// Deliberately not a balanced tree, whose sums could not be fused with the products that they add.

#include "jacquard/core/list.hpp"
#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"

namespace jacquard {
namespace detail {

/// How many terms a sum has that is split, and how many for which it is split twice.
inline constexpr std::uint32_t long_sum = 8, very_long_sum = 32;

/// `arity` and `reads` as in factor_placement.
template <class Graph, class Arity, class Reads>
class sum_splitting {
 public:
  constexpr sum_splitting(Graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : g_(g), keep_(keep), count_(g.step_count), readers_(g.value_count), maker_(g.value_count), links_(g.step_count) {
    const auto read = [this](std::uint32_t code) {
      if ((code & atom::literal_bit) == 0) readers_[code] += 2;
    };
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n]) continue;
      const run_step& s = g_.steps[n];
      if ((s.kind & run_step::whole) != 0) {
        reads(n, read);
        continue;
      }
      maker_[s.out] = n + 1;
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if ((s.in[k] & atom::literal_bit) == 0) ++readers_[s.in[k]];
    }
    reads(count_, read);
  }

  /// Rewrites the steps that are kept. False: no sum is long.
  constexpr bool split() {
    if (!find_long_sums() || !g_.has_room_for_values(count_ + 4 * std::uint32_t(sums_.size()))) return false;
    list<run_step> steps;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n]) {
        if (links_[n].sum == 0) steps.push_back(g_.steps[n]);
        else add_term(n, sums_[links_[n].sum - 1], steps);
      }
    g_.step_count = 0;
    for (const run_step& s : steps) g_.steps[g_.step_count++] = s;
    return true;
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  struct link {
    std::uint32_t length = 0;   ///< how many steps of the sum there are up to this one; 0: it is no sum
    std::uint32_t partial = 0;  ///< which operand is the sum of the terms before
    bool goes_on = false;       ///< its only reader adds to it
    std::uint32_t sum = 0;      ///< the number of the long sum that it belongs to, + 1
  };
  struct long_one {
    std::uint32_t ways, next = 0, parts[4]{none, none, none, none};
  };

  static constexpr bool is_sum(const run_step& s) {
    return s.kind == run_step::kind_of(arithmetic::add) || s.kind == run_step::kind_of(arithmetic::subtract);
  }
  static constexpr bool subtracts(const run_step& s) { return s.kind == run_step::kind_of(arithmetic::subtract); }
  constexpr std::uint32_t length_of(std::uint32_t code) const {
    return (code & atom::literal_bit) != 0 || maker_[code] == 0 || readers_[code] != 1 ? 0 : links_[maker_[code] - 1].length;
  }
  constexpr bool find_long_sums() {
    for (std::uint32_t n = 0; n < count_; ++n) {
      const run_step& s = g_.steps[n];
      if (!keep_[n] || !is_sum(s)) continue;
      const std::uint32_t a = length_of(s.in[0]), b = subtracts(s) ? 0 : length_of(s.in[1]);
      links_[n].partial = b > a ? 1 : 0;
      links_[n].length = (b > a ? b : a) + 1;
      if (links_[n].length > 1) links_[maker_[s.in[links_[n].partial]] - 1].goes_on = true;
    }
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (links_[n].length + 1 < long_sum || links_[n].goes_on) continue;
      sums_.push_back({links_[n].length + 1 < very_long_sum ? 2u : 4u});
      for (std::uint32_t m = n;; m = maker_[g_.steps[m].in[links_[m].partial]] - 1) {
        links_[m].sum = std::uint32_t(sums_.size());
        if (links_[m].length == 1) break;
      }
    }
    return sums_.size() != 0;
  }
  /// What step n adds, to one of the parts of its sum after the other. A part that begins with a term that is subtracted begins with its
  /// negative, so that zeros keep their signs, and only in very long sums, where one operation more does not count.
  constexpr void add_term(std::uint32_t n, long_one& sum, list<run_step>& steps) {
    const run_step s = g_.steps[n];
    const link& l = links_[n];
    if (l.length == 1) sum.parts[0] = s.in[0], sum.next = 1;
    const bool begins_negative = subtracts(s) && sum.parts[sum.next] == none;
    std::uint32_t& part = sum.parts[begins_negative && sum.ways < 4 ? 0 : sum.next];
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

  Graph& g_;
  const bool* keep_;
  std::uint32_t count_;
  table<std::uint32_t> readers_, maker_;
  table<link> links_;
  list<long_one> sums_;
};

}  // namespace detail
}  // namespace jacquard
