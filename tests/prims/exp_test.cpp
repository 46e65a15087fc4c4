// exp: values against <cmath> and <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array exp_of(const array& x) { return lax::exp(x); }
}  // namespace

static_assert(jq::exp_p::apply(0.0) == 1 && jq::exp_p::apply(1.0) > 2.718281828459044);

TEST_CASE("exp: values") {
  const array x = make({-745.2, -30.0, -1.0, -0.0, 0.5, 1.0, 709.0, 710.0, inf, -inf, not_a_number});
  CHECK_CLOSE(exp_of(x), map_real(x, [](double v) { return std::exp(v); }), 1e-15);
  const array z = make<jq::complex128>({{0, 3.141592653589793}, {1, 2}, {-3, -1}, {0, 0}});
  CHECK_CLOSE(exp_of(z), map_complex(z, [](c128 v) { return std::exp(v); }), 1e-15);
  CHECK(exp_of(make<double>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(exp_of(scalar(0.0)).item<double>() == 1);
  check_dtypes(unary(exp_of), {make({-1.0, 0.25, 2.0})}, jq::inexact);
}
TEST_CASE("exp: derivative and batching") {
  const array x = make({-1.5, 0.0, 0.75, 2.0});
  CHECK_CLOSE(derivative(unary(exp_of), {x}, {make({1.0, 2.0, 3.0, 4.0})}),
              lax::mul(exp_of(x), make({1.0, 2.0, 3.0, 4.0})), 1e-15);
  check_derivatives(unary(exp_of), {x});
  check_derivatives(unary(exp_of), {make<jq::complex128>({{0, 1}, {1, 2}})});
  check_batching(unary(exp_of), {make({1.0, 2.0, 3.0, 4.0}, {2, 2})});
}
