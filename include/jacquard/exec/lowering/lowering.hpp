#pragma once
// Lowering: from a simplified jaxpr to loop kernels and the equations that run by themselves, in an order that respects
// dependencies and effects. Shared by the compiled backends. Deliberately without target code and without memory.

#include <limits>

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::lowering {

namespace detail {

class scheduler {
 public:
  scheduler(const jaxpr& p, supported_op supported, rounding r, std::int64_t largest_side)
      : facts_{p, {}, {}, {}, r}, depth_(p.avals.size(), 0), built_(p.avals.size(), -1) {
    const role_finder roles(p, supported, r, largest_side);
    for (const equation& e : p.equations) facts_.roles.push_back(roles.of(e));
    facts_.maker.assign(p.avals.size(), -1);
    for (std::size_t n = 0; n < p.equations.size(); ++n)
      for (variable v : p.outputs(p.equations[n])) facts_.maker[v] = std::int32_t(n);
    facts_.in_memory.assign(p.avals.size(), false);
    for (atom a : p.outvars) keep(a);
    for (std::size_t n = 0; n < p.equations.size(); ++n)
      if (is_single(n) || facts_.roles[n] == role::contraction)
        for (atom a : p.inputs(p.equations[n])) keep(a);
  }

  lowered_program run() {
    for (int round = 0; round < 4; ++round) {
      schedule();
      if (!keep_what_is_computed_twice()) break;
    }
    return ordered();
  }

 private:
  struct group {
    kernel_builder builder;
    int depth;
    std::size_t position;
  };
  struct single {
    std::size_t equation;
    int depth;
  };

  bool is_single(std::size_t n) const { return facts_.roles[n] == role::opaque || facts_.roles[n] == role::alias; }
  void keep(atom a) {
    if (!a.is_literal()) facts_.in_memory[a.index()] = true;
  }

  void schedule() {
    groups_.clear();
    singles_.clear();
    std::fill(depth_.begin(), depth_.end(), 0);
    std::fill(built_.begin(), built_.end(), -1);
    int last_effect = 0;
    const jaxpr& p = facts_.p;
    for (std::size_t n = 0; n < p.equations.size(); ++n) {
      const equation& e = p.equations[n];
      if (!is_single(n)) {
        const variable v = p.outputs(e)[0];
        if (facts_.in_memory[v]) ensure(v);
        continue;
      }
      int depth = 1;
      for (atom a : p.inputs(e))
        if (!a.is_literal()) depth = std::max(depth, 1 + depth_[a.index()]);
      if (e.effects != 0) depth = last_effect = std::max(depth, last_effect + 1);
      for (variable v : p.outputs(e)) depth_[v] = depth;
      singles_.push_back({n, depth});
    }
  }

  /// Puts `v` into a kernel, after what that kernel reads.
  void ensure(variable v) {
    if (built_[v] >= 0) return;
    kernel_builder alone(facts_);
    while (true) {
      alone = kernel_builder(facts_);
      alone.start(v);
      if (alone.needed.empty()) break;
      for (variable u : alone.needed) {
        facts_.in_memory[u] = true;
        ensure(u);
      }
    }
    for (std::size_t g = groups_.size(); g-- > 0 && groups_.size() - g <= 16;)
      if (join(groups_[g], v)) return place(v, int(g));
    const int depth = 1 + depth_of_loads(alone.kernel(), {});
    groups_.push_back({std::move(alone), depth, std::size_t(facts_.maker[v])});
    place(v, int(groups_.size() - 1));
  }
  void place(variable v, int g) {
    built_[v] = g;
    depth_[v] = groups_[std::size_t(g)].depth;
  }
  /// Whether v may be, and now is, computed by a kernel there is already: same loops, and nothing it reads comes later.
  bool join(group& g, variable v) {
    index_map at;
    if (!g.builder.finds_place(v, at)) return false;
    kernel_builder more = g.builder;
    if (!more.add(v, at) || !more.needed.empty() || depth_of_loads(more.kernel(), g.builder.kernel().outputs) >= g.depth) return false;
    g.builder = std::move(more);
    return true;
  }
  int depth_of_loads(const loop_kernel& k, const std::vector<output>& own) const {
    int depth = 0;
    for (const access& a : k.inputs) {
      for (const output& o : own)
        if (o.to.value == a.value) return std::numeric_limits<int>::max();  // read at another index than it is made at
      depth = std::max(depth, depth_[a.value.index()]);
    }
    return depth;
  }

  /// What a kernel computes, each value once.
  static std::vector<variable> own_values(const group& g) {
    std::vector<variable> own = g.builder.computed;
    jacquard::detail::sort_unique(own);
    return own;
  }

  /// Values that are dear and computed by several kernels go to memory. Returns whether there were any.
  bool keep_what_is_computed_twice() {
    std::vector<int> count(facts_.in_memory.size(), 0);
    for (const group& g : groups_) {
      for (variable v : own_values(g)) ++count[v];
    }
    bool any = false;
    for (variable v = 0; v < count.size(); ++v)
      if (count[v] > 1 && !facts_.in_memory[v] && is_dear(v)) {
        facts_.in_memory[v] = true;
        any = true;
      }
    return any;
  }
  bool is_dear(variable v) const {
    const equation& e = *facts_.made_by(v);
    const role r = facts_.roles[std::size_t(facts_.maker[v])];
    if (r == role::reduction || r == role::contraction) return true;
    if (r != role::map) return false;
    int cost = 0;
    for (const scalar_step& s : recorded_alone(facts_.p, e).steps) cost += cost_of(s.op);
    return cost >= 20;
  }

  lowered_program ordered() {
    struct item {
      int depth;
      std::size_t position;
      lowered_step step;
    };
    std::vector<item> items;
    lowered_program r;
    for (const group& g : groups_) {
      items.push_back({g.depth, g.position, {int(r.kernels.size()), 0, false}});
      r.kernels.push_back(g.builder.kernel());
      r.computed.push_back(own_values(g));
    }
    for (const single& s : singles_)
      items.push_back({s.depth, s.equation, {-1, std::uint32_t(s.equation), facts_.roles[s.equation] == role::alias}});
    jacquard::detail::stable_sort(items, [](const item& a, const item& b) {
      return a.depth != b.depth ? a.depth < b.depth : a.position < b.position;
    });
    for (const item& i : items) r.steps.push_back(i.step);
    return r;
  }

  program_facts facts_;
  std::vector<int> depth_;   ///< by variable in memory: how many kernels and equations lie between it and the arguments
  std::vector<int> built_;   ///< by variable: its group, or -1
  std::vector<group> groups_;
  std::vector<single> singles_;
};

}  // namespace detail

/// Lowers a program; `supported` says what the backend computes within loops, `largest_side` how many elements contractions may sum over, and
/// their operands have beside these, that are loops as well. Everything else runs by its own kernel.
/// Complexity: linear in the program but for the search among the last kernels for one to share.
inline lowered_program lower(const jaxpr& p, supported_op supported, rounding r = rounding::fast, std::int64_t largest_side = 0) {
  return detail::scheduler(p, supported, r, largest_side).run();
}

namespace detail {
inline void put_label(text& out, atom a) { out << 'v' << a.index(); }
inline void put_equation(text& t, const jaxpr& p, const equation& e) {
  for (variable v : p.outputs(e)) put_label(t, atom::of_variable(v)), t << ' ';
  t << "= " << e.op->name;
  for (atom a : p.inputs(e)) {
    if (a.is_literal()) jacquard::detail::put_literal(t << ' ', p.literals[a.index()]);
    else put_label(t << ' ', a);
  }
}
}  // namespace detail

/// Listing for people: kernels and equations in order. Variables go by their numbers.
inline text to_text(const jaxpr& p, const lowered_program& l) {
  text t;
  for (const lowered_step& s : l.steps) {
    if (s.kernel >= 0) {
      t << "kernel " << s.kernel << ": ";
      put_kernel(t, l.kernels[std::size_t(s.kernel)], &detail::put_label);
      continue;
    }
    detail::put_equation(t, p, p.equations[s.equation]);
    t << (s.alias ? " (same memory)\n" : "\n");
  }
  return t;
}

/// Listing of which equations run together, for people.
inline text clusters_text(const jaxpr& p, const lowered_program& l) {
  text t;
  for (const lowered_step& s : l.steps) {
    if (s.kernel < 0) {
      detail::put_equation(t << "alone:\n  ", p, p.equations[s.equation]);
      t << (s.alias ? " (same memory)\n" : "\n");
      continue;
    }
    t << "kernel " << s.kernel << ":\n";
    for (const equation& e : p.equations)
      if (l.computes(s.kernel, p, e)) {
        detail::put_equation(t << "  ", p, e);
        t << '\n';
      }
  }
  return t;
}

}  // namespace jacquard::lowering
