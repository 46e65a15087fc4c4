#pragma once
// The native backend of the processor. Including this header puts it behind the name "cpu", where the interpreter stood. Where no
// libLLVM is found, programs run on the interpreter as before.

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/native_program.hpp"

namespace jacquard::cpu {

class native_executable : public executable {
 public:
  native_executable(const closed_jaxpr& p, const compile_options& options)
      : source_(p), options_(options), program_(make_ref<native_program>(p.program, options.device, view<const char>(options.donated))) {
    for (char d : options.donated) has_donations_ = has_donations_ || d;
  }
  std::vector<array> run(std::span<const array> arguments, const location& where) override {
    std::vector<array> results(source_->outvars.size());
    run_into(arguments, results, where);
    return results;
  }
  void run_into(view<const array> arguments, view<array> results, const location& where) override {
    if (jacquard::detail::unusual_now() != 0 || has_donations_) [[unlikely]] return run_unusual(arguments, results, where);
    program_->run(source_.constants, arguments, results);
  }
  text as_text() const override { return program_->listing(); }
  std::string_view stages() const override { return native_program::stages; }
  text stage_text(std::string_view stage) const override { return program_->stage_text(stage, options_.donated); }
  bool analyse(program_analysis& a) const override {
    a = {program_->memory(options_.donated), program_->cost(), program_->layout(options_.donated)};
    return true;
  }

 private:
  [[gnu::noinline]] void run_unusual(view<const array> arguments, view<array> results, const location& where) {
    // Who looks for the operation that made the first NaN wants operations one by one.
    if (jacquard::detail::checked_values.any())
      return find_backend("interpreter").first->compile(source_, options_)->run_into(arguments, results, where);
    if (!has_donations_) return program_->run_observed(source_.constants, arguments, results);
    std::vector<array> own(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < own.size() && i < options_.donated.size(); ++i)
      if (options_.donated[i]) own[i] = jacquard::detail::take_over(own[i], where);
    program_->run(source_.constants, std::move(own), results, options_.donated);
  }

  closed_jaxpr source_;
  compile_options options_;
  bool has_donations_ = false;
  ref<native_program> program_;
};

class native_backend : public backend_interface {
 public:
  std::string_view name() const override { return "cpu"; }
  int device_count() const override { return 1; }
  ref<executable> compile(const closed_jaxpr& program, const compile_options& options) override {
    if (!code_generator::get()) return find_backend("interpreter").first->compile(program, options);
    return make_ref<native_executable>(program, options);
  }
};

/// The most threads that compute at once, callers among them, on all cpu devices together: JACQUARD_THREADS, or as many as there are processors
/// this process may use. Results do not depend on it.
inline int threads() { return jacquard::detail::thread_pool::get().threads(); }
/// Sets it for work that starts from now on. Errors: value_error unless n is from 1 to 256.
inline void set_threads(int n) { jacquard::detail::thread_pool::get().set_threads(n); }

namespace detail {
inline const bool registered = (register_backend("cpu", [] { return ref<backend_interface>(make_ref<native_backend>()); }), true);
}  // namespace detail

}  // namespace jacquard::cpu
