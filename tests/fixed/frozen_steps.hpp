#pragma once
// What tests of passes over frozen programs look at: how many steps are left of a function, and what it gives.
#include <jacquard/fixed.hpp>

namespace frozen_steps {

namespace jq = jacquard;

template <class F, class... A>
constexpr const auto& layout_for = jq::detail::layout_of<jq::detail::frozen_of<jq::detail::static_program<true, F, A...>>>;
template <class F, class... A>
constexpr std::uint32_t steps_of(F, const A&...) {
  return layout_for<F, A...>.used.steps;
}
template <class F, class... A>
constexpr auto run(F, const A&... x) {
  return jq::detail::run_static<F, jq::detail::own_result>(x...);
}

}  // namespace frozen_steps
