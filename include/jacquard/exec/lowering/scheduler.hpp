#pragma once
// The schedule of a lowered program: what has to lie in memory, which kernels compute it, and an order of these and of the equations that run by
// themselves which respects dependencies and effects. Deliberately builds no kernel itself: exec/lowering/clusters does.

#include <algorithm>
#include <limits>

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/demand.hpp"
#include "jacquard/exec/lowering/joined_boxes.hpp"
#include "jacquard/exec/lowering/late_writes.hpp"
#include "jacquard/exec/lowering/live_steps.hpp"
#include "jacquard/exec/lowering/pass_limiter.hpp"
#include "jacquard/exec/lowering/row_blocks.hpp"
#include "jacquard/exec/lowering/sections.hpp"

namespace jacquard::lowering::detail {

class scheduler {
 public:
  scheduler(const jaxpr& p, supported_op supported, rounding r, const loop_limits& limits, bool in_registers, bool in_blocks)
      : facts_{p, {}, {}, {}, {}, {}, r}, in_registers_(in_registers), in_blocks_(in_blocks), depth_(p.avals.size(), 0), built_(p.avals.size(), -1) {
    const role_finder roles(p, supported, r, limits);
    for (const equation& e : p.equations) facts_.roles.push_back(roles.of(e));
    facts_.maker = makers_of(p);
    facts_.find_readers();
    facts_.in_memory.assign(p.avals.size(), false);
    facts_.apart = facts_.in_memory;
    for (atom a : p.outvars) keep(a);
    if (in_blocks) pair_vector_products(facts_, supported);
    for (std::size_t n = 0; n < p.equations.size(); ++n)
      if (is_single(n) || facts_.roles[n] == role::contraction)
        for (atom a : p.inputs(p.equations[n])) keep(a);
    keep_tables();
    keep_what_is_found_again(), has_long_chains_ = pass_limiter(facts_).run();
    section_cutter(facts_).run();
    demand_finder(facts_, in_registers ? smallest_part : 0).run();
  }

  lowered_program run() {
    for (int round = 0; round < 4; ++round) {
      schedule();
      if (!(!has_long_chains_ && keep_reductions_that_share_work()) && !keep_what_is_computed_twice()) break;  // what is kept ends long chains
    }
    return ordered();
  }

 private:
  struct group {
    std::vector<kernel_builder> parts;  ///< one, or one for each box of a value
    int depth;
    std::size_t position;
  };
  struct single {
    std::size_t equation;
    int depth;
  };

  bool is_single(std::size_t n) const { return facts_.is_single(n); }
  void keep(atom a) {
    if (!a.is_literal()) facts_.in_memory[a.index()] = true;
  }

  /// What elements are looked up in, or put into, lies in memory, unless few are looked up in what can be computed there; and where another
  /// equation may write over that, they are looked up before, unless they are for that one alone.
  void keep_tables() {
    const jaxpr& p = facts_.p;
    std::vector<char> overwritten(p.avals.size(), false);
    for (const equation& e : p.equations)
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = p.inputs(e)[k]; !a.is_literal() && (e.op->overwrites == int(k) || (e.op->elementwise && same_type(p.avals[a.index()], p.avals[p.outputs(e)[0]]))))
          overwritten[a.index()] = true;
    for (std::size_t n = 0; n < p.equations.size(); ++n) {
      if (facts_.roles[n] != role::lookup && facts_.roles[n] != role::put) continue;
      const equation& e = p.equations[n];
      const atom table = p.inputs(e)[0];
      const std::vector<variable> sources = in_registers_ || facts_.roles[n] == role::put ? std::vector<variable>() : computed_from(facts_, e);
      const auto is_overwritten = [&](variable v) { return bool(overwritten[v]); };
      bool first = facts_.roles[n] == role::put || std::any_of(sources.begin(), sources.end(), is_overwritten);
      if (sources.empty()) {
        keep(table);
        first = first || (!table.is_literal() && is_overwritten(table.index()) && !facts_.is_replaced(p.outputs(e)[0], table));
      }
      if (facts_.roles[n] == role::put && is_large_window(e)) keep(p.inputs(e)[e.op->puts]);
      if (first) facts_.in_memory[p.outputs(e)[0]] = true;
    }
  }

  /// Whether what is put is so much, all of it at one place, that threads had better compute it: kernels that put run on one.
  bool is_large_window(const equation& e) const {
    std::vector<aval> in;
    const lookup_call c = put_of(facts_.p, e, in);
    return c.out.elements() >= large_window && std::all_of(c.entries.begin(), c.entries.end(), [](const lookup_call::entry& each) { return each.from.empty(); });
  }

  /// Numbers that are compared with one chosen from among them, as the derivative of a maximum does, lie in memory: computed once more, in
  /// another kernel or pass, they may be rounded otherwise, and then none of them is the maximum. What is only chosen from memory is not rounded.
  /// Complexity: linear in the program, but for the few equations between a comparison and what is compared, or between that and memory.
  void keep_what_is_found_again() {
    if (facts_.rounds == rounding::strict) return;
    const jaxpr& p = facts_.p;
    for (std::size_t n = 0; n < p.equations.size(); ++n) {
      const equation& e = p.equations[n];
      if (facts_.roles[n] != role::map || !is_boolean(p.avals[p.outputs(e)[0]].type)) continue;
      for (atom a : p.inputs(e)) {
        if (a.is_literal() || !is_inexact(p.type_of(a).type)) continue;
        const variable v = facts_.rearranged(a.index());
        if (facts_.maker[v] < 0 || is_single(std::size_t(facts_.maker[v]))) continue;
        for (atom b : p.inputs(e))
          if (int left = 16; !(b == a) && !b.is_literal() && is_chosen_from(b.index(), v) && !is_exact(v, left)) facts_.in_memory[v] = facts_.apart[v] = true;
      }
    }
  }
  /// Whether `v` has the same bits wherever it is computed, and is read there as it lies in memory or as one number for several: so are whole numbers,
  /// and what is chosen from values that are. No more than `left` values are looked at.
  bool is_exact(variable v, int& left) const {
    const std::int32_t n = facts_.maker[v];
    if (n < 0 || facts_.apart[v] || is_single(std::size_t(n))) return true;  // a kernel that puts it into memory may go on with its own, longer number
    const equation& e = facts_.p.equations[std::size_t(n)];
    const role r = facts_.roles[std::size_t(n)];
    if (--left < 0 || (r != role::map && !(r == role::view && facts_.p.type_of(facts_.p.inputs(e)[0]).elements() < facts_.p.avals[v].elements()))) return false;
    if (r == role::map)
      for (const scalar_step& s : recorded_alone(facts_.p, e, facts_.rounds).steps)
        if (is_inexact(s.type) && s.op != scalar_op::load && s.op != scalar_op::constant && s.op != scalar_op::select) return false;
    for (atom a : facts_.p.inputs(e))
      if (!a.is_literal() && !is_exact(a.index(), left)) return false;
    return true;
  }
  /// Whether elements of `v` are elements of `from`, moved, looked up, put somewhere, or the extremes of some.
  bool is_chosen_from(variable v, variable from) const {
    static constexpr std::size_t most = 32;
    std::vector<variable> seen{facts_.rearranged(v)};
    for (std::size_t i = 0; i < seen.size() && i < most; ++i) {
      if (i > 0 && seen[i] == from) return true;
      if (facts_.maker[seen[i]] < 0) continue;
      const equation& e = *facts_.made_by(seen[i]);
      const role r = facts_.roles[std::size_t(facts_.maker[seen[i]])];
      const auto follow = [&](std::uint32_t k) {
        if (const atom a = facts_.p.inputs(e)[k]; !a.is_literal()) seen.push_back(facts_.rearranged(a.index()));
      };
      if (r == role::reduction) {
        const scalar_op combine = e.op->reduce(facts_.p.avals[seen[i]].type, facts_.p.params(e)).combine;
        if (combine == scalar_op::max || combine == scalar_op::min) follow(0);
      } else if (r == role::lookup) follow(0);
      else if (r == role::put || r == role::spot || r == role::parts || e.op->overwrites >= 0)
        for (std::uint32_t k = 0; k < e.in.count; ++k)
          if (facts_.p.type_of(facts_.p.inputs(e)[k]).type == facts_.p.avals[seen[i]].type) follow(k);
    }
    return false;
  }

  void schedule() {
    groups_.clear();
    singles_.clear();
    std::fill(depth_.begin(), depth_.end(), 0);
    std::fill(built_.begin(), built_.end(), -1);
    last_effect_ = 0;
    const jaxpr& p = facts_.p;
    for (std::size_t n = 0; n < p.equations.size(); ++n) {
      const equation& e = p.equations[n];
      if (!is_single(n)) {
        for (variable v : p.outputs(e))
          if (facts_.in_memory[v]) ensure(v);
        continue;
      }
      add_single(n);
    }
  }

  /// Puts `v` into a kernel, or one for each box of it, after what these read. Or lets its equation run by itself, which it may do already: what
  /// has to be in memory may be named several times.
  void ensure(variable v) {
    if (built_[v] >= 0) return;
    std::vector<kernel_builder> parts;
    do {
      if (is_single(std::size_t(facts_.maker[v]))) return;
    } while (!pull_parts(v, parts));
    if (parts.size() == 1)
      for (std::size_t g = groups_.size(); g-- > 0 && groups_.size() - g <= 16;)
        if (join(groups_[g], v)) return place(v, int(g));
    int depth = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].make_part(int(i), int(parts.size()));
      depth = std::max(depth, 1 + depth_of_loads(parts[i].kernel(), {}));
    }
    groups_.push_back({std::move(parts), depth, std::size_t(facts_.maker[v])});
    place(v, int(groups_.size() - 1));
  }
  /// The kernels for the boxes of `v`; most often one. False: something else had to be put into memory first, try again.
  bool pull_parts(variable v, std::vector<kernel_builder>& parts) {
    const aval& t = facts_.p.avals[v];
    box whole;
    for (int d = 0; d < t.rank(); ++d) whole.push_back({0, t.dims[d]});
    std::vector<box> open{whole};
    std::vector<std::int32_t> cut_for;
    const bool is_few = in_registers_ && t.elements() <= smallest_part;
    const std::size_t most = std::size_t(is_few ? most_of_few : std::clamp<std::int64_t>(t.elements() / smallest_part, 1, most_parts));
    std::size_t steps = 0;
    parts.clear();
    if (facts_.roles[std::size_t(facts_.maker[v])] == role::put) {
      parts.push_back(kernel_builder(facts_));
      parts[0].start_put(v);
      return parts[0].needed.empty() || put_into_memory(parts[0].needed);
    }
    while (!open.empty()) {
      const box where = open.back();
      open.pop_back();
      kernel_builder k(facts_);
      k.start(v, where);
      if (k.cuts.empty()) {
        if (std::find(k.needed.begin(), k.needed.end(), v) != k.needed.end()) return run_alone({facts_.maker[v]});  // more loops than a kernel may have
        if (!k.needed.empty()) return put_into_memory(k.needed);
        steps += k.kernel().body.steps.size();
        parts.push_back(std::move(k));
      } else {
        cut_for.insert(cut_for.end(), k.cut_for.begin(), k.cut_for.end());
        const std::vector<box> pieces = pieces_of(where, k.cuts);
        open.insert(open.end(), pieces.rbegin(), pieces.rend());
      }
      if (parts.size() + open.size() > most || (!cut_for.empty() && steps > most_steps))
        return separate(std::move(cut_for), most > 1);
    }
    return is_few || !moves_only(v, parts) || run_alone({facts_.maker[v]});
  }
  /// False, for those who have to try again.
  bool put_into_memory(const std::vector<variable>& values) {
    for (variable u : values) {
      facts_.in_memory[u] = true;
      ensure(u);
    }
    return false;
  }
  /// Too many boxes: what these equations lay side by side goes to memory, which takes fewer; or, if it is there or no box would
  /// be worth it, they run alone. False, as above.
  bool separate(std::vector<std::int32_t> equations, bool boxes_may_be_worth_it) {
    jacquard::detail::sort_unique(equations);
    if (!boxes_may_be_worth_it) return run_alone(std::move(equations));
    std::vector<variable> values;
    for (std::int32_t n : equations)
      for (atom a : facts_.p.inputs(facts_.p.equations[std::size_t(n)])) {
        while (!a.is_literal() && is_made_by(a, role::view)) a = facts_.p.inputs(*facts_.made_by(a.index()))[0];
        const bool computed = !a.is_literal() && (is_made_by(a, role::map) || is_made_by(a, role::parts) || is_made_by(a, role::lookup) || is_made_by(a, role::spot) || is_made_by(a, role::reduction) || is_made_by(a, role::contraction));
        if (computed && !facts_.in_memory[a.index()]) values.push_back(a.index());
      }
    jacquard::detail::sort_unique(values);
    return values.empty() ? run_alone(std::move(equations)) : put_into_memory(values);
  }
  bool is_made_by(atom a, role r) const {
    const std::int32_t n = facts_.maker[a.index()];
    return n >= 0 && facts_.roles[std::size_t(n)] == r;
  }
  /// Whether kernels would only copy operands side by side, which the equation's own kernel does in one go; or show complex numbers in another
  /// order, which that moves as a whole.
  bool moves_only(variable v, const std::vector<kernel_builder>& parts) const {
    const role r = facts_.roles[std::size_t(facts_.maker[v])];
    if (r != role::parts && !(r == role::view && is_complex(facts_.p.avals[v].type))) return false;
    for (const kernel_builder& k : parts)
      if (k.computed.size() > 1) return false;
    return true;
  }
  /// From here on these equations, in their order, run by their primitives' kernels. False, as above.
  bool run_alone(std::vector<std::int32_t> equations) {
    for (std::int32_t n : equations) facts_.roles[std::size_t(n)] = role::opaque;
    for (std::int32_t n : equations) {
      for (atom a : facts_.p.inputs(facts_.p.equations[std::size_t(n)])) {
        keep(a);
        if (!a.is_literal() && facts_.maker[a.index()] >= 0) ensure(a.index());
      }
      add_single(std::size_t(n));
    }
    return false;
  }
  void add_single(std::size_t n) {
    const equation& e = facts_.p.equations[n];
    int depth = 1;
    for (atom a : facts_.p.inputs(e))
      if (!a.is_literal()) depth = std::max(depth, 1 + depth_[a.index()]);
    if (e.effects != 0) depth = last_effect_ = std::max(depth, last_effect_ + 1);
    for (variable v : facts_.p.outputs(e)) depth_[v] = depth;
    singles_.push_back({n, depth});
  }
  void place(variable v, int g) {
    built_[v] = g;
    depth_[v] = groups_[std::size_t(g)].depth;
  }
  /// Whether v may be, and now is, computed by a kernel there is already: same loops, and nothing it reads comes later.
  bool join(group& g, variable v) {
    index_map at;
    if (!facts_.apart[v])
      for (const output& o : g.parts[0].kernel().outputs)
        if (facts_.apart[o.to.value.index()]) return false;
    if (g.parts.size() != 1 || !g.parts[0].finds_place(v, at)) return false;
    kernel_builder more = g.parts[0];
    if (!more.add(v, at) || !more.needed.empty() || pass_limiter::has_too_many(more.kernel(), g.parts[0].kernel()) || depth_of_loads(more.kernel(), g.parts[0].kernel().outputs) >= g.depth) return false;
    g.parts[0] = std::move(more);
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
  static std::vector<variable> own_values(const kernel_builder& k) {
    std::vector<variable> own;
    for (const kernel_builder::computed_value& c : k.computed) own.push_back(c.v);
    jacquard::detail::sort_unique(own);
    return own;
  }

  /// Reductions over the same rows that several kernels take in, where these compute what they reduce from the same values: they go to memory,
  /// which takes less than to compute those values once more, and there they find one kernel. Returns whether there were any. Complexity:
  /// linear in the program.
  bool keep_reductions_that_share_work() {
    struct reader {
      int kernel;     ///< that has a reduction which needs the value; -1: none yet
      bool several;
    };
    std::vector<reader> readers(facts_.in_memory.size(), {-1, false});
    std::vector<std::pair<variable, std::vector<variable>>> found;
    int kernel = 0;
    for (const group& g : groups_)
      for (const kernel_builder& k : g.parts) {
        for (variable v : own_values(k)) {
          if (facts_.in_memory[v] || !is_made_by(atom::of_variable(v), role::reduction)) continue;
          found.push_back({v, elements_of_rows(v)});
          for (variable u : found.back().second) readers[u] = {kernel, readers[u].several || (readers[u].kernel >= 0 && readers[u].kernel != kernel)};
        }
        ++kernel;
      }
    bool any = false;
    for (const auto& [v, elements] : found) {
      double cost = 0;
      for (variable u : elements)
        if (readers[u].several) cost += double(is_computed(u) ? own_cost(facts_, *facts_.made_by(u)) : 1) * double(facts_.p.avals[u].elements());
      if (cost <= memory_cost * double(facts_.p.avals[v].elements() + kernel_cost)) continue;
      facts_.in_memory[v] = any = true;
    }
    return any;
  }
  bool is_computed(variable v) const { return !facts_.in_memory[v] && facts_.maker[v] >= 0 && is_made_by(atom::of_variable(v), role::map); }
  /// What the elements that a reduction combines are computed from, each in its place: some tens of values.
  std::vector<variable> elements_of_rows(variable reduction) const {
    static constexpr std::size_t most = 64;
    std::vector<variable> r;
    const auto add = [&](atom a) {
      if (a.is_literal() || r.size() == most || std::find(r.begin(), r.end(), a.index()) != r.end()) return;
      if (r.empty() || facts_.p.type_of(a).dims == facts_.p.avals[r[0]].dims) r.push_back(a.index());
    };
    add(facts_.p.inputs(*facts_.made_by(reduction))[0]);
    for (std::size_t i = 0; i < r.size(); ++i)
      if (is_computed(r[i]))
        for (atom a : facts_.p.inputs(*facts_.made_by(r[i]))) add(a);
    return r;
  }

  /// Values that are dear and computed for one and a half times as many elements as they have, or more, go to memory. Returns whether there
  /// were any.
  bool keep_what_is_computed_twice() {
    std::vector<double> elements(facts_.in_memory.size(), 0);
    for (const group& g : groups_)
      for (const joined_box& box : joined_boxes(g.parts)) add_elements(box, elements);
    bool any = false;
    for (variable v = 0; v < elements.size(); ++v)
      if (elements[v] > 0 && !facts_.in_memory[v] && elements[v] >= 1.5 * double(facts_.p.avals[v].elements()) && is_dear(v)) {
        facts_.in_memory[v] = true;
        any = true;
      }
    return any;
  }
  /// Adds how many elements of each value a kernel computes: what several of its members compute it does once.
  static void add_elements(const joined_box& box, std::vector<double>& elements) {
    std::vector<std::pair<variable, double>> most, own;
    for (const kernel_builder* k : box.members) {
      own.clear();
      const auto add = [](auto& all, variable v, auto&& change) {
        for (auto& [known, n] : all)
          if (known == v) return change(n);
        all.push_back({v, 0}), change(all.back().second);
      };
      for (const kernel_builder::computed_value& c : k->computed) add(own, c.v, [&](double& n) { n += double(c.elements); });
      for (const auto& [v, count] : own) add(most, v, [&, n = count](double& all) { all = std::max(all, n); });
    }
    for (const auto& [v, count] : most) elements[v] += count;
  }
  bool is_dear(variable v) const {
    const equation& e = *facts_.made_by(v);
    const role r = facts_.roles[std::size_t(facts_.maker[v])];
    if (r == role::reduction || r == role::contraction || r == role::lookup) return true;
    if (r != role::map) return false;
    return own_cost(facts_, e) >= 20;
  }

  lowered_program ordered() {
    struct item {
      int depth;
      std::size_t position;
      lowered_step step;
    };
    std::vector<item> items;
    lowered_program r;
    for (const group& g : groups_)
      for (joined_box& box : joined_boxes(g.parts)) {
        items.push_back({g.depth, g.position, {int(r.kernels.size()), 0, false}});
        drop_dead_steps(box.kernel);
        r.kernels.push_back(std::move(box.kernel));
        r.computed.push_back({});
        for (const kernel_builder* k : box.members)
          for (variable v : own_values(*k)) r.computed.back().push_back(v);
        jacquard::detail::sort_unique(r.computed.back());
      }
    for (const single& s : singles_)
      items.push_back({s.depth, s.equation, {-1, std::uint32_t(s.equation), facts_.roles[s.equation] == role::alias}});
    jacquard::detail::stable_sort(items, [](const item& a, const item& b) {
      return a.depth != b.depth ? a.depth < b.depth : a.position < b.position;
    });
    for (const item& i : items) r.steps.push_back(i.step);
    write_late(facts_.p, r);
    if (in_blocks_) join_rows(facts_.p, r);
    return r;
  }

  /// More boxes than these, or steps in all of them, are not worth their code; each is one call, which takes as long as so many elements.
  /// In registers a box is no call.
  static constexpr std::int64_t most_parts = 32, smallest_part = 64, most_of_few = 8;
  static constexpr std::size_t most_steps = 800;
  static constexpr std::int64_t large_window = 1 << 16;

  program_facts facts_;
  bool has_long_chains_ = false, in_registers_, in_blocks_;
  int last_effect_ = 0;
  std::vector<int> depth_;   ///< by variable in memory: how many kernels and equations lie between it and the arguments
  std::vector<int> built_;   ///< by variable: its group, or -1
  std::vector<group> groups_;
  std::vector<single> singles_;
};

}  // namespace jacquard::lowering::detail
