#pragma once
// Demand: where the elements of each value are wanted, and what it costs to compute one of them. A value that is wanted at several places of
// the kernels that read it is computed at each of them, with everything it is made of; chains of such values multiply. Those for which a pass
// through memory costs less are found here, before any kernel is built. Deliberately an estimate, made in linear time: kernels decide for
// themselves what else they cannot hold, and exec/lowering/lowering corrects what was computed twice after all.

#include <algorithm>

#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::lowering::detail {

/// Quotients and roots of vectors take as long as a dozen sums, whatever one number takes.
constexpr bool is_divided(scalar_op op) { return op == scalar_op::divide || op == scalar_op::sqrt || op == scalar_op::rsqrt; }
inline constexpr int quotient_cost = 12;

/// What a pass through memory costs, as steps of a kernel for each element; and so many elements cost as much as one kernel more.
inline constexpr double memory_cost = 24;
inline constexpr std::int64_t kernel_cost = 64;

/// Whether to compute a value for `copies` times its elements costs more than its way through memory, where one element takes `cost` steps.
constexpr bool is_dearer_than_memory(double copies, double cost, std::int64_t elements) {
  return (copies - 1) * cost * double(elements) > memory_cost * double(elements + kernel_cost);
}

inline bool equal_maps(const index_map& a, const index_map& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// The share of the iterations over `loops` whose element, at `at`, lies in a part of a result.
inline double share_of(const result_part& part, const index_map& at, const shape& loops) {
  double share = 1;
  for (std::size_t d = 0; d < at.size(); ++d) {
    const index_source& s = at[d];
    const std::int64_t last = s.start + (s.loop < 0 ? 0 : s.step * (loops[s.loop] - 1));
    const std::int64_t from = std::min(s.start, last), to = std::max(s.start, last) + 1;
    const std::int64_t common = std::min(to, part.end[int(d)]) - std::max(from, part.begin[int(d)]);
    share *= double(std::max<std::int64_t>(common, 0)) / double(to - from);
  }
  return share;
}

/// The steps that one element of an elementwise equation takes, given its operands'.
inline int own_cost(const program_facts& f, const equation& e) {
  int cost = 0;
  for (const scalar_step& s : recorded_alone(f.p, e, f.rounds).steps)
    if (s.op != scalar_op::load && s.op != scalar_op::constant) cost += is_divided(s.op) ? quotient_cost : cost_of(s.op);
  return cost;
}

/// What looking up an element takes as steps, its indices given; and asking whether an update is put there.
inline constexpr double lookup_cost = 24, spot_cost = 3;
/// Whether the elements that are looked up are computed where they are wanted: their table is not in memory.
inline bool is_looked_into(const program_facts& f, const equation& e) {
  const atom table = f.p.inputs(e)[0];
  return !table.is_literal() && !f.in_memory[table.index()];
}
/// Where an element of such a table is read for one that is looked up at `at`: somewhere along the dimensions that have computed indices.
inline index_map looked_up_at(const jaxpr& p, const equation& e, const index_map& at) {
  std::vector<aval> in;
  return composed(lookup_of(p, e, in).from, at);
}
/// Where an element that is read at `at` has the update that may be put there.
inline index_map update_at(const jaxpr& p, const equation& e, const index_map& at) {
  std::vector<aval> in;
  return *only_update(put_of(p, e, in), at);
}
/// Calls f(operand, where it is read) for what the indices of a lookup, or of what is put, come from, at `at`.
template <class F>
void each_index(const jaxpr& p, const equation& e, const index_map& at, F&& f) {
  std::vector<aval> in;
  const lookup_call c = e.op->put ? put_of(p, e, in) : lookup_of(p, e, in);
  for (const lookup_call::entry& each : c.entries) f(p.inputs(e)[each.operand], composed(each.from, at));
}

/// Counts the steps that one element of a value takes.
class cost_finder {
 public:
  explicit cost_finder(const program_facts& f) : f_(&f), own_(f.p.equations.size(), -1) {}

  /// Steps for an element of `v`, with all that is not in memory; equal elements of equal values count once. No more than about
  /// `most_visited` values are looked at: what is larger counts as that large. Complexity: constant.
  double of(variable v) {
    root_ = v;
    loops_ = f_->p.avals[v].dims;
    seen_.clear();
    return visit(atom::of_variable(v), identity_map(loops_), 1);
  }

 private:
  static constexpr std::size_t most_visited = 64;
  static constexpr double least_share = 1. / 16;  ///< of the iterations: what fewer of them take is not looked at

  struct place {
    variable v;
    index_map at;
  };
  double visit(atom a, const index_map& at, double share) {
    if (a.is_literal() || seen_.size() > most_visited || share < least_share) return 0;
    const variable v = a.index();
    for (const place& s : seen_)
      if (s.v == v && equal_maps(s.at, at)) return 0;
    seen_.push_back({v, at});
    if (seen_.size() > most_visited) return most_visited;
    const std::int32_t n = f_->maker[v];
    const role r = n < 0 ? role::opaque : f_->roles[std::size_t(n)];
    if (r == role::opaque || r == role::alias || r == role::put || (v != root_ && f_->in_memory[v])) return share;
    if (r == role::reduction || r == role::contraction) return most_visited;
    const equation& e = f_->p.equations[std::size_t(n)];
    if (r == role::lookup) {
      double cost = share * lookup_cost;
      if (is_looked_into(*f_, e)) cost += visit(f_->p.inputs(e)[0], looked_up_at(f_->p, e, at), share);
      each_index(f_->p, e, at, [&](atom i, const index_map& from) { cost += visit(i, from, share); });
      return cost;
    }
    if (r == role::spot) {
      const index_map update = update_at(f_->p, e, at);
      double cost = share * spot_cost + visit(f_->p.inputs(e)[e.op->puts], update, share);
      each_index(f_->p, e, update, [&](atom i, const index_map& from) { cost += visit(i, from, share); });
      return cost;
    }
    if (r == role::view) return visit(f_->p.inputs(e)[0], viewed_map(f_->p, e, at), share);
    double cost = 0;
    if (r == role::map) {
      cost = share * own_cost(std::size_t(n));
      for (atom x : f_->p.inputs(e)) cost += visit(x, leading(at, f_->p.type_of(x).rank()), share);
    } else {
      std::vector<aval> in;
      const parts_call c = parts_of(f_->p, e, in);
      double rest = share;
      for (const result_part& part : c.parts) {
        const double own = share * share_of(part, at, loops_);
        cost += visit(f_->p.inputs(e)[part.operand], shifted(at, part), own);
        rest -= own;
      }
      if (c.elsewhere >= 0 && !is_one_value(c) && rest > 0) cost += visit(f_->p.inputs(e)[std::size_t(c.elsewhere)], at, rest);
    }
    return cost;
  }
  int own_cost(std::size_t n) {
    if (own_[n] < 0) own_[n] = detail::own_cost(*f_, f_->p.equations[n]);
    return own_[n];
  }

  const program_facts* f_;
  std::vector<int> own_;  ///< by equation; -1: not asked yet
  variable root_ = 0;
  shape loops_;
  std::vector<place> seen_;
};

/// Puts into memory what is dearer to compute wherever it is wanted.
class demand_finder {
 public:
  /// `few`: values of no more elements are left alone.
  demand_finder(program_facts& f, std::int64_t few) : f_(f), few_(few), costs_(f), wanted_(f.p.avals.size()), height_(f.p.avals.size(), 0), is_read_(f.p.avals.size(), true) {
    for (const equation& e : f.p.equations) {
      bool reads = e.effects != 0;
      for (atom a : f.p.inputs(e)) reads = reads || (!a.is_literal() && is_read_[a.index()]);
      for (variable v : f.p.outputs(e)) is_read_[v] = reads;
    }
  }

  /// From the last equation to the first, values are taken for dear by all they are made of; then, in order, those are given up of which what
  /// lies in memory has left too little. Complexity: linear in the program.
  void run() {
    struct choice {
      variable v;
      double copies;
    };
    std::vector<choice> chosen;
    const jaxpr& p = f_.p;
    for (std::size_t n = p.equations.size(); n-- > 0;) {
      const equation& e = p.equations[n];
      const role r = f_.roles[n];
      if (r == role::opaque || r == role::alias) {
        int height = 0;
        for (variable v : p.outputs(e)) height = std::max(height, height_[v]);
        for (atom a : p.inputs(e)) rise(a, height + 1);
        continue;
      }
      for (variable v : p.outputs(e)) {
        std::vector<demand> from = std::move(wanted_[v]);
        if (!f_.in_memory[v] && (r == role::map || r == role::parts) && p.avals[v].elements() > few_) {
          const double copies = copies_of(v, from);
          if (copies >= 1.5 && is_dearer_than_memory(copies, costs_.of(v), p.avals[v].elements())) {
            f_.in_memory[v] = true;
            chosen.push_back({v, copies});
            for (const demand& d : from) height_[v] = std::max(height_[v], height_of_source(v, d));
          }
        }
        if (f_.in_memory[v]) from = {whole(v, height_[v], false)};
        for (const demand& d : from) pass_on(e, r, d);
      }
    }
    for (std::size_t i = chosen.size(); i-- > 0;) {
      const variable v = chosen[i].v;
      f_.in_memory[v] = is_dearer_than_memory(chosen[i].copies, costs_.of(v), p.avals[v].elements());
    }
  }

 private:
  /// Iterations of a kernel want elements of a value.
  struct demand {
    shape loops;
    index_map at;
    double count;     ///< how many iterations do
    int height;       ///< how many kernels at most wait for that one, one after another; those of equal height, with equal loops, may be one
    bool any_height;  ///< a reduction, which any kernel with the same loops may take in
  };
  static constexpr std::size_t most_demands = 12;  ///< looked at apart for one value; more count as the last of them

  demand whole(variable v, int height, bool any_height) const {
    const shape& dims = f_.p.avals[v].dims;
    return {dims, identity_map(dims), double(f_.p.avals[v].elements()), height, any_height};
  }
  double copies_of(variable v, const std::vector<demand>& demands) const {
    double n = 0;
    for (const demand& d : demands) n += d.count;
    return n / double(f_.p.avals[v].elements());
  }
  /// The height of `v` in memory, read like that: a kernel that reads each element where it computes one may be the same.
  int height_of_source(variable v, const demand& d) const {
    const shape& dims = f_.p.avals[v].dims;
    return d.loops == dims && equal_maps(d.at, identity_map(dims)) ? d.height : d.height + 1;
  }
  void rise(atom a, int height) {
    if (!a.is_literal()) height_[a.index()] = std::max(height_[a.index()], height);
  }
  void add(atom a, demand d) {
    if (a.is_literal() || f_.maker[a.index()] < 0 || d.count <= 0) return;
    const variable v = a.index();
    const role r = f_.roles[std::size_t(f_.maker[v])];
    if (r == role::opaque || r == role::alias || f_.in_memory[v]) return rise(a, height_of_source(v, d));
    // A kernel computes what the loops within do not change before them, but not what those around do not. What is made of the numbers of loops
    // alone, as an identity matrix is, is mostly known when the kernel is written; and kernels of several boxes may share what they want.
    double elements = 1, rounds = 1, outer = 1;
    for (int i = 0; i < d.loops.rank(); ++i) {
      outer *= double(d.loops[i]);
      if (std::any_of(d.at.begin(), d.at.end(), [&](const index_source& s) { return s.loop == i; })) elements *= double(d.loops[i]), rounds = outer;
    }
    d.count = std::min(d.count, is_read_[v] ? rounds : elements);
    for (demand& known : wanted_[v])
      if (known.loops == d.loops && equal_maps(known.at, d.at) && (known.height == d.height || known.any_height || d.any_height)) {
        known.count = std::min(known.count + d.count, std::max({elements, known.count, d.count}));
        if (known.any_height) known.height = d.height, known.any_height = d.any_height;
        return;
      }
    if (wanted_[v].size() < most_demands) wanted_[v].push_back(std::move(d));
    else wanted_[v].back().count += d.count;
  }
  void pass_on(const equation& e, role r, const demand& d) {
    const jaxpr& p = f_.p;
    const auto elsewhere = [&](atom a, index_map at, double count) { add(a, {d.loops, std::move(at), count, d.height, d.any_height}); };
    if (r == role::view) elsewhere(p.inputs(e)[0], viewed_map(p, e, d.at), d.count);
    else if (r == role::lookup) {
      if (is_looked_into(f_, e)) elsewhere(p.inputs(e)[0], looked_up_at(p, e, d.at), d.count);
      else rise(p.inputs(e)[0], d.height + 1);
      each_index(p, e, d.at, [&](atom a, const index_map& from) { elsewhere(a, from, d.count); });
    } else if (r == role::spot) {
      const index_map update = update_at(p, e, d.at);
      elsewhere(p.inputs(e)[e.op->puts], update, d.count);
      each_index(p, e, update, [&](atom a, const index_map& from) { elsewhere(a, from, d.count); });
    } else if (r == role::put) {
      const atom updates = p.inputs(e)[e.op->puts];
      const shape loops = p.type_of(updates).dims;
      const demand each{loops, identity_map(loops), double(loops.elements()), d.height, false};
      rise(p.inputs(e)[0], d.height + 1);
      add(updates, each);
      each_index(p, e, each.at, [&](atom a, const index_map& from) { add(a, {loops, from, each.count, d.height, false}); });
    } else if (r == role::map)
      for (atom a : p.inputs(e)) elsewhere(a, leading(d.at, p.type_of(a).rank()), d.count);
    else if (r == role::parts) {
      std::vector<aval> in;
      const parts_call c = parts_of(p, e, in);
      double rest = d.count;
      for (const result_part& part : c.parts) {
        const double own = d.count * share_of(part, d.at, d.loops);
        elsewhere(p.inputs(e)[part.operand], shifted(d.at, part), own);
        rest -= own;
      }
      if (c.elsewhere >= 0 && !is_one_value(c) && rest > 0) elsewhere(p.inputs(e)[std::size_t(c.elsewhere)], d.at, rest);
    } else if (r == role::reduction) {
      if (const atom a = p.inputs(e)[0]; !a.is_literal()) add(a, whole(a.index(), d.height, true));
    } else
      for (atom a : p.inputs(e)) rise(a, d.height + 1);
  }

  program_facts& f_;
  std::int64_t few_;
  cost_finder costs_;
  std::vector<std::vector<demand>> wanted_;  ///< by variable
  std::vector<int> height_;                  ///< by variable in memory
  std::vector<bool> is_read_;                ///< by variable: something in memory is among what it is made of
};

}  // namespace jacquard::lowering::detail
