#pragma once
// The order in which the steps of a program run. Compilers hand out registers in the order of the code, so a value that is made long
// before it is read occupies one for nothing: its step moves down to its first reader, unless that would keep other values for longer.
// Deliberately one pass over the steps and no model of a processor.

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
    if (!is_constant(code)) read(code, steps);
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
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if (!is_constant(s.in[k]) && (k == 0 || s.in[k] != s.in[k - 1])) ++readers_[s.in[k]];
    }
    std::uint32_t end = size;  // the next whole equation
    for (std::uint32_t n = size; n-- > 0;) {
      if (!kept[n]) continue;
      std::uint32_t to = n;
      if (const run_step& s = steps[n]; is_whole(s)) end = n;
      else {
        const bool still = stays(s);
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
  }

 private:
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

  std::uint32_t maker_[Capacity + 1]{};    ///< by value: the step that makes it, + 1
  std::uint32_t readers_[Capacity + 1]{};  ///< by value: steps that read it
  std::uint32_t first_[Capacity + 1]{}, last_[Capacity + 1]{};  ///< by value: the step before which it is read first and last, + 1
  bool still_[Capacity + 1]{};             ///< by value: what makes it keeps its place
  std::uint32_t before_[Capacity + 2]{}, next_[Capacity + 1]{};  ///< by step: the first that runs in its place, and the one after it, + 1
};

}  // namespace detail
}  // namespace jacquard
