#pragma once
// The interpreter backend: plain loops, equation by equation, every value dense in host memory. It is the oracle that other
// backends are compared with and is always there. Deliberately unoptimised but for freeing values after their last use and
// writing elementwise results into operands that nobody else holds.

#include "jacquard/backends/backend.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/core/print.hpp"
#include "jacquard/exec/lowering/equation.hpp"

namespace jacquard {

namespace detail {

/// The bodies that one equation runs, each prepared once. Not for several threads at once.
class body_runners : public counted {
 public:
  explicit body_runners(const device_id& device) : device_(device) {}
  static inline std::vector<array> run(void* self, const jaxpr_ref& body, std::vector<array> arguments);

 private:
  list<ref<counted>> prepared_;
  device_id device_;
};

/// Runs one program, any number of times: what does not depend on the arguments is worked out once, for the bodies of its
/// equations too. Not by several threads at once.
class program_runner {
 public:
  program_runner(const jaxpr& p, view<const char> dead, const device_id& device)
      : program_(p), dead_(dead), device_(device), env_(p.avals.size()), bodies_(p.equations.size()) {}

  std::vector<array> run(view<const array> constants, std::vector<array> arguments) {
    for (std::size_t i = 0; i < program_.constvars.size(); ++i) env_[program_.constvars[i]] = constants[i];
    for (std::size_t i = 0; i < program_.invars.size(); ++i) env_[program_.invars[i]] = std::move(arguments[i]);
    for (std::size_t n = 0; n < program_.equations.size(); ++n) step(n);
    std::vector<array> results;
    for (atom a : program_.outvars) {
      if (a.is_literal()) results.push_back(array(program_.literals[a.index()]));
      else results.push_back(env_[a.index()]);
    }
    share_constants(results, constants);
    for (array& x : env_) x = {};  // what the results do not hold may be overwritten
    return results;
  }

 private:
  void step(std::size_t n) {
    const equation& e = program_.equations[n];
    std::vector<array>& in = in_;
    in.clear();
    types_.clear();
    const view<const char> movable = dead_.subspan(e.in.first, e.in.count);
    for (std::uint32_t k = 0; k < e.in.count; ++k) {
      const atom a = program_.operands[e.in.first + k];
      if (a.is_literal()) in.push_back(array(program_.literals[a.index()]));
      else if (movable[k]) in.push_back(std::move(env_[a.index()]));
      else in.push_back(env_[a.index()]);
    }
    if (!e.op->evaluate)
      for (variable v : program_.outputs(e)) types_.push_back(program_.avals[v]);
    out_.resize(e.out.count);
    if (e.subs.count != 0 && !bodies_[n]) bodies_[n] = make_ref<body_runners>(device_);
    run_equation(*e.op, in, program_.params(e), types_, out_, movable, {&body_runners::run, bodies_[n].get()}, device_, e.where);
    for (std::uint32_t i = 0; i < e.out.count; ++i) env_[program_.outputs(e)[i]] = std::move(out_[i]);
    in.clear();
  }

  const jaxpr& program_;
  view<const char> dead_;
  device_id device_;
  std::vector<array> env_, in_, out_;
  std::vector<aval> types_;
  list<ref<body_runners>> bodies_;  ///< by equation; null until it runs, and for those without bodies
};

/// A body, what was worked out of it, and its runner.
class prepared_body : public counted {
 public:
  prepared_body(const jaxpr_ref& body, const device_id& device) : body_(body), dead_(last_uses(*body)), runner_(*body, dead_, device) {}
  bool is_of(const jaxpr_ref& body) const { return body == body_; }
  std::vector<array> run(std::vector<array> arguments) { return runner_.run({}, std::move(arguments)); }

 private:
  jaxpr_ref body_;
  std::vector<char> dead_;
  program_runner runner_;
};

inline std::vector<array> body_runners::run(void* self, const jaxpr_ref& body, std::vector<array> arguments) {
  body_runners& all = *static_cast<body_runners*>(self);
  for (const ref<counted>& p : all.prepared_)
    if (auto& known = static_cast<prepared_body&>(*p); known.is_of(body)) return known.run(std::move(arguments));
  const ref<prepared_body> made = make_ref<prepared_body>(body, all.device_);
  all.prepared_.push_back(ref<counted>(made));
  return made->run(std::move(arguments));
}

class interpreted : public executable {
 public:
  interpreted(closed_jaxpr program, const compile_options& options)
      : program_(std::move(program)), donated_(options.donated), dead_(last_uses(*program_)), device_(options.device) {}

  std::vector<array> run(std::span<const array> arguments, const location& where) override {
    std::vector<array> own(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < own.size() && i < donated_.size(); ++i)
      if (donated_[i]) own[i] = take_over(own[i], where);
    return program_runner(*program_, dead_, device_).run(program_.constants, std::move(own));
  }
  text as_text() const override { return to_text(program_); }
  equation_by_equation by_equations() const override { return {&program_, donated_}; }

 private:
  closed_jaxpr program_;
  std::vector<char> donated_;
  std::vector<char> dead_;
  device_id device_;
};

class interpreter_backend : public backend_interface {
 public:
  std::string_view name() const override { return "interpreter"; }
  int device_count() const override { return 1; }
  ref<executable> compile(const closed_jaxpr& program, const compile_options& options) override {
    return make_ref<interpreted>(program, options);
  }
};

inline ref<backend_interface> make_interpreter() { return make_ref<interpreter_backend>(); }

}  // namespace detail
}  // namespace jacquard
