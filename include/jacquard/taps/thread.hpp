#pragma once
// Threads and waiting for the receivers of taps, straight on POSIX: including <thread> and <condition_variable> would
// cost every user of the library more than the receivers themselves. Deliberately no more than the receivers need.

#include <pthread.h>

#include "jacquard/backends/clock.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/quiet_thread.hpp"

namespace jacquard {

/// How long to wait for taps. Takes any std::chrono duration.
struct timeout {
  double seconds;
  template <class Duration>
    requires requires(Duration d) { d.count(), Duration::period::num; }
  constexpr explicit timeout(Duration d)
      : seconds(double(d.count()) * double(Duration::period::num) / double(Duration::period::den)) {}
};

namespace detail {

inline constexpr double forever = 1e9;

/// A thread that runs `body(context)`, to be joined or detached.
class native_thread {
 public:
  /// Starts it. Returns false if the system gives no thread.
  bool start(void* (*body)(void*), void* context) { return running_ = start_quiet_thread(id_, body, context); }
  void join() {
    if (running_) pthread_join(id_, nullptr);
    running_ = false;
  }
  void detach() {
    if (running_) pthread_detach(id_);
    running_ = false;
  }

 private:
  pthread_t id_{};
  bool running_ = false;
};

}  // namespace detail
}  // namespace jacquard
