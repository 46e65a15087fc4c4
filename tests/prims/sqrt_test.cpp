// sqrt: values against <cmath> and <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array sqrt_of(const array& x) { return lax::sqrt(x); }
}  // namespace

static_assert(jq::sqrt_p::apply(2.0) == 1.4142135623730951 &&
              jq::sqrt_p::apply(jq::complex128(-4, 0)) == jq::complex128(0, 2));

TEST_CASE("sqrt: values") {
  const array x = make({0.0, -0.0, 1e-310, 0.1, 4.0, 1e300, inf, -1.0, not_a_number});
  CHECK_CLOSE(sqrt_of(x), map_real(x, [](double v) { return std::sqrt(v); }), 4e-16);
  const array z = make<jq::complex128>({{3, 4}, {-1, 0.5}, {-1, -0.5}, {0, 2}});
  CHECK_CLOSE(sqrt_of(z), map_complex(z, [](c128 v) { return std::sqrt(v); }), 1e-15);
  CHECK_CLOSE(sqrt_of(scalar(-1.0)), scalar(not_a_number), 0);
  CHECK_CLOSE(sqrt_of(scalar(0.0)), scalar(0.0), 0);
  CHECK(sqrt_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(sqrt_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(sqrt_of), {make({0.5, 1.25, 9.0})}, jq::inexact);
}
TEST_CASE("sqrt: derivative and batching") {
  const array x = make({0.5, 1.0, 1.75, 3.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 0.5 / std::sqrt(v); });
  CHECK_CLOSE(derivative(unary(sqrt_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(sqrt_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(sqrt_of), {x});
  check_derivatives(unary(sqrt_of), {make<jq::complex128>({{0.2, 1}, {1, 2}})});
  check_batching(unary(sqrt_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}

TEST_CASE("sqrt: the derivative at 0 is infinite") {
  CHECK_CLOSE(derivative(unary(sqrt_of), {scalar(0.0)}, {scalar(1.0)}), scalar(inf), 0);
}
