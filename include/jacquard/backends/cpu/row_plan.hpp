#pragma once
// What a kernel with stages does along its rows: which steps it keeps from one stage to the next, and which stages may stop before
// the end of a row. Deliberately no text: backends/cpu/llvm_text writes what is decided here.

#include <limits>

#include "jacquard/exec/lowering/loop_kernel.hpp"

namespace jacquard::cpu {

/// A step that is dear and needed by more than one stage: the first of these keeps it for the row.
struct kept_step {
  std::int32_t step = 0;
  std::size_t first = 0;
};

class row_plan {
 public:
  row_plan() = default;
  /// `depends` are the loops each step depends on, `elements` the room for a row of one step.
  row_plan(const lowering::loop_kernel& k, const std::vector<std::uint32_t>& depends, int vector_loop, std::int64_t elements, bool (*is_dear)(scalar_op))
      : k_(&k), depends_(&depends), vector_loop_(vector_loop) {
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
      const std::int64_t bytes = elements * (s.type == f64 ? 8 : 4);
      if (uses < 2 || bytes > room) continue;
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
  bool reads_inner(const lowering::output& o) const {
    for (std::size_t i = 0; i < o.to.strides.size(); ++i)
      if ((inner_ >> i & 1u) && o.to.strides[i] != 0) return true;
    return false;
  }
  /// The step that is the number of elements along the vector loop after which a stage combines nothing but its initial value, the
  /// same for the whole row. -1 if there is none, or somebody else looks at what it would keep further on.
  std::int32_t stop_of(std::size_t stage) const {
    const std::int32_t condition = condition_of(k_->stages[stage].step, &k_->stages[stage].initial);
    if (condition < 0) return -1;
    for (const kept_step& s : kept_)
      for (std::size_t scope = 0; scope < scopes(); ++scope)
        if (s.first == stage && scope != stage &&
            any_root(scope, [&](std::int32_t root) { return reaches(root, s.step, scope) && condition_of(root, nullptr) != condition; }))
          return -1;
    return step_at(condition).in[1];
  }

 private:
  /// A row may take so many bytes: half of a usual first-level cache.
  static constexpr std::int64_t row_bytes = 24 << 10;

  const scalar_step& step_at(std::int32_t n) const { return k_->body.steps[std::size_t(n)]; }
  /// Stages, and where outputs are written.
  std::size_t scopes() const { return k_->stages.size() + 1; }
  /// Whether f holds for a step that a scope ends in.
  template <class F>
  bool any_root(std::size_t scope, F&& f) const {
    if (scope < k_->stages.size()) return f(k_->stages[scope].step);
    bool any = false;
    for (const lowering::output& o : k_->outputs) any = any || (reads_inner(o) && f(o.step));
    return any;
  }
  /// Whether `scope` computes step `to` on the way to `from`, given what is kept.
  bool reaches(std::int32_t from, std::int32_t to, std::size_t scope) const {
    if (from == to) return true;
    if (from < to) return false;
    for (const kept_step& s : kept_)
      if (s.step == from && s.first != scope) return false;
    const scalar_step& s = step_at(from);
    for (int i = 0; i < operand_count(s.op); ++i)
      if (reaches(s.in[i], to, scope)) return true;
    return false;
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
  std::vector<kept_step> kept_;
};

}  // namespace jacquard::cpu
