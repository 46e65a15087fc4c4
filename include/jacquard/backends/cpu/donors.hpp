#pragma once
// Which outputs of a program's kernels may be written over inputs that nobody reads any more. Deliberately decides what may be, for each
// kernel by itself: whether it is done depends on who holds the memory in a run, or on how a plan lays it out.

#include <algorithm>

#include "jacquard/backends/cpu/native_kernel.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

namespace detail {

inline bool contains(const std::vector<variable>& list, variable v) { return std::find(list.begin(), list.end(), v) != list.end(); }

/// Whether an output's element is computed from the element of `v` in its place, so that this has been read when it is written.
inline bool is_computed_from(const lowering::loop_kernel& k, const lowering::output& o, variable v) {
  std::vector<char> reads;
  for (const scalar_step& s : k.body.steps) {
    bool any = s.op == scalar_op::load && !lowering::is_stage_result(s) && k.inputs[std::size_t(s.in[0])].value.index() == v;
    if (s.op != scalar_op::load && s.op != scalar_op::index)
      for (int i = 0; i < operand_count(s.op); ++i) any = any || reads[std::size_t(s.in[i])];
    reads.push_back(any);
  }
  return reads[std::size_t(o.step)] != 0;
}
inline bool gives_memory(const jaxpr& p, const lowering::loop_kernel& k, const lowering::access& a, const lowering::output& o) {
  if (a.type != o.to.type || p.avals[a.value.index()].elements() != p.avals[o.to.value.index()].elements()) return false;
  for (const lowering::access& b : k.inputs)
    if (b.value == a.value && (b.offset != o.to.offset || !same_strides(b, o.to))) return false;
  return is_computed_from(k, o, a.value.index());
}

}  // namespace detail

/// Sets the donors of kernels, by number in `l`: an output may take the memory of an input that dies (in the step, of which `dies` has a list),
/// is read exactly where the output is written, and before it is. One that is an argument comes first: it may have been donated, as `donated`
/// says, or be a carry of a loop, where the program is a body. Kernels
/// of boxes of a value read each other's places.
inline void choose_donors(const jaxpr& p, const lowering::lowered_program& l, const std::vector<std::vector<variable>>& dies, bool is_body,
                          view<const char> donated, std::vector<native_kernel>& kernels) {
  enum class memory : char { made_here, of_argument, stays };  // which stays with the caller, whatever happens
  std::vector<memory> kinds(p.avals.size(), memory::made_here);
  for (variable v : p.constvars) kinds[v] = memory::stays;
  for (std::size_t i = 0; i < p.invars.size(); ++i)
    kinds[p.invars[i]] = is_body || (i < donated.size() && donated[i]) ? memory::of_argument : memory::stays;
  for (std::size_t n = 0; n < l.steps.size(); ++n) {
    if (l.steps[n].kernel < 0) continue;
    const lowering::loop_kernel& k = l.kernels[std::size_t(l.steps[n].kernel)];
    native_kernel& own = kernels[std::size_t(l.steps[n].kernel)];
    own.donors.assign(k.outputs.size(), -1);
    if (k.parts > 1) continue;
    std::vector<variable> taken;
    for (const memory wanted : {memory::of_argument, memory::made_here})
      for (std::size_t i = 0; i < k.outputs.size(); ++i) {
        if (own.donors[i] >= 0) continue;
        for (const lowering::access& a : k.inputs) {
          const variable v = a.value.index();
          if (kinds[v] != wanted || !detail::contains(dies[n], v) || detail::contains(taken, v) || !detail::gives_memory(p, k, a, k.outputs[i])) continue;
          own.donors[i] = v;
          taken.push_back(v);
          break;
        }
      }
  }
}

}  // namespace jacquard::cpu
