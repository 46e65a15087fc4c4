// cbrt: values against <cmath>, complex ones against <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array cbrt_of(const array& x) { return lax::cbrt(x); }
}  // namespace

static_assert(jq::cbrt_p::apply(-27.0) == -3);

TEST_CASE("cbrt: values") {
  const array x = make({-8.0, 27.0, 1e-300, -0.0, inf, not_a_number});
  CHECK_CLOSE(cbrt_of(x), map_real(x, [](double v) { return std::cbrt(v); }), 4e-16);
  CHECK(cbrt_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  check_dtypes(unary(cbrt_of), {make({0.5, 1.5, 2.0})}, jq::floats);
}
TEST_CASE("cbrt: derivative and batching") {
  const array x = make({0.5, 1.5, 2.0});
  check_derivatives(unary(cbrt_of), {x});
  check_batching(unary(cbrt_of), {x});
}
