// Functions without conditions, of plain numbers, against the references of those that have some.
#include "jacquard/core/math/branchless.hpp"

#include <doctest/doctest.h>

#include "erf_inv_reference.hpp"

TEST_CASE("branchless erf_inv is within 4 ulp") {
  const auto f = [](double x) { return jacquard::math::branchless::erf_inv(x); };
  const auto next_to_one = [](auto& random) { return 1 - std::fabs(ulp::binades(-53, -1)(random)); };
  CHECK(ulp::largest(f, ulp::erf_inv_reference, ulp::between(-1, 1)) <= ulp::bound(4));
  CHECK(ulp::largest(f, ulp::erf_inv_reference, next_to_one) <= ulp::bound(4));
  CHECK(ulp::largest(f, ulp::erf_inv_reference, ulp::binades(-1022, -1)) <= ulp::bound(4));
  CHECK(ulp::same(f(-0.0), -0.0));
  CHECK(f(1) == ulp::inf);
  CHECK(f(-1) == -ulp::inf);
  for (const double x : {1.5, -1.5, ulp::inf, ulp::nan}) CHECK(ulp::same(f(x), ulp::nan));
}
