#pragma once
// Generates the rule table of a primitive from its struct: each simple form of a rule that primitive.hpp lists becomes a
// plain function here, an absent one a null entry. Also the way back, from the address of a table to the type.
// Deliberately holds no rule of its own but the jvp of linear primitives, which is the primitive itself.

#include <concepts>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/cost_entry.hpp"
#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/core/masking.hpp"
#include "jacquard/core/param_visitor.hpp"
#include "jacquard/core/primitive.hpp"
#include "jacquard/core/record_entry.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301  // the same
#endif

namespace jacquard {

// What the generator needs from layers above; bind.hpp and the primitives add and broadcast_in_dim define them.
JACQUARD_ONCE constexpr array_list bind(const primitive& op, view<const array> in, const param_view& p, location where);
template <class Array = array>
constexpr array add_any(const lazy<Array>& a, const lazy<Array>& b);  ///< sum of two tangents
template <class Array = array>
constexpr array zeros_any(const aval& t);                 ///< the zero tangent of a type

namespace detail {

/// Calls f(args..., params) if it takes the params, else f(args...).
#define JACQUARD_RULE(rule, view, ...)                                              \
  [&]() -> decltype(auto) {                                                         \
    if constexpr (requires { P::rule(__VA_ARGS__, decode<params_of<P>>(view)); })   \
      return P::rule(__VA_ARGS__, decode<params_of<P>>(view));                      \
    else                                                                            \
      return P::rule(__VA_ARGS__);                                                  \
  }()

template <class P>
constexpr void abstract_entry(inference& c) {
  if constexpr (requires { P::arity; })
    if (c.in.size() != std::size_t(P::arity)) {
      c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", P::arity);
      return;
    }
  using result = decltype(JACQUARD_RULE(abstract_eval, c.params, c));
  if constexpr (std::is_void_v<result>) JACQUARD_RULE(abstract_eval, c.params, c);
  else c.outputs.push_back(JACQUARD_RULE(abstract_eval, c.params, c));
  if (c.in.missing()) c.problem = make_error(error_kind::type, c.operation, ": got ", c.in.size(), " operands, wanted more");
}

// Rule forms. `array` arguments stand for: t tangent, x operands, y output, ct cotangent, k operand number.
template <class P>
concept full_jvp = requires(jvp_call& c, const params_of<P>& p) { P::jvp(c, p); } || requires(jvp_call& c) { P::jvp(c); };
template <class P>
concept unary_jvp = requires(const array& a, const params_of<P>& p) { P::jvp(a, a, a, p); } ||
                    requires(const array& a) { P::jvp(a, a, a); };
template <class P>
concept operand_jvp =
    requires(int k, const array& a, view<const array> x, const params_of<P>& p) { P::jvp(k, a, x, a, p); } ||
    requires(int k, const array& a, view<const array> x) { P::jvp(k, a, x, a); };
template <class P>
constexpr std::uint32_t linear_mask() {
  if constexpr (requires { P::linear; }) return P::linear;
  else return 0;
}
template <class P>
constexpr bool is_jointly_linear() {
  if constexpr (requires { P::jointly_linear; }) return P::jointly_linear;
  else return false;
}

/// The sum of two tangents of which either may be a symbolic zero. A template, called with a dependent type: core alone does not use add_any.
template <std::same_as<array> Array>
constexpr Array add_tangents(const Array& a, const Array& b) {
  if (a.is_none()) return b;
  if (b.is_none()) return a;
  return add_any(a, b);
}

template <class P>
constexpr const primitive& table_entry();

/// jvp of a primitive that is linear in some operands: the primitive applied to tangents.
template <class P>
constexpr void linear_jvp(jvp_call& c) {
  constexpr std::uint32_t mask = linear_mask<P>();
  constexpr bool applied_once = is_jointly_linear<P>() || (mask & (mask - 1)) == 0;
  const auto apply = [&](auto&& operand) {
    array_list in;
    for (std::size_t k = 0; k < c.x.size(); ++k) in.push_back(operand(k));
    const array_list y = jacquard::bind(table_entry<P>(), view<const array>(in.data(), in.size()), c.params, location{});
    for (std::size_t i = 0; i < c.ty.size(); ++i) {
      if constexpr (applied_once) c.ty[i] = y[i];  // add and what it is built on do not need add_any
      else c.ty[i] = add_tangents<own<array, P>>(c.ty[i], y[i]);
    }
  };
  if constexpr (is_jointly_linear<P>()) {
    apply([&](std::size_t k) -> array {
      if (!bit(mask, k)) return c.x[k];
      if (c.t[k].is_none()) return zeros_any(c.x[k].aval());
      return c.t[k];
    });
  } else {
    for (std::size_t j = 0; j < c.x.size(); ++j)
      if (bit(mask, j) && !c.t[j].is_none()) apply([&](std::size_t k) -> array { return k == j ? c.t[k] : c.x[k]; });
  }
}

template <class P>
constexpr bool has_jvp() {
  return full_jvp<P> || unary_jvp<P> || operand_jvp<P> || linear_mask<P>() != 0 || requires { P::no_derivative; };
}
template <class P>
constexpr void jvp_entry(jvp_call& c) {
  if constexpr (full_jvp<P>) JACQUARD_RULE(jvp, c.params, c);
  else if constexpr (unary_jvp<P>) c.ty[0] = JACQUARD_RULE(jvp, c.params, c.t[0], c.x[0], c.y[0]);
  else if constexpr (operand_jvp<P>) {
    for (std::size_t k = 0; k < c.x.size(); ++k)
      if (!c.t[k].is_none())
        c.ty[0] = add_tangents(c.ty[0], JACQUARD_RULE(jvp, c.params, int(k), c.t[k], c.x, c.y[0]));
  } else if constexpr (linear_mask<P>() != 0) linear_jvp<P>(c);
}

template <class P>
concept full_transpose = requires(transpose_call& c, const params_of<P>& p) { P::transpose(c, p); } ||
                         requires(transpose_call& c) { P::transpose(c); };
template <class P>
concept operand_transpose = requires(int k, const array& a, const transpose_call& c, const params_of<P>& p) {
  P::transpose(k, a, c, p);
} || requires(int k, const array& a, const transpose_call& c) { P::transpose(k, a, c); };
template <class P>
constexpr void transpose_entry(transpose_call& c) {
  if constexpr (full_transpose<P>) JACQUARD_RULE(transpose, c.params, c);
  else
    for (std::size_t k = 0; k < c.x.size(); ++k)
      if (c.x[k].is_none() && !c.ct[0].is_none()) c.ct_in[k] = JACQUARD_RULE(transpose, c.params, int(k), c.ct[0], c);
}

template <class P>
concept has_batch = requires(batch_call& c, const params_of<P>& p) { P::batch(c, p); } ||
                    requires(batch_call& c) { P::batch(c); };
template <class P>
constexpr void batch_entry(batch_call& c) {
  using result = decltype(JACQUARD_RULE(batch, c.params, c));
  if constexpr (std::is_void_v<result>) JACQUARD_RULE(batch, c.params, c);
  else c.outputs.push_back(JACQUARD_RULE(batch, c.params, c));
}

template <class P>
concept has_mask = requires(mask_call& c, const params_of<P>& p) { P::mask(c, p); } ||
                   requires(mask_call& c) { P::mask(c); };
template <class P>
constexpr void mask_entry(mask_call& c) {
  using result = decltype(JACQUARD_RULE(mask, c.params, c));
  if constexpr (std::is_void_v<result>) JACQUARD_RULE(mask, c.params, c);
  else c.outputs.push_back(JACQUARD_RULE(mask, c.params, c));
}

template <class P>
concept full_linearize = requires(joint_call& c, const params_of<P>& p) { P::linearize(c, p); };
template <class P>
constexpr void linearize_entry(joint_call& c) {
  P::linearize(c, decode<params_of<P>>(c.params));
}
template <class P>
concept has_joint_jvp = requires(joint_call& c, const params_of<P>& p) { P::joint_jvp(c, p); };
template <class P>
constexpr void joint_jvp_entry(joint_call& c) {
  P::joint_jvp(c, decode<params_of<P>>(c.params));
}

template <class P>
concept has_trim = requires(trim_call& c, const params_of<P>& p) { P::trim(c, p); };
template <class P>
constexpr void trim_entry(trim_call& c) {
  P::trim(c, decode<params_of<P>>(c.params));
}

template <class P>
concept has_few_rule = requires(few_call& c, const params_of<P>& p) { P::of_few(c, p); } || requires(few_call& c) { P::of_few(c); };
template <class P>
constexpr void few_entry(few_call& c) {
  JACQUARD_RULE(of_few, c.params, c);
}

template <class P>
concept has_evaluate = requires(evaluate_call& c, const params_of<P>& p) { P::evaluate(c, p); } ||
                       requires(evaluate_call& c) { P::evaluate(c); };
template <class P>
void evaluate_entry(evaluate_call& c) {
  JACQUARD_RULE(evaluate, c.params, c);
}

template <class P>
concept has_place = requires(placed_call& c, const params_of<P>& p) { P::place(c, p); } || requires(placed_call& c) { P::place(c); };
template <class P>
void place_entry(placed_call& c) {
  JACQUARD_RULE(place, c.params, c);
}
template <class P>
control_form control_entry(const param_view& p) {
  return P::control(decode<params_of<P>>(p));
}

template <class P>
constexpr reduction reduce_entry(dtype t, const param_view& p) { return P::reduce_by(t, decode<params_of<P>>(p)); }
template <class P>
constexpr contraction contract_entry(const param_view& p) { return P::contract(decode<params_of<P>>(p)); }
template <class P>
constexpr param_pack swapped_entry(const param_view& p) { return encode(P::swapped(decode<params_of<P>>(p))); }
template <class P>
constexpr param_pack resized_entry(const param_view& p, const shape& dims) { return encode(P::resized(decode<params_of<P>>(p), dims)); }

template <class P>
constexpr primitive make_table() {
  primitive t;
  t.name = P::name;
  if constexpr (requires { P::effects; }) t.effects = P::effects;
  if constexpr (requires { P::is_elementwise; }) t.elementwise = true;
  if constexpr (requires { P::commutative; }) t.commutative = true;
  if constexpr (requires { P::not_foldable; }) t.foldable = false;
  if constexpr (requires { P::identity; }) t.identity = true;
  if constexpr (requires { P::allocates; }) t.allocates = P::allocates;
  if constexpr (requires { P::overwrites; }) t.overwrites = P::overwrites;
  t.watches = requires { P::watches; }, t.on_one_device = requires { P::on_one_device; }, t.unbounded = requires { P::unbounded; }, t.inlinable = requires { P::inlinable; };
  if constexpr (requires { P::unit; }) t.has_unit = true, t.unit = P::unit;
  t.linear = linear_mask<P>(), t.jointly_linear = is_jointly_linear<P>(), t.cost = cost_rule<P>();
  t.abstract_eval = &abstract_entry<P>;
  if constexpr (has_jvp<P>()) t.jvp = &jvp_entry<P>;
  if constexpr (has_joint_jvp<P>) t.joint_jvp = &joint_jvp_entry<P>;
  if constexpr (full_linearize<P>) t.linearize = &linearize_entry<P>;
  if constexpr (full_transpose<P> || operand_transpose<P>) t.transpose = &transpose_entry<P>;
  if constexpr (has_batch<P>) t.batch = &batch_entry<P>;
  if constexpr (has_mask<P>) t.mask = &mask_entry<P>;
  if constexpr (has_trim<P>) t.trim = &trim_entry<P>;
  if constexpr (has_few_rule<P>) t.of_few = &few_entry<P>;
  if constexpr (has_evaluate<P>) t.evaluate = &evaluate_entry<P>;
  if constexpr (has_place<P>) t.place = &place_entry<P>, t.control = &control_entry<P>;
  if constexpr (has_kernel<P>()) t.kernel = &kernel_entry<P>;
  if constexpr (has_record<P>()) t.record = &record_entry<P>;
  if constexpr (has_view_rule<P>) t.view_of = &view_entry<P>;
  if constexpr (has_parts_rule<P>) t.parts = &parts_entry<P>;
  if constexpr (has_lookup_rule<P>) t.lookup = &lookup_entry<P>;
  if constexpr (has_put_rule<P>) t.put = &put_entry<P>, t.puts = P::puts, t.puts_by = P::puts_by;
  if constexpr (has_absorb_rule<P>) t.absorb = &absorb_entry<P>;
  if constexpr (requires(dtype d, const params_of<P>& p) { P::reduce_by(d, p); }) t.reduce = &reduce_entry<P>;
  if constexpr (requires(const params_of<P>& p) { P::contract(p); }) t.contract = &contract_entry<P>;
  if constexpr (requires(const params_of<P>& p) { P::swapped(p); }) t.swapped = &swapped_entry<P>;
  if constexpr (requires(const params_of<P>& p, const shape& dims) { P::resized(p, dims); }) t.resized = &resized_entry<P>;
  if constexpr (!std::is_empty_v<params_of<P>>) t.visit_params = &visit_params<params_of<P>>;
  return t;
}
}  // namespace detail

/// The rule table of P.
template <class P>
inline constexpr primitive primitive_table = detail::make_table<P>();

template <const primitive* Table>
struct owner {
  friend constexpr auto owner_of(owner<Table>);
};
/// Connects the address of a table to its type; instantiated by every use of table_of<P>.
template <class P>
struct registration {
  friend constexpr auto owner_of(owner<&primitive_table<P>>) { return P{}; }
  static constexpr const primitive* table = &primitive_table<P>;
};

template <class P>
constexpr const primitive& table_of() {
  return *registration<P>::table;
}
template <class P>
constexpr const primitive& detail::table_entry() {
  return table_of<P>();
}
/// The primitive type of a table address known at compile time.
template <const primitive* Table>
using primitive_of = decltype(owner_of(owner<Table>{}));

}  // namespace jacquard

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#ifdef __CUDACC__
#pragma nv_diagnostic pop
#endif
