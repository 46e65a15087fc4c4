// processors: what the environment and the system say about how many threads there may be.
#include <jacquard/backends/processors.hpp>

#include <doctest/doctest.h>

#include <thread>

using namespace jacquard::detail;

TEST_CASE("processors: at least one, at most those of the machine; those the process is bound to") {
  CHECK(usable_processors() >= 1);
  CHECK(usable_processors() <= int(std::thread::hardware_concurrency()));
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(usable_processors() == 1);
  sched_setaffinity(0, sizeof before, &before);
}

TEST_CASE("processors: what a control group grants is rounded up; without a limit it says nothing") {
  const auto file = [](const char* name, const char* text) {
    std::FILE* const f = std::fopen(name, "w");
    std::fputs(text, f);
    std::fclose(f);
    return name;
  };
  const std::string quota = "/tmp/jacquard_quota." + std::to_string(getpid()), period = quota + ".period";
  CHECK(granted(file(quota.c_str(), "150000 100000\n"), nullptr) == 2);
  CHECK(granted(file(quota.c_str(), "50000 100000\n"), nullptr) == 1);
  CHECK(granted(file(quota.c_str(), "max 100000\n"), nullptr) == 0);
  CHECK(granted(file(quota.c_str(), "-1\n"), file(period.c_str(), "100000\n")) == 0);
  CHECK(granted(file(quota.c_str(), "300000\n"), period.c_str()) == 3);
  CHECK(granted(quota.c_str(), "/nonexistent") == 0);
  unlink(quota.c_str());
  unlink(period.c_str());
}

TEST_CASE("processors: JACQUARD_THREADS") {
  setenv("JACQUARD_THREADS", "5", 1);
  CHECK(first_thread_count() == 5);
  for (const char* bad : {"", "0", "-2", "2x", "many", "1000000", "99999999999999999999"}) {
    setenv("JACQUARD_THREADS", bad, 1);
    CHECK_THROWS_WITH_AS(first_thread_count(), doctest::Contains("JACQUARD_THREADS: got '"), jacquard::value_error);
  }
  unsetenv("JACQUARD_THREADS");
  CHECK(first_thread_count() == usable_processors());
}
