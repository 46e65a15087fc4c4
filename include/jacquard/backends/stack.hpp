#pragma once
// How much of a thread's stack functions that are traced within each other may take. Deliberately no guard of recursion in general: what
// looks through programs counts how deep they lie within each other.

#include <pthread.h>

#include "jacquard/core/trace_scope.hpp"

namespace jacquard::detail {

/// The stack of a thread; both null where it is not known.
struct stack_bounds {
  const char* lowest = nullptr;
  const char* end = nullptr;
};
inline stack_bounds this_stack() {
#if defined(__linux__)
  pthread_attr_t about;
  if (pthread_getattr_np(pthread_self(), &about) != 0) return {};
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&about, &lowest, &size) == 0;
  pthread_attr_destroy(&about);
  if (known) return {static_cast<const char*>(lowest), static_cast<const char*>(lowest) + size};
#endif
  return {};
}

/// What functions may take whose outermost one began at `frame`: two thirds of what was left there, since the innermost one needs some too.
/// A frame on no known stack, such as that of a coroutine, has what most have.
inline std::ptrdiff_t allowed_stack(const char* frame) {
  static constinit thread_local stack_bounds known{};
  if (!known.end) known = this_stack();
  if (frame <= known.lowest || frame >= known.end) return most_stack;
  const std::ptrdiff_t some = (frame - known.lowest) / 3 * 2;
  return some < most_stack ? some : most_stack;
}

/// Set before main.
inline const bool knows_stacks = [] {
  stack_hook = &allowed_stack;
  return true;
}();

}  // namespace jacquard::detail
