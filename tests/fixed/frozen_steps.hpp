#pragma once
// What tests of passes over frozen programs look at: how many steps are left of a function, how many of them wait for each other, and what it gives.
#include <jacquard/fixed.hpp>

namespace frozen_steps {

namespace jq = jacquard;

template <class F, class... A>
constexpr const auto& layout_for = jq::detail::layout_of<jq::detail::frozen_of<jq::detail::static_program<true, F, A...>>>;
/// How many groups there are for which `counts` holds.
template <class Counts, class F, class... A>
constexpr std::uint32_t groups_of(const Counts& counts, F, const A&...) {
  const auto& l = layout_for<F, A...>;
  std::uint32_t r = 0;
  for (std::uint32_t i = 0; i < l.used.groups; ++i) r += counts(l.groups[i]) ? 1 : 0;
  return r;
}
constexpr bool is_division(const jq::detail::step_group& g) { return g.kind == jq::detail::run_step::kind_of(jq::detail::arithmetic::divide); }
constexpr bool is_row(const jq::detail::step_group& g) { return (g.kind & jq::detail::run_step::plain_arithmetic) != 0 && !is_division(g); }
/// Each number of a row is one; divisions at once, and functions, are one together.
template <class F, class... A>
constexpr std::uint32_t steps_of(F, const A&...) {
  const auto& l = layout_for<F, A...>;
  std::uint32_t r = l.used.steps;
  for (std::uint32_t i = 0; i < l.used.groups; ++i) r += is_row(l.groups[i]) ? l.groups[i].count - 1 : 0;
  return r;
}
/// How many of the steps for which `counts` holds wait for each other at most.
template <class Counts, class F, class... A>
constexpr std::uint32_t longest_path(const Counts& counts, F, const A&...) {
  const auto& l = layout_for<F, A...>;
  std::uint32_t depth[1000]{}, most = 0;
  for (std::uint32_t i = 0; i < l.used.steps; ++i) {
    const jq::detail::run_step& s = l.steps[i];
    std::uint32_t d = 0;
    for (std::uint32_t k = 0; k < 2; ++k)
      if ((s.in[k] & jq::atom::literal_bit) == 0 && depth[s.in[k]] > d) d = depth[s.in[k]];
    depth[s.out] = d + (counts(s) ? 1 : 0);
    if (depth[s.out] > most) most = depth[s.out];
  }
  return most;
}
template <class F, class... A>
constexpr auto run(F, const A&... x) {
  return jq::detail::run_static<F, jq::detail::own_result>(x...);
}

/// A polynomial of each element, whose coefficients are numbers: four sums and five products.
constexpr auto polynomial = [](auto x, auto c) {
  auto s = x * c[0];
  for (int i = 1; i < 5; ++i) s = (s + c[i]) * x;
  return s;
};
using coefficients = jq::tensor<double, 5>;

}  // namespace frozen_steps
