// asinh, acosh and atanh: values against <cmath>, complex ones against <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array asinh_of(const array& x) { return lax::asinh(x); }
array acosh_of(const array& x) { return lax::acosh(x); }
array atanh_of(const array& x) { return lax::atanh(x); }
}  // namespace

static_assert(jq::asinh_p::apply(0.0) == 0);
static_assert(jq::acosh_p::apply(1.0) == 0);
static_assert(jq::atanh_p::apply(1.0) == inf);

TEST_CASE("asinh: values") {
  const array x = make({-1.0, 1e-300, 0.3, 1e300, inf, -inf, not_a_number});
  CHECK_CLOSE(asinh_of(x), map_real(x, [](double v) { return std::asinh(v); }), 4e-16);
  CHECK(asinh_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(asinh_of(z), map_complex(z, [](c128 v) { return std::asinh(v); }), 1e-14);
  check_dtypes(unary(asinh_of), {make({-0.5, 0.25, 1.5})}, jq::inexact);
}
TEST_CASE("asinh: derivative and batching") {
  const array x = make({-0.5, 0.25, 1.5});
  check_derivatives(unary(asinh_of), {x});
  check_batching(unary(asinh_of), {x});
}
TEST_CASE("acosh: values") {
  const array x = make({1.0, 1.25, 1e300, 0.5, inf, not_a_number});
  CHECK_CLOSE(acosh_of(x), map_real(x, [](double v) { return std::acosh(v); }), 4e-16);
  CHECK(acosh_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(acosh_of(z), map_complex(z, [](c128 v) { return std::acosh(v); }), 1e-14);
  check_dtypes(unary(acosh_of), {make({1.25, 1.5, 3.0})}, jq::inexact);
}
TEST_CASE("acosh: derivative and batching") {
  const array x = make({1.25, 1.5, 3.0});
  check_derivatives(unary(acosh_of), {x});
  check_batching(unary(acosh_of), {x});
}
TEST_CASE("atanh: values") {
  const array x = make({-1.0, 1.0, 0.3, 1e-300, 2.0, not_a_number});
  CHECK_CLOSE(atanh_of(x), map_real(x, [](double v) { return std::atanh(v); }), 4e-16);
  CHECK(atanh_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(atanh_of(z), map_complex(z, [](c128 v) { return std::atanh(v); }), 1e-14);
  check_dtypes(unary(atanh_of), {make({-0.5, 0.25, 0.75})}, jq::inexact);
}
TEST_CASE("atanh: derivative and batching") {
  const array x = make({-0.5, 0.25, 0.75});
  check_derivatives(unary(atanh_of), {x});
  check_batching(unary(atanh_of), {x});
}
