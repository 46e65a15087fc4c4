// abs and sign: values, complex moduli and directions, the derivative at 0, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array magnitude(const array& x) { return lax::abs(x); }
array sign_of(const array& x) { return lax::sign(x); }
const array z = make<jq::complex128>({{3, 4}, {-1, 0.5}, {0, -2}});
}  // namespace

static_assert(jq::abs_p::apply(-2.5) == 2.5 && jq::abs_p::apply(jq::complex128(3, -4)) == 5 &&
              jq::sign_p::apply(-7) == -1);

TEST_CASE("abs, sign: values") {
  CHECK_CLOSE(magnitude(make({-1.5, -0.0, inf, -inf, not_a_number})), make({1.5, 0.0, inf, inf, not_a_number}), 0);
  CHECK_CLOSE(sign_of(make({-1.5, 0.0, inf, -inf, not_a_number})), make({-1.0, 0.0, 1.0, -1.0, not_a_number}), 0);
  CHECK(std::signbit(sign_of(scalar(-0.0)).item<double>()));
  CHECK_CLOSE(magnitude(make({-5, 5, INT32_MIN})), make({5, 5, INT32_MIN}), 0);
  CHECK_CLOSE(sign_of(make({-5, 0, 5})), make({-1, 0, 1}), 0);
  CHECK_CLOSE(sign_of(make<std::uint8_t>({0, 255})), make<std::uint8_t>({0, 1}), 0);
  CHECK_CLOSE(magnitude(z), make({5.0, std::sqrt(1.25), 2.0}), 1e-15);
  CHECK_CLOSE(magnitude(make<jq::complex128>({{3e300, 4e300}})), make({5e300}), 1e-15);
  CHECK_CLOSE(sign_of(z), map_complex(z, [](c128 v) { return v / std::abs(v); }), 1e-15);
  CHECK_CLOSE(sign_of(make<jq::complex128>({{0, 0}})), make<jq::complex128>({{0, 0}}), 0);
  check_dtypes(unary(magnitude), {make({-1.5, 2.0})}, jq::numbers, [](jq::dtype t) { return jq::real_dtype(t); });
  check_dtypes(unary(sign_of), {make({-1.5, 2.0})}, jq::numbers);
}
TEST_CASE("abs, sign: derivative and batching") {
  const array x = make({-2.0, 0.5}), one = make({1.0, 1.0});
  CHECK_CLOSE(cotangents(unary(magnitude), {x}, one)[0], make({-1.0, 1.0}), 0);
  CHECK_CLOSE(cotangents(unary(magnitude), {scalar(0.0)}, scalar(1.0))[0], scalar(0.0), 0);
  CHECK_CLOSE(cotangents(unary(sign_of), {x}, one)[0], make({0.0, 0.0}), 0);
  check_derivatives(unary(magnitude), {x});
  check_derivatives(unary(magnitude), {z}, 2, 1e-8);
  check_derivatives(unary(sign_of), {z}, 2, 1e-8);
  for (const auto& f : {magnitude, sign_of}) {
    check_batching(unary(f), {x});
    check_batching(unary(f), {z});
  }
}
TEST_CASE("abs, sign: complex derivatives at 0 are 0") {
  const array origin = make<jq::complex128>({{0, 0}}), t = make<jq::complex128>({{1, 2}});
  CHECK_CLOSE(derivative(unary(magnitude), {origin}, {t}), make({0.0}), 0);
  CHECK_CLOSE(derivative(unary(sign_of), {origin}, {t}), make<jq::complex128>({{0, 0}}), 0);
}
TEST_CASE("abs: the cotangent of a modulus is conj(z) / |z|") {
  const array back = cotangents(unary(magnitude), {z}, make({1.0, 1.0, 1.0}))[0];
  CHECK_CLOSE(back, map_complex(z, [](c128 v) { return std::conj(v) / std::abs(v); }), 1e-15);
}
