// Liveness: what stays for some results, for effects, and of which equations only a part stays.
#include "../show.hpp"

#include <jacquard/transforms/liveness.hpp>

using jq::array;

namespace {

template <class F>
jq::closed_jaxpr traced(const F& f) {
  return jq::make_jaxpr(f)(jq::asarray({1.f, 2.f}));
}

}  // namespace

TEST_CASE("liveness: what no result needs does not stay, nor is what that reads used") {
  const jq::closed_jaxpr p = traced([](const array& x) { return lax::sin(lax::cos(x)), lax::exp(x); });
  const jq::detail::liveness live(*p, jq::no_effect);
  CHECK_FALSE(live.keep[0]);
  CHECK_FALSE(live.keep[1]);
  CHECK(live.keep[2]);
  CHECK(live.used[p->invars[0]]);
  CHECK_FALSE(live.used[p->outputs(p->equations[0])[0]]);
}
TEST_CASE("liveness: effects stay, unless they may be dropped with what they show") {
  const jq::closed_jaxpr p = traced([](const array& x) { return jq::id_print(lax::sin(x)), x; });
  CHECK(jq::detail::liveness(*p, jq::no_effect).keep[0]);
  CHECK_FALSE(jq::detail::liveness(*p, jq::tap_effect).keep[0]);
}
TEST_CASE("liveness: of a loop the carry that nobody reads goes, unless its start comes from a tap") {
  const auto loop = [](const array& start, const array& x) {
    return std::get<0>(lax::fori_loop(0, 3, [](const array&, const std::pair<array, array>& s) { return std::pair{lax::sin(s.first), s.second * 2.f}; }, std::pair{x, start}));
  };
  const jq::closed_jaxpr plain = traced([&](const array& x) { return loop(x, x); });
  const jq::detail::liveness live(*plain, jq::no_effect);
  REQUIRE(live.trimmed.size() == 1);
  CHECK(live.trimmed[0].stays.results == std::vector<char>{true, false});
  const jq::closed_jaxpr tapped = traced([&](const array& x) { return loop(jq::id_print(x), x); });
  CHECK(jq::detail::liveness(*tapped, jq::no_effect).trimmed.size() == 1);
}
