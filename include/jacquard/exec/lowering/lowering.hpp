#pragma once
// Lowering: from a simplified jaxpr to loop kernels and the equations that run by themselves, in an order that respects
// dependencies and effects. Shared by the compiled backends. Deliberately without target code and without memory.

#include "jacquard/exec/lowering/scheduler.hpp"

namespace jacquard::lowering {

/// Lowers a program; `supported` says what the backend computes within loops, `limits` which contractions and lookups are loops as well.
/// `in_registers`: values of few elements will lie there. `in_blocks`: kernels may run along with others, see loop_kernel::block. Everything
/// else runs by its own kernel.
/// Complexity: linear in the program but for the search among the last kernels for one to share.
inline lowered_program lower(const jaxpr& p, supported_op supported, rounding r = rounding::fast, const loop_limits& limits = {}, bool in_registers = false,
                             bool in_blocks = false) {
  return detail::scheduler(p, supported, r, limits, in_registers, in_blocks).run();
}

namespace detail {
inline void put_label(text& out, atom a) { out << 'v' << a.index(); }
inline void put_equation(text& t, const jaxpr& p, const equation& e) {
  for (variable v : p.outputs(e)) put_label(t, atom::of_variable(v)), t << ' ';
  t << "= " << e.op->name;
  for (atom a : p.inputs(e)) {
    if (a.is_literal()) jacquard::detail::put_literal(t << ' ', p.literals[a.index()]);
    else put_label(t << ' ', a);
  }
}
}  // namespace detail

/// Listing for people: kernels and equations in order. Variables go by their numbers.
inline text to_text(const jaxpr& p, const lowered_program& l) {
  text t;
  for (const lowered_step& s : l.steps) {
    if (s.kernel >= 0) {
      t << "kernel " << s.kernel << ": ";
      put_kernel(t, l.kernels[std::size_t(s.kernel)], &detail::put_label);
      continue;
    }
    detail::put_equation(t, p, p.equations[s.equation]);
    t << (s.alias ? " (same memory)\n" : "\n");
  }
  return t;
}

/// Listing of which equations run together, for people.
inline text clusters_text(const jaxpr& p, const lowered_program& l) {
  text t;
  const std::vector<std::int32_t> makers = makers_of(p);
  for (const lowered_step& s : l.steps) {
    if (s.kernel < 0) {
      detail::put_equation(t << "alone:\n  ", p, p.equations[s.equation]);
      t << (s.alias ? " (same memory)\n" : "\n");
      continue;
    }
    t << "kernel " << s.kernel << ":\n";
    for (std::size_t n : l.equations_of(s.kernel, makers)) {
      detail::put_equation(t << "  ", p, p.equations[n]);
      t << '\n';
    }
  }
  return t;
}

}  // namespace jacquard::lowering
