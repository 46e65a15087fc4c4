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

/// Capacity is how many steps and how many values there can be. A step moves by more than LeastWay steps or not at all: the elements of a small
/// tensor follow each other, which compilers turn into vectors.
template <std::size_t Capacity, std::uint32_t LeastWay = 64>
class step_order {
 public:
  std::uint32_t at[Capacity + 1]{};  ///< the steps that are kept, as they run
  std::uint32_t count = 0;

  /// A value or constant that is read after the last of so many steps.
  constexpr void add_result(std::uint32_t code, std::uint32_t steps) {
    if (is_constant(code)) return;
    read(code, steps);
    results_.push_back(code);
  }

  /// Orders the steps that are kept. `arity(step)` is how many operands it has; where `stays(step)` holds, it and what makes its operands
  /// keep their places, so that functions that follow each other still do. Nothing passes a step of a whole equation, which may read
  /// any value before it. A value is made by at most one step, before those that read it. Complexity: linear.
  template <class Arity, class Stays>
  constexpr void arrange(const run_step* steps, std::uint32_t size, const bool* kept, const Arity& arity, const Stays& stays) {
    for (std::uint32_t n = 0; n < size; ++n) {
      const run_step& s = steps[n];
      if (!kept[n] || is_whole(s)) continue;
      maker_[s.out] = n + 1;
      if (s.out >= values_) values_ = s.out + 1;
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if (!is_constant(s.in[k])) {
          if (k == 0 || s.in[k] != s.in[k - 1]) ++readers_[s.in[k]];
          if (s.in[k] >= values_) values_ = s.in[k] + 1;
        }
    }
    std::uint32_t end = size;  // the next whole equation
    bool straight = true;      // arithmetic alone
    for (std::uint32_t n = size; n-- > 0;) {
      if (!kept[n]) continue;
      std::uint32_t to = n;
      if (const run_step& s = steps[n]; is_whole(s)) end = n, straight = false;
      else {
        const bool still = stays(s);
        if (still) straight = false;
        if (!still && !still_[s.out]) {
          const std::uint32_t first = first_[s.out] == 0 || first_[s.out] > end ? end : first_[s.out] - 1;
          std::uint32_t visits = most_visits;
          if (first - n > LeastWay && is_free(steps, s, first, visits, arity)) to = first;
        }
        for (std::uint32_t k = 0; k < arity(s); ++k)
          if (!is_constant(s.in[k])) read(s.in[k], to), still_[s.in[k]] = still_[s.in[k]] || still;
      }
      next_[n] = before_[to];
      before_[to] = n + 1;
    }
    for (std::uint32_t n = 0; n <= size; ++n)
      for (std::uint32_t m = before_[n]; m != 0; m = next_[m - 1]) at[count++] = m - 1;
    if (!straight) return;
    const std::uint32_t now = excess(steps, at, arity);
    if (now == 0) return;
    const list<std::uint32_t> other = depth_first(steps, size, kept, arity);  // not within an if: nvcc 13 would not see it made
    if (other.size() == count && excess(steps, other.data(), arity) < now)
      for (std::uint32_t i = 0; i < count; ++i) at[i] = other[i];
  }

 private:
  /// Values beyond so many do not find room in registers, as far as the order of steps is concerned.
  static constexpr std::uint32_t registers = 24;

  /// How often in all, over the steps in this order, a value that is still to be read has no register.
  template <class Arity>
  constexpr std::uint32_t excess(const run_step* steps, const std::uint32_t* order, const Arity& arity) const {
    table<std::uint32_t> last(values_);
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t k = 0; k < arity(steps[order[i]]); ++k)
        if (const std::uint32_t x = steps[order[i]].in[k]; !is_constant(x) && maker_[x] != 0) last[x] = i;
    std::uint32_t live = 0, r = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const run_step& s = steps[order[i]];
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if (const std::uint32_t x = s.in[k]; !is_constant(x) && maker_[x] != 0 && last[x] == i && (k == 0 || x != s.in[k - 1])) --live;
      if (last[s.out] > i) ++live;
      if (live > registers) r += live - registers;
    }
    return r;
  }
  /// One result after the other, each right after what it needs, of two operands the one first that needs more registers (Sethi and Ullman,
  /// The generation of optimal code for arithmetic expressions, 1970, who prove it best for trees).
  template <class Arity>
  constexpr list<std::uint32_t> depth_first(const run_step* steps, std::uint32_t size, const bool* kept, const Arity& arity) const {
    table<std::uint32_t> registers_of(values_);
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
    table<std::uint8_t> state(values_);  // 1: its operands are on the way; 2: it is there
    list<std::uint32_t> open, r;
    const auto add = [&](std::uint32_t code) {
      if (!is_constant(code) && maker_[code] != 0 && state[code] == 0) open.push_back(code);
    };
    for (std::size_t i = 0; i < results_.size(); ++i) {
      add(results_[i]);
      while (open.size() != 0) {
        const std::uint32_t v = open[open.size() - 1], n = maker_[v] - 1;
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
    if (first_[value] == 0 || by < first_[value] - 1) first_[value] = by + 1;
    if (by + 1 > last_[value]) last_[value] = by + 1;
  }
  /// Whether a step can run right before step `to` without keeping any value for longer: its operands are read there or later, lie in memory
  /// as arguments do, or have no other reader and are free themselves.
  template <class Arity>
  constexpr bool is_free(const run_step* steps, const run_step& s, std::uint32_t to, std::uint32_t& visits, const Arity& arity) const {
    for (std::uint32_t k = 0; k < arity(s); ++k) {
      const std::uint32_t x = s.in[k];
      if (is_constant(x) || last_[x] > to || maker_[x] == 0) continue;
      if (visits == 0 || readers_[x] != 1 || still_[x]) return false;
      --visits;
      if (!is_free(steps, steps[maker_[x] - 1], to, visits, arity)) return false;
    }
    return true;
  }

  list<std::uint32_t> results_;
  std::uint32_t values_ = 0;  ///< more than any that a step makes or reads
  std::uint32_t maker_[Capacity + 1]{};    ///< by value: the step that makes it, + 1
  std::uint32_t readers_[Capacity + 1]{};  ///< by value: steps that read it
  std::uint32_t first_[Capacity + 1]{}, last_[Capacity + 1]{};  ///< by value: the step before which it is read first and last, + 1
  bool still_[Capacity + 1]{};             ///< by value: what makes it keeps its place
  std::uint32_t before_[Capacity + 2]{}, next_[Capacity + 1]{};  ///< by step: the first that runs in its place, and the one after it, + 1
};

}  // namespace detail
}  // namespace jacquard
