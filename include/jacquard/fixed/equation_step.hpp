#pragma once
// One equation of a frozen program as straight C++: an elementwise primitive applied to each element, any other one by its
// kernel on arrays of constant shape. Narrow types compute in wider ones exactly as the interpreter's do. Deliberately names
// no primitive: the type behind the equation says what it offers.

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/fixed/layout.hpp"
#include "jacquard/fixed/recorded_kernel.hpp"
#include "jacquard/fixed/reduction_step.hpp"
#include "jacquard/fixed/static_result.hpp"

namespace jacquard {
namespace detail {

/// The values of one dtype during a run.
template <class T, std::size_t Slots, std::size_t Memory>
struct value_store {
  std::array<T, Slots> slots;
  std::array<T, Memory> memory;
};

template <const auto& Code, class Values, bool Inputs, std::size_t... K>
constexpr auto make_leaf_tuple(std::index_sequence<K...>) {
  constexpr pool_range r = Inputs ? Code.programs[0].inputs : Code.programs[0].outputs;
  if constexpr (Inputs) return std::tuple<const typename Values::template of<Code.type_of(Code.atoms[r.first + K]).type>*...>();
  else return std::tuple<typename Values::template of<Code.type_of(Code.atoms[r.first + K]).type>*...>();
}
/// Pointers to the elements of all inputs or outputs.
template <const auto& Code, class Values, bool Inputs>
using leaf_tuple = decltype(make_leaf_tuple<Code, Values, Inputs>(
    std::make_index_sequence<(Inputs ? Code.programs[0].inputs : Code.programs[0].outputs).count>{}));

/// All values of a run, by dtype. `Values` maps a dtype to the C++ type of an element.
template <const auto& Code, class Values, class = std::make_index_sequence<std::size_t(dtype_count)>>
struct value_stores;
template <const auto& Code, class Values, std::size_t... T>
struct value_stores<Code, Values, std::index_sequence<T...>>
    : value_store<typename Values::template of<dtype(T)>, layout_of<Code>.slots[T], layout_of<Code>.memory[T]>... {
  leaf_tuple<Code, Values, true> arguments;
  leaf_tuple<Code, Values, false> results;
};

/// Elements as plain numbers.
struct plain_values {
  template <dtype T>
  using of = stored_type<T>;
};

template <const auto& Code, class Values, dtype T>
JACQUARD_INLINE constexpr auto& store_of(value_stores<Code, Values>& s) {
  constexpr auto t = std::size_t(T);
  return static_cast<value_store<typename Values::template of<T>, layout_of<Code>.slots[t], layout_of<Code>.memory[t]>&>(s);
}

/// Element J of a small atom.
template <const auto& Code, class Values, atom A, std::size_t J>
JACQUARD_INLINE constexpr decltype(auto) small_element(value_stores<Code, Values>& s) {
  constexpr dtype t = Code.type_of(A).type;
  if constexpr (A.is_literal()) {
    constexpr auto value = Code.literals[A.index()].template get<stored_type<t>>();
    return typename Values::template of<t>(value);
  } else {
    constexpr atom at = layout_of<Code>.elements[layout_of<Code>.first[A.index()] + J];
    if constexpr (at.is_literal()) {
      constexpr auto value = layout_of<Code>.constants[at.index()].template get<stored_type<t>>();
      return typename Values::template of<t>(value);
    } else return (store_of<Code, Values, t>(s).slots[at.index()]);
  }
}
/// The elements of a large variable that is not uniform.
template <const auto& Code, class Values, variable V>
JACQUARD_INLINE constexpr auto* large_elements(value_stores<Code, Values>& s) {
  constexpr home where = layout_of<Code>.where[V];
  constexpr std::size_t first = layout_of<Code>.first[V], offset = layout_of<Code>.offset[V];
  if constexpr (where == home::argument) return std::get<first>(s.arguments) + offset;
  else if constexpr (where == home::result) return std::get<first>(s.results) + offset;
  else return store_of<Code, Values, Code.type_of_variable(V).type>(s).memory.data() + first + offset;
}
template <const auto& Code>
constexpr bool is_uniform(atom a) {
  return !a.is_literal() && !is_small(Code.type_of_variable(a.index())) && layout_of<Code>.where[a.index()] == home::uniform;
}
/// The only value of a uniform variable.
template <const auto& Code, class Values, atom A>
JACQUARD_INLINE constexpr auto uniform_element(value_stores<Code, Values>& s) {
  return small_element<Code, Values, atom{layout_of<Code>.first[A.index()]}, 0>(s);
}

/// The type in which values of a type are computed with.
template <class T>
struct compute_type {
  using type = stored_type<storage_of(compute_of(dtype_of<T>()))>;
};
template <math::lane_value T>
struct compute_type<T> {
  using type = T;
};

template <class To, class From>
JACQUARD_INLINE constexpr To as_value(const From& x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (math::lane_value<To>) return To::from(x);
  else return convert_element<From, To>(x);
}

template <const auto& Code, class Values, std::size_t I>
struct equation_step {
  static constexpr const frozen_equation& e = Code.equations[I];
  using P = primitive_of<e.op>;
  using stores = value_stores<Code, Values>;
  template <dtype T>
  using value = typename Values::template of<T>;

  static constexpr std::size_t inputs = e.in.count, outputs = e.out.count;
  static constexpr atom input(std::size_t k) { return Code.atoms[e.in.first + k]; }
  static constexpr variable output(std::size_t k) { return Code.atoms[e.out.first + k].index(); }
  static constexpr aval input_type(std::size_t k) { return Code.type_of(input(k)); }
  static constexpr const aval& output_type(std::size_t k) { return Code.type_of_variable(output(k)); }

  static constexpr auto in_types = [] {
    std::array<aval, inputs> r{};
    for (std::size_t k = 0; k < inputs; ++k) r[k] = input_type(k);
    return r;
  }();
  static constexpr auto out_types = [] {
    std::array<aval, outputs> r{};
    for (std::size_t k = 0; k < outputs; ++k) r[k] = output_type(k);
    return r;
  }();

  static constexpr auto make_params() {
    param_view v;
    v.words = Code.words.data() + e.words.first;
    v.count = e.words.count;
    return decode<params_of<P>>(v);
  }
  /// Parameters as a constant, if their type allows one.
  JACQUARD_INLINE static constexpr decltype(auto) params() {
    if constexpr (std::is_trivially_destructible_v<params_of<P>>) return (constant_params);
    else return make_params();
  }
  static constexpr auto constant_params = [] {
    if constexpr (std::is_trivially_destructible_v<params_of<P>>) return make_params();
    else return 0;
  }();

  JACQUARD_INLINE static constexpr void run(stores& s) {
    if constexpr (layout_of<Code>.dissolved[I]) return;
    else if constexpr (requires { P::is_elementwise; }) {
      if constexpr (is_small(output_type(0))) run_small(s, std::make_index_sequence<std::size_t(output_type(0).elements())>{});
      // else part of a loop
    } else if constexpr (is_straight_line()) run_recorded(s, std::make_index_sequence<recorded_sizes[0]>{});
    else if constexpr (reduces_row()) {
      if (std::is_constant_evaluated()) run_kernel(s, std::make_index_sequence<inputs>{});
      else run_reduction(s);
    } else if constexpr (requires { P::moves_data; } || requires { P::domain; }) run_kernel(s, std::make_index_sequence<inputs>{});
    else
      static_assert(sizeof(P) == 0, "jacquard: this primitive has neither `apply` nor a `kernel` template, which is what the compile-time "
                                    "lane runs; pass a jq::array to compute it on a backend");
  }

  template <std::size_t K>
  using input_value = value<input_type(K).type>;
  using result = value<output_type(0).type>;

  /// The elementwise function on one element of each operand.
  template <std::size_t... K, class... X>
  JACQUARD_INLINE static constexpr result element(std::index_sequence<K...>, const X&... x) {
    if constexpr (requires { P::arity; }) {
      if constexpr (has_params<P>) return as_value<result>(P::apply(as_value<typename compute_type<X>::type>(x)..., params()));
      else return as_value<result>(P::apply(as_value<typename compute_type<X>::type>(x)...));
    } else if constexpr (requires { P::template convert<result>(x...); }) return as_value<result>(x...);
    else if constexpr (picks()) return P::pick(x...);
    else return element_by_kernel(std::index_sequence<K...>{}, x...);
  }
 private:
  static constexpr std::uint32_t index_mask = index_operands<P>();
  /// Whether the primitive chooses between two values of one type by a boolean.
  static constexpr bool picks() {
    if constexpr (inputs != 3) return false;
    else return is_boolean(input_type(0).type) && requires(input_value<0> w, input_value<1> x) { P::pick(w, x, x); };
  }
  /// The same where the primitive has a kernel only: one element is an array of rank 0.
  template <std::size_t... K, class... X>
  JACQUARD_INLINE static constexpr result element_by_kernel(std::index_sequence<K...>, const X&... x) {
    const std::tuple<std::conditional_t<bit(index_mask, K), std::int64_t, result>...> data{
        as_value<std::conditional_t<bit(index_mask, K), std::int64_t, result>>(x)...};
    result out{};
    const aval types[] = {aval(input_type(K).type, {})...}, out_type(output_type(0).type, {});
    const result* in[] = {pointer_if<!bit(index_mask, K), result>(std::get<K>(data))...};
    const std::int64_t* index[] = {pointer_if<bit(index_mask, K), std::int64_t>(std::get<K>(data))...};
    result* results[] = {&out};
    std::int64_t* no_index[] = {nullptr};
    call_kernel(kernel_args<result>{in, index, results, no_index, types, std::span<const aval>(&out_type, 1)});
    return out;
  }
  template <bool Wanted, class T, class X>
  JACQUARD_INLINE static constexpr const T* pointer_if(const X& x) {
    if constexpr (Wanted) return &x;
    else return nullptr;
  }
  template <class T>
  JACQUARD_INLINE static constexpr void call_kernel(const kernel_args<T>& a) {
    if constexpr (has_params<P>) P::kernel(a, params());
    else P::kernel(a);
  }

  template <std::size_t... J>
  JACQUARD_INLINE static constexpr void run_small(stores& s, std::index_sequence<J...>) {
    (run_element<J>(s, std::make_index_sequence<inputs>{}), ...);
  }
  template <std::size_t J, std::size_t... K>
  JACQUARD_INLINE static constexpr void run_element(stores& s, std::index_sequence<K...> k) {
    if constexpr (!layout_of<Code>.computed[layout_of<Code>.first[output(0)] + J]) return;
    else small_element<Code, Values, atom::of_variable(output(0)), J>(s) = element(k, small_element<Code, Values, input(K), (input_type(K).rank() == 0 ? 0 : J)>(s)...);
  }

  /// Whether the whole of a large array of doubles becomes one number.
  static constexpr bool reduces_row() {
    if constexpr (requires { P::is_reduction; })
      return std::is_same_v<result, double> && input_type(0).type == f64 && !is_small(input_type(0)) && output_type(0).elements() == 1 &&
             !is_uniform<Code>(input(0));
    else return false;
  }
  JACQUARD_INLINE static void run_reduction(stores& s) {
    auto p = params();
    p.axes = {0};
    small_element<Code, Values, atom::of_variable(output(0)), 0>(s) =
        reduce_in_lanes<P, std::size_t(input_type(0).elements())>(large_elements<Code, Values, input(0).index()>(s), p);
  }

  // Small arithmetic kernels are straight-line code.

  static constexpr param_view parameter_view() {
    param_view v;
    v.words = Code.words.data() + e.words.first;
    v.count = e.words.count;
    return v;
  }
  static constexpr auto record() { return recording<P>(parameter_view(), in_types, out_types[0]); }
  /// Number of steps and of results; no steps where the kernel is not recorded.
  static constexpr std::array<std::size_t, 2> recorded_sizes = [] {
    if constexpr (recordable<P> && outputs == 1) {
      bool fits = is_small(output_type(0)) && output_type(0).type == f64;
      for (const aval& a : in_types) fits = fits && is_small(a) && a.type == f64 && a.elements() > 0;
      if (fits) {
        const auto r = record();
        if (r.steps.size() <= straight_line_steps) return std::array{r.steps.size(), r.results.size()};
      }
    }
    return std::array<std::size_t, 2>{0, 0};
  }();
  static constexpr bool is_straight_line() { return recorded_sizes[1] != 0; }
  struct fixed_recording {
    std::array<arithmetic_step, recorded_sizes[0]> steps{};
    std::array<std::int32_t, recorded_sizes[1]> results{};
  };
  static constexpr fixed_recording recorded_steps = [] {
    fixed_recording f{};
    if constexpr (recorded_sizes[1] != 0) {
      const auto r = record();
      for (std::size_t i = 0; i < f.steps.size(); ++i) f.steps[i] = r.steps[i];
      for (std::size_t i = 0; i < f.results.size(); ++i) f.results[i] = r.results[i];
    }
    return f;
  }();
  static constexpr std::int32_t operand_elements() {
    std::int32_t n = 0;
    for (const aval& a : in_types) n += std::int32_t(a.elements());
    return n;
  }
  /// Number `N` of the recording: an element of an operand, or what a step made.
  template <std::int32_t N, class Made>
  JACQUARD_INLINE static constexpr decltype(auto) number(stores& s, const Made& made) {
    if constexpr (N == zero_number) return result(0.0);
    else if constexpr (N >= operand_elements()) return (made[std::size_t(N - operand_elements())]);
    else {
      constexpr std::array<std::size_t, 2> at = [] {
        std::size_t k = 0, j = std::size_t(N);
        for (; j >= std::size_t(in_types[k].elements()); ++k) j -= std::size_t(in_types[k].elements());
        return std::array{k, j};
      }();
      return small_element<Code, Values, input(at[0]), at[1]>(s);
    }
  }
  template <std::size_t I2, class Made>
  JACQUARD_INLINE static constexpr result step_result(stores& s, const Made& made) {
    constexpr arithmetic_step a = recorded_steps.steps[I2];
    const result x = number<a.a>(s, made), y = number<a.b>(s, made);
    if constexpr (a.what == arithmetic::add) return math::add(x, y);
    else if constexpr (a.what == arithmetic::multiply) return math::multiply(x, y);
    else if constexpr (a.what == arithmetic::max) return math::max(x, y);
    else return math::min(x, y);
  }
  template <std::size_t... N>
  JACQUARD_INLINE static constexpr void run_recorded(stores& s, std::index_sequence<N...>) {
    std::array<result, sizeof...(N)> made;
    ((made[N] = step_result<N>(s, made)), ...);
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((small_element<Code, Values, atom::of_variable(output(0)), J>(s) = number<recorded_steps.results[J]>(s, made)), ...);
    }(std::make_index_sequence<recorded_sizes[1]>{});
  }

  // Kernels see contiguous arrays of the compute type: large values as they lie, others copied.

  static constexpr std::size_t first_data_operand() {
    std::size_t k = 0;
    while (k < inputs && bit(index_mask, k)) ++k;
    return k;
  }
  static constexpr dtype work_type() {
    const dtype t = first_data_operand() < inputs ? input_type(first_data_operand()).type : output_type(0).type;
    if constexpr (requires { P::moves_data; } || math::lane_value<result>) return t;
    else return storage_of(compute_of(t));
  }
  template <class Want, atom A>
  JACQUARD_INLINE static constexpr auto kernel_operand(stores& s) {
    constexpr aval t = Code.type_of(A);
    constexpr std::size_t n = std::size_t(t.elements());
    if constexpr (!is_small(t) && !is_uniform<Code>(A) && std::is_same_v<Want, value<t.type>>)
      return large_elements<Code, Values, A.index()>(s);
    else {
      std::array<Want, n> copy{};
      if constexpr (is_uniform<Code>(A)) copy.fill(as_value<Want>(uniform_element<Code, Values, A>(s)));
      else if constexpr (is_small(t))
        [&]<std::size_t... J>(std::index_sequence<J...>) {
          ((copy[J] = as_value<Want>(small_element<Code, Values, A, J>(s))), ...);
        }(std::make_index_sequence<n>{});
      else
        for (std::size_t i = 0; i < n; ++i) copy[i] = as_value<Want>(large_elements<Code, Values, A.index()>(s)[i]);
      return copy;
    }
  }
  template <class Have, std::size_t K>
  JACQUARD_INLINE static constexpr auto kernel_result(stores& s) {
    constexpr aval t = output_type(K);
    if constexpr (!is_small(t) && std::is_same_v<Have, value<t.type>>) return large_elements<Code, Values, output(K)>(s);
    else return std::array<Have, std::size_t(t.elements())>{};
  }
  template <class X>
  JACQUARD_INLINE static constexpr auto* data_of(X& x) {
    if constexpr (std::is_pointer_v<X>) return x;
    else return x.data();
  }
  template <std::size_t K, class X>
  JACQUARD_INLINE static constexpr void store_result(stores& s, const X& x) {
    constexpr aval t = output_type(K);
    if constexpr (std::is_pointer_v<X>) return;
    else if constexpr (is_small(t))
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        ((small_element<Code, Values, atom::of_variable(output(K)), J>(s) = as_value<value<t.type>>(x[J])), ...);
      }(std::make_index_sequence<std::size_t(t.elements())>{});
    else
      for (std::size_t i = 0; i < x.size(); ++i) large_elements<Code, Values, output(K)>(s)[i] = as_value<value<t.type>>(x[i]);
  }
  template <std::size_t... K>
  JACQUARD_INLINE static constexpr void run_kernel(stores& s, std::index_sequence<K...> k) {
    run_kernel(s, k, std::make_index_sequence<outputs>{});
  }
  template <std::size_t... K, std::size_t... O>
  JACQUARD_INLINE static constexpr void run_kernel(stores& s, std::index_sequence<K...>, std::index_sequence<O...>) {
    using T = value<work_type()>;
    constexpr std::uint32_t index_out = index_results<P>();
    std::tuple operands{kernel_operand<std::conditional_t<bit(index_mask, K), std::int64_t, T>, input(K)>(s)...};
    std::tuple results{kernel_result<std::conditional_t<bit(index_out, O), std::int64_t, T>, O>(s)...};
    const std::array<const T*, inputs> in{operand_pointer<!bit(index_mask, K), T>(std::get<K>(operands))...};
    const std::array<const std::int64_t*, inputs> index{
        operand_pointer<bit(index_mask, K), std::int64_t>(std::get<K>(operands))...};
    const std::array<T*, outputs> out{operand_pointer<!bit(index_out, O), T>(std::get<O>(results))...};
    const std::array<std::int64_t*, outputs> out_index{
        operand_pointer<bit(index_out, O), std::int64_t>(std::get<O>(results))...};
    call_kernel(kernel_args<T>{in, index, out, out_index, in_types, out_types});
    (store_result<O>(s, std::get<O>(results)), ...);
  }
  template <bool Wanted, class T, class X>
  JACQUARD_INLINE static constexpr decltype(auto) operand_pointer(X& x) {
    if constexpr (Wanted) return data_of(x);
    else return static_cast<T*>(nullptr);
  }
};

}  // namespace detail
}  // namespace jacquard
