#pragma once
// A loop over large arrays: consecutive elementwise equations of one size, fused. Within an iteration values pass in registers;
// only what is read elsewhere is stored. Arrays of floating point run on vector lanes, elementary functions included.
// Deliberately no tiling and no threads.

#include "jacquard/fixed/equation_step.hpp"
#include "jacquard/fixed/lane_error_function.hpp"
#include "jacquard/fixed/lane_hyperbolic.hpp"
#include "jacquard/fixed/lane_math.hpp"
#include "jacquard/fixed/lane_power.hpp"

namespace jacquard {
namespace detail {

/// Elements as W lanes.
template <int W>
struct lane_values {
  template <dtype T>
  using of = lanes<stored_type<T>, W>;
};

/// The loop whose last equation is Last.
template <const auto& Code, class Values, std::size_t Last>
class loop_step {
 public:
  using stores = value_stores<Code, Values>;

  JACQUARD_INLINE static constexpr void run(stores& s) { run(s, std::make_index_sequence<count>{}); }

 private:
  static constexpr std::size_t count = [] {
    std::size_t n = 0;
    for (std::uint32_t last : layout_of<Code>.loop) n += last == Last + 1 ? 1 : 0;
    return n;
  }();
  static constexpr auto members = [] {
    std::array<std::size_t, count> r{};
    std::size_t k = 0;
    for (std::size_t n = 0; n <= Last; ++n)
      if (layout_of<Code>.loop[n] == Last + 1) r[k++] = n;
    return r;
  }();
  template <std::size_t M>
  using step = equation_step<Code, Values, members[M]>;
  static constexpr std::size_t size = std::size_t(step<0>::output_type(0).elements());

  /// The member that computes an atom, or `count`.
  static constexpr std::size_t maker(atom a) {
    for (std::size_t m = 0; m < count && !a.is_literal(); ++m)
      if (Code.atoms[Code.equations[members[m]].out.first] == a) return m;
    return count;
  }

  /// Stands for a value of the same iteration.
  template <std::size_t M>
  struct made_by {};

  /// What an operand is before the loop: a pointer, one number for all elements, or a value made in the loop.
  template <std::size_t M, std::size_t K>
  JACQUARD_INLINE static constexpr auto operand(stores& s) {
    constexpr atom a = step<M>::input(K);
    if constexpr (maker(a) < count) return made_by<maker(a)>{};
    else if constexpr (is_small(Code.type_of(a))) return small_element<Code, Values, a, 0>(s);
    else if constexpr (is_uniform<Code>(a)) return uniform_element<Code, Values, a>(s);
    else return static_cast<const typename step<M>::template input_value<K>*>(large_elements<Code, Values, a.index()>(s));
  }
  template <std::size_t M, std::size_t... K>
  JACQUARD_INLINE static constexpr auto operands(stores& s, std::index_sequence<K...>) {
    return std::make_tuple(operand<M, K>(s)...);
  }
  template <std::size_t M>
  JACQUARD_INLINE static constexpr auto destination(stores& s) {
    constexpr variable v = step<M>::output(0);
    if constexpr (layout_of<Code>.where[v] == home::loop) return nullptr;
    else return large_elements<Code, Values, v>(s);
  }

  template <class X, class Made>
  JACQUARD_INLINE static constexpr decltype(auto) at(const X& x, std::size_t i, const Made&) {
    if constexpr (std::is_pointer_v<X>) return (x[i]);
    else return (x);
  }
  template <std::size_t M, class Made>
  JACQUARD_INLINE static constexpr const auto& at(const made_by<M>&, std::size_t, const Made& made) {
    return std::get<M>(made);
  }
  template <std::size_t M, class Operands, class To, class Made, std::size_t... K>
  JACQUARD_INLINE static constexpr void compute(const Operands& x, To to, Made& made, std::size_t i, std::index_sequence<K...> k) {
    std::get<M>(made) = step<M>::element(k, at(std::get<K>(x), i, made)...);
    if constexpr (std::is_pointer_v<To>) to[i] = std::get<M>(made);
  }

  template <std::size_t... M>
  JACQUARD_INLINE static constexpr void run(stores& s, std::index_sequence<M...>) {
    const auto x = std::make_tuple(operands<M>(s, std::make_index_sequence<step<M>::inputs>{})...);
    const auto to = std::make_tuple(destination<M>(s)...);
    const auto iteration = [&x, &to](std::size_t i) __attribute__((always_inline)) {
      std::tuple<typename step<M>::result...> made;
      (compute<M>(std::get<M>(x), std::get<M>(to), made, i, std::make_index_sequence<step<M>::inputs>{}), ...);
    };
    if (std::is_constant_evaluated())
      for (std::size_t i = 0; i < size; ++i) iteration(i);
    else if constexpr (has_lanes()) walk_lanes(x, to, std::index_sequence<M...>{});
    else walk(iteration);
  }
  /// Iterations are independent: they read and write element i, and no memory is used twice within a loop.
  template <class F>
  JACQUARD_INLINE static void walk(const F& iteration) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < size; ++i) iteration(i);
  }

  // On lanes.

  static constexpr int W = preferred_lanes;
  static constexpr bool is_laned(dtype t) { return t == f64 || t == f32 || t == bool_; }
  template <std::size_t M>
  static constexpr bool member_has_lanes() {
    using P = typename step<M>::P;
    bool r = is_laned(step<M>::output_type(0).type);
    for (const aval& a : step<M>::in_types) r = r && is_laned(a.type);
    return r && (requires { P::arity; } || converts<P> || (picks_one<P> && step<M>::inputs == 3 && is_boolean(step<M>::input_type(0).type)));
  }
  /// A function of one operand that is not linear: likely one that compilers do not vectorise themselves.
  template <std::size_t M>
  static constexpr bool is_function() {
    using P = typename step<M>::P;
    if constexpr (requires { P::arity; }) return P::arity == 1 && linear_mask<P>() == 0;
    else return false;
  }
  static constexpr bool has_lanes() {
#ifdef __CUDA_ARCH__
    return false;
#endif
    if constexpr (!std::is_same_v<Values, plain_values>) return false;
    else
      return []<std::size_t... M>(std::index_sequence<M...>) {
        return (member_has_lanes<M>() && ...) && (is_function<M>() || ...);
      }(std::make_index_sequence<count>{});
  }
  template <std::size_t M>
  using lane_step = equation_step<Code, lane_values<W>, members[M]>;

  /// Numbers that all elements share fill all lanes.
  template <class X>
  JACQUARD_INLINE static auto spread(const X& x) {
    if constexpr (scalar<X>) return lanes<X, W>(x);
    else return x;
  }
  template <class X, class Made>
  JACQUARD_INLINE static decltype(auto) lanes_at(const X& x, std::size_t i, const Made&) {
    if constexpr (std::is_pointer_v<X>) return load_lanes<W>(x + i);
    else return (x);
  }
  template <std::size_t M, class Made>
  JACQUARD_INLINE static const auto& lanes_at(const made_by<M>&, std::size_t, const Made& made) {
    return std::get<M>(made);
  }
  template <std::size_t M, class Operands, class To, class Made, std::size_t... K>
  JACQUARD_INLINE static void compute_lanes(const Operands& x, To to, Made& made, std::size_t i, std::index_sequence<K...> k) {
    std::get<M>(made) = lane_step<M>::element(k, lanes_at(std::get<K>(x), i, made)...);
    if constexpr (std::is_pointer_v<To>) store_lanes(std::get<M>(made), to + i);
  }
  template <class X, class To, std::size_t... M>
  JACQUARD_INLINE static void walk_lanes(const X& given, const To& to, std::index_sequence<M...>) {
    const auto spread_all = [](const auto&... x) { return std::make_tuple(spread(x)...); };
    const auto x = std::make_tuple(std::apply(spread_all, std::get<M>(given))...);
    // The last iteration may overlap the one before, and computes the same again.
    for (std::size_t i = 0; i < size; i += std::size_t(W)) {
      const std::size_t at = i + std::size_t(W) <= size ? i : size - std::size_t(W);
      std::tuple<typename lane_step<M>::result...> made;
      (compute_lanes<M>(std::get<M>(x), std::get<M>(to), made, at, std::make_index_sequence<step<M>::inputs>{}), ...);
    }
  }
};

}  // namespace detail
}  // namespace jacquard
