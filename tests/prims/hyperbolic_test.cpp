// sinh and cosh: values against <cmath>, complex ones against <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array sinh_of(const array& x) { return lax::sinh(x); }
array cosh_of(const array& x) { return lax::cosh(x); }
}  // namespace

static_assert(jq::sinh_p::apply(0.0) == 0);
static_assert(jq::cosh_p::apply(0.0f) == 1);

TEST_CASE("sinh: values") {
  const array x = make({-1.0, 1e-300, 0.3, 710.0, -711.0, inf, -inf, not_a_number});
  CHECK_CLOSE(sinh_of(x), map_real(x, [](double v) { return std::sinh(v); }), 4e-16);
  CHECK(sinh_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(sinh_of(z), map_complex(z, [](c128 v) { return std::sinh(v); }), 1e-14);
  check_dtypes(unary(sinh_of), {make({-0.5, 0.25, 1.5})}, jq::inexact);
}
TEST_CASE("sinh: derivative and batching") {
  const array x = make({-0.5, 0.25, 1.5});
  check_derivatives(unary(sinh_of), {x});
  check_batching(unary(sinh_of), {x});
}
TEST_CASE("cosh: values") {
  const array x = make({-1.0, 1e-300, 0.3, 710.0, -711.0, inf, -inf, not_a_number});
  CHECK_CLOSE(cosh_of(x), map_real(x, [](double v) { return std::cosh(v); }), 4e-16);
  CHECK(cosh_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(cosh_of(z), map_complex(z, [](c128 v) { return std::cosh(v); }), 1e-14);
  check_dtypes(unary(cosh_of), {make({-0.5, 0.25, 1.5})}, jq::inexact);
}
TEST_CASE("cosh: derivative and batching") {
  const array x = make({-0.5, 0.25, 1.5});
  check_derivatives(unary(cosh_of), {x});
  check_batching(unary(cosh_of), {x});
}
