#pragma once
// One equation on concrete arrays, by the kernel that its primitive has: what the interpreter does throughout, and compiled
// backends where they have no code of their own. Deliberately knows no program.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/kernel.hpp"
#include "jacquard/core/value_checks.hpp"

namespace jacquard::detail {

/// Runs the bodies that an equation holds.
struct body_runner {
  std::vector<array> (*run)(void* context, const jaxpr_ref& body, std::vector<array> arguments) = nullptr;
  void* context = nullptr;
};

/// Whether equation output `out` may be written into the buffer of operand `k`, which the caller owns alone.
inline bool reusable(const primitive& op, std::size_t k, const array& x, const aval& out) {
  const buffer* b = x.as_buffer();
  return (op.elementwise || op.overwrites == int(k)) && b && !b->is_shared() && b->is_ours() && b->is_ready() && b->type.type == out.type &&
         b->type.dims == out.dims;
}

/// Runs one equation. Operands that `movable` marks are dead afterwards and may be overwritten. `types` of the results may be
/// left out for a primitive with an evaluate rule, which knows them.
inline void run_equation(const primitive& op, view<array> in, const param_view& params, view<const aval> types,
                         view<array> out, view<const char> movable, const body_runner& bodies, device_id device,
                         const location& where) {
  const event_scope seen(event_kind::kernel, op.name, device, where);
  if (op.evaluate) {
    for (const array& x : in)
      if (const buffer* b = x.as_buffer()) b->check_alive();
    evaluate_call c{in, out, params, bodies.run, bodies.context, device};
    op.evaluate(c);
    if (unusual_now() != 0 && checked_values.any()) check_values(op.name, out, where);
    return;
  }
  if (!op.kernel)
    throw_error([&] {
      error_record e = make_error(error_kind::not_implemented, "Evaluation rule for '", op.name, "' not implemented; give the "
                                  "primitive a kernel, or apply the transform it is meant for (collectives need jq::vmap or "
                                  "jq::pmap with their axis_name)");
      e.where = where;
      return e;
    }());
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t donor = in.size();
    for (std::size_t k = 0; k < movable.size() && donor == in.size(); ++k)
      if (movable[k] && reusable(op, k, in[k], types[i])) donor = k;
    if (donor < in.size()) {
      out[i] = in[donor];
      out[i].as_buffer()->type.weak = types[i].weak;
    } else out[i] = array(make_buffer(types[i]));
  }
  small_vector<complex128, 4> scalars(in.size());
  small_vector<aval, 4> scalar_types(in.size());
  small_vector<tensor_ref, 4> operands;
  small_vector<tensor_ref, 2> results;
  for (std::size_t k = 0; k < in.size(); ++k) operands.push_back(operand_ref(in[k], scalars[k], scalar_types[k]));
  for (array& o : out) results.push_back({o.as_buffer()->data, &o.as_buffer()->type});
  op.kernel({view<const tensor_ref>(operands.data(), operands.size()),
             view<const tensor_ref>(results.data(), results.size()), params});
  if (unusual_now() != 0 && checked_values.any()) check_values(op.name, out, where);
}

/// By equation: bit per operand that is not read afterwards.
inline std::vector<char> last_uses(const jaxpr& p) {
  std::vector<char> dead(p.operands.size(), false);
  std::vector<char> used(p.avals.size(), false);
  for (atom a : p.outvars)
    if (!a.is_literal()) used[a.index()] = true;
  for (std::size_t n = p.equations.size(); n-- > 0;) {
    const equation& e = p.equations[n];
    for (std::uint32_t k = e.in.count; k-- > 0;) {  // of equal operands, the last one is the last use
      const atom a = p.operands[e.in.first + k];
      if (a.is_literal() || used[a.index()]) continue;
      used[a.index()] = true;
      dead[e.in.first + k] = true;
    }
  }
  return dead;
}

}  // namespace jacquard::detail

namespace jacquard {

/// What an executable does with an argument that was donated: its memory under a new handle, with which the executable may do as it likes. The
/// caller's handles become deleted, with `where` as who took it. Numbers and borrowed memory stay as they are. Errors: deleted_error.
inline array take_over(const array& x, const location& where) {
  buffer* b = x.as_buffer();
  if (!b || !b->is_ours()) return x;
  b->check_alive();
  return array(b->take(where));
}

}  // namespace jacquard
