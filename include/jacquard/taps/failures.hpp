#pragma once
// What becomes of exceptions in functions that taps and callbacks call: they are logged and counted, later ones still run, and
// barrier_wait reports them. Deliberately needs no backend: static code is tapped, too.

#include <cstdio>
#include <exception>
#include <string>

#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/exec/log_topics.hpp"
#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard {
namespace detail {

/// Exceptions thrown by taps since the last barrier.
struct tap_failures {
  detail::mutex mutex;
  std::size_t count = 0;
  std::exception_ptr first;
  std::string message;
};
/// Never destroyed, as threads that run on while the process exits may have taps.
inline tap_failures& failures() {
  static tap_failures* const f = new tap_failures;
  return *f;
}

inline void record_failure(std::exception_ptr e, const char* what, tap_failures& f = failures(),
                           const char* about = "postponing exception raised in tap function: ") {
  if (is_logged(log_failures)) std::fprintf(stderr, "jacquard: %s%s\n", about, what);
  const detail::scoped_lock lock(f.mutex);
  if (f.count++ == 0) {
    f.first = e;
    f.message = what;
  }
}

/// The same of what nobody threw.
inline void record_problem(const std::string& what, tap_failures& f) {
  record_failure(std::make_exception_ptr(tap_error(what)), what.c_str(), f, "");
}
/// Throws what taps threw since the last call, if anything.
template <class T = void>
void report_failures(tap_failures& f = failures()) {
  detail::scoped_lock lock(f.mutex);
  if (f.count == 0) return;
  const std::size_t count = std::exchange(f.count, 0);
  const std::exception_ptr first = std::exchange(f.first, nullptr);
  const std::string message = std::exchange(f.message, {});
  lock.unlock();
  try {
    std::rethrow_exception(first);
  } catch (...) {
    std::throw_with_nested(tap_error("There were exceptions during callback processing: " + std::to_string(count) +
                                     " tap(s) threw, the first one was: " + message));
  }
}

/// Runs f, a function of the host, outside every trace and without the program's libraries. What it throws is recorded.
template <class F>
void run_recording_failures(F&& f, tap_failures& failed = failures()) {
  const library_scope none_here(nullptr);
  try {
    eager(f);
  } catch (const std::exception& e) {
    record_failure(std::current_exception(), e.what(), failed);
  } catch (...) {
    record_failure(std::current_exception(), "not a std::exception", failed);
  }
}

}  // namespace detail
}  // namespace jacquard
