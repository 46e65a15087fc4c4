// Calls of the functions of elements: arithmetic, elementary functions, bits, predicates.
#include "calls.hpp"

#include <jacquard/numpy/bits.hpp>
#include <jacquard/numpy/elementary.hpp>
#include <jacquard/numpy/floating.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section operators{"numpy/operators.hpp",
                        {CALL(x + y), CALL(x - y), CALL(x * y), CALL(x / y), CALL(x % y), CALL(-x), CALL(+x), CALL(x == y), CALL(x != y), CALL(x < y),
                         CALL(x <= y), CALL(x > y), CALL(x >= y), CALL(x & y), CALL(x | y), CALL(x ^ y), CALL(~x), CALL(!x)}};
const section arithmetic{"numpy/arithmetic.hpp",
                         {CALL(power(x, y)), CALL(pow(x, y)), CALL(maximum(x, y)), CALL(minimum(x, y)), CALL(arctan2(x, y)), CALL(atan2(x, y)), CALL(mod(x, y)),
                          CALL(remainder(x, y)), CALL(fmod(x, y)), CALL(floor_divide(x, y)), CALL(logical_and(x, y)), CALL(logical_or(x, y)),
                          CALL(logical_xor(x, y)), CALL(bitwise_and(x, y)), CALL(bitwise_or(x, y)), CALL(bitwise_xor(x, y)), CALL(where(flags, x, y)),
                          CALL(clip(x, s, y)), CALL(isclose(x, y))}};
const section elementwise{"numpy/elementwise.hpp",
                          {CALL(sin(x)), CALL(cos(x)), CALL(tan(x)), CALL(exp(x)), CALL(expm1(x)), CALL(log(x)), CALL(log1p(x)), CALL(tanh(x)), CALL(logistic(x)),
                           CALL(sigmoid(x)), CALL(sqrt(x)), CALL(rsqrt(x)), CALL(erf(x)), CALL(erf_inv(x)), CALL(square(x)), CALL(abs(x)), CALL(absolute(x)),
                           CALL(sign(x)), CALL(floor(x)), CALL(ceil(x)), CALL(trunc(x)), CALL(round(x)), CALL(isfinite(x)), CALL(isnan(x)), CALL(isinf(x)),
                           CALL(logical_not(x)), CALL(bitwise_not(x)), CALL(real(x)), CALL(imag(x)), CALL(conj(x)), CALL(relu(x)), CALL(stop_gradient(x))}};
const section elementary{"numpy/elementary.hpp",
                         {CALL(exp2(x)), CALL(asin(x)), CALL(arcsin(x)), CALL(acos(x)), CALL(arccos(x)), CALL(atan(x)), CALL(arctan(x)), CALL(sinh(x)), CALL(cosh(x)),
                          CALL(asinh(x)), CALL(arcsinh(x)), CALL(acosh(x)), CALL(arccosh(x)), CALL(atanh(x)), CALL(arctanh(x)), CALL(cbrt(x)), CALL(erfc(x)),
                          CALL(log2(x)), CALL(log10(x)), CALL(deg2rad(x)), CALL(radians(x)), CALL(rad2deg(x)), CALL(degrees(x)), CALL(reciprocal(x)),
                          CALL(positive(x)), CALL(fabs(x)), CALL(sinc(x)), CALL(angle(x)), CALL(logaddexp(x, y)), CALL(logaddexp2(x, y)), CALL(hypot(x, y)),
                          CALL(float_power(x, y))}};
const section floating{"numpy/floating.hpp",
                       {CALL(signbit(x)), CALL(copysign(x, y)), CALL(nextafter(x, y)), CALL(spacing(x)), CALL(heaviside(x, y)), CALL(isposinf(x)),
                        CALL(isneginf(x)), CALL(nan_to_num(x)), CALL(ldexp(x, i)), CALL(frexp(x)), CALL(modf(x)), CALL(divmod(x, y))}};
const section bits{"numpy/bits.hpp",
                   {CALL(left_shift(x, y)), CALL(right_shift(x, y)), CALL(bitwise_count(x)), CALL(invert(x)), CALL(gcd(x, y)), CALL(lcm(x, y)),
                   CALL(packbits(x)), CALL(unpackbits(x))}};

}  // namespace

TEST_CASE("functions of elements: each dtype is taken, or refused by a type_error") {
  check_calls({&operators, &arithmetic, &elementwise, &elementary, &floating, &bits});
}

}  // namespace tables
