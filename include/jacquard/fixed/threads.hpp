#pragma once
// Threads for jq::map: one range of blocks each, started for the call and joined before it returns. POSIX threads, because <thread>
// costs more to parse than all of fixed/rows. Deliberately no pool and no stealing: the parts are equal.

#include <cstddef>

#include <pthread.h>
#include <unistd.h>

namespace jacquard {

/// How many threads a call may use; none given: one for each processor.
struct threads {
  int count = 0;
  constexpr threads() = default;
  constexpr explicit threads(int n) : count(n) {}
  /// At least one.
  int resolved() const {
    if (count > 0) return count;
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? int(n) : 1;
  }
};

namespace detail {

inline constexpr std::size_t most_threads = 256;

/// Calls f(0) ... f(parts - 1), each on a thread of its own, f(0) on this one. A thread that cannot be started runs here. f must
/// not throw.
template <class F>
void in_threads(std::size_t parts, const F& f) {
  struct job {
    const F* f;
    std::size_t part;
    pthread_t thread;
    bool started;
  };
  job jobs[most_threads];
  const std::size_t n = parts < most_threads ? parts : most_threads;
  const auto work = [](void* given) -> void* {
    const job* j = static_cast<const job*>(given);
    (*j->f)(j->part);
    return nullptr;
  };
  for (std::size_t k = 1; k < n; ++k) {
    jobs[k] = {&f, k, {}, false};
    jobs[k].started = pthread_create(&jobs[k].thread, nullptr, work, &jobs[k]) == 0;
  }
  f(0);
  for (std::size_t k = n; k < parts; ++k) f(k);
  for (std::size_t k = 1; k < n; ++k) {
    if (jobs[k].started) pthread_join(jobs[k].thread, nullptr);
    else f(k);
  }
}

}  // namespace detail
}  // namespace jacquard
