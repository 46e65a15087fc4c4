// cumsum: both directions, every axis, accuracy, transposes, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function along(std::int64_t axis, bool reverse) {
  return [=](const arrays& x) { return lax::cumsum(x[0], axis, reverse); };
}
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
}  // namespace

static_assert(kernel_result<jq::cumsum_p, 4>(std::array<double, 4>{1, 3, 2, 4}, {2, 2}, {2, 2},
                                             jq::cumsum_p::params{0, true}) == std::array<double, 4>{3, 7, 2, 4});

TEST_CASE("cumsum: values") {
  CHECK_CLOSE(along(0, false)({m}), make({1.0, 2.0, 3.0, 5.0, 7.0, 9.0}, {2, 3}), 0);
  CHECK_CLOSE(along(1, false)({m}), make({1.0, 3.0, 6.0, 4.0, 9.0, 15.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0, true)({m}), make({5.0, 7.0, 9.0, 4.0, 5.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(along(1, true)({m}), make({6.0, 5.0, 3.0, 15.0, 11.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(along(1, false)({make({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2})}), make({1, 2, 4, 6, 5, 6, 12, 14}, {2, 2, 2}),
              0);
  CHECK_CLOSE(along(0, false)({make<std::int8_t>({100, 100})}), make<std::int8_t>({100, -56}), 0);
  CHECK_CLOSE(along(0, false)({make({1.0, inf, -inf, 2.0})}), make({1.0, inf, not_a_number, not_a_number}), 0);
  CHECK_CLOSE(along(1, false)({make<float>({}, {2, 0})}), make<float>({}, {2, 0}), 0);
  CHECK_CLOSE(along(0, false)({make({1e8f, 1.0f, -1e8f})}), make({1e8f, 1e8f, 1.0f}), 0);  // accumulated in f64
  for (const bool reverse : {false, true}) check_dtypes(along(0, reverse), {make({1.5, 2.0, -3.0})}, jq::numbers);
}
TEST_CASE("cumsum: derivative and batching") {
  CHECK_CLOSE(cotangents(along(0, false), {make({1.0, 2.0, 3.0})}, make({1.0, 10.0, 100.0}))[0],
              make({111.0, 110.0, 100.0}), 0);
  for (const std::int64_t axis : {0, 1})
    for (const bool reverse : {false, true}) {
      check_derivatives(along(axis, reverse), {m});
      check_batching(along(axis, reverse), {m});
    }
}
TEST_CASE("cumsum: errors") {
  CHECK_THROWS_WITH_AS(along(2, false)({m}),
                       doctest::Contains("cumsum: axis 2 is out of bounds for array of shape (2, 3)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(along(0, false)({scalar(1.0)}), doctest::Contains("cumsum: axis 0 is out of bounds"),
                       jq::shape_error);
}
