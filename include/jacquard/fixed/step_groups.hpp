#pragma once
// Groups of steps that do the same to independent numbers: vector lanes do so at once. Functions of doubles are grouped where they follow
// each other, as those of the elements of an array do. Divisions, which occupy a processor longer than any other arithmetic, are moved next
// to each other and grouped in pairs, whose quotients are those of one division after the other, bit by bit. Deliberately no arithmetic
// else but the pairs that step_pairs finds: what moving numbers into lanes and out again costs is more than it saves.

#include "jacquard/core/list.hpp"
#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"
#include "jacquard/fixed/lanes.hpp"
#include "jacquard/fixed/step_pairs.hpp"

namespace jacquard {
namespace detail {

struct step_group {
  std::uint32_t kind, first, count;  ///< its steps among those that are grouped
};
/// What a run does, in order, and the groups that are steps of it.
struct step_list {
  list<run_step> steps, grouped;
  list<step_group> groups;
};
/// How many steps a group of functions takes.
inline constexpr std::uint32_t least_group = preferred_lanes > 4 ? preferred_lanes / 2 : 2;
/// How many steps may lie between two divisions that come together: what they wait for and what waits for them occupies registers.
inline constexpr std::uint32_t most_between = 48;

/// Moves each division that has no partner yet down to the next one that does not wait for it, and what waits for it behind the two.
/// `arity(kind)` is how many operands a step has, `slots` more than any number of a slot. Complexity: linear.
template <class Arity>
constexpr void draw_divisions_together(run_step* steps, std::uint32_t size, std::uint32_t slots, const Arity& arity) {
  table<bool> made(slots);  // from the quotient that moves
  for (std::uint32_t i = 0; i < size; ++i) {
    if (!steps[i].is(arithmetic::divide)) continue;
    bool waits[most_between + 1]{};
    std::uint32_t j = i + 1;
    made[steps[i].out] = true;
    const auto is_partner = [&](std::uint32_t n) {
      const run_step& s = steps[n];
      bool& waiting = waits[n - i - 1];
      for (std::uint32_t k = 0; k < arity(s.kind); ++k) waiting = waiting || ((s.in[k] & atom::literal_bit) == 0 && made[s.in[k]]);
      if (waiting) made[s.out] = true;
      return !waiting && s.is(arithmetic::divide);
    };
    const std::uint32_t end = size - i <= most_between + 2 ? size : i + most_between + 2;
    while (j < end && (steps[j].kind & run_step::whole) == 0 && !is_partner(j)) ++j;
    const bool found = j < end && (steps[j].kind & run_step::whole) == 0;
    made[steps[i].out] = false;
    for (std::uint32_t n = i + 1; n < j; ++n)
      if (waits[n - i - 1]) made[steps[n].out] = false;
    if (!found) continue;
    run_step behind[most_between]{};
    std::uint32_t count = 0, at = i;
    const run_step pair[] = {steps[i], steps[j]};
    for (std::uint32_t n = i + 1; n < j; ++n)
      if (waits[n - i - 1]) behind[count++] = steps[n];
      else steps[at++] = steps[n];
    steps[at] = pair[0], steps[at + 1] = pair[1];
    for (std::uint32_t n = 0; n < count; ++n) steps[at + 2 + n] = behind[n];
    i = at + 1;
  }
}

/// How many of n steps do the same as the first, to numbers that none of them makes.
constexpr std::uint32_t group_length(const run_step* steps, std::uint32_t n, std::uint32_t operands) {
  for (std::uint32_t i = 1; i < n; ++i) {
    if (steps[i].kind != steps[0].kind) return i;
    for (std::uint32_t k = 0; k < i; ++k)
      for (std::uint32_t o = 0; o < operands; ++o)
        if (steps[k].out == steps[i].in[o]) return i;
  }
  return n;
}
/// Replaces groups among the steps of a run by one step each. `is_function` tells which steps can be in one besides divisions and pairs;
/// `width_at(i)` is how many from number i on are a row, 0: none begins there.
template <class F, class Width, class Arity>
constexpr void draw_groups(step_list& r, F&& is_function, const Width& width_at, std::uint32_t slots, const Arity& arity) {
  const std::uint32_t count = std::uint32_t(r.steps.size());
  run_step* const all = r.steps.data();  // without calls, which cost the compiler most
  const step_pairs<Width, Arity> pairs(all, count, width_at, slots, arity);
  std::uint32_t steps = 0;
  for (std::uint32_t i = 0; i < count;) {
    const std::uint32_t row = width_at(i);
    const bool divides = all[i].is(arithmetic::divide), pair = pairs.begins_at(i);
    const std::uint32_t rest = count - i, least = row != 0 || divides || pair ? 2 : least_group;
    const std::uint32_t n = row != 0 ? row : pair ? 2 : divides ? group_length(all + i, rest < 2 ? rest : 2, 2) : is_function(all[i]) ? group_length(all + i, rest, 1) : 1;
    if (n < least) {
      for (std::uint32_t k = 0; k < n; ++k) all[steps++] = all[i++];
      continue;
    }
    r.groups.push_back({all[i].kind, std::uint32_t(r.grouped.size()), n});
    for (std::uint32_t k = 0; k < n; ++k) r.grouped.push_back(all[i++]);
    all[steps++] = {run_step::group | std::uint32_t(r.groups.size() - 1), 0, {}};
  }
  r.steps.resize(steps);
}

}  // namespace detail
}  // namespace jacquard
