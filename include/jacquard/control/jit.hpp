#pragma once
// jit as functions see it: what it does inside a trace, where it stages a `call`, and with static arguments, where the compile-time
// lane takes the call. Deliberately without a cache and without compilation: those are in exec/jit.hpp, which jacquard.hpp includes.

#include "jacquard/control/call.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/ref.hpp"
#include "jacquard/transforms/function.hpp"
#include "jacquard/transforms/lane.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

namespace detail {

/// What the trace of a jitted function is called.
inline constexpr std::string_view jit_trace_name = "jit";
/// Compiles and runs a jitted function, and keeps what it compiled; defined in exec/jit.hpp.
template <class F, class... O>
class jit_runner;
template <class F, class... O>
concept has_jit_runner = requires { sizeof(jit_runner<F, O...>); };

/// Where a jitted function keeps its compiled programs. Functions without captures share them where their options are the same; of those that
/// capture each has its own, which its copies share.
template <class F, bool Empty, class... O>
struct jit_cache_holder {
  ref<jacquard::counted> own;
  bool is_constant = false;  ///< made by the compiler: used while a trace is made, where calls are staged, or at namespace scope
  constexpr jit_cache_holder() : is_constant(std::is_constant_evaluated()) {
    if constexpr (has_jit_runner<F, O...>)
      if (!is_constant) own = jit_runner<F, O...>::new_cache();
  }
  constexpr jit_cache_holder(const F& f, const std::tuple<O...>& options) : is_constant(std::is_constant_evaluated()) {
    if constexpr (has_jit_runner<F, O...>)
      if (!is_constant) own = jit_runner<F, O...>::cache_for(f, options);
  }
};
template <class F, class... O>
struct jit_cache_holder<F, true, O...> {
  constexpr jit_cache_holder() = default;
  constexpr jit_cache_holder(const F&, const std::tuple<O...>&) {}
};

/// A call of a traced function as part of the program around it.
template <class Array = array>
JACQUARD_ONCE constexpr array_list staged_call(const closed_jaxpr& program, view<const lazy<Array>> leaves) {
  std::vector<array> operands = program.constants;
  operands.insert(operands.end(), leaves.begin(), leaves.end());
  return bind_list<call_p>({closed_body(program), "f"}, location{}, operands);
}

/// The program of a jitted function.
template <class Result, class... T, class... A>
constexpr traced<Result> trace_jitted(const function_of<Result, T...>& f, view<const array> leaves, const A&... args) {
  const std::vector<aval> types = avals_of(leaves);
  return trace_function(f, trace::purpose::staging, jit_trace_name, types, {}, nullptr, args...);
}
/// The function itself, with a result of the type that a call gives.
template <class Result, class... T, class... A>
constexpr rebind_t<Result> call_as_written(const function_of<Result, T...>& f, view<const array> leaves, const A&... args) {
  const Result r = call_with_leaves(f, leaves, std::index_sequence_for<A...>{}, args...);
  std::vector<array> out;
  flatten_into(r, out);
  return rebuild<rebind_t<Result>>(r, out);
}
/// Inside another trace: a call equation, whose operands are the captured arrays and the arguments; or the function's own equations.
template <bool Inline, class Result, class... T, class... A>
constexpr rebind_t<Result> stage_jitted(const function_of<Result, T...>& f, view<const array> leaves, const A&... args) {
  if constexpr (Inline) return call_as_written(f, leaves, args...);
  else {
    auto t = trace_jitted(f, leaves, args...);
    const array_list out = staged_call(t.program, leaves);
    return rebuild<rebind_t<Result>>(t.result, view<const array>(out.data(), out.size()));
  }
}

template <class F, class... O>
class jit_function {
 public:
  constexpr jit_function() = default;
  constexpr jit_function(F f, O... options) : f_(std::move(f)), options_(std::move(options)...), cache_(f_, options_) {}

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    if constexpr (!check_positions<A...>()) return array();
    // Options of backends speak of the run-time lane.
    else if constexpr (speaks_of_functions && statics.size() == 0 && is_static_call<A...>())
      return call_in_static_lane(lane<A...>{}, f_, compiled_result{}, args...);
    else if constexpr (speaks_of_functions && binds_types<statics, A...>())
      return call_with_picked<statics, false>([&]<class... D>(const D&... dynamic) {
        return call_in_static_lane(lane<D...>{}, function_of_types<statics, F, A...>{f_}, compiled_result{}, dynamic...);
      }, args...);
    else if constexpr (has_jit_runner<F, O...>) return jit_runner<F, O...>(*this).call(args...);
    else return call_in_trace(args...);
  }

  /// Traces for the given arguments without running.
  template <class... A>
  auto lower(const A&... args) const {
    static_assert(has_jit_runner<F, O...>, "jq::jit: lower() makes programs for a backend; include <jacquard/jacquard.hpp>");
    if constexpr (check_positions<A...>()) return jit_runner<F, O...>(*this).lower(args...);
  }
  /// Number of signatures compiled so far.
  std::size_t cache_size() const {
    static_assert(has_jit_runner<F, O...>, "jq::jit: cache_size() counts programs for a backend; include <jacquard/jacquard.hpp>");
    return jit_runner<F, O...>(*this).cache_size();
  }
  /// Forgets all of these; the next call of each signature traces and compiles it again. Functions that share programs, as those without captures
  /// do, lose them together. Not while one of them is being called, by another thread or around the callback that clears.
  void clear_cache() const {
    static_assert(has_jit_runner<F, O...>, "jq::jit: clear_cache() drops programs of a backend; include <jacquard/jacquard.hpp>");
    jit_runner<F, O...>(*this).clear_cache();
  }

 private:
  friend class jit_runner<F, O...>;
  static constexpr auto statics = int_option<static_argnums_t, O...>();
  static constexpr auto donations = int_option<donate_argnums_t, O...>();
  static constexpr bool speaks_of_functions =
      ((is_int_option<donate_argnums_t, O> || is_int_option<static_argnums_t, O> || std::is_same_v<inline_t, O>) && ...);

  /// Whether the arguments that options name were passed. Asked before the function is traced, which would say something else of it.
  template <class... A>
  static constexpr bool check_positions() {
    static_assert(positions_fit(statics, sizeof...(A)), "jq::jit: static_argnums names an argument that was not passed; all static "
                                                         "arguments must be passed positionally");
    static_assert(positions_fit(donations, sizeof...(A)), "jq::jit: donate_argnums names an argument that was not passed");
    return positions_fit(statics, sizeof...(A)) && positions_fit(donations, sizeof...(A));
  }
  /// All that can be done with arrays where no backend is known. Errors: value_error outside of traces.
  template <class... A>
  constexpr auto call_in_trace(const A&... args) const {
    return call_with_signature<statics>(f_, [](const auto& f, const auto&, const auto&... dynamic) {
      const leaf_list leaves = flatten_all(dynamic...);
      if (!std::is_constant_evaluated() && !trace_of(leaves))
        raise(error_kind::value, "jit: got arguments that are known at run time only, in a file that includes the compile-time lane alone; "
                                 "include <jacquard/jacquard.hpp>, which brings a backend",
              statics.size() == 0 ? "" : ", or give static arguments as types, e.g. std::integral_constant<int, 3>{}");
      return stage_jitted<has_option<inline_t, O...>>(f, leaves, dynamic...);
    }, args...);
  }

  [[no_unique_address]] F f_;
  [[no_unique_address]] std::tuple<O...> options_;
  [[no_unique_address]] jit_cache_holder<F, std::is_empty_v<F> && (std::is_empty_v<O> && ...), O...> cache_;
};
template <class F, class... O>
inline constexpr auto static_positions<jit_function<F, O...>> = int_option<static_argnums_t, O...>();

}  // namespace detail

/// f, traced and compiled once per signature of its arguments (tree structure, dtype, shape, weak type, static values).
/// Options: static_argnums, donate_argnums, inline_, backend(name), a device, a precision, denormals, a compile_at.
/// With arguments of the compile-time lane, or while a function of those is traced, it computes what f computes, where static_argnums names types
/// alone, e.g. std::integral_constant<int, 3>{}; taps whose results are not used are dropped, as everywhere in compiled functions. With jq::arrays
/// it needs <jacquard/jacquard.hpp>.
/// May be called by many threads at once: the first traces, the others wait; an error reaches all of them.
/// Programs of functions that capture nothing are kept until the process ends: by the function's type, or of a pointer to a function by its
/// address. Where a plug-in may be unloaded and another loaded in its place, wrap such a pointer in a lambda that captures it,
/// jit([f](const jq::array& x) { return f(x); }): its programs are its own, and go with the last copy of the jitted function.
template <class F, class... O>
constexpr auto jit(F f, O... options) {
  (void)(detail::check_function<F>() && ... && detail::check_jit_option<O>());
  return detail::jit_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard
