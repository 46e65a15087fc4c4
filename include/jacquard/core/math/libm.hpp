#pragma once
// The C library's functions of float and double, by the compilers' built-in names: <cmath> brings the special functions of
// C++17 along, which cost more to parse than everything here. Deliberately no other type and nothing for constant evaluation.

namespace jacquard::math::libm {

#if defined(__CUDACC__)
#define JACQUARD_LIBM(name) ::name  // in device code the built-in names mean the host's functions
#define JACQUARD_BOTH __host__ __device__
#else
#define JACQUARD_LIBM(name) __builtin_##name
#define JACQUARD_BOTH
#endif
#define JACQUARD_UNARY(name)                                   \
  JACQUARD_BOTH inline double name(double x) { return JACQUARD_LIBM(name)(x); } \
  JACQUARD_BOTH inline float name(float x) { return JACQUARD_LIBM(name##f)(x); }
#define JACQUARD_BINARY(name)                                               \
  JACQUARD_BOTH inline double name(double x, double y) { return JACQUARD_LIBM(name)(x, y); } \
  JACQUARD_BOTH inline float name(float x, float y) { return JACQUARD_LIBM(name##f)(x, y); }

JACQUARD_UNARY(exp)
JACQUARD_UNARY(exp2)
JACQUARD_UNARY(expm1)
JACQUARD_UNARY(log)
JACQUARD_UNARY(log2)
JACQUARD_UNARY(log10)
JACQUARD_UNARY(log1p)
JACQUARD_UNARY(sqrt)
JACQUARD_UNARY(cbrt)
JACQUARD_UNARY(sin)
JACQUARD_UNARY(cos)
JACQUARD_UNARY(tan)
JACQUARD_UNARY(asin)
JACQUARD_UNARY(acos)
JACQUARD_UNARY(atan)
JACQUARD_UNARY(sinh)
JACQUARD_UNARY(cosh)
JACQUARD_UNARY(tanh)
JACQUARD_UNARY(asinh)
JACQUARD_UNARY(acosh)
JACQUARD_UNARY(atanh)
JACQUARD_UNARY(erf)
JACQUARD_UNARY(erfc)
JACQUARD_UNARY(fabs)
JACQUARD_UNARY(floor)
JACQUARD_UNARY(ceil)
JACQUARD_UNARY(trunc)
JACQUARD_UNARY(round)
JACQUARD_UNARY(nearbyint)
JACQUARD_BINARY(atan2)
JACQUARD_BINARY(pow)
JACQUARD_BINARY(fmod)
JACQUARD_BINARY(hypot)

#undef JACQUARD_BINARY
#undef JACQUARD_UNARY
#undef JACQUARD_LIBM
#undef JACQUARD_BOTH

}  // namespace jacquard::math::libm
