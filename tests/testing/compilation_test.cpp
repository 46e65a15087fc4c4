// check_jit accepts functions and finds those whose results are not theirs alone.
#include "wrong_prims.hpp"

#include <jacquard/testing/compilation.hpp>

namespace jq = jacquard;
using jq::array;
using jq::asarray;
using jq::testing::check_jit;

TEST_CASE("a function computes the same compiled") {
  const auto f = [](const array& x, const std::vector<array>& y) { return std::tuple{jq::sin(x) * y[0], y[1] + 1}; };
  const std::tuple args{asarray({1.0, 2.0}), std::vector{asarray(2.0), asarray({1, 2})}};
  CHECK_REPORT(check_jit(f, args));
  CHECK_REPORT(check_jit(f, args, "cpu", 1e-14, 1e-14));
}
TEST_CASE("a function with a hidden state is found") {
  int calls = 0;
  const auto f = [&](const array& x) { return x + ++calls; };
  CHECK_FINDS("first call: element (): got 3.0:f64[], wanted 2.0:f64[]", check_jit(f, std::tuple{asarray(1.0)}));
}
