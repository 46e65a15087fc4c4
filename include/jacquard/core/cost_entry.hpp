#pragma once
// The cost rule of a primitive, made from what its struct provides. One that says nothing has a null entry: one operation per
// element of its outputs. Deliberately only operations and bytes: no times, which are the machine's.

#include "jacquard/core/primitive.hpp"

namespace jacquard::detail {

template <class P>
concept has_cost = requires(cost_call& c, const params_of<P>& p) { P::cost(c, p); } || requires(cost_call& c) { P::cost(c); };
template <class P>
constexpr void cost_entry(cost_call& c) {
  if constexpr (requires { P::cost(c); }) P::cost(c);
  else P::cost(c, decode<params_of<P>>(c.params));
}
/// One operation per element that is combined.
constexpr void cost_of_reduction(cost_call& c) { c.cost.flops = double(c.in[0].elements()); }
/// No operations; of each operand at most as much is read as is written.
constexpr void cost_of_moving(cost_call& c) {
  double written = 0;
  for (const aval& t : c.out) written += double(t.bytes());
  c.cost = {0, written};
  for (const aval& t : c.in) c.cost.bytes_accessed += double(t.bytes()) < written ? double(t.bytes()) : written;
}

template <class P>
constexpr auto cost_rule() -> void (*)(cost_call&) {
  if constexpr (has_cost<P>) return &cost_entry<P>;
  else if constexpr (requires(dtype t, const params_of<P>& p) { P::reduce_by(t, p); }) return &cost_of_reduction;
  else if constexpr (requires { P::moves_data; } || requires { P::identity; }) return &cost_of_moving;
  else return nullptr;
}

}  // namespace jacquard::detail
