// expect: -ffast-math takes every comparison with a NaN or an infinity for what suits the compiler
#undef __FINITE_MATH_ONLY__
#define __FINITE_MATH_ONLY__ 1
#include <jacquard/core/ieee.hpp>
static_assert(sizeof(int) == 0, "a note alone does not stop the compiler");
