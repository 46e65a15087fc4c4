// rsqrt: values against 1 / sqrt, derivatives, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array rsqrt_of(const array& x) { return lax::rsqrt(x); }
}  // namespace

static_assert(jq::rsqrt_p::apply(4.0) == 0.5 && jq::rsqrt_p::apply(0.0) == inf);

TEST_CASE("rsqrt: values") {
  const array x = make({1e-310, 0.1, 4.0, 1e300, inf, 0.0, -1.0, not_a_number});
  CHECK_CLOSE(rsqrt_of(x), map_real(x, [](double v) { return 1 / std::sqrt(v); }), 4e-16);
  const array z = make<jq::complex128>({{3, 4}, {-1, 0.5}, {-1, -0.5}, {0, 2}});
  CHECK_CLOSE(rsqrt_of(z), map_complex(z, [](c128 v) { return 1.0 / std::sqrt(v); }), 1e-15);
  CHECK_CLOSE(rsqrt_of(scalar(0.0)), scalar(inf), 0);
  CHECK_CLOSE(rsqrt_of(scalar(inf)), scalar(0.0), 0);
  CHECK_CLOSE(rsqrt_of(scalar(-1.0)), scalar(not_a_number), 0);
  CHECK(rsqrt_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(rsqrt_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(rsqrt_of), {make({0.5, 1.25, 9.0})}, jq::inexact);
}
TEST_CASE("rsqrt: derivative and batching") {
  const array x = make({0.5, 1.0, 1.75, 3.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return -0.5 / (v * std::sqrt(v)); });
  CHECK_CLOSE(derivative(unary(rsqrt_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(rsqrt_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(rsqrt_of), {x});
  check_derivatives(unary(rsqrt_of), {make<jq::complex128>({{0.2, 1}, {1, 2}})});
  check_batching(unary(rsqrt_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
