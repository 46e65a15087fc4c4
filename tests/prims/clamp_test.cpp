// clamp: values, bounds of rank 0, the derivative at and beyond the bounds, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array clamped(const arrays& x) { return lax::clamp(x[0], x[1], x[2]); }
}  // namespace

static_assert(jq::clamp_p::apply(0.0, -1.0, 2.0) == 0 && jq::clamp_p::apply(0u, 5u, 2u) == 2);

TEST_CASE("clamp: values") {
  const array x = make({-2.0, 0.5, 3.0, inf, -inf, not_a_number});
  CHECK_CLOSE(lax::clamp(-1.0, x, 1.0), make({-1.0, 0.5, 1.0, 1.0, -1.0, not_a_number}), 0);
  CHECK_CLOSE(lax::clamp(make({1, 2, 3}), make({5, 0, 3}), make({4, 4, 4})), make({4, 2, 3}), 0);
  CHECK_CLOSE(lax::clamp(2.0, make({0.0, 5.0}), 1.0), make({1.0, 1.0}), 0);  // the upper bound wins
  CHECK_CLOSE(lax::clamp(0, make<std::uint8_t>({7, 200}), 100), make<std::uint8_t>({7, 100}), 0);
  check_dtypes(clamped, {make({1.0, 1.0}), make({0.0, 3.0}), make({2.0, 2.0})}, jq::ordered);
}
TEST_CASE("clamp: the derivative goes to what determines the result") {
  const arrays back = cotangents(clamped, {make({0.0, 0.0, 0.0}), make({-1.0, 0.5, 2.0}), make({1.0, 1.0, 1.0})},
                                 make({1.0, 1.0, 1.0}));
  CHECK_CLOSE(back[0], make({1.0, 0.0, 0.0}), 0);
  CHECK_CLOSE(back[1], make({0.0, 1.0, 0.0}), 0);
  CHECK_CLOSE(back[2], make({0.0, 0.0, 1.0}), 0);
  check_derivatives(clamped, {scalar(0.0), make({-1.0, 0.5, 2.0}), scalar(1.0)});
  check_derivatives(clamped, {scalar(2.0), make({-1.0, 0.5, 3.0}), scalar(1.0)});
  const array at_bounds = cotangents(clamped, {scalar(0.0), make({0.0, 1.0}), scalar(1.0)}, make({1.0, 1.0}))[1];
  CHECK_CLOSE(at_bounds, make({0.0, 0.0}), 0);
}
TEST_CASE("clamp: batching") {
  check_batching(function(clamped), {make({0.0, 1.0}), make({-1.0, 4.0}), make({2.0, 3.0})});
  check_batching(function(clamped), {scalar(0.0), make({-1.0, 0.5, 2.0}), scalar(1.0)});
}
TEST_CASE("clamp: refuses bounds of another dtype or shape") {
  CHECK_THROWS_WITH_AS(clamped({make({1}), make({1.0}), make({2.0})}),
                       doctest::Contains("clamp requires arguments to have the same dtypes"), jq::type_error);
  CHECK_THROWS_WITH_AS(clamped({make({1.0, 2.0}), make({1.0}), scalar(2.0)}),
                       doctest::Contains("clamp got incompatible shapes"), jq::shape_error);
}
