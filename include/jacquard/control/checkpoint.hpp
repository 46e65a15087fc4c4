#pragma once
// checkpoint: a function whose intermediate values are not kept for its derivative but computed again when it is needed, but for
// those that a policy says to keep. Deliberately an equation with a body of its own, so that no pass merges what is computed
// again with what was computed before.

#include "jacquard/control/body_rules.hpp"
#include "jacquard/prims/checkpoint_name.hpp"
#include "jacquard/prims/conv.hpp"
#include "jacquard/prims/dot_general.hpp"
#include "jacquard/prims/stop_gradient.hpp"

namespace jacquard {

/// What a policy is asked about: an operation of the function or of its derivative.
struct policy_query {
  const primitive* op;
  param_view params;

  /// Its parameters, if it is a P.
  template <class P>
  constexpr bool is() const { return op == &table_of<P>(); }
  template <class P>
  constexpr params_of<P> as() const { return decode<params_of<P>>(params); }
};

namespace detail {

/// A policy as equations keep it.
struct policy_state : function_state {
  constexpr virtual bool saves(const policy_query& q) const = 0;
  constexpr virtual ~policy_state() {}
};
template <class Policy>
struct policy_of final : policy_state {
  [[no_unique_address]] Policy policy;
  policy_of* whole = this;  // as rule_of
  constexpr explicit policy_of(Policy p) : policy(std::move(p)) {
    destroy = [](function_state* s) { delete static_cast<policy_of*>(s)->whole; };
  }
  constexpr ~policy_of() override {}
  constexpr bool saves(const policy_query& q) const override { return policy(q); }
};

/// What of a linearized body is computed again: equations that lie between what is kept and the residuals.
struct recomputation {
  std::vector<char> again;        ///< by equation of the known body
  std::vector<variable> saved;    ///< results of the others that it reads, or that are residuals
  std::vector<std::size_t> inputs;  ///< operands that it reads, or that are residuals
};
template <class Array = array>
constexpr recomputation find_recomputation(const jaxpr& known, std::size_t outputs, const function_ref& policy) {
  recomputation r;
  std::vector<char> needed(known.avals.size(), false);
  for (std::size_t i = outputs; i < known.outvars.size(); ++i)
    if (!known.outvars[i].is_literal()) needed[known.outvars[i].index()] = true;
  r.again.resize(known.equations.size(), false);
  for (std::size_t n = known.equations.size(); n-- > 0;) {
    const equation& e = known.equations[n];
    bool any = false;
    for (variable v : known.outputs(e)) any = any || needed[v];
    if (!any) continue;
    // What shows values or meets other members is not done twice; what was tapped is kept, so that its tap is among what the derivative needs. A
    // loop with taps would keep too much: it is run again, in silence.
    const bool kept = (e.effects & ~(known.params(e).sub_count != 0 ? effect_set(tap_effect) : effect_set(0))) != 0 ||
                      (policy.state() && static_cast<const policy_state*>(policy.state())->saves({e.op, known.params(e)}));
    r.again[n] = !kept;
    for (variable v : known.outputs(e))
      if (kept && needed[v]) r.saved.push_back(v);
    for (atom a : known.inputs(e))
      if (!kept && !a.is_literal()) needed[a.index()] = true;
  }
  for (std::size_t i = 0; i < known.invars.size(); ++i)
    if (needed[known.invars[i]]) r.inputs.push_back(i);
  return r;
}

}  // namespace detail

/// The body applied to the operands; what its derivative needs is computed again unless `policy` keeps it.
/// Rules   linearize: the body once, which also returns what is kept, and in the linear program a checkpoint of what computes
///         the residuals again and of the tangents. Not of a body that calls functions with side effects; others as a call.
/// Cost    evaluation: the body's. Reverse mode: what is kept is held in memory; the rest is computed once more.
struct checkpoint_p : body_rules<checkpoint_p> {
  static constexpr std::string_view name = "checkpoint";
  struct params {
    jaxpr_ref body;
    function_ref policy;
    static constexpr std::string_view fields = "jaxpr policy";
    constexpr params with(jaxpr_ref other) const { return {std::move(other), policy}; }
  };

  static constexpr void linearize(auto& c, const params& p) {
    if (detail::acts(*p.body))
      return detail::fail_in_rule(c.x, make_error(error_kind::not_implemented, "Effects not supported in partial-eval of `checkpoint`. What calls a function "
                                                  "with side effects cannot be computed again; call it outside, or show values with jq::debug::callback"));
    const axis_binding* axes = detail::axes_of(c.x);
    const std::vector<char> nonzero = detail::tangent_flags(c.x, c.t);
    const detail::linearized_body lin = detail::linearize_body(inline_calls({p.body, {}, {}}, true).program, axes, nonzero);
    const jaxpr& known = *lin.known;
    const detail::recomputation r = detail::find_recomputation(known, c.y.size(), p.policy);
    jaxpr forward = known;
    forward.outvars.resize(c.y.size());
    for (variable v : r.saved) forward.outvars.push_back(atom::of_variable(v));
    const array_list out = bind_list<checkpoint_p>(p.with(jaxpr_ref(drop_dead(forward))), location{}, c.x);
    for (std::size_t i = 0; i < c.y.size(); ++i) c.y[i] = out[i];
    std::vector<array> operands;
    for (std::size_t i : r.inputs) operands.push_back(c.x[i]);
    for (std::size_t i = c.y.size(); i < out.size(); ++i) operands.push_back(out[i]);
    for (std::size_t i = 0; i < c.x.size(); ++i)
      if (nonzero[i]) operands.push_back(c.t[i]);
    const jaxpr_ref body = detail::build_tidy_body(detail::types_of(operands), axes, [&](view<const array> in) {
      environment env(known, {}, {});
      std::size_t next = 0;
      for (std::size_t i : r.inputs) env.write(known.invars[i], in[next++]);
      for (variable v : r.saved) env.write(v, in[next++]);
      detail::eval_equations(known, env, r.again, detail::tapping::silent);
      const std::vector<array> residuals = env.read(view<const atom>(known.outvars).subspan(c.y.size()));
      std::vector<array> outs;
      for (const array& ty : lin.tangents(residuals, in.subspan(next)))
        if (!ty.is_none()) outs.push_back(ty);
      return outs;
    });
    if (body->outvars.empty()) return;
    const array_list tangents = bind_list<checkpoint_p>(p.with(body), location{}, operands);
    std::size_t next = 0;
    for (std::size_t i = 0; i < c.y.size(); ++i)
      if (lin.tangent_of[i] >= 0) c.ty[i] = tangents[next++];
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&checkpoint_p::joint_jvp<joint_call, checkpoint_p::params>), static_cast<void>(&checkpoint_p::linearize<joint_call>),
               static_cast<void>(&checkpoint_p::transpose<transpose_call, checkpoint_p::params>),
               static_cast<void>(&checkpoint_p::batch<batch_call, checkpoint_p::params>),
               static_cast<void>(&checkpoint_p::mask<mask_call, checkpoint_p::params>), true));
#endif

/// Which values a checkpointed function keeps for its derivative. A policy is any function of a policy_query that says whether
/// the operation's results are kept.
namespace checkpoint_policies {

inline constexpr auto everything_saveable = [](const auto&) { return true; };
inline constexpr auto nothing_saveable = [](const auto&) { return false; };
/// Results of matrix products and convolutions.
inline constexpr auto checkpoint_dots = [](const auto& q) {
  return q.template is<dot_general_p>() || q.template is<conv_general_dilated_p>();
};
inline constexpr auto dots_saveable = checkpoint_dots;
/// Results of matrix products without batch dimensions, such as those of layers with weights.
inline constexpr auto checkpoint_dots_with_no_batch_dims = [](const auto& q) {
  return q.template is<dot_general_p>() && q.template as<dot_general_p>().lhs_batch.empty();
};

namespace detail {
template <std::size_t N, bool Among>
struct names_policy {
  name_text names[N > 0 ? N : 1];
  constexpr bool operator()(const policy_query& q) const {
    if (!q.is<checkpoint_name_p>()) return false;
    const name_text own = q.as<checkpoint_name_p>().name;
    for (std::size_t i = 0; i < N; ++i)
      if (names[i] == own) return Among;
    return !Among;
  }
};
}  // namespace detail

/// Values with one of these names; see checkpoint_name.
template <class... Name>
constexpr auto save_only_these_names(const Name&... names) {
  return detail::names_policy<sizeof...(Name), true>{{name_text(std::string_view(names))...}};
}
/// Values with any other name.
template <class... Name>
constexpr auto save_any_names_but_these(const Name&... names) {
  return detail::names_policy<sizeof...(Name), false>{{name_text(std::string_view(names))...}};
}

}  // namespace checkpoint_policies

namespace detail {

/// Whether a policy is one, said where it is given: calls of it stand deep within an equation.
template <class Policy>
constexpr bool check_policy() {
  constexpr bool fits = std::is_invocable_r_v<bool, const Policy&, const policy_query&>;
  static_assert(fits, "jq::checkpoint: this policy is not one of jq::checkpoint_policies nor a function of a const jq::policy_query& that returns "
                      "whether to keep the operation's results");
  return fits;
}

template <class F, class Policy>
struct checkpointed_function {
  [[no_unique_address]] F f;
  [[no_unique_address]] Policy policy;

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    if constexpr (is_static_call<A...>()) return call_in_static_lane(lane<A...>{}, *this, own_result{}, args...);
    else {
      const leaf_list leaves = flatten_all(args...);
      F g = f;
      auto t = trace_body(g, "checkpoint", types_of(leaves), leaves, args...);
      std::vector<array> operands = t.program.constants;
      operands.insert(operands.end(), leaves.begin(), leaves.end());
      const array_list y = bind_list<checkpoint_p>({closed_body(t.program), function_ref(nullptr, new policy_of<Policy>(policy))}, location{}, operands);
      return rebuild<rebind_t<decltype(t.result)>>(t.result, view<const array>(y.data(), y.size()));
    }
  }
};

}  // namespace detail

/// f, of whose intermediate values only those that the policy keeps are held for the derivative; the others are computed again
/// when it is taken. Without a policy nothing is kept but the arguments.
template <class F, class Policy = decltype(checkpoint_policies::nothing_saveable)>
constexpr auto checkpoint(F f, Policy policy = {}) {
  if constexpr (detail::check_policy<Policy>()) return detail::checkpointed_function<F, Policy>{std::move(f), std::move(policy)};
  else return f;
}

/// x under a name by which checkpoint policies know it.
template <class Array = array>
constexpr array checkpoint_name(const lazy<Array>& x, std::string_view name, location where = location::current()) {
  return lax::checkpoint_name(x, name, where);
}
/// x, which differentiation takes for a constant. See lax::stop_gradient; for trees, every leaf. What is no array yet, a number or a
/// tree of the compile-time lane, has no derivatives and is returned as it is.
template <class T>
constexpr auto stop_gradient(const T& tree) {
  if constexpr (scalar<T> || detail::is_static_call<T>()) return tree;
  else {
    std::vector<array> leaves;
    flatten_into(tree, leaves);
    for (array& x : leaves)
      if (is_inexact(x.dtype())) x = lax::stop_gradient(x);
    return rebuild<rebind_t<T>>(tree, leaves);
  }
}

}  // namespace jacquard
