#pragma once
// Which kernels of a program are worth a compiler's time, which takes a millisecond or two for the shortest. The others run on tiles, or on the
// kernels of their primitives. Deliberately asks what a kernel does, not how often the program runs.

#include <algorithm>

#include "jacquard/backends/cpu/range_plan.hpp"

namespace jacquard::cpu {

/// Whether so many equations put elements somewhere that their own kernels had better do it.
inline bool has_many_puts(const jaxpr& p) {
  constexpr std::ptrdiff_t most = 64;
  return std::count_if(p.equations.begin(), p.equations.end(), [](const equation& e) { return e.op->put != nullptr; }) > most;
}

/// By kernel: of many parts of a value the small ones, along its edges, are not worth code, and of very many kernels the short ones.
inline std::vector<char> kernels_worth_code(const jaxpr& p, const lowering::lowered_program& l) {
  constexpr int few_parts = 5;  // which are all worth it
  constexpr std::size_t most_short = 128;
  constexpr double short_nanoseconds = 300;
  std::vector<char> worth(l.kernels.size(), true);
  std::vector<std::size_t> short_ones;
  for (std::size_t n = 0; n < l.kernels.size(); ++n) {
    const lowering::loop_kernel& k = l.kernels[n];
    if (k.in_registers) continue;
    std::int64_t iterations = 1;
    for (const lowering::loop& e : k.loops) iterations *= e.extent;
    worth[n] = k.parts <= few_parts || 32 * iterations >= p.avals[k.outputs[0].to.value.index()].elements();
    const bool only_in_code = k.is_ordered() || k.block != 0 || !k.next.empty();
    if (!only_in_code && range_plan(k, lowering::loop_dependence(k), {}, true).nanoseconds() < short_nanoseconds) short_ones.push_back(n);
  }
  if (short_ones.size() > most_short)
    for (std::size_t n : short_ones) worth[n] = false;
  return worth;
}

}  // namespace jacquard::cpu
