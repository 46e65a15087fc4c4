#pragma once
// jvp, linearize, linear_transpose and vjp as user functions: trees in, trees out. The work is done by the interpreters of
// jaxprs beside this file; here arguments are checked and trees rebuilt.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/function.hpp"
#include "jacquard/transforms/options.hpp"
#include "jacquard/transforms/lane.hpp"
#include "jacquard/transforms/transpose.hpp"

namespace jacquard {

/// The point at which jvp differentiates.
template <class... T>
struct primals : std::tuple<T...> {
  constexpr explicit primals(T... x) : std::tuple<T...>(std::move(x)...) {}
};
/// The direction in which jvp differentiates.
template <class... T>
struct tangents : std::tuple<T...> {
  constexpr explicit tangents(T... x) : std::tuple<T...>(std::move(x)...) {}
};

namespace detail {

template <class R>
inline constexpr bool is_pair = [] {
  if constexpr (is_tuple<R>) return std::tuple_size_v<R> == 2;
  else return false;
}();

/// A weak literal takes the type of the primal it belongs to.
template <class Array = array>
constexpr array match_primal(const lazy<Array>& t, const aval& primal) {
  if (t.kind() != array_kind::literal || !t.as_literal().weak || category_of(t.dtype()) > category_of(primal.type)) return t;
  literal l = t.as_literal().as(primal.type);
  l.weak = primal.weak;
  return array(l);
}

/// Checks tangents against primals. Tangents of whole numbers, which are zero, may have any type, but the shape of theirs; they become symbolic zeros.
template <class Array = array>
JACQUARD_ONCE constexpr std::vector<array> check_tangents(std::string_view what, view<const lazy<Array>> x, std::vector<lazy<Array>> t,
                                                          const text& x_tree, const text& t_tree, const location& where) {
  error_record e;
  if (!(x_tree == t_tree))
    e = make_error(error_kind::type, "primal and tangent arguments to ", what, " must have the same tree structure; primals have "
                   "tree structure ", x_tree, " whereas tangents have tree structure ", t_tree,
                   ". Pass one tangent for each primal, in the same containers");
  for (std::size_t i = 0; !e && i < x.size(); ++i) {
    const aval p = x[i].aval();
    t[i] = match_primal(t[i], p);
    aval q = p;  // of whole numbers also where a plain number stands for theirs
    if (is_inexact(p.type) || (!t[i].is_none() && t[i].kind() != array_kind::literal)) q = t[i].aval();
    if (is_inexact(p.type) && p.type != q.type)
      e = make_error(error_kind::type, "primal and tangent arguments to ", what, " do not match. dtypes must be equal, got primal ",
                     i, " of dtype ", long_name(p.type), " and tangent of dtype ", long_name(q.type),
                     "; convert the tangent with astype");
    else if (!(p.dims == q.dims))
      e = make_error(error_kind::shape, what, " called with different primal and tangent shapes; got primal shape ", p.dims,
                     " and tangent shape as ", q.dims, "; pass a tangent with the shape of its primal, e.g. by broadcast_to");
    if (!is_inexact(p.type)) t[i] = {};
  }
  e.where = where;
  if (e) report(x, e);
  return t;
}

template <class F, class... A>
constexpr auto trace_for_values(F& f, std::string_view name, view<const array> leaves, const A&... args) {
  const std::vector<aval> types = avals_of(leaves);
  return trace_function(f, trace::purpose::values, name, types, leaves, nullptr, args...);
}

template <class F, class... P, class... T>
constexpr auto evaluate_jvp(F& f, const std::tuple<P...>& x, const std::tuple<T...>& t, const location& where) {
  const leaf_list leaves = std::apply([](const P&... p) { return flatten_all(p...); }, x);
  const leaf_list given = std::apply([](const T&... p) { return flatten_all(p...); }, t);
  const std::vector<array> directions = check_tangents("jvp", leaves, given, tree::structure(x), tree::structure(t), where);
  auto traced_f = std::apply([&](const P&... p) { return trace_for_values(f, "jvp", leaves, p...); }, x);
  jvp_values r = jvp_jaxpr(*traced_f.program, traced_f.program.constants, leaves, directions);
  for (std::size_t i = 0; i < r.tangents.size(); ++i)
    r.tangents[i] = instantiate(r.tangents[i], r.primals[i].aval());
  using R = rebind_t<decltype(traced_f.result)>;
  return std::pair<R, R>(rebuild<R>(traced_f.result, r.primals), rebuild<R>(traced_f.result, r.tangents));
}
}  // namespace detail

/// f(primals...) and its derivative in the direction of the tangents, as a pair of trees. `primals` and `tangents` are tuples that say what they are;
/// any others do as well. Errors: type_error or shape_error if tangents do not match primals.
template <class F, class... P, class... T>
[[gnu::always_inline]] constexpr auto jvp(F f, const std::tuple<P...>& x, const std::tuple<T...>& t, location where = location::current()) {
  (void)detail::check_function<F>();
  if constexpr (detail::is_static_call<P..., T...>()) return jvp_in_static_lane(detail::lane<P..., T...>{}, f, x, t);
  else return detail::evaluate_jvp(detail::seen_by_signature<P...>(f).of_signature(), x, t, where);
}
template <class F, class X, class T>
  requires(!(detail::tuple_heir<X> && detail::tuple_heir<T>))
constexpr std::pair<array, array> jvp(F, const X&, const T&) {
  static_assert(sizeof(F) == 0, "jq::jvp: wanted a tuple of primals and one of tangents, also of one argument; write jq::jvp(f, jq::primals{x}, jq::tangents{dx})");
  return {};
}
namespace detail {

/// A linearized function at a point: applies to tangents, or backwards to cotangents.
template <class Result, class... A>
class linear_map {
 public:
  constexpr linear_map(linearized l, std::vector<aval> in, Result out, std::tuple<rebind_t<A>...> prototypes)
      : lin_(std::move(l)), in_(std::move(in)), result_(std::move(out)), prototypes_(std::move(prototypes)) {
    for (std::size_t i = 0; i < leaf_count(result_); ++i) out_.push_back(lin_.primals[i].aval());  // the rest is auxiliary
    lin_.primals.clear();
  }

  /// Tangents of the outputs for tangents of the arguments.
  template <class... T>
  constexpr rebind_t<Result> forward(const T&... tangents) const {
    const leaf_list given = flatten_all(tangents...);
    std::vector<array> t = given;
    std::vector<array> inputs;
    error_record e;
    if (t.size() != in_.size())
      e = make_error(error_kind::type, "linearized function called on tangent values inconsistent with the original primal values: "
                     "got ", t.size(), " leaves, wanted ", in_.size(), "; pass one tangent per array of the arguments");
    for (std::size_t i = 0; !e && i < in_.size(); ++i) {
      t[i] = match_primal(t[i], in_[i]);
      if (!is_inexact(in_[i].type)) continue;
      if (!same_type(t[i].aval(), in_[i]))
        e = make_error(error_kind::value, "linearized function called on tangent values inconsistent with the original primal "
                       "values: got ", t[i].aval(), ", wanted ", in_[i], " for argument leaf ", i, "; convert or reshape the tangent");
      inputs.push_back(t[i]);
    }
    if (e) {
      report(t, e);
      inputs.clear();
      for (variable v : lin_.program->invars) inputs.push_back(zeros_any(lin_.program->avals[v]));
    }
    const std::vector<array> outs = eval_jaxpr(lin_.program, inputs);
    std::vector<array> r;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      r.emplace_back();
      if (lin_.tangent_of[i] >= 0) r.back() = outs[std::size_t(lin_.tangent_of[i])];
      r.back() = instantiate(r.back(), out_[i]);
    }
    return rebuild<rebind_t<Result>>(result_, r);
  }

  /// Cotangents of the arguments, one leaf each (none = zero), for a cotangent of the result.
  template <class T>
  constexpr std::vector<array> backward(const T& ct, const location& where) const {
    const leaf_list given = flatten_all(ct);
    std::vector<array> c = given;
    check_cotangent(c, tree::structure(ct), where);
    std::vector<array> seeds(lin_.program->outvars.size());
    for (std::size_t i = 0; i < out_.size(); ++i)
      if (lin_.tangent_of[i] >= 0) seeds[std::size_t(lin_.tangent_of[i])] = c[i];
    const std::vector<char> all(lin_.program->invars.size(), true);
    const std::vector<array> ct_in = transpose_jaxpr(*lin_.program, lin_.program.constants, {}, all, seeds);
    std::vector<array> r;
    std::size_t next = 0;
    for (const aval& a : in_) {
      r.emplace_back();
      if (is_inexact(a.type)) r.back() = ct_in[next++];
      r.back() = instantiate(r.back(), a);
    }
    return r;
  }
  constexpr const std::tuple<rebind_t<A>...>& prototypes() const { return prototypes_; }
  constexpr const Result& result() const { return result_; }

 private:
  constexpr void check_cotangent(std::vector<array>& c, const text& got, const location& where) const {
    error_record e;
    const text want = tree::structure(result_);
    if (!(got == want))
      e = make_error(error_kind::type, "Tree structure of cotangent input ", got, " does not match the structure of the primal output ",
                     want, "; pass a tree like the function's result");
    for (std::size_t i = 0; !e && i < out_.size(); ++i) {
      c[i] = match_primal(c[i], out_[i]);
      if (!is_inexact(out_[i].type) && (c[i].is_none() || c[i].kind() == array_kind::literal)) continue;
      const aval a = c[i].aval();
      if (is_inexact(out_[i].type) && a.type != out_[i].type)
        e = make_error(error_kind::type, "Type of cotangent input to vjp pullback function (", long_name(a.type),
                       ") is not the expected tangent type (", long_name(out_[i].type),
                       ") of corresponding primal input; convert the cotangent with astype");
      else if (!(a.dims == out_[i].dims))
        e = make_error(error_kind::shape, "Shape of cotangent input to vjp pullback function ", a.dims,
                       " must be the same as the shape of corresponding primal input ", out_[i].dims,
                       "; pass a cotangent like the function's result");
    }
    if (e) {
      e.where = where;
      report(c, e);
      c.clear();
      for (const aval& a : out_) c.push_back(zeros_any(a));
    }
  }

  linearized lin_;
  std::vector<aval> in_, out_;
  Result result_;
  std::tuple<rebind_t<A>...> prototypes_;  ///< trees like the arguments, without values
};

/// The linear function that linearize returns.
template <class Map>
struct forward_map {
  Map map;
  template <class... T>
  constexpr auto operator()(const T&... tangents) const {
    return map.forward(tangents...);
  }
};

/// The pullback that vjp returns: cotangent of the result to a tuple of cotangents, in the types of the arguments.
template <class Map, class... A>
struct pullback {
  Map map;
  template <class T>
  constexpr std::tuple<A...> operator()(const T& ct, location where = location::current()) const {
    const std::vector<array> leaves = map.backward(ct, where);
    const array* next = leaves.data();
    return std::apply([&](const rebind_t<A>&... like) { return std::tuple<A...>{rebuild_from<A>(like, next)...}; },
                      map.prototypes());
  }
};

template <class F, class... A>
constexpr auto make_linear_map(F& f, std::string_view name, std::vector<array>& primal_out, const A&... args) {
  const leaf_list leaves = flatten_all(args...);
  auto t = trace_for_values(f, name, leaves, args...);
  linearized l = linearize_jaxpr(*t.program, t.program.constants, leaves, std::vector<char>(leaves.size(), true));
  primal_out = l.primals;
  return linear_map<decltype(t.result), A...>(std::move(l), avals_of(leaves), t.result,
                                       std::tuple<rebind_t<A>...>{prototype(args)...});
}

template <class F, class... A>
constexpr auto evaluate_linearize(F& f, const A&... x) {
  std::vector<array> y;
  auto map = make_linear_map(f, "linearize", y, x...);
  forward_map<decltype(map)> f_lin{map};
  auto prototype = map.result();
  return std::pair<rebind_t<result_tree<F, A...>>, decltype(f_lin)>(rebuild<rebind_t<result_tree<F, A...>>>(prototype, y), std::move(f_lin));
}
}  // namespace detail

/// f(x...) and the linear function that maps tangents of x... to tangents of the result.
template <class F, class... A>
[[gnu::always_inline]] constexpr auto linearize(F f, const A&... x) {
  (void)detail::check_function<F>();
  if constexpr (detail::is_static_call<A...>()) return linearize_in_static_lane(detail::lane<A...>{}, f, x...);
  else return detail::evaluate_linearize(detail::seen_by_signature<A...>(f).of_signature(), x...);
}

namespace detail {
template <class F, class... A>
constexpr auto evaluate_vjp(F& f, const A&... x) {
  std::vector<array> y;
  auto map = make_linear_map(f, "vjp", y, x...);
  pullback<decltype(map), A...> back{map};
  return std::pair<rebind_t<result_tree<F, A...>>, decltype(back)>(rebuild<rebind_t<result_tree<F, A...>>>(map.result(), y), std::move(back));
}
/// Of a function that returns a pair: value, pullback of the value, and what comes with it.
template <class F, class... A>
constexpr auto evaluate_vjp_with_aux(F& f, const A&... x) {
  const leaf_list leaves = flatten_all(x...);
  auto t = trace_for_values(f, "vjp", leaves, x...);
  static_assert(is_pair<decltype(t.result)>, "jq::vjp with jq::has_aux: the function must return a two-element tuple (value, aux)");
  linearized l = linearize_jaxpr(*t.program, t.program.constants, leaves, std::vector<char>(leaves.size(), true));
  auto y = rebuild<rebind_t<decltype(t.result)>>(t.result, l.primals);
  using map = linear_map<std::remove_cvref_t<decltype(std::get<0>(t.result))>, A...>;
  pullback<map, A...> back{map(std::move(l), avals_of(leaves), std::get<0>(t.result), {prototype(x)...})};
  return std::tuple{std::get<0>(std::move(y)), std::move(back), std::get<1>(std::move(y))};
}
template <class... A>
constexpr auto vjp_with_aux(auto& f, const std::tuple<const A&...>& x) {
  return std::apply([&](const A&... args) {
    if constexpr (is_static_call<A...>()) return vjp_with_aux_in_static_lane(lane<A...>{}, f, args...);
    else return evaluate_vjp_with_aux(seen_by_signature<A...>(f).of_signature(), args...);
  }, x);
}
template <class T>
constexpr auto unless_has_aux(const T& x) {
  if constexpr (std::is_same_v<T, has_aux_t>) return std::tuple<>();
  else return std::tuple<const T&>(x);
}
}  // namespace detail

/// f(x...) and its pullback, which maps a cotangent of the result to a tuple of cotangents of x.... With jq::has_aux among x..., f
/// returns a pair (value, aux), and the result is a tuple of value, pullback of the value, and aux.
template <class F, class... A>
[[gnu::always_inline]] constexpr auto vjp(F f, const A&... x) {
  (void)detail::check_function<F>();
  if constexpr ((std::is_same_v<A, has_aux_t> || ...)) return detail::vjp_with_aux(f, std::tuple_cat(detail::unless_has_aux(x)...));
  else if constexpr (detail::is_static_call<A...>()) return vjp_in_static_lane(detail::lane<A...>{}, f, x...);
  else return detail::evaluate_vjp(detail::seen_by_signature<A...>(f).of_signature(), x...);
}

}  // namespace jacquard
