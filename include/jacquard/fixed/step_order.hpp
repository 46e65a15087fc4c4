#pragma once
// The order in which the steps of a program run. Compilers hand out registers in the order of the code, so a value that is made long
// before it is read occupies one for nothing: its step moves down to its first reader, unless that would keep other values for longer.
// Where that still leaves more values than registers, arithmetic is ordered by results. Deliberately no search and no model of a processor
// but how many registers there are.

#include "jacquard/core/list.hpp"
#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"

namespace jacquard {
namespace detail {

/// Of steps on values whose numbers are less than `values`. A step moves by more than `least_way` steps or not at all: the elements of a small
/// tensor follow each other, which compilers turn into vectors.
class step_order {
 public:
  list<std::uint32_t> at;  ///< the steps that are kept, as they run

  constexpr explicit step_order(std::size_t values, std::uint32_t least_way = 64) : least_way_(least_way), values_(values) {}

  /// A value or constant that is read after the last step.
  constexpr void add_result(std::uint32_t code) {
    if (!is_constant(code)) results_.push_back(code);
  }

  /// Orders the steps that are kept. `arity(step)` is how many operands it has; where `stays(step)` holds, it and what makes its operands
  /// keep their places, so that functions that follow each other still do. Nothing passes a step of a whole equation, which may read
  /// any value before it. A value is made by at most one step, before those that read it. Complexity: linear.
  template <class Arity, class Stays>
  constexpr void arrange(const run_step* steps, std::uint32_t size, const bool* kept, const Arity& arity, const Stays& stays) {
    for (const std::uint32_t code : results_) read(code, size);
    for (std::uint32_t n = 0; n < size; ++n) {
      const run_step& s = steps[n];
      if (!kept[n] || is_whole(s)) continue;
      values_[s.out].maker = n + 1;
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if (!is_constant(s.in[k]) && (k == 0 || s.in[k] != s.in[k - 1])) ++values_[s.in[k]].readers;
    }
    table<std::uint32_t> before(size + 1), next(size);  // by step: the first that runs in its place, and the one after it, + 1
    std::uint32_t end = size;  // the next whole equation
    bool straight = true;      // arithmetic alone
    for (std::uint32_t n = size; n-- > 0;) {
      if (!kept[n]) continue;
      std::uint32_t to = n;
      if (const run_step& s = steps[n]; is_whole(s)) end = n, straight = false;
      else {
        const bool still = stays(s);
        if (still) straight = false;
        if (const value_facts& made = values_[s.out]; !still && !made.still) {
          const std::uint32_t first = made.first == 0 || made.first > end ? end : made.first - 1;
          std::uint32_t visits = most_visits;
          if (first - n > least_way_ && is_free(steps, s, first, visits, arity)) to = first;
        }
        for (std::uint32_t k = 0; k < arity(s); ++k)
          if (!is_constant(s.in[k])) read(s.in[k], to), values_[s.in[k]].still = values_[s.in[k]].still || still;
      }
      next[n] = before[to];
      before[to] = n + 1;
    }
    for (std::uint32_t n = 0; n <= size; ++n)
      for (std::uint32_t m = before[n]; m != 0; m = next[m - 1]) at.push_back(m - 1);
    if (!straight) return;
    const std::uint32_t now = excess(steps, at, arity);
    if (now == 0) return;
    list<std::uint32_t> other = depth_first(steps, size, kept, arity);  // not within an if: nvcc 13 would not see it made
    if (other.size() == at.size() && excess(steps, other, arity) < now) at.swap(other);
  }

 private:
  /// Values beyond so many do not find room in registers, as far as the order of steps is concerned.
  static constexpr std::uint32_t registers = 24;

  /// How often in all, over the steps in this order, a value that is still to be read has no register.
  template <class Arity>
  constexpr std::uint32_t excess(const run_step* steps, const list<std::uint32_t>& all, const Arity& arity) const {
    table<std::uint32_t> last(values_.size());
    const std::uint32_t *const order = all.data(), count = std::uint32_t(all.size());  // without calls, which cost the compiler most
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t k = 0; k < arity(steps[order[i]]); ++k)
        if (const std::uint32_t x = steps[order[i]].in[k]; !is_constant(x) && values_[x].maker != 0) last[x] = i;
    std::uint32_t live = 0, r = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const run_step& s = steps[order[i]];
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if (const std::uint32_t x = s.in[k]; !is_constant(x) && values_[x].maker != 0 && last[x] == i && (k == 0 || x != s.in[k - 1])) --live;
      if (last[s.out] > i) ++live;
      if (live > registers) r += live - registers;
    }
    return r;
  }
  /// One result after the other, each right after what it needs, of two operands the one first that needs more registers (Sethi and Ullman,
  /// The generation of optimal code for arithmetic expressions, 1970, who prove it best for trees).
  template <class Arity>
  constexpr list<std::uint32_t> depth_first(const run_step* steps, std::uint32_t size, const bool* kept, const Arity& arity) const {
    table<std::uint32_t> registers_of(values_.size());
    for (std::uint32_t n = 0; n < size; ++n) {
      if (!kept[n]) continue;
      const run_step& s = steps[n];
      std::uint32_t most = 1;
      for (std::uint32_t k = 0; k < arity(s); ++k) {
        const std::uint32_t here = is_constant(s.in[k]) ? 0 : registers_of[s.in[k]];
        if (here > most) most = here;
        else if (here == most && k != 0 && s.in[k] != s.in[0]) ++most;
      }
      registers_of[s.out] = most;
    }
    table<std::uint8_t> state(values_.size());  // 1: its operands are on the way; 2: it is there
    list<std::uint32_t> open, r;
    const auto add = [&](std::uint32_t code) {
      if (!is_constant(code) && values_[code].maker != 0 && state[code] == 0) open.push_back(code);
    };
    for (std::size_t i = 0; i < results_.size(); ++i) {
      add(results_[i]);
      while (open.size() != 0) {
        const std::uint32_t v = open[open.size() - 1], n = values_[v].maker - 1;
        if (state[v] != 0) {
          if (state[v] == 1) state[v] = 2, r.push_back(n);
          open.pop_back();
          continue;
        }
        state[v] = 1;
        const run_step& s = steps[n];
        const std::uint32_t count_of_operands = arity(s);
        const auto demand = [&](std::uint32_t k) { return is_constant(s.in[k]) ? 0 : registers_of[s.in[k]]; };
        const bool turned = count_of_operands == 2 && demand(1) > demand(0);
        for (std::uint32_t k = count_of_operands; k-- > 0;) add(s.in[turned ? 1 - k : k]);
      }
    }
    return r;
  }

  /// How many steps of what makes one are looked at.
  static constexpr std::uint32_t most_visits = 12;

  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  static constexpr bool is_whole(const run_step& s) { return (s.kind & run_step::whole) != 0; }
  constexpr void read(std::uint32_t value, std::uint32_t by) {
    value_facts& x = values_[value];
    if (x.first == 0 || by < x.first - 1) x.first = by + 1;
    if (by + 1 > x.last) x.last = by + 1;
  }
  /// Whether a step can run right before step `to` without keeping any value for longer: its operands are read there or later, lie in memory
  /// as arguments do, or have no other reader and are free themselves.
  template <class Arity>
  constexpr bool is_free(const run_step* steps, const run_step& s, std::uint32_t to, std::uint32_t& visits, const Arity& arity) const {
    for (std::uint32_t k = 0; k < arity(s); ++k) {
      const std::uint32_t x = s.in[k];
      if (is_constant(x) || values_[x].last > to || values_[x].maker == 0) continue;
      if (visits == 0 || values_[x].readers != 1 || values_[x].still) return false;
      --visits;
      if (!is_free(steps, steps[values_[x].maker - 1], to, visits, arity)) return false;
    }
    return true;
  }

  struct value_facts {
    std::uint32_t maker = 0;            ///< the step that makes it, + 1
    std::uint32_t readers = 0;          ///< steps that read it
    std::uint32_t first = 0, last = 0;  ///< the step before which it is read first and last, + 1
    bool still = false;                 ///< what makes it keeps its place
  };
  std::uint32_t least_way_;
  list<std::uint32_t> results_;
  table<value_facts> values_;
};

}  // namespace detail
}  // namespace jacquard
