// exp2: values against <cmath>, complex ones against <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array exp2_of(const array& x) { return lax::exp2(x); }
}  // namespace

static_assert(jq::exp2_p::apply(10.0) == 1024 && jq::exp2_p::apply(0.5f) == 1.41421356f);

TEST_CASE("exp2: values") {
  const array x = make({-1080.0, -1.5, 0.0, 3.0, 0.3, 1023.5, 1024.0, inf, -inf, not_a_number});
  CHECK_CLOSE(exp2_of(x), map_real(x, [](double v) { return std::exp2(v); }), 4e-16);
  CHECK(exp2_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  const array z = make<jq::complex128>({{0.3, 0.4}, {-0.6, 0.2}, {1.5, -2}});
  CHECK_CLOSE(exp2_of(z), map_complex(z, [](c128 v) { return std::exp(v * std::log(2.0)); }), 1e-14);
  check_dtypes(unary(exp2_of), {make({-0.5, 0.25, 1.5})}, jq::inexact);
}
TEST_CASE("exp2: derivative and batching") {
  const array x = make({-0.5, 0.25, 1.5});
  check_derivatives(unary(exp2_of), {x});
  check_batching(unary(exp2_of), {x});
}
