#pragma once
// Loops, branches and calls on concrete arrays outside every trace: the interpreter runs them trip by trip, until that has taken about as
// long as compiling takes; then the backend behind "cpu" compiles the equation with its bodies, once for all equations that look alike.
// Compiled strictly, they have the bits that the interpreter gives. Deliberately without equations that act or show values, whose order
// among what the caller does the interpreter keeps, and without single operations, which nothing would be gained for.

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/clock.hpp"
#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/interpreter/interpreter.hpp"
#include "jacquard/core/events.hpp"
#include "jacquard/core/word_hash.hpp"
#include "jacquard/exec/lowering/canonical.hpp"

namespace jacquard::detail {

/// What an equation with bodies computes, as words: equal words, equal results. Names of variables and lines of source do not count, nor
/// do the rules of functions, which nobody evaluates.
class equation_words {
 public:
  equation_words(const primitive& op, view<const array> in, const param_view& params) {
    for (const array& x : in) add(x.aval());
    add(op, params);
  }
  /// False: it acts or shows values, or calls functions that cannot be compared.
  bool comparable() const { return comparable_; }
  /// Whether functions are held, which may keep alive what users captured.
  bool holds_functions() const { return holds_functions_; }
  std::size_t equations() const { return equations_; }
  std::uint64_t hash() const { return hash_of_words(words_); }
  friend bool operator==(const equation_words& a, const equation_words& b) { return a.words_ == b.words_; }

 private:
  void add(std::uint64_t w) { words_.push_back(w); }
  void add(const aval& a) {
    add(std::uint64_t(a.type) | std::uint64_t(a.weak) << 8 | std::uint64_t(a.rank()) << 16);
    for (std::int64_t d : a.dims) add(std::uint64_t(d));
  }
  void add(const jaxpr& p, atom a) {
    if (!a.is_literal()) return add(a.code);
    const literal& l = p.literals[a.index()];
    add(std::uint64_t(atom::literal_bit) | std::uint64_t(l.type) << 32 | std::uint64_t(l.weak) << 40);
    add(l.low), add(l.high);
  }
  void add(const primitive& op, const param_view& params) {
    ++equations_;
    add(reinterpret_cast<std::uintptr_t>(&op));
    add(std::uint64_t(params.count) << 32 | params.sub_count << 16 | params.function_count);
    for (std::uint32_t i = 0; i < params.count; ++i) add(params.words[i]);
    for (std::uint32_t i = 0; i < params.sub_count; ++i) add(*params.subs[i]);
    holds_functions_ = holds_functions_ || params.function_count != 0;
    for (std::uint32_t i = 0; !op.inlinable && i < params.function_count; ++i) {
      comparable_ = comparable_ && !params.functions[i].state();
      add(reinterpret_cast<std::uintptr_t>(params.functions[i].get()));
    }
  }
  void add(const jaxpr& p) {
    comparable_ = comparable_ && p.effects == 0 && p.constvars.empty();
    add(std::uint64_t(p.avals.size()) << 32 | p.equations.size());
    add(std::uint64_t(p.invars.size()) << 32 | p.outvars.size());
    for (const aval& a : p.avals) add(a);
    for (variable v : p.invars) add(v);
    for (const equation& e : p.equations) {
      add(*e.op, p.params(e));
      add(std::uint64_t(e.in.count) << 32 | e.out.count);
      for (atom a : p.inputs(e)) add(p, a);
      for (variable v : p.outputs(e)) add(v);
    }
    for (atom a : p.outvars) add(p, a);
  }

  std::vector<std::uint64_t> words_;
  std::size_t equations_ = 0;
  bool comparable_ = true, holds_functions_ = false;
};

/// The equations that were compiled, and how long those took that were not. By many threads at once.
class eager_programs {
 public:
  static constexpr std::size_t most = 256;  ///< programs that are kept: those used last

  eager_programs(backend_interface& b, std::uint16_t number) : backend_(b), number_(number), watched_(watched_count) {}
  /// Those of this process; null where the interpreter itself is what computes.
  static eager_programs* get() {
    static eager_programs* const all = [] {
      const auto [b, number] = find_backend("cpu");
      if (b->name() == "interpreter") return static_cast<eager_programs*>(nullptr);
      eager_programs* const r = new eager_programs(*b, number);
      forks::hold(r->mutex_);
      return r;
    }();
    return all;
  }
  /// The compiled equation; null if there is none yet. `body`: see below.
  ref<executable> find(std::uint64_t hash, const equation_words& words, const jaxpr_ref& body) {
    const scoped_lock lock(mutex_);
    for (held& h : compiled_)
      if (h.hash == hash && h.words == words) {
        h.body = body;
        return use(h);
      }
    return nullptr;
  }
  /// That of a call of a body which was found before, without a look into it.
  ref<executable> find(const jaxpr_ref& body) {
    const scoped_lock lock(mutex_);
    for (held& h : compiled_)
      if (h.body == body) return use(h);
    return nullptr;
  }
  std::size_t size() {
    const scoped_lock lock(mutex_);
    return compiled_.size();
  }
  /// Notes that the interpreter took so long; whether it would have been compiled in the meantime. True once.
  bool is_worth_compiling(std::uint64_t hash, std::int64_t nanoseconds, std::size_t equations) {
    const scoped_lock lock(mutex_);
    watched& w = watched_[hash % watched_count];
    if (w.hash != hash) {
      w.spent -= nanoseconds;  // of two equations that share a place, the one that takes longer gets it
      if (w.spent > 0) return false;
      w = {hash, 0};
    }
    const std::int64_t worth = first_equation + std::int64_t(equations) * next_equation, before = std::exchange(w.spent, w.spent + nanoseconds);
    return before <= worth && w.spent > worth;
  }
  /// Keeps the program of an equation instead of that which was not used for the longest time.
  void compile(std::uint64_t hash, equation_words&& words, const primitive& op, view<const array> in, const param_view& params,
               view<const aval> types, const location& where) {
    const closed_jaxpr program = simplify({alone(op, in, params, types, where), {}}, no_effect, true);
    compile_options options;
    options.device = {number_, 0};
    options.strict = true;
    held made{hash, std::move(words), {}, nullptr, 0};
    {
      const event_scope seen(event_kind::compile, "compile", options.device, where);
      made.program = compiled(program, options);
    }
    const scoped_lock lock(mutex_);
    made.used = ++now_;
    if (compiled_.size() < most) return compiled_.push_back(std::move(made));
    held* oldest = &compiled_[0];
    for (held& h : compiled_)
      if (h.used < oldest->used) oldest = &h;
    if (watched& w = watched_[oldest->hash % watched_count]; w.hash == oldest->hash) w.spent = 0;  // it may be compiled again
    std::swap(*oldest, made);
  }

 private:
  static constexpr std::size_t watched_count = 1024;
  static constexpr std::int64_t first_equation = 100'000, next_equation = 15'000;  ///< nanoseconds that compiling takes

  struct held {
    std::uint64_t hash;
    equation_words words;
    jaxpr_ref body;  ///< of a call without functions: the one found last
    ref<executable> program;
    std::uint64_t used;
  };
  struct watched {
    std::uint64_t hash = 0;
    std::int64_t spent = 0;  ///< nanoseconds
  };

  ref<executable> use(held& h) {
    h.used = ++now_;
    return h.program;
  }
  /// The program of this one equation; of one that stands for its body, the body.
  static jaxpr_ref alone(const primitive& op, view<const array> in, const param_view& params, view<const aval> types, const location& where) {
    if (op.inlinable) return params.subs[0];
    jaxpr p;
    std::vector<atom> operands;
    for (const array& x : in) {
      p.invars.push_back(p.new_variable(x.aval()));
      operands.push_back(atom::of_variable(p.invars.back()));
    }
    // Bodies without the rules of functions, which hold what users captured.
    std::vector<jaxpr_ref> bodies;
    for (std::uint32_t i = 0; i < params.sub_count; ++i) bodies.push_back(lowering::canonical_body(params.subs[i], true));
    param_view own = params;
    own.subs = bodies.data();
    const variable first = p.append(op, operands, own, types, op.effects, where);
    for (std::size_t i = 0; i < types.size(); ++i) p.outvars.push_back(atom::of_variable(first + variable(i)));
    return jaxpr_ref(std::move(p));
  }
  ref<executable> compiled(const closed_jaxpr& program, const compile_options& options) {
    try {
      return backend_.compile(program, options);
    } catch (const error&) {  // of a primitive that the backend does not know: the interpreter may
      return make_ref<interpreted>(program, options);
    }
  }

  backend_interface& backend_;
  std::uint16_t number_;
  recursive_mutex mutex_;
  std::vector<held> compiled_;
  std::vector<watched> watched_;  ///< by hash
  std::uint64_t now_ = 0;
};

/// Runs an equation with bodies by `interpret`, or by the program that was compiled of it.
template <class Interpret>
void run_bodies(const primitive& op, view<const array> in, const param_view& params, view<const aval> types, view<array> out,
                const location& where, const Interpret& interpret) {
  eager_programs* const all = checked_values.any() || disabled_jits != 0 ? nullptr : eager_programs::get();
  if (!all) return interpret();
  const auto run = [&](executable& program) {
    const event_scope seen(event_kind::kernel, op.name, {}, where);
    for (const array& x : in)
      if (const buffer* b = x.as_buffer()) b->check_alive();
    program.run_into(in, out, where);
  };
  // What a call computes is known by its body alone, and composite functions call the same one again.
  const bool is_call = op.inlinable && params.function_count == 0;
  if (const ref<executable> program = is_call ? all->find(params.subs[0]) : nullptr) return run(*program);
  equation_words words(op, in, params);
  if (!words.comparable()) return interpret();
  const std::uint64_t hash = words.hash();
  if (const ref<executable> program = all->find(hash, words, is_call && !words.holds_functions() ? params.subs[0] : jaxpr_ref())) return run(*program);
  const std::int64_t start = nanoseconds_now();
  interpret();
  if (!all->is_worth_compiling(hash, nanoseconds_now() - start, words.equations())) return;
  try {
    all->compile(hash, std::move(words), op, in, params, types, where);
  } catch (...) {  // the result is there: what cannot be compiled, for want of memory perhaps, stays interpreted
  }
}

}  // namespace jacquard::detail
