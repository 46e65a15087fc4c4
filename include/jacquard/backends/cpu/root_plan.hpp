#pragma once
// Whether the square roots of a kernel are made of multiplications. The divider of a processor takes them, and quotients, one after the other: where
// a kernel would wait for it, an estimate and steps of Newton's on the units that multiply, which are free meanwhile, take less. Deliberately no text,
// and nothing about other instruction sets than AVX-512, whose estimate has 14 digits.

#include <algorithm>
#include <vector>

#include "jacquard/exec/lowering/loop_kernel.hpp"

namespace jacquard::cpu {

/// Clocks that a vector of 64 bytes takes on Sapphire Rapids: by the divider, by the other units. Sources: Fog, Instruction tables, 2022, and for
/// roots in steps measured: 2 and 3.2 times the pace of the instruction in f32 and f64.
struct root_cost {
  double root, quotient, root_in_steps;
  static root_cost of(dtype t) { return t == f64 ? root_cost{24, 16, 8} : root_cost{12, 10, 6}; }
};

/// By step: whether it is computed where all choices go the way they usually go.
inline std::vector<char> usual_steps(const lowering::loop_kernel& k) {
  std::vector<char> usual(k.body.steps.size(), false);
  for (const lowering::stage& s : k.stages) usual[std::size_t(s.step)] = true;
  for (const lowering::output& o : k.outputs) usual[std::size_t(o.step)] = true;
  for (std::size_t n = k.body.steps.size(); n-- > 0;) {
    const scalar_step& s = k.body.steps[n];
    const int taken = s.is_likely ? 2 : operand_count(s.op);
    for (int i = 0; usual[n] && i < taken; ++i) usual[std::size_t(s.in[i])] = true;
  }
  return usual;
}

/// Whether a kernel is done sooner so. `depends` are the loops its steps depend on, `vector_loop` is the one along vectors; steps that
/// `is_dear` take long on the other units. Complexity: linear in its steps.
inline bool roots_take_steps(const lowering::loop_kernel& k, const std::vector<std::uint32_t>& depends, int vector_loop, bool (*is_dear)(scalar_op)) {
  constexpr double any_step = 0.5, dear_step = 10;  // there are two such units; exp and its kin
  const std::uint32_t along = vector_loop < 0 ? 0 : 1u << vector_loop;
  const std::vector<char> usual = usual_steps(k);
  double divider = 0, others = 0, roots = 0, in_steps = 0;
  for (std::size_t n = 0; n < k.body.steps.size(); ++n) {
    const scalar_step& s = k.body.steps[n];
    if (!usual[n] || (depends[n] & along) == 0 || s.op < scalar_op::convert) continue;
    double times = 1;
    for (std::size_t i = 0; i < k.loops.size(); ++i)
      if (depends[n] >> i & 1u) times *= double(k.loops[i].extent);
    const root_cost c = root_cost::of(s.type);
    const bool inverts = s.op == scalar_op::rsqrt, is_root = inverts || s.op == scalar_op::sqrt;
    const bool divides = s.op == scalar_op::divide && is_inexact(s.type) && (depends[std::size_t(s.in[1])] & along) != 0;
    if (is_root) roots += times * (c.root + (inverts ? c.quotient : 0)), in_steps += times * c.root_in_steps;
    else if (divides) divider += times * c.quotient;
    else others += times * (is_dear(s.op) ? dear_step : any_step);
  }
  return std::max(divider + roots, others) > std::max(divider, others + in_steps);
}

}  // namespace jacquard::cpu
