#pragma once
// The compile-time lane as transforms reach it: a call with static arguments is traced, transformed and frozen by the
// compiler, and what is left to do is computed here. Deliberately found by argument-dependent lookup; see transforms/lane.

#include "jacquard/fixed/evaluate.hpp"
#include "jacquard/transforms/lane.hpp"

namespace jacquard {
namespace detail {

template <class... A>
constexpr bool belongs_to_static_lane(lane<A...>) {
  if constexpr (sizeof...(A) == 0 || !(is_static_tree<A>() && ...)) return false;
  else return (static_leaf_count<A>() + ...) != 0;
}

/// Whether a transformed function holds a value where its function should be, of which check_function has told.
template <class F>
inline constexpr bool holds_no_function = is_no_function<F>;
template <template <class, class...> class Transformed, class F, class... O>
inline constexpr bool holds_no_function<Transformed<F, O...>> = holds_no_function<F>;

template <class F>
constexpr bool check_static_callable() {
  static_assert(holds_no_function<F> || (std::is_empty_v<F> && std::is_default_constructible_v<F>),
                "jacquard: a function transformed at compile time must not capture anything; capture nothing and pass all values as "
                "arguments, or pass a jq::array (jq::asarray(x)) to trace it at run time. A plain function counts as captured, since a pointer "
                "stands for it: pass a constexpr one as [](const auto& x) { return f(x); }. So does a std::function, which only the running "
                "program knows: call what is made of it with a jq::array");
  return std::is_empty_v<F> && std::is_default_constructible_v<F>;
}

/// The result of a call that was reported as an error: converts to anything, so that no further errors follow.
struct nothing_useful {
  template <class T>
  constexpr operator T() const;
  template <class Stream>
  friend Stream& operator<<(Stream&, const nothing_useful&);
};

template <class T>
inline constexpr bool clears_parts = is_tuple<T>;
template <class A, class B>
inline constexpr bool clears_parts<std::pair<A, B>> = true;
/// A T whose numbers are yet to be written. The one return makes it in its place: a copy would read them.
template <class T>
JACQUARD_INLINE inline T unwritten_now() {
  T r;
  return r;
}
/// Becomes a result whose numbers are yet to be written. A tuple or a pair by itself makes them zero, which the compiler does not see through
/// where they are many.
struct unwritten {
  template <class T>
  JACQUARD_INLINE constexpr operator T() const {
    if constexpr (clears_parts<T>) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        return T((static_cast<void>(I), *this)...);
      }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (sizeof(T) <= 16) return T{};  // what is returned in registers is read; few zeros the compiler sees through
    else {
#ifndef __CUDACC__  // nvcc 13 takes that return for a read, and warns
      if (!std::is_constant_evaluated()) return unwritten_now<T>();
#endif
      return T{};
    }
  }
};
/// The results of a program. With its type written out: g++ 12 would copy what a function with a deduced type returns.
template <class Result, const auto& Code, class... A>
JACQUARD_INLINE constexpr Result result_of(const A&... args) {
  Result r = unwritten{}.operator Result();  // by name: a std::tuple could be made of anything
  static_run<Code>::run(std::tuple_cat(leaf_pointers(args)...), output_pointers<Code, Result>(leaf_pointers(r)));
  return r;
}
/// F{}(args...) with F traced at compile time; the result looks like `Looks`.
template <class F, class Looks, class... A>
JACQUARD_INLINE constexpr auto run_static(const A&... args) {
  using source = static_program<true, F, A...>;
  // Not by a name of its own: the reference would make the compiler look at every rule of the program's primitives.
  if constexpr (frozen_of<source>.problem != error_kind::none) return jacquard_error<message_of<source>()>{};
  else return result_of<typename looking_like<frozen_of<source>, Looks, typename source::result>::type, frozen_of<source>>(args...);
}

/// A jitted function: as elsewhere, its taps are dropped where their results are not used.
template <class F>
struct compiled_function {
  template <class... A>
  constexpr auto operator()(const A&... args) const {
    F f{};
    return call_function(f, args...);
  }
};
template <class F>
inline constexpr effect_set droppable_effects<compiled_function<F>> = tap_effect;

/// A call of a transformed function in this lane.
template <class F, class Looks, class... A>
JACQUARD_INLINE constexpr auto call_in_static_lane(lane<A...>, const F&, Looks, const A&... args) {
  if constexpr (!check_static_callable<F>()) return nothing_useful{};
  else if constexpr (std::is_same_v<Looks, compiled_result>) return run_static<compiled_function<F>, own_result>(args...);
  else return run_static<F, Looks>(args...);
}

/// make_jaxpr in this lane: the program as it was traced, in static storage.
template <class F, class... A>
constexpr auto program_in_static_lane(lane<A...>, const F&) {
  if constexpr (check_static_callable<F>()) {
    using source = static_program<false, F, A...>;
    if constexpr (frozen_of<source>.problem != error_kind::none) return jacquard_error<message_of<source>()>{};
    else return frozen_of<source>;
  } else return nothing_useful{};
}
/// The program and the tree of its results, of a function without errors; for eval_shape.
template <class F, class... A>
constexpr auto trace_in_static_lane(lane<A...>, const F&) {
  using source = static_program<false, F, A...>;
  if constexpr (frozen_of<source>.problem != error_kind::none) return jacquard_error<message_of<source>()>{};
  else return source::trace();
}

}  // namespace detail
}  // namespace jacquard
