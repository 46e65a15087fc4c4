#pragma once
// How many processors this process may keep busy: those it may run on, within what control groups grant it, unless the environment's
// JACQUARD_THREADS says a number. Deliberately asked once: what changes afterwards is for set_threads.

#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "jacquard/core/error.hpp"

namespace jacquard::detail {

inline constexpr int most_threads = 256;

/// The number written in `text`, from 1 to most_threads. Errors: value_error, naming `who`.
inline int thread_count(const char* who, const char* text) {
  char* end = nullptr;
  const long n = std::strtol(text, &end, 10);
  if (end == text || *end != 0 || n < 1 || n > most_threads)
    raise(error_kind::value, std::string_view(who), ": got '", std::string_view(text), "', wanted a number of threads from 1 to ", most_threads);
  return int(n);
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

/// The number of threads to start with where so many processors may be used. Errors: value_error if JACQUARD_THREADS is no such number.
inline int first_thread_count(int processors = usable_processors()) {
  const char* const given = std::getenv("JACQUARD_THREADS");
  return given ? thread_count("JACQUARD_THREADS", given) : processors;
}

}  // namespace jacquard::detail
