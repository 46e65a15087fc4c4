#pragma once
// custom_jvp: a function whose derivative the user gives. Evaluation, compilation and vmap see the function itself; where it is
// differentiated, the rule runs instead. Deliberately the rule is traced then, not before.

#include "jacquard/control/rule.hpp"
#include "jacquard/transforms/grad.hpp"

namespace jacquard {

/// The body applied to the operands, of which the first are captured values. `rule` maps primals and tangents of the others to
/// results and their tangents.
/// Rules   jvp and linearize: the rule; batch: the body and the rule, both for each example; mask: the body and the rule, both on
///         padded arrays; transpose: none, a rule's tangents are linear in themselves.
struct custom_jvp_p : detail::function_with_rule {
  static constexpr std::string_view name = "custom_jvp_call";
  struct params {
    jaxpr_ref body;
    function_ref rule;
    std::int64_t num_consts = 0;
    static constexpr std::string_view fields = "jaxpr jvp num_consts";
  };

  static constexpr void joint_jvp(auto& c, const params& p) {
    if (detail::refuses_captured(c, p.num_consts, "custom_jvp")) return;
    std::vector<array> in(c.x.begin() + p.num_consts, c.x.end());
    for (std::size_t i = std::size_t(p.num_consts); i < c.x.size(); ++i) in.push_back(detail::instantiate(c.t[i], c.x[i].aval()));
    std::vector<array> out = detail::run_rule(p.rule, view<const array>(in));
    if (!detail::gives_results("Custom JVP rule", c.x, *p.body, out)) return;
    for (std::size_t i = 0; i < c.y.size() && out.size() == 2 * c.y.size(); ++i) {
      c.y[i] = out[i];
      if (is_inexact(out[i].dtype())) c.ty[i] = out[c.y.size() + i];
    }
  }
  /// The rule, linear in the tangents, is its own derivative with respect to them: linearized there, it falls into what the
  /// primals give and what the tangents do.
  static constexpr void linearize(auto& c, const params& p) {
    if (detail::refuses_captured(c, p.num_consts, "custom_jvp")) return;
    const std::size_t first = std::size_t(p.num_consts), results = c.y.size();
    const closed_jaxpr rule = trace_rule(c.x.subspan(first), p);
    if (rule->outvars.size() != 2 * results || !(detail::is_linear_rule(p.rule) || check_linear(c.x, *rule, c.x.size() - first))) return;
    std::vector<array> operands = rule.constants, t;
    operands.insert(operands.end(), c.x.begin() + p.num_consts, c.x.end());
    std::vector<char> nonzero(operands.size(), false);
    for (std::size_t i = first; i < c.x.size(); ++i) {
      operands.push_back(detail::instantiate(array(), c.x[i].aval()));
      nonzero.push_back(!c.t[i].is_none() && is_inexact(c.x[i].dtype()));
      if (nonzero.back()) t.push_back(c.t[i]);
    }
    const detail::linearized_body lin = detail::linearize_body(detail::closed_body(rule), detail::axes_of(c.x), nonzero);
    jaxpr known = *lin.known;  // results and residuals; the tangents of zero tangents are of no use
    known.outvars.erase(known.outvars.begin() + std::ptrdiff_t(results), known.outvars.begin() + std::ptrdiff_t(2 * results));
    show_no_zeros(known, operands.size() - (c.x.size() - first));
    const std::vector<array> out = eval_jaxpr(drop_dead(known), {}, operands);
    const std::vector<array> ty = lin.tangents(view<const array>(out).subspan(results), t);
    for (std::size_t i = 0; i < results; ++i) {
      c.y[i] = out[i];
      if (is_inexact(out[i].dtype())) c.ty[i] = ty[results + i];
    }
  }

  static constexpr void batch(auto& c, const params& p) {
    params q = p;
    q.body = detail::mapped_body(c, *p.body);
    std::vector<int> dims(c.dims.begin() + p.num_consts, c.dims.end());
    dims.insert(dims.end(), c.dims.begin() + p.num_consts, c.dims.end());
    q.rule = detail::make_rule([rule = p.rule, dims, size = c.size, axis = c.axis](view<const array> in, function_ref& more) {
      return detail::run_rule_mapped(rule, in, dims, size, axis, more);
    }, detail::is_linear_rule(p.rule));
    for (const array& y : bind_list<custom_jvp_p>(q, location{}, c.x)) c.outputs.push_back({y, 0});
  }

  static constexpr void mask(auto& c, const params& p) {
    detail::mask_with_rule<custom_jvp_p>(c, p, [](auto& q) -> auto& { return q.rule; },
                                         [](const auto& rules, const auto& context, const auto& arguments, const auto& results) {
      list<dimension_list> dims = arguments, want = results;
      dims.append(arguments.begin(), arguments.end());
      want.append(results.begin(), results.end());
      return [=](view<const array> in, function_ref&) {
        const std::size_t names = (in.size() - dims.size()) / 2, count = dims.size() / 2;
        std::vector<array> x(in.begin() + std::ptrdiff_t(names), in.begin() + std::ptrdiff_t(names + count));
        x.insert(x.end(), in.end() - std::ptrdiff_t(count), in.end());
        detail::twin_rules more;
        const std::vector<masked> out = detail::run_rule_masked(rules, context, in.first(names), x, dims, more);
        return detail::padded_values(in, out, want, "a result of a custom_jvp function", "where the function does");
      };
    });
  }

 private:
  /// What shows a tangent does so where the tangents are, and not with the zeros that stand for them in `known`, whose inputs from
  /// `first` on they are.
  static constexpr void show_no_zeros(jaxpr& known, std::size_t first) {
    if (known.effects == no_effect) return;
    std::vector<char> zero(known.invars.size(), false);
    for (std::size_t i = first; i < zero.size(); ++i) zero[i] = true;
    const std::vector<char> of_zeros = detail::dependents(known, zero);
    std::vector<atom> same_as;  // by variable: the operand that an identity without its effect gives
    for (variable v = 0; v < known.avals.size(); ++v) same_as.push_back(atom::of_variable(v));
    for (equation& e : known.equations) {
      bool shows_zeros = false;
      for (std::uint32_t k = e.in.first; k < e.in.first + e.in.count; ++k) {
        atom& a = known.operands[k];
        if (a.is_literal()) continue;
        shows_zeros = shows_zeros || (e.effects != no_effect && e.subs.count == 0 && of_zeros[a.index()]);  // bodies may show primals, too
        a = same_as[a.index()];
      }
      if (!shows_zeros) continue;
      e.effects = no_effect;
      for (std::uint32_t k = 0; e.op->identity && k < e.out.count; ++k) same_as[known.results[e.out.first + k]] = known.operands[e.in.first + k];
    }
    for (atom& a : known.outvars)
      if (!a.is_literal()) a = same_as[a.index()];
  }
  /// Whether a rule is linear in the tangents, its inputs from `first` on, as their transposition would find; if not, reports the first equation
  /// that is to blame.
  static constexpr bool check_linear(const auto& about, const jaxpr& rule, std::size_t first) {
    const equation* e = to_blame(about, rule, first, true);
    if (e) e = to_blame(about, rule, first, false);
    if (!e) return true;
    detail::missing_rule(about, "Transpose rule (for reverse-mode differentiation)", *e, "the tangents that the rule of a custom_jvp gives must be linear in those it gets");
    return false;
  }
  /// The first equation that is not linear in what depends on tangents; null if there is none. In haste, one that holds programs is always to blame,
  /// and so is what reads its results; else it is asked, since the rule may be the jvp of a loop, which carries primals beside tangents.
  static constexpr const equation* to_blame(const auto& about, const jaxpr& rule, std::size_t first, bool in_haste) {
    std::vector<char> depends(rule.avals.size(), false);  // by variable: on tangents
    for (std::size_t i = first; i < rule.invars.size(); ++i) depends[rule.invars[i]] = is_inexact(rule.avals[rule.invars[i]].type);
    for (const equation& e : rule.equations) {
      std::vector<char> operands;
      array_list known;  // none where an operand depends on tangents
      bool any = false, counts = false;
      for (atom a : rule.inputs(e)) {
        operands.push_back(!a.is_literal() && depends[a.index()]);
        any = any || operands.back();
        if (operands.back()) known.push_back({});
        else known.push_back(array(0.0f));
      }
      if (!any) continue;
      detail::tangents_of_results made{std::vector<char>(e.out.count, true), false};
      const bool holds_programs = e.subs.count + e.functions.count != 0;
      if (e.op->identity) std::copy(operands.begin(), operands.begin() + e.out.count, made.nonzero.begin());
      else if (!holds_programs) made.vary = !e.op->transpose || !detail::is_linear_where_none(*e.op, known);
      else if (in_haste) made.vary = true;
      else made = detail::tangents_through(rule, e, operands, detail::axes_of(about));
      for (std::size_t k = 0; k < e.out.count; ++k) {
        const variable v = rule.outputs(e)[k];
        depends[v] = made.nonzero[k] && is_inexact(rule.avals[v].type);
        counts = counts || depends[v];
      }
      if (counts && made.vary) return &e;
    }
    return nullptr;
  }
  /// The rule as a program of primals, whose values it may ask for, and tangents.
  static constexpr closed_jaxpr trace_rule(const auto& x, const params& p) {
    trace_scope t(trace::purpose::values, detail::trace_of(x));
    t->name = "custom_jvp";
    std::vector<array> in;
    for (const array& v : x) in.push_back(t->input(v.aval(), v));
    for (const array& v : x) in.push_back(t->input(is_inexact(v.dtype()) ? v.aval() : aval(bool_, v.shape())));
    t.enter();
    std::vector<array> out = detail::run_rule(p.rule, view<const array>(in));
    detail::gives_results("Custom JVP rule", view<const array>(in), *p.body, out);
    return t->finish(std::move(out));
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&custom_jvp_p::joint_jvp<joint_call>), static_cast<void>(&custom_jvp_p::linearize<joint_call>),
               static_cast<void>(&custom_jvp_p::batch<batch_call>),
               static_cast<void>(&custom_jvp_p::mask<mask_call>), true));
#endif

namespace detail {

/// What is wrong with the outputs of a rule and their tangents, given their structures and that of the function's results. Tangents become those of
/// their outputs' types.
template <class Array = array>
constexpr error_record problem_of_jvp_rule(const text& out, const text& tangent, const text& want, view<const lazy<Array>> y, std::vector<lazy<Array>>& t) {
  if (!(out == tangent))
    return make_error(error_kind::type, "Custom JVP rule must produce primal and tangent outputs with equal container (pytree) structures, but got ", out, " and ",
                      tangent, " respectively.");
  if (!(out == want))
    return make_error(error_kind::type, "Custom JVP rule must produce the results of the function, of structure ", want, ", but got ", out);
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!t[i].is_none()) t[i] = match_primal(t[i], y[i].aval());
    if (t[i].is_none() || !is_inexact(y[i].dtype()) || same_type(t[i].aval(), y[i].aval())) continue;
    return make_error(error_kind::type, "Custom JVP rule must produce primal and tangent outputs with equal shapes and dtypes, but got ",
                      long_type_text(y[i].aval()), " and ", long_type_text(t[i].aval()), " respectively.");
  }
  return {};
}
/// The leaves of a rule's outputs and, after them, of their tangents; the outputs should be like `result`.
template <class Y, class T, class Result>
constexpr std::vector<array> outputs_and_tangents(view<const array> in, const Y& y, const T& ty, const Result& result) {
  std::vector<array> outs, tangents;
  flatten_into(y, outs);
  flatten_into(ty, tangents);
  if (const error_record e = problem_of_jvp_rule(structure_text(y), structure_text(ty), structure_text(result), outs, tangents)) {
    fail_in_rule(in, e);
    return {};
  }
  const std::size_t count = outs.size();
  for (std::size_t i = 0; i < count; ++i) outs.push_back(instantiate(tangents[i], outs[i].aval()));
  return outs;
}

/// The flat form of a user's rule of custom_jvp; see rule_of.
template <class Rule, class Nondiff, class Primals, class Result>
struct flat_jvp_rule {
  [[no_unique_address]] Rule rule;
  Nondiff nondiff;
  Primals like;     ///< trees of the arguments' structure
  Result result;    ///< a tree of the result's structure

  constexpr std::vector<array> operator()(view<const array> in, function_ref&) const {
    const array* next = in.data();
    const Nondiff given = with_arrays(nondiff, next);
    const std::ptrdiff_t without_tangents = next - in.data();
    const Primals x = rebuild_arguments(like, next);
    next += without_tangents;
    const Primals t = rebuild_arguments(like, next);
    const auto pair = std::apply([&](const auto&... fixed) { return call_function(rule, fixed..., x, t); }, given);
    static_assert(is_pair<std::remove_cvref_t<decltype(pair)>>,
                  "Custom JVP rule must produce a pair (list or tuple of length two) representing primal and tangent outputs: return "
                  "std::pair{out, tangent_out}");
    if constexpr (is_pair<std::remove_cvref_t<decltype(pair)>>) return outputs_and_tangents(in, std::get<0>(pair), std::get<1>(pair), result);
    else return {};  // one error is enough
  }
};

template <class F, class Rule, auto Nondiff>
struct custom_jvp_function {
  [[no_unique_address]] F f;
  [[no_unique_address]] Rule rule;

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    return call_with_rule<custom_jvp_p, Nondiff>(*this, f, "custom_jvp", [&]<class Fixed, class X, class Y>(const Fixed& nondiff, const X& like, const Y& result) {
      return make_rule(flat_jvp_rule<Rule, Fixed, X, Y>{rule, nondiff, like, result});
    }, args...);
  }
};

}  // namespace detail

/// f with its derivative given by rule(nondiff..., primals, tangents) -> {out, tangent_out}, where primals and tangents are
/// tuples of the other arguments. Tangents of integers are zeros of dtype bool. Option: nondiff_argnums.
/// Errors: type_error where the rule's results do not fit each other or those of f; unexpected_tracer_error where what f captures or gets in
/// nondiff_argnums is differentiated.
template <class F, class Rule, class... O>
constexpr auto custom_jvp(F f, Rule rule, O...) {
  (void)(detail::check_rule_option<O>() && ...);
  return detail::custom_jvp_function<F, Rule, detail::int_option<nondiff_argnums_t, O...>()>{std::move(f), std::move(rule)};
}

}  // namespace jacquard
