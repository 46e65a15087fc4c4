#pragma once
// Functions of the library that are made of many equations, called at run time on concrete arrays: they are traced once for each
// combination of types and options, and computed as one equation, which a backend may compile. In a trace, in constant evaluation and
// where someone wants to see operations one by one, their equations are bound as if they were written there. Deliberately for functions
// without state: what a function captures would have to be compared.

#include "jacquard/control/call.hpp"
#include "jacquard/core/value_checks.hpp"

namespace jacquard::detail {

/// The programs of one composite function that this thread traced: the last few.
template <class F, class... Options>
class composite_programs {
 public:
  struct entry {
    std::tuple<Options...> options;
    std::vector<aval> types;
    closed_jaxpr program;  ///< its captured arrays are its first inputs
  };
  static const entry& of(const F& f, std::string_view name, view<const array> x, const location& where, const Options&... options) {
    static thread_local composite_programs all;
    const std::tuple<const Options&...> wanted(options...);
    for (const entry& e : all.entries_)
      if (e.options == wanted && is_of(e.types, x)) return e;
    entry made{std::tuple<Options...>(options...), types_of(x), traced(f, name, x, where, options...)};
    if (all.entries_.size() < most) return all.entries_.emplace_back(std::move(made));
    entry& oldest = all.entries_[all.next_++ % most];
    oldest = std::move(made);
    return oldest;
  }

 private:
  static constexpr std::size_t most = 32;

  static bool is_of(const std::vector<aval>& types, view<const array> x) {
    bool same = types.size() == x.size();
    for (std::size_t i = 0; same && i < x.size(); ++i) same = types[i] == x[i].aval();
    return same;
  }
  static closed_jaxpr traced(const F& f, std::string_view name, view<const array> x, const location& where, const Options&... options) {
    trace_scope t(trace::purpose::staging, nullptr);
    t->name = name;
    std::vector<array> inputs;
    for (const array& a : x) inputs.push_back(t->input(a.aval()));
    t.enter();
    const array results[] = {f(view<const array>(inputs), where, options...)};
    closed_jaxpr program = t->finish(results);
    t.leave();
    program = simplify(program, no_effect, true);
    program.program = closed_body(program);
    return program;
  }

  std::vector<entry> entries_;
  std::size_t next_ = 0;
};

template <class F, class... Options>
array composite_at_once(const F& f, std::string_view name, view<const array> x, const location& where, const Options&... options) {
  const auto& known = composite_programs<F, Options...>::of(f, name, x, where, options...);
  std::vector<array> operands = known.program.constants;
  operands.insert(operands.end(), x.begin(), x.end());
  return bind_list<call_p>({known.program.program, name_text(name)}, where, operands)[0];
}

/// f(x, where, options...), an array. f has no state, its options are compared by ==.
template <class F, class... Options>
constexpr array composite(std::string_view name, const F& f, view<const array> x, const location& where, const Options&... options) {
  static_assert(std::is_empty_v<F>, "a composite function captures nothing: pass arrays as operands, and all else as options");
  if (!__builtin_is_constant_evaluated() && !trace_of(x) && checked_values.nan + checked_values.infinity + disabled_jits == 0) {
    bool concrete = true;
    for (const array& a : x) concrete = concrete && a.is_concrete();
    if (concrete) return composite_at_once(f, name, x, where, options...);
  }
  return f(x, where, options...);
}

}  // namespace jacquard::detail
