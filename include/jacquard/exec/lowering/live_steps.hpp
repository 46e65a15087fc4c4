#pragma once
// Steps of a kernel that nothing reads, for what they were computed for was put together in another way. Deliberately keeps all accesses and stages.

#include "jacquard/exec/lowering/loop_kernel.hpp"

namespace jacquard::lowering {

/// Drops such steps; the others keep their order. Complexity: linear.
inline void drop_dead_steps(loop_kernel& k) {
  list<scalar_step>& steps = k.body.steps;
  std::vector<char> live(steps.size(), false);
  const auto mark = [&](std::int32_t n) {
    if (n >= 0) live[std::size_t(n)] = true;
  };
  for (const stage& s : k.stages) mark(s.step);
  for (const output& o : k.outputs) mark(o.step), mark(o.place), mark(o.inside);
  for (std::size_t n = steps.size(); n-- > 0;)
    for (int i = 0; live[n] && i < operand_count(steps[n].op); ++i) mark(steps[n].in[i]);
  if (std::find(live.begin(), live.end(), false) == live.end()) return;
  std::vector<std::int32_t> number(steps.size(), -1);
  list<scalar_step> kept;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    if (!live[n]) continue;
    number[n] = std::int32_t(kept.size());
    kept.push_back(steps[n]);
    for (int i = 0; i < operand_count(steps[n].op); ++i) kept.back().in[i] = number[std::size_t(steps[n].in[i])];
  }
  steps = std::move(kept);
  const auto renumber = [&](std::int32_t& n) { n = n < 0 ? n : number[std::size_t(n)]; };
  for (stage& s : k.stages) renumber(s.step);
  for (output& o : k.outputs) renumber(o.step), renumber(o.place), renumber(o.inside);
}

}  // namespace jacquard::lowering
