// tan: values against <cmath> and <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array tan_of(const array& x) { return lax::tan(x); }
}  // namespace

static_assert(jq::tan_p::apply(1.0) == 1.5574077246549023);

TEST_CASE("tan: values") {
  const array x = make({-1.5, -0.5, 0.0, 1e-300, 1.0, 1.5707963267948966, 1e6, not_a_number});
  CHECK_CLOSE(tan_of(x), map_real(x, [](double v) { return std::tan(v); }), 4e-16);
  const array z = make<jq::complex128>({{0.5, 1}, {1, -2}, {3, 20}});
  CHECK_CLOSE(tan_of(z), map_complex(z, [](c128 v) { return std::tan(v); }), 1e-15);
  CHECK_CLOSE(tan_of(scalar(inf)), scalar(not_a_number), 0);
  CHECK(tan_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(tan_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(tan_of), {make({-1.0, 0.25, 1.25})}, jq::inexact);
}
TEST_CASE("tan: derivative and batching") {
  const array x = make({-1.0, 0.0, 0.75, 1.25}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 1 + std::tan(v) * std::tan(v); });
  CHECK_CLOSE(derivative(unary(tan_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(tan_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(tan_of), {x});
  check_derivatives(unary(tan_of), {make<jq::complex128>({{0.2, 0.5}, {1, 0.75}})});
  check_batching(unary(tan_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
