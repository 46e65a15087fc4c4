// cumprod: values, zeros in the derivative, batching, dtypes, both lanes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function along(std::int64_t axis, bool reverse) {
  return [=](const arrays& x) { return lax::cumprod(x[0], axis, reverse); };
}
const array m = make({1.0, 2.0, 3.0, 0.0, 5.0, 0.0}, {2, 3});

constexpr auto last = [](auto x) { return lax::cumprod(x, 0)(2); };
static_assert(jq::grad(last)(jq::tensor<double, 3>{2, 0, 5}) == jq::tensor<double, 3>{0, 10, 0});
}  // namespace

static_assert(kernel_result<jq::cumprod_p, 4>(std::array<double, 4>{1, 3, 2, 4}, {2, 2}, {2, 2}, jq::cumprod_p::params{0, true}) ==
              std::array<double, 4>{2, 12, 2, 4});

TEST_CASE("cumprod: values") {
  CHECK_CLOSE(along(1, false)({m}), make({1.0, 2.0, 6.0, 0.0, 0.0, 0.0}, {2, 3}), 0);
  CHECK_CLOSE(along(1, true)({m}), make({6.0, 6.0, 3.0, 0.0, 0.0, 0.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0, false)({m}), make({1.0, 2.0, 3.0, 0.0, 10.0, 0.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0, false)({make<std::uint8_t>({16, 17})}), make<std::uint8_t>({16, 16}), 0);
  check_dtypes(along(0, false), {make({1.5, 2.0, -3.0})}, jq::numbers);
}
TEST_CASE("cumprod: the derivative of factorials, and beside zeros") {
  CHECK_CLOSE(cotangents(along(0, false), {make({1.0, 2.0, 3.0, 4.0})}, make({0.0, 0.0, 0.0, 1.0}))[0], make({24.0, 12.0, 8.0, 6.0}), 0);
  CHECK_CLOSE(cotangents(along(0, false), {make({2.0, 0.0, 3.0, 0.0})}, make({1.0, 1.0, 1.0, 1.0}))[0], make({1.0, 8.0, 0.0, 0.0}), 0);
  for (const std::int64_t axis : {0, 1})
    for (const bool reverse : {false, true}) {
      check_derivatives(along(axis, reverse), {m}, 2, 1e-7);
      check_batching(along(axis, reverse), {m});
    }
}
TEST_CASE("cumprod: errors") {
  CHECK_THROWS_WITH_AS(along(-1, false)({m}), doctest::Contains("cumprod: axis -1 is out of bounds for array of shape (2, 3)"), jq::shape_error);
}
