#pragma once
// What lies in memory while a program runs, found by going through its steps without running them: which values share a block,
// which one takes over another's, and how much there is at most. The rules are those of exec/lowering/equation. Deliberately exact
// only for equations with a kernel; what those take that hold programs is an estimate.

#include "jacquard/core/analysis.hpp"
#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/equation.hpp"

namespace jacquard::lowering {

/// A template with one instance, which programs that analyse nothing do not compile.
template <class Number = std::int32_t>
class basic_memory_walk {
 public:
  /// `donated`: by argument, whether the program owns it.
  basic_memory_walk(const jaxpr& p, view<const char> donated) : p_(p), values_(p.avals.size()), had_(p.avals.size(), -1) {
    for (variable v : p.constvars) give(v, -1, false);
    for (std::size_t i = 0; i < p.invars.size(); ++i) give(p.invars[i], Number(i), i < donated.size() && donated[i]);
  }

  /// `v` gets memory of its own.
  void make(variable v) {
    blocks_.push_back({p_.avals[v].bytes(), -1, 1, 0, true});
    set(v, {Number(blocks_.size() - 1), false});
    grow(blocks_.back().bytes);
  }
  /// `v` is another name for the memory of `from`, which nobody may overwrite as long as both are there.
  void share(variable v, atom from) {
    if (from.is_literal() || values_[from.index()].block < 0) return make(v);
    set(v, {values_[from.index()].block, true});
    ++blocks_[std::size_t(values_[v].block)].views;
  }
  /// `v` takes the memory of `donor`, if that is the program's and nobody else's. Otherwise it gets its own.
  bool take(variable v, variable donor) {
    if (!is_alone(donor)) {
      make(v);
      return false;
    }
    set(v, std::exchange(values_[donor], {}));
    return true;
  }
  void release(variable v) {
    const value x = std::exchange(values_[v], {});
    if (x.block < 0) return;
    block& b = blocks_[std::size_t(x.block)];
    --(x.is_view ? b.views : b.handles);
    if (b.handles + b.views == 0 && b.ours) live_ -= b.bytes;
  }
  /// An equation that runs by its primitive's kernel; `dies` says which variables are not read afterwards.
  template <class Dies>
  void run(const equation& e, Dies&& dies) {
    exact_ = exact_ && !e.op->allocates;
    if (e.op->identity && e.op->evaluate) {
      for (std::size_t i = 0; i < e.out.count; ++i) same(p_.outputs(e)[i], p_.inputs(e)[i]);
      return;
    }
    for (variable v : p_.outputs(e)) {
      variable donor = none_;
      for (std::size_t k = 0; k < e.in.count && donor == none_; ++k) {
        const atom a = p_.inputs(e)[k];
        if (a.is_literal() || !(e.op->elementwise || e.op->overwrites == int(k))) continue;
        if (uses(e, a) == 1 && dies(a.index()) && is_alone(a.index()) && same_type(p_.avals[a.index()], p_.avals[v])) donor = a.index();
      }
      if (donor == none_) make(v);
      else take(v, donor);
    }
  }
  /// Room that something takes for a while.
  void borrow(std::int64_t bytes) {
    grow(bytes);
    live_ -= bytes;
    exact_ = false;
  }

  /// By variable, the memory it had: "argument 0", "result 1", "buffer 2"; "" for one without. To be asked once all has been run.
  list<text> places() const {
    list<text> names(blocks_.size()), r(p_.avals.size());
    for (std::size_t i = 0; i < p_.constvars.size(); ++i) names[i] = cat("constant ", i);
    for (std::size_t i = 0; i < p_.invars.size(); ++i) names[p_.constvars.size() + i] = cat("argument ", i);
    for (std::size_t i = 0; i < p_.outvars.size(); ++i)
      if (const atom a = p_.outvars[i]; !a.is_literal() && had_[a.index()] >= 0)
        if (text& name = names[std::size_t(had_[a.index()])]; name.empty()) name = cat("result ", i);
    int next = 0;
    for (variable v = 0; v < had_.size(); ++v) {
      if (had_[v] < 0) continue;
      text& name = names[std::size_t(had_[v])];
      if (name.empty()) name = cat("buffer ", next++);
      r[v] = name;
    }
    return r;
  }

  /// To be asked once all has been run.
  program_memory result() const {
    program_memory r;
    r.exact = exact_;
    for (variable v : p_.invars) r.arguments += p_.avals[v].bytes();
    std::vector<Number> own;
    for (atom a : p_.outvars) {
      const std::int64_t bytes = p_.type_of(a).bytes();
      r.outputs += bytes;
      const Number b = a.is_literal() ? -1 : values_[a.index()].block;
      r.alias.push_back(b < 0 ? -1 : blocks_[std::size_t(b)].argument);
      if (r.alias.back() >= 0) r.aliased += bytes;
      else if (b >= 0 && blocks_[std::size_t(b)].ours) own.push_back(b);
    }
    jacquard::detail::sort_unique(own);
    r.temporaries = most_;
    for (Number b : own) r.temporaries -= blocks_[std::size_t(b)].bytes;
    if (r.temporaries < 0) r.temporaries = 0;
    return r;
  }

 private:
  struct block {
    std::int64_t bytes = 0;
    Number argument = -1;
    int handles = 0, views = 0;
    bool ours = false;
  };
  struct value {
    Number block = -1;
    bool is_view = false;
  };
  static constexpr variable none_ = ~variable(0);

  void give(variable v, Number argument, bool ours) {
    blocks_.push_back({p_.avals[v].bytes(), argument, 1, 0, ours});
    set(v, {Number(blocks_.size() - 1), false});
  }
  void set(variable v, value x) {
    values_[v] = x;
    had_[v] = x.block;
  }
  /// `v` is `from`: one more holder of the same handle.
  void same(variable v, atom from) {
    if (from.is_literal() || values_[from.index()].block < 0) return;
    set(v, values_[from.index()]);
    block& b = blocks_[std::size_t(values_[v].block)];
    ++(values_[v].is_view ? b.views : b.handles);
  }
  bool is_alone(variable v) const {
    const value x = values_[v];
    if (x.block < 0 || x.is_view) return false;
    const block& b = blocks_[std::size_t(x.block)];
    return b.ours && b.handles == 1 && b.views == 0;
  }
  int uses(const equation& e, atom a) const {
    int n = 0;
    for (atom b : p_.inputs(e)) n += a == b;
    return n;
  }
  void grow(std::int64_t bytes) {
    live_ += bytes;
    if (most_ < live_) most_ = live_;
  }

  const jaxpr& p_;
  list<value> values_;  ///< by variable
  list<Number> had_;    ///< by variable: the block it had
  list<block> blocks_;
  std::int64_t live_ = 0, most_ = 0;  ///< beside arguments
  bool exact_ = true;
};

using memory_walk = basic_memory_walk<>;

/// Goes through a program that runs equation by equation.
template <class Walk = memory_walk>
Walk walk_equations(const jaxpr& p, view<const char> donated) {
  Walk w(p, donated);
  const std::vector<char> dead = jacquard::detail::last_uses(p);
  for (const equation& e : p.equations) {
    const auto dies = [&](variable v) {
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (dead[e.in.first + k] && p.operands[e.in.first + k] == atom::of_variable(v)) return true;
      return false;
    };
    w.run(e, dies);
    const param_view params = p.params(e);
    std::int64_t most = 0;
    for (std::uint32_t i = 0; i < params.sub_count; ++i) {
      const program_memory body = walk_equations(*params.subs[i], {}).result();
      if (most < body.temporaries + body.outputs) most = body.temporaries + body.outputs;
    }
    if (params.sub_count != 0) w.borrow(most);
    for (std::uint32_t k = 0; k < e.in.count; ++k)
      if (dead[e.in.first + k]) w.release(p.operands[e.in.first + k].index());
  }
  return w;
}

/// Listing of where values lie, for people: variables by number, as in the listing of loops.
template <std::same_as<program_layout> Layout>
text to_text(const Layout& l) {
  text t;
  for (variable v = 0; v < l.place.size(); ++v)
    if (!l.place[v].empty()) t << 'v' << v << ':' << l.program->avals[v] << " in " << l.place[v] << '\n';
  return t;
}

}  // namespace jacquard::lowering
