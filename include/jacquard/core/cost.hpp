#pragma once
// What a program costs by the rules of its primitives: operations, and the bytes that its equations would access one by one.
// Deliberately without fusion, which is a backend's.

#include "jacquard/core/jaxpr.hpp"

namespace jacquard {

/// How the cost of a program that an equation holds is found.
struct body_cost {
  program_cost (*of)(const void* context, const jaxpr_ref& body, std::size_t number) = nullptr;
  const void* context = nullptr;
};
constexpr program_cost cost_of(const jaxpr& p);

namespace detail {
constexpr program_cost cost_of_body(const void*, const jaxpr_ref& body, std::size_t) { return cost_of(*body); }
}  // namespace detail

/// The cost of one equation: that of its primitive's rule. Without one it is an operation per element of the outputs, the cost of the
/// first program it holds, or nothing where functions of the host do the work.
constexpr program_cost cost_of(const jaxpr& p, const equation& e, const body_cost& body = {&detail::cost_of_body, nullptr}) {
  small_vector<aval, 4> in;
  small_vector<aval, 2> out;
  program_cost cost;
  for (atom a : p.inputs(e)) in.push_back(p.type_of(a));
  for (variable v : p.outputs(e)) out.push_back(p.avals[v]);
  for (const aval& t : in) cost.bytes_accessed += double(t.bytes());
  for (const aval& t : out) {
    cost.bytes_accessed += double(t.bytes());
    if (e.op->kernel) cost.flops += double(t.elements());
  }
  cost_call c{view<const aval>(in.data(), in.size()), view<const aval>(out.data(), out.size()), p.params(e), cost, body.of, body.context};
  if (e.op->cost) e.op->cost(c);
  else if (e.subs.count != 0) c.cost = c.body(0);
  return c.cost;
}

/// The cost of a program, equation by equation. Complexity: linear in the equations, those of bodies included.
constexpr program_cost cost_of(const jaxpr& p) {
  program_cost sum;
  for (const equation& e : p.equations) sum += cost_of(p, e);
  return sum;
}

}  // namespace jacquard
