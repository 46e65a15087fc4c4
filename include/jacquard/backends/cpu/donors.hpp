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
  if (o.place >= 0) {  // only what it would be a copy of
    for (const lowering::access& b : k.inputs)
      if (b.value == a.value && &b != &a) return false;
    return &a == &k.inputs[std::size_t(o.base)];
  }
  if (a.type != o.to.type || p.avals[a.value.index()].elements() != p.avals[o.to.value.index()].elements()) return false;
  for (const lowering::access& b : k.inputs)
    if (b.value == a.value && (b.wanders || b.offset != o.to.offset || !same_strides(b, o.to))) return false;
  return is_computed_from(k, o, a.value.index());
}

}  // namespace detail

/// By variable: whether it is an argument whose memory may be the program's, that is, one that was donated, as `donated` says, or, where the
/// program is a body, a carry of a loop. Outputs take it where they can.
inline std::vector<char> arguments_to_overwrite(const jaxpr& p, bool is_body, view<const char> donated) {
  std::vector<char> r(p.avals.size(), false);
  for (std::size_t i = 0; i < p.invars.size(); ++i) r[p.invars[i]] = is_body || (i < donated.size() && donated[i]);
  return r;
}

/// Sets the donors of kernels, by number in `l`: an output may take the memory of an input that dies (in the step, of which `dies` has a list),
/// is read exactly where the output is written, and before it is. One of the arguments that may be overwritten comes first. Kernels of boxes
/// of a value read each other's places.
inline void choose_donors(const jaxpr& p, const lowering::lowered_program& l, const std::vector<std::vector<variable>>& dies,
                          const std::vector<char>& overwritten, std::vector<native_kernel>& kernels) {
  std::vector<char> stays(p.avals.size(), false);  // with the caller, whatever happens
  for (variable v : p.constvars) stays[v] = true;
  for (variable v : p.invars) stays[v] = !overwritten[v];
  for (std::size_t n = 0; n < l.steps.size(); ++n) {
    if (l.steps[n].kernel < 0) continue;
    const lowering::loop_kernel& k = l.kernels[std::size_t(l.steps[n].kernel)];
    native_kernel& own = kernels[std::size_t(l.steps[n].kernel)];
    own.donors.assign(k.outputs.size(), -1);
    if (k.parts > 1) continue;
    std::vector<variable> taken;
    for (const bool arguments : {true, false})
      for (std::size_t i = 0; i < k.outputs.size(); ++i) {
        if (own.donors[i] >= 0) continue;
        for (const lowering::access& a : k.inputs) {
          const variable v = a.value.index();
          if (stays[v] || (overwritten[v] != 0) != arguments || !detail::contains(dies[n], v) || detail::contains(taken, v)) continue;
          if (!detail::gives_memory(p, k, a, k.outputs[i]) || own.is_kept_from(i, v)) continue;
          own.donors[i] = v;
          taken.push_back(v);
          break;
        }
      }
  }
}

}  // namespace jacquard::cpu
