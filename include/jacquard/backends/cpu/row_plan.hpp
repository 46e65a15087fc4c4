#pragma once
// What a kernel with stages does along its rows: which stages run in one pass, which steps it keeps from one pass to the next and where,
// and which passes may stop before the end of a row. Deliberately no text: backends/cpu/llvm_text writes what is decided here.

#include <algorithm>
#include <limits>
#include <vector>

#include "jacquard/exec/lowering/loop_kernel.hpp"

namespace jacquard::cpu {

/// A step that is dear and needed by more than one pass: the first of these keeps it for the row.
struct kept_step {
  std::int32_t step = 0;
  std::size_t first = 0;
  std::int32_t output = -1;  ///< it is kept where this output will lie; -1: in memory of its own
};

/// An output of a kernel, by its number, and an input whose memory it must not get.
struct memory_conflict {
  std::size_t output = 0;
  variable input = 0;
};

/// Where a pass may stop before the end of a row, if the condition is a step: the one that says whether an index is below a number of the row. There
/// stages combine their initial values; those that are unsure, one number that may be another one.
struct row_stop {
  std::int32_t condition = -1;
  std::vector<std::size_t> unsure{};
};

class row_plan {
 public:
  row_plan() = default;
  /// `depends` are the loops each step depends on, `elements` the room for a row of one step. `claimed`: steps may be kept where outputs
  /// will lie, unless these take the memory of an input that is read afterwards; it says, by variable, whether they do that where they can.
  /// Of variables that it does not have they will not.
  row_plan(const lowering::loop_kernel& k, const std::vector<std::uint32_t>& depends, int vector_loop, std::int64_t elements, bool (*is_dear)(scalar_op),
           const std::vector<char>* claimed = nullptr)
      : k_(&k), depends_(&depends), vector_loop_(vector_loop), pass_of_(lowering::stage_passes(k)), passes_(lowering::count_passes(pass_of_)) {
    for (std::size_t i = 0; i < k.loops.size(); ++i)
      if (k.loops[i].inner) inner_ |= 1u << i;
    if (k.stages.empty() || inner_ == 0) return;
    std::int64_t room = row_bytes;
    for (std::int32_t n = std::int32_t(k.body.steps.size()); n-- > 0;) {
      const scalar_step& s = step_at(n);
      if ((depends[std::size_t(n)] & inner_) == 0 || !is_dear(s.op) || is_boolean(s.type)) continue;
      std::size_t first = scopes(), uses = 0;
      for (std::size_t scope = 0; scope < scopes(); ++scope)
        if (any_root(scope, [&](std::int32_t root) { return reaches(root, n, scope); }) && uses++ == 0) first = scope;
      if (uses < 2) continue;
      if (const std::int32_t output = claimed ? output_for(n, first, *claimed) : -1; output >= 0) {
        kept_.push_back({n, first, output});
        continue;
      }
      const std::int64_t bytes = elements * (s.type == f64 ? 8 : 4);
      if (bytes > room) continue;
      room -= bytes;
      kept_.push_back({n, first});
    }
  }
  const std::vector<kept_step>& kept() const { return kept_; }
  const kept_step* kept(std::int32_t step) const {
    for (const kept_step& s : kept_)
      if (s.step == step) return &s;
    return nullptr;
  }
  /// Whether something is kept in memory of a row's own.
  bool keeps_rows() const {
    for (const kept_step& s : kept_)
      if (s.output < 0) return true;
    return false;
  }
  /// What must be so for the steps that are kept in outputs.
  const std::vector<memory_conflict>& conflicts() const { return conflicts_; }
  /// Passes over the inner loops; and which one runs a stage.
  std::size_t passes() const { return passes_; }
  std::size_t pass_of(std::size_t stage) const { return pass_of_[stage]; }
  /// How many dear steps a pass computes, or the outputs do that follow all of them.
  std::size_t dear_in(std::size_t scope, bool (*is_dear)(scalar_op)) const {
    std::size_t count = 0;
    for (std::int32_t n = 0; n < std::int32_t(k_->body.steps.size()); ++n) {
      const kept_step* const row = is_dear(step_at(n).op) ? kept(n) : nullptr;
      if (is_dear(step_at(n).op) && !(row && row->first < scope)) count += any_root(scope, [&](std::int32_t root) { return reaches(root, n, scope); });
    }
    return count;
  }
  bool reads_inner(const lowering::output& o) const {
    for (std::size_t i = 0; i < o.to.strides.size(); ++i)
      if ((inner_ >> i & 1u) && o.to.strides[i] != 0) return true;
    return false;
  }
  /// The steps that load what an output may be written over while others still read it there: it is made of that, but of what was kept of it,
  /// so that it does not read it itself.
  std::vector<std::int32_t> read_before(const lowering::output& o) const {
    std::vector<std::int32_t> r;
    for (std::int32_t n = 0; n < o.step && !kept_.empty(); ++n)
      if (step_at(n).op == scalar_op::load && !lowering::is_stage_result(step_at(n)) && lowering::same_strides(k_->inputs[std::size_t(step_at(n).in[0])], o.to) &&
          !reaches(o.step, n, passes_) && any_root(passes_, [&](std::int32_t root) { return reaches(root, n, passes_); }))
        r.push_back(n);
    return r;
  }
  /// Where a pass may stop along the vector loop: where a condition begins not to hold after which it combines nothing but initial values, the
  /// same for all its stages; nowhere if there is none, or somebody else looks at what it would keep further on.
  row_stop stop_of(std::size_t pass) const {
    row_stop r;
    for (std::size_t n = 0; n < pass_of_.size(); ++n)
      if (pass_of_[n] == pass && r.condition < 0) r.condition = condition_of(k_->stages[n].step, &k_->stages[n].initial);
    for (std::size_t n = 0; n < pass_of_.size() && r.condition >= 0; ++n) {
      if (pass_of_[n] != pass || condition_of(k_->stages[n].step, &k_->stages[n].initial) == r.condition) continue;
      if (!is_alike_beyond(k_->stages[n].step, r.condition)) return {};
      r.unsure.push_back(n);
    }
    for (const kept_step& s : kept_)
      for (std::size_t scope = 0; scope < scopes() && r.condition >= 0; ++scope)
        if (s.first == pass && scope != pass &&
            any_root(scope, [&](std::int32_t root) { return reaches(root, s.step, scope, -1, r.condition); }))
          return {};
    return r;
  }

 private:
  /// A row may take so many bytes: half of a usual first-level cache.
  static constexpr std::int64_t row_bytes = 24 << 10;

  const scalar_step& step_at(std::int32_t n) const { return k_->body.steps[std::size_t(n)]; }
  /// Passes, and where outputs are written.
  std::size_t scopes() const { return passes_ + 1; }
  /// Whether f holds for a step that a scope ends in.
  template <class F>
  bool any_root(std::size_t scope, F&& f) const {
    bool any = false;
    for (std::size_t n = 0; n < pass_of_.size(); ++n) any = any || (pass_of_[n] == scope && f(k_->stages[n].step));
    if (scope < passes_) return any;
    for (const lowering::output& o : k_->outputs) any = any || (reads_inner(o) && f(o.step));
    return any;
  }
  /// Whether `scope` computes step `to` on the way to `from`, given what is kept, and other than through `beside` or what is selected where
  /// `condition` holds. Complexity: linear.
  bool reaches(std::int32_t from, std::int32_t to, std::size_t scope, std::int32_t beside = -1, std::int32_t condition = -1) const {
    if (from < to) return false;
    std::vector<char> made_of(std::size_t(from - to) + 1, false);  // by step, from `to` on
    made_of[0] = true;
    for (std::int32_t n = to + 1; n <= from; ++n) {
      if (n == beside || std::any_of(kept_.begin(), kept_.end(), [&](const kept_step& s) { return s.step == n && s.first != scope; })) continue;
      const scalar_step& s = step_at(n);
      for (int i = 0; i < operand_count(s.op); ++i)
        if (s.in[i] >= to && made_of[std::size_t(s.in[i] - to)] && !(i == 1 && s.op == scalar_op::select && s.in[0] == condition)) made_of[std::size_t(n - to)] = true;
    }
    return made_of.back();
  }
  /// An output that may hold the elements of a step until it is written itself: it has one for each iteration, and is not given the memory
  /// of something that is read after the step was kept. That step itself, or one that is made of it: others that are would find it overwritten.
  /// -1 if there is none.
  std::int32_t output_for(std::int32_t step, std::size_t first, const std::vector<char>& claimed) {
    for (std::size_t n = 0; n < k_->outputs.size(); ++n)
      if (k_->outputs[n].step == step && can_keep(n, step, first, claimed)) return std::int32_t(n);
    for (std::size_t n = 0; n < k_->outputs.size(); ++n)
      if (reaches(k_->outputs[n].step, step, passes_) && can_keep(n, step, first, claimed)) return std::int32_t(n);
    return -1;
  }
  /// Whether output n may hold a step, and nothing else is kept there. If so, conflicts() has what must be so.
  bool can_keep(std::size_t n, std::int32_t step, std::size_t first, const std::vector<char>& claimed) {
    const lowering::access& to = k_->outputs[n].to;
    bool fits = to.type == step_at(step).type && (to.type == f32 || to.type == f64) && vector_loop_ >= 0 && (inner_ >> vector_loop_ & 1u) &&
                to.strides[std::size_t(vector_loop_)] == 1;
    for (std::size_t i = 0; i < k_->loops.size(); ++i) fits = fits && to.strides[i] != 0;
    for (const kept_step& s : kept_) fits = fits && s.output != std::int32_t(n);
    std::vector<memory_conflict> conflicts;
    for (std::int32_t load = 0; fits && load < std::int32_t(k_->body.steps.size()); ++load) {
      if (step_at(load).op != scalar_op::load || step_at(load).in[0] < 0) continue;
      const lowering::access& from = k_->inputs[std::size_t(step_at(load).in[0])];
      if (from.type != to.type || from.offset != to.offset || !lowering::same_strides(from, to) || !is_read_after(load, step, first)) continue;
      const variable v = from.value.index();
      fits = v >= claimed.size() || !claimed[v];
      conflicts.push_back({n, v});
    }
    if (fits) conflicts_.insert(conflicts_.end(), conflicts.begin(), conflicts.end());
    return fits;
  }
  /// Whether an input is read once `step` has been kept in pass `first`.
  bool is_read_after(std::int32_t load, std::int32_t step, std::size_t first) const {
    for (std::size_t scope = first; scope < scopes(); ++scope)
      if (!(scope == first && reaches(step, load, first)) &&
          any_root(scope, [&](std::int32_t root) { return root != step && reaches(root, load, scope, step); }))
        return true;
    return false;
  }
  /// Whether a step is one number all along a row where the condition does not hold. Complexity: linear.
  bool is_alike_beyond(std::int32_t step, std::int32_t condition) const {
    std::vector<char> alike;
    for (std::int32_t n = 0; n <= step; ++n) {
      const scalar_step& s = step_at(n);
      bool r = (*depends_)[std::size_t(n)] & inner_ ? operand_count(s.op) > 0 && s.op != scalar_op::lookup : true;
      if (s.op == scalar_op::select && s.in[0] == condition) r = alike[std::size_t(s.in[2])];
      else if (r && ((*depends_)[std::size_t(n)] & inner_) != 0)
        for (int i = 0; i < operand_count(s.op); ++i) r = r && alike[std::size_t(s.in[i])];
      alike.push_back(r);
    }
    return alike.back();
  }
  /// The condition of select(index of the vector loop < n, x, otherwise) with one n a row; else -1. Any `otherwise` if it is null.
  std::int32_t condition_of(std::int32_t step, const literal* otherwise) const {
    const scalar_step& s = step_at(step);
    if (s.op != scalar_op::select || vector_loop_ < 0 || !(inner_ >> vector_loop_ & 1u)) return -1;
    if (const scalar_step& other = step_at(s.in[2]); otherwise && !(other.op == scalar_op::constant && same_value(other.value, *otherwise))) return -1;
    const scalar_step& below = step_at(s.in[0]);
    if (below.op != scalar_op::less || ((*depends_)[std::size_t(below.in[1])] & inner_) != 0) return -1;
    const dtype t = step_at(below.in[1]).type;  // narrower indices would start again from below
    if (t != i64 && !(t == i32 && k_->loops[std::size_t(vector_loop_)].extent <= std::numeric_limits<std::int32_t>::max())) return -1;
    const scalar_step& index = step_at(step_at(below.in[0]).op == scalar_op::convert ? step_at(below.in[0]).in[0] : below.in[0]);
    return index.op == scalar_op::index && index.in[0] == vector_loop_ ? s.in[0] : -1;
  }
  static bool same_value(const literal& a, const literal& b) { return a.type == b.type && a.low == b.low && a.high == b.high; }

  const lowering::loop_kernel* k_ = nullptr;
  const std::vector<std::uint32_t>* depends_ = nullptr;
  int vector_loop_ = -1;
  std::uint32_t inner_ = 0;
  std::vector<std::size_t> pass_of_;
  std::size_t passes_ = 0;
  std::vector<kept_step> kept_;
  std::vector<memory_conflict> conflicts_;
};

}  // namespace jacquard::cpu
