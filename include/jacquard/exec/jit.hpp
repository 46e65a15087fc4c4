#pragma once
// jit at run time: traces a function once per signature, compiles the program on a backend and runs it. Deliberately no lowering of its
// own, which is the backend's, and nothing of what jit does inside traces, which is in control/jit.

#include <concepts>

#include "jacquard/backends/mutex.hpp"
#include "jacquard/control/jit.hpp"
#include "jacquard/core/call_arrays.hpp"
#include "jacquard/core/value_checks.hpp"
#include "jacquard/exec/jit_cache.hpp"
#include "jacquard/exec/signature.hpp"
#include "jacquard/exec/stages.hpp"
#include "jacquard/transforms/simplify.hpp"

namespace jacquard {

namespace detail {

/// Options whose values target_of reads.
template <class O>
inline constexpr bool is_target_option = std::is_same_v<O, device> || std::is_same_v<O, backend> || std::is_same_v<O, precision> ||
                                         std::is_same_v<O, denormals> || std::is_same_v<O, compile_at>;
template <class... O>
target target_of(const std::tuple<O...>& options) {
  target t;
  [[maybe_unused]] const auto use = [&](const auto& o) {
    using Option = std::remove_cvref_t<decltype(o)>;
    if constexpr (std::is_same_v<Option, device>) t.platform = o.platform, t.ordinal = o.ordinal;
    if constexpr (std::is_same_v<Option, backend>) t.platform = o.name;
    if constexpr (std::is_same_v<Option, precision>) t.strict = o.is_strict, t.fast_math = o.is_fast_math;
    if constexpr (std::is_same_v<Option, denormals>) t.flushes_denormals = o.are_flushed;
    if constexpr (std::is_same_v<Option, compile_at>) t.when = o.when;
  };
  std::apply([&](const auto&... o) { (use(o), ...); }, options);
  return t;
}

/// What the function is compiled for that this thread is tracing for jit, the outermost of those that become one program; null outside.
inline constinit thread_local const target* traced_for = nullptr;
struct traced_for_scope {
  explicit traced_for_scope(const target& t) { traced_for = &t; }
  ~traced_for_scope() { traced_for = outer; }
  traced_for_scope(const traced_for_scope&) = delete;

  const target* const outer = traced_for;
};
/// The same, as a function within trace `t` sees it: what runs outside of all traces, or is differentiated there, is nobody's part.
inline const target* outer_target(const trace* t) {
  while (t && t->name != jit_trace_name) t = t->parent();
  return t ? traced_for : nullptr;
}
/// A jitted function that names a backend or device cannot become part of a program for another one. Errors: value_error.
template <class... O>
void check_outer_target([[maybe_unused]] const target& outer, [[maybe_unused]] const target& inner) {
  if constexpr (((std::is_same_v<O, device> || std::is_same_v<O, backend>) || ...)) {
    const bool devices = (std::is_same_v<O, device> || ...);
    if (outer.platform == inner.platform && (!devices || outer.ordinal == inner.ordinal)) return;
    const auto named = [&](const target& t) {
      text r(t.platform);
      if (devices) r << ':' << t.ordinal;
      return r;
    };
    raise(error_kind::value, "jit: Outer-jit backend specification ", named(outer), " must match explicit inner-jit backend specification ",
          named(inner), ". The inner function becomes part of the outer one's program: name that backend at the outer jit, or none at the inner one");
  }
}

template <class F, class... O>
inline lasting_cache shared_cache;

/// A call as an event.
class observed_call {
 public:
  observed_call(const target& where, view<const array> leaves, const jit_cache& cache) : scope_(event_kind::dispatch, "call", where.number()), cache_(cache) {
    tell_where();
    if (event* e = scope_.seen()) put_types(e->detail, leaves), scope_.begin();
  }
  ~observed_call() { tell_where(); }

 private:
  void tell_where() {
    const jit_entry_header* latest = cache_.latest.load(detail::ordering::acquire);
    if (event* e = scope_.seen(); e && latest) e->where = latest->where;
  }
  event_scope scope_;
  const jit_cache& cache_;
};
inline void tell_of_trace(event& e, view<const array> leaves, const closed_jaxpr& program) { put_types(e.detail, leaves), e.where = location_of(program); }

/// A static argument as it is kept for comparison: C strings and views of strings by their characters.
template <class T>
struct kept_argument {
  using type = T;
  static_assert(std::equality_comparable<T>, "jq::jit: a static argument needs operator==, by which a new value is told from one that "
                                             "was traced already; give its type one, or pass arrays as ordinary arguments");
};
template <class C>
  requires std::is_same_v<std::decay_t<C>, char*> || std::is_same_v<std::decay_t<C>, const char*> || std::is_same_v<C, std::string_view>
struct kept_argument<C> {
  using type = std::string;
};
template <class Tuple>
struct decayed;
template <class... T>
struct decayed<std::tuple<T...>> {
  using type = std::tuple<typename kept_argument<std::remove_cvref_t<T>>::type...>;
};

/// The leaves of a result as a prototype has them: without their tracers, so that a cache does not keep the trace alive.
template <class R>
std::vector<array> untraced_leaves(const R& like, std::size_t count) {
  std::vector<array> r(count);
  std::size_t i = 0;
  for_each_leaf(like, [&](const auto& x) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(x)>, array>) r[i] = to_array(x);
    ++i;
  });
  return r;
}

/// One flag per leaf of the arguments that are not static, `dynamic`: whether it is donated. Fixed is the tuple of the others.
template <auto Statics, auto Donations, class Fixed, class... A>
std::vector<char> donation_flags(std::size_t leaves, const A&... dynamic) {
  if constexpr (Donations.size() == 0) return std::vector<char>(leaves, false);
  else {
    constexpr int count = int(std::tuple_size_v<Fixed> + sizeof...(A));
    const auto resolved = [&](const auto& given) {
      std::vector<int> r;
      for (int i : given) r.push_back(i < 0 ? i + count : i);
      return r;
    };
    return donation_vector(rebase_donate_argnums(resolved(Donations), resolved(Statics)), dynamic...);
  }
}
/// The cache that `holder` keeps for f. Errors: value_error, which begins with `what`, where f was moved from.
template <class Holder, class F, class... O>
jit_cache& cache_in([[maybe_unused]] const Holder& holder, [[maybe_unused]] std::string_view what, [[maybe_unused]] const F& f,
                    [[maybe_unused]] const std::tuple<O...>& options) {
  if constexpr (requires { holder.own; }) {
    if (!holder.own) [[unlikely]] {
      if (!holder.is_constant) raise(error_kind::value, what, " that was moved from; call the one it was moved to");
      return cache_of_constant(f, options);
    }
    return static_cast<jit_cache&>(*holder.own);
  } else return shared_cache<F, O...>.value;
}

/// Calls of jitted functions with arrays that are known at run time. The function is seen by its signature, f, with the arguments that are not
/// static, so that this is compiled once for all functions of one; `fixed` is a tuple of the static ones.
template <class... O>
class jit_calls {
 public:
  /// The cache is for `call` alone.
  jit_calls(jit_cache* cache, const std::tuple<O...>& options) : cache_(cache), options_(options) {}

  template <class Result, class... T, class Statics, class... A>
  rebind_t<Result> call(const function_of<Result, T...>& f, const Statics& fixed, const A&... args) const {
    if constexpr (std::tuple_size_v<Statics> == 0 && (has_only_arrays<A>() && ...)) {
      borrowed_arrays leaves;
      if (auto* e = latest_of<entry_of<Result, Statics>, Statics>(leaves, args...)) return run_entry(*e, leaves, e->donates);
    }
    return call_another(f, fixed, args...);
  }
  /// Traces for the given arguments without running.
  template <class Result, class... T, class Statics, class... A>
  jacquard::lowered<Result> lower(const function_of<Result, T...>& f, const Statics&, const A&... args) const {
    const leaf_list leaves = flatten_all(args...);
    auto t = trace_observed(f, leaves, args...);
    const target where = target_of(options_);
    return jacquard::lowered<Result>(simplify(t.program, tap_effect, where.strict), where, donation_flags<statics, donations, Statics>(leaves.size(), args...),
                                     tree::structure(std::tuple<const A&...>(args...)), std::move(t.result));
  }
  /// A call that compiles nothing: of the function as written where jit is disabled, else as part of the program that a trace builds.
  template <class Result, class... T, class... A>
  rebind_t<Result> call_uncompiled(const function_of<Result, T...>& f, view<const array> leaves, const A&... args) const {
    if (disabled_jits != 0) return call_as_written(f, leaves, args...);
    return stage_within(trace_of(leaves), f, leaves, args...);
  }

 private:
  static constexpr auto statics = int_option<static_argnums_t, O...>();
  static constexpr auto donations = int_option<donate_argnums_t, O...>();
  /// The compiled signature of calls of functions with this result.
  template <class Result, class Statics>
  using entry_of = jit_entry<typename decayed<Statics>::type, Result>;
  template <class Entry, class Statics, class... A>
  static inline constexpr jit_kind kind = kind_of<Entry, Statics>();

  /// A call that is not of the signature called last, or has more to it. Apart from `call`, so that most calls do not pay for its variables.
  template <class Result, class... T, class Statics, class... A>
  [[gnu::noinline]] rebind_t<Result> call_another(const function_of<Result, T...>& f, const Statics& fixed, const A&... args) const {
    const leaf_list leaves = flatten_all(args...);
    if (unusual_now() != 0) [[unlikely]] return call_observed(f, leaves, fixed, args...);
    if (const trace* t = trace_of(leaves)) return stage_within(t, f, leaves, args...);
    return run(f, leaves, fixed, args...);
  }
  /// A call while something is observed, or debugging switches are set.
  template <class Result, class... T, class Statics, class... A>
  rebind_t<Result> call_observed(const function_of<Result, T...>& f, view<const array> leaves, const Statics& fixed, const A&... args) const {
    if (disabled_jits != 0 || trace_of(leaves)) return call_uncompiled(f, leaves, args...);
    if (!is_observed(event_kind::dispatch)) return run(f, leaves, fixed, args...);
    const observed_call scope(target_of(options_), leaves, *cache_);
    return run(f, leaves, fixed, args...);
  }
  /// The call as part of the program that `t` builds.
  template <class Result, class... T, class... A>
  rebind_t<Result> stage_within(const trace* t, const function_of<Result, T...>& f, view<const array> leaves, const A&... args) const {
    const target own = target_of(options_);
    const target* outer = outer_target(t);
    if (outer) check_outer_target<O...>(*outer, own);
    const traced_for_scope scope(outer ? *outer : own);
    return stage_jitted<has_option<inline_t, O...>>(f, leaves, args...);
  }
  template <class Result, class... T, class... A>
  traced<Result> trace_observed(const function_of<Result, T...>& f, view<const array> leaves, const A&... args) const {
    const target own = target_of(options_);
    const traced_for_scope target_scope(own);
    event_scope scope(event_kind::trace, "trace", is_observed(event_kind::trace) ? own.number() : device_id{});
    auto t = trace_jitted(f, leaves, args...);
    if (event* e = scope.seen()) tell_of_trace(*e, leaves, t.program);
    return t;
  }

  /// The signature that was called last, if this is a call of it; its leaves are then in `leaves`. What most calls are.
  template <class Entry, class Statics, class... A>
  Entry* latest_of(borrowed_arrays& leaves, const A&... args) const {
    jit_entry_header* const latest = cache_->latest.load(detail::ordering::acquire);
    if (!latest || latest->kind != &kind<Entry, Statics, A...> || unusual_now() != 0) return nullptr;
    Entry& e = static_cast<Entry&>(*latest);
    return e.key.is_of(leaves, args...) ? &e : nullptr;
  }
  template <class Result, class... T, class Statics, class... A>
  rebind_t<Result> run(const function_of<Result, T...>& f, view<const array> leaves, const Statics& fixed, const A&... args) const {
    using entry = entry_of<Result, Statics>;
    const signature key = signature::of(leaves, args...);
    const auto trace = [&](jit_entry_header& e) {
      auto t = trace_observed(f, leaves, args...);
      static_cast<entry&>(e).donated = donation_flags<statics, donations, Statics>(leaves.size(), args...);
      static_cast<entry&>(e).result = make_ref<jit_result<Result>>(rebuild<Result>(t.result, untraced_leaves(t.result, t.program->outvars.size())));
      return traced_call{std::move(t.program), target_of(options_)};
    };
    return dispatch_entry(static_cast<entry&>(cache_->entry_of(key, kind<entry, Statics, A...>, &fixed, jit_tracer::of(trace))), leaves);
  }
  /// Runs now, or has the device's queue run it. Warm calls with nothing unusual about them do not come here.
  template <class Statics, class Result>
  static rebind_t<Result> dispatch_entry(jit_entry<Statics, Result>& e, view<const array> leaves) {
    if (!e.queued->queues()) return run_entry(e, leaves);
    return results_of(e, [&](view<array> out) { e.queued->run(leaves, out, e.where); });
  }
  /// `unchecked`: nothing is known of the leaves but their types.
  template <class Statics, class Result>
  static rebind_t<Result> run_entry(jit_entry<Statics, Result>& e, view<const array> leaves, bool unchecked = true) {
    if (unchecked) check_arguments(leaves, e.donated, e.queued->captured());
    return results_of(e, [&](view<array> out) {
      e.program->run_into(leaves, out, e.where);
      if (!unchecked) return;  // none of the leaves is borrowed
      for (array& x : out)
        if (const buffer* b = x.as_buffer(); b && b->borrowed) x = owned(x);
    });
  }
  /// What a call returns, of the arrays that `compute` fills in.
  template <class Statics, class Result, class Compute>
  static rebind_t<Result> results_of(jit_entry<Statics, Result>& e, const Compute& compute) {
    call_arrays out(e.outputs);
    compute(out);
    array* next = out.data();
    return rebuild_from<rebind_t<Result>>(e.result->value, next);
  }
  /// The same, of one array. A function of its own: g++ 12 makes what is returned in its place only where its name is in no inner block.
  template <class Statics, class Result, class Compute>
    requires std::is_same_v<rebind_t<Result>, array>
  static array results_of(jit_entry<Statics, Result>&, const Compute& compute) {
    array y;
    compute({&y, 1});
    return y;
  }

  jit_cache* cache_;
  const std::tuple<O...>& options_;
};

/// What is compiled for one jitted function: where it keeps its programs.
template <class F, class... O>
class jit_runner {
  using function = jit_function<F, O...>;

 public:
  constexpr explicit jit_runner(const function& f) : f_(f) {}
  static ref<jacquard::counted> new_cache() { return make_ref<jit_cache>(); }
  /// Equal functions with equal options share one; options of which no target knows are not compared.
  static ref<jacquard::counted> cache_for(const F& f, const std::tuple<O...>& options) {
    if constexpr (!((std::is_empty_v<O> || is_target_option<O>) && ...)) return new_cache();
    else if constexpr (std::is_empty_v<F>) return caches_by_target<F, O...>.of(target_of(options), nullptr);
    else if constexpr (is_function_pointer<F>) return caches_by_target<F, O...>.of(target_of(options), reinterpret_cast<void (*)()>(f));
    else return new_cache();
  }

  template <class... A>
  constexpr auto call(const A&... args) const {
    return call_with_signature<function::statics>(f_.f_, [&](const auto& f, const auto& fixed, const auto&... dynamic) {
      if (__builtin_is_constant_evaluated()) return stage_jitted<has_option<inline_t, O...>>(f, flatten_all(dynamic...), dynamic...);
      return jit_calls<O...>(&cache(), f_.options_).call(f, fixed, dynamic...);
    }, args...);
  }
  template <class... A>
  auto lower(const A&... args) const {
    return call_with_signature<function::statics>(f_.f_, [&](const auto&... all) { return jit_calls<O...>(nullptr, f_.options_).lower(all...); }, args...);
  }

  /// Number of signatures compiled so far.
  std::size_t cache_size() const {
    jit_cache& c = cache();
    const detail::scoped_lock lock(c.traced);
    return c.entries.size();
  }
  /// Forgets what is compiled and gives its memory back. No other thread may be calling the function meanwhile.
  void clear_cache() const { cache().clear(); }

 private:
  jit_cache& cache() const { return cache_in(f_.cache_, "jit: got a jitted function", f_.f_, f_.options_); }

  const function& f_;
};

}  // namespace detail

}  // namespace jacquard
