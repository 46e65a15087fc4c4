#pragma once
// Functions of the library that a program which links jacquard::compiled finds there, instead of compiling them in each of its files: what
// does not depend on the functions that are traced, and is not worth inlining. Constant evaluation reads their bodies all the same, and
// programs of headers alone compile them where they are used. Of a template src/engine.cpp lists the instantiations; one that it lacks is
// missed by the linker. Where even instantiating costs, a header declares them extern. Deliberately without tables of
// primitives, which are compiled.hpp's, and the seams between layers, core/hook.hpp's.

/// In the place of `inline`, or before `constexpr`; not of constructors, of which clang would look for several. The library's source that has the functions defines JACQUARD_ENGINE, its other sources
/// JACQUARD_ENGINE_ELSEWHERE.
#if defined JACQUARD_ENGINE
#define JACQUARD_ONCE [[gnu::used]] inline
#elif (defined JACQUARD_COMPILED || defined JACQUARD_ENGINE_ELSEWHERE) && !defined __CUDACC__
#ifdef __clang__  // which tells programs that the attribute once meant something else
#define JACQUARD_ONCE                                                                                       \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgnu-inline-cpp-without-extern\"") \
      [[gnu::gnu_inline]] _Pragma("clang diagnostic pop") inline
#else  // a function with options of its own is inlined nowhere, which would cost what this is to save
#define JACQUARD_ONCE [[gnu::gnu_inline, gnu::optimize(0)]] inline
#endif
#else
#define JACQUARD_ONCE inline
#endif
