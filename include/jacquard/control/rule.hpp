#pragma once
// Rules that users give for their functions, as equations keep them: flat arrays in, flat arrays out, held by a function_ref.
// A rule is a callable that is traced where a transform reaches its equation. Deliberately without thunks: a rule lives as long
// as the program that refers to it, and is gone from programs in static storage, whose calls are inlined first.

#include "jacquard/control/masked_body.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard::detail {

/// A rule on flat arrays. `more` is a rule that this one makes along with its results, such as a pullback.
struct flat_rule : function_state {
  bool is_linear = false;  ///< in tangents, whose maker knows that however it looks
  constexpr virtual std::vector<array> run(view<const array> in, function_ref& more) const = 0;
  constexpr virtual ~flat_rule() {}
};

/// A rule made of a function of (view<const array>, function_ref&).
template <class F>
struct rule_of final : flat_rule {
  [[no_unique_address]] F f;
  rule_of* whole = this;  // in constant evaluation g++ 12 cannot delete it through a pointer to a base, nor one made of that
  constexpr explicit rule_of(F g) : f(std::move(g)) {
    destroy = [](function_state* s) { delete static_cast<rule_of*>(s)->whole; };
  }
  constexpr ~rule_of() override {}
  constexpr std::vector<array> run(view<const array> in, function_ref& more) const override { return f(in, more); }
};
template <class F>
constexpr function_ref make_rule(F f, bool is_linear = false) {
  rule_of<F>* const made = new rule_of<F>(std::move(f));
  made->is_linear = is_linear;
  return function_ref(nullptr, made);
}
constexpr bool is_linear_rule(const function_ref& rule) { return rule.state() && static_cast<const flat_rule*>(rule.state())->is_linear; }

/// Runs the rule. Errors: not_implemented where the program came from static storage, which keeps no rules.
template <class Array = array>
constexpr std::vector<array> run_rule(const function_ref& rule, view<const lazy<Array>> in, function_ref& more) {
  if (rule.state()) return static_cast<const flat_rule*>(rule.state())->run(in, more);
  fail_in_rule<Array>(in, make_error(error_kind::not_implemented, "a custom rule is not part of a program in static storage; transform the function itself"));
  return {};
}
template <class Array = array>
constexpr std::vector<array> run_rule(const function_ref& rule, view<const lazy<Array>> in) {
  function_ref none;
  return run_rule<Array>(rule, in, none);
}

/// Whether what a rule gives for the results of a function has their types; those of numbers without a dtype become theirs.
/// Errors: type_error. `what`: "Custom JVP rule", ...
template <class Array = array>
constexpr bool gives_results(std::string_view what, view<const lazy<Array>> about, const jaxpr& function, view<lazy<Array>> out) {
  for (std::size_t i = 0; i < function.outvars.size() && i < out.size(); ++i) {
    const aval t = function.type_of(function.outvars[i]);
    out[i] = match_primal(out[i], t);
    if (same_type(out[i].aval(), t)) continue;
    fail_in_rule<Array>(about, make_error(error_kind::type, what, " must return the results of the function, of type ", long_type_text(t), ", but got ",
                                          long_type_text(out[i].aval()), "; convert or reshape it"));
    return false;
  }
  return true;
}

/// One example's type of a mapped array.
constexpr aval example_type(const aval& a, int dim) {
  if (dim == not_mapped) return a;
  return a.with(shape(a.dims.without(dim)));
}

/// Runs a rule for each example: it is traced for one, and the program is batched. All results are mapped along their first
/// dimension. `more` is left as the rule made it for one example.
template <class Array = array>
constexpr std::vector<array> run_rule_mapped(const function_ref& rule, view<const lazy<Array>> in, view<const int> dims,
                                             std::int64_t size, const name_text& axis, function_ref& more) {
  trace_scope t(trace::purpose::mapping, trace_of(in));
  t->name = "a custom rule";
  axis_binding scope{axis, size, t->axes};
  if (axis.chars[0] != 0) t->axes = &scope;
  std::vector<array> inputs;
  for (std::size_t i = 0; i < in.size(); ++i) inputs.push_back(t->input(example_type(in[i].aval(), dims[i])));
  t.enter();
  const std::vector<array> outs = run_rule<Array>(rule, inputs, more);
  const closed_jaxpr program = t->finish(outs);
  t.leave();
  std::vector<array> r;
  for (const batched& y : batch_jaxpr(*program, program.constants, in, dims, size, axis))
    r.push_back(batch_materialise(y.value, y.dim, size));
  return r;
}

/// A pullback for all examples, whose operands are mapped along `dims` (empty: all along their first dimension). Cotangents of
/// arguments come back along the dimensions of these, summed where the argument is the same for all examples.
template <class Array = array>
constexpr function_ref mapped_pullback(const function_ref& pullback, std::vector<int> dims, std::vector<int> arguments, std::int64_t size,
                                       const name_text& axis) {
  return make_rule([=](view<const array> in, function_ref& more) {
    std::vector<int> along = dims;  // no `?:` of a temporary, see CONTRIBUTING: compiler traps
    if (dims.empty()) along.assign(in.size(), 0);
    std::vector<array> back = run_rule_mapped<Array>(pullback, in, along, size, axis, more);
    for (std::size_t i = 0; i < back.size() && i < arguments.size(); ++i) {
      if (arguments[i] != not_mapped) back[i] = move_axis(back[i], 0, arguments[i]);
      else if (is_boolean(back[i].dtype())) back[i] = zeros_any(element_type_of(back[i].aval()));  // of integers
      else back[i] = lax::reduce_sum(back[i], {0});
    }
    return back;
  });
}

/// A rule as the two tracings of a masked function saw it.
struct twin_rules {
  function_ref first, second;
};
/// Runs a rule on padded arrays of logical dimensions `dims`: as the function itself, it is traced on both sets of sizes that stand
/// for names, and the programs are masked. `more` are left as the rules made them.
template <class Array = array>
constexpr std::vector<masked> run_rule_masked(const twin_rules& rules, const function_ref& scope_context, view<const lazy<Array>> names,
                                              view<const lazy<Array>> in, view<const dimension_list> dims, twin_rules& more) {
  const mask_context<Array>& context = *static_cast<const mask_context<Array>*>(scope_context.state());
  std::vector<array> about(in.begin(), in.end());
  about.insert(about.end(), names.begin(), names.end());
  const auto trace_on = [&](bool second, const function_ref& rule, function_ref& made) {
    trace_scope t(trace::purpose::mapping, trace_of(about));
    t->name = "a custom rule";
    std::vector<array> inputs;
    for (std::size_t i = 0; i < in.size(); ++i) {
      shape probed;
      for (const dimension& d : dims[i]) probed.push_back(context.decoder.probe(d, second));
      inputs.push_back(t->input(in[i].aval().with(probed)));
    }
    t.enter();
    const std::vector<array> outs = run_rule<Array>(rule, inputs, made);
    closed_jaxpr program = t->finish(outs);
    t.leave();
    return program;
  };
  const closed_jaxpr program = trace_on(false, rules.first, more.first), twin = trace_on(true, rules.second, more.second);
  mask_interpreter<Array> scope(context.with(names), context.decoder, about, context.loops);
  if (const error_record e = compare_constants(program.constants, twin.constants)) scope.fail(e);
  return mask_jaxpr<Array>(*program, *twin, program.constants, in, dims, scope);
}
/// The arrays of masked values, after a check that the first of them have the logical dimensions `want`.
template <class Array = array>
constexpr std::vector<array> padded_values(view<const lazy<Array>> about, view<const masked> all, view<const dimension_list> want, std::string_view what,
                                            std::string_view instead) {
  std::vector<array> r;
  list<dimension_list> got;
  for (const masked& m : all) {
    r.push_back(m.value);
    got.push_back(m.dims);
  }
  if (const error_record e = dims_problem(what, got, want, "where its rule gives it", instead)) fail_in_rule<Array>(about, e);
  return r;
}

/// A pullback on padded arrays: of the values of names, and of residuals and cotangents with the dimensions `seeds`. The first
/// `sizes` arguments are names too.
template <class Array = array>
constexpr function_ref masked_pullback(const twin_rules& pullback, const function_ref& context, std::size_t names, const list<dimension_list>& seeds,
                                       std::size_t sizes, const list<dimension_list>& arguments) {
  return make_rule([=](view<const array> in, function_ref&) {
    twin_rules more;
    const std::vector<masked> out = run_rule_masked<Array>(pullback, context, in.first(names), in.subspan(names), seeds, more);
    std::vector<array> back = padded_values<Array>(in, out, arguments, "cotangent", "where the argument does");
    back.insert(back.begin(), sizes, zeros_any(aval(bool_, {})));  // of integers
    return back;
  });
}
/// Masks the equation of a function with a rule. The values of all names become its first arguments, since rules get nothing else.
/// `make_masked` makes the rule of rules as the two tracings saw them, and the logical dimensions of arguments and results.
template <class P>
constexpr void mask_with_rule(auto& c, const params_of<P>& p, auto&& rule_in, auto&& make_masked) {
  c.reads_sizes = true;
  const params_of<P> twin = decode<params_of<P>>(c.twin);
  const std::size_t first = std::size_t(p.num_consts);
  const masked_body m = mask_body(c.scope, *p.body, *twin.body, first, c.dims, axes_of(c.x));
  if (!m.complete(*p.body)) return;
  const list<dimension_list> arguments(c.dims.begin() + p.num_consts, c.dims.end());
  params_of<P> q = p;
  q.body = m.body;
  rule_in(q) = make_rule(make_masked(twin_rules{rule_in(p), rule_in(twin)}, c.scope.context(), arguments, m.dims), is_linear_rule(rule_in(p)));
  const array_list out = bind_list<P>(q, location{}, with_names(c.scope, c.x, first));
  for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], m.dims[i]});
}

/// How many of the first `end` of `count` argument positions are among `positions`, or are not.
template <std::size_t N>
constexpr std::size_t rank_of(const std::array<int, N>& positions, std::size_t end, std::size_t count, bool selected) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < end; ++i) n += is_selected(positions, i, count) == selected ? 1 : 0;
  return n;
}
/// f of two groups of arguments, put together in their order.
template <auto Positions, class F, class Picked, class Rest>
constexpr auto call_merged(F& f, const Picked& picked, const Rest& rest) {
  constexpr std::size_t count = std::tuple_size_v<Picked> + std::tuple_size_v<Rest>;
  const auto argument = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) -> const auto& {
    if constexpr (is_selected(Positions, K, count)) return std::get<rank_of(Positions, K, count, true)>(picked);
    else return std::get<rank_of(Positions, K, count, false)>(rest);
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return call_function(f, argument(std::integral_constant<std::size_t, I>{})...);
  }(std::make_index_sequence<count>{});
}
/// Copies of what a tuple of references refers to; of functions and of texts in quotes, pointers to them.
template <class... A>
constexpr std::tuple<std::decay_t<A>...> copies(const std::tuple<A...>& references) {
  return std::tuple<std::decay_t<A>...>(references);
}
/// A tuple of trees like `like` with the given leaves; `next` moves past them.
template <class... T>
constexpr std::tuple<T...> rebuild_arguments(const std::tuple<T...>& like, const array*& next) {
  return std::apply([&](const T&... t) { return std::tuple<T...>{rebuild_from<T>(t, next)...}; }, like);
}

/// Base of primitives that stand for a function with a rule: its types, values and laid out equations are those of its body.
struct function_with_rule : body_values {
  static constexpr bool inlinable = true;
};

/// Reports that a value which a function with a rule captures, or does not differentiate, was differentiated.
constexpr bool refuses_captured(auto& c, std::int64_t captured, std::string_view name) {
  bool any = false;
  for (std::size_t i = 0; i < std::size_t(captured); ++i) any = any || !c.t[i].is_none();
  if (any)
    fail_in_rule(c.x, make_error(error_kind::tracer, "Detected differentiation of a ", name, " function with respect to a value "
                                 "that it captures or gets in nondiff_argnums; pass the value as an ordinary argument"));
  return any;
}

/// Whether T is an array or a container of arrays alone.
template <class T>
constexpr bool holds_arrays() {
  if constexpr (leaf<T>) return std::is_same_v<T, array>;
  else if constexpr (is_std_array<T> || is_vector<T> || is_optional<T>) return holds_arrays<typename T::value_type>();
  else if constexpr (is_map<T>) return holds_arrays<typename T::mapped_type>();
  else if constexpr (is_tuple<T>)
    return []<std::size_t... I>(std::index_sequence<I...>) { return (holds_arrays<std::tuple_element_t<I, T>>() && ...); }(std::make_index_sequence<std::tuple_size_v<T>>{});
  else return false;
}
/// The arrays among the arguments that a rule does not differentiate: operands of its equation, too, since the rule runs when the trace
/// that they may belong to is over.
template <class... N>
constexpr std::vector<array> arrays_of(const std::tuple<N...>& nondiff) {
  std::vector<array> r;
  [[maybe_unused]] const auto add = [&](const auto& x) {
    if constexpr (holds_arrays<std::remove_cvref_t<decltype(x)>>()) flatten_into(x, r);
  };
  std::apply([&](const N&... x) { (add(x), ...); }, nondiff);
  return r;
}
/// Those arguments with other arrays; `next` moves past these.
template <class... N>
constexpr std::tuple<N...> with_arrays(const std::tuple<N...>& nondiff, const array*& next) {
  [[maybe_unused]] const auto one = [&]<class T>(const T& x) {
    if constexpr (holds_arrays<T>()) return rebuild_from<T>(x, next);
    else return x;
  };
  return std::apply([&](const N&... x) { return std::tuple<N...>{one(x)...}; }, nondiff);
}

/// The equation P of g, a function of `fixed` and of x..., with the rule that `make` makes of trees like x... and like the result. Operands are what g
/// captures, `fixed` and the leaves of x...; g has no use for the second, whose values it captures where it needs them.
template <class P, class Result, class... T, class Make, class... A>
constexpr rebind_t<Result> bind_seen_with_rule(const function_of<Result, T...>& g, std::string_view name, const std::vector<array>& fixed, const Make& make,
                                               const A&... x) {
  const leaf_list leaves = flatten_all(fixed, x...);
  auto t = trace_function(g, trace::purpose::values, name, types_of(leaves), leaves, nullptr, fixed, x...);  // functions may ask for values
  using result = rebind_t<Result>;
  const result like = prototype(t.result);
  const function_ref rule = make(std::tuple<rebind_t<A>...>{prototype(x)...}, like);
  std::vector<array> operands = t.program.constants;
  operands.insert(operands.end(), leaves.begin(), leaves.end());
  const array_list y = bind_list<P>({closed_body(t.program), rule, std::int64_t(t.program.constants.size())}, location{}, operands);
  return rebuild<result>(like, view<const array>(y.data(), y.size()));
}
/// The equation P of a function with a rule: traced on the arguments that are differentiated. `make` makes the rule of the other
/// ones and of trees like those arguments and like the result.
template <class P, auto Nondiff, class F, class Picked, class Make, class... A>
constexpr auto bind_with_rule(const F& f, std::string_view name, const Picked& nondiff, const Make& make, const A&... x) {
  auto g = [&](const std::vector<array>&, const rebind_t<A>&... y) { return call_merged<Nondiff>(f, nondiff, std::tie(y...)); };
  const auto seen = seen_by_signature<std::vector<array>, A...>(g);
  using arguments = std::tuple<rebind_t<A>...>;
  using result = rebind_t<typename decltype(seen)::result>;
  auto rule_for = [&](const arguments& like, const result& y) -> function_ref { return make(nondiff, like, y); };
  return bind_seen_with_rule<P>(seen.of_signature(), name, arrays_of(nondiff), seen_when_called_with<const arguments&, const result&>(rule_for).of_signature(), x...);
}
/// A call of `whole`, which is f with a rule, in the lane of its arguments.
template <class P, auto Nondiff = std::array<int, 0>{}, class Whole, class F, class Make, class... A>
constexpr auto call_with_rule(const Whole& whole, const F& f, std::string_view name, const Make& make, const A&... args) {
  if constexpr (is_static_call<A...>()) return call_in_static_lane(lane<A...>{}, whole, own_result{}, args...);
  else
    return call_with_picked<Nondiff, false>(
        [&](const auto&... x) { return bind_with_rule<P, Nondiff>(f, name, copies(pick_arguments<Nondiff, true>(args...)), make, x...); }, args...);
}

}  // namespace jacquard::detail

namespace jacquard {

/// Arguments that custom rules do not differentiate; they may be of any type, functions too.
template <int... I>
struct nondiff_argnums_t : detail::rule_option {
  static constexpr std::array<int, sizeof...(I)> values{I...};
};
template <int... I>
inline constexpr nondiff_argnums_t<I...> nondiff_argnums{};

}  // namespace jacquard
