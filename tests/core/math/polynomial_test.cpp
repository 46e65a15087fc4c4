// Horner's scheme in its two precisions.
#include "jacquard/core/math/polynomial.hpp"

#include <doctest/doctest.h>

using namespace jacquard::math::soft;

constexpr double one_to_four[] = {1, 2, 3, 4};
static_assert(polynomial(one_to_four, 2.0) == 1 + 4 + 12 + 32);

constexpr refined_polynomial<2> refined{{1, 0x1p-70}, {2, 0}, {3, 4}};
static_assert(refined(2.0).hi == 49 && refined(2.0).lo == 0x1p-70);

TEST_CASE("a refined polynomial keeps its low part at run time too") {
  const double x = 2.0;
  CHECK(refined(x).hi == 49);
  CHECK(refined(x).lo == 0x1p-70);
}
