#pragma once
// What is known of an equation while its program is laid out, asked of the primitive's type: where a movement takes its
// elements from, what an operation makes of constants, whether it vanishes with an operand. Deliberately function pointers, one
// set per primitive, so that the layout is one ordinary function.

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/core/rules.hpp"
#include "jacquard/fixed/frozen.hpp"
#include "jacquard/fixed/recorded_kernel.hpp"

namespace jacquard {
namespace detail {

struct equation_facts {
  /// Where the elements of a movement come from: element numbers, counted through its operands. Null for all else.
  void (*moves)(const param_view&, view<const aval> in, const aval& out, std::uint32_t* sources) = nullptr;
  /// One element of an elementwise operation on constants; null if it has no scalar function.
  literal (*fold)(const param_view&, view<const literal> in, dtype out) = nullptr;
  /// All elements of another operation on constants.
  void (*fold_all)(const param_view&, view<const aval> in, const aval& out, view<const literal> elements,
                   literal* results) = nullptr;
  /// What a kernel that only adds, multiplies and takes extremes does.
  recording (*record)(const param_view&, view<const aval> in, const aval& out) = nullptr;
  int as_arithmetic = -1;  ///< which of the operations it is on numbers
  bool reduction = false;  ///< combines elements in any order
  bool function = false;   ///< an elementary function of one number: on vector lanes several cost what one costs
  bool elementwise = false, commutative = false, has_unit = false;
  bool square_root = false;
  double unit = 0;
  bool picks = false;           ///< takes the second operand or the third, by the first
  std::uint32_t vanishing = 0;  ///< bit k: a zero of operand k makes the result zero
};

template <class P>
constexpr void trace_movement(const param_view& given, view<const aval> in, const aval& out, std::uint32_t* sources) {
  std::size_t count = 0;
  for (const aval& a : in) count += std::size_t(a.elements());
  list<std::uint32_t> numbers(count);
  std::uint32_t* const n = numbers.data();  // without calls, which cost the compiler most
  for (std::uint32_t i = 0; i < count; ++i) n[i] = i;
  run_on_rows<P, std::uint32_t>(given, in, out, n, sources);
}

template <class P>
constexpr literal fold_apply(const param_view& given, view<const literal> in, dtype out) {
  literal r;
  visit_domain<P>(in[0].type, [&]<class T>(std::type_identity<T>) {
    const auto call = [&](auto... p) {
      if constexpr (P::arity == 1) return P::apply(in[0].get<T>(), p...);
      else if constexpr (P::arity == 2) return P::apply(in[0].get<T>(), in[1].get<T>(), p...);
      else return P::apply(in[0].get<T>(), in[1].get<T>(), in[2].get<T>(), p...);
    };
    if constexpr (has_params<P>) r = literal(call(decode<params_of<P>>(given))).as(out);
    else r = literal(call()).as(out);
  });
  return r;
}
constexpr literal fold_convert(const param_view&, view<const literal> in, dtype out) { return in[0].as(out); }

template <class P>
constexpr void fold_kernel(const param_view& given, view<const aval> in, const aval& out, view<const literal> elements,
                           literal* results) {
  visit_domain<P>(in.empty() ? out.type : in[0].type, [&]<class T>(std::type_identity<T>) {
    std::vector<T> values, made(std::size_t(out.elements()), T{});
    for (const literal& l : elements) values.push_back(l.get<T>());
    if constexpr (!std::is_same_v<T, bool>) {
      run_on_rows<P>(given, in, out, values.data(), made.data());
      for (std::size_t i = 0; i < made.size(); ++i) results[i] = literal(made[i]).as(out.type);
    }
  });
}

template <class P>
concept picks_one = requires(bool w, double x) { P::pick(w, x, x); };
template <class P>
concept converts = requires { P::template convert<float, double>(1.0); };
template <class P>
concept foldable_kernel = !has_index_operands<P>() && !requires { P::moves_data; } && !requires { P::is_elementwise; } && requires {
  P::domain;
} && !(P::domain & booleans);

template <class P>
constexpr equation_facts facts_of() {
  equation_facts f;
  if constexpr (only_moves<P>()) f.moves = &trace_movement<P>;
  if constexpr (requires { P::is_elementwise; }) f.elementwise = true;
  if constexpr (requires { P::is_elementwise; P::arity; }) f.fold = &fold_apply<P>;
  if constexpr (converts<P>) f.fold = &fold_convert;
  if constexpr (picks_one<P>) f.picks = true;
  if constexpr (foldable_kernel<P>) f.fold_all = &fold_kernel<P>;
  if constexpr (!is_jointly_linear<P>()) f.vanishing = linear_mask<P>();
  if constexpr (arithmetic_itself<P>) f.as_arithmetic = int(arithmetic_of<P>());
  if constexpr (requires { P::is_elementwise; P::arity; P::domain; })
    f.function = P::arity == 1 && linear_mask<P>() == 0 && (P::domain & integers) == 0 && !has_params<P>;
  if constexpr (requires { P::is_reduction; }) f.reduction = true;
  if constexpr (recordable<P>) f.record = &record_kernel<P>;
  if constexpr (requires { P::commutative; }) f.commutative = true;
  if constexpr (requires { P::is_square_root; }) f.square_root = true;
  if constexpr (requires { P::unit; }) f.has_unit = true, f.unit = P::unit;
  return f;
}
/// The type of a program's arithmetic, which is rearranged and runs on lanes: float where more numbers are floats than doubles.
template <const auto& Code>
inline constexpr dtype number_type_of = [] {
  std::uint64_t variables[Code.types.size() + 1]{}, doubles = 0, floats = 0;
  for (std::uint16_t t : Code.type_numbers) ++variables[t];
  for (std::size_t t = 0; t < Code.types.size(); ++t) {
    const std::uint64_t n = variables[t] * std::uint64_t(Code.types[t].elements());
    if (Code.types[t].type == f64) doubles += n;
    else if (Code.types[t].type == f32) floats += n;
  }
  return floats > doubles ? f32 : f64;
}();
template <const auto& Code>
using number_of = stored_type<number_type_of<Code>>;

/// The primitives of a program, and which of them each equation has.
template <const auto& Code>
class primitive_list {
 public:
  constexpr primitive_list() {
    for (std::size_t n = 0; n < Code.equations.size(); ++n) {
      const primitive* op = Code.equations[n].op;
      std::uint32_t i = 0;
      while (i < size && all[i] != op) ++i;
      if (i == size) all[size++] = op;
      number[n] = i;
      operands[n] = Code.equations[n].in.count;
    }
  }
  const primitive* all[Code.equations.size() + 1]{};
  std::uint32_t number[Code.equations.size() + 1]{}, operands[Code.equations.size() + 1]{};  ///< by equation: its primitive, how many operands it has
  std::uint32_t size = 0;
};
template <const auto& Code>
inline constexpr primitive_list<Code> primitives_of{};
template <const auto& Code>
constexpr auto make_facts() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<equation_facts, sizeof...(I)>{facts_of<primitive_of<primitives_of<Code>.all[I]>>()...};
  }(std::make_index_sequence<primitives_of<Code>.size>{});
}
/// By number of the primitive.
template <const auto& Code>
inline constexpr auto facts_of_primitives = make_facts<Code>();

}  // namespace detail
}  // namespace jacquard
