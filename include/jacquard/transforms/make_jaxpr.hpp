#pragma once
// make_jaxpr and eval_shape: tracing without running.

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "jacquard/transforms/function.hpp"
#include "jacquard/transforms/lane.hpp"

namespace jacquard {

namespace detail {

template <class O>
inline constexpr bool is_axis_env = false;
template <fixed_string Name, std::int64_t Size>
inline constexpr bool is_axis_env<axis_env_t<Name, Size>> = true;

/// The axes that options put in scope, one within another.
template <class... O>
struct axis_environment {
  static constexpr std::size_t count = (std::size_t(is_axis_env<O>) + ... + 0);
  std::array<axis_binding, count> axes{};

  constexpr explicit axis_environment(const axis_binding* outer) {
    std::size_t n = 0;
    [[maybe_unused]] const auto add = [&]<class Option>(std::type_identity<Option>) {
      if constexpr (is_axis_env<Option>) {
        axes[n] = {Option::name, Option::size, n + 1 == count ? outer : &axes[n + 1]};
        ++n;
      }
    };
    (add(std::type_identity<O>{}), ...);
  }
  axis_environment(const axis_environment&) = delete;
  constexpr const axis_binding* innermost() const { return count ? axes.data() : nullptr; }
};
template <class... O>
inline constexpr axis_environment<O...> static_axes(nullptr);

/// f traced for arguments whose types count, in the scope of the axes among options O.
template <class... O, class F, class... A>
constexpr auto stage(F& f, std::string_view name, const A&... args) {
  const leaf_list leaves = flatten_all(args...);
  const std::vector<aval> types = avals_of(leaves);
  const trace* const around = trace_of(leaves);
  const axis_environment<O...> env(around ? around->axes : nullptr);
  return trace_function(f, trace::purpose::staging, name, types, leaves, env.innermost(), args...);
}
/// f in the compile-time lane, whose traces begin without axes.
template <class F, class... O>
struct function_in_axes {
  [[no_unique_address]] F f;
  template <class... A>
  constexpr auto operator()(const A&... args) const {
    const leaf_list leaves = flatten_all(args...);
    if (trace* const t = trace_of(leaves)) t->axes = static_axes<O...>.innermost();
    F g = f;
    return call_function(g, args...);
  }
};

/// The result tree with abstract arrays as leaves: tracers of a finished program that know their type only.
template <class R>
constexpr auto type_tree(const R& like, const std::vector<aval>& types) {
  std::vector<array> leaves;
  constant_node* n = new constant_node;
  for (const aval& a : types) n->outputs.push_back(a);
  n->problem = make_error(error_kind::value, "eval_shape: its results have types but no values");
  for (std::size_t i = 0; i < types.size(); ++i) leaves.push_back(array(n, std::uint32_t(i)));
  n->release();
  return rebuild<rebind_t<R>>(like, leaves);
}

template <class F, class... O>
struct jaxpr_maker {
  [[no_unique_address]] F f;
  template <class... A>
  constexpr auto operator()(const A&... args) const {
    static_assert(positions_fit(statics, sizeof...(A)), "jq::make_jaxpr: static_argnums names an argument that was not passed; all static "
                                                        "arguments must be passed positionally");
    if constexpr (!positions_fit(statics, sizeof...(A))) return closed_jaxpr();
    else if constexpr (has_option<return_shape_t, O...>) return traced_now(args...);
    else if constexpr (binds_types<statics, A...>())
      return call_with_picked<statics, false>([&](const auto&... dynamic) {
        return program_in_lane(function_of_types<statics, F, A...>{f}, dynamic...);
      }, args...);
    else if constexpr (!is_static_call<A...>() || statics.size() != 0) return traced_now(args...);
    else return program_in_lane(f, args...);
  }

 private:
  static constexpr auto statics = int_option<static_argnums_t, O...>();

  template <class G, class... A>
  static constexpr auto program_in_lane(const G& g, const A&...) {
    if constexpr (axis_environment<O...>::count == 0) return program_in_static_lane(lane<A...>{}, g);
    else return program_in_static_lane(lane<A...>{}, function_in_axes<G, O...>{g});
  }
  template <class... A>
  constexpr auto traced_now(const A&... args) const {
    return call_with_signature<statics>(f, [](const auto& g, const auto&, const auto&... dynamic) { return program_of(g, dynamic...); }, args...);
  }
  template <class G, class... A>
  static constexpr auto program_of(G& g, const A&... args) {
    auto t = stage<O...>(g, "make_jaxpr", args...);
    if constexpr (has_option<return_shape_t, O...>) return std::pair(t.program, type_tree(t.result, t.program.out_avals()));
    else return t.program;
  }
};

template <class F>
struct shape_evaluator {
  [[no_unique_address]] F f;
  template <class... A>
  constexpr auto operator()(const A&... args) const {
    const auto t = [&] {
      F g = f;
      if constexpr (is_static_call<A...>() && std::is_empty_v<F>) return trace_in_static_lane(lane<A...>{}, g);
      else return stage<>(g, "eval_shape", args...);
    }();
    if constexpr (requires { t.program; }) return type_tree(t.result, t.program.out_avals());
    else return t;
  }
};

}  // namespace detail

/// make_jaxpr(f)(x...) traces f on arguments of the types of x... and returns its program. f is not run.
/// Options: static_argnums, axis_env<"name", size> (any number of them), return_shape.
template <class F, class... O>
constexpr auto make_jaxpr(F f, O...) {
  (void)(detail::check_function<F>() && ... && detail::check_jaxpr_option<O>());
  return detail::jaxpr_maker<F, O...>{f};
}

/// eval_shape(f)(x...) returns the result tree of f with leaves that know shape and dtype but have no values. With static arguments it is
/// a constant expression, and an error of f one of the compiler, where f captures nothing.
template <class F>
constexpr auto eval_shape(F f) {
  (void)detail::check_function<F>();
  return detail::shape_evaluator<F>{f};
}

}  // namespace jacquard
