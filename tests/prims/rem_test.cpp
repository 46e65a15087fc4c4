// rem: exact remainders with the sign of the dividend, integers that never trap, derivatives, batching.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array remainder_of(const array& a, const array& b) { return lax::rem(a, b); }
}  // namespace

static_assert(jq::rem_p::apply(-7, 3) == -1 && jq::rem_p::apply(7, 0) == 7 && jq::rem_p::apply(INT32_MIN, -1) == 0);
static_assert(jq::rem_p::apply(0x1p100, 3.0) == 1);

TEST_CASE("rem: values") {
  const array a = make({7.0, -7.0, 7.5, 1e300, 3.0, inf, 1.0}), b = make({3.0, 3.0, -2.0, 3.0, inf, 2.0, 0.0});
  CHECK_CLOSE(remainder_of(a, b), make({1.0, -1.0, 1.5, std::fmod(1e300, 3.0), 3.0, not_a_number, not_a_number}), 0);
  CHECK_CLOSE(remainder_of(make({7, -7, 7, -7, 5}), make({3, 3, -3, -3, 0})), make({1, -1, 1, -1, 5}), 0);
  CHECK_CLOSE(remainder_of(make<std::int64_t>({INT64_MIN}), make<std::int64_t>({-1})), make<std::int64_t>({0}), 0);
  check_dtypes(binary(remainder_of), {make({7.0, -7.0, 6.0}), make({3.0, 3.0, 4.0})}, jq::reals);
}
TEST_CASE("rem: derivative and batching") {
  const array a = make({7.25, -7.25, 7.25, 0.5}), b = make({3.0, 3.0, -3.0, 2.0});
  const arrays back = cotangents(binary(remainder_of), {a, b}, make({1.0, 1.0, 1.0, 1.0}));
  CHECK_CLOSE(back[0], make({1.0, 1.0, 1.0, 1.0}), 0);
  CHECK_CLOSE(back[1], make({-2.0, 2.0, 2.0, 0.0}), 0);
  check_derivatives(binary(remainder_of), {a, b});
  check_batching(binary(remainder_of), {a, b});
  check_batching(binary(remainder_of), {a, scalar(3.0)});
}
TEST_CASE("rem: derivative in an infinite divisor is 0") {
  const arrays back = cotangents(binary(remainder_of), {scalar(3.0), scalar(inf)}, scalar(1.0));
  CHECK_CLOSE(back[1], scalar(0.0), 0);
}
