#pragma once
// How many processors this process may keep busy: those it may run on, within what control groups grant it, unless the environment's
// JACQUARD_THREADS says a number. And where threads that are woken shall run, as the system may wake a thread on the processor of who calls
// it although others are idle; one of the two then waits some milliseconds for the other. Deliberately asked once: what changes afterwards is for set_threads.

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "jacquard/backends/clock.hpp"
#include "jacquard/core/atomic.hpp"

namespace jacquard::detail {

inline constexpr int most_threads = 256;
/// On more than so many processors threads are left where the system puts them: it finds an idle one.
inline constexpr int few_processors = 16;

/// Tells the processor that this thread only waits.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}
/// Waits, awake, until done(), for so many nanoseconds at most. Returns whether it is done.
template <class Done>
bool stay_awake(std::int64_t nanoseconds, Done done) {
  const std::int64_t until = nanoseconds_now() + nanoseconds;
  do {
    for (int i = 0; i < 16; ++i, relax())
      if (done()) return true;
  } while (nanoseconds_now() < until);
  return false;
}

/// Processors' time that a control group grants, rounded up; 0 where it sets no limit. `period` is null where one file has both numbers.
inline int granted(const char* quota, const char* period) {
  long long most = -1, each = 0;
  const auto scan = [](const char* file, const char* format, auto*... values) {
    std::FILE* const f = std::fopen(file, "re");
    if (!f) return false;
    const int got = std::fscanf(f, format, values...);
    std::fclose(f);
    return got == int(sizeof...(values));
  };
  const bool both = period ? scan(quota, "%lld", &most) && scan(period, "%lld", &each) : scan(quota, "%lld %lld", &most, &each);
  return both && most > 0 && each > 0 ? int((most + each - 1) / each) : 0;
}

/// Processors that this process may use. Those of the control group the process sees as its own are counted, as in a container.
inline int usable_processors() {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) n = CPU_COUNT(&allowed);
  for (const int limit : {granted("/sys/fs/cgroup/cpu.max", nullptr), granted("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us")})
    if (limit > 0 && limit < n) n = limit;
#endif
  return n < 1 ? 1 : n > most_threads ? most_threads : int(n);
}

/// The number of threads to start with where so many processors may be used: what JACQUARD_THREADS says. What is no such number is told of.
inline int first_thread_count(int processors = usable_processors()) {
  const char* const given = std::getenv("JACQUARD_THREADS");
  if (!given || !*given) return processors;
  char* end = nullptr;
  const long n = std::strtol(given, &end, 10);
  if (end != given && *end == 0 && n >= 1 && n <= most_threads) return int(n);
  std::fprintf(stderr, "jacquard: JACQUARD_THREADS: got '%s', wanted a number of threads from 1 to %d\n", given, most_threads);
  return processors;
}

/// A thread that works beside those that give it work, and the processor it works on. Where it is woken it goes to one on which no other such
/// thread works and its caller does not run, as far as there is one; from then on the system may move it as it likes. Where it had to wait there
/// for somebody else's work, it is left to the system for a multiple of that time.
class worker {
 public:
  /// On the thread itself, first of all.
  void begin() {
    thread_ = pthread_self();
#if defined(__linux__)
    if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) CPU_ZERO(&allowed_);
#endif
  }
  /// On another thread, while it sleeps and is about to be woken. It counts as working from now on: who waits awake would keep it waiting.
  void leave_processor_of_caller() {
    count_as_working();
#if defined(__linux__)
    const int n = CPU_COUNT(&allowed_), here = processors() > 1 && n > 1 && n <= few_processors ? sched_getcpu() : nowhere;
    const std::int64_t now = nanoseconds_now();
    if (here == nowhere || now < stays_until_) return;
    const auto is_free = [&](int i) { return i != nowhere && i < most_threads && CPU_ISSET(unsigned(i), &allowed_) && busy(i).load() == 0; };
    int best = last_ != here && is_free(last_) ? last_ : nowhere;
    for (int i = 0; best == nowhere && i < most_threads; ++i)
      if (i != here && is_free(i)) best = i;
    if (best == nowhere && is_free(here)) best = here;
    if (best == nowhere) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(unsigned(best), &one);
    is_sent_ = pthread_setaffinity_np(thread_, sizeof one, &one) == 0;
    if (is_sent_) count(best), sent_at_ = now;
#endif
  }
  /// On the thread itself, before a piece of work.
  void work() {
#if defined(__linux__)
    if (std::exchange(is_sent_, false)) {
      sched_setaffinity(0, sizeof allowed_, &allowed_);
      const std::int64_t now = nanoseconds_now(), waited = now - sent_at_;
      if (waited > slowest_wake) stays_until_ = now + (waited < longest_stay / stays ? stays * waited : longest_stay);
    }
    if (const int here = sched_getcpu(); here != place_) count(here < most_threads ? here : nowhere);
#endif
    count_as_working();
  }
  /// On the thread itself, when there is no more work.
  void rest() {
    count(nowhere);
    if (std::exchange(is_working_, false)) working().fetch_sub(1);
  }
  /// In a child made by fork, which has none of the threads.
  void vanish() {
    rest();
    is_sent_ = false;
    last_ = nowhere;
  }
  /// Whether there is a processor for a thread that waits awake for these, or for more work, while so many others run.
  static bool leave_one_free(int others = 0) { return working().load(ordering::relaxed) + others < processors(); }
  /// How many processors there are for the threads of this process.
  static int processors() {
    static const int n = usable_processors();
    return n;
  }

 private:
  static constexpr int nowhere = -1;
  static constexpr std::int64_t slowest_wake = 200000, longest_stay = 200000000, stays = 32;  ///< ns, and times what it waited

  static atomic<int>& working() {
    static constinit atomic<int> n{0};
    return n;
  }
  /// How many work on a processor.
  static atomic<int>& busy(int processor) {
    static constinit atomic<int> n[most_threads] = {};
    return n[processor];
  }
  void count_as_working() {
    if (!std::exchange(is_working_, true)) working().fetch_add(1);
  }
  void count(int place) {
    if (place_ != nowhere) busy(place_).fetch_sub(1);
    if (place != nowhere) busy(place).fetch_add(1), last_ = place;
    place_ = place;
  }

  pthread_t thread_{};
  int place_ = nowhere, last_ = nowhere;  ///< where it is counted, and was last
  std::int64_t sent_at_ = 0, stays_until_ = 0;
  bool is_sent_ = false, is_working_ = false;
#if defined(__linux__)
  cpu_set_t allowed_{};
#endif
};

}  // namespace jacquard::detail
