#pragma once
// LLVM IR of loops and branches whose bodies are few elements, as text: the whole of an equation is one function, whose trips and choices
// are jumps and whose carries are registers. Bodies are written where they run, as backends/cpu/llvm_registers has it; equations in them
// that have kernels of their own are called, see kernel_calls. Deliberately nothing for bodies that hold anything else: those run step by
// step, see pointer_plan.

#include "jacquard/backends/cpu/llvm_registers.hpp"
#include "jacquard/backends/cpu/llvm_text.hpp"

namespace jacquard::cpu {

namespace detail {

class control_writer : register_writer {
 public:
  explicit control_writer(const vector_target& t) : register_writer(t) {}

  /// Whether an equation can be written.
  static bool fits(const equation& e, const lowered_source& of) {
    const param_view params = of.program.params(e);
    for (std::uint32_t i = 0; i < params.sub_count; ++i)
      if (params.subs[i]->depth > most_nested) return false;
    extent all;
    return fits(e, of, true, all) && all.calls.bytes() <= kernel_calls::most_bytes;
  }
  /// The function of an equation that fits; its pointers are those of its operands, then of its results.
  kernel_text write(const equation& e, const lowered_source& of, const std::string& name) {
    const jaxpr& p = of.program;
    memory here;
    std::string pointers;
    const auto pointer = [&] {
      const std::string n = std::to_string(here.count++);
      pointers += concat({"  %q", n, " = getelementptr ptr, ptr %places, i64 ", n, "\n  %p", n, " = load ptr, ptr %q", n, "\n"});
      return concat({"%p", n});
    };
    for (std::size_t i = 0; i < p.inputs(e).size(); ++i) here.operands.push_back(pointer());
    for (std::size_t i = 0; i < p.outputs(e).size(); ++i) here.results.push_back(pointer());
    const control_form form = e.op->control(p.params(e));
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < here.operands.size(); ++i)
      operands.push_back(is_stacked_operand(form, i) ? "" : loaded(p.type_of(p.inputs(e)[i]), here.operands[i]));
    const std::vector<std::string> results = control(e, of, operands, &here);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!is_stacked_result(form, i)) store(p.avals[p.outputs(e)[i]], results[i], here.results[i]);
    kernel_text r;
    r.functions = concat({"define void @", name, "(ptr %places, i64 %begin, i64 %end, ptr %self) #0 {\nentry:\n", pointers, code_, "  ret void\n", calls_.empty() ? "" : "failed:\n  ret void\n", "}\n"});
    r.declarations = declarations_;
    r.calls = std::move(calls_);
    return r;
  }

 private:
  /// Where the operands and results of the equation lie: pointers, in text.
  struct memory {
    std::vector<std::string> operands, results;
    int count = 0;
  };
  using kind = control_form::kind;
  static constexpr std::int64_t most_one_by_one = 16;
  static constexpr int most_nested = 24;  ///< loops within loops, for which LLVM takes time quadratic in their depth
  /// How much is written, and called.
  struct extent {
    std::int64_t registers = 0;
    kernel_calls calls;
  };

  static bool is_stacked_operand(const control_form& f, std::size_t i) { return f.is == kind::counted_loop && i >= f.of_body + f.carries; }
  static bool is_stacked_result(const control_form& f, std::size_t i) { return f.is == kind::counted_loop && i >= f.carries; }

  /// `outermost`: operands and results lie in memory, so that some of them may be stacks.
  static bool fits(const equation& e, const lowered_source& of, bool outermost, extent& all) {
    if (!e.op->place || e.effects != 0) return false;
    const jaxpr& p = of.program;
    const control_form form = e.op->control(p.params(e));
    if (form.is == kind::counted_loop && form.trips < 1) return false;
    for (std::size_t i = 0; i < p.inputs(e).size(); ++i)
      if (is_stacked_operand(form, i) ? !outermost : !is_few(p.type_of(p.inputs(e)[i]))) return false;
    for (std::size_t i = 0; i < p.outputs(e).size(); ++i)
      if (is_stacked_result(form, i) ? !outermost : !is_few(p.avals[p.outputs(e)[i]])) return false;
    const param_view params = p.params(e);
    for (std::uint32_t i = 0; i < params.sub_count; ++i)
      if (!fits(of.body(params.subs[i]), all)) return false;
    return params.sub_count != 0;
  }
  static bool fits(const lowered_source& of, extent& all) {
    const jaxpr& p = of.program;
    if (!p.constvars.empty()) return false;
    for (variable v : p.invars)
      if (!is_few(p.avals[v])) return false;
    for (atom a : p.outvars)
      if (!is_few(p.type_of(a))) return false;
    for (const lowered_step& s : of.lowered.steps) {
      const equation& e = p.equations[s.equation];
      if (s.kernel >= 0 ? !register_writer::fits(of.lowered.kernels[std::size_t(s.kernel)], p, all.registers)
          : s.alias     ? p.inputs(e)[0].is_literal()
          : e.op->place ? !fits(e, of, false, all)
                        : !can_call(e, p, all))
        return false;
    }
    return true;
  }

  static bool can_call(const equation& e, const jaxpr& p, extent& all) {
    if (!e.op->kernel || e.op->evaluate || e.effects != 0 || e.subs.count != 0) return false;
    const auto count = [&](const aval& t) {
      all.registers += 2 + t.bytes() / 64;
      return is_few(t);
    };
    for (atom a : p.inputs(e))
      if (!count(p.type_of(a))) return false;
    for (variable v : p.outputs(e))
      if (!count(p.avals[v])) return false;
    all.calls.add(p, e);
    return all.registers <= most_registers;
  }

  // --- programs ---
  std::string operand(const jaxpr& p, const environment& env, atom a) {
    return a.is_literal() ? constant_of(p.literals[a.index()]) : env[a.index()];
  }
  /// The results of a program for these operands.
  std::vector<std::string> program(const lowered_source& of, const std::vector<std::string>& operands) {
    const jaxpr& p = of.program;
    environment env(p.avals.size());
    for (std::size_t i = 0; i < operands.size(); ++i) env[p.invars[i]] = operands[i];
    for (const lowered_step& s : of.lowered.steps) {
      const equation& e = p.equations[s.equation];
      if (s.kernel >= 0) write_kernel(of.lowered.kernels[std::size_t(s.kernel)], p, env);
      else if (s.alias) env[p.outputs(e)[0]] = env[p.inputs(e)[0].index()];
      else {
        std::vector<std::string> in;
        for (atom a : p.inputs(e)) in.push_back(operand(p, env, a));
        const std::vector<std::string> out = e.op->place ? control(e, of, in, nullptr) : called(e, p, in);
        for (std::size_t i = 0; i < out.size(); ++i) env[p.outputs(e)[i]] = out[i];
      }
    }
    std::vector<std::string> results;
    for (atom a : p.outvars) results.push_back(operand(p, env, a));
    return results;
  }
  /// The results of an equation with a kernel of its own; the function ends where that fails.
  std::vector<std::string> called(const equation& e, const jaxpr& p, const std::vector<std::string>& in) {
    const kernel_calls::call& c = calls_[calls_.add(p, e)];
    const auto at = [&](std::int64_t place) { return set({"getelementptr i8, ptr %self, i64 ", std::to_string(place)}); };
    for (std::size_t i = 0; i < in.size(); ++i) store(c.types[i], in[i], at(c.places[i]));
    const std::string record = at(c.record), went_on = new_label("called");
    const std::string failed = set({"icmp ne i32 ", set({"call i32 ", set({"load ptr, ptr ", record}), "(ptr ", record, ")"}), ", 0"});
    line({"  br i1 ", failed, ", label %failed, label %", went_on});
    start_block(went_on);
    std::vector<std::string> results;
    for (std::size_t i = in.size(); i < c.types.size(); ++i) results.push_back(loaded_one_by_one(c.types[i], c.places[i]));
    return results;
  }
  /// A value that a kernel has just stored, element by element: a load of several at once would wait until all of them have left the store
  /// buffer. Volatile, or these loads become that one. Many elements are worth the wait.
  std::string loaded_one_by_one(const aval& of, std::int64_t place) {
    const aval t = in_lanes(of);
    const auto at = [&](std::int64_t n) { return set({"getelementptr i8, ptr %self, i64 ", std::to_string(n)}); };
    const std::int64_t count = t.elements();
    if (count == 1 || count > most_one_by_one || t.type == bool_) return loaded(t, at(place));
    const std::string element(stored(t.type)), type = text_of_vector(lanes_for(count), element);
    std::string made = "zeroinitializer";
    for (std::int64_t i = 0; i < count; ++i)
      made = set({"insertelement ", type, " ", made, ", ", element, " ", set({"load volatile ", element, ", ptr ", at(place + i * std::int64_t(size_of(t.type)))}), ", i32 ", std::to_string(i)});
    width_ = lanes_for(count);
    return widened(t.type, made);
  }
  /// The results of an equation; those that are stacked have been stored.
  std::vector<std::string> control(const equation& e, const lowered_source& of, const std::vector<std::string>& in, const memory* here) {
    const param_view params = of.program.params(e);
    const control_form form = e.op->control(params);
    switch (form.is) {
      case kind::counted_loop: return counted_loop(form, of.body(params.subs[0]), in, here);
      case kind::conditional_loop: return conditional_loop(form, of.body(params.subs[0]), of.body(params.subs[1]), in);
      case kind::choice: return choice(params, of, in);
      default: return program(of.body(params.subs[form.body]), in);
    }
  }

  // --- jumps ---
  std::string new_label(const char* what) { return concat({what, std::to_string(labels_++)}); }
  void start_block(const std::string& label) {
    line({label, ":"});
    block_ = label;
  }
  /// Names for values that change from trip to trip.
  std::vector<std::string> new_names(std::size_t count) {
    std::vector<std::string> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(concat({"%v", std::to_string(names_++)}));
    return r;
  }
  /// Where values are `first` coming from one block and `next` from another; goes to a place in the text that was left for it.
  void merge_at(std::size_t place, view<const aval> types, const std::vector<std::string>& names, const std::vector<std::string>& first, const std::string& from,
                const std::vector<std::string>& next, const std::string& from_next) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
      text += concat({"  ", names[i], " = phi ", vector_type(types[i]), " [ ", first[i], ", %", from, " ], [ ", next[i], ", %", from_next, " ]\n"});
    code_.insert(place, text);
  }
  static std::vector<std::string> part(const std::vector<std::string>& list, std::size_t from, std::size_t count) {
    return {list.begin() + std::ptrdiff_t(from), list.begin() + std::ptrdiff_t(from + count)};
  }
  static std::vector<aval> result_types(const jaxpr& p, std::size_t count) {
    std::vector<aval> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(p.type_of(p.outvars[i]));
    return r;
  }

  std::vector<std::string> counted_loop(const control_form& form, const lowered_source& body, const std::vector<std::string>& in, const memory* here) {
    const jaxpr& p = body.program;
    const std::string head = new_label("head"), done = new_label("done"), before = block_, trip = new_names(1)[0];
    const std::vector<std::string> carries = new_names(form.carries);
    line({"  br label %", head});
    start_block(head);
    const std::size_t place = code_.size();
    const std::string at = form.reverse ? set({"sub i64 ", std::to_string(form.trips - 1), ", ", trip}) : trip;
    const auto element = [&](const aval& t, const std::string& stack) {
      const std::string offset = set({"mul nsw i64 ", at, ", ", std::to_string(t.bytes())});
      return set({"getelementptr i8, ptr ", stack, ", i64 ", offset});
    };
    std::vector<std::string> operands = part(in, 0, form.of_body);
    operands.insert(operands.end(), carries.begin(), carries.end());
    for (std::size_t i = operands.size(); i < p.invars.size(); ++i) {
      const aval& t = p.avals[p.invars[i]];
      operands.push_back(loaded(t, element(t, here->operands[i])));
    }
    const std::vector<std::string> next = program(body, operands);
    for (std::size_t i = form.carries; i < next.size(); ++i) {
      const aval t = p.type_of(p.outvars[i]);
      store(t, next[i], element(t, here->results[i]));
    }
    const std::string following = set({"add nuw nsw i64 ", trip, ", 1"});
    line({"  br i1 ", set({"icmp slt i64 ", following, ", ", std::to_string(form.trips)}), ", label %", head, ", label %", done});
    merge_at(place, result_types(p, form.carries), carries, part(in, form.of_body, form.carries), before, next, block_);
    code_.insert(place, concat({"  ", trip, " = phi i64 [ 0, %", before, " ], [ ", following, ", %", block_, " ]\n"}));
    start_block(done);
    return part(next, 0, form.carries);
  }
  std::vector<std::string> conditional_loop(const control_form& form, const lowered_source& condition, const lowered_source& body,
                                            const std::vector<std::string>& in) {
    const std::string head = new_label("head"), trip = new_label("trip"), done = new_label("done"), before = block_;
    const std::vector<std::string> carries = new_names(form.carries);
    line({"  br label %", head});
    start_block(head);
    const std::size_t place = code_.size();
    const auto with_carries = [&](std::size_t from, std::size_t count) {
      std::vector<std::string> r = part(in, from, count);
      r.insert(r.end(), carries.begin(), carries.end());
      return r;
    };
    const std::string goes_on = only_element(aval(bool_, {}), program(condition, with_carries(0, form.of_condition))[0]);
    line({"  br i1 ", goes_on, ", label %", trip, ", label %", done});
    start_block(trip);
    const std::vector<std::string> next = program(body, with_carries(form.of_condition, form.of_body));
    line({"  br label %", head});
    merge_at(place, result_types(body.program, form.carries), carries, part(in, form.of_condition + form.of_body, form.carries), before, next, block_);
    start_block(done);
    return carries;
  }
  std::vector<std::string> choice(const param_view& params, const lowered_source& of, const std::vector<std::string>& in) {
    const std::string given = only_element(aval(i32, {}), in[0]);
    const std::string index = set({"select i1 ", set({"icmp slt i32 ", given, ", 0"}), ", i32 0, i32 ", given}), join = new_label("join");
    std::vector<std::string> labels, ends;
    for (std::uint32_t i = 0; i < params.sub_count; ++i) labels.push_back(new_label("case"));
    std::string jump = concat({"  switch i32 ", index, ", label %", labels.back(), " ["});
    for (std::size_t i = 0; i + 1 < labels.size(); ++i) jump += concat({" i32 ", std::to_string(i), ", label %", labels[i]});
    line({jump, " ]"});
    std::vector<std::vector<std::string>> results;
    for (std::uint32_t i = 0; i < params.sub_count; ++i) {
      start_block(labels[i]);
      results.push_back(program(of.body(params.subs[i]), part(in, 1, in.size() - 1)));
      ends.push_back(block_);
      line({"  br label %", join});
    }
    start_block(join);
    const jaxpr& p = of.body(params.subs[0]).program;
    const std::vector<std::string> names = new_names(results[0].size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::string all;
      for (std::size_t k = 0; k < ends.size(); ++k) all += concat({k ? ", [ " : " [ ", results[k][i], ", %", ends[k], " ]"});
      line({"  ", names[i], " = phi ", vector_type(p.type_of(p.outvars[i])), all});
    }
    return names;
  }

  std::string block_ = "entry";
  kernel_calls calls_;
  int labels_ = 0, names_ = 0;
};

}  // namespace detail

/// Whether an equation that holds programs can be written as one function: all values are few elements, and there is nothing in the
/// bodies but kernels, equations with kernels of their own and such equations.
inline bool can_write_control(const equation& e, const lowered_source& of) { return detail::control_writer::fits(e, of); }
/// The code of such an equation, in the form of a kernel's: its pointers are those of its operands, then those of its results.
inline kernel_text emit_control(const equation& e, const lowered_source& of, const vector_target& t, const std::string& name) {
  return detail::control_writer(t).write(e, of, name);
}

}  // namespace jacquard::cpu
