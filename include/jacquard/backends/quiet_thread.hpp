#pragma once
// Threads of the library. Signals are for the program's own threads: none of them is delivered on one that starts here, so that handlers and
// sigwait see what they would see without the library. Deliberately nothing but the start; who starts a thread joins it by pthread_join.

#include <pthread.h>
#include <signal.h>

namespace jacquard::detail {

/// Starts body(context) on a thread that takes no signals. False if the system gives no thread.
inline bool start_quiet_thread(pthread_t& id, void* (*body)(void*), void* context) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&id, nullptr, body, context) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace jacquard::detail
