// libm: each function is the C library's, in both precisions.
#include <doctest/doctest.h>
#include <jacquard/core/math/libm.hpp>

#include <cmath>

namespace libm = jacquard::math::libm;

TEST_CASE("functions of one number are those of <cmath>") {
  volatile double number = 0;  // not known to the compiler, which folds constants with other precision
#define SAME(name, x)                                        \
  number = x;                                                \
  CHECK(libm::name(double(number)) == std::name(double(number))); \
  CHECK(libm::name(float(number)) == std::name(float(number)))
  SAME(exp, 0.3);
  SAME(exp2, 0.3);
  SAME(expm1, 0.3);
  SAME(log, 1.7);
  SAME(log2, 1.7);
  SAME(log10, 1.7);
  SAME(log1p, 0.7);
  SAME(sqrt, 1.7);
  SAME(cbrt, 1.7);
  SAME(sin, 0.3);
  SAME(cos, 0.3);
  SAME(tan, 0.3);
  SAME(asin, 0.3);
  SAME(acos, 0.3);
  SAME(atan, 0.3);
  SAME(sinh, 0.3);
  SAME(cosh, 0.3);
  SAME(tanh, 0.3);
  SAME(asinh, 0.3);
  SAME(acosh, 1.3);
  SAME(atanh, 0.3);
  SAME(erf, 0.3);
  SAME(erfc, 0.3);
  SAME(fabs, -1.5);
  SAME(floor, -1.5);
  SAME(ceil, -1.5);
  SAME(trunc, -1.5);
  SAME(round, -2.5);
  SAME(nearbyint, -2.5);
#undef SAME
}
TEST_CASE("functions of two numbers are those of <cmath>") {
  CHECK(libm::atan2(0.3, -0.7) == std::atan2(0.3, -0.7));
  CHECK(libm::atan2(0.3f, -0.7f) == std::atan2(0.3f, -0.7f));
  CHECK(libm::pow(1.3, 2.7) == std::pow(1.3, 2.7));
  CHECK(libm::pow(1.3f, 2.7f) == std::pow(1.3f, 2.7f));
  CHECK(libm::fmod(5.3, -2.0) == std::fmod(5.3, -2.0));
  CHECK(libm::fmod(5.3f, -2.0f) == std::fmod(5.3f, -2.0f));
  CHECK(libm::hypot(3.0, 4.0) == 5.0);
  CHECK(libm::hypot(3.0f, 4.0f) == 5.0f);
}
