#pragma once
// Rows of a result whose elements take the same arithmetic, as those of products of small matrices do: what makes them runs on vector lanes,
// from the results upwards as far as operands are rows, too (superword-level parallelism, Larsen and Amarasinghe 2000). Compilers look for that
// in code which is laid out for numbers, and give up where most of them are read by themselves. Operands of a row are the result of another,
// elements of an argument side by side, constants, one number in all lanes, or numbers that are put together, which costs what the row
// saves; rows that belong together are drawn only if they save more than that, and if there are such numbers: what is made of rows of arguments
// and constants alone compilers turn into wider vectors themselves. Results have the bits of one step after the other, but for
// contraction. Deliberately no search: every number is in one row at most, the one that was wanted first.

#include "jacquard/core/list.hpp"
#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"
#include "jacquard/fixed/lanes.hpp"

namespace jacquard {
namespace detail {

/// `place(step, k)` tells operands of all types apart, of which there are `numbers`; k = 3 is what the step makes. Those of the type of
/// arithmetic have the number of their slot, and those of arguments the first `inputs` of them. `arity(kind)` is how many operands a step has. Complexity: linear.
template <class Arity, class Place>
class step_rows {
 public:
  static constexpr std::uint32_t widest = preferred_lanes < 4 ? preferred_lanes : 4;

  constexpr step_rows(run_step* steps, std::uint32_t count, std::uint32_t numbers, std::uint32_t inputs, const Arity& arity, const Place& place)
      : steps_(steps), arity_(arity), place_(place), inputs_(inputs), count_(count), values_(numbers), width_at_(count) {}

  /// Elements of a result of that type, of which `row` follow each other in its last dimension.
  constexpr void add_result(const std::uint32_t* codes, std::uint32_t count, std::uint32_t row) {
    if (count < 2) return;
    if (!begun_) begin();
    for (std::uint32_t first = 0; first < count; first += row)
      for (std::uint32_t i = first; i < first + row;) {
        const std::uint32_t rest = first + row - i, w = rest >= 4 && widest >= 4 ? 4 : rest >= 2 ? 2 : 1;
        const std::uint32_t n = w == 1 ? none : wanted(codes + i, w);
        if (n != none && nodes_[n].what == computed) nodes_[n].stored = true;
        else
          for (std::uint32_t k = i; k < i + w; ++k)
            if (!is_constant(codes[k])) ++values_[codes[k]].reads;
        i += w;
      }
  }
  /// Puts the steps of rows that pay next to each other.
  constexpr void draw() {
    if (nodes_.size() == 0) return;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) expand(n);
    while (drop()) {}
    bool any = false;
    for (const node& n : nodes_) any = any || n.what == computed;
    if (any) emit();
  }
  /// How many steps from number i on are one row; 0: it begins none.
  constexpr std::uint32_t width_at(std::uint32_t i) const { return width_at_[i]; }

 private:
  static constexpr std::uint32_t none = ~0u;
  /// So many operations must be saved.
  static constexpr double least_saved = 4;
  enum kind : std::uint8_t { same, constants, loaded, gathered, computed };
  struct node {
    std::uint32_t slots[4]{}, width = 0;
    kind what = gathered;
    bool stored = false;
    std::uint32_t readers = 0;                     ///< rows that it is an operand of
    std::uint32_t next = 0;                        ///< in the list of its first slot, + 1
    std::uint32_t operands[2]{none, none}, owner = 0;
  };
  struct facts {
    std::uint32_t maker = 0;  ///< the arithmetic that computes it, + 1
    std::uint32_t step = 0;   ///< the step that makes it, + 1
    std::uint32_t level = 0;  ///< later than all that it is made of
    std::uint32_t reads = 0;  ///< operands that it is, and elements of results by itself
    std::uint32_t row = 0;    ///< the row that computes it, + 1
    std::uint32_t nodes = 0;  ///< the last one whose first lane it is, + 1
  };

  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  static constexpr bool is_whole(const run_step& s) { return (s.kind & run_step::whole) != 0; }

  constexpr void begin() {
    begun_ = true;
    std::uint32_t top = 0, floor = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const run_step& s = steps_[i];
      if (is_whole(s)) {
        floor = top + 1;
        continue;
      }
      std::uint32_t level = floor;
      for (std::uint32_t k = 0; k < arity_(s.kind); ++k) {
        if (is_constant(s.in[k]) || (k == 1 && s.is(arithmetic::negate))) continue;
        facts& x = values_[place_(s, k)];
        ++x.reads;
        if (x.level > level) level = x.level;
      }
      facts& y = values_[place_(s, 3)];
      y.step = i + 1, y.level = level + 1;
      if (level + 1 > top) top = level + 1;
      if (s.is_sum() || s.is(arithmetic::multiply) || s.is(arithmetic::divide) || s.is(arithmetic::negate)) y.maker = i + 1;
    }
  }

  /// The node of these lanes.
  constexpr std::uint32_t wanted(const std::uint32_t* lanes, std::uint32_t w) {
    std::uint32_t fixed = 0, equal = 0, side = 0, made = 0;
    for (std::uint32_t k = 0; k < w; ++k) {
      fixed += is_constant(lanes[k]) ? 1 : 0, equal += lanes[k] == lanes[0] ? 1 : 0;
      side += !is_constant(lanes[k]) && lanes[k] == lanes[0] + k && lanes[k] < inputs_ ? 1 : 0;
    }
    if (fixed != 0) return add(lanes, w, fixed == w ? constants : gathered);
    for (std::uint32_t n = values_[lanes[0]].nodes; n != 0; n = nodes_[n - 1].next)
      if (has(nodes_[n - 1], lanes, w)) return n - 1;
    for (std::uint32_t k = 0; k < w; ++k) made += fits(lanes, k) ? 1 : 0;
    const std::uint32_t n = add(lanes, w, equal == w ? same : side == w ? loaded : made == w ? computed : gathered);
    nodes_[n].next = values_[lanes[0]].nodes, values_[lanes[0]].nodes = n + 1;
    for (std::uint32_t k = 0; k < w && nodes_[n].what == computed; ++k) values_[lanes[k]].row = n + 1;
    return n;
  }
  constexpr std::uint32_t add(const std::uint32_t* lanes, std::uint32_t w, kind what) {
    node& n = *nodes_.extend(1);
    for (std::uint32_t k = 0; k < w; ++k) n.slots[k] = lanes[k];
    n.width = w, n.what = what, n.owner = std::uint32_t(nodes_.size() - 1);
    return n.owner;
  }
  static constexpr bool has(const node& n, const std::uint32_t* lanes, std::uint32_t w) {
    for (std::uint32_t k = 0; k < w; ++k)
      if (n.width != w || n.slots[k] != lanes[k]) return false;
    return true;
  }
  /// Whether arithmetic of no row makes lane k as it makes the first one. What is on one level does not wait for each other.
  constexpr bool fits(const std::uint32_t* lanes, std::uint32_t k) const {
    const facts &x = values_[lanes[k]], &first = values_[lanes[0]];
    for (std::uint32_t j = 0; j < k; ++j)
      if (lanes[j] == lanes[k]) return false;
    return x.maker != 0 && first.maker != 0 && x.row == 0 && x.level == first.level && steps_[x.maker - 1].kind == steps_[first.maker - 1].kind;
  }
  constexpr const run_step& maker(std::uint32_t slot) const { return steps_[values_[slot].maker - 1]; }
  /// How well y goes in lane k where x is in the first.
  constexpr std::uint32_t match(std::uint32_t x, std::uint32_t y, std::uint32_t k) const {
    if (is_constant(x) || is_constant(y)) return is_constant(x) && is_constant(y) ? 3 : 0;
    if (x == y || (x < inputs_ && y == x + k)) return 3;
    const facts &a = values_[x], &b = values_[y];
    if (a.maker == 0 || b.maker == 0) return a.maker == b.maker ? 1 : 0;
    return a.level == b.level && maker(x).kind == maker(y).kind ? 2 : 0;
  }
  constexpr void expand(std::uint32_t number) {
    if (nodes_[number].what != computed) return;
    const node at = nodes_[number];
    const run_step& first = maker(at.slots[0]);
    std::uint32_t in[2][4]{};
    for (std::uint32_t k = 0; k < at.width; ++k) {
      const run_step& s = maker(at.slots[k]);
      const bool turns = s.is(arithmetic::add) || s.is(arithmetic::multiply);
      const bool turned = turns && match(first.in[0], s.in[1], k) + match(first.in[1], s.in[0], k) > match(first.in[0], s.in[0], k) + match(first.in[1], s.in[1], k);
      in[0][k] = s.in[turned ? 1 : 0], in[1][k] = s.in[turned ? 0 : 1];
    }
    for (std::uint32_t o = 0; o < (first.is(arithmetic::negate) ? 1u : 2u); ++o) {
      const std::uint32_t n = wanted(in[o], at.width);
      nodes_[number].operands[o] = n;
      if (nodes_[n].what == computed) nodes_[root(n)].owner = root(number);
    }
  }
  constexpr std::uint32_t root(std::uint32_t n) {
    while (nodes_[n].owner != n) n = nodes_[n].owner = nodes_[nodes_[n].owner].owner;
    return n;
  }

  /// Drops rows that do not pay. False: all do.
  constexpr bool drop() {
    table<double> saved(nodes_.size());
    table<bool> mixed(nodes_.size());
    table<std::uint32_t> within(values_.size());  // operands of rows that a number is
    for (node& n : nodes_) n.readers = 0;
    for (const node& n : nodes_)
      for (std::uint32_t o = 0; n.what == computed && o < 2 && n.operands[o] != none; ++o) ++nodes_[n.operands[o]].readers;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const node& n = nodes_[i];
      if (n.what != computed) continue;
      const run_step& s = maker(n.slots[0]);
      double& all = saved[root(i)];
      bool contracted = false;
      for (std::uint32_t o = 0; o < 2 && n.operands[o] != none; ++o) {
        const node& x = nodes_[n.operands[o]];
        for (std::uint32_t k = 0; k < n.width; ++k)
          if (!is_constant(x.slots[k])) ++within[x.slots[k]];
        if (x.what == same || x.what == gathered) mixed[root(i)] = true;
        contracted = contracted || (x.what == computed && maker(x.slots[0]).is(arithmetic::multiply) && values_[x.slots[0]].reads == 1);
        all -= cost(x) / x.readers;
      }
      all += double(n.width - 1) * ((s.is_sum() && contracted ? 0 : 1) + (n.stored ? 1 : 0) + (s.is(arithmetic::divide) ? 4 : 0));
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      for (std::uint32_t k = 1; nodes_[i].what == computed && k < nodes_[i].width; ++k)
        if (const std::uint32_t x = nodes_[i].slots[k]; values_[x].reads > within[x]) --saved[root(i)];
    bool any = false;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].what == computed && (saved[root(i)] < least_saved || !mixed[root(i)])) {
        any = true;
        for (std::uint32_t k = 0; k < nodes_[i].width; ++k) values_[nodes_[i].slots[k]].row = 0;
        for (std::uint32_t k = 0; nodes_[i].stored && k < nodes_[i].width; ++k) ++values_[nodes_[i].slots[k]].reads;
        nodes_[i].what = gathered;
      }
    return any;
  }
  /// What it takes to bring an operand into lanes.
  constexpr double cost(const node& n) const {
    if (n.what == gathered) return n.width - 1;
    return n.what == same && n.slots[0] >= inputs_ ? 1 : 0;
  }

  // Steps, each after what it reads.

  constexpr void emit() {
    table<bool> done(count_);
    list<std::uint32_t> waiting;
    list<run_step> steps;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (is_whole(steps_[i])) {
        steps.push_back(steps_[i]);
        continue;
      }
      if (!done[i]) waiting.push_back(i);
      while (waiting.size() != 0) {
        const std::uint32_t n = waiting.back(), before = std::uint32_t(waiting.size());
        const node* const row = row_of(steps_[n]);
        if (!done[n]) {
          if (!row) wait_for(n, done, waiting);
          else
            for (std::uint32_t k = 0; k < row->width; ++k) wait_for(values_[row->slots[k]].maker - 1, done, waiting);
          if (waiting.size() != before) continue;
          if (!row) steps.push_back(steps_[n]), done[n] = true;
          else {
            width_at_[steps.size()] = std::uint8_t(row->width);
            for (std::uint32_t k = 0; k < row->width; ++k) put_lane(*row, k, done, steps);
          }
        }
        waiting.pop_back();
      }
    }
    for (std::uint32_t i = 0; i < count_; ++i) steps_[i] = steps[i];
  }
  /// Null where a step is in none.
  constexpr const node* row_of(const run_step& s) const {
    const std::uint32_t row = (s.kind & run_step::plain_arithmetic) != 0 ? values_[s.out].row : 0;
    return row == 0 ? nullptr : &nodes_[row - 1];
  }
  constexpr void put_lane(const node& row, std::uint32_t k, table<bool>& done, list<run_step>& steps) const {
    run_step s = maker(row.slots[k]);
    for (std::uint32_t o = 0; o < 2; ++o) s.in[o] = nodes_[row.operands[row.operands[1] == none ? 0 : o]].slots[k];
    done[values_[row.slots[k]].maker - 1] = true;
    steps.push_back(s);
  }
  constexpr void wait_for(std::uint32_t step, const table<bool>& done, list<std::uint32_t>& waiting) const {
    const run_step& s = steps_[step];
    for (std::uint32_t k = 0; k < arity_(s.kind); ++k)
      if (!is_constant(s.in[k]))
        if (const std::uint32_t made = values_[place_(s, k)].step; made != 0 && !done[made - 1]) waiting.push_back(made - 1);
  }

  run_step* steps_;
  const Arity& arity_;
  const Place& place_;
  std::uint32_t inputs_, count_;
  bool begun_ = false;
  table<facts> values_;
  table<std::uint8_t> width_at_;
  list<node> nodes_;
};

}  // namespace detail
}  // namespace jacquard
