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

/// Anything that equation_step finds below its own forms is a tap if it says so.
template <class P>
concept tap_primitive = requires { P::shows_operands; };

template <const auto& Code, class Values, std::size_t I>
class tap_step : equation_shape<Code, I> {
  using shape = equation_shape<Code, I>;
  using shape::input, shape::output, shape::input_type, shape::inputs;
  using stores = value_stores<Code, Values>;
  static_assert(std::is_same_v<Values, plain_values>, "jacquard: a function with taps was mapped across vector lanes");

  static constexpr function_ref::thunk thunk = Code.functions[shape::e.functions.first];
  static_assert(thunk != nullptr, "jacquard: a tap without a function");
  static constexpr auto make_params() {
    const function_ref callback(thunk);
    param_view v = shape::parameter_view();
    v.functions = &callback;
    v.function_count = 1;
    return decode<params_of<typename shape::P>>(v);
  }
  using tap = decltype(callable_behind(thunk_address<thunk>{}));
  /// Lists among the parameters, as constants.
  template <std::size_t N>
  static constexpr auto constants(const std::vector<std::int64_t>& from) {
    std::array<std::int64_t, N> r{};
    for (std::size_t i = 0; i < N; ++i) r[i] = from[i];
    return r;
  }
  static constexpr std::size_t tapped = std::size_t(make_params().tapped);
  static constexpr auto transforms = constants<make_params().transforms.size()>(make_params().transforms);
  static constexpr auto keywords = constants<make_params().keywords.size()>(make_params().keywords);

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
    if constexpr (is_small(input_type(K)))
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
    if constexpr (is_small(input_type(K)))
      [&]<std::size_t... J>(std::index_sequence<J...>) {
        ((small_element<Code, Values, atom::of_variable(output(K)), J>(s) = small_element<Code, Values, input(K), J>(s)), ...);
      }(std::make_index_sequence<n>{});
    else read<K>(s, large_elements<Code, Values, output(K)>(s));
  }

  template <std::size_t... K>
  JACQUARD_INLINE static void show(stores& s, std::index_sequence<K...>) {
    using tree = typename static_result<tapped_values<Code, I>, typename tap::tree, 0>::type;
    tree values{};
    const auto to = leaf_pointers(values);
    (read<K>(s, std::get<K>(to)), ...);
    if constexpr (tap::takes_arrays) {
      const std::vector<array> leaves{leaf_as_array<K>(std::get<K>(to))...};
      eager([&] { tap::show(rebuild<typename tap::tree>(typename tap::tree{}, leaves), transforms, keywords, tapped); });
    } else tap::show(values, transforms, keywords, tapped);
  }
  template <std::size_t K, class T>
  static array leaf_as_array(const T* x) {
    return copy_in(x, input_type(K).dims);
  }
};

}  // namespace detail
}  // namespace jacquard
