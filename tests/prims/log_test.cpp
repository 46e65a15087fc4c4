// log: values against <cmath> and <complex>, the ends of its range, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array log_of(const array& x) { return lax::log(x); }
}  // namespace

static_assert(jq::log_p::apply(1.0) == 0 && jq::log_p::apply(0.0) == -inf);

TEST_CASE("log: values") {
  const array x = make({1e-310, 0.1, 1.0, 2.5, 1e300, inf, 0.0, -1.0, not_a_number});
  CHECK_CLOSE(log_of(x), map_real(x, [](double v) { return std::log(v); }), 4e-16);
  const array z = make<jq::complex128>({{1, 2}, {-1, 0.5}, {-1, -0.5}, {0, 3}});
  CHECK_CLOSE(log_of(z), map_complex(z, [](c128 v) { return std::log(v); }), 1e-15);
  CHECK_CLOSE(log_of(scalar(0.0)), scalar(-inf), 0);
  CHECK_CLOSE(log_of(scalar(-1.0)), scalar(not_a_number), 0);
  CHECK_CLOSE(log_of(scalar(inf)), scalar(inf), 0);
  CHECK(log_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(log_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(log_of), {make({0.5, 1.25, 8.0})}, jq::inexact);
}
TEST_CASE("log: derivative and batching") {
  const array x = make({0.5, 1.0, 1.75, 3.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 1 / v; });
  CHECK_CLOSE(derivative(unary(log_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(log_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(log_of), {x});
  check_derivatives(unary(log_of), {make<jq::complex128>({{0.2, 1}, {1, 2}})});
  check_batching(unary(log_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
