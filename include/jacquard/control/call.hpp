#pragma once
// call: a nested jit. Its body is a closed jaxpr without constvars; every transform of a call is a call of the transformed
// body. Deliberately no recursion and no sharing of bodies between different calls.

#include "jacquard/control/body_rules.hpp"

namespace jacquard {

/// The body applied to the operands.
/// Rules   every rule is the rule of the body.
struct call_p : body_rules<call_p> {
  static constexpr std::string_view name = "call";
  struct params {
    jaxpr_ref body;
    name_text name;
    static constexpr std::string_view fields = "jaxpr name";
    constexpr params with(jaxpr_ref other) const { return {std::move(other), name}; }
  };
  static constexpr bool inlinable = true;

  /// Splits the call into one that also returns the residuals and a linear one that takes them.
  static constexpr void linearize(auto& c, const params& p) {
    std::vector<char> differentiate;
    for (const array& t : c.t) differentiate.push_back(!t.is_none());
    linearized lin;
    std::vector<std::size_t> residual_at;  // by constant of the linear program: output of the known call
    const std::size_t outputs = c.y.size();
    const jaxpr_ref known = detail::build_body(detail::types_of(c.x), detail::axes_of(c.x), [&](view<const array> in) {
      lin = linearize_jaxpr(*p.body, {}, in, differentiate);
      std::vector<array> outs = lin.primals;
      for (const array& r : lin.program.constants) {
        residual_at.push_back(outs.size());
        outs.push_back(r);
      }
      lin.primals.clear();
      lin.program.constants.clear();
      return outs;
    });
    const params known_call{known, p.name};  // by a name: nvcc 13 forgets to destroy a temporary of this kind
    const array_list out = bind_list<call_p>(known_call, location{}, c.x);
    for (std::size_t i = 0; i < outputs; ++i) c.y[i] = out[i];
    std::vector<array> operands;
    for (std::size_t at : residual_at) operands.push_back(out[at]);
    for (std::size_t i = 0; i < c.t.size(); ++i)
      if (!c.t[i].is_none() && is_inexact(c.x[i].dtype())) operands.push_back(c.t[i]);
    const params linear_call{detail::closed_body(lin.program), p.name};
    if (linear_call.body->outvars.empty()) return;
    const array_list tangents = bind_list<call_p>(linear_call, location{}, operands);
    for (std::size_t i = 0; i < outputs; ++i)
      if (lin.tangent_of[i] >= 0) c.ty[i] = tangents[std::size_t(lin.tangent_of[i])];
  }
};

#if defined(__clang__)
// The rules bind call_p within its own class, before they are complete; see add_any in prims/add.
static_assert((static_cast<void>(&call_p::joint_jvp<joint_call, call_p::params>), static_cast<void>(&call_p::linearize<joint_call>),
               static_cast<void>(&call_p::transpose<transpose_call, call_p::params>), static_cast<void>(&call_p::batch<batch_call, call_p::params>),
               static_cast<void>(&call_p::mask<mask_call, call_p::params>), true));
#endif

}  // namespace jacquard
