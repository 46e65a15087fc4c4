#pragma once
// Mutual exclusion and waiting, straight on POSIX: <mutex> and <condition_variable> bring <chrono> along, which would cost every user of the library
// more than what is locked. Deliberately no more than the library needs.

#include <pthread.h>
#include <time.h>

#include <cerrno>

namespace jacquard::detail {

/// A lock that one thread holds at a time.
class mutex {
 public:
  mutex() : mutex(PTHREAD_MUTEX_DEFAULT) {}
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() { pthread_mutex_destroy(&native); }
  void lock() { pthread_mutex_lock(&native); }
  bool try_lock() { return pthread_mutex_trylock(&native) == 0; }
  void unlock() { pthread_mutex_unlock(&native); }

  pthread_mutex_t native;

 protected:
  explicit mutex(int kind) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&native, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
};

/// The same; the thread that holds it may take it again.
class recursive_mutex : public mutex {
 public:
  recursive_mutex() : mutex(PTHREAD_MUTEX_RECURSIVE) {}
};

/// A mutex and the condition it guards.
class monitor {
 public:
  monitor() {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed_, &attributes);
    pthread_condattr_destroy(&attributes);
  }
  monitor(const monitor&) = delete;
  monitor& operator=(const monitor&) = delete;
  ~monitor() { pthread_cond_destroy(&changed_); }
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  void notify_all() { pthread_cond_broadcast(&changed_); }
  void notify_one() { pthread_cond_signal(&changed_); }
  /// Waits, with the mutex held, until `done()`.
  template <class Done>
  void wait(Done done) {
    while (!done()) pthread_cond_wait(&changed_, &mutex_.native);
  }
  /// The same, at most until the monotonic clock shows `deadline`, in seconds. Returns whether it is done.
  template <class Done>
  bool wait_until(double deadline, Done done) {
    while (!done()) {
      const auto whole = static_cast<time_t>(deadline);
      const timespec until{whole, static_cast<long>((deadline - double(whole)) * 1e9)};
      if (pthread_cond_timedwait(&changed_, &mutex_.native, &until) == ETIMEDOUT) return done();
    }
    return true;
  }

 private:
  mutex mutex_;
  pthread_cond_t changed_;
};

/// Says that a mutex is held already, as try_lock() answered.
struct already_held {};

/// Holds a mutex to the end of a scope, or until unlock().
template <class Mutex>
class scoped_lock {
 public:
  explicit scoped_lock(Mutex& m) : held_(&m) { m.lock(); }
  scoped_lock(Mutex& m, already_held) : held_(&m) {}
  scoped_lock(const scoped_lock&) = delete;
  scoped_lock& operator=(const scoped_lock&) = delete;
  ~scoped_lock() {
    if (held_) held_->unlock();
  }
  void unlock() {
    held_->unlock();
    held_ = nullptr;
  }

 private:
  Mutex* held_;
};

}  // namespace jacquard::detail
