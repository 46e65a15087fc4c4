#pragma once
// Versions of OpenBLAS before 0.3.22 take processors that they do not know for old ones, and products of theirs then take four times as long
// as they need to. The library gives a hint to the OpenBLAS that it loads; a program that is linked with OpenBLAS has to start with it.

#include <cstdlib>

#include <unistd.h>

namespace openblas_hint {

/// Starts the program again with the hint in its environment, unless somebody has set one. Call it first in main(); it may not return.
inline void start([[maybe_unused]] char** argv) {
#if defined(__x86_64__) && defined(JACQUARD_WITH_OPENBLAS)
  if (std::getenv("OPENBLAS_CORETYPE") || !__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq")) return;
  setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
  execv("/proc/self/exe", argv);  // where that fails, things go on as they are
#endif
}

}  // namespace openblas_hint
