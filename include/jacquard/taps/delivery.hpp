#pragma once
// Direct delivery of taps: the executing thread calls the user's function with the live values. Exceptions are logged and
// counted, later taps still run, and barrier_wait reports them.

#include <cstdio>
#include <exception>
#include <mutex>

#include "jacquard/core/eval.hpp"
#include "jacquard/taps/context.hpp"

namespace jacquard {

namespace detail {

/// Exceptions thrown by taps since the last barrier.
struct tap_failures {
  std::mutex mutex;
  std::size_t count = 0;
  std::exception_ptr first;
  std::string message;
};
inline tap_failures& failures() {
  static tap_failures f;
  return f;
}

inline void record_failure(std::exception_ptr e, const char* what) {
  std::fprintf(stderr, "jacquard: postponing exception raised in tap function: %s\n", what);
  tap_failures& f = failures();
  const std::lock_guard lock(f.mutex);
  if (f.count++ == 0) {
    f.first = e;
    f.message = what;
  }
}

inline void deliver_directly(const function_ref& callback, view<const array> values, const tap_record& record) {
  if (probing) return;
  try {
    eager([&] { reinterpret_cast<tap_thunk>(callback.get())(callback.state(), values, record); });
  } catch (const std::exception& e) {
    record_failure(std::current_exception(), e.what());
  } catch (...) {
    record_failure(std::current_exception(), "not a std::exception");
  }
}

inline const bool delivery_installed = [] {
  deliver_tap = &deliver_directly;
  return true;
}();

}  // namespace detail

/// Waits until every tap of computations started so far has run.
/// Errors: tap_error with the number of exceptions that taps threw since the last call and the first message, that
/// exception nested.
inline void barrier_wait() {
  detail::tap_failures& f = detail::failures();
  std::unique_lock lock(f.mutex);
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

}  // namespace jacquard
