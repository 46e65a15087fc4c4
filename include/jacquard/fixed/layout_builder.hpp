#pragma once
// Lays a frozen program out: which elements are which values, the order of the steps that compute them, and where the rest lies. Deliberately one
// class for programs of all sizes: one for each program would cost the compiler a tenth of a second for each, however small.

#include "jacquard/fixed/array_plan.hpp"
#include "jacquard/fixed/factor_placement.hpp"
#include "jacquard/fixed/inverse_cubes.hpp"
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

/// An operation makes a value, perhaps one with a factor, and settles its operands.
constexpr std::size_t most_values(const program_view& code, const small_array_counts& counts) { return 4 * (counts.all_elements + most_steps_apart(code)); }
/// More are computed like other values.
constexpr std::size_t most_constants(const program_view& code, const small_array_counts& counts) {
  return code.literal_count + 512 + (counts.most_elements != 0 ? most_tried : 0);
}

/// Lays a program out; the results are copied to tables of the sizes that they turn out to have. A template, so that files which lay out no
/// program do not compile it, of one type, so that the others do so once.
template <class Program>
class layout_builder : array_plan<Program> {
  using plan = array_plan<Program>;
  using typename plan::place_facts;
  using plan::code_, plan::small, plan::has_large, plan::variables_, plan::first_, plan::loop_, plan::filled_in_, plan::memory_;
  using plan::release, plan::give_back, plan::place_view;

 public:
  /// The parts of `small_arrays`.
  constexpr layout_builder(const Program& code, const bool* small_arrays, const std::uint32_t* elements_of, const small_array_counts& counts)
      : plan(code, small_arrays),
        elements_of_(elements_of),
        elements_(code, counts.all_elements, most_values(code, counts), most_constants(code, counts)),
        graph_(elements_.graph) {}

  constexpr void build() {
    if (has_large()) plan::make();
    const frozen_program& p = code_.programs[0];
    for (std::uint32_t i = 0; i < p.inputs.count; ++i) {
      const variable v = code_.atoms[p.inputs.first + i].index();
      if (small(v)) place(v);
      else variables_[v].where = home::argument, first_[v] = i;
    }
    inputs_ = graph_.value_count;
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) add_equation(n);
    settle(p.outputs);
    mark_needed();
    rearrange();
    step_order order(graph_.value_count);
    for_each_small(p.outputs, [&order](std::uint32_t code) { order.add_result(code); });
    order.arrange(graph_.steps, graph_.step_count, keep_.data(), [this](const run_step& s) { return this->arity(s.kind); },
                  [this](const run_step& s) { return this->is_function_of_number(s); });
    order_.swap(order.at);
    number_slots();
    count_quotients();
    find_arrivals();
    for (std::uint32_t i = 0; i < graph_.count; ++i) graph_.elements[i] = slot_code(graph_.elements[i]);  // nothing reads values from here on
    for (std::uint32_t n : order_) put_step(graph_.steps[n]);
    draw_lanes();
  }
  constexpr layout_sizes sizes() const {
    return {graph_.count, std::uint32_t(run_.steps.size()), graph_.constant_count, std::uint32_t(run_.groups.size()), std::uint32_t(run_.grouped.size()), inputs_};
  }
  /// To a layout that has at least these sizes.
  template <class Layout>
  constexpr void write(Layout& r) const {
    r.used = sizes();
    for (variable v = 0; v < code_.variable_count; ++v) r.where[v] = variables_[v].where, r.first[v] = first_[v], r.offset[v] = variables_[v].offset;
    for (std::uint32_t n = 0; n < code_.equation_count; ++n) r.loop[n] = loop_[n], r.filled_in[n] = filled_in_[n];
    for (std::uint32_t i = 0; i < graph_.count; ++i) r.elements[i] = graph_.elements[i];
    for (std::uint32_t i = 0; i < inputs_; ++i) r.arrivals[i] = arrivals_[i];
    for (std::uint32_t i = 0; i < r.used.steps; ++i) r.steps[i] = run_.steps[i];
    for (std::uint32_t i = 0; i < r.used.groups; ++i) r.groups[i] = run_.groups[i];
    for (std::uint32_t i = 0; i < r.used.grouped; ++i) r.grouped[i] = run_.grouped[i];
    for (std::uint32_t i = 0; i < graph_.constant_count; ++i) r.constants[i].set(graph_.constants[i]);
    for (std::size_t t = 0; t < std::size_t(dtype_count); ++t) r.memory[t] = memory_.top(t), r.slots[t] = slots_[t];
  }

 private:
  constexpr void add_equation(std::uint32_t n) {
    const frozen_equation& e = code_.equations[n];
    const variable out = code_.atoms[e.out.first].index();
    if (small(out) && elements_.take_apart(n, &first_[0], [this](variable v) { return this->small(v); })) return;
    settle(e.in);
    if (variables_[out].view.used) return place_view(out);
    for (std::uint32_t k = 0; k < e.out.count; ++k) place(code_.atoms[e.out.first + k].index());
    if (loop_[n] == 0 || loop_[n] == n + 1) graph_.add_whole(n);
    if (!has_large()) return;
    for (std::uint32_t k = 0; k < e.in.count; ++k) release(code_.atoms[e.in.first + k], n);
    for (std::uint32_t k = 0; k < e.out.count; ++k) release(code_.atoms[e.out.first + k], n);
    if (loop_[n] == 0 || loop_[n] == n + 1) give_back();
  }

  /// The elements of small atoms as numbers that are there.
  constexpr void settle(pool_range atoms) {
    for_each_small(atoms, [this](std::uint32_t& code) { code = graph_.settled(code); });
  }
  template <class F>
  constexpr void for_each_small(pool_range atoms, F&& f) {
    for (std::uint32_t k = 0; k < atoms.count; ++k)
      if (const atom a = code_.atoms[atoms.first + k]; !a.is_literal() && small(a.index()))
        for (std::uint32_t i = 0; i < elements_of_[a.index()]; ++i) f(graph_.elements[first_[a.index()] + i]);
  }

  // What of all that is needed, and where it goes.

  /// Calls `visit` with the codes of an atom's elements.
  template <class F>
  constexpr void visit_atom(atom a, const F& visit) const {
    if (a.is_literal()) return;
    const variable v = a.index();
    if (small(v)) {
      const std::uint32_t n = elements_of_[v];
      for (std::uint32_t i = 0; i < n; ++i) visit(graph_.elements[first_[v] + i]);
    } else if (variables_[v].where == home::uniform) visit_atom(atom{first_[v]}, visit);
  }
  template <class F>
  constexpr void visit_atoms(pool_range atoms, const F& visit) const {
    for (std::uint32_t k = 0; k < atoms.count; ++k) visit_atom(code_.atoms[atoms.first + k], visit);
  }
  /// The same for what step i reads as a whole equation, or for the results, which are read after the last.
  template <class F>
  constexpr void visit_reads(std::uint32_t i, const F& visit) const {
    if (i == graph_.step_count) return visit_atoms(code_.programs[0].outputs, visit);
    const std::uint32_t n = graph_.steps[i].kind & ~run_step::whole;
    if (loop_[n] == 0) return visit_atoms(code_.equations[n].in, visit);
    for (std::uint32_t m = 0; m <= n; ++m)
      if (loop_[m] == n + 1) visit_atoms(code_.equations[m].in, visit);
  }
  constexpr void mark_needed() {
    const auto mark = [this](std::uint32_t code) {
      if ((code & atom::literal_bit) == 0) values_[code].needed = true;
    };
    values_.resize(graph_.value_count), keep_.resize(graph_.step_count);
    for (value_facts& v : values_) v.needed = false;
    visit_reads(graph_.step_count, mark);
    for (std::uint32_t i = graph_.step_count; i-- > 0;) {
      const run_step& s = graph_.steps[i];
      keep_[i] = (s.kind & run_step::whole) != 0 || values_[s.out].needed;
      if (!keep_[i]) continue;
      if ((s.kind & run_step::whole) != 0) visit_reads(i, mark);
      else
        for (std::uint32_t k = 0; k < arity(s.kind); ++k) mark(s.in[k]);
    }
  }
  constexpr void rearrange() {
    const auto operands = [this](const run_step& s) { return this->arity(s.kind); };
    const auto reads = [this](std::uint32_t i, const auto& visit) { this->visit_reads(i, visit); };
    if (quotient_rule(graph_, keep_.data(), operands, reads).apply()) mark_needed();
    factor_placement placement(graph_, keep_.data(), operands, reads);  // not within the if: nvcc 13 would not see it made
    if (placement.has_factors()) {
      placement.place();
      for (std::uint32_t i = 0; i < graph_.count; ++i) graph_.elements[i] = placement.face(graph_.elements[i]);
      mark_needed();
    }
    if (product_sharing(graph_, keep_.data(), operands, reads).share()) mark_needed();
    const auto is_root = [this](const run_step& s) { return this->is_function_of_number(s) && code_.facts(s.kind).square_root; };
    if (inverse_cubes(graph_, keep_.data(), operands, reads, is_root).write_as_quotients()) mark_needed();
    if (product_order(graph_, keep_.data(), operands, reads).order()) mark_needed();
    if (sum_factors(graph_, keep_.data(), operands, reads).factor()) mark_needed();
    if (sum_splitting(graph_, keep_.data(), operands, reads).split()) mark_needed();
  }
  constexpr std::uint32_t arity(std::uint32_t kind) const { return (kind & run_step::plain_arithmetic) != 0 ? 2 : code_.operand_counts[kind]; }
  /// Values that inputs and whole equations give lie one after the other; so do those of steps, in their order.
  constexpr void number_slots() {
    for (std::uint32_t v : given_) values_[v].given = true;
    for (std::uint32_t v = 0; v < graph_.value_count; ++v)
      if (v < inputs_ || values_[v].given || values_[v].needed) values_[v].slot = slots_[std::size_t(graph_.type_of(v))]++;
  }
  constexpr std::uint32_t slot_code(std::uint32_t code) const { return (code & atom::literal_bit) != 0 ? code : values_[code].slot; }
  constexpr run_step slotted(const run_step& s) const {
    if ((s.kind & run_step::whole) != 0) return s;
    run_step r{s.kind, values_[s.out].slot, {}};
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
      ++values_[s.in[1]].quotients;
      if (s.in[0] != one) continue;
      if (std::uint32_t& known = values_[s.in[1]].reciprocal; known == 0) known = values_[s.out].slot + 1;
      else values_[s.out].slot = known - 1;
    }
  }
  /// Division by a value that divides several: by one reciprocal, as a person would, in at most one more rounding.
  constexpr void put_step(const run_step& s) {
    if (!is_quotient(s) || values_[s.in[1]].quotients < 2) return run_.steps.push_back(slotted(s));
    value_facts& divisor = values_[s.in[1]];
    const run_step quotient = slotted(s);
    const std::uint32_t one = graph_.number(1);
    if (!divisor.inverted) {
      if (divisor.reciprocal == 0) divisor.reciprocal = ++slots_[std::size_t(code_.number_type)];
      run_.steps.push_back({s.kind, divisor.reciprocal - 1, {one, quotient.in[1]}});
      divisor.inverted = true;
    }
    if (s.in[0] != one)
      run_.steps.push_back({run_step::kind_of(arithmetic::multiply), quotient.out, {quotient.in[0], divisor.reciprocal - 1}});
  }
  constexpr bool is_function_of_number(const run_step& s) const {
    return (s.kind & (run_step::whole | run_step::plain_arithmetic)) == 0 && code_.facts(s.kind).function && (s.in[0] & atom::literal_bit) == 0 &&
           code_.dtype_of(code_.atoms[code_.equations[s.kind].in.first]) == code_.number_type &&
           code_.dtype_of(code_.atoms[code_.equations[s.kind].out.first]) == code_.number_type;
  }
  constexpr void find_arrivals() {
    std::uint32_t stretch = 0;
    const auto read = [this, &stretch](std::uint32_t code) {
      if (code < inputs_ && stretch < arrivals_[code]) arrivals_[code] = std::uint8_t(stretch);
    };
    arrivals_ = list<std::uint8_t>(inputs_, most_stretches - 1);
    for (std::size_t i = 0; i < order_.size() && stretch + 1 < most_stretches; ++i)
      if (const run_step& s = graph_.steps[order_[i]]; (s.kind & run_step::whole) != 0) visit_reads(order_[i], read), ++stretch;
      else
        for (std::uint32_t k = 0; k < arity(s.kind); ++k) read(s.in[k]);
  }
  /// What runs on lanes: divisions, rows of results, functions and pairs.
  constexpr void draw_lanes() {
    std::uint32_t most_slots = 0;
    for (const std::uint32_t n : slots_) most_slots = n > most_slots ? n : most_slots;
    const auto operands = [this](std::uint32_t kind) { return this->arity(kind); };
    draw_divisions_together(run_.steps.data(), std::uint32_t(run_.steps.size()), most_slots, operands);
    std::uint32_t bases[std::size_t(dtype_count)]{}, all = slots_[std::size_t(code_.number_type)], inputs = 0;  // of each type's slots: those of numbers come first
    for (std::size_t t = 0; t < std::size_t(dtype_count); ++t)
      if (dtype(t) != code_.number_type) bases[t] = all, all += slots_[t];
    for (std::uint32_t v = 0; v < inputs_; ++v) inputs += graph_.type_of(v) == code_.number_type ? 1 : 0;
    const auto place = [this, &bases](const run_step& s, std::uint32_t k) {
      const std::uint32_t at = k == 3 ? s.out : s.in[k];
      if ((s.kind & run_step::plain_arithmetic) != 0) return at;
      const frozen_equation& e = code_.equations[s.kind];
      return bases[std::size_t(code_.dtype_of(code_.atoms[k == 3 ? e.out.first : e.in.first + k]))] + at;
    };
    step_rows rows(run_.steps.data(), std::uint32_t(run_.steps.size()), all, inputs, operands, place);
    const pool_range outputs = code_.programs[0].outputs;
    for (std::uint32_t k = 0; k < outputs.count; ++k) {
      const atom a = code_.atoms[outputs.first + k];
      if (a.is_literal() || !small(a.index())) continue;
      const aval& type = code_.type_of_variable(a.index());
      if (type.type == code_.number_type && type.rank() > 0)
        rows.add_result(graph_.elements + first_[a.index()], std::uint32_t(type.elements()), std::uint32_t(type.dims[type.rank() - 1]));
    }
    rows.draw();
    draw_groups(run_, [this](const run_step& s) { return this->is_function_of_number(s); }, [&rows](std::uint32_t i) { return rows.width_at(i); }, most_slots, operands);
  }

  constexpr void place(variable v) {
    const aval& a = code_.type_of_variable(v);
    if (!small(v)) {
      place_facts& at = variables_[v];
      if (at.where != home::slots) return;  // with a part of it
      if (at.part.used) {
        place(at.part.of);
        const place_facts& whole = variables_[at.part.of];
        at.where = whole.where, first_[v] = first_[at.part.of], at.offset = whole.offset + at.part.offset;
      } else if (at.result != 0) at.where = home::result, first_[v] = at.result - 1;
      else if (!at.stored) at.where = home::loop;
      else at.where = home::memory, first_[v] = memory_.take(a.type, std::uint32_t(a.elements()));
      return;
    }
    first_[v] = graph_.count;
    for (std::int64_t i = 0; i < a.elements(); ++i) {
      given_.push_back(graph_.value_count);
      graph_.add_new(a.type);
    }
  }

  struct value_facts {
    bool needed = false, given = false, inverted = false;
    std::uint32_t slot = 0, quotients = 0, reciprocal = 0;  ///< of a divisor: how many quotients; the slot of 1 / it, + 1
  };
  const std::uint32_t* elements_of_;
  equation_elements elements_;
  element_graph& graph_;
  list<value_facts> values_;
  list<bool> keep_;             ///< by step
  list<std::uint32_t> given_;   ///< values that whole equations and inputs give
  list<std::uint32_t> order_;   ///< steps that are kept, as they run
  list<std::uint8_t> arrivals_;
  step_list run_;
  std::uint32_t slots_[std::size_t(dtype_count)]{}, inputs_ = 0;
};

}  // namespace detail
}  // namespace jacquard
