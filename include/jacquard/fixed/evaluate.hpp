#pragma once
// Running a frozen program: arguments into the value stores, every step of its layout once, results out. One template instance per
// kind of step, called with constants; without a heap and without dispatch. Deliberately no choice of lane: fixed/lane decides what
// runs here.

#include "jacquard/fixed/element_stores.hpp"
#include "jacquard/fixed/loop_step.hpp"

namespace jacquard {
namespace detail {

/// Steps of one function. Where there are several, all values of a run go through memory, which takes twice the time; much larger functions
/// cost the compiler more than their length.
inline constexpr std::size_t block_size = 4096;
/// So many are one expression: compilers take much longer for one that is as long as a program.
inline constexpr std::size_t few_steps = 16;

/// In place of room for numbers that are stored where they belong. Of no program, so that all have the same one.
struct no_room {};

template <const auto& Code, class Values = plain_values>
class static_run {
 public:
  /// Computes `out` from `in`, two packs or tuples of pointers to elements.
  template <class In, class Out>
  JACQUARD_INLINE static constexpr void run(const In& in, const Out& out) {
    stores s;
    constexpr frozen_program p = Code.programs[0];
    static_assert(p.captured == 0, "jacquard: a function with static arguments used a jq::array from outside; pass it as an argument");
    constexpr auto inputs = std::make_index_sequence<p.inputs.count>{};
    constexpr auto outputs = std::make_index_sequence<p.outputs.count>{};
    auto in_rooms = rooms_of<true>(in, inputs);
    auto out_rooms = rooms_of<false>(out, outputs);
    take_results(s, out, out_rooms, outputs);
    if constexpr (step_count > block_size) {
      load_all<0>(s, in, in_rooms, inputs);
      run_blocks(s, std::make_index_sequence<(step_count + block_size - 1) / block_size>{});
    } else if constexpr (stretches == 1) {  // nothing more than that: compilers inline small functions by what they look like at first
      load_all<0>(s, in, in_rooms, inputs);
      run_steps<0>(s, std::make_index_sequence<step_count>{});
    } else run_stretches(s, in, in_rooms, inputs, std::make_index_sequence<stretches>{});
    write_all(s, out, outputs);
  }

 private:
  using stores = value_stores<Code, Values>;

  // Numbers of types that stand for one of ours, as std::complex does, are converted on the way; large arrays of them need room.

  template <bool Input, std::size_t K, class T>
  static constexpr auto room_for(T*) {
    constexpr frozen_program p = Code.programs[0];
    constexpr atom a = Code.atoms[(Input ? p.inputs : p.outputs).first + K];
    using element = typename Values::template of<Code.type_of(a).type>;
    if constexpr (std::is_same_v<std::remove_const_t<T>, element> || is_small<Code>(a)) return no_room{};
    else if constexpr (!Input && (layout_of<Code>.where[a.index()] != home::result || layout_of<Code>.first[a.index()] != K)) return no_room{};
    else return std::array<element, std::size_t(Code.type_of(a).elements())>{};
  }
  template <bool Input, class Pointers, std::size_t... K>
  JACQUARD_INLINE static constexpr auto rooms_of(const Pointers& x, std::index_sequence<K...>) {
    return pack<decltype(room_for<Input, K>(get<K>(x)))...>{};
  }
  template <class Out, class Rooms, std::size_t... K>
  JACQUARD_INLINE static constexpr void take_results(stores& s, const Out& out, Rooms& rooms, std::index_sequence<K...>) {
    (take_result<K>(s, get<K>(out), get<K>(rooms)), ...);
  }
  template <std::size_t Stretch, class In, class Rooms, std::size_t... K>
  JACQUARD_INLINE static constexpr void load_all(stores& s, const In& in, Rooms& rooms, std::index_sequence<K...>) {
    (load<K, Stretch>(s, get<K>(in), get<K>(rooms)), ...);
  }
  template <class Out, std::size_t... K>
  JACQUARD_INLINE static constexpr void write_all(stores& s, const Out& out, std::index_sequence<K...>) {
    (write<K>(s, get<K>(out)), ...);
  }
  /// Results may differ in type from outputs, as gradients of integers do; these are constants.
  template <std::size_t K, class T, class Room>
  JACQUARD_INLINE static constexpr void take_result(stores& s, T* x, Room& room) {
    if constexpr (is_small<Code>(Code.atoms[Code.programs[0].outputs.first + K])) return;  // its address would keep it out of registers
    else if constexpr (!std::is_same_v<Room, no_room>) get<K>(s.results) = room.data();
    else if constexpr (std::is_same_v<T*, std::remove_reference_t<decltype(get<K>(s.results))>>) get<K>(s.results) = x;
  }
  template <std::size_t K, std::size_t Stretch, class T, class Room>
  JACQUARD_INLINE static constexpr void load(stores& s, const T* x, Room& room) {
    constexpr variable v = Code.atoms[Code.programs[0].inputs.first + K].index();
    constexpr std::size_t n = std::size_t(Code.type_of_variable(v).elements());
    if constexpr (Stretch != 0) static_cast<void>(room);
    else if constexpr (!std::is_same_v<Room, no_room>) {
      for (std::size_t i = 0; i < n; ++i) room[i] = as_value<typename Room::value_type>(x[i]);
      get<K>(s.arguments) = room.data();
    } else if constexpr (std::is_convertible_v<const T*, std::remove_reference_t<decltype(get<K>(s.arguments))>>) get<K>(s.arguments) = x;
    if constexpr (is_small<Code>(atom::of_variable(v))) {
      auto& slots = store_of<Code, Values, Code.type_of_variable(v).type>(s).slots;
      constexpr std::uint32_t first = n == 0 ? 0 : layout_of<Code>.elements[layout_of<Code>.first[v]];
      [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) {
        if constexpr (stretches == 1) ((slots[first + J] = as_value<std::remove_cvref_t<decltype(slots[0])>>(x[J])), ...);
        else ((arrives(v, J, Stretch) ? void(slots[first + J] = as_value<std::remove_cvref_t<decltype(slots[0])>>(x[J])) : void()), ...);
      }(std::make_index_sequence<n>{});
    }
  }
  /// Whether constants end a row that begins with a number: that one is hidden.
  static consteval bool ends_in_constants(const std::array<std::uint32_t, 4>& codes) { return (codes[2] & codes[3] & ~codes[0] & atom::literal_bit) != 0; }
  template <bool Hidden, class T>
  JACQUARD_INLINE static T row_element(T x) {
    if constexpr (Hidden) return hidden(x);
    else return x;
  }
  template <std::size_t At, dtype From, std::size_t... K, class T>
  JACQUARD_INLINE static constexpr void write_elements(stores& s, T* x, std::index_sequence<K...>) {
#ifndef __CUDA_ARCH__
    if constexpr (sizeof...(K) > 1)
      if (!std::is_constant_evaluated()) {
        using row = lanes<T, int(sizeof...(K))>;
        constexpr bool ends = sizeof...(K) == 4 && ends_in_constants({code_at(At + K)...});
        return store_lanes(row(typename row::vector{row_element<K == 0 && ends>(as_value<T>(coded_element<Code, Values, From>(s, code_at(At + K))))...}), x);
      }
#endif
    ((x[K] = as_value<T>(coded_element<Code, Values, From>(s, code_at(At + K)))), ...);
  }
  template <std::size_t K, class T>
  JACQUARD_INLINE static constexpr void write(stores& s, T* x) {
    constexpr atom a = Code.atoms[Code.programs[0].outputs.first + K];
    constexpr std::size_t n = std::size_t(Code.type_of(a).elements());
    if constexpr (is_small<Code>(a) && !a.is_literal())
      [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) {
        constexpr std::uint32_t first = layout_of<Code>.first[a.index()];
        constexpr dtype from = Code.type_of(a).type;
        if constexpr (std::is_floating_point_v<T>)
          (write_elements<first + J, from>(s, x + J, std::make_index_sequence<stored_together<Code, first, n, from, T>[J]>{}), ...);
        else (write_elements<first + J, from>(s, x + J, std::make_index_sequence<1>{}), ...);
      }(std::make_index_sequence<n>{});
    else if constexpr (a.is_literal()) x[0] = as_value<T>(small_element<Code, Values, a, 0>(s));
    else if constexpr (is_uniform<Code>(a))
      for (std::size_t i = 0; i < n; ++i) x[i] = as_value<T>(uniform_element<Code, Values, a>(s));
    else if constexpr (layout_of<Code>.where[a.index()] != home::result || layout_of<Code>.first[a.index()] != K ||
                       !std::is_same_v<T*, std::remove_reference_t<decltype(get<K>(s.results))>>)
      for (std::size_t i = 0; i < n; ++i) x[i] = large_elements<Code, Values, a.index()>(s)[i];
  }

  static constexpr std::size_t step_count = layout_of<Code>.used.steps;

  // Whole equations, which may be calls, end stretches of steps. An element of an argument is loaded in the first stretch that reads it: it
  // would have to be saved over the calls before.

  static constexpr bool ends_stretch(std::size_t n) { return (layout_of<Code>.steps[n].kind & run_step::whole) != 0; }
  static constexpr std::size_t stretches = [] {
    std::size_t r = 1;
    for (std::size_t n = 0; n < step_count && r < most_stretches; ++n) r += ends_stretch(n) ? 1 : 0;
    return r;
  }();
  /// The step before which each of them begins, and the number of all steps.
  static constexpr auto stretch_begins = [] {
    std::array<std::size_t, stretches + 1> r{};
    for (std::size_t n = 0, k = 1; n < step_count && k < stretches; ++n)
      if (ends_stretch(n)) r[k++] = n + 1;
    r[stretches] = step_count;
    return r;
  }();
  static consteval bool arrives(variable v, std::size_t element, std::size_t stretch) {
    const std::size_t first = layout_of<Code>.arrivals[layout_of<Code>.first[v] + element];
    return stretch == (step_count > block_size ? 0 : first < stretches ? first : stretches - 1);
  }
  template <class In, class Rooms, class Inputs, std::size_t... S>
  JACQUARD_INLINE static constexpr void run_stretches(stores& s, const In& in, Rooms& rooms, Inputs inputs, std::index_sequence<S...>) {
    (run_stretch<S>(s, in, rooms, inputs), ...);
  }
  template <std::size_t S, class In, class Rooms, class Inputs>
  JACQUARD_INLINE static constexpr void run_stretch(stores& s, const In& in, Rooms& rooms, Inputs inputs) {
    load_all<S>(s, in, rooms, inputs);
    run_steps<stretch_begins[S]>(s, std::make_index_sequence<stretch_begins[S + 1] - stretch_begins[S]>{});
  }
  template <std::size_t... B>
  JACQUARD_INLINE static constexpr void run_blocks(stores& s, std::index_sequence<B...>) {
    (run_block<B>(s), ...);
  }
  template <std::size_t B>
  static constexpr void run_block(stores& s) {
    constexpr std::size_t first = B * block_size, rest = step_count - first;
    run_steps<first>(s, std::make_index_sequence<(rest < block_size ? rest : block_size)>{});
  }
  template <std::size_t First, std::size_t... I>
  JACQUARD_INLINE static constexpr void run_steps(stores& s, std::index_sequence<I...> all) {
    if constexpr (sizeof...(I) > few_steps)
      run_parts<First, sizeof...(I)>(s, std::make_index_sequence<(sizeof...(I) + few_steps - 1) / few_steps>{});
    else run_few<First>(s, all);
  }
  template <std::size_t First, std::size_t Count, std::size_t... P>
  JACQUARD_INLINE static constexpr void run_parts(stores& s, std::index_sequence<P...>) {
    (run_few<First + P * few_steps>(s, std::make_index_sequence<(Count - P * few_steps < few_steps ? Count - P * few_steps : few_steps)>{}), ...);
  }
  template <std::size_t First, std::size_t... I>
  JACQUARD_INLINE static constexpr void run_few(stores& s, std::index_sequence<I...>) {
    (run<step_kind(First + I), step_constants(First + I)>(s, step_at(First + I)), ...);
  }
  // By value: device code cannot refer to the layout, which is an object of the host.
  static consteval std::uint32_t code_at(std::size_t n) { return layout_of<Code>.elements[n]; }
  static consteval run_step step_at(std::size_t n) { return layout_of<Code>.steps[n]; }
  static constexpr std::uint32_t step_kind(std::size_t n) { return layout_of<Code>.steps[n].kind; }
  /// Bit k: operand k is a constant.
  static constexpr std::uint32_t step_constants(std::size_t n) {
    const run_step& s = layout_of<Code>.steps[n];
    return (s.in[0] >> 31) | (s.in[1] >> 31) << 1 | (s.in[2] >> 31) << 2;
  }

  template <std::uint32_t Kind, std::uint32_t Constants>
  JACQUARD_INLINE static constexpr void run(stores& s, const run_step& step) {
    if constexpr ((Kind & run_step::whole) != 0) {
      constexpr std::size_t n = Kind & ~run_step::whole;
      if constexpr (layout_of<Code>.loop[n] == n + 1) loop_step<Code, Values, n>::run(s);
      else equation_step<Code, Values, n>::run(s);
    } else if constexpr ((Kind & run_step::group) != 0) {
      constexpr step_group g = layout_of<Code>.groups[Kind & ~run_step::group];
      if constexpr ((g.kind & run_step::plain_arithmetic) != 0) run_row<arithmetic(g.kind & ~run_step::plain_arithmetic), g.first>(s, std::make_index_sequence<g.count>{});
      else run_group<g.kind, g.first>(s, std::make_index_sequence<g.count>{});
    } else if constexpr ((Kind & run_step::plain_arithmetic) != 0) {
      store_of<Code, Values, number_type_of<Code>>(s).slots[step.out] = computed<arithmetic(Kind & ~run_step::plain_arithmetic)>(
          operand<number_type_of<Code>, bit(Constants, 0)>(s, step.in[0]), operand<number_type_of<Code>, bit(Constants, 1)>(s, step.in[1]));
    } else run_element<Kind, Constants>(s, step, std::make_index_sequence<Code.equations[Kind].in.count>{});
  }
  template <std::uint32_t Kind, std::uint32_t Constants, std::size_t... K>
  JACQUARD_INLINE static constexpr void run_element(stores& s, const run_step& step, std::index_sequence<K...> k) {
    using shape = equation_step<Code, Values, Kind>;
    store_of<Code, Values, shape::output_type(0).type>(s).slots[step.out] =
        shape::element(k, operand<shape::input_type(K).type, bit(Constants, K)>(s, step.in[K])...);
  }
  static consteval run_step grouped_step(std::size_t n) { return layout_of<Code>.grouped[n]; }
  /// Independent operations on plain numbers at once.
  template <arithmetic What, std::uint32_t First, std::size_t... K>
  JACQUARD_INLINE static constexpr void run_row(stores& s, std::index_sequence<K...>) {
    const auto number = [&s](std::uint32_t code) __attribute__((always_inline)) { return coded_element<Code, Values, number_type_of<Code>>(s, code); };
    auto& slots = store_of<Code, Values, number_type_of<Code>>(s).slots;
#ifndef __CUDA_ARCH__
    if constexpr (std::is_same_v<Values, plain_values>)
      if (!std::is_constant_evaluated()) {
        using row = typename lanes<number_of<Code>, int(sizeof...(K))>::vector;
        constexpr bool ends_x = sizeof...(K) == 4 && ends_in_constants({grouped_step(First + K).in[0]...});
        constexpr bool ends_y = sizeof...(K) == 4 && ends_in_constants({grouped_step(First + K).in[1]...});
        const row x = {row_element<K == 0 && ends_x>(number(grouped_step(First + K).in[0]))...},
                  y = {row_element<K == 0 && ends_y>(number(grouped_step(First + K).in[1]))...};
        row q;
        if constexpr (What == arithmetic::divide) q = x / y;
        else if constexpr (What == arithmetic::add) q = x + y;
        else if constexpr (What == arithmetic::subtract) q = x - y;
        else if constexpr (What == arithmetic::negate) q = -x;
        else q = x * y;
        ((slots[grouped_step(First + K).out] = q[K]), ...);
        return;
      }
#endif
    ((slots[grouped_step(First + K).out] = computed<What>(number(grouped_step(First + K).in[0]), number(grouped_step(First + K).in[1]))), ...);
  }
  /// Steps that do the same to independent numbers: on lanes, unless these are taken or fewer than pay are left.
  template <std::uint32_t Kind, std::uint32_t First, std::size_t... K>
  JACQUARD_INLINE static constexpr void run_group(stores& s, std::index_sequence<K...>) {
    constexpr std::size_t w = sizeof...(K) > preferred_lanes ? lanes_of<Code> : preferred_lanes, rest = sizeof...(K) % w, laned = sizeof...(K) - (rest < least_group ? rest : 0);
#ifndef __CUDA_ARCH__
    if constexpr (std::is_same_v<Values, plain_values>)
      if (!std::is_constant_evaluated()) {
        [&]<std::size_t... B>(std::index_sequence<B...>) __attribute__((always_inline)) {
          (run_lanes<Kind, int(w), First + B * w>(s, std::make_index_sequence<(laned - B * w < w ? laned - B * w : w)>{}), ...);
        }(std::make_index_sequence<(laned + w - 1) / w>{});
        [&]<std::size_t... R>(std::index_sequence<R...>) __attribute__((always_inline)) {
          (run_element<Kind, 0>(s, grouped_step(First + laned + R), std::index_sequence<0>{}), ...);
        }(std::make_index_sequence<sizeof...(K) - laned>{});
        return;
      }
#endif
    (run_element<Kind, 0>(s, grouped_step(First + K), std::index_sequence<0>{}), ...);
  }
  template <std::uint32_t Kind, int W, std::uint32_t First, std::size_t... K>
  JACQUARD_INLINE static void run_lanes(stores& s, std::index_sequence<K...>) {
    using row = lanes<number_of<Code>, W>;
    using step = equation_step<Code, lane_values<W>, Kind>;
    auto& slots = store_of<Code, Values, number_type_of<Code>>(s).slots;
    constexpr std::size_t last = sizeof...(K) - 1;  // fills the lanes that are left
    const row x = [&]<std::size_t... L>(std::index_sequence<L...>) __attribute__((always_inline)) {
      return row(typename row::vector{slots[grouped_step(First + (L < last ? L : last)).in[0]]...});
    }(std::make_index_sequence<std::size_t(W)>{});
    const row y = step::element(std::index_sequence<0>{}, x);
    ((slots[grouped_step(First + K).out] = y[int(K)]), ...);
  }
  template <dtype T, bool Constant>
  JACQUARD_INLINE static constexpr decltype(auto) operand(stores& s, std::uint32_t code) {
    if constexpr (Constant) return constant_element<Code, Values, T>(code);
    else return (std::as_const(store_of<Code, Values, T>(s).slots[code]));
  }
};

}  // namespace detail
}  // namespace jacquard
