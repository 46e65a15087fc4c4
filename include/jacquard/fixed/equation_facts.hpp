#pragma once
// What is known of an equation while its program is laid out, asked of the primitive's type: where a movement takes its
// elements from, what an operation makes of constants, whether it vanishes with an operand. Deliberately function pointers, one
// set per primitive, so that the layout is one ordinary function.

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/core/rules.hpp"
#include "jacquard/fixed/frozen.hpp"

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
  bool elementwise = false;
  bool picks = false;           ///< takes the second operand or the third, by the first
  std::uint32_t vanishing = 0;  ///< bit k: a zero of operand k makes the result zero
};

template <class P>
constexpr bool has_index_operands() {
  return requires { P::index_operands; } || requires { P::index_results; };
}
template <class P>
constexpr bool only_moves() {
  return requires { P::moves_data; } && !has_index_operands<P>();
}
/// Runs a kernel without index operands on arrays that lie one after the other in `elements`.
template <class P, class T>
constexpr void run_on_rows(const param_view& given, view<const aval> in, const aval& out, const std::vector<T>& elements, T* results) {
  std::vector<std::vector<T>> rows;
  std::vector<const T*> operands;
  std::size_t next = 0;
  for (const aval& a : in) {
    rows.emplace_back();
    for (std::int64_t i = 0; i < a.elements(); ++i) rows.back().push_back(elements[next++]);
  }
  for (const auto& row : rows) operands.push_back(row.data());
  const std::vector<const std::int64_t*> no_indices(in.size(), nullptr);
  T* outs[] = {results};
  std::int64_t* no_results[] = {nullptr};
  call_kernel<P>(kernel_args<T>{operands, no_indices, outs, no_results, in, view<const aval>(&out, 1)}, given);
}

template <class P>
constexpr void trace_movement(const param_view& given, view<const aval> in, const aval& out, std::uint32_t* sources) {
  std::vector<std::uint32_t> numbers;
  for (const aval& a : in)
    for (std::int64_t i = 0; i < a.elements(); ++i) numbers.push_back(std::uint32_t(numbers.size()));
  run_on_rows<P>(given, in, out, numbers, sources);
}

/// Calls f with the compute type of a dtype, if it is in the domain of P.
template <class P, class F>
constexpr void visit_domain(dtype t, F&& f) {
  visit_compute(compute_of(t), [&]<class T>(std::type_identity<T> type) {
    if constexpr ((P::domain & type_set_of(dtype_of<T>())) != 0) f(type);
  });
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
      run_on_rows<P>(given, in, out, values, made.data());
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
  return f;
}
template <const auto& Code, std::size_t... I>
constexpr auto facts_of_equations(std::index_sequence<I...>) {
  return std::array<equation_facts, sizeof...(I)>{facts_of<primitive_of<Code.equations[I].op>>()...};
}

}  // namespace detail
}  // namespace jacquard
