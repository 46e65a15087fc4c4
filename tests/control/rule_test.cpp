// Rules as equations keep them: run, mapped over examples, and pullbacks whose cotangents are summed where an argument is shared;
// arguments picked and put together again.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

const auto scale = jq::detail::make_rule([](jq::view<const array> in, jq::function_ref&) { return std::vector<array>{in[0] * in[1]}; });

}  // namespace

TEST_CASE("rules: run on flat arrays") {
  CHECK(show(jq::detail::run_rule(scale, std::vector{asarray(2.0), asarray(3.0)})) == "f64[] 6");
  CHECK_THROWS_WITH_AS(jq::detail::run_rule(jq::function_ref(), std::vector{asarray(2.0)}), doctest::Contains("program in static storage"), jq::not_implemented);
}
TEST_CASE("rules: mapped over examples, results along the first dimension") {
  jq::function_ref more;
  const std::vector<int> dims{1, jq::not_mapped};
  const auto y = jq::detail::run_rule_mapped(scale, std::vector{asarray({{1.0, 2.0, 3.0}}), asarray({10.0})}, dims, 3, {}, more);
  CHECK(show(y) == "f64[3,1] 10 20 30");
}
TEST_CASE("rules: a mapped pullback sums the cotangents of shared arguments") {
  const auto both = jq::detail::make_rule([](jq::view<const array> in, jq::function_ref&) { return std::vector<array>{in[0] * in[1], in[1]}; });
  const auto mapped = jq::detail::mapped_pullback(both, {}, {jq::not_mapped, 0}, 2, {});
  CHECK(show(jq::detail::run_rule(mapped, std::vector{asarray({1.0, 2.0}), asarray({10.0, 20.0})})) == "f64[] 50, f64[2] 10 20");
}
TEST_CASE("rules: arguments picked and put together again") {
  constexpr std::array<int, 2> at{1, -1};
  const int one = 1, two = 2, three = 3, four = 4;
  const auto picked = jq::detail::pick_arguments<at, true>(one, two, three, four);
  const auto rest = jq::detail::pick_arguments<at, false>(one, two, three, four);
  CHECK(picked == std::tuple{2, 4});
  CHECK(rest == std::tuple{1, 3});
  const auto digits = [](int a, int b, int c, int d) { return 1000 * a + 100 * b + 10 * c + d; };
  CHECK(jq::detail::call_merged<at>(digits, picked, rest) == 1234);
}
