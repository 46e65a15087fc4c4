#pragma once
// linear_transpose: the transpose of a function that the user promises to be linear.

#include "jacquard/transforms/differentiate.hpp"

namespace jacquard {

namespace detail {

template <class Result, class... A>
struct transposed_function {
  closed_jaxpr program;
  std::vector<aval> in;
  Result result;
  std::tuple<rebind_t<A>...> prototypes;  ///< trees like the arguments, without values

  template <class T>
  constexpr auto operator()(const T& ct, location where = location::current()) const {
    const leaf_list given = flatten_all(ct);
    std::vector<array> c = given;
    const text got = tree::structure(ct), want = tree::structure(result);
    const std::vector<aval> outs = program.out_avals();
    error_record e;
    if (!(got == want))
      e = make_error(error_kind::type, "linear_transpose: cotangent tree does not match function output, expected ", want,
                     " but got ", got, "; pass a tree like the function's result");
    for (std::size_t i = 0; !e && i < outs.size(); ++i) {
      c[i] = match_primal(c[i], outs[i]);
      if (!same_type(c[i].aval(), outs[i]))
        e = make_error(error_kind::type, "linear_transpose: cotangent type does not match function output, expected ", outs[i],
                       " but got ", c[i].aval(), "; convert or reshape the cotangent");
    }
    if (e) {
      e.where = where;
      report(c, e);
      c.clear();
      for (const aval& a : outs) c.push_back(zeros_any(a));
    }
    const std::vector<char> all(in.size(), true);
    std::vector<array> r = transpose_jaxpr(*program, program.constants, {}, all, c);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = instantiate(r[i], in[i]);
    const array* next = r.data();
    return std::apply([&](const rebind_t<A>&... like) {
      return std::tuple<rebind_t<A>...>{rebuild_from<rebind_t<A>>(like, next)...};
    }, prototypes);
  }
};

}  // namespace detail

namespace detail {
template <class F, class... A>
constexpr auto transpose_function(F& f, const A&... x) {
  const leaf_list leaves = flatten_all(x...);
  const std::vector<aval> types = avals_of(leaves);
  for (const aval& a : types)
    if (!is_inexact(a.type))
      report(leaves, make_error(error_kind::type, "linear_transpose only supports floating point and complex inputs, got ",
                                        a, "; close over integer arguments instead"));
  auto t = trace_function(f, trace::purpose::staging, "linear_transpose", types, leaves, nullptr, x...);
  return transposed_function<decltype(t.result), A...>{t.program, types, t.result, {prototype(x)...}};
}
}  // namespace detail

/// The transpose of the linear function f of arguments of the types of x...: maps a cotangent of the result to a tuple of
/// cotangents of the arguments, without conjugation. Only types of x... matter, which may be jq::avals.
/// Errors: type_error for arguments that are not floating point or complex.
template <class F, class... A>
[[gnu::always_inline]] constexpr auto linear_transpose(F f, const A&... x) {
  (void)detail::check_function<F>();
  if constexpr (detail::is_static_call<A...>()) return linear_transpose_in_static_lane(detail::lane<A...>{}, f, x...);
  else return detail::transpose_function(f, x...);
}

}  // namespace jacquard
