#pragma once
// Groups of steps that apply one function of doubles to independent numbers: vector lanes do so at once. Deliberately only steps that
// follow each other, as those of the elements of an array do.

#include "jacquard/fixed/arithmetic_graph.hpp"
#include "jacquard/fixed/lanes.hpp"

namespace jacquard {
namespace detail {

struct step_group {
  std::uint32_t kind, first, count;  ///< its steps among those that are grouped
};
/// How many steps it takes.
inline constexpr std::uint32_t least_group = preferred_lanes > 4 ? preferred_lanes / 2 : 2;

/// How many of n steps do the same as the first, to numbers that none of them makes.
constexpr std::uint32_t group_length(const run_step* steps, std::uint32_t n) {
  for (std::uint32_t i = 1; i < n; ++i) {
    if (steps[i].kind != steps[0].kind) return i;
    for (std::uint32_t k = 0; k < i; ++k)
      if (steps[k].out == steps[i].in[0]) return i;
  }
  return n;
}
/// Replaces groups among the steps of a layout by one step each. `is_function` tells which steps can be in one.
template <class Layout, class F>
constexpr void draw_groups(Layout& r, F&& is_function) {
  std::uint32_t steps = 0;
  for (std::uint32_t i = 0; i < r.used.steps;) {
    const std::uint32_t n = is_function(r.steps[i]) ? group_length(r.steps + i, r.used.steps - i) : 1;
    if (n < least_group) {
      for (std::uint32_t k = 0; k < n; ++k) r.steps[steps++] = r.steps[i++];
      continue;
    }
    const std::uint32_t g = r.used.groups++;
    r.groups[g] = {r.steps[i].kind, r.used.grouped, n};
    for (std::uint32_t k = 0; k < n; ++k) r.grouped[r.used.grouped++] = r.steps[i++];
    r.steps[steps++] = {run_step::group | g, 0, {}};
  }
  r.used.steps = steps;
}

}  // namespace detail
}  // namespace jacquard
