// neg: values, signed zeros, wrapping integers, derivative, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array negative(const array& x) { return lax::neg(x); }
}  // namespace

static_assert(jq::neg_p::apply(std::int8_t(-128)) == -128 && jq::neg_p::apply(1u) == ~0u);

TEST_CASE("neg: values") {
  CHECK_CLOSE(negative(make({1.5, -inf, not_a_number})), make({-1.5, inf, not_a_number}), 0);
  CHECK(std::signbit(negative(scalar(0.0)).item<double>()));
  CHECK_CLOSE(negative(make<std::uint8_t>({1, 0})), make<std::uint8_t>({255, 0}), 0);
  CHECK_CLOSE(negative(make({INT32_MIN, 5})), make({INT32_MIN, -5}), 0);
  check_dtypes(unary(negative), {make({1.5, 2.0})}, jq::numbers);
}
TEST_CASE("neg: derivative and batching") {
  const array x = make({1.0, 2.0, 3.0, 4.0}, {2, 2});
  CHECK_CLOSE(cotangents(unary(negative), {x}, x)[0], negative(x), 0);
  check_derivatives(unary(negative), {x});
  check_batching(unary(negative), {x});
}
