#pragma once
// custom_vjp: a function whose pullback the user gives, as a forward function that also returns residuals and a backward one.
// Evaluation, compilation and vmap see the function itself. custom_gradient is the same with both in one function. Deliberately
// no forward mode: a pullback cannot be run forwards.

#include "jacquard/control/rule.hpp"
#include "jacquard/transforms/grad.hpp"

namespace jacquard {

/// The tangents of a custom_vjp function, for which only the way back is known: operands are residuals and tangents, `body` the
/// function, whose results' types these tangents have.
/// Rules   transpose: the pullback; batch: it, for each example; mask: it, on padded arrays. No evaluation and no derivative.
struct custom_lin_p {
  static constexpr std::string_view name = "custom_lin";
  struct params {
    jaxpr_ref body;
    function_ref pullback;
    std::int64_t num_residuals = 0;
    static constexpr std::string_view fields = "jaxpr bwd num_res";
  };
  static constexpr bool not_foldable = true;

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (std::int64_t(c.in.size()) < p.num_residuals)
      return void(c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", p.num_residuals, " residuals and the tangents"));
    for (atom a : p.body->outvars) c.outputs.push_back(p.body->type_of(a));
  }
  static void evaluate(evaluate_call&) { raise(error_kind::type, forward_mode); }
  static constexpr void joint_jvp(auto& c, const params&) { detail::fail_in_rule(c.x, make_error(error_kind::type, forward_mode)); }
  static constexpr void linearize(auto& c, const params& p) { joint_jvp(c, p); }

  static constexpr void transpose(auto& c, const params& p) {
    std::vector<array> in(c.x.begin(), c.x.begin() + p.num_residuals);
    for (std::size_t i = 0; i < c.ct.size(); ++i) in.push_back(detail::instantiate(c.ct[i], p.body->type_of(p.body->outvars[i])));
    const std::vector<array> back = detail::run_rule(p.pullback, view<const array>(in));
    for (std::size_t i = std::size_t(p.num_residuals), k = 0; i < c.x.size() && k < back.size(); ++i, ++k)
      if (c.x[i].is_none() && is_inexact(c.in[i].type)) c.ct_in[i] = back[k];
  }

  static constexpr void batch(auto& c, const params& p) {
    params q = p;
    std::vector<aval> types;
    for (atom a : p.body->outvars) types.push_back(detail::stacked_type_of(p.body->type_of(a), c.size));
    q.body = body_of(types);
    std::vector<int> seeds(c.dims.begin(), c.dims.begin() + p.num_residuals);
    seeds.resize(seeds.size() + types.size(), 0);
    q.pullback = detail::mapped_pullback(p.pullback, seeds, {c.dims.begin() + p.num_residuals, c.dims.end()}, c.size, c.axis);
    for (const array& y : bind_list<custom_lin_p>(q, location{}, c.x)) c.outputs.push_back({y, 0});
  }

  /// The values of names are residuals.
  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    const params twin = decode<params>(c.twin);
    list<dimension_list> results, seeds(c.dims.begin(), c.dims.begin() + p.num_residuals);
    std::vector<aval> types;
    for (std::size_t i = 0; i < p.body->outvars.size(); ++i) {
      const aval first = p.body->type_of(p.body->outvars[i]), second = twin.body->type_of(twin.body->outvars[i]);
      results.emplace_back();
      for (int d = 0; d < first.rank(); ++d) results.back().push_back(c.scope.decode(first.dims[d], second.dims[d]));
      types.push_back(first.with(c.scope.padded(results.back())));
    }
    seeds.append(results.begin(), results.end());
    const std::vector<array> operands = detail::with_names(c.scope, c.x, 0);
    const std::size_t names = operands.size() - c.x.size();
    const list<dimension_list> arguments(c.dims.begin() + p.num_residuals, c.dims.end());
    const params q{body_of(types), detail::masked_pullback(detail::twin_rules{p.pullback, twin.pullback}, c.scope.context(), names, seeds, 0, arguments),
                   p.num_residuals + std::int64_t(names)};
    const array_list y = bind_list<custom_lin_p>(q, location{}, operands);
    for (std::size_t i = 0; i < y.size(); ++i) c.outputs.push_back({y[i], results[i]});
  }

 private:
  /// A function of nothing whose results have these types.
  static constexpr jaxpr_ref body_of(const auto& types) {
    return detail::build_body({}, nullptr, [&](view<const array>) {
      std::vector<array> outs;
      for (const aval& a : types) outs.push_back(lax::zeros(a));
      return outs;
    });
  }
  static constexpr const char* forward_mode =
      "can't apply forward-mode autodiff (jvp) to a custom_vjp function. Use reverse mode, or give the function a jq::custom_jvp.";
  friend struct custom_vjp_p;
};

/// The body applied to the operands, of which the first are captured values. `forward` maps the others to results and residuals
/// and makes the pullback, which maps residuals and cotangents of the results to cotangents of the others.
/// Rules   linearize: the forward function, and a custom_lin for the tangents; jvp: an error; batch: body, forward function and
///         pullback, each for every example; mask: each on padded arrays.
struct custom_vjp_p : detail::function_with_rule {
  static constexpr std::string_view name = "custom_vjp_call";
  struct params {
    jaxpr_ref body;
    function_ref forward;
    std::int64_t num_consts = 0;
    static constexpr std::string_view fields = "jaxpr fwd num_consts";
  };

  static constexpr void joint_jvp(auto& c, const params&) {
    detail::fail_in_rule(c.x, make_error(error_kind::type, custom_lin_p::forward_mode));
  }

  static constexpr void linearize(auto& c, const params& p) {
    if (detail::refuses_captured(c, p.num_consts, "custom_vjp")) return;
    const std::size_t first = std::size_t(p.num_consts);
    function_ref pullback;
    std::vector<array> out = detail::run_rule(p.forward, c.x.subspan(first), pullback);
    if (out.size() < c.y.size()) return;
    if (!detail::gives_results("Custom VJP forward rule", c.x, *p.body, out)) return;
    std::vector<array> operands(out.begin() + std::ptrdiff_t(c.y.size()), out.end());
    const std::int64_t residuals = std::int64_t(operands.size());
    for (std::size_t i = first; i < c.x.size(); ++i) operands.push_back(detail::instantiate(c.t[i], c.x[i].aval()));
    const array_list ty = bind_list<custom_lin_p>({p.body, pullback, residuals}, location{}, operands);
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      c.y[i] = out[i];
      if (is_inexact(out[i].dtype())) c.ty[i] = ty[i];
    }
  }

  static constexpr void batch(auto& c, const params& p) {
    params q = p;
    q.body = detail::mapped_body(c, *p.body);
    const std::vector<int> dims(c.dims.begin() + p.num_consts, c.dims.end());
    q.forward = detail::make_rule([rule = p.forward, dims, size = c.size, axis = c.axis](view<const array> in, function_ref& pullback) {
      function_ref one;
      const std::vector<array> out = detail::run_rule_mapped(rule, in, dims, size, axis, one);
      // Residuals and cotangents of results are mapped along their first dimension; how many there are shows when it runs.
      pullback = detail::mapped_pullback(one, {}, dims, size, axis);
      return out;
    });
    for (const array& y : bind_list<custom_vjp_p>(q, location{}, c.x)) c.outputs.push_back({y, 0});
  }

  /// The values of names are residuals too: the pullback is masked with them.
  static constexpr void mask(auto& c, const params& p) {
    detail::mask_with_rule<custom_vjp_p>(c, p, [](auto& q) -> auto& { return q.forward; },
                                         [](const auto& rules, const auto& context, const auto& arguments, const auto& results) {
      return [=](view<const array> in, function_ref& pullback) {
        const std::size_t names = in.size() - arguments.size();
        detail::twin_rules made;
        const std::vector<masked> out = detail::run_rule_masked(rules, context, in.first(names), in.subspan(names), arguments, made);
        std::vector<array> values = detail::padded_values(in, out, results, "a result of a custom_vjp function", "where the function does");
        list<dimension_list> seeds;  // residuals, then cotangents of results
        for (std::size_t i = results.size(); i < out.size(); ++i) seeds.push_back(out[i].dims);
        seeds.append(results.begin(), results.end());
        if (values.size() >= results.size())
          values.insert(values.begin() + std::ptrdiff_t(results.size()), in.begin(), in.begin() + std::ptrdiff_t(names));
        pullback = detail::masked_pullback(made, context, names, seeds, names, arguments);
        return values;
      };
    });
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&custom_lin_p::transpose<transpose_call>), static_cast<void>(&custom_lin_p::batch<batch_call>),
               static_cast<void>(&custom_lin_p::mask<mask_call>),
               static_cast<void>(&custom_vjp_p::linearize<joint_call>), static_cast<void>(&custom_vjp_p::batch<batch_call>),
               static_cast<void>(&custom_vjp_p::mask<mask_call>), true));
#endif

namespace detail {

/// What a pullback returned for one argument: jq::none, an int, becomes a tree of empty arrays, which stand for zero. Another number is no
/// container of arrays: `fits` tells.
template <class Y, class Argument>
constexpr auto given_cotangent(const Y& y, const Argument& like, bool& fits) {
  if constexpr (std::is_same_v<Y, int> && leaf<Argument>) {
    if (y == none) return array();
    return array(y);
  } else if constexpr (std::is_same_v<Y, int>) {
    fits = fits && y == none;
    const std::vector<array> nothing(leaf_count(like));
    const array* next = nothing.data();
    return rebuild_from<Argument>(like, next);
  } else return y;
}
template <class... Y, class... A>
constexpr auto given_cotangents(const std::tuple<Y...>& back, const std::tuple<A...>& like, bool& fits) {
  if constexpr (sizeof...(Y) == sizeof...(A)) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::make_tuple(given_cotangent(std::get<I>(back), std::get<I>(like), fits)...);
    }(std::index_sequence_for<A...>{});
  } else return back;
}
template <class Y, class A>
constexpr const Y& given_cotangents(const Y& back, const A&, bool&) { return back; }

/// Adds to `outs` the leaves of what a backward function returned, checked and completed: of the types of the arguments, which are like `like`.
template <class Returned, class Arguments>
constexpr std::vector<array> checked_cotangents(view<const array> in, std::vector<array> outs, const Returned& returned, const Arguments& like,
                                                const std::vector<aval>& types) {
  bool fits = true;
  const auto& back = given_cotangents(returned, like, fits);
  flatten_into(back, outs);
  error_record e;
  const text want = structure_text(like);
  if (!fits || !(structure_text(back) == want))
    e = make_error(error_kind::type, "Custom VJP rule must return a tuple with one cotangent for each differentiable argument, of structure ", want,
                   ", but got ", structure_text(returned), "; jq::none or an empty jq::array stands for zero");
  for (std::size_t i = 0; i < outs.size() && !e; ++i) {
    if (outs[i].is_none() || !is_inexact(types[i].type)) outs[i] = zeros_any(is_inexact(types[i].type) ? types[i] : aval(bool_, types[i].dims));
    else outs[i] = match_primal(outs[i], types[i]);
    if (is_inexact(types[i].type) && !same_type(outs[i].aval(), types[i]))
      e = make_error(error_kind::type, "Custom VJP rule must return cotangents of the arguments' types, but got ", long_type_text(outs[i].aval()),
                     " for an argument of type ", long_type_text(types[i]), "; convert or reshape it");
  }
  if (!e) return outs;
  fail_in_rule(in, e);
  return {};
}

/// The pullback of a custom_vjp function in flat form; see rule_of.
template <class Backward, class Nondiff, class Arguments, class Residuals, class Result>
struct flat_pullback {
  [[no_unique_address]] Backward backward;
  Nondiff nondiff;
  Arguments like;       ///< trees of the arguments' structure
  Residuals residuals;  ///< and of the residuals' and the result's
  Result result;
  std::vector<aval> types;  ///< of the arrays of `nondiff` and of the arguments' leaves

  constexpr std::vector<array> operator()(view<const array> in, function_ref&) const {
    const array* next = in.data();
    const Nondiff given = with_arrays(nondiff, next);
    std::vector<array> outs(std::size_t(next - in.data()));  // zeros
    const Residuals r = rebuild_from<Residuals>(residuals, next);
    const Result ct = rebuild_from<Result>(result, next);
    const auto returned = std::apply([&](const auto&... fixed) { return call_function(backward, fixed..., r, ct); }, given);
    return checked_cotangents(in, std::move(outs), returned, like, types);
  }
};

/// The forward function in flat form.
template <class Forward, class Backward, auto Nondiff, class Fixed, class Arguments, class Result>
struct flat_forward {
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Backward backward;
  Fixed nondiff;
  Arguments like;
  Result result;

  constexpr std::vector<array> operator()(view<const array> in, function_ref& pullback) const {
    const array* next = in.data();
    const Fixed given = with_arrays(nondiff, next);
    const Arguments x = rebuild_arguments(like, next);
    const auto pair = call_merged<Nondiff>(forward, given, x);
    static_assert(is_pair<std::remove_cvref_t<decltype(pair)>>, "the forward function of jq::custom_vjp must return std::pair{out, residuals}");
    if constexpr (is_pair<std::remove_cvref_t<decltype(pair)>>) return joined(in, std::get<0>(pair), std::get<1>(pair), pullback);
    else return {};  // one error is enough
  }

  /// The leaves of the outputs and, after them, of what the backward function gets.
  template <class Y, class Kept>
  constexpr std::vector<array> joined(view<const array> in, const Y& y, const Kept& kept, function_ref& pullback) const {
    std::vector<array> outs, residuals;
    flatten_into(y, outs);
    const text got = structure_text(y), want = structure_text(result);
    if (!(got == want)) {
      fail_in_rule(in, make_error(error_kind::type, "Custom VJP forward rule must return the results of the function, of structure ", want, ", but got ", got));
      return {};
    }
    residuals.assign(in.begin(), in.begin() + std::ptrdiff_t(arrays_of(nondiff).size()));
    flatten_into(kept, residuals);
    outs.insert(outs.end(), residuals.begin(), residuals.end());
    using residual_tree = rebind_t<Kept>;
    pullback = make_rule(flat_pullback<Backward, Fixed, Arguments, residual_tree, Result>{backward, nondiff, like, prototype(kept), result,
                                                                                       types_of(in)});
    return outs;
  }
};

/// Refuses, among arguments that are not differentiated, arrays of a trace without values: they are what residuals are for. Deliberately
/// not for custom_jvp, whose rule has none.
template <class... N>
constexpr void check_not_traced(const std::tuple<N...>& nondiff) {
  if (__builtin_is_constant_evaluated()) return;
  for (const array& x : arrays_of(nondiff))
    if (const trace* t = x.as_tracer(); t && (t->why() == trace::purpose::staging || t->why() == trace::purpose::mapping))
      raise(error_kind::tracer, "Found a value traced by ", t->name, ", of type ", long_type_text(x.aval()), ", passed to a custom_vjp function in a position of "
            "nondiff_argnums, which are for what is no array, such as functions; pass it as an ordinary argument, and return jq::none as its cotangent");
}

template <class F, class Forward, class Backward, auto Nondiff>
struct custom_vjp_function {
  [[no_unique_address]] F f;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Backward backward;

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    return call_with_rule<custom_vjp_p, Nondiff>(*this, f, "custom_vjp", [&]<class Fixed, class X, class Y>(const Fixed& nondiff, const X& like, const Y& result) {
      check_not_traced(nondiff);
      return make_rule(flat_forward<Forward, Backward, Nondiff, Fixed, X, Y>{forward, backward, nondiff, like, result});
    }, args...);
  }
};

/// The forward function that custom_gradient makes: runs f, and traces the pullback it returns, whose captured values are the
/// residuals.
template <class F, class Arguments, class Result>
struct flat_gradient {
  [[no_unique_address]] F f;
  Arguments like;
  Result result;

  constexpr std::vector<array> operator()(view<const array> in, function_ref& pullback) const {
    const array* next = in.data();
    const auto pair = std::apply(f, rebuild_arguments(like, next));
    std::vector<array> outs;
    flatten_into(std::get<0>(pair), outs);
    auto back = [&](const Result& ct) { return std::get<1>(pair)(ct); };
    const auto t = trace_body(back, "custom_gradient", types_of(outs), in, result);
    outs.insert(outs.end(), t.program.constants.begin(), t.program.constants.end());
    const std::size_t residuals = t.program.constants.size();
    if (t.program->outvars.size() != in.size())
      fail_in_rule(in, make_error(error_kind::type, "custom_gradient: the pullback returned ", t.program->outvars.size(), " cotangents, wanted ", in.size(),
                                  ", one for each array of the arguments"));
    pullback = make_rule([body = t.program.program, residuals](view<const array> all, function_ref&) {
      return eval_jaxpr(*body, all.first(residuals), all.subspan(residuals));
    });
    return outs;
  }
};
template <class F>
struct custom_gradient_function {
  [[no_unique_address]] F f;
  template <class... A>
  constexpr auto operator()(const A&... args) const {
    const auto value = [&](const rebind_t<A>&... x) { return std::get<0>(f(x...)); };
    return call_with_rule<custom_vjp_p>(*this, value, "custom_gradient", [&]<class X, class Y>(std::tuple<>, const X& like, const Y& result) {
      return make_rule(flat_gradient<F, X, Y>{f, like, result});
    }, args...);
  }
};

}  // namespace detail

/// f(args...) -> {value, pullback} as a function of value args..., whose pullback maps a cotangent of the value to the cotangents
/// of the arguments: one, or a tuple. What the pullback captures is kept until it runs.
/// Errors: as custom_vjp.
template <class F>
constexpr auto custom_gradient(F f) {
  return detail::custom_gradient_function<F>{std::move(f)};
}

/// f with its pullback given by forward(args...) -> {out, residuals} and backward(nondiff..., residuals, ct) -> a tuple of one
/// cotangent for each differentiable argument, of which jq::none, or an empty jq::array in a tree, stands for zero. Option: nondiff_argnums.
/// Errors: type_error in forward mode or where results do not fit; unexpected_tracer_error where what f captures or gets in nondiff_argnums is
/// differentiated, or the latter is a value traced by jit, vmap or a loop.
template <class F, class Forward, class Backward, class... O>
constexpr auto custom_vjp(F f, Forward forward, Backward backward, O...) {
  (void)(detail::check_rule_option<O>() && ...);
  return detail::custom_vjp_function<F, Forward, Backward, detail::int_option<nondiff_argnums_t, O...>()>{std::move(f), std::move(forward), std::move(backward)};
}

}  // namespace jacquard
