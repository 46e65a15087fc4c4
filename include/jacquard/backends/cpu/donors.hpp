#pragma once
// Which outputs of a program's kernels may be written over inputs that nobody reads any more. Deliberately decides what may be, for each
// kernel by itself: whether it is done depends on who holds the memory in a run, or on how a plan lays it out.

#include <algorithm>
#include <limits>

#include "jacquard/backends/cpu/native_kernel.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

namespace detail {

inline bool contains(const std::vector<variable>& list, variable v) { return std::find(list.begin(), list.end(), v) != list.end(); }

/// Whether a step is computed from what an access reads, so that this has been read when the step is known.
inline bool is_computed_from(const lowering::loop_kernel& k, std::int32_t step, const lowering::access& a) {
  std::vector<char> reads;
  for (const scalar_step& s : k.body.steps) {
    bool any = s.op == scalar_op::load && !lowering::is_stage_result(s) && &k.inputs[std::size_t(s.in[0])] == &a;
    if (s.op != scalar_op::load && s.op != scalar_op::index)
      for (int i = 0; i < operand_count(s.op); ++i) any = any || reads[std::size_t(s.in[i])];
    reads.push_back(any);
  }
  return reads[std::size_t(step)] != 0;
}
inline bool gives_memory(const jaxpr& p, const lowering::loop_kernel& k, const lowering::access& a, const lowering::output& o) {
  if (o.place >= 0) {  // only what it would be a copy of
    for (const lowering::access& b : k.inputs)
      if (b.value == a.value && &b != &k.inputs[std::size_t(o.base)] && !lowering::reads_what_it_replaces(k, b, o)) return false;
    return &a == &k.inputs[std::size_t(o.base)];
  }
  const aval &from = p.avals[a.value.index()], &to = p.avals[o.to.value.index()];
  if (from.type != to.type || from.elements() != to.elements()) return false;
  const lowering::output* const parts[] = {&o, o.to.is_part ? &o + 1 : &o};  // of complex numbers, which are written once both are known
  for (const lowering::access& b : k.inputs) {
    if (!(b.value == a.value)) continue;
    bool read = false, in_place = false;
    for (const lowering::output* part : parts) read = read || is_computed_from(k, part->step, b), in_place = in_place || b.offset == part->to.offset;
    if (b.wanders || !in_place || !read || !same_strides(b, o.to)) return false;
  }
  return true;
}

/// Whether no kernel that runs along with `k` reads `v` once an output is written over it: none does at all, or the output is written after the
/// last block of rows, and they read it in the blocks.
inline bool is_free_of_others(const lowering::loop_kernel& all, const lowering::loop_kernel& k, const lowering::output& o, variable v) {
  bool free = true;
  const int own = lowering::row_loop_of(k);
  const bool is_last = own >= 0 && k.loops[std::size_t(own)].inner && o.to.strides[std::size_t(own)] == 0;
  lowering::for_each_joined(all, [&](const lowering::loop_kernel& m) {
    if (&m == &k) return;
    const bool in_blocks = !m.loops[std::size_t(lowering::row_loop_of(m))].inner;
    for (const lowering::access& a : m.inputs) free = free && (a.value.index() != v || (is_last && in_blocks));
  });
  return free;
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
  constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> dies_in(p.avals.size(), never), taken_in(p.avals.size(), never), made_in(p.avals.size(), never);  // by variable: a step
  for (std::size_t n = 0; n < dies.size(); ++n)
    for (variable v : dies[n]) dies_in[v] = n;
  for (std::size_t n = 0; n < l.steps.size(); ++n) {
    if (l.steps[n].kernel < 0) continue;
    const lowering::loop_kernel& all = l.kernels[std::size_t(l.steps[n].kernel)];
    native_kernel& own = kernels[std::size_t(l.steps[n].kernel)];
    own.donors.assign(own.outputs.size(), -1);
    for (variable v : own.outputs) made_in[v] = n;
    if (all.in_registers) {  // which has read everything when it writes
      for (const bool arguments : {true, false})
        for (std::size_t i = 0; i < own.outputs.size(); ++i)
          for (variable v : own.places) {
            if (own.donors[i] >= 0) break;
            if (stays[v] || (overwritten[v] != 0) != arguments || dies_in[v] != n || taken_in[v] == n) continue;
            if (made_in[v] == n || p.avals[v].type != p.avals[own.outputs[i]].type || p.avals[v].elements() != p.avals[own.outputs[i]].elements()) continue;
            own.donors[i] = v;
            taken_in[v] = n;
          }
      continue;
    }
    if (all.parts > 1) continue;
    for (const bool arguments : {true, false}) {
      std::size_t first = 0, value = 0;  // numbers of outputs of the kernels, and of the values that they are
      lowering::for_each_joined(all, [&](const lowering::loop_kernel& k) {
        for (std::size_t i = 0; i < k.outputs.size(); ++i) {
          if (k.outputs[i].is_imaginary) continue;
          const std::size_t number = value++;
          if (own.donors[number] >= 0) continue;
          for (const lowering::access& a : k.inputs) {
            const variable v = a.value.index();
            if (stays[v] || (overwritten[v] != 0) != arguments || dies_in[v] != n || taken_in[v] == n) continue;
            if (!detail::gives_memory(p, k, a, k.outputs[i]) || own.is_kept_from(first + i, v) || !detail::is_free_of_others(all, k, k.outputs[i], v)) continue;
            own.donors[number] = v;
            taken_in[v] = n;
            break;
          }
        }
        first += k.outputs.size();
      });
    }
  }
}

}  // namespace jacquard::cpu
