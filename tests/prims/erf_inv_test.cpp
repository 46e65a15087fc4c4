// erf_inv: published values, the inverse of erf, the ends, derivatives, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array erf_inv_of(const array& x) { return lax::erf_inv(x); }
}  // namespace

static_assert(jq::erf_inv_p::apply(0.0) == 0 && jq::erf_inv_p::apply(1.0) == inf);

TEST_CASE("erf_inv: values") {
  // Wolfram Alpha, InverseErf.
  CHECK_CLOSE(erf_inv_of(make({0.5, -0.9, 0.99, 1e-10})),
              make({0.47693627620446987, -1.1630871536766743, 1.8213863677184496, 8.862269254527581e-11}), 4e-16);
  const array x = make({-2.5, -0.3, 0.0, 1e-8, 1.5});
  CHECK_CLOSE(erf_inv_of(lax::erf(x)), x, 1e-12);
  CHECK_CLOSE(erf_inv_of(make({1.0, -1.0, 1.1, not_a_number})), make({inf, -inf, not_a_number, not_a_number}), 0);
  CHECK(erf_inv_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  check_dtypes(unary(erf_inv_of), {make({-0.5, 0.25, 0.75})}, jq::floats);
}
TEST_CASE("erf_inv: derivative and batching") {
  const array x = make({-0.5, 0.3, 0.75}), t = make({1.0, -2.0, 3.0});
  // 1 / erf'(y) at y = erf_inv(x)
  const array want = map_real(erf_inv_of(x), [](double y) { return std::sqrt(3.141592653589793) / 2 * std::exp(y * y); });
  CHECK_CLOSE(derivative(unary(erf_inv_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(erf_inv_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(erf_inv_of), {x});
  check_batching(unary(erf_inv_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}
