#pragma once
// Threads, waiting and time for the receivers of taps, straight on POSIX: including <thread> and <condition_variable> would
// cost every user of the library more than the receivers themselves. Deliberately no more than the receivers need.

#include <pthread.h>
#include <time.h>

#include "jacquard/backends/mutex.hpp"

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

/// Seconds on a clock that only goes forwards.
inline double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Tells the processor that this thread looks at memory again and again.
inline void pause_thread() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("" ::: "memory");
#endif
}

/// A thread that runs `body(context)`, to be joined or detached.
class native_thread {
 public:
  /// Starts it. Returns false if the system gives no thread.
  bool start(void* (*body)(void*), void* context) { return running_ = pthread_create(&id_, nullptr, body, context) == 0; }
  bool is_running() const { return running_; }
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
