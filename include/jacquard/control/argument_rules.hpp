#pragma once
// custom_jvp by a rule for each argument: what the tangent of one argument adds to that of the result. Deliberately made of the one rule
// that custom_jvp takes, which calls the function again and sums.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/prims/add.hpp"

namespace jacquard {

namespace detail {

/// In the place of a rule: the result does not depend on the argument, or is taken not to.
struct adds_nothing {};
template <class R>
using kept_rule = std::conditional_t<std::is_same_v<R, int>, adds_nothing, R>;

template <class... R>
struct argument_rules {
  [[no_unique_address]] std::tuple<R...> each;
};

/// The rule of f as custom_jvp takes it.
template <class F, class... R>
struct sum_of_rules {
  [[no_unique_address]] F f;
  [[no_unique_address]] std::tuple<R...> each;

  template <class... X, class T>
  constexpr auto operator()(const std::tuple<X...>& x, const T& tangents) const {
    static_assert(sizeof...(X) == sizeof...(R), "jq::defjvps: wanted as many rules as the function has arguments; pass jq::none for an argument "
                                                "that the result does not depend on");
    const custom_jvp_function<F, sum_of_rules, std::array<int, 0>{}> whole{f, *this};  // its derivative has the rules, too
    const auto out = std::apply(whole, x);
    std::vector<array> sum(leaf_count(out));
    if constexpr (sizeof...(X) == sizeof...(R)) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_part(std::get<I>(each), std::get<I>(tangents), out, x, sum), ...);
      }(std::index_sequence_for<R...>{});
    }
    return std::pair(out, rebuild<std::remove_const_t<decltype(out)>>(out, sum));
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
                                                                 "of structure ", wanted, ", but got ", got));
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
  return detail::argument_rules<detail::kept_rule<R>...>{{[](auto& rule) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(rule)>, int>) return detail::adds_nothing{};
    else return std::move(rule);
  }(rules)...}};
}

/// f with its derivative given by defjvps(...). Errors: those of custom_jvp; type_error where a rule's result has not the structure of f's.
template <class F, class... R, class... O>
constexpr auto custom_jvp(F f, detail::argument_rules<R...> rules, O...) {
  static_assert(sizeof...(O) == 0, "jq::custom_jvp: jq::defjvps takes no options; for nondiff_argnums give one rule of all tangents");
  using rule = detail::sum_of_rules<F, R...>;
  return detail::custom_jvp_function<F, rule, std::array<int, 0>{}>{f, rule{f, std::move(rules.each)}};
}

}  // namespace jacquard
