#pragma once
// LLVM IR of loops and branches whose bodies are few elements, as text: the whole of an equation is one function, whose trips and choices
// are jumps and whose carries are registers. Bodies are written where they run, as backends/cpu/llvm_registers has it; equations in them
// that have kernels of their own are called, see kernel_calls. Deliberately nothing for bodies that hold anything else: those run step by
// step, see pointer_plan; or for each block of examples, see example_blocks.

#include "jacquard/backends/cpu/example_blocks.hpp"
#include "jacquard/backends/cpu/llvm_text.hpp"

namespace jacquard::cpu {

namespace detail {

class control_writer : register_writer {
 public:
  explicit control_writer(const vector_target& t) : register_writer(t, true) {}  // bodies keep their tables as they are

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
    const memory here = memory_of(e, of.program);
    write_here(e, of, here);
    return finished(here, name);
  }
  /// The same, block of examples after block, of which the calls get ranges; `rest` is what the last one is, if it is shorter.
  kernel_text write(const equation& e, const lowered_source& of, const example_blocks& whole, const example_blocks* rest, const std::string& name) {
    memory here = memory_of(e, of.program);
    const std::string head = new_label("block"), done = new_label("done");
    line({"  br label %", head});
    start_block(head);
    line({"  %n = phi i64 [ %begin, %entry ], [ %next, %", done, " ]"});
    here.first = set({"mul nsw i64 %n, ", std::to_string(whole.in_each())}), here.count = whole.count();
    const auto write_one = [&](const example_blocks& blocks) {
      here.blocks = &blocks;
      write_here(e, blocks.source(), here);
      line({"  br label %", done});
    };
    if (rest) {
      const std::string last = new_label("last"), others = new_label("whole");
      line({"  br i1 ", set({"icmp eq i64 %n, ", std::to_string(whole.count() - 1)}), ", label %", last, ", label %", others});
      start_block(last);
      write_one(*rest);
      start_block(others);
    }
    write_one(whole);
    start_block(done);
    line({"  %next = add nuw nsw i64 %n, 1"});
    line({"  br i1 ", set({"icmp slt i64 %next, %end"}), ", label %", head, ", label %finished"});
    line({"finished:"});
    kernel_text r = finished(here, name);
    r.blocks = whole.count();
    r.nanoseconds_of_block = whole.steps() / 8;
    r.pointers = here.operands.size() + here.results.size();
    r.copied = whole.operands_of_all(e);
    return r;
  }

 private:
  /// Where the operands and results of the equation lie, stacks with the types of their elements. Of blocks: which, and the number of the first example.
  struct located {
    std::string pointer;
    aval type;
  };
  struct memory {
    std::vector<located> operands, results;
    std::string pointers;
    const example_blocks* blocks = nullptr;
    std::string first{};
    std::int64_t count = 0;  ///< of blocks
    /// How a value is cut into blocks, if it is.
    std::optional<example_layout> layout(const aval& t) const { return blocks ? layout_of(t, blocks->examples()) : std::nullopt; }
  };
  using kind = control_form::kind;
  static constexpr std::int64_t most_one_by_one = 16;
  static constexpr int most_nested = 24;  ///< loops within loops, for which LLVM takes time quadratic in their depth
  /// How much is written, and called.
  struct extent {
    std::int64_t registers = 0;
    kernel_calls calls;
  };

  static memory memory_of(const equation& e, const jaxpr& p) {
    memory here;
    const control_form form = e.op->control(p.params(e));
    const auto add = [&](std::vector<located>& places, const aval& t, bool stacked) {
      const std::string n = std::to_string(here.operands.size() + here.results.size());
      here.pointers += concat({"  %q", n, " = getelementptr ptr, ptr %places, i64 ", n, "\n  %p", n, " = load ptr, ptr %q", n, "\n"});
      places.push_back({concat({"%p", n}), stacked ? jacquard::detail::element_type_of(t) : t});
    };
    for (std::size_t i = 0; i < p.inputs(e).size(); ++i) add(here.operands, p.type_of(p.inputs(e)[i]), form.stacks_operand(i));
    for (std::size_t i = 0; i < p.outputs(e).size(); ++i) add(here.results, p.avals[p.outputs(e)[i]], form.stacks_result(i));
    return here;
  }
  kernel_text finished(const memory& here, const std::string& name) {
    kernel_text r;
    r.functions = concat({"define void @", name, "(ptr %places, i64 %begin, i64 %end, ptr %self) #0 {\nentry:\n", frame_, here.pointers, code_, "  ret void\n", calls_.empty() ? "" : "failed:\n  ret void\n", "}\n"});
    r.declarations = declarations_;
    r.calls = std::move(calls_);
    return r;
  }
  /// Loads operands, runs, and stores results.
  void write_here(const equation& e, const lowered_source& of, const memory& here) {
    const control_form form = e.op->control(of.program.params(e));
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < here.operands.size(); ++i) {
      const located& x = here.operands[i];
      if (form.stacks_operand(i)) operands.push_back("");
      else if (const auto spread = here.blocks ? here.blocks->spread_of(i) : std::nullopt) operands.push_back(taken_one_by_one(here, x, *spread));
      else operands.push_back(taken(here, x.type, x.pointer));
    }
    const std::vector<std::string> results = control(e, of, operands, &here);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!form.stacks_result(i)) put(here, here.results[i].type, results[i], here.results[i].pointer);
  }

  // --- memory ---
  /// Where a block's part of a value begins, in one of the places of an example.
  std::string part_of(const memory& here, const example_layout& l, dtype t, const std::string& pointer, std::int64_t place) {
    const std::int64_t size = std::int64_t(size_of(t)), examples = here.blocks->examples();
    const std::string begin = place == 0 ? pointer : set({"getelementptr i8, ptr ", pointer, ", i64 ", std::to_string(place * examples * l.after * size)});
    return set({"getelementptr i8, ptr ", begin, ", i64 ", set({"mul nsw i64 ", here.first, ", ", std::to_string(l.after * size)})});
  }
  /// A value at an address, or the part of it that a block of examples has, which lies in vectors with the members of an example outermost.
  std::string taken(const memory& here, const aval& t, const std::string& pointer) {
    const std::optional<example_layout> l = here.layout(t);
    if (!l) return loaded(t, pointer);
    const std::int64_t block = here.blocks->in_each(), count = block * l->after;
    const aval all = here.blocks->in_block(t), one(all.type, {count});
    std::string r;
    for (std::int64_t p = 0; p < l->before; ++p) {
      const std::string x = loaded(one, part_of(here, *l, all.type, pointer, p));
      std::vector<std::int64_t> from(std::size_t(lanes_for(all.elements())), any_lane);
      for (std::int64_t q = 0; q < l->after; ++q)
        for (std::int64_t b = 0; b < block; ++b) from[std::size_t((p * l->after + q) * block + b)] = b * l->after + q;
      const std::string made = shuffled(computed(all.type), x, lanes_for(count), from);
      r = p == 0 ? made : over(all, r, made, from);
    }
    return r;
  }
  /// The elements that the examples of a block have of a value that is spread over them.
  std::string taken_one_by_one(const memory& here, const located& of, const example_spread& s) {
    const std::int64_t block = here.blocks->in_each();
    const std::string element(stored(of.type.type)), type = text_of_vector(lanes_for(block), element);
    std::string made = "zeroinitializer";
    for (std::int64_t b = 0; b < block; ++b) {
      const std::string n = set({"add nuw nsw i64 ", here.first, ", ", std::to_string(b)}), row = std::to_string(s.extent);
      const std::string outer = set({"mul nsw i64 ", set({"udiv i64 ", n, ", ", row}), ", ", std::to_string(s.outer)});
      const std::string inner = set({"mul nsw i64 ", set({"urem i64 ", n, ", ", row}), ", ", std::to_string(s.inner)});
      const std::string at = set({"add nsw i64 ", set({"add nsw i64 ", outer, ", ", inner}), ", ", std::to_string(s.offset)});
      const std::string x = set({"load ", element, ", ptr ", set({"getelementptr ", element, ", ptr ", of.pointer, ", i64 ", at})});
      made = set({"insertelement ", type, " ", made, ", ", element, " ", x, ", i32 ", std::to_string(b)});
    }
    width_ = lanes_for(block);
    return widened(of.type.type, made);
  }
  /// What all blocks have alike the last one stores.
  void store_once(const memory& here, const aval& t, const std::string& x, const std::string& pointer) {
    const std::string last = new_label("last"), stored = new_label("stored");
    line({"  br i1 ", set({"icmp eq i64 %n, ", std::to_string(here.count - 1)}), ", label %", last, ", label %", stored});
    start_block(last);
    store(t, x, pointer);
    line({"  br label %", stored});
    start_block(stored);
  }
  void put(const memory& here, const aval& t, const std::string& x, const std::string& pointer) {
    if (!here.blocks) return store(t, x, pointer);
    const std::optional<example_layout> l = here.layout(t);
    if (!l) return store_once(here, t, x, pointer);
    const std::int64_t block = here.blocks->in_each(), count = block * l->after;
    const aval all = here.blocks->in_block(t), one(all.type, {count});
    for (std::int64_t p = 0; p < l->before; ++p) {
      std::vector<std::int64_t> from(std::size_t(lanes_for(count)), any_lane);
      for (std::int64_t q = 0; q < l->after; ++q)
        for (std::int64_t b = 0; b < block; ++b) from[std::size_t(b * l->after + q)] = (p * l->after + q) * block + b;
      store(one, shuffled(computed(all.type), x, lanes_for(all.elements()), from), part_of(here, *l, all.type, pointer, p));
    }
  }

  /// `outermost`: operands and results lie in memory, so that stacks among them may be long.
  static bool fits(const equation& e, const lowered_source& of, bool outermost, extent& all) {
    if (!e.op->place || e.effects != 0) return false;
    const jaxpr& p = of.program;
    const control_form form = e.op->control(p.params(e));
    if (form.is == kind::counted_loop && form.trips < 1) return false;
    for (std::size_t i = 0; i < p.inputs(e).size(); ++i)
      if (!(outermost && form.stacks_operand(i)) && !is_few(p.type_of(p.inputs(e)[i]))) return false;
    for (std::size_t i = 0; i < p.outputs(e).size(); ++i)
      if (!(outermost && form.stacks_result(i)) && !is_few(p.avals[p.outputs(e)[i]])) return false;
    const param_view params = p.params(e);
    for (std::uint32_t i = 0; i < params.sub_count; ++i)
      if (form.runs(i) && !fits(of.body(params.subs[i]), all)) return false;
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
      case kind::counted_loop: return here ? counted_loop(form, of.body(params.subs[0]), in, *here) : inner_loop(e, form, of, in);
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

  /// A loop within another one: its stacks, of few elements, lie in the frame of the function.
  std::vector<std::string> inner_loop(const equation& e, const control_form& form, const lowered_source& of, const std::vector<std::string>& in) {
    const jaxpr& p = of.program;
    memory here;
    const auto add = [&](std::vector<located>& places, const aval& stack) {
      const aval t = in_lanes(stack);
      const std::string pointer = concat({"%stack", std::to_string(names_++)});
      frame_ += concat({"  ", pointer, " = alloca ", text_of_vector(t.elements(), stored(t.type)), ", align 64\n"});
      places.push_back({pointer, aval(t.type, {t.elements() / form.trips})});
    };
    here.operands.resize(form.of_body + form.carries), here.results.resize(form.carries);
    for (std::size_t i = here.operands.size(); i < in.size(); ++i) {
      const aval t = p.type_of(p.inputs(e)[i]);
      add(here.operands, t);
      store(t, in[i], here.operands.back().pointer);
    }
    for (std::size_t i = form.carries; i < p.outputs(e).size(); ++i) add(here.results, p.avals[p.outputs(e)[i]]);
    std::vector<std::string> results = counted_loop(form, of.body(p.params(e).subs[0]), in, here);
    for (std::size_t i = form.carries; i < here.results.size(); ++i) results.push_back(loaded(p.avals[p.outputs(e)[i]], here.results[i].pointer));
    return results;
  }
  std::vector<std::string> counted_loop(const control_form& form, const lowered_source& body, const std::vector<std::string>& in, const memory& here) {
    const jaxpr& p = body.program;
    const std::string head = new_label("head"), done = new_label("done"), before = block_, trip = new_names(1)[0];
    const std::vector<std::string> carries = new_names(form.carries);
    line({"  br label %", head});
    start_block(head);
    const std::size_t beginning = code_.size();
    const std::string at = form.reverse ? set({"sub i64 ", std::to_string(form.trips - 1), ", ", trip}) : trip;
    const auto element = [&](const located& of) {
      const std::string offset = set({"mul nsw i64 ", at, ", ", std::to_string(of.type.bytes())});
      return set({"getelementptr i8, ptr ", of.pointer, ", i64 ", offset});
    };
    std::vector<std::string> operands = part(in, 0, form.of_body);
    operands.insert(operands.end(), carries.begin(), carries.end());
    for (std::size_t i = operands.size(); i < p.invars.size(); ++i) operands.push_back(taken(here, here.operands[i].type, element(here.operands[i])));
    const std::vector<std::string> next = program(body, operands);
    for (std::size_t i = form.carries; i < next.size(); ++i) put(here, here.results[i].type, next[i], element(here.results[i]));
    const std::string following = set({"add nuw nsw i64 ", trip, ", 1"});
    line({"  br i1 ", set({"icmp slt i64 ", following, ", ", std::to_string(form.trips)}), ", label %", head, ", label %", done});
    merge_at(beginning, result_types(p, form.carries), carries, part(in, form.of_body, form.carries), before, next, block_);
    code_.insert(beginning, concat({"  ", trip, " = phi i64 [ 0, %", before, " ], [ ", following, ", %", block_, " ]\n"}));
    start_block(done);
    return part(next, 0, form.carries);
  }
  std::vector<std::string> conditional_loop(const control_form& form, const lowered_source& condition, const lowered_source& body,
                                            const std::vector<std::string>& in) {
    const std::string head = new_label("head"), trip = new_label("trip"), done = new_label("done"), before = block_;
    const std::vector<std::string> carries = new_names(form.carries);
    line({"  br label %", head});
    start_block(head);
    const std::size_t beginning = code_.size();
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
    merge_at(beginning, result_types(body.program, form.carries), carries, part(in, form.of_condition + form.of_body, form.carries), before, next, block_);
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

  std::string block_ = "entry", frame_;
  kernel_calls calls_;
  int labels_ = 0, names_ = 0;
};

/// Whether a program is one kernel that goes through its elements once, which is as fast by itself.
inline bool is_plain_kernel(const lowered_program& p) { return p.steps.size() < 2 && (p.kernels.empty() || p.kernels[0].stages.empty()); }

}  // namespace detail

/// How an equation that holds programs is one function: as it is, of few elements, or in blocks of so many of its examples.
struct control_blocks {
  std::int64_t examples = 0, in_each = 0;
  /// Of the last block, if it is shorter; 0: it is not.
  std::int64_t rest() const { return examples == 0 ? 0 : examples % in_each; }
};

namespace detail {

/// The largest blocks, up to the best, in which a loop of so many examples can be written.
inline std::optional<control_blocks> blocks_of(const equation& e, const lowered_source& of, const vector_target& t, std::int64_t examples) {
  constexpr std::int64_t least = 4;
  const example_blocks trial(e, of, examples, least);
  if (!trial.fits()) return {};
  const auto is_written = [&](std::int64_t block, bool is_rest) {
    const example_blocks b(e, of, examples, block);
    if (!b.fits() || !control_writer::fits(e, b.source())) return false;
    std::int64_t copied = 0;
    for (const auto& [operand, bytes] : b.operands_of_all(e)) copied += jacquard::detail::whole_lines(bytes);
    return is_rest || (b.is_worth_it() && copied <= shared_blocks::most_copied);
  };
  std::int64_t block = trial.block_for(t.bytes);
  while (block > examples) block /= 2;
  for (; block >= least; block /= 2)
    if (const control_blocks r{examples, block}; is_written(block, false) && (r.rest() == 0 || is_written(r.rest(), true))) return r;
  return {};
}

}  // namespace detail

/// How an equation that holds programs can be written as one function: there is nothing in its bodies but kernels, equations with kernels of their
/// own and such equations, and all values are few elements, or those of examples are, of which there is one for each element of what a loop carries or a
/// call gives, or for what lies along some of their dimensions. Nothing where it cannot.
inline std::optional<control_blocks> blocks_of_control(const equation& e, const lowered_source& of, const vector_target& t) {
  using kind = control_form::kind;
  if (detail::control_writer::fits(e, of)) return control_blocks();
  const control_form form = e.op->control(of.program.params(e));
  const bool is_call = form.is == kind::call;
  if (!e.op->place || e.effects != 0 || form.is == kind::choice || (form.is == kind::counted_loop && form.trips < 2)) return {};
  if (is_call && detail::is_plain_kernel(of.body(of.program.params(e).subs[form.body]).lowered)) return {};
  std::vector<std::int64_t> tried;
  for (std::size_t i = 0; i < (is_call ? e.out.count : form.carries); ++i) {
    const aval& carry = of.program.avals[of.program.outputs(e)[i]];
    small_vector<std::int64_t, 8> counts{carry.elements()};
    std::int64_t leading = 1;
    for (std::int64_t d : carry.dims) counts.push_back(leading *= d), counts.push_back(d);
    for (std::int64_t n : counts) {
      if (n < 8 || carry.elements() <= detail::most_elements || std::find(tried.begin(), tried.end(), n) != tried.end()) continue;
      tried.push_back(n);
      if (const auto r = detail::blocks_of(e, of, t, n)) return r;
    }
  }
  return {};
}
/// The code of such an equation, in the form of a kernel's: its pointers are those of its operands, then those of its results. Calls of a loop in
/// blocks get ranges of these.
inline kernel_text emit_control(const equation& e, const lowered_source& of, const control_blocks& blocks, const vector_target& t, const std::string& name) {
  if (blocks.examples == 0) return detail::control_writer(t).write(e, of, name);
  const example_blocks whole(e, of, blocks.examples, blocks.in_each);
  if (blocks.rest() == 0) return detail::control_writer(t).write(e, of, whole, nullptr, name);
  const example_blocks rest(e, of, blocks.examples, blocks.rest());
  return detail::control_writer(t).write(e, of, whole, &rest, name);
}

}  // namespace jacquard::cpu
