#pragma once
// Kernels of few elements that follow each other: one function, in which values stay in registers from the kernel that makes them to those that
// read them. Programs of single numbers are made of such. Deliberately no function for one kernel alone, whose loops have their own code, and
// none larger than the compiler takes a moment for.

#include "jacquard/backends/cpu/llvm_registers.hpp"
#include "jacquard/backends/cpu/llvm_text.hpp"
#include "jacquard/core/merge_sort.hpp"

namespace jacquard::cpu {

namespace detail {

/// Finds such kernels in a lowered program, whose steps it takes in order.
class register_joiner : register_writer {
 public:
  register_joiner(const jaxpr& p, const lowered_program& from)
      : register_writer({}), p_(p), from_(from), last_(p.avals.size(), 0), made_in_(p.avals.size(), 0), loaded_in_(p.avals.size(), 0) {
    for (std::size_t n = 0; n < from.steps.size(); ++n) {
      const lowered_step& s = from.steps[n];
      if (s.kernel >= 0) for_each_joined(kernel(n), [&](const loop_kernel& k) {
        for (const access& a : k.inputs) last_[a.value.index()] = n;
      });
      else
        for (atom a : p.inputs(p.equations[s.equation]))
          if (!a.is_literal()) last_[a.index()] = n;
    }
    for (atom a : p.outvars)
      if (!a.is_literal()) last_[a.index()] = from.steps.size();
  }

  lowered_program run() {
    for (std::size_t n = 0; n < from_.steps.size();) n = take(n);
    close();
    mark_handed_on();
    return std::move(to_);
  }

 private:
  /// Vector registers that a function loads and stores, in all: to order it takes LLVM time quadratic in their number, and more of them than there are spill.
  static constexpr std::int64_t most_places = 144;

  /// Takes step n, with those behind it that write other boxes of its value. Returns the number of the next one. Where something else runs between
  /// the boxes of a value, that has changed what one of them was the last to read, they meet in memory.
  std::size_t take(std::size_t n) {
    const lowered_step& s = from_.steps[n];
    if (s.kernel < 0) {
      take_equation(s, n + 1);
      return n + 1;
    }
    std::size_t end = n + 1;
    while (end < from_.steps.size() && from_.steps[end].kernel >= 0 && kernel(end).part != 0 && kernel(end).outputs[0].to.value == kernel(n).outputs[0].to.value) ++end;
    std::int64_t registers = 0;
    std::size_t boxes = 0;
    for (std::size_t i = n; i < end; ++i) for (const output& o : kernel(i).outputs) boxes += !o.is_imaginary;
    bool few = kernel(n).parts == 1 || boxes == std::size_t(kernel(n).parts);
    for (std::size_t i = n; i < end; ++i) few = few && kernel(i).next.empty() && !kernel(i).is_ordered() && fits(kernel(i), p_, registers);
    if (!few || registers_ + registers > most_registers || places_ + places_of(n, end) > most_places) close();
    for (std::size_t i = n; i < end; ++i) {
      open_.push_back(kernel(i));
      computed_.insert(computed_.end(), from_.computed[std::size_t(from_.steps[i].kernel)].begin(), from_.computed[std::size_t(from_.steps[i].kernel)].end());
      if (!few) close();
      else count_places(kernel(i), end);
    }
    if (few) registers_ += registers;
    return end;
  }
  /// What shows a value of these kernels in another shape is one of them; an equation that needs none of them goes before them.
  void take_equation(const lowered_step& s, std::size_t end) {
    const equation& e = p_.equations[s.equation];
    bool reads = false;
    for (atom a : p_.inputs(e)) reads = reads || (!a.is_literal() && is_made_here(a.index()));
    if (s.alias && reads && is_few(p_.avals[p_.outputs(e)[0]])) {
      open_.push_back(copy(p_.inputs(e)[0], p_.outputs(e)[0]));
      computed_.push_back(p_.outputs(e)[0]);
      count_places(open_.back(), end);
      return;
    }
    if (reads || !s.alias) close();
    to_.steps.push_back(s);
  }
  /// Counts what a kernel of the function loads, and stores if the function ended before step `end`.
  void count_places(const loop_kernel& k, std::size_t end) {
    for (const access& a : k.inputs) {
      const variable v = a.value.index();
      if (made_in_[v] == function_ && last_[v] < end) places_ -= registers_of(v), made_in_[v] = 0;
      else if (made_in_[v] != function_ && loaded_in_[v] != function_) places_ += registers_of(v), loaded_in_[v] = function_;
    }
    for (const output& o : k.outputs)
      if (const variable v = o.to.value.index(); made_in_[v] != function_ && last_[v] >= end) places_ += registers_of(v), made_in_[v] = function_;
  }
  /// What the kernels of steps n to end would add to that: what they read that is not there yet, and what they hand to others.
  std::int64_t places_of(std::size_t n, std::size_t end) const {
    std::int64_t r = 0;
    std::vector<variable> counted;
    const auto count = [&](variable v) {
      if (made_in_[v] == function_ || std::find(counted.begin(), counted.end(), v) != counted.end()) return;
      counted.push_back(v);
      r += registers_of(v);
    };
    for (; n < end; ++n) {
      for (const access& a : kernel(n).inputs)
        if (loaded_in_[a.value.index()] != function_) count(a.value.index());
      for (const output& o : kernel(n).outputs)
        if (last_[o.to.value.index()] >= end) count(o.to.value.index());
    }
    return r;
  }
  /// Vector registers of 64 bytes that hold a value.
  std::int64_t registers_of(variable v) const {
    const aval t = in_lanes(p_.avals[v]);
    return (lanes_for(t.elements()) * std::int64_t(size_of(t.type)) + 63) / 64;
  }
  const loop_kernel& kernel(std::size_t step) const { return from_.kernels[std::size_t(from_.steps[step].kernel)]; }
  bool is_made_here(variable v) const {
    for (const loop_kernel& k : open_)
      for (const output& o : k.outputs)
        if (o.to.value.index() == v) return true;
    return false;
  }
  loop_kernel copy(atom from, variable to) const {
    const aval t = in_lanes(p_.avals[to]);
    loop_kernel k;
    k.loops = {{t.elements(), false}};
    k.inputs = {{from, t.type, 0, {1}}};
    k.outputs = {{{atom::of_variable(to), t.type, 0, {1}}, k.body.load(0, t.type)}};
    return k;
  }
  /// Ends the function.
  void close() {
    if (open_.empty()) return;
    loop_kernel first = std::move(open_[0]);
    if (open_.size() > 1) first.in_registers = true, first.next.assign(open_.begin() + 1, open_.end());  // one alone may have its own
    to_.steps.push_back({int(to_.kernels.size()), 0, false});
    to_.kernels.push_back(std::move(first));
    jacquard::detail::sort_unique(computed_);
    to_.computed.push_back(std::move(computed_));
    open_.clear(), computed_.clear();
    registers_ = 0, places_ = 0;
    ++function_;
  }
  /// Complexity: linear in what steps read and make.
  void mark_handed_on() {
    constexpr int none = -1, several = -2;
    std::vector<int> reader(p_.avals.size(), none);
    const auto reads = [&](variable v, int step) { reader[v] = reader[v] == none || reader[v] == step ? step : several; };
    for (std::size_t n = 0; n < to_.steps.size(); ++n) {
      if (to_.steps[n].kernel >= 0) for_each_joined(to_.kernels[std::size_t(to_.steps[n].kernel)], [&](const loop_kernel& k) {
        for (const access& a : k.inputs) reads(a.value.index(), int(n));
      });
      else
        for (atom a : p_.inputs(p_.equations[to_.steps[n].equation]))
          if (!a.is_literal()) reads(a.index(), several);
    }
    for (atom a : p_.outvars)
      if (!a.is_literal()) reads(a.index(), several);
    for (std::size_t n = 0; n < to_.steps.size(); ++n) {
      if (to_.steps[n].kernel < 0) continue;
      loop_kernel& first = to_.kernels[std::size_t(to_.steps[n].kernel)];
      const auto mark = [&](loop_kernel& k) {
        for (output& o : k.outputs) o.is_handed_on = reader[o.to.value.index()] == int(n);
      };
      if (!first.in_registers) continue;
      mark(first);
      for (loop_kernel& k : first.next) mark(k);
    }
  }

  const jaxpr& p_;
  const lowered_program& from_;
  lowered_program to_;
  std::vector<loop_kernel> open_;
  std::vector<variable> computed_;
  std::int64_t registers_ = 0, places_ = 0;
  std::vector<std::size_t> last_;  ///< by variable: the last step that reads it
  std::vector<std::uint32_t> made_in_, loaded_in_;  ///< by variable: the function, counted from 1, which may have to store it, or loads it
  std::uint32_t function_ = 1;
};

class register_kernel_writer : register_writer {
 public:
  explicit register_kernel_writer(const vector_target& t) : register_writer(t) {}

  kernel_text write(const loop_kernel& k, const jaxpr& p, const std::string& name) {
    kernel_text r;
    environment env(p.avals.size());
    std::vector<variable> made;
    std::string pointers;
    const auto pointer = [&](variable v) {
      const std::string n = std::to_string(r.places.size());
      r.places.push_back(atom::of_variable(v));
      pointers += concat({"  %q", n, " = getelementptr ptr, ptr %places, i64 ", n, "\n  %p", n, " = load ptr, ptr %q", n, "\n"});
      return concat({"%p", n});
    };
    for_each_joined(k, [&](const loop_kernel& m) {
      for (const access& a : m.inputs)
        if (const variable v = a.value.index(); env[v].empty() && !is_in(made, v)) env[v] = loaded(p.avals[v], pointer(v));
      for (const output& o : m.outputs) made.push_back(o.to.value.index());
    });
    for_each_joined(k, [&](const loop_kernel& m) { write_kernel(m, p, env); });
    std::vector<variable> stored;
    for_each_joined(k, [&](const loop_kernel& m) {
      for (const output& o : m.outputs)
        if (const variable v = o.to.value.index(); !o.is_handed_on && !is_in(stored, v)) stored.push_back(v), store(p.avals[v], env[v], pointer(v));
    });
    r.ranges = range_plan(std::vector<range_plan>(), 1);
    r.functions = concat({"define void @", name, "(ptr %places, i64 %begin, i64 %end, ptr %self) #0 {\nentry:\n", pointers, code_, "  ret void\n}\n"});
    r.declarations = declarations_;
    return r;
  }

 private:
  static bool is_in(const std::vector<variable>& all, variable v) { return std::find(all.begin(), all.end(), v) != all.end(); }
};

}  // namespace detail

/// A lowered program with its kernels of few elements joined.
inline lowered_program joined_in_registers(const jaxpr& p, const lowered_program& l) { return detail::register_joiner(p, l).run(); }

/// The code of kernels that are joined. They read all of their operands before they write.
inline kernel_text emit_in_registers(const loop_kernel& k, const jaxpr& p, const vector_target& t, const std::string& name) {
  return detail::register_kernel_writer(t).write(k, p, name);
}

}  // namespace jacquard::cpu
