#pragma once
// Where the values of a frozen program live. Small arrays are single elements, each in a slot that is addressed by a
// constant, so that the compiler keeps them in registers; an operation that only moves elements dissolves into names for
// the same slots. Large arrays are arguments, results, views of others, or share memory by liveness. Deliberately decided once, in
// constant evaluation.

#include "jacquard/fixed/array_plan.hpp"
#include "jacquard/fixed/factor_placement.hpp"
#include "jacquard/fixed/layout_tables.hpp"
#include "jacquard/fixed/product_order.hpp"
#include "jacquard/fixed/product_sharing.hpp"
#include "jacquard/fixed/quotient_rule.hpp"
#include "jacquard/fixed/step_order.hpp"
#include "jacquard/fixed/step_rows.hpp"
#include "jacquard/fixed/sum_factors.hpp"
#include "jacquard/fixed/sum_splitting.hpp"

namespace jacquard {
namespace detail {

template <const auto& Code>
class layout_builder : array_plan<Code> {
  using plan = array_plan<Code>;
  using plan::variables, plan::equations, plan::small, plan::has_large, plan::facts;
  using plan::where_, plan::first_, plan::offset_, plan::stored_, plan::loop_, plan::views_, plan::parts_, plan::filled_in_, plan::result_of_, plan::memory_;
  using plan::release, plan::give_back, plan::place_view;

 public:
  static constexpr std::size_t most_constants = Code.literals.size() + 512 + (small_arrays_of<Code>.most_elements != 0 ? most_tried : 0);  ///< more are computed like other values
  static constexpr std::uint32_t most_elements = small_arrays_of<Code>.all_elements;
  static constexpr dtype number_type = number_type_of<Code>;
  /// An operation makes a value, perhaps one with a factor, and settles its operands.
  static constexpr std::size_t most_values = 4 * (most_elements + most_steps_apart<Code>);

  static constexpr layout_sizes most{most_elements, std::uint32_t(most_values), std::uint32_t(most_constants), std::uint32_t(most_values),
                                     std::uint32_t(most_values), most_elements};
  using wide = layout<variables, equations, most>;

  /// A layout in rooms that may be too large.
  constexpr wide build() {
    if (has_large()) plan::make();
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.inputs.count; ++i) {
      const variable v = Code.atoms[p.inputs.first + i].index();
      if (small(v)) place(v);
      else where_[v] = home::argument, first_[v] = i;
    }
    inputs_ = graph_.value_count;
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) add_equation(n);
    settle(p.outputs);
    mark_needed();
    rearrange();
    for_each_small(p.outputs, [this](std::uint32_t code) { order_.add_result(code, graph_.step_count); });
    order_.arrange(graph_.steps, graph_.step_count, keep_, [](const run_step& s) { return arity(s.kind); },
                   [this](const run_step& s) { return is_function_of_number(s); });
    number_slots();
    count_quotients();
    return result();
  }

 private:
  constexpr void add_equation(std::uint32_t n) {
    const frozen_equation& e = Code.equations[n];
    const variable out = Code.atoms[e.out.first].index();
    if (small(out) && elements_.take_apart(n, first_, [](variable v) { return small(v); })) return;
    settle(e.in);
    if (views_[out].used) return place_view(out);
    for (std::uint32_t k = 0; k < e.out.count; ++k) place(Code.atoms[e.out.first + k].index());
    if (loop_[n] == 0 || loop_[n] == n + 1) graph_.add_whole(n);
    if (!has_large()) return;
    for (std::uint32_t k = 0; k < e.in.count; ++k) release(Code.atoms[e.in.first + k], n);
    for (std::uint32_t k = 0; k < e.out.count; ++k) release(Code.atoms[e.out.first + k], n);
    if (loop_[n] == 0 || loop_[n] == n + 1) give_back();
  }

  /// The elements of small atoms as numbers that are there.
  constexpr void settle(pool_range atoms) {
    for_each_small(atoms, [this](std::uint32_t& code) { code = graph_.settled(code); });
  }
  template <class F>
  constexpr void for_each_small(pool_range atoms, F&& f) {
    for (std::uint32_t k = 0; k < atoms.count; ++k)
      if (const atom a = Code.atoms[atoms.first + k]; !a.is_literal() && small(a.index()))
        for (std::uint32_t i = 0; i < small_arrays_of<Code>.elements[a.index()]; ++i) f(graph_.elements[first_[a.index()] + i]);
  }

  // What of all that is needed, and where it goes.

  /// Calls `visit` with the codes of an atom's elements.
  template <class F>
  constexpr void visit_atom(atom a, const F& visit) const {
    if (a.is_literal()) return;
    const variable v = a.index();
    if (small(v)) {
      const std::uint32_t n = small_arrays_of<Code>.elements[v];
      for (std::uint32_t i = 0; i < n; ++i) visit(graph_.elements[first_[v] + i]);
    } else if (where_[v] == home::uniform) visit_atom(atom{first_[v]}, visit);
  }
  template <class F>
  constexpr void visit_atoms(pool_range atoms, const F& visit) const {
    for (std::uint32_t k = 0; k < atoms.count; ++k) visit_atom(Code.atoms[atoms.first + k], visit);
  }
  /// The same for what step i reads as a whole equation, or for the results, which are read after the last.
  template <class F>
  constexpr void visit_reads(std::uint32_t i, const F& visit) const {
    if (i == graph_.step_count) return visit_atoms(Code.programs[0].outputs, visit);
    const std::uint32_t n = graph_.steps[i].kind & ~run_step::whole;
    if (loop_[n] == 0) return visit_atoms(Code.equations[n].in, visit);
    for (std::uint32_t m = 0; m <= n; ++m)
      if (loop_[m] == n + 1) visit_atoms(Code.equations[m].in, visit);
  }
  constexpr void mark_needed() {
    const auto mark = [this](std::uint32_t code) {
      if ((code & atom::literal_bit) == 0) needed_[code] = true;
    };
    for (std::uint32_t v = 0; v < graph_.value_count; ++v) needed_[v] = false;
    visit_reads(graph_.step_count, mark);
    for (std::uint32_t i = graph_.step_count; i-- > 0;) {
      const run_step& s = graph_.steps[i];
      keep_[i] = (s.kind & run_step::whole) != 0 || needed_[s.out];
      if (!keep_[i]) continue;
      if ((s.kind & run_step::whole) != 0) visit_reads(i, mark);
      else
        for (std::uint32_t k = 0; k < arity(s.kind); ++k) mark(s.in[k]);
    }
  }
  constexpr void rearrange() {
    const auto operands = [](const run_step& s) { return (s.kind & run_step::plain_arithmetic) != 0 ? 2 : primitives_of<Code>.operands[s.kind]; };
    const auto reads = [this](std::uint32_t i, const auto& visit) { this->visit_reads(i, visit); };
    if (quotient_rule(graph_, keep_, operands, reads).apply()) mark_needed();
    factor_placement placement(graph_, keep_, operands, reads);  // not within the if: nvcc 13 would not see it made
    if (placement.has_factors()) {
      placement.place();
      for (std::uint32_t i = 0; i < graph_.count; ++i) graph_.elements[i] = placement.face(graph_.elements[i]);
      mark_needed();
    }
    if (product_sharing(graph_, keep_, operands, reads).share()) mark_needed();
    if (product_order(graph_, keep_, operands, reads).order()) mark_needed();
    if (sum_factors(graph_, keep_, operands, reads).factor()) mark_needed();
    if (sum_splitting(graph_, keep_, operands, reads).split()) mark_needed();
  }
  static constexpr std::uint32_t arity(std::uint32_t kind) {
    return (kind & run_step::plain_arithmetic) != 0 ? 2 : primitives_of<Code>.operands[kind];
  }
  /// Values that inputs and whole equations give lie one after the other; so do those of steps, in their order.
  constexpr void number_slots() {
    for (std::uint32_t v = 0; v < graph_.value_count; ++v)
      if (v < inputs_ || given_[v] || needed_[v]) slot_[v] = slots_[graph_.types[v]]++;
  }
  constexpr std::uint32_t slot_code(std::uint32_t code) const { return (code & atom::literal_bit) != 0 ? code : slot_[code]; }
  constexpr run_step slotted(const run_step& s) const {
    if ((s.kind & run_step::whole) != 0) return s;
    run_step r{s.kind, slot_[s.out], {}};
    for (std::uint32_t k = 0; k < arity(s.kind); ++k) r.in[k] = slot_code(s.in[k]);
    return r;
  }
  static constexpr bool is_quotient(const run_step& s) {
    return s.is(arithmetic::divide) && (s.in[1] & atom::literal_bit) == 0;
  }
  /// Values by which more than one is divided, and their reciprocals that are values of the program.
  constexpr void count_quotients() {
    const std::uint32_t one = graph_.number(1);
    for (std::uint32_t i = 0; i < graph_.step_count; ++i) {
      const run_step& s = graph_.steps[i];
      if (!keep_[i] || !is_quotient(s)) continue;
      ++quotients_[s.in[1]];
      if (s.in[0] == one) reciprocals_[s.in[1]] = slot_[s.out] + 1;
    }
  }
  /// Division by a value that divides several: by one reciprocal, as a person would, in at most one more rounding.
  constexpr void put_step(wide& r, const run_step& s) {
    if (!is_quotient(s) || quotients_[s.in[1]] < 2) {
      r.steps[r.used.steps++] = slotted(s);
      return;
    }
    std::uint32_t& reciprocal = reciprocals_[s.in[1]];
    const run_step quotient = slotted(s);
    const std::uint32_t one = graph_.number(1);
    if (!inverted_[s.in[1]]) {
      if (reciprocal == 0) reciprocal = ++slots_[std::size_t(number_type)];
      r.steps[r.used.steps++] = {s.kind, reciprocal - 1, {one, quotient.in[1]}};
      inverted_[s.in[1]] = true;
    }
    if (s.in[0] != one)
      r.steps[r.used.steps++] = {run_step::kind_of(arithmetic::multiply), quotient.out, {quotient.in[0], reciprocal - 1}};
  }
  constexpr bool is_function_of_number(const run_step& s) const {
    return (s.kind & (run_step::whole | run_step::plain_arithmetic)) == 0 && facts(s.kind).function && (s.in[0] & atom::literal_bit) == 0 &&
           elements_.type_of(Code.atoms[Code.equations[s.kind].in.first]) == number_type &&
           elements_.type_of(Code.atoms[Code.equations[s.kind].out.first]) == number_type;
  }
  constexpr void find_arrivals(wide& r) const {
    std::uint32_t stretch = 0;
    const auto read = [this, &r, &stretch](std::uint32_t code) {
      if (code < inputs_ && stretch < r.arrivals[code]) r.arrivals[code] = std::uint8_t(stretch);
    };
    for (r.used.inputs = 0; r.used.inputs < inputs_;) r.arrivals[r.used.inputs++] = most_stretches - 1;
    for (std::uint32_t i = 0; i < order_.count && stretch + 1 < most_stretches; ++i)
      if (const run_step& s = graph_.steps[order_.at[i]]; (s.kind & run_step::whole) != 0) visit_reads(order_.at[i], read), ++stretch;
      else
        for (std::uint32_t k = 0; k < arity(s.kind); ++k) read(s.in[k]);
  }
  /// What runs on lanes: divisions, rows of results, functions and pairs.
  constexpr void draw_lanes(wide& r) const {
    std::uint32_t most_slots = 0;
    for (const std::uint32_t n : slots_) most_slots = n > most_slots ? n : most_slots;
    const auto operands = [](std::uint32_t kind) { return arity(kind); };
    draw_divisions_together(r, most_slots, operands);
    std::uint32_t bases[std::size_t(dtype_count)]{}, all = slots_[std::size_t(number_type)], inputs = 0;  // of each type's slots: those of numbers come first
    for (std::size_t t = 0; t < std::size_t(dtype_count); ++t)
      if (dtype(t) != number_type) bases[t] = all, all += slots_[t];
    for (std::uint32_t v = 0; v < inputs_; ++v) inputs += dtype(graph_.types[v]) == number_type ? 1 : 0;
    const auto place = [this, &bases](const run_step& s, std::uint32_t k) {
      const std::uint32_t at = k == 3 ? s.out : s.in[k];
      if ((s.kind & run_step::plain_arithmetic) != 0) return at;
      const frozen_equation& e = Code.equations[s.kind];
      return bases[std::size_t(elements_.type_of(Code.atoms[k == 3 ? e.out.first : e.in.first + k]))] + at;
    };
    step_rows rows(r, all, inputs, operands, place);
    const pool_range outputs = Code.programs[0].outputs;
    for (std::uint32_t k = 0; k < outputs.count; ++k) {
      const atom a = Code.atoms[outputs.first + k];
      if (a.is_literal() || !small(a.index())) continue;
      const aval& type = Code.type_of_variable(a.index());
      if (type.type == number_type && type.rank() > 0)
        rows.add_result(r.elements + first_[a.index()], std::uint32_t(type.elements()), std::uint32_t(type.dims[type.rank() - 1]));
    }
    rows.draw();
    draw_groups(r, [this](const run_step& s) { return is_function_of_number(s); }, [&rows](std::uint32_t i) { return rows.width_at(i); }, most_slots, operands);
  }
  constexpr wide result() {
    wide r;
    for (std::size_t v = 0; v < variables; ++v) r.where[v] = where_[v], r.first[v] = first_[v], r.offset[v] = offset_[v];
    for (std::size_t n = 0; n < equations; ++n) r.loop[n] = loop_[n], r.filled_in[n] = filled_in_[n];
    for (std::uint32_t i = 0; i < graph_.count; ++i) r.elements[i] = slot_code(graph_.elements[i]);
    for (std::uint32_t i = 0; i < order_.count; ++i) put_step(r, graph_.steps[order_.at[i]]);
    find_arrivals(r);
    draw_lanes(r);
    for (std::uint32_t i = 0; i < graph_.constant_count; ++i) r.constants[i].set(graph_.constants[i]);
    r.used.elements = graph_.count, r.used.constants = graph_.constant_count;
    for (std::size_t t = 0; t < std::size_t(dtype_count); ++t) r.memory[t] = memory_.top(t), r.slots[t] = slots_[t];
    return r;
  }

  constexpr void place(variable v) {
    const aval& a = Code.type_of_variable(v);
    if (!small(v)) {
      if (where_[v] != home::slots) return;  // with a part of it
      if (const auto& part = parts_[v]; part.used) {
        place(part.of);
        where_[v] = where_[part.of], first_[v] = first_[part.of], offset_[v] = offset_[part.of] + part.offset;
      } else if (result_of_[v] != 0) where_[v] = home::result, first_[v] = result_of_[v] - 1;
      else if (!stored_[v]) where_[v] = home::loop;
      else where_[v] = home::memory, first_[v] = memory_.take(a.type, std::uint32_t(a.elements()));
      return;
    }
    first_[v] = graph_.count;
    for (std::int64_t i = 0; i < a.elements(); ++i) {
      given_[graph_.value_count] = true;
      graph_.add_new(a.type);
    }
  }

  equation_elements<Code, most_elements, most_values, most_constants> elements_;
  element_graph<most_elements, most_values, most_constants>& graph_ = elements_.graph;
  step_order<most_values> order_;
  bool needed_[most_values + 1]{}, given_[most_values + 1]{}, keep_[most_values + 1]{}, inverted_[most_values + 1]{};
  std::uint32_t slot_[most_values + 1]{}, slots_[std::size_t(dtype_count)]{};
  std::uint32_t quotients_[most_values + 1]{}, reciprocals_[most_values + 1]{};  ///< by divisor: how many; the slot of 1 / it, + 1
  std::uint32_t inputs_ = 0;
};

/// The layout in rooms that may be too large. Types are written out because nvcc 13 fails at `auto` here.
template <const auto& Code>
inline constexpr typename layout_builder<Code>::wide wide_layout_of = layout_builder<Code>().build();
template <const auto& Code>
using layout_for = layout<Code.used.variables, Code.equations.size(), wide_layout_of<Code>.used>;
template <const auto& Code>
constexpr layout_for<Code> make_layout() {
  const auto& wide = wide_layout_of<Code>;
  layout_for<Code> r;
  r.used = wide.used;
  r.where = wide.where, r.first = wide.first, r.offset = wide.offset, r.loop = wide.loop, r.filled_in = wide.filled_in, r.slots = wide.slots, r.memory = wide.memory;
  for (std::uint32_t i = 0; i < r.used.elements; ++i) r.elements[i] = wide.elements[i];
  for (std::uint32_t i = 0; i < r.used.inputs; ++i) r.arrivals[i] = wide.arrivals[i];
  for (std::uint32_t i = 0; i < r.used.steps; ++i) r.steps[i] = wide.steps[i];
  for (std::uint32_t i = 0; i < r.used.groups; ++i) r.groups[i] = wide.groups[i];
  for (std::uint32_t i = 0; i < r.used.grouped; ++i) r.grouped[i] = wide.grouped[i];
  for (std::uint32_t i = 0; i < r.used.constants; ++i) r.constants[i] = wide.constants[i];
  return r;
}
template <const auto& Code>
inline constexpr layout_for<Code> layout_of = make_layout<Code>();

}  // namespace detail
}  // namespace jacquard
