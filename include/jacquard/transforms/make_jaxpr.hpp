#pragma once
// make_jaxpr and eval_shape: tracing without running.

#include "jacquard/transforms/function.hpp"
#include "jacquard/transforms/lane.hpp"

namespace jacquard {

namespace detail {

/// A leaf type known without its value.
template <class F, class... A>
constexpr auto stage(F& f, std::string_view name, const A&... args) {
  const leaf_list leaves = flatten_all(args...);
  const std::vector<aval> types = avals_of(leaves);
  return trace_function(f, trace::purpose::staging, name, types, leaves, nullptr, args...);
}

template <class F>
struct jaxpr_maker {
  [[no_unique_address]] F f;
  template <class... A>
  constexpr auto operator()(const A&... args) const {
    if constexpr (is_static_call<A...>()) return program_in_static_lane(lane<A...>{}, f);
    else {
      F g = f;
      return stage(g, "make_jaxpr", args...).program;
    }
  }
};

template <class F>
struct shape_evaluator {
  [[no_unique_address]] F f;
  template <class... A>
  auto operator()(const A&... args) const {
    F g = f;
    auto t = stage(g, "eval_shape", args...);
    const std::vector<aval> types = t.program.out_avals();
    return type_tree(t.result, types);
  }

 private:
  /// The result tree with abstract arrays as leaves: tracers of a finished program that know their type only.
  template <class R>
  static auto type_tree(const R& like, const std::vector<aval>& types) {
    std::vector<array> leaves;
    constant_node* n = new constant_node;
    for (const aval& a : types) n->outputs.push_back(a);
    n->problem = make_error(error_kind::value, "eval_shape: its results have types but no values");
    for (std::size_t i = 0; i < types.size(); ++i) leaves.push_back(array(n, std::uint32_t(i)));
    n->release();
    return rebuild<rebind_t<R>>(like, leaves);
  }
};

}  // namespace detail

/// make_jaxpr(f)(x...) traces f on arguments of the types of x... and returns its program. f is not run.
template <class F>
constexpr auto make_jaxpr(F f) {
  (void)detail::check_function<F>();
  return detail::jaxpr_maker<F>{f};
}

/// eval_shape(f)(x...) returns the result tree of f with leaves that know shape and dtype but have no values.
template <class F>
constexpr auto eval_shape(F f) {
  (void)detail::check_function<F>();
  return detail::shape_evaluator<F>{f};
}

}  // namespace jacquard
