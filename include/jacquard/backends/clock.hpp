#pragma once
// The time that passes, straight from POSIX: <chrono> would cost every user of the library more than what is timed. Deliberately without
// dates: what a wall clock shows belongs to who writes it down.

#include <time.h>

#include <cstdint>

namespace jacquard::detail {

/// Nanoseconds that a clock of the system shows.
inline std::int64_t nanoseconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return std::int64_t(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}
/// Nanoseconds of a clock that only goes on.
inline std::int64_t nanoseconds_now() { return nanoseconds_of(CLOCK_MONOTONIC); }
/// Seconds of the same clock, as monitor::wait_until takes them.
inline double seconds_now() { return 1e-9 * double(nanoseconds_now()); }

}  // namespace jacquard::detail
