// expm1: accuracy near 0, the limits, derivatives, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array expm1_of(const array& x) { return lax::expm1(x); }
}  // namespace

static_assert(jq::expm1_p::apply(1e-20) == 1e-20 && jq::expm1_p::apply(-inf) == -1);

TEST_CASE("expm1: values") {
  const array x = make({-745.2, -1.0, -1e-17, 1e-300, 1e-10, 0.5, 709.0, 710.0, inf, -inf, not_a_number});
  CHECK_CLOSE(expm1_of(x), map_real(x, [](double v) { return std::expm1(v); }), 4e-16);
  const array z = make<jq::complex128>({{0, 3}, {1, 2}, {-3, -1}});
  CHECK_CLOSE(expm1_of(z), map_complex(z, [](c128 v) { return std::exp(v) - 1.0; }), 1e-15);
  CHECK_CLOSE(expm1_of(scalar(-inf)), scalar(-1.0), 0);
  CHECK_CLOSE(expm1_of(scalar(inf)), scalar(inf), 0);
  CHECK(expm1_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(expm1_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(expm1_of), {make({-1.0, 0.25, 2.0})}, jq::inexact);
}
TEST_CASE("expm1: derivative and batching") {
  const array x = make({-1.5, 0.3, 0.75, 2.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return std::exp(v); });
  CHECK_CLOSE(derivative(unary(expm1_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(expm1_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(expm1_of), {x});
  check_derivatives(unary(expm1_of), {make<jq::complex128>({{0.2, 1}, {1, 2}})});
  check_batching(unary(expm1_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
