#pragma once
// Passes over rows that need not run: a sum of terms that are linear in what earlier passes know, with factors that are the same all along a
// row, is that combination of sums, which those passes make along with their own. So the mean of a gradient of a normalisation waits for no
// pass of its own. Deliberately no text, and no promise about sums that are not finite, or whose parts nearly cancel, so that the errors of these
// would show: there the pass runs after all, see backends/cpu/llvm_stages.

#include <algorithm>
#include <limits>
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
  /// The step that has the result of a stage of such a pass, wherever all of them are finite; it is NaN where its parts nearly cancel.
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
    return s.combine == scalar_op::add && (of.type == f32 || of.type == f64) && s.initial.get<double>() == 0;
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
      combined_.assign(varies_.size(), {});
      step_[place[s.stage]] = unless_cancelled(k, combined(k, k.stages[place[s.stage]].step, s.pass), k.stages[place[s.stage]].initial);
    }
  }
  static int stage_of(const lowering::loop_kernel& k, std::int32_t step) {
    for (std::size_t n = 0; n < k.stages.size(); ++n)
      if (k.stages[n].step == step && is_plain_sum(k, k.stages[n])) return int(n);
    return -1;
  }
  /// A sum, and how large its parts are together; -1: it is all there is.
  struct combination {
    std::int32_t sum = -1, size = -1;
  };
  /// What is made of the sums as the step is made of their terms.
  combination combined(lowering::loop_kernel& k, std::int32_t step, std::size_t pass) {
    if (combined_[std::size_t(step)].sum >= 0) return combined_[std::size_t(step)];
    const scalar_step s = k.body.steps[std::size_t(step)];
    combination r;
    if (known_[std::size_t(step)] < pass) r.sum = k.body.load(lowering::stage_access(std::size_t(stage_of(k, step))), s.type);
    else if (s.op == scalar_op::negate) {
      r = combined(k, s.in[0], pass);
      r.sum = k.body.apply(s.op, r.sum);
    } else if (const int varying = varying_factor(s); varying >= 0) {
      const std::int32_t factor = s.in[1 - varying];
      r = combined(k, s.in[varying], pass);
      r.sum = varying == 0 ? k.body.apply(s.op, r.sum, factor) : k.body.apply(s.op, factor, r.sum);
      if (r.size >= 0) r.size = k.body.apply(s.op, r.size, k.body.apply(scalar_op::abs, factor));
    } else {
      const combination a = combined(k, s.in[0], pass), b = combined(k, s.in[1], pass);
      r.sum = k.body.apply(s.op, a.sum, b.sum);
      r.size = k.body.apply(scalar_op::add, size_of_parts(k, a), size_of_parts(k, b));
    }
    return combined_[std::size_t(step)] = r;
  }
  static std::int32_t size_of_parts(lowering::loop_kernel& k, const combination& c) {
    if (c.size >= 0) return c.size;
    return k.body.apply(scalar_op::abs, c.sum);
  }
  /// The result of a sum that is combined so; NaN where its parts are so much larger that terms which cancel one by one lose less to rounding.
  static std::int32_t unless_cancelled(lowering::loop_kernel& k, const combination& c, const literal& initial) {
    constexpr double most_times = 16;
    const std::int32_t r = k.body.apply(scalar_op::add, k.body.constant(initial), c.sum);  // as sums begin: -0 + 0 is 0
    if (c.size < 0) return r;
    const dtype t = k.body.steps[std::size_t(r)].type;
    const std::int32_t most = k.body.apply(scalar_op::multiply, k.body.apply(scalar_op::abs, c.sum), k.body.constant_among(t, most_times));
    const std::int32_t none = k.body.constant_among(t, std::numeric_limits<double>::quiet_NaN());
    return k.body.apply(scalar_op::select, k.body.apply(scalar_op::less_equal, c.size, most), r, none);
  }

  bool (*is_dear_)(scalar_op) = nullptr;
  std::vector<char> varies_;               ///< by step of the kernel as it was: whether it changes along a row
  std::vector<std::size_t> known_;         ///< the first pass in which it is known
  std::vector<std::vector<char>> made_;    ///< by pass: the steps that its stages take
  std::vector<std::int32_t> visited_;
  std::vector<combination> combined_;
  std::vector<std::size_t> skipped_;
  std::vector<std::int32_t> step_;         ///< by stage of the kernel as it is now
};

}  // namespace jacquard::cpu
