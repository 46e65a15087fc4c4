#pragma once
// Loops that compute the same for each of many examples: element by element over long arrays, or rows of a few elements each, as loops under vmap
// are. Trip after trip they would go through memory; cut into blocks of examples, of which each makes all its trips, they stay in registers. Here
// is which loops these are, and the programs of a block, in which a value is [members of an example, examples]. Deliberately no text, and
// nothing for loops whose examples need one another.

#include <algorithm>
#include <memory>
#include <optional>

#include "jacquard/backends/cpu/llvm_registers.hpp"

namespace jacquard::cpu {

/// How the elements of a value belong to examples: of each, `after` lie side by side, in `before` places.
struct example_layout {
  std::int64_t before = 1, after = 1;
  bool operator==(const example_layout&) const = default;
  std::int64_t members() const { return before * after; }
  /// The number of a member; of one that lies so many elements from the first.
  std::int64_t member(std::int64_t element, std::int64_t examples) const { return element / (examples * after) * after + element % (examples * after); }
};
/// Of a value whose examples lie along one dimension, or several that follow each other; complex numbers are two real ones. Nothing if it is the same for
/// all examples.
inline std::optional<example_layout> layout_of(const aval& t, std::int64_t examples) {
  const std::int64_t parts = is_complex(t.type) ? 2 : 1;
  if (t.elements() == 0) return {};
  if (t.elements() == examples) return example_layout{1, parts};
  std::int64_t before = 1;
  for (int i = 0; i < t.rank(); before *= t.dims[i++]) {
    std::int64_t count = 1;
    for (int j = i; j < t.rank() && count < examples; ++j) count *= t.dims[j];
    if (count == examples) return example_layout{before, t.elements() / (before * examples) * parts};
  }
  return {};
}

/// Where the element lies that an example has of a value of fewer dimensions: offset + outer * (number / extent) + inner * (number % extent).
struct example_spread {
  std::int64_t offset = 0, extent = 1, outer = 0, inner = 0;
  constexpr bool operator==(const example_spread&) const = default;
};

namespace detail {

/// A kernel of a program as that of a block; `examples` in all, `block` of them here. Values that it finds spread over them are noted.
class block_kernel {
 public:
  using spreads = std::vector<std::optional<example_spread>>;  ///< by variable
  block_kernel(const jaxpr& p, std::int64_t examples, std::int64_t block, spreads& found) : p_(p), examples_(examples), block_(block), found_(found) {}

  /// Turns k into it. False if examples need one another, but for whether a value holds for `any`.
  bool turn(loop_kernel& k, bool any) const {
    if (!k.next.empty() || k.is_ordered() || k.loops.size() > 8) return false;
    bool has_examples = false, all_are_few = true;
    each_access(k, [&](const access& a) {
      has_examples = has_examples || layout(a);
      all_are_few = all_are_few && is_few(p_.avals[a.value.index()]);
    });
    if (!has_examples) return all_are_few;
    merge_loops(k);
    const spreads before = found_;
    const auto is_turned = [&](loop_kernel r, bool may_be, bool is_joined) {
      if (may_be && turned(r, any, is_joined)) {
        k = std::move(r);
        return true;
      }
      found_ = before;
      return false;
    };
    for (std::size_t i = 0; i < k.loops.size(); ++i) {
      for (const bool fastest : {true, false}) {
        loop_kernel r = k;
        const bool may_be = split(r, i, fastest);
        if (is_turned(std::move(r), may_be, false)) return true;
      }
      for (std::size_t j = 0; j < k.loops.size(); ++j) {
        loop_kernel r = k;
        const bool may_be = i != j && joined(r, i, j);
        if (is_turned(std::move(r), may_be, true)) return true;
      }
    }
    return false;
  }

 private:
  std::optional<example_layout> layout(const access& a) const { return layout_of(p_.avals[a.value.index()], examples_); }
  template <class F>
  static void each_access(loop_kernel& k, F&& f) {
    for (access& a : k.inputs) f(a);
    for (output& o : k.outputs) f(o.to);
  }
  static bool is_indexed(const loop_kernel& k, std::size_t i) {
    return std::any_of(k.body.steps.begin(), k.body.steps.end(), [&](const scalar_step& s) { return s.op == scalar_op::index && s.in[0] == std::int32_t(i); });
  }
  /// Makes the last loop that over examples, the faster or the slower part of loop i.
  bool split(loop_kernel& k, std::size_t i, bool fastest) const {
    const loop l = k.loops[i];
    if (l.extent % examples_ != 0 || l.rows || is_indexed(k, i)) return false;
    const std::int64_t others = l.extent / examples_;
    k.loops[i].extent = others;
    k.loops.push_back({block_, l.inner});
    each_access(k, [&](access& a) {
      a.strides.resize(k.loops.size());
      const std::int64_t stride = a.strides[i];
      a.strides[i] = fastest ? stride * examples_ : stride;
      a.strides[k.loops.size() - 1] = fastest ? stride : stride * others;
    });
    return true;
  }
  /// The same of two loops, i the slower one, though some values are read in other ways than one after the other.
  bool joined(loop_kernel& k, std::size_t i, std::size_t j) const {
    const loop slow = k.loops[i], fast = k.loops[j];
    if (slow.extent * fast.extent != examples_ || slow.inner || fast.inner || is_indexed(k, i) || is_indexed(k, j)) return false;
    k.loops[i].extent = k.loops[j].extent = 1;
    k.loops.push_back({block_, false});
    bool fits = true;
    each_access(k, [&](access& a) {
      a.strides.resize(k.loops.size());
      const std::int64_t outer = a.strides[i], inner = a.strides[j];
      a.strides[i] = a.strides[j] = 0;
      a.strides[k.loops.size() - 1] = inner;
      const variable v = a.value.index();
      if (layout(a)) fits = fits && outer == inner * fast.extent;
      else if (outer != 0 || inner != 0) {  // fewer dimensions than the others
        const example_spread here{a.offset, fast.extent, outer, inner};
        for (std::size_t l = 0; l < k.loops.size(); ++l) fits = fits && (k.loops[l].extent == 1 || a.strides[l] == 0 || l + 1 == k.loops.size());
        fits = fits && !a.wanders && !a.is_part && (!found_[v] || *found_[v] == here) && std::find(p_.invars.begin(), p_.invars.end(), v) != p_.invars.end();
        found_[v] = here, a.offset = 0, a.strides[k.loops.size() - 1] = 1;
      }
    });
    return fits;
  }
  bool turned(loop_kernel& k, bool any, bool is_joined) const {
    if (k.loops.back().inner)
      for (const stage& s : k.stages)
        if (!any || s.combine != scalar_op::bit_or) return false;
    bool fits = true;
    each_access(k, [&](access& a) { fits = fits && turned(a, k, is_joined); });
    return fits;
  }
  bool turned(access& a, const loop_kernel& k, bool is_joined) const {
    const std::size_t last = k.loops.size() - 1;
    const std::optional<example_layout> l = layout(a);
    const aval& t = p_.avals[a.value.index()];
    if (!l && found_[a.value.index()]) return is_joined && a.offset == 0 && a.strides[last] == 1;
    if (!l) return a.strides[last] == 0 && is_few(t);
    const std::int64_t place = examples_ * l->after;  // the way to the next place of the same example
    if ((a.wanders && (a.is_part || l->before != 1)) || a.strides[last] != l->after || a.offset % place >= l->after) return false;
    std::int64_t lowest = a.offset % place, highest = lowest;  // of the members in one place
    for (std::size_t i = 0; i < last; ++i) {
      if (k.loops[i].extent == 1) a.strides[i] = 0;
      const std::int64_t way = a.strides[i] * (k.loops[i].extent - 1);
      if (a.strides[i] % place == 0) {
        a.strides[i] = a.strides[i] / place * l->after * block_;
        continue;
      }
      (way < 0 ? lowest : highest) += way;
      a.strides[i] *= block_;
    }
    a.offset = l->member(a.offset, examples_) * block_;
    a.strides[last] = 1;
    if (a.wanders) a.step = block_;
    return lowest >= 0 && highest < l->after && !(a.wanders && l->after - highest > detail::most_places);
  }

  const jaxpr& p_;
  std::int64_t examples_, block_;
  spreads& found_;
};

}  // namespace detail

/// The programs that an equation holds as those of a block.
class example_blocks {
 public:
  example_blocks(const equation& e, const lowered_source& of, std::int64_t examples, std::int64_t block)
      : of_(of), examples_(examples), block_(block), outer_(of.program), form_(e.op->control(of.program.params(e))) {
    turn_types(e);
    fits_ = add_programs(e) && turn_spreads(e);
  }
  example_blocks(const example_blocks&) = delete;

  bool fits() const { return fits_; }
  std::int64_t examples() const { return examples_; }
  std::int64_t in_each() const { return block_; }
  std::int64_t count() const { return (examples_ + block_ - 1) / block_; }
  /// Steps for elements, all trips that are known together; of one block.
  double steps() const { return steps_; }
  /// Whether little is computed again in each block that is the same in all.
  bool is_worth_it() const { return steps_ > 2 * steps_for_all_; }
  /// How many examples a block had better have, so that what a loop carries stays in registers, which have so many bytes each: a power of two.
  std::int64_t block_for(int register_bytes) const {
    const std::int64_t registers = register_bytes == 64 ? 32 : 16, most = is_dear_ ? 4 : 8, room = registers * register_bytes / (bytes_ + widest_);
    std::int64_t r = 1;
    while (2 * r <= room && 2 * r * widest_ <= most * register_bytes && 2 * r * most_members_ <= detail::most_elements) r *= 2;
    return std::max(r, std::int64_t(register_bytes) / widest_);
  }
  /// What all examples have alike, and a result may lie over: operands by number, with their bytes.
  std::vector<std::pair<std::size_t, std::int64_t>> operands_of_all(const equation& e) const {
    std::vector<std::pair<std::size_t, std::int64_t>> r;
    const auto in = of_.program.inputs(e);
    const bool is_call = form_.is == control_form::kind::call;
    const std::size_t first = is_call ? 0 : form_.of_condition + form_.of_body, end = is_call ? in.size() : first + form_.carries;
    for (std::size_t i = first; i < end; ++i)
      if (const aval t = of_.program.type_of(in[i]); !layout_of(t, examples_) && !spread_of(i)) r.push_back({i, t.bytes()});
    return r;
  }
  aval in_block(const aval& t) const {
    const std::optional<example_layout> l = layout_of(t, examples_);
    return l ? aval(is_complex(t.type) ? real_dtype(t.type) : t.type, {l->members() * block_}) : t;
  }
  /// How an operand is spread over examples, if it has fewer dimensions than they.
  std::optional<example_spread> spread_of(std::size_t operand) const {
    for (const auto& [n, s] : spreads_)
      if (n == operand) return s;
    return {};
  }
  lowered_source source() const { return {outer_, of_.lowered, [this](const jaxpr_ref& body) { return body_of(body); }}; }

 private:
  struct program {
    jaxpr_ref of;
    jaxpr own;
    lowered_program lowered;
    detail::block_kernel::spreads spreads{};
  };
  lowered_source body_of(const jaxpr_ref& body) const {
    for (const auto& p : programs_)
      if (p->of == body) return {p->own, p->lowered, [this](const jaxpr_ref& within) { return body_of(within); }};
    raise(error_kind::value, "cpu: a loop runs a body that it does not hold");
  }
  /// Gives the operands and results of the equation the types that they have in a block.
  void turn_types(const equation& e) {
    const jaxpr& p = of_.program;
    const auto turn = [&](variable v) { outer_.avals[v] = in_block(p.avals[v]); };
    const auto in = p.inputs(e);
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!in[i].is_literal() && !form_.stacks_operand(i)) turn(in[i].index());
      const aval t = form_.stacks_operand(i) ? jacquard::detail::element_type_of(p.type_of(in[i])) : p.type_of(in[i]);
      if (const auto l = layout_of(t, examples_)) bytes_ += t.bytes() / examples_, widest_ = std::max(widest_, t.bytes() / examples_ / l->members());
    }
    for (std::size_t i = 0; i < e.out.count; ++i)
      if (!form_.stacks_result(i)) turn(p.outputs(e)[i]);
  }
  /// Turns the programs that the equation runs, and notes what is spread over examples among its operands.
  bool add_programs(const equation& e) {
    using kind = control_form::kind;
    const param_view params = of_.program.params(e);
    if (form_.is == kind::conditional_loop) {
      constexpr double some = 16;  // trips, which nobody knows
      const bool fits = (add(params.subs[0], false, some) && add(params.subs[1], false, some)) ||
                        (add(params.subs[0], true, some) && add(params.subs[1], false, some) && end_alone(params.subs[0], params.subs[1]));
      return fits && take_spreads(params.subs[0], e, 0, form_.of_condition) && take_spreads(params.subs[1], e, form_.of_condition, form_.of_body);
    }
    const bool is_call = form_.is == kind::call;
    return add(params.subs[form_.body], false, is_call ? 1 : double(form_.trips)) && (!is_call || may_lie_over_operands(e)) &&
           take_spreads(params.subs[form_.body], e, 0, is_call ? e.in.count : form_.of_body);
  }
  /// Gives these operands their types. False where one is given twice, to be spread in two ways.
  bool turn_spreads(const equation& e) {
    const auto in = of_.program.inputs(e);
    for (const auto& [operand, spread] : spreads_) {
      const dtype t = of_.program.type_of(in[operand]).type;
      outer_.avals[in[operand].index()] = aval(t, {block_});
      bytes_ += std::int64_t(size_of(t));
      for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i] == in[operand] && !(spread_of(i) == spread)) return false;
    }
    return true;
  }
  bool add(const jaxpr_ref& body, bool any, double times) { return add(body, of_.body(body), any, times, true); }
  bool add(const jaxpr_ref& body, const lowered_source& of, bool any, double times, bool may_spread) {
    for (const auto& p : programs_)
      if (p->of == body) return !any;
    const jaxpr& p = of.program;
    program made{body, p, of.lowered};
    for (const aval& t : p.avals)
      if (const auto l = layout_of(t, examples_)) most_members_ = std::max(most_members_, l->members());
    for (aval& t : made.own.avals) t = in_block(t);
    made.spreads.resize(p.avals.size());
    const detail::block_kernel blocks(p, examples_, block_, made.spreads);
    for (const lowered_step& s : of.lowered.steps) {
      const equation& e = p.equations[s.equation];
      if (s.kernel >= 0) {
        loop_kernel& k = made.lowered.kernels[std::size_t(s.kernel)];
        if (!blocks.turn(k, any)) return false;
        count(k, times);
      } else if (s.alias) {
        if (layout_of(p.type_of(p.inputs(e)[0]), examples_) != layout_of(p.avals[p.outputs(e)[0]], examples_)) return false;  // the same places in a block
      } else {
        if (!e.op->place || e.effects != 0) return false;
        const param_view held = p.params(e);
        const control_form form = e.op->control(held);
        const double trips = form.is == control_form::kind::counted_loop ? double(form.trips) : 1;
        if (!has_stacks_by_trip(p, e, form)) return false;
        for (std::uint32_t i = 0; i < held.sub_count; ++i)
          if (form.runs(i) && !add(held.subs[i], of.body(held.subs[i]), false, times * trips, false)) return false;
      }
    }
    for (variable v = 0; v < p.avals.size(); ++v)
      if (made.spreads[v]) {
        if (!may_spread || !is_spread_in_all(p, made.lowered, v)) return false;
        made.own.avals[v] = aval(p.avals[v].type, {block_});
      }
    programs_.push_back(std::make_unique<program>(std::move(made)));
    return true;
  }
  /// Whether all read a value that is spread over examples as such: each example its element, and none another one.
  bool is_spread_in_all(const jaxpr& p, const lowered_program& l, variable v) const {
    for (const loop_kernel& k : l.kernels) {
      const bool has_examples = std::any_of(k.outputs.begin(), k.outputs.end(), [&](const output& o) { return layout_of(p.avals[o.to.value.index()], examples_).has_value(); });
      for (const access& a : k.inputs)
        if (a.value.index() == v && !(has_examples && a.strides[k.loops.size() - 1] == 1 && a.offset == 0)) return false;
    }
    const atom whole = atom::of_variable(v);
    for (const lowered_step& s : l.steps)
      for (atom a : p.inputs(p.equations[s.equation]))
        if (s.kernel < 0 && a == whole) return false;
    return std::find(p.outvars.begin(), p.outvars.end(), whole) == p.outvars.end();
  }
  /// Notes what is spread over examples of the constants that a program of the loop has from operand `first` on, `constants` of them.
  bool take_spreads(const jaxpr_ref& body, const equation& e, std::size_t first, std::size_t constants) {
    for (const auto& p : programs_)
      for (std::size_t i = 0; p->of == body && i < p->own.invars.size(); ++i)
        if (const auto& spread = p->spreads[p->own.invars[i]]) {
          const atom x = of_.program.inputs(e)[first + i];
          if (i >= constants || x.is_literal()) return false;
          for (variable r : of_.program.outputs(e))  // which may lie over an operand of a call
            if (of_.program.avals[r].bytes() == of_.program.type_of(x).bytes()) return false;
          spreads_.push_back({first + i, *spread});
        }
    return true;
  }
  /// Whether a result of a call may lie over an operand: its examples lie where those of that one do.
  bool may_lie_over_operands(const equation& e) const {
    const jaxpr& p = of_.program;
    const auto parts = [&](const aval& t, const example_layout& l) { return std::pair(l.before, l.after * std::int64_t(size_of(is_complex(t.type) ? real_dtype(t.type) : t.type))); };
    for (variable v : p.outputs(e))
      for (atom a : p.inputs(e)) {
        const aval x = p.type_of(a), &y = p.avals[v];
        const auto from = layout_of(x, examples_), to = layout_of(y, examples_);
        if (from && x.bytes() == y.bytes() && !(to && parts(x, *from) == parts(y, *to))) return false;
      }
    return true;
  }
  /// Whether in a block, too, the elements of stacks lie one after the other.
  bool has_stacks_by_trip(const jaxpr& p, const equation& e, const control_form& form) const {
    const auto fits = [&](const aval& stack) {
      const std::optional<example_layout> all = layout_of(stack, examples_), one = layout_of(jacquard::detail::element_type_of(stack), examples_);
      return all.has_value() == one.has_value() && (!all || (all->after == one->after && all->before == one->before * form.trips));
    };
    for (std::size_t i = 0; i < e.in.count; ++i)
      if (form.stacks_operand(i) && !fits(p.type_of(p.inputs(e)[i]))) return false;
    for (std::size_t i = 0; i < e.out.count; ++i)
      if (form.stacks_result(i) && !fits(p.avals[p.outputs(e)[i]])) return false;
    return true;
  }
  void count(const loop_kernel& k, double times) {
    const std::vector<std::uint32_t> depends = loop_dependence(k);
    const bool has_examples = !k.loops.empty() && k.loops.back().extent == block_;
    for (std::size_t n = 0; n < depends.size(); ++n) {
      if (k.body.steps[n].op < scalar_op::convert) continue;
      double iterations = times;
      for (std::size_t i = 0; i < k.loops.size(); ++i)
        if (depends[n] >> i & 1u) iterations *= double(k.loops[i].extent);
      const bool dear = detail::is_dear(k.body.steps[n].op);
      const bool is_of_examples = has_examples && (depends[n] >> (k.loops.size() - 1) & 1u);
      is_dear_ = is_dear_ || (dear && is_of_examples);
      (is_of_examples ? steps_ : steps_for_all_) += iterations * (dear ? 20 : 1);
    }
  }

  /// Whether the condition is that any example goes on, which one carry says of each, and those that do not go on keep all that they have.
  bool end_alone(const jaxpr_ref& condition, const jaxpr_ref& body) const {
    const lowered_source asks = body_of(condition), runs = body_of(body);
    if (asks.lowered.steps.size() != 1 || asks.lowered.steps[0].kernel < 0) return false;
    const loop_kernel& any = asks.lowered.kernels[std::size_t(asks.lowered.steps[0].kernel)];
    const std::vector<scalar_step>& steps = any.body.steps;
    if (steps.size() != 2 || steps[0].op != scalar_op::load || !is_stage_result(steps[1]) || any.outputs.size() != 1 || any.outputs[0].step != 1) return false;
    const std::vector<variable>& asked = asks.program.invars;
    const std::size_t goes_on = std::size_t(std::find(asked.begin(), asked.end(), any.inputs[std::size_t(steps[0].in[0])].value.index()) - asked.begin());
    if (goes_on < form_.of_condition || goes_on == asked.size() || asks.program.avals[asked[goes_on]].elements() != block_) return false;
    const std::size_t first = goes_on - form_.of_condition;
    for (std::size_t i = 0; i < form_.carries; ++i)
      if (!keeps(runs, i, form_.of_body, form_.of_body + first)) return false;
    return true;
  }
  /// Whether carry i of examples for which operand `goes_on` does not hold stays as it is; of that carry itself, whether it stays false.
  static bool keeps(const lowered_source& body, std::size_t i, std::size_t first_carry, std::size_t goes_on) {
    const jaxpr& p = body.program;
    const atom out = p.outvars[i];
    const variable before = p.invars[first_carry + i], flag = p.invars[goes_on];
    if (out.is_literal()) return false;
    if (out.index() == before) return true;
    bool any = false;
    for (const loop_kernel& k : body.lowered.kernels)
      for (const output& o : k.outputs) {
        if (!(o.to.value == out)) continue;
        const auto is = [&](std::int32_t step, variable v, auto&& fits) {
          const scalar_step& s = k.body.steps[std::size_t(step)];
          return s.op == scalar_op::load && !is_stage_result(s) && k.inputs[std::size_t(s.in[0])].value.index() == v && fits(k.inputs[std::size_t(s.in[0])]);
        };
        const auto is_flag = [&](std::int32_t step) {
          return is(step, flag, [&](const access& a) {
            for (std::size_t l = 0; l < a.strides.size(); ++l)
              if (a.strides[l] != (l + 1 == k.loops.size() ? 1 : 0)) return false;
            return a.offset == 0 && a.strides.size() == k.loops.size();
          });
        };
        const scalar_step& s = k.body.steps[std::size_t(o.step)];
        if (before == flag ? !(s.op == scalar_op::bit_and && (is_flag(s.in[0]) || is_flag(s.in[1])))
                           : !(s.op == scalar_op::select && is_flag(s.in[0]) && is(s.in[2], before, [&](const access& a) { return a.offset == o.to.offset && same_strides(a, o.to); })))
          return false;
        any = true;
      }
    return any;
  }

  lowered_source of_;
  std::int64_t examples_, block_;
  jaxpr outer_;
  control_form form_;
  std::vector<std::unique_ptr<program>> programs_;
  std::vector<std::pair<std::size_t, example_spread>> spreads_;  ///< by operand of the loop
  std::int64_t most_members_ = 1, bytes_ = 0, widest_ = 1;  ///< of a value; of all operands of the loop, and of the elements of one
  double steps_ = 0, steps_for_all_ = 0;
  bool is_dear_ = false, fits_ = false;
};

}  // namespace jacquard::cpu
