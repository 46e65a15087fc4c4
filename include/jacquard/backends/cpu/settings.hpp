#pragma once
// What a program sets of the native backend of the processor. Deliberately without the backend, so that a program that links it compiled
// reads no more than this of it.

#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/background.hpp"
#include "jacquard/backends/environment.hpp"
#include "jacquard/backends/thread_pool.hpp"
#include "jacquard/core/atomic.hpp"

namespace jacquard::cpu {

namespace detail {
/// What programs do that were not told; first what JACQUARD_COMPILE_AT says.
inline jacquard::detail::atomic<compile_time>& default_compile_time() {
  static jacquard::detail::atomic<compile_time> t(jacquard::detail::environment_choice(
      "JACQUARD_COMPILE_AT", compile_time::when_hot,
      {{"first_call", compile_time::first_call}, {"never", compile_time::never}, {"when_hot", compile_time::when_hot}}));
  return t;
}
}  // namespace detail

/// When programs compiled from now on get machine code, unless the option jq::compile_at of their jit says so: when_hot, the default,
/// after about 10 ms of running, in the background: a first result takes a fifth of a millisecond instead of some tens, and programs that
/// run once are never compiled, unless their loops make so many trips that one run on tiles would take longer than compiling them and
/// running; first_call, before they first run; never. The environment's JACQUARD_COMPILE_AT sets the same.
inline void set_compile_at(compile_time when) {
  detail::default_compile_time().store(when == compile_time::by_default ? compile_time::when_hot : when);
}
/// Waits until all programs that are hot by now have machine code.
inline void finish_compiling() { background().wait(); }

/// The most threads that compute at once, callers among them, on all cpu devices together: JACQUARD_THREADS, or as many as there are processors
/// this process may use. Results do not depend on it.
inline int threads() { return jacquard::detail::thread_pool::get().threads(); }
/// Sets it for work that starts from now on. Errors: value_error unless n is from 1 to 256.
inline void set_threads(int n) { jacquard::detail::thread_pool::get().set_threads(n); }

}  // namespace jacquard::cpu
