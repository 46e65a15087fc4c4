#pragma once
// Sampling by rejection on whole arrays: proposals are made for all places in each trip of a loop, which ends when every place has accepted one.
// What a place gets depends on the key, its position and its proposals alone, not on how many trips others need.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/random.hpp"
#include "jacquard/numpy/reductions.hpp"

namespace jacquard::random::detail {

/// Proposals at all places, and where they are accepted.
struct proposals {
  array accepted, values;
};
/// Where `open`, the first accepted of what propose(key) gives for the keys fold_in(k, 0), fold_in(k, 1), ...; elsewhere `values`.
template <class Operand, class Array, class Propose>
constexpr array first_accepted(const Operand& k, const Array& open, const Array& values, Propose propose) {
  using state = std::tuple<array, array, array>;  // number of the trip, places without sample, samples
  const auto goes_on = [](const state& s) { return any(std::get<1>(s)); };
  const auto step = [&](const state& s) {
    const array& trip = std::get<0>(s);
    const proposals p = propose(operand(fold_in(k, operand(trip, k.where)), k.where));
    const array good = std::get<1>(s) & p.accepted;
    return state{trip + 1, std::get<1>(s) & ~p.accepted, jacquard::where(good, p.values, std::get<2>(s))};
  };
  return std::get<2>(lax::while_loop(goes_on, step, state{array(literal(std::int32_t(0))), open, values}, k.where));
}

}  // namespace jacquard::random::detail
