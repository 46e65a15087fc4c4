#pragma once
// What tests of passes over frozen programs look at: how many steps are left of a function, how many of them wait for each other, and what it gives.
#include <jacquard/fixed.hpp>

namespace frozen_steps {

namespace jq = jacquard;

template <class F, class... A>
constexpr const auto& layout_for = jq::detail::layout_of<jq::detail::frozen_of<jq::detail::static_program<true, F, A...>>>;
/// Each of those that run at once is one.
template <class F, class... A>
constexpr std::uint32_t steps_of(F, const A&...) {
  const auto& l = layout_for<F, A...>;
  return l.used.steps - l.used.groups + l.used.grouped;
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

}  // namespace frozen_steps
