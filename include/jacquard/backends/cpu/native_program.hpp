#pragma once
// A program in native code: its kernels compiled as one module, or run by the tile interpreter, the other equations run by their own
// kernels, products of matrices by a library where there is one, small loops and branches as one function each, the bodies of larger ones
// as native programs of their own. Kernels share their own work between threads; deliberately no two steps at once, and one buffer per
// value that lies in memory where other equations take part.

#include <algorithm>
#include <memory>
#include <optional>

#include "jacquard/backends/cpu/code_generator.hpp"
#include "jacquard/backends/cpu/code_worth.hpp"
#include "jacquard/backends/cpu/donors.hpp"
#include "jacquard/backends/cpu/libraries.hpp"
#include "jacquard/backends/cpu/llvm_control.hpp"
#include "jacquard/backends/cpu/llvm_blocks.hpp"
#include "jacquard/backends/cpu/llvm_module.hpp"
#include "jacquard/backends/cpu/pointer_plan.hpp"
#include "jacquard/backends/cpu/prepared_product.hpp"
#include "jacquard/backends/cpu/register_kernels.hpp"
#include "jacquard/backends/cpu/slot_values.hpp"
#include "jacquard/backends/cpu/tile_program.hpp"
#include "jacquard/core/cost.hpp"
#include "jacquard/exec/lowering/canonical.hpp"
#include "jacquard/exec/lowering/memory_walk.hpp"

namespace jacquard::cpu {

/// What kernels run on: the tile interpreter, or machine code.
enum class tier : char { tiles, compiled };

class native_program : public counted {
 public:
  /// How a program runs: where, how exactly, and on which tier.
  struct mode {
    device_id device;
    rounding rounds = rounding::fast;
    tier runs_on = tier::compiled;
    const machine_code* code = nullptr;  ///< of modules that need not be compiled; while the program is made
    tier meant_for = runs_on;            ///< what it is lowered for: bodies that are written with their equation as it is
    jacquard::detail::kernel_libraries libraries = libraries_found;
    const native_program* on_tiles = nullptr;  ///< the same program there, whose bodies need not be made again; while the program is made
  };
  /// A whole program; `donated` says which arguments it owns.
  native_program(const jaxpr_ref& p, const mode& m, view<const char> donated) : native_program(p, m, false, donated) {}
  /// The body of an equation. Which arguments it owns differs from run to run.
  native_program(const jaxpr_ref& p, const mode& m) : native_program(p, m, true, {}) {}

  /// Runs on concrete arrays; those that nobody else holds may be overwritten. By several threads at once.
  std::vector<array> run(view<const array> constants, std::vector<array> arguments) {
    std::vector<array> results(program_->outvars.size());
    run_outside_plan(constants, view<array>(arguments), results);
    return results;
  }
  /// The same for arguments some of which were donated; those are the program's to take.
  void run(view<const array> constants, view<array> arguments, view<array> results, view<const char> donated) {
    if (!plan_->fits()) run_outside_plan(constants, arguments, results);
    else if (jacquard::detail::unusual_now() != 0) plan_->run<true>(constants, arguments, results, donated);
    else plan_->run(constants, arguments, results, donated);
  }
  /// The same for arguments that stay with the caller.
  void run(view<const array> constants, view<const array> arguments, view<array> results) {
    if (plan_->fits()) return plan_->run(constants, arguments, results);
    run_outside_plan(constants, arguments, results);
  }
  /// The same with results put where `room` says, if it does. False, and nothing done, where it runs on arrays alone.
  bool run_to(view<const array> constants, view<const array> arguments, view<array> results, view<void* const> room) {
    if (plan_->fits()) plan_->run_to(constants, arguments, results, room);
    return plan_->fits();
  }
  /// The same, each step an event. Apart from `run`, which is compiled into its caller.
  [[gnu::noinline, gnu::cold]] void run_observed(view<const array> constants, view<const array> arguments, view<array> results) {
    if (plan_->fits()) return plan_->run<true>(constants, arguments, results);
    run_outside_plan(constants, arguments, results);
  }
  /// Of arguments that are given as `view<array>` it takes the ownership.
  template <class Array>
  void run_outside_plan(view<const array> constants, view<Array> arguments, view<array> results) {
    slot_values env(slots_, slot_count_);
    for (std::size_t i = 0; i < program_->invars.size(); ++i) env[program_->invars[i]] = std::move(arguments[i]);
    run_steps(constants, env, results);
  }

  tier runs_on() const { return mode_.runs_on; }
  const pointer_plan& plan() const { return *plan_; }
  /// Where products of matrices and their like are computed; strict: as the interpreter computes them.
  const jacquard::detail::kernel_libraries* libraries() const { return is_strict() ? nullptr : &mode_.libraries; }
  /// Adds the modules of the program and of its bodies to `all`.
  void add_code(machine_code& all) const {
    if (mode_.runs_on != tier::compiled) return;
    if (const std::vector<kernel_text> texts = kernel_texts(); !texts.empty())
      all.modules.push_back(code_generator::get()->code_of(emit_module(texts, target())));
    for_each_body([&](std::size_t, std::uint32_t, const native_program& body) { body.add_code(all); });
  }

  /// The program, its kernels and the equations between them.
  text listing() const { return to_text(*program_) << "\n\n" << lowering::to_text(*program_, lowered_); }

  static constexpr std::string_view stages = "jaxpr clusters loops buffers llvm";
  /// One of these stages.
  text stage_text(std::string_view stage, view<const char> donated = {}) const {
    text t = own_stage_text(stage, donated);
    if (stage == "jaxpr") return t;  // which shows bodies itself
    for_each_body([&](std::size_t n, std::uint32_t k, const native_program& body) {
      if (stage == "llvm" && is_written(n)) return;  // within the code of the equation
      t << "\nprogram " << k << " of ";
      lowering::detail::put_equation(t, *program_, program_->equations[n]);
      t << ":\n" << body.stage_text(stage);
    });
    return t;
  }
  /// What a run takes, given which arguments are the program's own.
  program_memory memory(view<const char> donated) const {
    program_memory r = walk(donated).result();
    if (!plan_->fits()) return r;
    r.temporaries = plan_->heap_bytes(), r.exact = !allocates(), r.aliased = 0;
    for (std::size_t i = 0; i < r.alias.size(); ++i) {
      r.alias[i] = plan_->argument_of(i, donated);
      if (r.alias[i] >= 0) r.aliased += program_->type_of(program_->outvars[i]).bytes();
    }
    return r;
  }
  /// Operations as the program has them; bytes of what lies in memory.
  program_cost cost() const {
    program_cost sum;
    const body_cost bodies{&cost_of_body, this};
    for (const equation& e : program_->equations) {
      program_cost c = cost_of(*program_, e, bodies);
      if (e.subs.count == 0) c.bytes_accessed = 0;
      sum += c;
    }
    for (const lowered_step& s : lowered_.steps) {
      if (s.kernel >= 0) sum.bytes_accessed += bytes_touched(*program_, lowered_.kernels[std::size_t(s.kernel)]);
      else if (!s.alias && program_->equations[s.equation].subs.count == 0)
        sum.bytes_accessed += cost_of(*program_, program_->equations[s.equation], bodies).bytes_accessed;
    }
    return sum;
  }
  program_layout layout(view<const char> donated) const {
    program_layout l{program_, list<std::int32_t>(program_->equations.size(), -1), walk(donated).places(), {}, {}};
    if (plan_->fits())
      for (variable v = 0; v < l.place.size(); ++v)
        if (const text place = plan_->place_of(v); !place.empty()) l.place[v] = place;
    const std::vector<std::int32_t> makers = lowering::makers_of(*program_);
    for (const lowered_step& s : lowered_.steps)
      for (std::size_t n : s.kernel >= 0 ? lowered_.equations_of(s.kernel, makers) : std::vector<std::size_t>())
        if (l.cluster[n] < 0) l.cluster[n] = s.kernel;
    for_each_body([&](std::size_t n, std::uint32_t, const native_program& body) {
      l.body_of.push_back(std::uint32_t(n));
      l.bodies.push_back(body.layout({}));
    });
    return l;
  }

 private:
  /// Which contractions and lookups are loops of kernels; see lower.
  loop_limits limits() const {
    if (mode_.meant_for == tier::tiles) return {};
    const bool in_registers = mode_.meant_for != mode_.runs_on;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max(), many_products = 16;
    return {16, none, !in_registers && !has_many_puts(*program_), in_registers ? detail::most_elements : 0, in_registers ? none : many_products};
  }
  native_program(const jaxpr_ref& p, const mode& m, bool is_body, view<const char> donated)
      : program_(m.on_tiles ? p : lowering::canonical(p, m.rounds != rounding::strict, m.runs_on == tier::compiled)), mode_(m), overwritten_(arguments_to_overwrite(*program_, is_body, donated)) {
    lowered_ = lower(*program_, &can_run, mode_.rounds, limits(), mode_.meant_for != mode_.runs_on || is_few_elements(), mode_.runs_on == tier::compiled);
    if (mode_.runs_on == tier::compiled) lowered_ = joined_in_registers(*program_, lowered_);
    worth_code_ = kernels_worth_code(*program_, lowered_);
    prepare_bodies(), add_kernels(), products_.prepare(*program_, lowered_, libraries(), controls_), number_slots(), find_last_uses(), choose_donors(*program_, lowered_, dies_, overwritten_, kernels_);
    plan_.emplace(*program_, lowered_, kernels_, controls_, overwritten_, is_body, mode_.device, libraries(), [this](const jaxpr_ref& body) { return &*body_of(body).plan_; });
    mode_.code = nullptr, mode_.on_tiles = nullptr;
  }
  /// Whether each value is so few elements that it may lie in registers.
  bool is_few_elements() const { return mode_.runs_on == tier::compiled && std::all_of(program_->avals.begin(), program_->avals.end(), &detail::is_few); }
  void add_kernels() {
    std::vector<kernel_text> texts;
    if (mode_.runs_on == tier::compiled) texts = kernel_texts();
    if (!texts.empty()) module_ = code_generator::get()->compile(emit_module(texts, target()), mode_.code);
    const std::vector<std::int32_t> makers = lowering::makers_of(*program_);
    std::size_t compiled = 0;
    for (std::size_t n = 0; n < lowered_.kernels.size(); ++n) {
      const loop_kernel& own = lowered_.kernels[n];
      if (texts.empty() || !worth_code_[n]) {
        const ref<tile_program> t = make_ref<tile_program>(own, is_strict());
        add_kernel(t->values(), makers, {{{&tile_program::run, t->units(), t.get()}}, t->nanoseconds()});
        tiles_.push_back(t);
        continue;
      }
      const range_plan& ranges = texts[compiled].ranges;
      native_kernel k{.nanoseconds = ranges.nanoseconds(), .partial_bytes = ranges.partial_bytes(), .conflicts = texts[compiled].conflicts};
      for (std::size_t i = 0; i < ranges.units().size(); ++i)
        k.phases.push_back({reinterpret_cast<decltype(kernel_phase::entry)>(module_->function(compiled, i)), ranges.units()[i]});
      add_kernel(texts[compiled++].places, makers, std::move(k));
    }
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const auto code = reinterpret_cast<decltype(kernel_phase::entry)>(module_->function(compiled + i));
      kernel_calls& calls = texts[compiled + i].calls;
      if (const kernel_text& t = texts[compiled + i]; t.blocks > 1)
        controls_[written_[i]] = shared_.emplace_back(std::make_unique<shared_blocks>(native_kernel{{{code, t.blocks}}, t.nanoseconds_of_block * double(t.blocks)}, t.pointers, t.copied))->phase();
      else if (calls.empty()) controls_[written_[i]] = {code};
      else controls_[written_[i]] = callers_.emplace_back(std::make_unique<calling_function>(code, std::move(calls), libraries()))->phase();
    }
  }
  void add_kernel(const std::vector<atom>& places, const std::vector<std::int32_t>& makers, native_kernel k) {
    const std::size_t n = kernels_.size();
    for (atom a : places) k.places.push_back(a.index());
    k.name = operations(int(n), makers);
    for_each_joined(lowered_.kernels[n], [&](const loop_kernel& m) {
      for (const output& o : m.outputs)
        if (!o.is_handed_on && !o.is_imaginary && (m.parts == 1 || !detail::contains(k.outputs, o.to.value.index()))) k.outputs.push_back(o.to.value.index());  // several boxes are of one value
    });
    kernels_.push_back(std::move(k));
  }
  bool is_strict() const { return mode_.rounds == rounding::strict; }
  vector_target target() const {
    vector_target t = code_generator::get()->target();
    t.strict = is_strict();
    t.fast_math = mode_.rounds == rounding::fast_math;
    return t;
  }

  /// Whether a kernel takes memory that the plan does not know of.
  bool allocates() const {
    bool any = false;
    for (const lowered_step& s : lowered_.steps) any = any || (s.kernel < 0 && program_->equations[s.equation].op->allocates);
    for (const auto& [known, native] : bodies_) any = any || native->allocates();
    return any;
  }
  /// "sin mul add", of at most eight.
  text operations(int kernel, const std::vector<std::int32_t>& makers) const {
    text t;
    std::size_t count = 0;
    for (std::size_t n : lowered_.equations_of(kernel, makers))
      if (++count <= 8) t << (count > 1 ? " " : "") << program_->equations[n].op->name;
    return count > 8 ? t << " ..." : t;
  }
  text own_stage_text(std::string_view stage, view<const char> donated) const {
    if (stage == "jaxpr") return to_text(*program_);
    if (stage == "clusters") return lowering::clusters_text(*program_, lowered_);
    if (stage == "loops") return lowering::to_text(*program_, lowered_);
    if (stage == "buffers") return lowering::to_text(layout(donated));
    return text(emit_module(kernel_texts(), target()));
  }
  std::vector<kernel_text> kernel_texts() const {
    std::vector<kernel_text> texts;
    const vector_target t = target();
    for (std::size_t n = 0; n < lowered_.kernels.size(); ++n)
      if (const loop_kernel& k = lowered_.kernels[n]; k.in_registers) texts.push_back(emit_in_registers(k, *program_, t, kernel_name(texts.size())));
      else if (worth_code_[n]) texts.push_back((k.next.empty() ? &emit_kernel : &emit_blocks)(k, t, kernel_name(texts.size()), overwritten_));
    for (std::size_t i = 0; i < written_.size(); ++i) texts.push_back(emit_control(program_->equations[written_[i]], source(), blocks_[i], t, kernel_name(texts.size())));
    return texts;
  }
  lowered_source source() const {
    return {*program_, lowered_, [this](const jaxpr_ref& body) { return body_of(body).source(); }};
  }
  /// Whether an equation is a function of its own, with its bodies in it.
  bool is_written(std::size_t equation) const { return detail::contains(written_, variable(equation)); }
  /// Calls f(number of the equation, number of the body in it, body) in order of execution.
  template <class F>
  void for_each_body(F&& f) const {
    std::size_t i = 0;
    for (const lowered_step& s : lowered_.steps)
      for (std::uint32_t k = 0; s.kernel < 0 && k < program_->equations[s.equation].subs.count; ++k) f(s.equation, k, *bodies_[i++].second);
  }
  /// The native program of a body that an equation holds.
  native_program& body_of(const jaxpr_ref& body) const {
    for (const auto& [known, native] : bodies_)
      if (known == body) return *native;
    raise(error_kind::value, "cpu: an equation runs a body that it does not hold");
  }
  static program_cost cost_of_body(const void* self, const jaxpr_ref& body, std::size_t) { return static_cast<const native_program*>(self)->body_of(body).cost(); }
  /// Goes through the steps as run_steps does.
  lowering::memory_walk walk(view<const char> donated) const {
    lowering::memory_walk w(*program_, donated);
    for (std::size_t n = 0; n < lowered_.steps.size(); ++n) {
      const lowered_step& s = lowered_.steps[n];
      const equation& e = program_->equations[s.equation];
      if (s.kernel >= 0) {
        const native_kernel& k = kernels_[std::size_t(s.kernel)];
        for (std::size_t i = 0; makes_memory(s.kernel) && i < k.outputs.size(); ++i) {
          if (k.donors[i] >= 0) w.take(k.outputs[i], variable(k.donors[i]));
          else w.make(k.outputs[i]);
        }
        if (k.partial_bytes != 0) w.borrow(k.partial_bytes);
      } else if (s.alias) w.share(program_->outputs(e)[0], program_->inputs(e)[0]);
      else w.run(e, [&](variable v) { return detail::contains(dies_[n], v); });
      std::int64_t most = 0;
      for (std::uint32_t i = 0; s.kernel < 0 && i < e.subs.count; ++i) {
        const program_memory body = body_of(program_->subs[e.subs.first + i]).memory({});
        most = std::max(most, body.temporaries + body.outputs);
      }
      if (s.kernel < 0 && e.subs.count != 0) w.borrow(most);
      for (variable v : dies_[n]) w.release(v);
    }
    return w;
  }

  void run_steps(view<const array> constants, slot_values& env, view<array> results) {
    const jacquard::detail::library_scope scope(libraries());
    for (std::size_t i = 0; i < program_->constvars.size(); ++i) env[program_->constvars[i]] = constants[i];
    for (std::size_t n = 0; n < lowered_.steps.size(); ++n) {
      const lowered_step& s = lowered_.steps[n];
      if (s.kernel >= 0) run_kernel(std::size_t(s.kernel), env);
      else if (s.alias) run_alias(program_->equations[s.equation], env);
      else if (controls_[s.equation].entry) run_control(s.equation, env);
      else run_single(n, program_->equations[s.equation], env);
      for (variable v : dies_[n]) env[v] = array();
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const atom a = program_->outvars[i];
      if (a.is_literal()) results[i] = array(program_->literals[a.index()]);
      else results[i] = env[a.index()];
    }
    jacquard::detail::share_constants(results, constants);
  }

  void run_kernel(std::size_t number, slot_values& env) {
    const native_kernel& k = kernels_[number];
    for (std::size_t i = 0; makes_memory(int(number)) && i < k.outputs.size(); ++i) {
      const variable v = k.outputs[i];
      const aval& t = program_->avals[v];
      if (k.donors[i] >= 0) {
        buffer* b = env[std::size_t(k.donors[i])].as_buffer();
        if (b && !b->is_shared() && b->is_ours() && b->is_ready()) {
          env[v] = env[std::size_t(k.donors[i])];
          continue;  // its type is set once the kernel has run
        }
      }
      env[v] = array(make_buffer(t));
    }
    small_vector<void*, 16> memory;
    for (variable v : k.places) memory.push_back(memory_of(env[v]));
    array partials;
    if (k.partial_bytes != 0) {
      partials = array(make_buffer({u8, {k.partial_bytes}}));
      memory.push_back(partials.as_buffer()->data);
    }
    {
      const jacquard::detail::event_scope scope(event_kind::kernel, k.name, mode_.device);
      k.run(memory.data());
    }
    for (std::size_t i = 0; i < k.outputs.size(); ++i) {
      const variable v = k.outputs[i];
      if (k.donors[i] >= 0 && env[v].as_buffer() == env[std::size_t(k.donors[i])].as_buffer()) {
        env[std::size_t(k.donors[i])] = array();
        env[v].as_buffer()->type = program_->avals[v];
      }
    }
  }
  /// The memory of a value; scalar literals get some.
  static void* memory_of(array& x) {
    if (!x.as_buffer()) {
      const literal l = x.as_literal();
      x = array(make_buffer(l.aval()));
      l.store_to(x.as_buffer()->data);
    }
    x.as_buffer()->check_alive();
    return x.as_buffer()->data;
  }
  void run_alias(const equation& e, slot_values& env) {
    const atom a = program_->inputs(e)[0];
    array x = a.is_literal() ? array(program_->literals[a.index()]) : env[a.index()];
    memory_of(x);
    env[program_->outputs(e)[0]] = array(share_buffer(*x.as_buffer(), program_->avals[program_->outputs(e)[0]]));
  }
  void run_control(std::size_t number, slot_values& env) {
    const equation& e = program_->equations[number];
    const jacquard::detail::event_scope scope(event_kind::kernel, e.op->name, mode_.device, e.where);
    small_vector<array, 8> in;
    small_vector<void*, 16> memory;
    for (atom a : program_->inputs(e)) {
      in.push_back(a.is_literal() ? array(program_->literals[a.index()]) : env[a.index()]);
      memory.push_back(memory_of(in.back()));
    }
    for (variable v : program_->outputs(e)) {
      env[v] = array(make_buffer(program_->avals[v]));
      memory.push_back(memory_of(env[v]));
    }
    controls_[number].run(memory.data(), 0, 1);
  }
  void run_single(std::size_t n, const equation& e, slot_values& env) {
    small_vector<array, 4> in;
    small_vector<char, 4> movable;
    for (atom a : program_->inputs(e)) {
      movable.push_back(false);
      if (a.is_literal()) in.push_back(array(program_->literals[a.index()]));
      else if (detail::contains(dies_[n], a.index()) && uses_once(e, a)) {
        in.push_back(std::move(env[a.index()]));
        env[a.index()] = array();
        movable.back() = true;
      } else in.push_back(env[a.index()]);
    }
    small_vector<aval, 2> types;
    if (!e.op->evaluate)
      for (variable v : program_->outputs(e)) types.push_back(program_->avals[v]);
    small_vector<array, 2> out(e.out.count);
    jacquard::detail::run_equation(*e.op, view<array>(in.data(), in.size()), program_->params(e), view<const aval>(types.data(), types.size()),
                                   view<array>(out.data(), out.size()), view<const char>(movable.data(), movable.size()), {&run_body, this},
                                   mode_.device, e.where);
    for (std::size_t i = 0; i < out.size(); ++i) env[program_->outputs(e)[i]] = std::move(out[i]);
  }
  bool uses_once(const equation& e, atom a) const {
    const auto in = program_->inputs(e);
    return std::count(in.begin(), in.end(), a) == 1;
  }
  static std::vector<array> run_body(void* self, const jaxpr_ref& body, std::vector<array> arguments) {
    return static_cast<native_program*>(self)->body_of(body).run({}, std::move(arguments));
  }

  void number_slots() {
    slots_.assign(program_->avals.size(), 0);
    const auto give = [&](variable v) { slots_[v] = slot_count_++; };
    for (variable v : program_->constvars) give(v);
    for (variable v : program_->invars) give(v);
    for (const lowered_step& s : lowered_.steps) {
      if (s.kernel < 0)
        for (variable v : program_->outputs(program_->equations[s.equation])) give(v);
      else if (makes_memory(s.kernel))
        for (variable v : kernels_[std::size_t(s.kernel)].outputs) give(v);
    }
  }
  /// By step: the variables that nothing reads afterwards.
  void find_last_uses() {
    dies_.resize(lowered_.steps.size());
    std::vector<char> used(program_->avals.size(), false);
    for (atom a : program_->outvars)
      if (!a.is_literal()) used[a.index()] = true;
    for (std::size_t n = lowered_.steps.size(); n-- > 0;) {
      const auto use = [&](variable v) {
        if (!used[v]) dies_[n].push_back(v);
        used[v] = true;
      };
      const lowered_step& s = lowered_.steps[n];
      if (s.kernel >= 0) {
        for (variable v : kernels_[std::size_t(s.kernel)].places) use(v);
        continue;
      }
      const equation& e = program_->equations[s.equation];
      for (variable v : program_->outputs(e)) use(v);
      for (atom a : program_->inputs(e))
        if (!a.is_literal()) use(a.index());
    }
  }
  /// Bodies that are written with their equation run on tiles where its steps are observed. Where an equation cannot be written, its bodies take
  /// over what lies within them on tiles: made again for each, that would take time quadratic in the depth.
  void prepare_bodies() {
    controls_.resize(program_->equations.size());
    for (const lowered_step& s : lowered_.steps) {
      if (s.kernel >= 0) continue;
      const equation& e = program_->equations[s.equation];
      const std::size_t before = bodies_.size();
      const bool may_be_written = mode_.runs_on == tier::compiled && e.op->place;
      add_bodies(e, may_be_written ? tier::tiles : mode_.runs_on);
      if (const auto blocks = may_be_written ? blocks_of_control(e, source(), target()) : std::nullopt) written_.push_back(s.equation), blocks_.push_back(*blocks);
      else if (may_be_written) compile_bodies(before);
    }
  }
  void add_bodies(const equation& e, tier runs_on) {
    mode own = mode_;
    own.runs_on = runs_on, own.on_tiles = nullptr;
    const param_view p = program_->params(e);
    const native_program* const known = runs_on == tier::tiles ? mode_.on_tiles : nullptr;
    for (std::uint32_t i = 0; i < p.sub_count; ++i) {
      if (known) bodies_.push_back({p.subs[i], ref<native_program>(&known->body_of(p.subs[i]))});
      else bodies_.push_back({p.subs[i], make_ref<native_program>(canonical_body(p.subs[i], own.rounds == rounding::strict, own.meant_for == tier::compiled), own)});
    }
  }
  /// Bodies from that one on, which run on tiles, get machine code.
  void compile_bodies(std::size_t first) {
    for (std::size_t i = first; i < bodies_.size(); ++i) {
      mode own = mode_;
      own.on_tiles = bodies_[i].second.get();
      bodies_[i].second = make_ref<native_program>(own.on_tiles->program_, own);
    }
  }

  /// Whether a kernel's outputs are made for it: of those for boxes of a value, the first one's are, for all of them.
  bool makes_memory(int kernel) const { return lowered_.kernels[std::size_t(kernel)].part == 0; }

  jaxpr_ref program_;
  mode mode_;
  std::vector<char> overwritten_;  ///< by variable: an argument whose memory may be the program's
  lowered_program lowered_;
  ref<native_module> module_ = nullptr;       ///< the kernels that are compiled
  std::vector<ref<tile_program>> tiles_;      ///< the others
  std::vector<char> worth_code_;  ///< by kernel of the lowered program
  std::vector<native_kernel> kernels_;
  std::vector<std::vector<variable>> dies_;
  std::vector<std::uint32_t> slots_;  ///< by variable that lies in memory
  std::uint32_t slot_count_ = 0;
  std::vector<std::pair<jaxpr_ref, ref<native_program>>> bodies_;
  std::vector<std::uint32_t> written_;   ///< equations that are functions, in the order of these: after the kernels
  std::vector<control_blocks> blocks_;   ///< of the same, how
  prepared_products products_;
  std::vector<kernel_phase> controls_;   ///< by equation: that function, or that of such a product, if it is there
  std::vector<std::unique_ptr<shared_blocks>> shared_;      ///< functions of loops in blocks, which threads share
  std::vector<std::unique_ptr<calling_function>> callers_;  ///< functions that call kernels of equations
  std::optional<pointer_plan> plan_;
};

}  // namespace jacquard::cpu
