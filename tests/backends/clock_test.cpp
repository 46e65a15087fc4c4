// The clock: it only goes on, in the same time whatever the unit, and others can be read.
#include <jacquard/backends/clock.hpp>

#include <doctest/doctest.h>
#include <unistd.h>

using namespace jacquard::detail;

TEST_CASE("clock: it goes on while this thread sleeps, the thread's processor time does not") {
  const std::int64_t start = nanoseconds_now(), worked = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
  const double seconds = seconds_now();
  usleep(20000);
  CHECK(nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - worked < 15'000'000);
  CHECK(nanoseconds_now() - start >= 20'000'000);
  CHECK(seconds_now() - seconds >= 0.0199);
}
TEST_CASE("clock: seconds and nanoseconds are those of CLOCK_MONOTONIC") {
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  const std::int64_t ns = nanoseconds_now();
  const double s = seconds_now();
  clock_gettime(CLOCK_MONOTONIC, &after);
  CHECK(ns >= std::int64_t(before.tv_sec) * 1'000'000'000 + before.tv_nsec);
  CHECK(ns <= std::int64_t(after.tv_sec) * 1'000'000'000 + after.tv_nsec);
  CHECK(s >= double(before.tv_sec));
  CHECK(s <= double(after.tv_sec) + 1);
}
