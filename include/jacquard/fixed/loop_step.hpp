#pragma once
// A loop over large arrays: consecutive elementwise equations of one size and reductions to one number, fused. Within an iteration
// values pass in registers; only what is read elsewhere is stored. Arrays of floating point run on vector lanes, elementary functions
// included, and reductions have one partial result per lane. Deliberately no tiling and no threads.

#include "jacquard/fixed/equation_step.hpp"
#include "jacquard/fixed/lane_error_function.hpp"
#include "jacquard/fixed/lane_hyperbolic.hpp"
#include "jacquard/fixed/lane_math.hpp"
#include "jacquard/fixed/lane_memory.hpp"
#include "jacquard/fixed/lane_power.hpp"
#include "jacquard/fixed/lane_shuffles.hpp"

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
  template <std::size_t M>
  static constexpr bool reduces = requires { step<M>::P::is_reduction; };
  static constexpr std::size_t size = std::size_t((reduces<0> ? step<0>::input_type(0) : step<0>::output_type(0)).elements());
  static constexpr bool any_reduction = []<std::size_t... M>(std::index_sequence<M...>) {
    return (reduces<M> || ...);
  }(std::make_index_sequence<count>{});

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
    else if constexpr (is_small<Code>(a)) return small_element<Code, Values, a, 0>(s);
    else if constexpr (is_uniform<Code>(a)) return uniform_element<Code, Values, a>(s);
    else return static_cast<const typename step<M>::template input_value<K>*>(large_elements<Code, Values, a.index()>(s));
  }
  template <std::size_t M, std::size_t... K>
  JACQUARD_INLINE static constexpr auto operands(stores& s, std::index_sequence<K...>) {
    return packed(operand<M, K>(s)...);
  }
  template <std::size_t M>
  JACQUARD_INLINE static constexpr auto destination(stores& s) {
    constexpr variable v = step<M>::output(0);
    if constexpr (reduces<M> || layout_of<Code>.where[v] == home::loop) return nullptr;
    else return large_elements<Code, Values, v>(s);
  }

  template <class X, class Made>
  JACQUARD_INLINE static constexpr decltype(auto) at(const X& x, std::size_t i, const Made&) {
    if constexpr (std::is_pointer_v<X>) return (x[i]);
    else return (x);
  }
  template <std::size_t M, class Made>
  JACQUARD_INLINE static constexpr const auto& at(const made_by<M>&, std::size_t, const Made& made) {
    return get<M>(made);
  }
  /// Member M in iteration i; of a reduction, its operand.
  template <std::size_t M, class Operands, class To, class Made, std::size_t... K>
  JACQUARD_INLINE static constexpr void compute(const Operands& x, To to, Made& made, std::size_t i, std::index_sequence<K...> k) {
    if constexpr (reduces<M>) get<M>(made) = at(get<0>(x), i, made);
    else get<M>(made) = step<M>::element(k, at(get<K>(x), i, made)...);
    if constexpr (std::is_pointer_v<To>) to[i] = get<M>(made);
  }

  // Reductions: by member, what is combined so far. Members that do not reduce have no use for theirs.

  template <std::size_t M, class T, class X>
  JACQUARD_INLINE static constexpr void combine(T& total, const X& x) {
    if constexpr (reduces<M>) {
      constexpr arithmetic what = combination_of<typename step<M>::P>();
      total = computed(what, total, x);
    }
  }
  template <std::size_t M>
  static constexpr dtype total_type = reduces<M> ? step<M>::output_type(0).type : f64;
  template <std::size_t M>
  using total = stored_type<total_type<M>>;
  template <std::size_t M>
  static constexpr total<M> neutral() {
    if constexpr (reduces<M>) return step<M>::P::reduce_by(total_type<M>, step<M>::params()).initial.template get<total<M>>();
    else return 0;
  }
  template <std::size_t M, class T>
  JACQUARD_INLINE static constexpr void finish(stores& s, const T& total) {
    if constexpr (reduces<M>) small_element<Code, Values, atom::of_variable(step<M>::output(0)), 0>(s) = total;
  }

  template <std::size_t... M>
  JACQUARD_INLINE static constexpr void run(stores& s, std::index_sequence<M...>) {
    const auto x = packed(operands<M>(s, std::make_index_sequence<step<M>::inputs>{})...);
    const auto to = packed(destination<M>(s)...);
    [[maybe_unused]] auto totals = packed(typename Values::template of<total_type<M>>(neutral<M>())...);
    const auto iteration = [&x, &to, &totals](std::size_t i) __attribute__((always_inline)) {
      pack<typename step<M>::result...> made;
      (compute<M>(get<M>(x), get<M>(to), made, i, std::make_index_sequence<step<M>::inputs>{}), ...);
      if constexpr (any_reduction) (combine<M>(get<M>(totals), get<M>(made)), ...);
      else static_cast<void>(totals);  // clang warns of captures that are not used
    };
    if (std::is_constant_evaluated())
      for (std::size_t i = 0; i < size; ++i) iteration(i);
    else if constexpr (has_lanes()) walk_lanes(x, to, totals, std::index_sequence<M...>{});
    else if constexpr (any_reduction)
      for (std::size_t i = 0; i < size; ++i) iteration(i);
    else walk(iteration);
    (finish<M>(s, get<M>(totals)), ...);
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

  static constexpr int W = lanes_for(std::int64_t(size), number_type_of<Code>);
  /// A function of one operand that is not linear: likely one that compilers do not vectorise themselves.
  template <std::size_t M>
  static constexpr bool is_function() {
    using P = typename step<M>::P;
    if constexpr (requires { P::arity; }) return P::arity == 1 && linear_mask<P>() == 0;
    else return false;
  }
  /// Compilers vectorise neither sums nor what becomes of comparisons.
  template <std::size_t M>
  static constexpr bool gains_by_lanes() {
    return reduces<M> || is_function<M>() || is_boolean(step<M>::output_type(0).type);
  }
  static constexpr bool has_lanes() {
#ifdef __CUDA_ARCH__
    return false;
#endif
    if constexpr (!std::is_same_v<Values, plain_values>) return false;
    else
      return []<std::size_t... M>(std::index_sequence<M...>) {
        return (runs_on_lanes(program_view_of<Code>, members[M]) && ...) && (gains_by_lanes<M>() || ...);
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
    return get<M>(made);
  }
  template <std::size_t M, class Operands, class To, class Made, std::size_t... K>
  JACQUARD_INLINE static void compute_lanes(const Operands& x, To to, Made& made, std::size_t i, std::index_sequence<K...> k) {
    if constexpr (reduces<M>) get<M>(made) = lanes_at(get<0>(x), i, made);
    else get<M>(made) = lane_step<M>::element(k, lanes_at(get<K>(x), i, made)...);
    if constexpr (std::is_pointer_v<To>) store_lanes(get<M>(made), to + i);
  }
  template <std::size_t M>
  using row = lanes<total<M>, W>;
  /// So many are written one after the other, without a loop that would wait for what it keeps in registers.
  static constexpr std::size_t few_blocks = 8;
  /// Partial results side by side: one would wait for itself. Elementary functions take longer than that.
  static constexpr std::size_t ways = []<std::size_t... M>(std::index_sequence<M...>) {
    return !any_reduction || size < 4 * std::size_t(W) ? 1 : (is_function<M>() || ...) ? 2 : 4;
  }(std::make_index_sequence<count>{});

  template <class X, std::size_t... K>
  JACQUARD_INLINE static auto spread_all(const X& x, std::index_sequence<K...>) {
    return packed(spread(get<K>(x))...);
  }
  template <class X, class To, class Totals, std::size_t... M>
  JACQUARD_INLINE static void walk_lanes(const X& given, const To& to, Totals& totals, std::index_sequence<M...>) {
    constexpr std::size_t w = std::size_t(W);
    const auto x = packed(spread_all(get<M>(given), std::make_index_sequence<step<M>::inputs>{})...);
    using block = pack<typename lane_step<M>::result...>;
    const auto compute_block = [&x, &to](std::size_t i) __attribute__((always_inline)) {
      block made;
      (compute_lanes<M>(get<M>(x), get<M>(to), made, i, std::make_index_sequence<step<M>::inputs>{}), ...);
      return made;
    };
    if constexpr (!any_reduction) {
      // The last iteration may overlap the one before, and computes the same again.
      constexpr std::size_t blocks = (size + w - 1) / w;
      const auto compute = [&compute_block](std::size_t b) __attribute__((always_inline)) { compute_block(b * w + w <= size ? b * w : size - w); };
      if constexpr (blocks <= few_blocks)
        [&]<std::size_t... B>(std::index_sequence<B...>) __attribute__((always_inline)) { (compute(B), ...); }(std::make_index_sequence<blocks>{});
      else
        for (std::size_t b = 0; b < blocks; ++b) compute(b);
    } else {
      pack<std::array<row<M>, ways>...> partial;
      ((get<M>(partial).fill(row<M>(neutral<M>()))), ...);
      const auto combine_block = [&partial](std::size_t way, const block& made) __attribute__((always_inline)) {
        (combine<M>(get<M>(partial)[way], get<M>(made)), ...);
      };
      std::size_t i = 0;
      for (; i + ways * w <= size; i += ways * w)
        for (std::size_t way = 0; way < ways; ++way) combine_block(way, compute_block(i + way * w));
      for (; i + w <= size; i += w) combine_block(0, compute_block(i));
      (gather<M>(get<M>(totals), get<M>(partial)), ...);
      if constexpr (size % w != 0) {  // what the last, overlapping block has new
        const block made = compute_block(size - w);
        (gather_last<M>(get<M>(totals), get<M>(made)), ...);
      }
    }
  }
  /// Halves are combined with halves.
  template <std::size_t M, int N>
  JACQUARD_INLINE static total<M> fold(const lanes<total<M>, N>& x) {
    constexpr auto half = std::make_integer_sequence<int, N / 2>{};
    if constexpr (N == 1) return x[0];
    else if constexpr (N == 2) {
      total<M> r = x[0];
      combine<M>(r, x[1]);
      return r;
    } else {
      lanes<total<M>, N / 2> r = lanes_from<0>(x, x, half);
      combine<M>(r, lanes_from<N / 2>(x, x, half));
      return fold<M>(r);
    }
  }
  template <std::size_t M>
  JACQUARD_INLINE static void gather(total<M>& all, const std::array<row<M>, ways>& partial) {
    if constexpr (reduces<M>) {
      row<M> r = partial[0];
      for (std::size_t way = 1; way < ways; ++way) combine<M>(r, partial[way]);
      all = fold<M>(r);
    }
  }
  template <std::size_t M, class T>
  JACQUARD_INLINE static void gather_last(total<M>& all, const T& made) {
    if constexpr (reduces<M>)
      for (int l = W - int(size % std::size_t(W)); l < W; ++l) combine<M>(all, made[l]);
  }
};

}  // namespace detail
}  // namespace jacquard
