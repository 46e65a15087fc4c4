#pragma once
// bind: the one way to apply a primitive. It infers the output types, then stages the equation into the innermost trace
// of its operands, makes a symbolic constant (constant evaluation) or computes at once through the hook that exec/ sets.
// Also the table that is generated from a primitive's struct. Deliberately knows no primitive and no backend.

#include <type_traits>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/hook.hpp"
#include "jacquard/core/rules.hpp"
#include "jacquard/core/trace_scope.hpp"

namespace jacquard {

namespace detail {

/// Computes one equation on concrete operands. The interpreter's header defines it, not a call before main: so a unit that includes that
/// header and binds nothing is spared what evaluation consists of. Not there (a null address) in a program whose units do without.
using eager_function = void (*)(const primitive&, view<const array> in, const param_view&, view<const aval> out_types,
                                view<array> out, const location&);
JACQUARD_HOOK eager_function eager_hook;

[[noreturn]] inline void raise_without_backend(std::string_view operation, const location& where) {
  error_record e = make_error(error_kind::not_implemented, operation, " on concrete arrays needs a backend; include <jacquard/jacquard.hpp>. With "
                              "<jacquard/fixed.hpp> alone, give numbers, jq::tensor or std::array to a transformed function, e.g. jq::jit(f)(x), and "
                              "vectors of them to jq::map");
  e.where = where;
  throw_error(e);
}
constexpr trace* trace_of(view<const array> in) {
  trace* t = nullptr;
  for (const array& a : in)
    if (trace* o = a.as_tracer()) t = trace::innermost(t, o);
  if (!__builtin_is_constant_evaluated()) t = trace::innermost(t, current_trace);
  return t;
}

/// How many masked functions this thread is tracing: with large numbers that stand for names, while their programs run on others. Bodies that
/// rules make then are traced without a parent that would tell.
inline constinit thread_local int probing_masks = 0;
struct probing_scope {
  constexpr probing_scope() {
    if (!__builtin_is_constant_evaluated()) ++probing_masks;
  }
  constexpr ~probing_scope() {
    if (!__builtin_is_constant_evaluated()) --probing_masks;
  }
  probing_scope(const probing_scope&) = delete;
};
/// Whether sizes are those of no array.
constexpr bool has_probed_sizes(const trace* t) {
  if (!__builtin_is_constant_evaluated()) return probing_masks != 0;
  while (t && t->why() != trace::purpose::mapping) t = t->parent();
  return t != nullptr;
}

constexpr array_list dummies(std::size_t count) {
  array_list r;
  for (std::size_t i = 0; i < count; ++i) r.push_back(array(0.0f));
  return r;
}

constexpr array_list make_constant(const primitive& op, view<const array> in, const param_view& p, inference& types,
                                   const location& where) {
  constant_node* n = new constant_node;
  n->op = &op;
  n->params = p.pack();
  for (const array& a : in) n->inputs.push_back(a);
  n->outputs = types.outputs;
  n->problem = types.problem;
  n->where = where;
  array_list r;
  for (std::size_t i = 0; i < n->outputs.size(); ++i) r.push_back(array(n, std::uint32_t(i)));
  n->release();
  return r;
}

}  // namespace detail

/// Applies `op` to `in`. Returns one array per output.
/// Errors: whatever the primitive's abstract evaluation finds; unexpected_tracer_error for tracers of finished traces.
/// Complexity: O(operands + parameters) while tracing.
JACQUARD_ONCE constexpr array_list bind(const primitive& op, view<const array> in, const param_view& p, location where) {
  if (!__builtin_is_constant_evaluated() && detail::rule_location) where = *detail::rule_location;
  trace* t = detail::trace_of(in);
  // In storage that the trace keeps: room for avals costs more to make than to fill. Taken out of it, as a rule may bind too. Not from a trace
  // that has ended or is another thread's, which is an error below.
  trace* const keeper = t && t->is_open() && t->on_this_thread() ? t : nullptr;
  list<aval> types;
  if (keeper) types.swap(keeper->spare_types);
  const std::size_t count = in.size();
  if (types.size() < count) types.resize(count);
  aval* const listed = types.data();
  const array* const operands = in.data();
  for (std::size_t i = 0; i < count; ++i) listed[i] = operands[i].aval();
  inference c{op.name, view<const aval>(listed, count), p};
  if (t) c.axes = t->axes;
  else c.axes_follow = __builtin_is_constant_evaluated();
  for (std::size_t i = 0; i < count; ++i) {
    const array& a = operands[i];
    if (a.is_none()) c.fail(error_kind::type, " got an empty jq::array; assign it a value first");
    // At run time only results of eval_shape are symbolic.
    if (!__builtin_is_constant_evaluated() && a.as_constant() && !c.problem) c.problem = a.as_constant()->problem;
  }
  if (!c.problem) op.abstract_eval(c);
  if (keeper) types.swap(keeper->spare_types);
  for (const aval& a : c.outputs)
    if (a.dims.overflowed()) c.fail(error_kind::shape, ": the result would have more than ", max_rank, " dimensions; combine some");
    else if (a.bytes() == INT64_MAX && !detail::has_probed_sizes(t))
      c.fail(error_kind::shape, ": the result would have more bytes than can be counted: ", a, "; make it smaller");
  if (c.problem) {
    c.problem.where = where;
    if (!__builtin_is_constant_evaluated()) throw_error(c.problem);
    if (c.outputs.empty()) c.outputs.push_back({});
    if (!t) return detail::make_constant(op, in, p, c, where);
    t->fail(c.problem);
    return detail::dummies(c.outputs.size());
  }
  const view<const aval> outs(c.outputs.data(), c.outputs.size());
  if (t) {
    if (t->problem) return detail::dummies(outs.size());
    if (!t->is_open() || !t->on_this_thread())
      t->fail(make_error(error_kind::tracer, "Encountered an unexpected tracer: a value traced by ", t->name,
                         t->is_open() ? " was used on another thread; pass the other thread a concrete array"
                                      : " was used after its trace had ended; return it from the traced function "
                                        "instead of storing it"));
    return t->emit(op, in, p, outs, where);
  }
  if (__builtin_is_constant_evaluated()) return detail::make_constant(op, in, p, c, where);
  if (!detail::is_there(&detail::eager_hook))
    detail::raise_without_backend(op.name, where);
  array_list r;
  r.resize(outs.size());
  detail::eager_hook(op, in, p, outs, view<array>(r.data(), r.size()), where);
  return r;
}

/// Applies primitive P with typed parameters; returns its first output.
template <class P, class... Arrays>
constexpr array bind(const params_of<P>& p, const location& where, const Arrays&... in) {
  const array operands[] = {in...};
  if constexpr (std::is_empty_v<params_of<P>>)
    return std::move(jacquard::bind(table_of<P>(), view<const array>(operands), param_view(), where)[0]);
  else {
    const param_pack pack = encode(p);
    return std::move(jacquard::bind(table_of<P>(), view<const array>(operands), pack, where)[0]);
  }
}
template <class P>
constexpr array_list bind_list(const params_of<P>& p, const location& where, view<const array> in) {
  const param_pack pack = encode(p);
  return jacquard::bind(table_of<P>(), in, pack, where);
}

}  // namespace jacquard
