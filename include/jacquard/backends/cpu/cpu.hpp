#pragma once
// The native backend of the processor. Including this header puts it behind the name "cpu", where the interpreter stood. Where no
// libLLVM is found, programs run on the interpreter as before.

#include <algorithm>

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/native_program.hpp"

namespace jacquard::cpu {

class native_executable : public executable {
 public:
  native_executable(const closed_jaxpr& p, const compile_options& options)
      : source_(p), options_(options), donated_(options.donated),
        has_donations_(std::find(donated_.begin(), donated_.end(), char(true)) != donated_.end()), program_(make_ref<native_program>(p.program, options.device, view<const char>(donated_))) {}
  std::vector<array> run(std::span<const array> arguments, const location& where) override {
    // Who looks for the operation that made the first NaN wants operations one by one.
    if (jacquard::detail::checked_values.any())
      return find_backend("interpreter").first->compile(source_, options_)->run(arguments, where);
    std::vector<array> own(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < own.size() && i < donated_.size(); ++i)
      if (donated_[i]) own[i] = jacquard::detail::take_over(own[i], where);
    return program_->run(source_.constants, std::move(own));
  }
  void run_into(view<const array> arguments, view<array> results, const location& where) override {
    if (jacquard::detail::unusual_now() != 0 || has_donations_) [[unlikely]] return run_unusual(arguments, results, where);
    program_->run(source_.constants, arguments, results);
  }
  text as_text() const override { return program_->listing(); }
  std::string_view stages() const override { return native_program::stages; }
  text stage_text(std::string_view stage) const override { return program_->stage_text(stage, donated_); }
  bool analyse(program_analysis& a) const override {
    a = {program_->memory(donated_), program_->cost(), program_->layout(donated_)};
    return true;
  }

 private:
  [[gnu::noinline, gnu::cold]] void run_unusual(view<const array> arguments, view<array> results, const location& where) {
    if (jacquard::detail::checked_values.any() || has_donations_) return executable::run_into(arguments, results, where);
    program_->run_observed(source_.constants, arguments, results);
  }

  closed_jaxpr source_;
  compile_options options_;
  std::vector<char> donated_;
  bool has_donations_;
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

namespace detail {
inline const bool registered = (register_backend("cpu", [] { return ref<backend_interface>(make_ref<native_backend>()); }), true);
}  // namespace detail

}  // namespace jacquard::cpu
