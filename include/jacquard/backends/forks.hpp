#pragma once
// What a fork does about the library's locks: a child has the thread that forked alone, so that a mutex which another one held would stay held
// for ever. A fork waits for who holds one of certain mutexes, and has the child get them free. Deliberately knows no thread: what
// runs on threads of its own, work_queue, says how a fork waits for it.

#include <pthread.h>

#include <new>

#include "jacquard/backends/mutex.hpp"

namespace jacquard::detail {

class forks {
 public:
  /// What runs on threads that take mutexes which are held at forks.
  struct runner {
    void (*settle)();  ///< waits, with nothing held, until it may fork
    bool (*hold)();  ///< holds whatever a child gets of it; false, and nothing held, if it may not fork any more
    void (*release)();  ///< after hold(), in the parent
    void (*begin_in_child)();  ///< after hold(), in the child
  };

  /// Has a fork wait until nobody holds this mutex, which lives as long as the process; the child gets it free. Who holds it may take others
  /// of them and wait for the runner.
  static void hold(recursive_mutex& m) {
    handle();
    held_mutex* const h = new held_mutex{m, __atomic_load_n(&first, __ATOMIC_ACQUIRE)};  // without a lock: a fork may wait for who calls
    while (!__atomic_compare_exchange_n(&first, &h->next, h, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
  }
  /// Has a fork wait for the runner, which is one in a process.
  static void wait_for(const runner& r) {
    handle();
    __atomic_store_n(&one_runner, &r, __ATOMIC_RELEASE);
  }

 private:
  struct held_mutex {
    recursive_mutex& m;
    held_mutex* next;
  };
  /// What one fork holds: more may come to be while it waits.
  struct holding {
    held_mutex* mutexes;
    const runner* r;
  };

  static void handle() {
    static const int handlers = pthread_atfork(&before, &after, &begin_in_child);
    (void)handlers;
  }
  static void before() {
    while (true) {
      held = {__atomic_load_n(&first, __ATOMIC_ACQUIRE), __atomic_load_n(&one_runner, __ATOMIC_ACQUIRE)};
      if (held.r) held.r->settle();
      lock_all();
      if (!held.r || held.r->hold()) return;
      unlock_until(nullptr);
    }
  }
  /// In whatever order their holders take them: waits for one at a time, with no other one held.
  static void lock_all() {
    for (held_mutex* h = held.mutexes; h;)
      if (h->m.try_lock()) h = h->next;
      else {
        unlock_until(h);
        h->m.lock();
        h->m.unlock();
        h = held.mutexes;
      }
  }
  static void unlock_until(const held_mutex* end) {
    for (held_mutex* h = held.mutexes; h != end; h = h->next) h->m.unlock();
  }
  static void after() {
    if (held.r) held.r->release();
    unlock_until(nullptr);
  }
  static void begin_in_child() {
    for (held_mutex* h = held.mutexes; h; h = h->next) new (&h->m) recursive_mutex;  // the old one belongs to a thread of the parent
    if (held.r) held.r->begin_in_child();
  }

  static inline constinit held_mutex* first = nullptr;
  static inline constinit const runner* one_runner = nullptr;
  static inline constinit thread_local holding held = {nullptr, nullptr};  ///< of the thread that forks
};

}  // namespace jacquard::detail
