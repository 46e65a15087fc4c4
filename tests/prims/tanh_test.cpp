// tanh: values against <cmath> and <complex>, the limits, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array tanh_of(const array& x) { return lax::tanh(x); }
}  // namespace

static_assert(jq::tanh_p::apply(inf) == 1 && jq::tanh_p::apply(1e-20) == 1e-20);

TEST_CASE("tanh: values") {
  const array x = make({-30.0, -1.0, -0.0, 1e-300, 0.5, 22.0, inf, -inf, not_a_number});
  CHECK_CLOSE(tanh_of(x), map_real(x, [](double v) { return std::tanh(v); }), 4e-16);
  const array z = make<jq::complex128>({{0.5, 1}, {1, -2}, {30, 1}});
  CHECK_CLOSE(tanh_of(z), map_complex(z, [](c128 v) { return std::tanh(v); }), 1e-15);
  CHECK_CLOSE(tanh_of(scalar(inf)), scalar(1.0), 0);
  CHECK_CLOSE(tanh_of(scalar(-inf)), scalar(-1.0), 0);
  CHECK(tanh_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(tanh_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(tanh_of), {make({-1.0, 0.25, 2.0})}, jq::inexact);
}
TEST_CASE("tanh: derivative and batching") {
  const array x = make({-1.5, 0.3, 0.75, 2.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 1 - std::tanh(v) * std::tanh(v); });
  CHECK_CLOSE(derivative(unary(tanh_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(tanh_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(tanh_of), {x});
  check_derivatives(unary(tanh_of), {make<jq::complex128>({{0.2, 0.5}, {1, 0.75}})});
  check_batching(unary(tanh_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
