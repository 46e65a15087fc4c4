// Difference quotients and the complex step against closed forms.
#include "wrong_prims.hpp"

#include <jacquard/testing/difference.hpp>

#include <cmath>

namespace jq = jacquard;
using jq::asarray;
using jq::testing::leaves;

namespace {
leaves waves(const leaves& x) { return {jq::sin(x[0]) * x[1]}; }
}  // namespace

TEST_CASE("differences of fourth order") {
  const leaves x{asarray({0.3, 1.0}), asarray(2.0)}, t{asarray({1.0, -1.0}), asarray(0.5)};
  const leaves slope = jq::testing::difference_quotient(waves, x, t, 1e-3);
  const auto want = [](double a, double ta) { return std::cos(a) * ta * 2 + std::sin(a) * 0.5; };
  CHECK_REPORT(jq::testing::all_close(slope[0], asarray({want(0.3, 1), want(1, -1)}), 1e-11, 1e-11));
}
TEST_CASE("the complex step is exact") {
  const leaves x{asarray({0.3, 1.0}), asarray(2.0)}, t{asarray({1.0, 0.0}), asarray(0.0)};
  const leaves slope = jq::testing::complex_step(waves, x, t);
  CHECK_REPORT(jq::testing::all_close(slope[0], asarray({2 * std::cos(0.3), 0.0}), 1e-15, 0));
}
TEST_CASE("results without tangents give zeros of dtype bool") {
  const auto f = [](const leaves& x) { return leaves{x[0] > 0.0}; };
  CHECK_REPORT(jq::testing::identical(jq::testing::difference_quotient(f, {asarray({1.0})}, {asarray({1.0})}, 1e-3)[0], asarray({false})));
}
TEST_CASE("the inner product does not conjugate and skips what has no tangents") {
  using c = jq::complex128;
  const leaves a{asarray({c(1, 2)}), asarray({true})}, b{asarray({c(3, 4)}), asarray({true})};
  double size = 0;
  CHECK(jq::testing::inner_product(a, b, &size) == 1 * 3 - 2 * 4);
  CHECK(size == 3 + 8);
}
