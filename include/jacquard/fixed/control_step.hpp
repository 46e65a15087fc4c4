#pragma once
// An equation that holds programs, as straight C++: each of them is a frozen program of its own, run by the same code as the
// whole. A loop is a loop over one instance of its body. Deliberately names no primitive: how often and on what the bodies run is
// said by the primitive itself.

#include "jacquard/core/list.hpp"
#include "jacquard/fixed/equation_shape.hpp"
#include "jacquard/fixed/freeze.hpp"

namespace jacquard {
namespace detail {

/// Program number N of a frozen one, alone. Its pools are what it needs.
template <const auto& Code, std::uint32_t N>
struct sub_source {
  static constexpr closed_jaxpr make() { return {jaxpr_ref(Code.program(N)), {}, {}}; }
};
template <const auto& Code, std::uint32_t N>
inline constexpr auto sub_program = freeze<sub_source<Code, N>>();

template <const auto& Code, class Values>
class static_run;

/// What a primitive sees of its equation while it runs: operands and results as pointers to elements, and its bodies.
template <const auto& Code, class Values, std::size_t I, class Operands, class Results>
class control_frame {
  using shape = equation_shape<Code, I>;

 public:
  /// The number of body B among the programs, and the types of its operands and results. clang 16 wants no names for the programs.
  template <std::size_t B>
  static constexpr std::uint32_t number = Code.atoms[shape::e.subs.first + B].code;
  template <std::size_t B, std::size_t K>
  static constexpr aval operand_type =
      sub_program<Code, number<B>>.type_of(sub_program<Code, number<B>>.atoms[sub_program<Code, number<B>>.programs[0].inputs.first + K]);
  template <std::size_t B, std::size_t K>
  static constexpr aval result_type =
      sub_program<Code, number<B>>.type_of(sub_program<Code, number<B>>.atoms[sub_program<Code, number<B>>.programs[0].outputs.first + K]);

  Operands operands;
  Results results;

  static constexpr std::size_t inputs = shape::inputs, outputs = shape::outputs, bodies = shape::e.subs.count;
  /// The parameters without their programs.
  static constexpr auto parameters() {
    list<jaxpr_ref> no_programs(bodies);
    list<function_ref> no_functions(shape::e.functions.count);
    param_view v = Code.params(shape::e);
    v.subs = no_programs.data();
    v.functions = no_functions.data();
    return decode<params_of<typename shape::P>>(v);
  }
  /// How many elements one operand or result of body B has, and room for the latter.
  template <std::size_t B, std::size_t K>
  static constexpr std::size_t operand_size = std::size_t(operand_type<B, K>.elements());
  template <std::size_t B, std::size_t K>
  static constexpr std::size_t result_size = std::size_t(result_type<B, K>.elements());
  template <std::size_t B, std::size_t K>
  using room = std::array<typename Values::template of<result_type<B, K>.type>, result_size<B, K>>;

  /// Runs body B from pointers to pointers, two packs.
  template <std::size_t B, class In, class Out>
  JACQUARD_INLINE static constexpr void run(const In& in, const Out& out) {
    static_run<sub_program<Code, number<B>>, Values>::run(in, out);
  }

  // A condition is one bool, or one for each vector lane. Lanes for which it does not hold are computed with the others and not used.

  /// Whether it holds anywhere.
  template <class Condition>
  JACQUARD_INLINE static constexpr bool any(const Condition& where) {
    if constexpr (math::lane_value<Condition>) return where.any();
    else return where;
  }
  /// Copies elements where the condition holds.
  template <class Condition, class T, std::size_t N>
  JACQUARD_INLINE static constexpr void copy_where(const Condition& where, const std::array<T, N>& from, std::array<T, N>& to) {
    if constexpr (math::lane_value<Condition>)
      for (std::size_t j = 0; j < N; ++j) to[j] = T::select(where, from[j], to[j]);
    else if (where) to = from;
  }
  /// Runs body B, of whose results only those where the condition holds, somewhere, will be used. Where the body might not end for
  /// operands that it is not meant for, other lanes get those of one it is meant for.
  template <std::size_t B, class Condition, class In, class Out>
  JACQUARD_INLINE static constexpr void run_where(const Condition& where, const In& in, const Out& out) {
    if constexpr (math::lane_value<Condition> && may_not_end<B>()) {
      int lane = 0;
      while (lane + 1 < Condition::count && !where[lane]) ++lane;
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        pack<room_for_operand<B, K>...> meant;
        (spread(lane, where, get<K>(in), get<K>(meant)), ...);
        run<B>(packed(get<K>(meant).data()...), out);
      }(std::make_index_sequence<sub_program<Code, number<B>>.programs[0].inputs.count>{});
    } else run<B>(in, out);
  }

 private:
  template <std::size_t B, std::size_t K>
  using room_for_operand = std::array<typename Values::template of<operand_type<B, K>.type>, operand_size<B, K>>;

  template <std::size_t B>
  static constexpr bool may_not_end() {
    for (const frozen_equation& e : sub_program<Code, number<B>>.equations)
      if (e.op->unbounded) return true;
    return false;
  }
  /// The operand, with the elements of one lane where the condition does not hold.
  template <class Condition, class From, class T, std::size_t N>
  static void spread(int lane, const Condition& where, const From& from, std::array<T, N>& to) {
    for (std::size_t j = 0; j < N; ++j) to[j] = T::select(where, from[j], T(from[j][lane]));
  }
};

/// Runs equation I: as its primitive says, or its only body on all operands.
template <const auto& Code, class Values, std::size_t I, class Operands, class Results>
JACQUARD_INLINE constexpr void run_control(const Operands& operands, const Results& results) {
  using P = typename equation_shape<Code, I>::P;
  using frame = control_frame<Code, Values, I, Operands, Results>;
  frame f{operands, results};
  if constexpr (requires { P::run_static(f); }) P::run_static(f);
  else {
    static_assert(frame::bodies == 1, "jacquard: this primitive holds programs but does not say how to run them at compile time");
    frame::template run<0>(operands, results);
  }
}

}  // namespace detail
}  // namespace jacquard
