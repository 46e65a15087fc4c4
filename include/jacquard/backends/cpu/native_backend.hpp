#pragma once
// The native backend of the processor itself, which cpu.hpp puts behind the name "cpu": a program starts on the tile interpreter (tier 0),
// which needs no compiler, and gets machine code (tier 1) once it has earned it, at once, or never. Deliberately without a name and without
// settings, which are settings.hpp.

#include <cstdio>
#include <exception>

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/clock.hpp"
#include "jacquard/backends/cpu/background.hpp"
#include "jacquard/backends/cpu/bound_native.hpp"
#include "jacquard/backends/cpu/held_operands.hpp"
#include "jacquard/backends/cpu/native_program.hpp"
#include "jacquard/backends/cpu/running_time.hpp"
#include "jacquard/backends/cpu/settings.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/core/axis_binding.hpp"
#include "jacquard/core/call_arrays.hpp"

namespace jacquard::cpu {

class native_executable : public executable {
 public:
  native_executable(const closed_jaxpr& p, const compile_options& options) : source_(p), options_(options) {
    for (char d : options.donated) has_donations_ = has_donations_ || d;
    if (options_.when == compile_time::by_default) options_.when = detail::default_compile_time().load();
    const bool is_there = options.code && !options.code->modules.empty() && code_generator::working() && code_generator::get()->runs(*options.code);
    bool at_once = is_there || ((options_.when == compile_time::first_call || (options_.when == compile_time::when_hot && runs_long())) && code_generator::working());
    tiers_[0] = first_program(at_once);
    now_.store(tiers_[0].get());
    is_settled_.store(at_once || options_.when != compile_time::when_hot);
    options_.code = nullptr;  // which the caller keeps only for as long as this takes
  }
  std::vector<array> run(std::span<const array> arguments, const location& where) override {
    std::vector<array> results(source_->outvars.size());
    run_into(arguments, results, where);
    return results;
  }
  void run_into(view<const array> arguments, view<array> results, const location& where) override {
    using jacquard::detail::ordering;
    if (jacquard::detail::unusual_now() != 0 || has_donations_ || !is_settled_.load(ordering::relaxed)) [[unlikely]]
      return run_unusual(arguments, results, where);
    now_.load(ordering::acquire)->run(source_.constants, arguments, results);
  }
  bool run_to(view<const array> arguments, view<array> results, view<void* const> room) override {
    if (is_watched() || has_donations_ || !is_settled_.load(jacquard::detail::ordering::relaxed)) return false;
    return now_.load(jacquard::detail::ordering::acquire)->run_to(source_.constants, arguments, results, room);
  }
  ref<bound_program> bind(view<void* const> arguments, view<void* const> results) override {
    ref<native_program> p(now_.load(jacquard::detail::ordering::acquire));
    if (p->runs_on() != tier::compiled && options_.when != compile_time::never && code_generator::working()) {
      try {
        p = program_on(tier::compiled);  // who binds means to run it often
      } catch (...) {
        tell_of_failure();
      }
    }
    if (!p->plan().fits() || !may_overwrite(p->plan(), arguments, results)) return nullptr;
    return make_ref<bound_native>(ref<executable>(this), p, source_.constants, arguments, results, options_.flushes_denormals);
  }
  text as_text() const override { return program().listing(); }
  std::string_view stages() const override {
    constexpr std::string_view all = native_program::stages;
    return code_generator::get() ? all : all.substr(0, all.rfind(' '));
  }
  text stage_text(std::string_view stage) const override { return program().stage_text(stage, options_.donated); }
  bool analyse(program_analysis& a) const override {
    const native_program& p = program();
    a = {p.memory(options_.donated), p.cost(), p.layout(options_.donated)};
    return true;
  }
  machine_code code() const override {
    machine_code all;
    if (runs_on() != tier::compiled) return all;
    all.machine = code_generator::get()->machine();
    try {
      program().add_code(all);
    } catch (const no_code&) {
      return {};
    }
    return all;
  }
  /// The tier it runs on now.
  tier runs_on() const { return program().runs_on(); }

 private:
  /// Whether results that lie where arguments do are written after these were read.
  static bool may_overwrite(const pointer_plan& plan, view<void* const> arguments, view<void* const> results) {
    for (std::size_t r = 0; r < results.size(); ++r)
      for (std::size_t a = 0; a < arguments.size(); ++a)
        if (results[r] == arguments[a] && !plan.overwrites(r, a)) return false;
    return true;
  }
  static constexpr std::int64_t hot = 10'000'000;  ///< nanoseconds of running that earn machine code

  struct compilation : jacquard::detail::queued_work {
    explicit compilation(native_executable* of) : executable_(of), kept_(of) {}
    void run() override { executable_->compile(); }
    native_executable* executable_;
    ref<executable> kept_;  ///< the same: a ref to a class within itself may be destroyed where the compiler does not know it yet
  };

  /// Whether already the first run would earn machine code, twice over: it would end on the program it began with.
  bool runs_long() const { return time_on_tiles(*source_.program) > 2 * time_to_compile(*source_.program); }
  native_program& program() const { return *now_.load(jacquard::detail::ordering::acquire); }
  ref<native_program> program_on(tier t) {
    const jacquard::detail::axis_scope scope(axes_.innermost());
    native_program::mode m{options_.device, options_.strict      ? lowering::rounding::strict
                                              : options_.fast_math ? lowering::rounding::fast_math
                                                                   : lowering::rounding::fast, t, options_.code};
    m.libraries.held = &held_;
    return make_ref<native_program>(source_.program, m, view<const char>(options_.donated));
  }
  /// On tiles where there turns out to be no code.
  ref<native_program> first_program(bool& compiled) {
    if (compiled) try {
        return program_on(tier::compiled);
      } catch (const no_code&) {
        compiled = false;
      }
    return program_on(tier::tiles);
  }
  /// In the background. Runs that are under way finish on the program they began with, which stays.
  void compile() noexcept {
    try {
      if (!code_generator::working()) return;
      tiers_[1] = program_on(tier::compiled);
      now_.store(tiers_[1].get(), jacquard::detail::ordering::release);
    } catch (...) {
      tell_of_failure();
    }
  }
  /// In a handler: the program runs on tiles, which do the same, but it should not have come to this.
  static void tell_of_failure() noexcept {
    if (!code_generator::working()) return;  // the process ends
    try {
      throw;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "jacquard: a program stays on tiles: %s\n", e.what());
    } catch (...) {
      std::fputs("jacquard: a program stays on tiles: no machine code could be made of it\n", stderr);
    }
  }

  /// Whether somebody wants to know of its steps. Not so where calls do not wait, which is unusual, too.
  static bool is_watched() { return jacquard::detail::is_observed(event_kind::kernel) || jacquard::detail::checked_values.any(); }
  [[gnu::noinline]] void run_unusual(view<const array> arguments, view<array> results, const location& where) {
    if (is_settled_.load(jacquard::detail::ordering::relaxed)) return run_settled(arguments, results, where);
    const std::int64_t start = jacquard::detail::nanoseconds_now();
    run_settled(arguments, results, where);
    const std::int64_t own = jacquard::detail::nanoseconds_now() - start, before = spent_.fetch_add(own);
    if (before > hot || before + own <= hot) return;  // one of the threads that run it sees it pass
    is_settled_.store(true, jacquard::detail::ordering::relaxed);
    background().add(make_ref<compilation>(this));
  }
  void run_settled(view<const array> arguments, view<array> results, const location& where) {
    // Who looks for the operation that made the first NaN wants operations one by one.
    if (jacquard::detail::checked_values.any())
      return find_backend("interpreter").first->compile(source_, options_)->run_into(arguments, results, where);
    native_program& p = program();
    if (!has_donations_) {
      if (is_watched()) return p.run_observed(source_.constants, arguments, results);
      return p.run(source_.constants, arguments, results);
    }
    jacquard::detail::call_arrays own(arguments.size());
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = i < options_.donated.size() && options_.donated[i] ? take_over(arguments[i], where) : arguments[i];
    p.run(source_.constants, own, results, options_.donated);
  }

  closed_jaxpr source_;
  const jacquard::detail::kept_axes axes_{jacquard::detail::outermost_axes()};  ///< those that it was made under
  jacquard::detail::held_operands held_{source_.constants};
  compile_options options_;
  bool has_donations_ = false;
  jacquard::detail::atomic<bool> is_settled_{false};      ///< nobody counts its time any more
  jacquard::detail::atomic<std::int64_t> spent_{0};       ///< nanoseconds
  jacquard::detail::atomic<native_program*> now_{nullptr};
  ref<native_program> tiers_[2];
};

/// One whose runs flush denormal numbers.
class flushing_executable final : public native_executable {
 public:
  using native_executable::native_executable;
  void run_into(view<const array> arguments, view<array> results, const location& where) override {
    const jacquard::detail::flushing_scope here;
    native_executable::run_into(arguments, results, where);
  }
  bool run_to(view<const array> arguments, view<array> results, view<void* const> room) override {
    const jacquard::detail::flushing_scope here;
    return native_executable::run_to(arguments, results, room);
  }
};

class native_backend : public backend_interface {
 public:
  std::string_view name() const override { return "cpu"; }
  int device_count() const override { return 1; }
  ref<executable> compile(const closed_jaxpr& program, const compile_options& options) override {
    if (options.flushes_denormals) return make_ref<flushing_executable>(program, options);
    return make_ref<native_executable>(program, options);
  }
};

#ifndef JACQUARD_COMPILED
namespace detail {
inline constinit backend_factory native_factory = [] { return ref<backend_interface>(make_ref<native_backend>()); };
}  // namespace detail
#endif

}  // namespace jacquard::cpu
