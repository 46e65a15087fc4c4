// Rejection: what is accepted, by trips that are known.
#include <jacquard/numpy/rejection.hpp>

#include "numpy_testing.hpp"

namespace r = jq::random;

TEST_CASE("each place gets its first accepted proposal, closed ones keep their value") {
  // Uniform numbers below a bound of each place: the first of the sequence that the key gives.
  const array k = r::key(3), bounds = asarray({1.f, 0.5f, 0.05f, 0.05f}), open = asarray({true, true, true, false});
  const auto propose = [&](const jq::operand& key) {
    const array u = r::uniform(key, {4});
    return r::detail::proposals{u < bounds, u};
  };
  const array got = r::detail::first_accepted(jq::operand(k), open, jq::full({4}, -1.f), propose);
  for (int place = 0; place < 3; ++place) {
    int trip = 0;
    while (!bool(r::uniform(r::fold_in(k, trip), {4})[place] < bounds[place])) ++trip;
    CHECK(got[place].item<float>() == r::uniform(r::fold_in(k, trip), {4})[place].item<float>());
  }
  CHECK(got[3].item<float>() == -1);
}
TEST_CASE("under vmap the loop runs until all are done") {
  const auto first_below = [](const array& key, const array& bound) {
    return r::detail::first_accepted(jq::operand(key), jq::full({}, true), jq::full({}, 2.f), [&](const jq::operand& k) {
      const array u = r::uniform(k);
      return r::detail::proposals{u < bound, u};
    });
  };
  const array keys = r::split(r::key(1), 3), bounds = asarray({0.9f, 0.1f, 0.02f});
  const array each = jq::stack({first_below(keys[0], bounds[0]), first_below(keys[1], bounds[1]), first_below(keys[2], bounds[2])});
  CHECK(show(jq::vmap(first_below)(keys, bounds)) == show(each));
}
