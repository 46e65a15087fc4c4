// integer_pow: products, negative powers, wrapping integers, derivatives, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function power(int y) {
  return [y](const arrays& x) { return lax::integer_pow(x[0], y); };
}
}  // namespace

static_assert(jq::integer_pow_p::apply(2.0, {10}) == 1024 && jq::integer_pow_p::apply(2.0, {-2}) == 0.25);

TEST_CASE("integer_pow: values") {
  CHECK_CLOSE(power(3)({make({-2.0, 0.0, 1.5, inf, not_a_number})}), make({-8.0, 0.0, 3.375, inf, not_a_number}), 0);
  CHECK_CLOSE(power(0)({make({0.0, inf, not_a_number})}), make({1.0, 1.0, 1.0}), 0);
  CHECK_CLOSE(power(-1)({make({0.0, 4.0})}), make({inf, 0.25}), 0);
  CHECK_CLOSE(power(31)({make({3})}), make({int(617673396283947ull & 0xffffffffu)}), 0);
  const array z = make<jq::complex128>({{1, 2}});
  CHECK_CLOSE(power(3)({z}), make<jq::complex128>({{-11, -2}}), 0);
  CHECK(power(1)({z}).same_as(z));
  for (const int y : {0, 2, 5}) check_dtypes(power(y), {make({1.5, -2.0, 3.0})}, jq::numbers);
}
TEST_CASE("integer_pow: derivative and batching") {
  const array x = make({-2.0, 0.5, 3.0}), one = make({1.0, 1.0, 1.0});
  CHECK_CLOSE(cotangents(power(3), {x}, one)[0], make({12.0, 0.75, 27.0}), 0);
  CHECK_CLOSE(cotangents(power(-2), {x}, one)[0], make({0.25, -16.0, -2.0 / 27}), 1e-15);
  CHECK_CLOSE(cotangents(power(2), {make({0.0})}, make({1.0}))[0], make({0.0}), 0);
  for (const int y : {0, 1, 2, 3, -1, -3}) check_derivatives(power(y), {x}, 2, 1e-7);
  check_derivatives(power(3), {make<jq::complex128>({{1, 2}, {0.5, -1}})});
  check_batching(power(3), {x});
}
TEST_CASE("integer_pow: refuses negative powers of integers") {
  CHECK_THROWS_WITH_AS(power(-1)({make({2})}),
                       doctest::Contains("Integers cannot be raised to negative powers, got the power -1"),
                       jq::type_error);
}
