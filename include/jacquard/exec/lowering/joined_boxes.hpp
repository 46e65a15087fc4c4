#pragma once
// Kernels for boxes of one value that go through the same loops, and compute much of the same or write to the same rows: they are one kernel, which
// writes to several places, as those of the columns of a Jacobian are. Deliberately nothing for boxes of different extents, and no kernel with reductions.

#include <algorithm>
#include <cstdlib>

#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::lowering::detail {

/// What the steps of a program take that are not constants, from one of them on.
inline int cost_of_steps(const scalar_program& body, std::size_t first = 0) {
  int cost = 0;
  for (std::size_t n = first; n < body.steps.size(); ++n)
    if (body.steps[n].op != scalar_op::constant && body.steps[n].op != scalar_op::index) cost += cost_of(body.steps[n].op);
  return cost;
}
/// Whether two outputs of one value, in the same loops, lie side by side in one row after another.
inline bool lie_side_by_side(const loop_kernel& k, const access& a, const access& b) {
  static constexpr std::int64_t farthest = 64;
  std::int64_t row = 0;
  for (std::size_t i = 0; i < k.loops.size() && i < a.strides.size(); ++i)
    if (k.loops[i].extent > 1) row = std::max(row, std::abs(a.strides[i]));
  return same_strides(a, b) && std::abs(a.offset - b.offset) < std::min(row, farthest);
}
/// Has `to` compute and write what `from` does. False, and nothing done, where their loops differ, or that would save too little.
inline bool join_box(loop_kernel& to, const loop_kernel& from) {
  if (to.loops.size() != from.loops.size() || !to.stages.empty() || !from.stages.empty() || to.is_ordered() || from.is_ordered()) return false;
  for (std::size_t i = 0; i < to.loops.size(); ++i)
    if (to.loops[i].extent != from.loops[i].extent) return false;
  loop_kernel all = to;
  const auto number_of = [&](const access& a) {
    for (std::size_t i = 0; i < all.inputs.size(); ++i)
      if (all.inputs[i].type == a.type && all.inputs[i].value == a.value && all.inputs[i].offset == a.offset && all.inputs[i].wanders == a.wanders && same_strides(all.inputs[i], a))
        return std::int32_t(i);
    all.inputs.push_back(a);
    return std::int32_t(all.inputs.size() - 1);
  };
  std::vector<std::int32_t> numbers;  // by step of `from`
  for (scalar_step s : from.body.steps) {
    for (int i = 0; i < operand_count(s.op); ++i) s.in[i] = numbers[std::size_t(s.in[i])];
    if (s.op == scalar_op::load) s.in[0] = number_of(from.inputs[std::size_t(s.in[0])]);
    if (s.op == scalar_op::lookup) s.in[1] = number_of(from.inputs[std::size_t(s.in[1])]);
    numbers.push_back(all.body.share(s));
  }
  const int own = cost_of_steps(from.body), more = cost_of_steps(all.body, to.body.steps.size());
  const bool is_row = std::any_of(to.outputs.begin(), to.outputs.end(), [&](const output& o) { return lie_side_by_side(to, o.to, from.outputs[0].to); });
  if ((2 * more >= own && !is_row) || all.body.steps.size() > largest_body || all.inputs.size() > largest_inputs) return false;
  for (output o : from.outputs) {
    o.step = numbers[std::size_t(o.step)];
    all.outputs.push_back(o);
  }
  to = std::move(all);
  return true;
}

/// The kernels of some builders, for boxes of one value, as one where that is worth it; `members` are those that each has taken in.
struct joined_box {
  loop_kernel kernel;
  std::vector<const kernel_builder*> members;
};
inline std::vector<joined_box> joined_boxes(const std::vector<kernel_builder>& parts) {
  std::vector<joined_box> r;
  for (const kernel_builder& k : parts) {
    const auto taker = std::find_if(r.begin(), r.end(), [&](joined_box& known) { return join_box(known.kernel, k.kernel()); });
    if (taker != r.end()) taker->members.push_back(&k);
    else r.push_back({k.kernel(), {&k}});
  }
  for (std::size_t i = 0; i < r.size(); ++i) r[i].kernel.part = int(i);
  return r;
}

}  // namespace jacquard::lowering::detail
