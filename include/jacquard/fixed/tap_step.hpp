#pragma once
// A tap in a frozen program: its results are its operands, and when the program runs, its function is called with static values.
// The type of the function is known from the address of its thunk, so that the call is inlined. Deliberately silent in constant
// evaluation.

#include "jacquard/fixed/equation_shape.hpp"

namespace jacquard {
namespace detail {

/// The operands of an equation, read as the results of a program.
template <const auto& Code, std::size_t I>
struct operands_as_results {
  struct part {
    pool_range outputs;
  };
  std::array<part, 1> programs{part{Code.equations[I].in}};
  static constexpr const auto& atoms = Code.atoms;
  static constexpr aval type_of(atom a) { return Code.type_of(a); }
};
template <const auto& Code, std::size_t I>
inline constexpr operands_as_results<Code, I> tapped_values{};

/// The parameters of a tap, its function among them.
template <const auto& Code, std::size_t I>
constexpr auto tap_parameters() {
  const function_ref callback(Code.functions[Code.equations[I].functions.first]);
  param_view v = Code.params(Code.equations[I]);
  v.functions = &callback;
  v.function_count = 1;
  return decode<params_of<primitive_of<Code.equations[I].op>>>(v);
}
/// A list among them, as an array.
template <const auto& Code, std::size_t I, auto List>
constexpr std::size_t tap_list_size() {
  const auto p = tap_parameters<Code, I>();
  return (p.*List).size();
}
template <const auto& Code, std::size_t I, auto List>
constexpr auto tap_list() {
  const auto p = tap_parameters<Code, I>();
  std::array<std::int64_t, tap_list_size<Code, I, List>()> r{};
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = (p.*List)[i];
  return r;
}
template <const auto& Code, std::size_t I>
inline constexpr auto tap_transforms = tap_list<Code, I, &params_of<primitive_of<Code.equations[I].op>>::transforms>();
template <const auto& Code, std::size_t I>
inline constexpr auto tap_keywords = tap_list<Code, I, &params_of<primitive_of<Code.equations[I].op>>::keywords>();
template <const auto& Code, std::size_t I>
constexpr std::size_t tap_operands() {
  const auto p = tap_parameters<Code, I>();
  return std::size_t(p.tapped);
}

/// Anything that equation_step finds below its own forms is a tap if it says so.
template <class P>
concept tap_primitive = requires { P::shows_operands; };

template <const auto& Code, class Values, std::size_t I>
class tap_step : equation_shape<Code, I> {
  using shape = equation_shape<Code, I>;
  using shape::input, shape::output, shape::input_type, shape::inputs;
  using stores = value_stores<Code, Values>;
  static_assert(std::is_same_v<Values, plain_values>, "jacquard: a function with taps was mapped across vector lanes");

  static constexpr function_ref::thunk thunk = Code.functions[Code.equations[I].functions.first];
  static_assert(thunk != nullptr, "jacquard: a tap without a function");
  using tap = decltype(callable_behind(thunk_address<thunk>{}));
  static constexpr std::size_t tapped = tap_operands<Code, I>();

 public:
  JACQUARD_INLINE static constexpr void run(stores& s) {
    [&]<std::size_t... K>(std::index_sequence<K...>) { (copy<K>(s), ...); }(std::make_index_sequence<inputs>{});
    if (!std::is_constant_evaluated()) show(s, std::make_index_sequence<tapped>{});
  }

 private:
  /// Element j of operand K.
  template <std::size_t K, class To>
  JACQUARD_INLINE static constexpr void read(stores& s, To* to) {
    constexpr std::size_t n = std::size_t(input_type(K).elements());
    if constexpr (is_small<Code>(input(K)))
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        ((to[J] = small_element<Code, Values, input(K), J>(s)), ...);
      }(std::make_index_sequence<n>{});
    else if constexpr (is_uniform<Code>(input(K)))
      for (std::size_t i = 0; i < n; ++i) to[i] = uniform_element<Code, Values, input(K)>(s);
    else
      for (std::size_t i = 0; i < n; ++i) to[i] = large_elements<Code, Values, input(K).index()>(s)[i];
  }
  template <std::size_t K>
  JACQUARD_INLINE static constexpr void copy(stores& s) {
    constexpr std::size_t n = std::size_t(input_type(K).elements());
    if constexpr (is_small<Code>(input(K)))
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        ((small_element<Code, Values, atom::of_variable(output(K)), J>(s) = small_element<Code, Values, input(K), J>(s)), ...);
      }(std::make_index_sequence<n>{});
    else read<K>(s, large_elements<Code, Values, output(K)>(s));
  }

  template <std::size_t... K>
  JACQUARD_INLINE static void show(stores& s, std::index_sequence<K...>) {
    using tree = typename static_result<tapped_values<Code, I>, typename tap::tree, 0>::type;
    tree values{};
    const auto to = output_pointers<tapped_values<Code, I>, tree>(leaf_pointers(values));
    (read<K>(s, std::get<K>(to)), ...);
    if constexpr (tap::takes_arrays) {
      const std::vector<array> leaves{leaf_as_array<K>(std::get<K>(to))...};
      eager([&] { tap::show(rebuild<typename tap::tree>(typename tap::tree{}, leaves), tap_transforms<Code, I>, tap_keywords<Code, I>, tapped); });
    } else tap::show(values, tap_transforms<Code, I>, tap_keywords<Code, I>, tapped);
  }
  template <std::size_t K, class T>
  static array leaf_as_array(const T* x) {
    return copy_in(x, input_type(K).dims);
  }
};

}  // namespace detail
}  // namespace jacquard
