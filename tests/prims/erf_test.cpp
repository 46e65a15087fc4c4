// erf: values against <cmath>, the limits, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array erf_of(const array& x) { return lax::erf(x); }
}  // namespace

static_assert(jq::erf_p::apply(0.5) == 0.5204998778130465 && jq::erf_p::apply(-inf) == -1);

TEST_CASE("erf: values") {
  const array x = make({-6.0, -1.0, -1e-300, 0.0, 0.3, 1.5, 6.0, inf, -inf, not_a_number});
  CHECK_CLOSE(erf_of(x), map_real(x, [](double v) { return std::erf(v); }), 4e-16);
  CHECK_CLOSE(erf_of(scalar(inf)), scalar(1.0), 0);
  CHECK_CLOSE(erf_of(scalar(-inf)), scalar(-1.0), 0);
  CHECK(erf_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(erf_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(erf_of), {make({-1.0, 0.25, 2.0})}, jq::floats);
}
TEST_CASE("erf: derivative and batching") {
  const array x = make({-1.5, 0.3, 0.75, 2.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 2 / std::sqrt(3.141592653589793) * std::exp(-v * v); });
  CHECK_CLOSE(derivative(unary(erf_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(erf_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(erf_of), {x});
  check_batching(unary(erf_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
