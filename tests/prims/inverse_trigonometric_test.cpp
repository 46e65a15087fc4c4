// asin, acos and atan: values against <cmath>, complex ones against <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array asin_of(const array& x) { return lax::asin(x); }
array acos_of(const array& x) { return lax::acos(x); }
array atan_of(const array& x) { return lax::atan(x); }
}  // namespace

static_assert(jq::asin_p::apply(0.5) == 0.5235987755982989);
static_assert(jq::acos_p::apply(-1.0) == 3.141592653589793);
static_assert(jq::atan_p::apply(1.0) == 0.7853981633974483);

TEST_CASE("asin: values") {
  const array x = make({-1.0, 1.0, 0.3, -1e-300, 1.5, not_a_number});
  CHECK_CLOSE(asin_of(x), map_real(x, [](double v) { return std::asin(v); }), 4e-16);
  CHECK(asin_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(asin_of(z), map_complex(z, [](c128 v) { return std::asin(v); }), 1e-14);
  check_dtypes(unary(asin_of), {make({-0.5, 0.25, 0.75})}, jq::inexact);
}
TEST_CASE("asin: derivative and batching") {
  const array x = make({-0.5, 0.25, 0.75});
  check_derivatives(unary(asin_of), {x});
  check_batching(unary(asin_of), {x});
}
TEST_CASE("acos: values") {
  const array x = make({-1.0, 1.0, 0.3, -1e-300, 1.5, not_a_number});
  CHECK_CLOSE(acos_of(x), map_real(x, [](double v) { return std::acos(v); }), 4e-16);
  CHECK(acos_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(acos_of(z), map_complex(z, [](c128 v) { return std::acos(v); }), 1e-14);
  check_dtypes(unary(acos_of), {make({-0.5, 0.25, 0.75})}, jq::inexact);
}
TEST_CASE("acos: derivative and batching") {
  const array x = make({-0.5, 0.25, 0.75});
  check_derivatives(unary(acos_of), {x});
  check_batching(unary(acos_of), {x});
}
TEST_CASE("atan: values") {
  const array x = make({-1.0, 1e300, 0.3, -1e-300, inf, -inf, not_a_number});
  CHECK_CLOSE(atan_of(x), map_real(x, [](double v) { return std::atan(v); }), 4e-16);
  CHECK(atan_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(atan_of(z), map_complex(z, [](c128 v) { return std::atan(v); }), 1e-14);
  check_dtypes(unary(atan_of), {make({-0.5, 0.25, 2.0})}, jq::inexact);
}
TEST_CASE("atan: derivative and batching") {
  const array x = make({-0.5, 0.25, 2.0});
  check_derivatives(unary(atan_of), {x});
  check_batching(unary(atan_of), {x});
}
