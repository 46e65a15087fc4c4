#pragma once
// jvp, vjp, linearize and linear_transpose of the compile-time lane. Each is a stateless function of all its inputs, which is
// traced and frozen like any other. Deliberately without stored residuals: a pullback keeps the arguments and computes what it
// needs of the forward pass again, which the compiler shares with the value where both are inlined.

#include "jacquard/fixed/lane.hpp"
#include "jacquard/transforms/linear_transpose.hpp"

namespace jacquard {
namespace detail {

/// A plain number given as a tangent or cotangent takes the type of what it belongs to.
template <class Array = array>
constexpr array match_type(const lazy<Array>& t, const aval& like) {
  if (!t.weak_type() || t.dtype() == like.type || category_of(t.dtype()) > category_of(like.type)) return t;
  return lax::convert_element_type(t, like.type, like.weak);
}
template <class T, class X>
constexpr auto match_number(const T& t, const X& x) {
  if constexpr (std::is_same_v<T, array> && std::is_same_v<X, array>) return match_type(t, x.aval());
  else return t;
}

/// jvp as a function of a tuple of primals and one of tangents.
template <class F>
struct jvp_of {
  template <class... P, class... T>
  constexpr auto operator()(const std::tuple<P...>& x, const std::tuple<T...>& t) const {
    static_assert(sizeof...(P) == sizeof...(T), "jq::jvp: pass one tangent for each primal");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return jvp(F{}, x, std::tuple<T...>(match_number(std::get<I>(t), std::get<I>(x))...), location{});  // the user's line is in the instantiation, not here
    }(std::index_sequence_for<P...>{});
  }
};
/// The tangents alone.
template <class F>
struct tangents_of {
  template <class X, class T>
  constexpr auto operator()(const X& x, const T& t) const {
    return jvp_of<F>{}(x, t).second;
  }
};
/// The cotangents of a tuple of arguments for a cotangent of the result.
template <class F>
struct cotangents_of {
  template <class... P, class T>
  constexpr auto operator()(const std::tuple<P...>& x, const T& ct) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto r = vjp(F{}, std::get<I>(x)...);
      return r.second(match_number(ct, r.first), location{});
    }(std::index_sequence_for<P...>{});
  }
};
template <class F>
struct transposed {
  template <class... P, class T>
  constexpr auto operator()(const std::tuple<P...>& x, const T& ct) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return linear_transpose(F{}, std::get<I>(x)...)(ct, location{});
    }(std::index_sequence_for<P...>{});
  }
};

/// Arguments as arrays, for a call whose other arguments are arrays.
template <class... A>
constexpr auto as_arrays(const std::tuple<A...>& x) {
  std::vector<array> leaves;
  flatten_into(x, leaves);
  return rebuild<std::tuple<rebind_t<A>...>>(x, leaves);
}

/// A copy of a static tree, element by element where it is small: g++ 12 does not see through copies of whole tensors, and would
/// compute again what it already has from the original.
template <class T>
JACQUARD_INLINE constexpr void copy_elements(T& to, const T& from) {
  if constexpr (static_leaf<T>) {
    using traits = static_leaf_traits<T>;
    constexpr std::size_t n = std::size_t(traits::dims().elements());
    if constexpr (n <= 2 * std::size_t(small_size))
      [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        ((traits::data(to)[I] = traits::data(from)[I]), ...);
      }(std::make_index_sequence<n>{});
    else to = from;
  } else {
    auto destinations = parts(to);
    const auto sources = parts(from);
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (copy_elements(std::get<I>(destinations), std::get<I>(sources)), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(sources)>>{});
  }
}
template <class... A>
class kept_arguments {
 public:
  JACQUARD_INLINE constexpr explicit kept_arguments(const A&... x) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (copy_elements(std::get<I>(values), x), ...);
    }(std::index_sequence_for<A...>{});
  }
  JACQUARD_INLINE constexpr kept_arguments(const kept_arguments& o) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (copy_elements(std::get<I>(values), std::get<I>(o.values)), ...);
    }(std::index_sequence_for<A...>{});
  }
  std::tuple<A...> values;
};

/// G(arguments, given): a function of something given later, with the arguments kept.
template <class G, class Looks, class... A>
struct static_map {
  kept_arguments<A...> arguments;
  template <class T>
  JACQUARD_INLINE constexpr auto operator()(const T& given) const {
    if constexpr (is_static_call<T>()) return call_in_static_lane(lane<std::tuple<A...>, T>{}, G{}, Looks{}, arguments.values, given);
    else return G{}(as_arrays(arguments.values), given);
  }
};
template <class G, class... A>
struct static_forward_map {
  static_map<G, own_result, A...> map;
  template <class... T>
  JACQUARD_INLINE constexpr auto operator()(const T&... t) const {
    return map(std::tuple<T...>(t...));
  }
};

template <class... A, class F, class... P, class... T>
JACQUARD_INLINE constexpr auto jvp_in_static_lane(lane<A...>, const F&, const std::tuple<P...>& x, const std::tuple<T...>& t) {
  if constexpr (check_static_callable<F>()) return run_static<jvp_of<F>, own_result>(x, t);
}
template <class F, class... A>
JACQUARD_INLINE constexpr auto linearize_in_static_lane(lane<A...>, const F&, const A&... x) {
  if constexpr (check_static_callable<F>())
    return std::pair{run_static<F, own_result>(x...), static_forward_map<tangents_of<F>, A...>{{kept_arguments<A...>(x...)}}};
}
template <class F, class... A>
JACQUARD_INLINE constexpr auto vjp_in_static_lane(lane<A...>, const F&, const A&... x) {
  if constexpr (check_static_callable<F>())
    return std::pair{run_static<F, own_result>(x...), static_map<cotangents_of<F>, mirrored_result<std::tuple<A...>>, A...>{kept_arguments<A...>(x...)}};
}
/// The value of a function that returns a pair of it and something else.
template <class F>
struct first_of_pair {
  constexpr auto operator()(const auto&... x) const { return std::get<0>(F{}(x...)); }
};
template <class... A, class F>
JACQUARD_INLINE constexpr auto vjp_with_aux_in_static_lane(lane<A...>, const F&, const A&... x) {
  if constexpr (check_static_callable<F>()) {
    const auto y = run_static<F, own_result>(x...);
    static_assert(is_pair<std::remove_cvref_t<decltype(y)>>, "jq::vjp with jq::has_aux: the function must return a two-element tuple (value, aux)");
    using look = mirrored_result<std::tuple<A...>>;
    return std::tuple{std::get<0>(y), static_map<cotangents_of<first_of_pair<F>>, look, A...>{kept_arguments<A...>(x...)}, std::get<1>(y)};
  }
}
template <class F, class... A>
JACQUARD_INLINE constexpr auto linear_transpose_in_static_lane(lane<A...>, const F&, const A&... x) {
  if constexpr (check_static_callable<F>())
    return static_map<transposed<F>, mirrored_result<std::tuple<A...>>, A...>{kept_arguments<A...>(x...)};
}

}  // namespace detail
}  // namespace jacquard
