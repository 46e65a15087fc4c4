// atan2: all quadrants and special points, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array angle(const array& y, const array& x) { return lax::atan2(y, x); }
}  // namespace

static_assert(jq::atan2_p::apply(1.0, 1.0) == 0.7853981633974483 && jq::atan2_p::apply(0.0, -1.0) == 3.141592653589793);

TEST_CASE("atan2: values") {
  const double pi = 3.141592653589793;
  const array y = make({1.0, 1.0, -1.0, -1.0, 0.0, -0.0, 0.0, 1.0, inf, not_a_number});
  const array x = make({1.0, -1.0, -1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -inf, 1.0});
  CHECK_CLOSE(angle(y, x),
              make({pi / 4, 3 * pi / 4, -3 * pi / 4, -pi / 4, pi, -pi, 0.0, pi / 2, 3 * pi / 4, not_a_number}), 2e-16);
  check_dtypes(binary(angle), {make({1.0, -2.0}), make({-3.0, 0.5})}, jq::floats);
}
TEST_CASE("atan2: derivative and batching") {
  const arrays back = cotangents(binary(angle), {make({3.0}), make({4.0})}, make({1.0}));
  CHECK_CLOSE(back[0], make({0.16}), 1e-15);
  CHECK_CLOSE(back[1], make({-0.12}), 1e-15);
  const array y = make({1.0, -2.0, 0.5}), x = make({-3.0, 0.5, 1.0});
  check_derivatives(binary(angle), {y, x});
  check_derivatives(binary(angle), {y, scalar(0.75)});
  check_batching(binary(angle), {y, x});
  check_batching(binary(angle), {scalar(1.0), x});
}
