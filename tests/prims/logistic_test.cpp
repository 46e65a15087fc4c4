// logistic: values against their definition, no overflow at either end, derivatives, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array logistic_of(const array& x) { return lax::logistic(x); }
}  // namespace

static_assert(jq::logistic_p::apply(0.0) == 0.5 && jq::logistic_p::apply(-800.0) == 0);

TEST_CASE("logistic: values") {
  const array x = make({-800.0, -30.0, -1.0, 0.0, 0.5, 40.0, 800.0, inf, -inf, not_a_number});
  CHECK_CLOSE(logistic_of(x),
              map_real(x, [](double v) { return v < 0 ? std::exp(v) / (1 + std::exp(v)) : 1 / (1 + std::exp(-v)); }),
              4e-16);
  const array z = make<jq::complex128>({{0.5, 1}, {1, -2}, {-3, 1}});
  CHECK_CLOSE(logistic_of(z), map_complex(z, [](c128 v) { return 1.0 / (1.0 + std::exp(-v)); }), 1e-15);
  CHECK_CLOSE(logistic_of(scalar(inf)), scalar(1.0), 0);
  CHECK_CLOSE(logistic_of(scalar(-inf)), scalar(0.0), 0);
  CHECK_CLOSE(logistic_of(scalar(0.0)), scalar(0.5), 0);
  CHECK(logistic_of(make<float>({}, {0, 3})).shape() == shape{0, 3});
  CHECK(logistic_of(scalar(0.5f)).ndim() == 0);
  check_dtypes(unary(logistic_of), {make({-1.0, 0.25, 2.0})}, jq::inexact);
}
TEST_CASE("logistic: derivative and batching") {
  const array x = make({-1.5, 0.3, 0.75, 2.0}), t = make({1.0, -2.0, 3.0, 0.5});
  const array want = map_real(x, [](double v) { return 1 / (2 + 2 * std::cosh(v)); });
  CHECK_CLOSE(derivative(unary(logistic_of), {x}, {t}), lax::mul(want, t), 1e-14);
  CHECK_CLOSE(cotangents(unary(logistic_of), {x}, t)[0], lax::mul(want, t), 1e-14);
  check_derivatives(unary(logistic_of), {x});
  check_derivatives(unary(logistic_of), {make<jq::complex128>({{0.2, 1}, {1, 2}})});
  check_batching(unary(logistic_of), {make({0.1, 0.2, 0.3, 0.4}, {2, 2})});
}

TEST_CASE("logistic: the derivative does not overflow far from 0") {
  const array x = make({-1000.0, 1000.0}), one = make({1.0, 1.0});
  CHECK_CLOSE(derivative(unary(logistic_of), {x}, {one}), make({0.0, 0.0}), 0);
}
