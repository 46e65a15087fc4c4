// The transpose of a scan: constants' cotangents are summed, known carries run before, and a carry may become linear in a later trip. Oracle: the
// loop laid out.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

const array xs = asarray({0.5, -1.0, 2.0});

/// s = s * w + c x, with a counter that scales what is stacked.
template <class Loop>
array looped(const Loop& loop, const array& w, const array& c) {
  return loop([&](const std::pair<array, array>& s, const array& x) {
    const array next = s.second * w + c * x;
    return std::pair{std::pair{s.first + 1, next}, next * lax::convert_element_type(s.first, jq::f64, false)};
  });
}
const auto scanned = [](const auto& step) { return total(lax::scan(step, std::pair{asarray(1), asarray(0.0)}, xs).second); };
const auto laid_out = [](const auto& step) {
  std::pair<array, array> s{asarray(1), asarray(0.0)};
  array sum = asarray(0.0);
  for (int i = 0; i < 3; ++i) {
    const auto [next, y] = step(s, xs(i));
    s = next, sum = sum + y;
  }
  return sum;
};

}  // namespace

TEST_CASE("backward_scan: cotangents of constants, past a counter that is known") {
  const auto slopes = [](const auto& loop) {
    return jq::grad([&](const array& w, const array& c) { return looped(loop, w, c); }, jq::argnums<0, 1>)(asarray(0.3), asarray(1.7));
  };
  const auto got = slopes(scanned), want = slopes(laid_out);
  CHECK_REPORT(jq::testing::all_close(std::get<0>(got), std::get<0>(want)));
  CHECK_REPORT(jq::testing::all_close(std::get<1>(got), std::get<1>(want)));
}
TEST_CASE("backward_scan: of a function that is linear as it stands; the other way round where the loop ran backwards") {
  const auto running = [](bool reverse) {
    return [reverse](const array& v) { return lax::scan([](const array& s, const array& x) { return std::pair{s * 2.0 + x, s}; }, asarray(0.0), v, {.reverse = reverse}).first; };
  };
  CHECK(show(jq::linear_transpose(running(false), xs)(asarray(1.0))) == "f64[3] 4 2 1");
  CHECK(show(jq::linear_transpose(running(true), xs)(asarray(1.0))) == "f64[3] 1 2 4");
}
