// log1p: accuracy near 0, the end of its range, derivatives, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array log1p_of(const array& x) { return lax::log1p(x); }
}  // namespace

static_assert(jq::log1p_p::apply(1e-20) == 1e-20 && jq::log1p_p::apply(-1.0) == -inf);

TEST_CASE("log1p: values") {
  const array x = make({-0.999, -1e-17, 1e-300, 1e-10, 0.5, 1e300, inf, -1.0, -2.0, not_a_number});
  CHECK_CLOSE(log1p_of(x), map_real(x, [](double v) { return std::log1p(v); }), 4e-16);
  const array z = make<jq::complex128>({{1, 2}, {-3, 0.5}, {0, 3}});
  CHECK_CLOSE(log1p_of(z), map_complex(z, [](c128 v) { return std::log(1.0 + v); }), 1e-15);
  CHECK_CLOSE(log1p_of(scalar(-1.0)), scalar(-inf), 0);
  CHECK_CLOSE(log1p_of(scalar(-2.0)), scalar(not_a_number), 0);
  CHECK(log1p_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(log1p_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(log1p_of), {make({-0.5, 0.25, 8.0})}, jq::inexact);
}
TEST_CASE("log1p: derivative and batching") {
  const array x = make({-0.5, 0.0, 0.75, 2.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 1 / (1 + v); });
  CHECK_CLOSE(derivative(unary(log1p_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(log1p_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(log1p_of), {x});
  check_derivatives(unary(log1p_of), {make<jq::complex128>({{0.2, 1}, {1, 2}})});
  check_batching(unary(log1p_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}

TEST_CASE("log1p: complex numbers near 0 keep their digits") {
  const std::vector<c128> y = numbers(lax::log1p(scalar(jq::complex128(1e-12, 1e-13))));
  CHECK(y[0].real() == doctest::Approx(1e-12 - 0.5e-24 + 0.5e-26).epsilon(1e-14));
  CHECK(y[0].imag() == doctest::Approx(1e-13).epsilon(1e-11));
}
