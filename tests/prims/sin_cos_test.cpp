// sin and cos: values against <cmath> and <complex>, derivatives, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array sin_of(const array& x) { return lax::sin(x); }
array cos_of(const array& x) { return lax::cos(x); }
}  // namespace

static_assert(jq::sin_p::apply(1.0) == 0.8414709848078965 && jq::cos_p::apply(1.0) == 0.5403023058681398);

TEST_CASE("sin, cos: values") {
  const array x = make({-1e6, -2.0, -0.0, 1e-300, 0.5, 3.141592653589793, inf, not_a_number});
  CHECK_CLOSE(sin_of(x), map_real(x, [](double v) { return std::sin(v); }), 4e-16);
  CHECK_CLOSE(cos_of(x), map_real(x, [](double v) { return std::cos(v); }), 4e-16);
  const array z = make<jq::complex128>({{0.5, 1}, {-2, 3}, {0, -1}});
  CHECK_CLOSE(sin_of(z), map_complex(z, [](c128 v) { return std::sin(v); }), 1e-15);
  CHECK_CLOSE(cos_of(z), map_complex(z, [](c128 v) { return std::cos(v); }), 1e-15);
  for (const auto& f : {sin_of, cos_of}) check_dtypes(unary(f), {make({-1.5, 0.25, 2.0})}, jq::inexact);
}
TEST_CASE("sin, cos: derivative and batching") {
  const array x = make({-1.5, 0.0, 0.75}), one = make({1.0, 1.0, 1.0});
  CHECK_CLOSE(derivative(unary(sin_of), {x}, {one}), cos_of(x), 0);
  CHECK_CLOSE(cotangents(unary(cos_of), {x}, one)[0], lax::neg(sin_of(x)), 0);
  for (const auto& f : {sin_of, cos_of}) {
    check_derivatives(unary(f), {x}, 3, 1e-10);
    check_derivatives(unary(f), {make<jq::complex128>({{0.5, 1}, {-2, 0.5}})});
    check_batching(unary(f), {x});
  }
}
