#pragma once
// Running a frozen program: arguments into the value stores, every equation once, results out. The whole is one template
// instance per equation, in blocks of 64, without a heap and without dispatch. Deliberately no choice of lane: fixed/lane
// decides what runs here.

#include "jacquard/fixed/loop_step.hpp"

namespace jacquard {
namespace detail {

inline constexpr std::size_t block_size = 64;

template <const auto& Code, class Values = plain_values>
class static_run {
 public:
  /// Computes `out` from `in`, two tuples of pointers to elements.
  template <class... In, class... Out>
  JACQUARD_INLINE static constexpr void run(const std::tuple<In...>& in, const std::tuple<Out...>& out) {
    stores s;
    constexpr frozen_program p = Code.programs[0];
    static_assert(p.captured == 0, "jacquard: a function with static arguments used a jq::array from outside; pass it as an argument");
    s.arguments = in;
    [&]<std::size_t... K>(std::index_sequence<K...>) { (take_result<K>(s, std::get<K>(out)), ...); }
    (std::make_index_sequence<sizeof...(Out)>{});
    [&]<std::size_t... K>(std::index_sequence<K...>) { (load<K>(s, std::get<K>(in)), ...); }
    (std::make_index_sequence<sizeof...(In)>{});
    run_blocks(s, std::make_index_sequence<(p.equations.count + block_size - 1) / block_size>{});
    [&]<std::size_t... K>(std::index_sequence<K...>) { (write<K>(s, std::get<K>(out)), ...); }
    (std::make_index_sequence<sizeof...(Out)>{});
  }

 private:
  using stores = value_stores<Code, Values>;

  /// Results may differ in type from outputs, as gradients of integers do; these are constants.
  template <std::size_t K, class T>
  JACQUARD_INLINE static constexpr void take_result(stores& s, T* x) {
    if constexpr (std::is_same_v<T*, std::remove_reference_t<decltype(std::get<K>(s.results))>>) std::get<K>(s.results) = x;
  }
  template <std::size_t K, class T>
  JACQUARD_INLINE static constexpr void load(stores& s, const T* x) {
    constexpr variable v = Code.atoms[Code.programs[0].inputs.first + K].index();
    constexpr std::size_t n = std::size_t(Code.type_of_variable(v).elements());
    if constexpr (is_small(Code.type_of_variable(v)))
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        ((small_element<Code, Values, atom::of_variable(v), J>(s) = x[J]), ...);
      }(std::make_index_sequence<n>{});
  }
  template <std::size_t K, class T>
  JACQUARD_INLINE static constexpr void write(stores& s, T* x) {
    constexpr atom a = Code.atoms[Code.programs[0].outputs.first + K];
    constexpr std::size_t n = std::size_t(Code.type_of(a).elements());
    if constexpr (is_small(Code.type_of(a)))
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        ((x[J] = as_value<T>(small_element<Code, Values, a, J>(s))), ...);
      }(std::make_index_sequence<n>{});
    else if constexpr (is_uniform<Code>(a))
      for (std::size_t i = 0; i < n; ++i) x[i] = as_value<T>(uniform_element<Code, Values, a>(s));
    else if constexpr (layout_of<Code>.where[a.index()] != home::result || layout_of<Code>.first[a.index()] != K)
      for (std::size_t i = 0; i < n; ++i) x[i] = large_elements<Code, Values, a.index()>(s)[i];
  }

  template <std::size_t... B>
  JACQUARD_INLINE static constexpr void run_blocks(stores& s, std::index_sequence<B...>) {
    if constexpr (sizeof...(B) == 1) run_equations<0>(s, std::make_index_sequence<Code.programs[0].equations.count>{});
    else (run_block<B>(s), ...);
  }
  template <std::size_t B>
  static constexpr void run_block(stores& s) {
    constexpr std::size_t first = B * block_size, rest = Code.programs[0].equations.count - first;
    run_equations<first>(s, std::make_index_sequence<(rest < block_size ? rest : block_size)>{});
  }
  template <std::size_t First, std::size_t... I>
  JACQUARD_INLINE static constexpr void run_equations(stores& s, std::index_sequence<I...>) {
    (run_equation<Code.programs[0].equations.first + First + I>(s), ...);
  }
  template <std::size_t N>
  JACQUARD_INLINE static constexpr void run_equation(stores& s) {
    if constexpr (layout_of<Code>.loop[N] == N + 1) loop_step<Code, Values, N>::run(s);
    else if constexpr (layout_of<Code>.loop[N] == 0) equation_step<Code, Values, N>::run(s);
  }
};

}  // namespace detail
}  // namespace jacquard
