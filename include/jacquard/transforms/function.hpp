#pragma once
// Tracing user functions: flattens argument trees, calls the function with tracers in their place, and returns the jaxpr
// with a prototype of the result tree. All transforms start here. Deliberately knows no transform.

#include <array>

#include "jacquard/core/tree.hpp"
#include "jacquard/transforms/function_signature.hpp"
#include "jacquard/transforms/lane.hpp"
#include "jacquard/transforms/options.hpp"
#include "jacquard/transforms/structural.hpp"

namespace jacquard {

/// A traced function: its program and a tree of the shape of its result.
template <class Result>
struct traced {
  closed_jaxpr program;
  Result result;  ///< leaves are tracers of a finished trace: only the structure counts
};

namespace detail {

/// Tells the trace that a user's function is about to be called in which arguments its inputs make, for messages.
template <class T>
void note_argument(std::size_t position, const T& x) {
  std::vector<array> leaves;
  flatten_into(x, leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (trace* const t = leaves[i].as_tracer()) t->note_place(leaves[i].variable(), {position, i, leaves.size()});
}
template <class... A>
constexpr void note_arguments(const A&... x) {
  if (__builtin_is_constant_evaluated()) return;
  std::size_t n = 0;
  (note_argument(n++, x), ...);
}

template <class F, std::size_t... I, class... A>
constexpr auto call_with_leaves(F& f, view<const array> leaves, std::index_sequence<I...>, const A&... args) {
  [[maybe_unused]] const array* next = leaves.data();
  // Braced initialisation fixes the order of evaluation.
  std::tuple<rebind_t<A>...> rebuilt{rebuild_from<rebind_t<A>>(args, next)...};
  if constexpr (!(leaf<A> && ...)) note_arguments(std::get<I>(rebuilt)...);
  return call_function(f, std::get<I>(std::move(rebuilt))...);
}

/// The trace of a function: what there is to it but the function itself and the trees of its arguments and its result.
class function_trace {
 public:
  constexpr function_trace(trace::purpose why, std::string_view name, view<const aval> avals, view<const array> leaves, const axis_binding* axis)
      : scope_(why, trace_of(leaves)) {
    scope_->name = name;
    if (axis) {
      axis_ = *axis;
      if (!axis_.outer) axis_.outer = scope_->axes;
      scope_->axes = &axis_;
    }
    for (std::size_t i = 0; i < avals.size(); ++i)
      if (i < leaves.size()) inputs.push_back(scope_->input(avals[i], leaves[i]));
      else inputs.push_back(scope_->input(avals[i]));
    scope_.enter();
  }
  function_trace(const function_trace&) = delete;
  constexpr closed_jaxpr finish(const std::vector<array>& outs) {
    closed_jaxpr program = scope_->finish(outs);
    scope_.leave();
    scope_->axes = nullptr;
    return program;
  }

  std::vector<array> inputs;

 private:
  trace_scope scope_;
  axis_binding axis_;
};

}  // namespace detail

/// Traces f on variables of types `avals` (one per leaf of args...), whose values, where the purpose has them, are `leaves`.
template <class Result, class... T, class... A>
constexpr auto trace_function(const detail::function_of<Result, T...>& f, trace::purpose why, std::string_view name, view<const aval> avals,
                              view<const array> leaves, const axis_binding* axis, const A&... args) {
  detail::function_trace t(why, name, avals, leaves, axis);
  Result result = detail::call_with_leaves(f, t.inputs, std::index_sequence_for<A...>{}, args...);
  std::vector<array> outs;
  flatten_into(result, outs);
  closed_jaxpr program = t.finish(outs);
  return traced<Result>{std::move(program), std::move(result)};
}
template <class F, class... A>
constexpr auto trace_function(F& f, trace::purpose why, std::string_view name, view<const aval> avals,
                              view<const array> leaves, const axis_binding* axis, const A&... args) {
  return trace_function(detail::seen_by_signature<A...>(f).of_signature(), why, name, avals, leaves, axis, args...);
}

/// The types of the leaves. Errors: type_error for an empty array.
template <class Array = array>
constexpr std::vector<aval> avals_of(view<const lazy<Array>> leaves) {
  std::vector<aval> r;
  for (const array& x : leaves) {
    if (x.is_none() && !__builtin_is_constant_evaluated())
      raise(error_kind::type, "a transformed function got an empty jq::array as argument leaf ", r.size(), "; assign it a value first");
    r.push_back(x.aval());
  }
  return r;
}

namespace detail {

/// A tangent or cotangent leaf: zeros where it is symbolic; zeros of dtype bool (float0) where the type has no tangents.
template <class Array = array>
constexpr array instantiate(const lazy<Array>& t, const aval& primal) {
  if (!t.is_none()) return t;
  return zeros_any(is_inexact(primal.type) ? primal : aval(bool_, primal.dims));
}

/// A tree like `t` whose leaves are empty: what rebuilding needs to know of it, without its values.
template <class T>
constexpr rebind_t<T> prototype(const T& t) {
  return rebuild<rebind_t<T>>(t, std::vector<array>(leaf_count(t)));
}

/// Whether argument `i` of `count` is among the positions, which may be negative.
template <std::size_t N>
constexpr bool is_selected(const std::array<int, N>& positions, std::size_t i, std::size_t count) {
  for (int p : positions)
    if (std::size_t(p < 0 ? p + int(count) : p) == i) return true;
  return false;
}
/// Those of args... that are (or are not) at the positions, as a tuple of references.
template <auto Positions, bool Selected, class... A>
constexpr auto pick_arguments(const A&... args) {
  const std::tuple<const A&...> all(args...);
  if constexpr (Positions.size() == 0 && Selected) return std::tuple<>{};
  else return [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if constexpr (is_selected(Positions, K, sizeof...(A)) == Selected) return std::tie(std::get<K>(all));
      else return std::tuple<>{};
    };
    return std::tuple_cat(one(std::integral_constant<std::size_t, I>{})...);
  }(std::index_sequence_for<A...>{});
}
/// f of these arguments. Where there are no positions, as mostly, no tuple is made, which is most of what this costs to compile.
template <auto Positions, bool Selected, class F, class... A>
constexpr decltype(auto) call_with_picked(const F& f, const A&... args) {
  if constexpr (Positions.size() == 0 && !Selected) return f(args...);
  else return std::apply(f, pick_arguments<Positions, Selected>(args...));
}
template <std::size_t N>
constexpr bool positions_fit(const std::array<int, N>& positions, int count) {
  for (int p : positions)
    if (p >= count || p < -count) return false;
  return true;
}

/// f with its static arguments bound: a function of the dynamic ones only.
template <auto Statics, class F, class... A>
struct bound_function {
  F& f;
  std::tuple<const A&...> args;

  template <class... D>
  constexpr auto operator()(D... dynamic) const {
    std::tuple<D...> given{std::move(dynamic)...};
    return call(given, std::index_sequence_for<A...>{});
  }

 private:
  template <class Given, std::size_t... I>
  constexpr auto call(Given& given, std::index_sequence<I...>) const {
    (note<I>(given), ...);
    return call_copied(f, pick<I>(given)...);
  }
  /// Where argument I is among those that are given.
  template <std::size_t I>
  static constexpr std::size_t place() {
    std::size_t n = 0;
    for (std::size_t k = 0; k < I; ++k) n += is_selected(Statics, k, sizeof...(A)) ? 0 : 1;
    return n;
  }
  template <std::size_t I, class Given>
  constexpr decltype(auto) pick(Given& given) const {
    if constexpr (is_selected(Statics, I, sizeof...(A))) return std::get<I>(args);
    else return std::move(std::get<place<I>()>(given));
  }
  template <std::size_t I, class Given>
  constexpr void note(const Given& given) const {
    if constexpr (!is_selected(Statics, I, sizeof...(A)))
      if (!__builtin_is_constant_evaluated()) note_argument(I, std::get<place<I>()>(given));
  }
};

/// use(f by its signature, a tuple of the arguments that are static, the others...).
template <auto Statics, class F, class Use, class... A>
constexpr auto call_with_signature(const F& f, const Use& use, const A&... args) {
  if constexpr (Statics.size() == 0) return use(seen_by_signature<A...>(f).of_signature(), std::tuple<>{}, args...);
  else {
    const bound_function<Statics, const F, A...> g{f, std::tuple<const A&...>(args...)};
    return call_with_picked<Statics, false>([&]<class... D>(const D&... dynamic) {
      return use(seen_by_signature<D...>(g).of_signature(), pick_arguments<Statics, true>(args...), dynamic...);
    }, args...);
  }
}

template <class... E>
void take_tuple(const std::tuple<E...>&);
template <class T>  // a std::tuple, or what is derived from one
concept tuple_heir = requires(const T& x) { take_tuple(x); };
/// The static arguments of a function that is compiled for them.
template <class F>
inline constexpr auto static_positions = std::array<int, 0>{};
/// The function that a derivative is of, which takes the same arguments.
template <class F>
struct function_inside {
  using type = F;
};

/// The first `count` of some positions.
template <std::size_t N>
struct some_positions {
  std::array<int, N> at{};
  std::size_t count = 0;
};
template <class F, auto Positions, class... A>
constexpr some_positions<sizeof...(A)> numbers_or_static() {
  some_positions<sizeof...(A)> r;
  const bool is_number[] = {std::is_arithmetic_v<A>...};
  for (std::size_t i = 0; i < sizeof...(A); ++i)
    if ((is_number[i] || is_selected(static_positions<F>, i, sizeof...(A))) && !is_selected(Positions, i, sizeof...(A))) r.at[r.count++] = int(i);
  return r;
}
/// Positions among arguments A... of those, beside the ones at Positions, that D takes as they are: numbers, where it has no use for arrays in
/// their place, and static arguments.
template <class D, auto Positions, class... A>
constexpr auto kept_as_given() {
  using F = typename function_inside<D>::type;
  if constexpr (static_positions<F>.size() == 0 && !(std::is_arithmetic_v<A> || ...)) return std::array<int, 0>{};
  else {
    constexpr some_positions<sizeof...(A)> kept = numbers_or_static<F, Positions, A...>();
    constexpr bool takes_arrays = [] {  // asked only where it does not lead to errors
      if constexpr (kept.count == 0) return true;
      else if constexpr (static_positions<F>.size() != 0) return false;
      else return std::is_invocable_v<F&, rebind_t<A>...>;
    }();
    if constexpr (takes_arrays) return std::array<int, 0>{};
    else {
      std::array<int, kept.count> r{};
      for (std::size_t i = 0; i < kept.count; ++i) r[i] = kept.at[i];
      return r;
    }
  }
}
/// The positions among those of `count` arguments that are left when the ones at Bound are gone.
template <std::size_t N, std::size_t M>
constexpr std::array<int, N> positions_without(const std::array<int, M>& bound, std::array<int, N> positions, int count) {
  for (int& p : positions) {
    if (p < 0) p += count;
    const int at = p;
    for (int b : bound) p -= b < at;
  }
  return positions;
}

/// Stands for an argument that a bound function is given later.
struct later {};
/// f with static arguments bound that are types alone, as std::integral_constant or a lambda that captures nothing: as stateless as f.
template <auto Statics, class F, class... A>
struct function_of_types {
  [[no_unique_address]] F f;
  template <class... D>
  constexpr auto operator()(D... dynamic) const {
    return bound(std::index_sequence_for<A...>{}, std::move(dynamic)...);
  }

 private:
  template <std::size_t... I, class... D>
  constexpr auto bound(std::index_sequence<I...>, D... dynamic) const {
    const std::tuple<std::conditional_t<is_selected(Statics, I, sizeof...(A)), A, later>...> types{};
    F g = f;
    return bound_function<Statics, F, std::conditional_t<is_selected(Statics, I, sizeof...(A)), A, later>...>{g, types}(std::move(dynamic)...);
  }
};
template <class... D>
constexpr bool is_static_rest(std::type_identity<std::tuple<const D&...>>) {
  return is_static_call<D...>();
}
/// Whether a call without its static arguments is of the compile-time lane, and these are types alone.
template <auto Statics, class... A>
constexpr bool binds_types() {
  if constexpr (Statics.size() == 0) return false;
  else if constexpr (![]<std::size_t... I>(std::index_sequence<I...>) {
                       return ((!is_selected(Statics, I, sizeof...(A)) || (std::is_empty_v<A> && std::is_default_constructible_v<A>)) && ...);
                     }(std::index_sequence_for<A...>{})) return false;
  else return is_static_rest(std::type_identity<decltype(pick_arguments<Statics, false>(std::declval<const A&>()...))>{});
}

}  // namespace detail
}  // namespace jacquard
