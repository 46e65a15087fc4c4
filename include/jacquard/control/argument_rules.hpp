#pragma once
// custom_jvp by a rule for each argument: what the tangent of one argument adds to that of the result. Deliberately made of the one rule
// that custom_jvp takes, which calls the function again and sums.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/prims/add.hpp"

namespace jacquard {

namespace detail {

/// In the place of a rule: the result does not depend on the argument, or is taken not to.
struct adds_nothing {
  constexpr adds_nothing() = default;
  constexpr explicit adds_nothing(int) {}
};
template <class R>
using kept_rule = std::conditional_t<std::is_same_v<R, int>, adds_nothing, R>;

template <class... R>
struct argument_rules {
  [[no_unique_address]] std::tuple<R...> each;
};

template <class F, class... R>
struct sum_of_rules;

/// f with its rules.
template <class F, class... R>
struct function_with_rules {
  [[no_unique_address]] F f;
  [[no_unique_address]] std::tuple<R...> each;

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    if constexpr (is_static_call<A...>()) return call_in_static_lane(lane<A...>{}, *this, own_result{}, args...);
    else return bound(args...);
  }
  /// With its type written out: the rule calls it, which the compiler may want to know while it makes this function.
  template <class... A>
  constexpr rebind_t<result_tree<const F, A...>> bound(const A&... args) const {
    const auto make = [&]<class X, class Y>(const std::tuple<>& nondiff, const X& like, const Y& result) {
      return make_rule(flat_jvp_rule<sum_of_rules<F, R...>, std::tuple<>, X, Y>{{*this}, nondiff, like, result});
    };
    return bind_with_rule<custom_jvp_p, std::array<int, 0>{}>(f, "custom_jvp", std::tuple<>{}, make, args...);
  }
};

/// The rule of f as custom_jvp takes it.
template <class F, class... R>
struct sum_of_rules {
  [[no_unique_address]] function_with_rules<F, R...> whole;  ///< called for the value, so that its derivative has the rules, too

  template <class... X>
  using result = rebind_t<result_tree<const F, X...>>;

  template <class... X, class T>
  constexpr std::pair<result<X...>, result<X...>> operator()(const std::tuple<X...>& x, const T& tangents) const {
    static_assert(sizeof...(X) == sizeof...(R), "jq::defjvps: wanted as many rules as the function has arguments; pass jq::none for an argument "
                                                "that the result does not depend on");
    const result<X...> out = std::apply([&](const auto&... primals) -> result<X...> { return whole.bound(primals...); }, x);
    std::vector<array> sum(leaf_count(out));
    if constexpr (sizeof...(X) == sizeof...(R)) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_part(std::get<I>(whole.each), std::get<I>(tangents), out, x, sum), ...);
      }(std::index_sequence_for<R...>{});
    }
    return {out, rebuild<result<X...>>(out, sum)};
  }

 private:
  template <class Rule, class Tangent, class Y, class... X>
  static constexpr void add_part(const Rule& rule, const Tangent& t, const Y& out, const std::tuple<X...>& x, std::vector<array>& sum) {
    if constexpr (!std::is_same_v<Rule, adds_nothing>) {
      const auto part = std::apply([&](const auto&... primals) { return call_function(rule, t, out, primals...); }, x);
      const leaf_list leaves = flatten_all(part);
      const text wanted = structure_text(out), got = structure_text(part);
      if (!(wanted == got)) {
        std::vector<array> about;
        flatten_into(x, about);
        return fail_in_rule(view<const array>(about), make_error(error_kind::type, "a rule of defjvps must give what its tangent adds to that of the result, "
                                                                 "of structure ", wanted, ", but got ", got, "; return a tree of that structure"));
      }
      for (std::size_t i = 0; i < sum.size(); ++i)
        if (sum[i].is_none()) sum[i] = leaves[i];
        else sum[i] = lax::add(sum[i], leaves[i]);
    }
  }
};

}  // namespace detail

/// For custom_jvp, a rule for each argument: rule(tangent, out, arguments...) -> what the tangent of that argument adds to the tangent of the
/// result; jq::none where it adds nothing. Derivatives of higher order differentiate the rules.
template <class... R>
constexpr auto defjvps(R... rules) {
  return detail::argument_rules<detail::kept_rule<R>...>{{detail::kept_rule<R>(std::move(rules))...}};
}

/// f with its derivative given by defjvps(...). Errors: those of custom_jvp; type_error where a rule's result has not the structure of f's.
template <class F, class... R, class... O>
constexpr auto custom_jvp(F f, detail::argument_rules<R...> rules, O...) {
  static_assert(sizeof...(O) == 0, "jq::custom_jvp: jq::defjvps takes no options; for nondiff_argnums give one rule of all tangents");
  return detail::function_with_rules<F, R...>{std::move(f), std::move(rules.each)};
}

}  // namespace jacquard
