// The plain loops, in constant evaluation; conv_test.cpp has the rest of their values.
#include "reference.hpp"

using namespace prim_testing;

namespace {
constexpr jq::conv_params features_last{{2}, {1}, {0}, {1}, {1}, {0, 2, 1}, {2, 1, 0}, {0, 2, 1}, 2, 1, {}};
constexpr jq::conv_params dilated{{1}, {1}, {1}, {2}, {1}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, 1, 1, {}};
}  // namespace

// lhs (0, a, b, c): two features in two groups, each with one filter of two taps.
static_assert(constant_kernel<jq::conv_general_dilated_p>(features_last, {1, 2, 2}, {{1, 3, 2}, {1, 2, 3, 4, 5, 6}}, {{2, 1, 2}, {1, 10, 2, 20}}) ==
              std::vector<double>{2, 40, 13, 160});
// lhs 0 1 . 2 . 3 0 with holes.
static_assert(constant_kernel<jq::conv_general_dilated_p>(dilated, {1, 1, 5}, {{1, 1, 3}, {1, 2, 3}}, {{1, 1, 3}, {1, 10, 100}}) ==
              std::vector<double>{10, 201, 20, 302, 30});

TEST_CASE("conv loops: strides of a plan") {
  const jq::detail::conv_plan p = jq::detail::plan_convolution(features_last, {4, 3, 6}, {2, 3, 8}, {4, 2, 8});
  CHECK(p.groups.count == 2);
  CHECK(p.groups.x == 3);
  CHECK(p.groups.k == 4);
  CHECK(p.groups.out == 4);
  CHECK(p.batch.x == 18);
  CHECK(p.ins.count == 3);
  CHECK(p.outs.count == 4);
  CHECK(p.outs.out == 1);
  CHECK(p.strides[0].k == 24);
  CHECK(p.work() == 2 * 4 * 4 * 3 * 2 * 2);
}
