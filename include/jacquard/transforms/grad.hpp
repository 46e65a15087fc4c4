#pragma once
// grad and value_and_grad: linearize, then transpose with a unit cotangent. Options choose the arguments.
// Deliberately only for scalar-valued functions; jacobian.hpp has the others.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/differentiate.hpp"
#include "jacquard/transforms/lane.hpp"

namespace jacquard {

namespace detail {

/// Checks that what a holomorphic function takes or gives, its `inputs` or `outputs`, is complex.
constexpr error_record check_complex(std::string_view name, std::string_view which, view<const aval> of) {
  for (const aval& a : of)
    if (!is_complex(a.type))
      return make_error(error_kind::type, name, " with holomorphic=True requires ", which, " with complex dtype, but got ", long_name(a.type),
                        ". Here that is jq::", name, "(f, jq::holomorphic): leave it out where numbers are real.");
  return {};
}
/// Checks that the arguments to differentiate have tangents. `name`: of the transform, without jq::.
constexpr error_record check_inputs_of(std::string_view name, view<const aval> in, bool is_holomorphic, bool allow_integers) {
  if (is_holomorphic) return check_complex(name, "inputs", in);
  for (const aval& a : in)
    if (!is_inexact(a.type) && !allow_integers)
      return make_error(error_kind::type, name, " requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
                        "np.inexact), but got ", long_name(a.type), ". If you want to use Boolean- or integer-valued inputs, use "
                        "vjp or set allow_int to True. Here that is jq::", name, "(f, jq::allow_int).");
  return {};
}
/// Checks that outputs are real; or complex, where the function is holomorphic; or of whole numbers, where their derivatives count as zero.
constexpr error_record check_outputs_of(std::string_view name, view<const aval> out, bool is_holomorphic, bool allow_integers) {
  if (is_holomorphic) return check_complex(name, "outputs", out);
  for (const aval& a : out) {
    if (is_floating(a.type) || (!is_complex(a.type) && allow_integers)) continue;
    const bool z = is_complex(a.type);
    return make_error(error_kind::type, name, " requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got ",
                      long_name(a.type), z ? ". For holomorphic differentiation, pass holomorphic=True. Here that is jq::" : "", z ? name : "",
                      z ? "(f, jq::holomorphic). For differentiation of non-holomorphic functions involving complex outputs, use jq::vjp directly."
                        : ". For differentiation of functions with integer outputs, use jq::vjp directly.");
  }
  return {};
}
/// Checks that the output is one real scalar, and no tree of arrays.
JACQUARD_ONCE constexpr error_record check_grad_output(view<const aval> out, bool is_tree, bool is_holomorphic) {
  if (out.size() != 1 || is_tree) {
    text types;
    for (const aval& a : out) types << (types.empty() ? "" : ", ") << a;
    return make_error(error_kind::type, "Gradient only defined for scalar-output functions. Output was (", types, out.size() == 1 ? ",)" : ")",
                      "; return one scalar, or use jq::has_aux for further results");
  }
  if (out[0].rank() != 0)
    return make_error(error_kind::type, "Gradient only defined for scalar-output functions. Output had shape: ", out[0].dims,
                      ". Reduce it, e.g. with jq::sum, or use jq::jacrev");
  return check_outputs_of("grad", out, is_holomorphic, false);
}

/// Whether results of this type are more than one leaf, or one in a container.
template <class T>
inline constexpr bool is_tree_of_arrays = !leaf<T> && !is_optional<T>;

/// One flag per leaf of args...: whether its argument is selected.
template <auto Positions, class... A>
constexpr std::vector<char> selected_leaves(const A&... args) {
  std::vector<char> r;
  std::size_t i = 0;
  [[maybe_unused]] const auto one = [&](const auto& arg) {
    r.insert(r.end(), leaf_count(arg), char(is_selected(Positions, i++, sizeof...(A))));
  };
  (one(args), ...);
  return r;
}

/// Selected arguments rebuilt from new leaves, in their own types: one tree for one position, else a tuple.
template <auto Positions, class... A>
constexpr auto mirror_arguments(view<const array> leaves, const A&... args) {
  const std::tuple<const A&...> all(args...);
  std::size_t offsets[sizeof...(A) + 1] = {};
  std::size_t n = 0, i = 0;
  ((offsets[i++] = n, n += leaf_count(args)), ...);
  [[maybe_unused]] const auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    constexpr std::size_t at = std::size_t(Positions[K] < 0 ? Positions[K] + int(sizeof...(A)) : Positions[K]);
    using T = std::tuple_element_t<at, std::tuple<A...>>;
    return rebuild<T>(std::get<at>(all), leaves.subspan(offsets[at]));
  };
  if constexpr (Positions.size() == 1) return one(std::integral_constant<std::size_t, 0>{});
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple{one(std::integral_constant<std::size_t, K>{})...};
    }(std::make_index_sequence<Positions.size()>{});
}

/// What one evaluation of a function and its gradient gives: all leaves of its result, one gradient leaf per argument leaf.
template <class Result>
struct gradient {
  Result result;
  std::vector<array> outputs, grads;
};

/// Evaluates f and its gradient with respect to the arguments at Positions.
template <auto Positions, class... O, class F, class... A>
constexpr auto evaluate_gradient(F& f, const A&... args) {
  constexpr auto positions = Positions;
  static_assert(positions_fit(positions, sizeof...(A)),
                "jq::grad: differentiating with respect to this argnum requires more positional arguments than were passed");
  const leaf_list leaves = flatten_all(args...);
  const std::vector<char> wanted = selected_leaves<positions>(args...);
  auto t = trace_for_values(f, "grad", leaves, args...);
  using result = decltype(t.result);
  static_assert(!has_option<has_aux_t, O...> || is_pair<result>,
                "jq::grad with jq::has_aux: the function must return a two-element tuple (value, aux)");
  constexpr bool aux = has_option<has_aux_t, O...> && is_pair<result>;  // one error is enough

  const std::vector<aval> outs = t.program.out_avals();
  std::size_t values = outs.size();
  bool is_tree = is_tree_of_arrays<result>;
  if constexpr (aux) values = leaf_count(std::get<0>(t.result)), is_tree = is_tree_of_arrays<std::tuple_element_t<0, result>>;
  std::vector<aval> in;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (wanted[i]) in.push_back(leaves[i].aval());
  error_record e = check_inputs_of("grad", in, has_option<holomorphic_t, O...>, has_option<allow_int_t, O...>);
  if (!e) e = check_grad_output(view<const aval>(outs).first(values), is_tree, has_option<holomorphic_t, O...>);
  if (e && !t.program->equations.empty()) e.where = t.program->equations.back().where;
  if (e) report(leaves, e);

  linearized l = linearize_jaxpr(*t.program, t.program.constants, leaves, wanted);
  gradient<result> r{t.result, l.primals, {}};
  std::vector<array> ct;
  if (!e) {
    std::vector<array> seeds(l.program->outvars.size());
    if (l.tangent_of[0] >= 0) seeds[std::size_t(l.tangent_of[0])] = array(literal(1.0, outs[0].type, outs[0].weak));
    const std::vector<char> every(l.program->invars.size(), true);
    ct = transpose_jaxpr(*l.program, l.program.constants, {}, every, seeds);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    r.grads.emplace_back();
    const aval a = leaves[i].aval();
    if (wanted[i] && is_inexact(a.type) && next < ct.size()) r.grads.back() = ct[next++];
    if (wanted[i]) r.grads.back() = instantiate(r.grads.back(), a);
  }
  return r;
}

/// What a gradient looks like in the compile-time lane. A wrong argnum is reported first.
template <auto Positions, class... A>
constexpr auto make_gradient_look() {
  static_assert(positions_fit(Positions, sizeof...(A)),
                "jq::grad: differentiating with respect to this argnum requires more positional arguments than were passed");
  if constexpr (positions_fit(Positions, sizeof...(A))) return mirror_of<Positions, A...>{};
  else return own_result{};
}
template <auto Positions, class... A>
using gradient_look = decltype(make_gradient_look<Positions, A...>());

/// take(what evaluate_gradient gives for f, the gradients in the types of their arguments). Numbers that f does not take as arrays are bound to it.
template <class... O, class F, class Take, class... A>
constexpr auto take_gradient(const F& f, const Take& take, const A&... args) {
  constexpr auto positions = argnums_of<O...>();
  constexpr auto kept = kept_as_given<F, positions, A...>();
  if constexpr (kept.size() == 0) {
    auto r = evaluate_gradient<positions, O...>(seen_by_signature<A...>(f).of_signature(), args...);
    return take(r, mirror_arguments<positions>(r.grads, args...));
  } else
    return call_with_signature<kept>(f, [&](const auto& g, const auto&, const auto&... rest) {
      constexpr auto left = positions_without(kept, positions, int(sizeof...(A)));
      auto r = evaluate_gradient<left, O...>(g, rest...);
      return take(r, mirror_arguments<left>(r.grads, rest...));
    }, args...);
}

template <class F, class... O>
struct value_and_grad_function {
  [[no_unique_address]] F f;
  template <class... A>
  [[gnu::always_inline]] constexpr auto operator()(const A&... args) const {
    if constexpr (is_static_call<A...>())
      return call_in_static_lane(lane<A...>{}, *this, paired_result<own_result, gradient_look<argnums_of<O...>(), A...>>{}, args...);
    else
      return take_gradient<O...>(f, [](auto& r, auto grads) {
        return std::pair{rebuild<rebind_t<decltype(r.result)>>(r.result, r.outputs), std::move(grads)};
      }, args...);
  }
};

template <class F, class... O>
struct grad_function {
  [[no_unique_address]] F f;
  template <class... A>
  [[gnu::always_inline]] constexpr auto operator()(const A&... args) const {
    if constexpr (is_static_call<A...>()) {
      using gradient = gradient_look<argnums_of<O...>(), A...>;
      using look = std::conditional_t<has_option<has_aux_t, O...>, paired_result<gradient, own_result>, gradient>;
      return call_in_static_lane(lane<A...>{}, *this, look{}, args...);
    } else
      return take_gradient<O...>(f, [](auto& r, auto grads) {
        if constexpr (has_option<has_aux_t, O...> && is_pair<decltype(r.result)>) {
          auto value = rebuild<rebind_t<decltype(r.result)>>(r.result, r.outputs);
          return std::pair{std::move(grads), std::get<1>(std::move(value))};
        } else return grads;
      }, args...);
  }
};

template <class F, class... O>
struct function_inside<grad_function<F, O...>> : function_inside<F> {};
template <class F, class... O>
struct function_inside<value_and_grad_function<F, O...>> : function_inside<F> {};

}  // namespace detail

/// The gradient of a scalar-valued f with respect to argument 0, or to those named by jq::argnums<...>. Numbers among the other arguments are given to
/// f as they are where it takes no arrays in their place, and so are static arguments of a compiled f.
/// Results have the types of the arguments; several argnums give a tuple; with jq::has_aux, a pair (gradient, aux).
/// Errors: type_error for integer arguments or outputs that are not one real scalar.
template <class F, class... O>
constexpr auto grad(F f, O...) {
  (void)(detail::check_function<F>() && ... && detail::check_grad_option<O>());
  return detail::grad_function<F, O...>{f};
}

/// Like grad, but returns the pair (value, gradient).
template <class F, class... O>
constexpr auto value_and_grad(F f, O...) {
  (void)(detail::check_function<F>() && ... && detail::check_grad_option<O>());
  return detail::value_and_grad_function<F, O...>{f};
}

}  // namespace jacquard
