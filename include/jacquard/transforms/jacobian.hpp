#pragma once
// jacfwd, jacrev and hessian: one linearization, applied to a whole basis at once by batching the linear program (or its
// transpose). The result is the output tree with an input tree in place of every leaf.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/batch.hpp"
#include "jacquard/transforms/grad.hpp"

namespace jacquard {

namespace detail {

/// Out with every leaf replaced by In.
template <class Out, class In>
struct nest {
  static_assert(leaf<Out>, "jq::jacfwd/jacrev: the result of the function must be an array, or a standard container or class "
                           "template of arrays; return a std::tuple instead of a plain struct");
  using type = In;
  static constexpr bool is_refused = !leaf<Out>;
};
template <template <class...> class C, class... T, class In>
  requires(!leaf<C<T...>> && !is_vector<C<T...>> && !is_map<C<T...>>)
struct nest<C<T...>, In> {
  using type = C<typename nest<T, In>::type...>;
};
template <class T, class In>
  requires(!leaf<std::vector<T>>)
struct nest<std::vector<T>, In> {
  using type = std::vector<typename nest<T, In>::type>;
};
template <class T, std::size_t N, class In>
  requires(!leaf<std::array<T, N>>)
struct nest<std::array<T, N>, In> {
  using type = std::array<typename nest<T, In>::type, N>;
};
template <template <class...> class Map, class T, class Order, class... Rest, class In>
  requires(is_map<Map<std::string, T, Order, Rest...>>)
struct nest<Map<std::string, T, Order, Rest...>, In> {
  using type = Map<std::string, typename nest<T, In>::type, Order>;
};

/// The standard basis of a type: shape (n, dims...) with n = elements.
template <class Array = array>
constexpr array standard_basis(const aval& a) {
  const std::int64_t n = a.elements();
  const shape square{n, n};
  const array eye = lax::eq(lax::iota(i64, square, 0), lax::iota(i64, square, 1));
  return lax::reshape(lax::convert_element_type(eye, a.type), shape(a.dims.with(0, n)));
}

/// x of shape (n, rest...) as (dims..., rest...) with n the elements of `dims`.
template <class Array = array>
constexpr array split_leading(const lazy<Array>& x, const shape& dims) {
  shape s = dims;
  const shape from = x.shape();
  for (int d = 1; d < from.rank(); ++d) s.push_back(from[d]);
  return lax::reshape(x, s);
}

/// d out_i / d in_j of a linear program, rows from forward application to the bases of the inputs.
template <class Array = array>
JACQUARD_ONCE constexpr std::vector<std::vector<array>> jacobian_forward(const linearized& l, view<const aval> out) {
  const jaxpr& p = *l.program;
  std::vector<std::vector<array>> r(out.size());
  for (std::size_t j = 0; j < p.invars.size(); ++j) {
    const aval in = p.avals[p.invars[j]];
    std::vector<array> t;
    std::vector<int> dims;
    for (std::size_t k = 0; k < p.invars.size(); ++k) {
      if (k == j) t.push_back(standard_basis(in));
      else t.push_back(zeros_any(p.avals[p.invars[k]]));
      dims.push_back(k == j ? 0 : not_mapped);
    }
    const std::vector<batched> y = batch_jaxpr(p, l.program.constants, t, dims, in.elements(), {});
    for (std::size_t i = 0; i < out.size(); ++i) {
      shape full = out[i].dims;
      for (std::int64_t d : in.dims) full.push_back(d);
      const int at = l.tangent_of[i];
      if (at >= 0 && y[std::size_t(at)].dim != not_mapped)  // (n, out...) -> (out..., n) -> (out..., in...)
        r[i].push_back(lax::reshape(move_axis(y[std::size_t(at)].value, y[std::size_t(at)].dim, out[i].rank()), full));
      else r[i].push_back(zeros_any(aval(out[i].type, full)));
    }
  }
  return r;
}

/// The transpose of a linear program as a program of its cotangents.
template <class Array = array>
constexpr closed_jaxpr transposed_program(const linearized& l) {
  trace_scope t(trace::purpose::staging, trace_of(l.program.constants));
  t->name = "jacrev";
  std::vector<array> ct;
  for (const aval& a : l.program.out_avals()) ct.push_back(t->input(a));
  t.enter();
  const std::vector<char> all(l.program->invars.size(), true);
  std::vector<array> r = transpose_jaxpr(*l.program, l.program.constants, {}, all, ct);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = instantiate(r[i], l.program->avals[l.program->invars[i]]);
  return t->finish(r);
}

/// The same blocks as jacobian_forward, from the transpose applied to the bases of the outputs.
template <class Array = array>
JACQUARD_ONCE constexpr std::vector<std::vector<array>> jacobian_reverse(const linearized& l, view<const aval> out) {
  const closed_jaxpr back = transposed_program(l);
  const jaxpr& p = *back;
  std::vector<std::vector<array>> r(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::vector<batched> x;
    if (l.tangent_of[i] >= 0) {
      std::vector<array> ct;
      std::vector<int> dims;
      for (std::size_t k = 0; k < p.invars.size(); ++k) {
        const bool own = int(k) == l.tangent_of[i];
        if (own) ct.push_back(standard_basis(out[i]));
        else ct.push_back(zeros_any(p.avals[p.invars[k]]));
        dims.push_back(own ? 0 : not_mapped);
      }
      x = batch_jaxpr(p, back.constants, ct, dims, out[i].elements(), {});
    }
    for (std::size_t j = 0; j < p.outvars.size(); ++j) {
      const aval in = l.program->avals[l.program->invars[j]];
      shape full = out[i].dims;
      for (std::int64_t d : in.dims) full.push_back(d);
      if (!x.empty() && x[j].dim != not_mapped)
        r[i].push_back(split_leading(move_axis(x[j].value, x[j].dim, 0), out[i].dims));
      else r[i].push_back(zeros_any(aval(in.type, full)));
    }
  }
  return r;
}

/// Blocks for all inputs, where those have blocks whose dtype has tangents: those of the others are zero.
template <class Array = array>
constexpr std::vector<std::vector<array>> with_blocks_of_integers(const std::vector<std::vector<lazy<Array>>>& blocks, view<const aval> in, view<const aval> out) {
  std::vector<std::vector<array>> r(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t next = 0;
    for (const aval& a : in) {
      shape full = out[i].dims;
      for (std::int64_t d : a.dims) full.push_back(d);
      r[i].push_back(is_inexact(a.type) ? blocks[i][next++] : instantiate(array(), aval(a.type, full)));
    }
  }
  return r;
}

template <class R, class Out, class Inner>
constexpr R nest_from(const Out& like, const Inner& inner, const array*& next);

template <class R, class Out, class Inner, std::size_t... I>
constexpr R nest_parts(const Out& parts_of, const Inner& inner, const array*& next, std::index_sequence<I...>) {
  return R{nest_from<std::remove_cvref_t<std::tuple_element_t<I, R>>>(std::get<I>(parts_of), inner, next)...};
}
template <class R, class Out, class Inner>
constexpr R nest_from(const Out& like, const Inner& inner, const array*& next) {
  if constexpr (leaf<Out>) return rebuild_from<R>(inner, next);
  else if constexpr (is_tuple<Out>) return nest_parts<R>(like, inner, next, std::make_index_sequence<std::tuple_size_v<Out>>{});
  else if constexpr (is_std_array<Out>) return nest_parts<R>(like, inner, next, std::make_index_sequence<std::tuple_size_v<Out>>{});
  else if constexpr (is_vector<Out>) {
    R r;
    for (const auto& part : like) r.push_back(nest_from<typename R::value_type>(part, inner, next));
    return r;
  } else if constexpr (is_map<Out>) {
    R r;
    for (const auto& [key, part] : like) r.emplace(key, nest_from<typename R::mapped_type>(part, inner, next));
    return r;
  } else if constexpr (requires { nest<Out, Inner>::is_refused; }) return rebuild_from<R>(inner, next);  // one error is enough
  else {
    const auto tied = parts(like);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using wanted = decltype(parts(std::declval<R&>()));
      return R{nest_from<std::remove_cvref_t<std::tuple_element_t<I, wanted>>>(std::get<I>(tied), inner, next)...};
    }(std::make_index_sequence<std::tuple_size_v<decltype(tied)>>{});
  }
}

template <class Inner, class Out>
constexpr auto nest_blocks(const Out& like, const std::vector<std::vector<array>>& blocks, const Inner& inner) {
  std::vector<array> flat;
  for (const auto& row : blocks) flat.insert(flat.end(), row.begin(), row.end());
  const array* next = flat.data();
  return nest_from<typename nest<rebind_t<Out>, Inner>::type>(like, inner, next);
}
/// The selected arguments with array leaves: one tree for one position, else a tuple.
template <auto Positions, class... A>
constexpr auto selected_prototypes(const A&... args) {
  const std::tuple<const A&...> all(args...);
  const auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    constexpr std::size_t at = std::size_t(Positions[K] < 0 ? Positions[K] + int(sizeof...(A)) : Positions[K]);
    return prototype(std::get<at>(all));
  };
  if constexpr (Positions.size() == 1) return one(std::integral_constant<std::size_t, 0>{});
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple{one(std::integral_constant<std::size_t, K>{})...};
    }(std::make_index_sequence<Positions.size()>{});
}

/// Checks that the arguments are real, or complex where the function is holomorphic: one column for a complex number is its derivative only then.
constexpr error_record check_inputs_of_jacfwd(view<const aval> in, bool is_holomorphic) {
  if (is_holomorphic) return check_complex("jacfwd", "inputs", in);
  for (const aval& a : in)
    if (!is_floating(a.type))
      return make_error(error_kind::type, "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got ",
                        long_name(a.type), ". For holomorphic differentiation, pass holomorphic=True. Here that is jq::jacfwd(f, "
                        "jq::holomorphic). For differentiation of non-holomorphic functions involving complex inputs or integer inputs, "
                        "use jq::jvp directly.");
  return {};
}

/// The Jacobian of f with respect to the chosen arguments, and with has_aux what comes with it.
template <bool Forward, class... O, class F, class... A>
constexpr auto evaluate_jacobian(F& f, const A&... args) {
  constexpr auto positions = argnums_of<O...>();
  const leaf_list leaves = flatten_all(args...);
  const std::vector<char> wanted = selected_leaves<positions>(args...);
  auto t = trace_for_values(f, Forward ? "jacfwd" : "jacrev", leaves, args...);
  std::vector<aval> in;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (wanted[i]) in.push_back(leaves[i].aval());
  static_assert(!has_option<has_aux_t, O...> || is_pair<decltype(t.result)>,
                "jq::jacfwd/jacrev with jq::has_aux: the function must return a two-element tuple (value, aux)");
  constexpr bool aux = has_option<has_aux_t, O...> && is_pair<decltype(t.result)>;  // one error is enough
  std::vector<aval> out = t.program.out_avals();
  if constexpr (aux) out.resize(leaf_count(std::get<0>(t.result)));
  constexpr bool is_holomorphic = has_option<holomorphic_t, O...>;
  error_record e;
  if constexpr (Forward) {
    e = check_inputs_of_jacfwd(in, is_holomorphic);
    if (!e && is_holomorphic) e = check_complex("jacfwd", "outputs", out);
  } else {
    e = check_inputs_of("jacrev", in, is_holomorphic, has_option<allow_int_t, O...>);
    if (!e) e = check_outputs_of("jacrev", out, is_holomorphic, true);
  }
  if (e) report(leaves, e);
  const linearized l = linearize_jaxpr(*t.program, t.program.constants, leaves, wanted);
  std::vector<std::vector<array>> blocks;  // not `?:`, whose result g++ 12 destroys twice in constant evaluation
  if constexpr (Forward) blocks = jacobian_forward(l, out);
  else blocks = jacobian_reverse(l, out);
  if constexpr (!Forward && has_option<allow_int_t, O...>) blocks = with_blocks_of_integers(blocks, in, out);
  if constexpr (aux) {
    const auto& rest = std::get<1>(t.result);
    return std::pair{nest_blocks(std::get<0>(t.result), blocks, selected_prototypes<positions>(args...)),
                     rebuild<rebind_t<std::remove_cvref_t<decltype(rest)>>>(rest, view<const array>(l.primals).subspan(out.size()))};
  } else return nest_blocks(t.result, blocks, selected_prototypes<positions>(args...));
}

template <bool Forward, class F, class... O>
struct jacobian_function {
  [[no_unique_address]] F f;
  template <class... A>
  [[gnu::always_inline]] constexpr auto operator()(const A&... args) const {
    constexpr auto positions = argnums_of<O...>();
    static_assert(positions_fit(positions, sizeof...(A)), "jq::jacfwd/jacrev: an argnum exceeds the number of arguments");
    if constexpr (is_static_call<A...>()) return call_in_static_lane(lane<A...>{}, *this, own_result{}, args...);
    else return evaluate_jacobian<Forward, O...>(seen_by_signature<A...>(f).of_signature(), args...);
  }
};

}  // namespace detail

/// The Jacobian of f, one column at a time (all columns batched): cheap when inputs are few.
/// Shapes  result: the output tree, each leaf an input tree of arrays of shape (output dims..., input dims...); with jq::has_aux
///         the pair of that and what else the function returned.
/// Errors  type_error: arguments of whole numbers, complex ones without jq::holomorphic.
template <class F, class... O>
constexpr auto jacfwd(F f, O...) {
  (void)(detail::check_function<F>() && ... && detail::check_jacobian_option<O>());
  return detail::jacobian_function<true, F, O...>{f};
}
/// The Jacobian of f, one row at a time (all rows batched): cheap when outputs are few. Shapes as jacfwd.
/// Errors  type_error: arguments of whole numbers without jq::allow_int, complex results without jq::holomorphic.
template <class F, class... O>
constexpr auto jacrev(F f, O...) {
  (void)(detail::check_function<F>() && ... && detail::check_jacobian_option<O>());
  return detail::jacobian_function<false, F, O...>{f};
}
/// jacrev by the name that JAX gives it too.
template <class F, class... O>
constexpr auto jacobian(F f, O... options) {
  return jacrev(f, options...);
}
/// The second derivative: jacfwd of jacrev.
template <class F, class... O>
constexpr auto hessian(F f, O... options) {
  return jacfwd(jacrev(f, options...), options...);
}

}  // namespace jacquard
