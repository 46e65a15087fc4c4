#pragma once
// Chains of reductions that each need what the one before made of whole rows: x - mean(x) of what was computed from x - mean(x), and so on. A kernel
// runs one pass over its rows for each, and computes what came before again in every pass, so that its time is quadratic in their number. Here values
// go to memory where there would be too many. Deliberately blind to how kernels are built: it counts reductions along the equations.

#include <cstdint>
#include <vector>

#include "jacquard/exec/lowering/loop_kernel.hpp"
#include "jacquard/exec/lowering/roles.hpp"

namespace jacquard::lowering::detail {

class pass_limiter {
 public:
  explicit pass_limiter(program_facts& f) : f_(&f), depth_(f.p.avals.size(), 0), readers_(f.p.avals.size(), 0) {
    for (atom a : f.p.operands)
      if (!a.is_literal()) ++readers_[a.index()];
    for (atom a : f.p.outvars)
      if (!a.is_literal()) ++readers_[a.index()];
  }

  /// Says what has to lie in memory; whether there is anything. Complexity: linear.
  bool run() {
    const jaxpr& p = f_->p;
    bool any = false;
    for (std::size_t n = 0; n < p.equations.size(); ++n) {
      const equation& e = p.equations[n];
      const bool reduces = f_->roles[n] == role::reduction || f_->roles[n] == role::contraction;
      int depth = 0;
      if (!f_->is_single(n))
        for (atom a : p.inputs(e)) {
          if (a.is_literal()) continue;
          const int most = reduces ? most_passes(e, p.avals[a.index()]) : unlimited;
          if (depth_[a.index()] >= most && depth_now(a.index()) >= most) keep(a.index()), any = true;
          if (depth_[a.index()] + reduces > depth) depth = depth_[a.index()] + reduces;
        }
      for (variable v : p.outputs(e)) depth_[v] = f_->in_memory[v] ? 0 : depth;
    }
    return any;
  }

  /// Whether a kernel, by what was added to it, runs more passes than its rows bear.
  static bool has_too_many(const loop_kernel& k, const loop_kernel& before) {
    const std::size_t passes = count_passes(stage_passes(k));
    if (passes <= std::size_t(most_over_long_rows) || passes <= count_passes(stage_passes(before))) return false;
    std::int64_t row = 1;
    for (const loop& l : k.loops)
      if (l.inner) row *= l.extent;
    return row > few_numbers && passes > std::size_t(limit_for(row * 8));
  }

 private:
  /// The gradient of a normalisation takes four. Rows that stay in the first cache, of which kernels also keep what they computed, bear more.
  /// Few numbers stay in registers.
  static constexpr std::int64_t short_row = 32 << 10, few_numbers = 64;
  static constexpr int most_over_long_rows = 4, most_over_short_rows = 6, unlimited = 1 << 30;

  int most_passes(const equation& e, const aval& in) const {
    if (in.elements() <= few_numbers) return unlimited;
    const std::int64_t results = f_->p.avals[f_->p.outputs(e)[0]].elements();
    const std::int64_t row = in.elements() / (results < 1 ? 1 : results) * size_of(in.type);
    return limit_for(row);
  }
  static int limit_for(std::int64_t bytes_of_row) { return bytes_of_row > short_row ? most_over_long_rows : most_over_short_rows; }
  /// The depth of a value, after what it is made of may have been put into memory.
  int depth_now(variable v) {
    int left = 64;
    return depth_[v] = refreshed(v, left);
  }
  int refreshed(variable v, int& left) {
    if (f_->in_memory[v] || f_->maker[v] < 0) return 0;
    const role r = f_->roles[std::size_t(f_->maker[v])];
    if (f_->is_single(std::size_t(f_->maker[v]))) return 0;
    if (--left < 0 || r == role::reduction || r == role::contraction) return depth_[v];
    int depth = 0;
    for (atom a : f_->p.inputs(*f_->made_by(v)))
      if (const int d = a.is_literal() ? 0 : refreshed(a.index(), left); d > depth) depth = d;
    return depth;
  }
  /// Puts what a reduction reads into memory; or what that alone is made of, if others read it, too.
  void keep(variable v) {
    int left = 32;
    const variable u = source_of(f_->rearranged(v), left);
    f_->in_memory[u] = f_->apart[u] = true;
    depth_[u] = depth_[v] = 0;
  }
  /// The one value that others read, too, of which `u` is made, as far as its depth comes from there; else `u`.
  variable source_of(variable u, int& left) const {
    if (--left < 0 || readers_[u] > 1 || f_->maker[u] < 0 || f_->roles[std::size_t(f_->maker[u])] != role::map) return u;
    variable source = u;
    for (atom a : f_->p.inputs(*f_->made_by(u))) {
      if (a.is_literal() || f_->p.avals[a.index()].elements() != f_->p.avals[u].elements() || depth_[a.index()] != depth_[u]) continue;
      const variable s = source_of(f_->rearranged(a.index()), left);
      if (source != u && source != s) return u;
      source = s;
    }
    return source;
  }

  program_facts* f_;
  std::vector<int> depth_;  ///< by variable: reductions on the way from memory, one after the other
  std::vector<std::uint32_t> readers_;
};

}  // namespace jacquard::lowering::detail
