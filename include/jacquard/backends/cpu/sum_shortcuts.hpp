#pragma once
// Passes over rows that need not run: a sum of terms that are linear in what earlier passes know, with factors that are the same all along a
// row, is that combination of sums, which those passes make along with their own. So the mean of a gradient of a normalisation waits for no
// pass of its own. Deliberately no text, and no promise about sums that are not finite: there the pass runs after all, see backends/cpu/llvm_stages.

#include <algorithm>
#include <vector>

#include "jacquard/exec/lowering/loop_kernel.hpp"

namespace jacquard::cpu {

/// Finds such sums among the stages of a kernel, and adds to it the stages and steps that their results take.
class sum_shortcuts {
 public:
  sum_shortcuts() = default;
  /// Steps that `is_dear` are not computed in a pass because of this.
  sum_shortcuts(lowering::loop_kernel& k, bool (*is_dear)(scalar_op)) : is_dear_(is_dear) {
    const std::vector<std::size_t> passes = lowering::stage_passes(k);
    if (lowering::count_passes(passes) < 2 || k.stages.size() > most_stages || k.block != 0) return;
    look_at(k, passes);
    std::vector<sum> found;
    for (std::size_t pass = 1; pass < lowering::count_passes(passes); ++pass) {
      std::vector<sum> own;
      for (std::size_t n = 0; n < passes.size(); ++n)
        if (passes[n] == pass) own.push_back({n, pass, {}});
      if (!std::all_of(own.begin(), own.end(), [&](sum& s) { return can_be_split(k, s); }) || makes_dear_steps(k, pass)) continue;
      skipped_.push_back(pass);
      found.insert(found.end(), own.begin(), own.end());
    }
    step_.assign(k.stages.size(), -1);
    if (!found.empty()) add(k, found);
  }
  bool covers(std::size_t pass) const { return std::find(skipped_.begin(), skipped_.end(), pass) != skipped_.end(); }
  /// The step that has the result of a stage of such a pass, wherever all of them are finite.
  std::int32_t step(std::size_t stage) const { return step_[stage]; }

 private:
  static constexpr std::size_t most_stages = 8, most_terms = 4, most_visited = 64;

  struct sum {
    std::size_t stage, pass;
    std::vector<std::int32_t> terms;  ///< steps that earlier passes are to sum
  };

  void look_at(const lowering::loop_kernel& k, const std::vector<std::size_t>& passes) {
    std::uint32_t inner = 0;
    for (std::size_t i = 0; i < k.loops.size(); ++i)
      if (k.loops[i].inner) inner |= 1u << i;
    for (std::uint32_t d : lowering::loop_dependence(k)) varies_.push_back((d & inner) != 0);
    for (const scalar_step& s : k.body.steps) {
      std::size_t first = lowering::is_stage_result(s) ? passes[lowering::stage_number(s)] + 1 : 0;
      for (int i = 0; i < operand_count(s.op); ++i) first = std::max(first, known_[std::size_t(s.in[i])]);
      known_.push_back(first);
    }
    made_.assign(lowering::count_passes(passes), std::vector<char>(k.body.steps.size(), false));
    for (std::size_t n = 0; n < passes.size(); ++n) mark(k, k.stages[n].step, made_[passes[n]]);
  }
  /// Marks what a step is made of along a row.
  void mark(const lowering::loop_kernel& k, std::int32_t step, std::vector<char>& made) const {
    made[std::size_t(step)] = true;
    std::vector<char> own(std::size_t(step) + 1, false);
    own.back() = true;
    for (std::int32_t n = step; n >= 0; --n) {
      if (!own[std::size_t(n)] || !varies_[std::size_t(n)]) continue;
      made[std::size_t(n)] = true;
      const scalar_step& s = k.body.steps[std::size_t(n)];
      for (int i = 0; i < operand_count(s.op); ++i) own[std::size_t(s.in[i])] = true;
    }
  }
  /// Whether a pass is the first that computes a dear step.
  bool makes_dear_steps(const lowering::loop_kernel& k, std::size_t pass) const {
    for (std::size_t n = 0; n < k.body.steps.size(); ++n) {
      bool before = false;
      for (std::size_t p = 0; p < pass; ++p) before = before || made_[p][n];
      if (made_[pass][n] && !before && is_dear_(k.body.steps[n].op)) return true;
    }
    return false;
  }
  static bool is_plain_sum(const lowering::loop_kernel& k, const lowering::stage& s) {
    const scalar_step& of = k.body.steps[std::size_t(s.step)];
    return s.combine == scalar_op::add && (of.type == f32 || of.type == f64) && of.op != scalar_op::select && s.initial.get<double>() == 0;
  }
  bool can_be_split(const lowering::loop_kernel& k, sum& s) {
    for (const lowering::stage& any : k.stages)  // passes that stop early go on doing so
      if (k.body.steps[std::size_t(any.step)].op == scalar_op::select) return false;
    visited_.clear();
    const std::int32_t step = k.stages[s.stage].step;
    return is_plain_sum(k, k.stages[s.stage]) && varies_[std::size_t(step)] && find_terms(k, step, s);
  }
  /// Follows sums, and products with what stays, down to terms that earlier passes can sum.
  bool find_terms(const lowering::loop_kernel& k, std::int32_t step, sum& of) {
    const std::size_t n = std::size_t(step);
    if (std::find(visited_.begin(), visited_.end(), step) != visited_.end()) return true;
    visited_.push_back(step);
    if (!varies_[n] || visited_.size() > most_visited) return false;
    if (known_[n] < of.pass) {
      of.terms.push_back(step);
      return of.terms.size() <= most_terms && can_be_summed(k, step);
    }
    const scalar_step& s = k.body.steps[n];
    const int other = varying_factor(s);
    if (other >= 0) return find_terms(k, s.in[other], of);
    if (s.op == scalar_op::negate) return find_terms(k, s.in[0], of);
    return (s.op == scalar_op::add || s.op == scalar_op::subtract) && find_terms(k, s.in[0], of) && find_terms(k, s.in[1], of);
  }
  /// Which operand of a product or quotient changes along a row, where the other one does not; -1: it is nothing such.
  int varying_factor(const scalar_step& s) const {
    if (s.op != scalar_op::multiply && s.op != scalar_op::divide) return -1;
    if (varies_[std::size_t(s.in[0])] && !varies_[std::size_t(s.in[1])]) return 0;
    return s.op == scalar_op::multiply && !varies_[std::size_t(s.in[0])] && varies_[std::size_t(s.in[1])] ? 1 : -1;
  }
  /// Whether the pass in which a term is known runs, and reads all it takes anyway.
  bool can_be_summed(const lowering::loop_kernel& k, std::int32_t term) const {
    const std::size_t pass = known_[std::size_t(term)];
    if (covers(pass)) return false;
    std::vector<char> own(k.body.steps.size(), false);
    mark(k, term, own);
    for (std::size_t n = 0; n < own.size(); ++n) {
      const scalar_op op = k.body.steps[n].op;
      const bool costs = op == scalar_op::load || op == scalar_op::lookup || is_dear_(op);
      if (own[n] && costs && varies_[n] && !made_[pass][n]) return false;
    }
    return true;
  }

  /// Adds stages for the terms, in the order of their steps, as stages are; and behind all steps what combines their results.
  void add(lowering::loop_kernel& k, const std::vector<sum>& found) {
    for (const sum& s : found)
      for (std::int32_t t : s.terms)
        if (stage_of(k, t) < 0) k.stages.push_back({t, scalar_op::add, k.stages[s.stage].initial});
    std::vector<std::size_t> order, place(k.stages.size());
    for (std::size_t n = 0; n < k.stages.size(); ++n) order.push_back(n);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return k.stages[a].step < k.stages[b].step; });
    std::vector<lowering::stage> sorted;
    for (std::size_t n : order) place[n] = sorted.size(), sorted.push_back(k.stages[n]);
    k.stages = std::move(sorted);
    for (scalar_step& s : k.body.steps)
      if (lowering::is_stage_result(s)) s.in[0] = lowering::stage_access(place[lowering::stage_number(s)]);
    step_.assign(k.stages.size(), -1);
    for (const sum& s : found) {
      combined_.assign(varies_.size(), -1);
      const std::int32_t r = combined(k, k.stages[place[s.stage]].step, s.pass), zero = k.body.constant(k.stages[place[s.stage]].initial);
      step_[place[s.stage]] = k.body.apply(scalar_op::add, zero, r);  // as sums begin: -0 + 0 is 0
    }
  }
  static int stage_of(const lowering::loop_kernel& k, std::int32_t step) {
    for (std::size_t n = 0; n < k.stages.size(); ++n)
      if (k.stages[n].step == step && is_plain_sum(k, k.stages[n])) return int(n);
    return -1;
  }
  /// What is made of the sums as the step is made of their terms.
  std::int32_t combined(lowering::loop_kernel& k, std::int32_t step, std::size_t pass) {
    if (combined_[std::size_t(step)] >= 0) return combined_[std::size_t(step)];
    const scalar_step s = k.body.steps[std::size_t(step)];
    std::int32_t r;
    if (known_[std::size_t(step)] < pass) r = k.body.load(lowering::stage_access(std::size_t(stage_of(k, step))), s.type);
    else if (s.op == scalar_op::negate) r = k.body.apply(s.op, combined(k, s.in[0], pass));
    else {
      const int other = varying_factor(s);
      const std::int32_t first = other == 1 ? s.in[0] : combined(k, s.in[0], pass), second = other == 0 ? s.in[1] : combined(k, s.in[1], pass);
      r = k.body.apply(s.op, first, second);
    }
    return combined_[std::size_t(step)] = r;
  }

  bool (*is_dear_)(scalar_op) = nullptr;
  std::vector<char> varies_;               ///< by step of the kernel as it was: whether it changes along a row
  std::vector<std::size_t> known_;         ///< the first pass in which it is known
  std::vector<std::vector<char>> made_;    ///< by pass: the steps that its stages take
  std::vector<std::int32_t> visited_, combined_;
  std::vector<std::size_t> skipped_;
  std::vector<std::int32_t> step_;         ///< by stage of the kernel as it is now
};

}  // namespace jacquard::cpu
