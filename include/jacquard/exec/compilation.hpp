#pragma once
// How a program is compiled, as options of jit: how exactly it computes, what becomes of denormal numbers, and when machine code is made of it. Deliberately without
// meaning of their own: a backend does what they ask for, and the interpreter, which is exact and compiles nothing, ignores them.

#include "jacquard/backends/backend.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

/// How exactly a compiled program computes; an option of jit.
///
/// fast, the default: a product and a sum may be rounded once, numbers of 16 bits are rounded where they are stored, sums are taken in
/// an order that suits the machine, exp and its kin are functions of vectors, the backend's own or a library's (at most 4 ulp), products of
/// matrices come from a BLAS. What 0 is added to stays as it is, also where it is -0, whose sum IEEE 754 takes for 0.
/// strict: every result has the bits that the interpreter gives it (of a NaN, that it is one), on every tier of a backend: no
/// contraction and no reassociation, numbers of 16 bits are rounded after each operation, reductions of floating-point numbers and products of
/// matrices run by the interpreter's own loops, and exp and its kin call the scalar functions of the C library that the interpreter calls.
/// fast_math: fast, and in machine code what loops by hand may do under -ffast-math: sums and products are taken in any order and common factors out of
/// sums (so that infinity - infinity may be an infinity), divisions by a number that many elements share are products with its inverse, signs of
/// zeros do not count, quotients and moduli of complex numbers are the plain formulas, which overflow where squares do. Unlike under that flag, max
/// and min still hand NaN on, comparisons with NaN are false, isnan and isfinite answer, and nothing is undefined. Not together with strict.
struct precision : detail::jit_option {
  bool is_strict, is_fast_math;
  static const precision fast, strict, fast_math;
};
inline constexpr precision precision::fast{{}, false, false}, precision::strict{{}, true, false}, precision::fast_math{{}, false, true};

/// What the native backend does with denormal numbers, those nearer to zero than the smallest one of full precision; an option of jit.
/// keep, the default: what IEEE 754 says, unless the calling thread is in another mode. flush: on x86-64 they count as zero in operands, and
/// results that would be denormal are zero, on all threads that work for the call, functions of the host that it calls among them; some
/// processors take a hundred times as long for them. The mode of the calling thread is restored. Not together with precision::strict.
struct denormals : detail::jit_option {
  bool are_flushed;
  static const denormals keep, flush;
};
inline constexpr denormals denormals::keep{{}, false}, denormals::flush{{}, true};

/// When the native backend makes machine code of a program; an option of jit. Before that it runs on tiles, which needs no
/// compiler. first_call: before the first run. when_hot: in the background, once it has run for about 10 ms. never: it stays on tiles.
struct compile_at : detail::jit_option {
  compile_time when;
  static const compile_at first_call, when_hot, never;
};
inline constexpr compile_at compile_at::first_call{{}, compile_time::first_call}, compile_at::when_hot{{}, compile_time::when_hot},
    compile_at::never{{}, compile_time::never};

}  // namespace jacquard
