#pragma once
// How long a program will run on tiles and take to compile, roughly: enough to tell an instant from a second before it first runs, so that a
// long loop is not spent on the slower tier. Deliberately by counting, without a look at the machine; loops whose trips nobody knows count as one.

#include "jacquard/core/cost.hpp"

namespace jacquard::cpu {

namespace detail {
inline program_cost cost_on_tiles(const jaxpr& p);
inline program_cost cost_of_body_on_tiles(const void*, const jaxpr_ref& body, std::size_t) { return cost_on_tiles(*body); }

/// Nanoseconds, as `flops`: some for each equation, whatever its size, and some for each element that it makes.
inline program_cost cost_on_tiles(const jaxpr& p) {
  constexpr double each_equation = 200, each_element = 0.25;
  program_cost sum;
  for (const equation& e : p.equations) {
    if (e.subs.count != 0) sum += cost_of(p, e, {&cost_of_body_on_tiles, nullptr});
    else
      for (variable v : p.outputs(e)) sum.flops += each_element * double(p.avals[v].elements());
    sum.flops += each_equation;
  }
  return sum;
}
inline std::size_t count_equations(const jaxpr& p) {
  std::size_t n = p.equations.size();
  for (const jaxpr_ref& body : p.subs) n += count_equations(*body);
  return n;
}
}  // namespace detail

/// Nanoseconds that one run takes on tiles. Complexity: linear in the equations, those of bodies included.
inline double time_on_tiles(const jaxpr& p) { return detail::cost_on_tiles(p).flops; }
/// Nanoseconds that making its machine code takes.
inline double time_to_compile(const jaxpr& p) {
  constexpr double first = 1e7, each = 1e6;
  return first + each * double(detail::count_equations(p));
}

}  // namespace jacquard::cpu
