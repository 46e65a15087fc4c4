#pragma once
// One thread that works in the background: what programs earn while they run, the making of machine code. It starts with the first
// piece of work, sleeps when there is none, and is joined when the process exits, after the piece it works on. In a child made by fork it
// starts anew. Deliberately no pool: code is made one module at a time anyway.

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/core/ref.hpp"

namespace jacquard::cpu {

/// A piece of work. Must not throw.
class background_work : public counted {
 public:
  virtual void run() = 0;
};

class background {
 public:
  /// The thread of this process; lives as long as that.
  static background& get() {
    static background* const b = [] {
      background* const made = new background;
      is_there_.store(true);
      join_before_exit();
      pthread_atfork([] { get().before_fork(); }, [] { get().guard_.unlock(); }, [] { get().begin_in_child(); });
      return made;
    }();
    return *b;
  }
  /// Has the process join the thread before it destroys what was made until now: to be called once a library is loaded that the work
  /// uses, whose own objects the process would else destroy first.
  static void join_before_exit() {
    std::atexit([] { get().close(); });
  }

  /// Joins the thread at the end of the main thread: objects of a thread are destroyed before all that exit destroys, among them what a
  /// library made while it worked, after join_before_exit. Made when the program starts, below.
  struct end_of_main {
    bool made = true;
    ~end_of_main() {
      if (is_there_.load() && getpid() == gettid()) get().close();
    }
    static bool guard() {
      static thread_local end_of_main g;
      return g.made;
    }
  };

  /// Adds work; after the process began to exit, or where the system gives no thread, it is dropped.
  void add(const ref<background_work>& w) {
    const jacquard::detail::scoped_lock lock(guard_);
    if (closed_) return;
    waiting_.push_back(w);
    if (!running_) running_ = pthread_create(&thread_, nullptr, [](void* self) -> void* { return static_cast<background*>(self)->loop(), nullptr; }, this) == 0;
    if (!running_) waiting_.clear();
    guard_.notify_all();
  }
  /// Waits until there is no work left.
  void wait() {
    const jacquard::detail::scoped_lock lock(guard_);
    guard_.wait([&] { return waiting_.empty() && !busy_; });
  }

 private:
  background() = default;

  void loop() {
    jacquard::detail::scoped_lock lock(guard_);
    while (true) {
      guard_.wait([&] { return closed_ || !waiting_.empty(); });
      if (closed_) return;
      ref<background_work> w = waiting_.front();
      waiting_.erase(waiting_.begin());
      busy_ = true;
      guard_.unlock();
      w->run();
      w = nullptr;
      guard_.lock();
      busy_ = false;
      guard_.notify_all();
    }
  }
  void close() {
    {
      const jacquard::detail::scoped_lock lock(guard_);
      closed_ = true;
      waiting_.clear();
      guard_.notify_all();
    }
    if (running_) pthread_join(thread_, nullptr);
    running_ = false;  // exit runs on one thread
  }
  /// A child gets neither the thread nor what it is in the middle of.
  void before_fork() {
    guard_.lock();
    guard_.wait([&] { return !busy_; });
  }
  void begin_in_child() {
    guard_.unlock();
    new (&guard_) jacquard::detail::monitor;  // which knows of no waiting thread
    waiting_.clear();
    running_ = false;
  }

  static inline jacquard::detail::atomic<bool> is_there_{false};  ///< this object was made
  jacquard::detail::monitor guard_;
  std::vector<ref<background_work>> waiting_;
  bool busy_ = false, closed_ = false, running_ = false;
  pthread_t thread_{};
};

namespace detail {
inline const bool main_is_guarded = background::end_of_main::guard();
}  // namespace detail

}  // namespace jacquard::cpu
