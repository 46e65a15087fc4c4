// processors: what the environment and the system say about how many threads there may be, and where those that are woken go.
#include <jacquard/backends/mutex.hpp>
#include <jacquard/backends/processors.hpp>

#include <doctest/doctest.h>

#include <thread>

#include "../captured_output.hpp"

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
  for (const char* bad : {"0", "-2", "2x", "many", "1000000", "99999999999999999999"}) {
    setenv("JACQUARD_THREADS", bad, 1);
    captured_output out(STDERR_FILENO);
    CHECK(first_thread_count() == usable_processors());
    CHECK(out.text().find("jacquard: JACQUARD_THREADS: got '" + std::string(bad) + "', wanted a number of threads") == 0);
  }
  setenv("JACQUARD_THREADS", "", 1);
  CHECK(first_thread_count() == usable_processors());
  unsetenv("JACQUARD_THREADS");
  CHECK(first_thread_count() == usable_processors());
}

TEST_CASE("processors: waiting awake ends with what is waited for, or with the time") {
  const std::int64_t start = nanoseconds_now();
  int asked = 0;
  CHECK(stay_awake(1000000000, [&] { return ++asked == 3; }));
  CHECK(asked == 3);
  CHECK(nanoseconds_now() - start < 1000000000);
  CHECK_FALSE(stay_awake(1000000, [] { return false; }));
  CHECK(nanoseconds_now() - start >= 1000000);
}

TEST_CASE("processors: a worker that is woken is sent elsewhere, and may run anywhere once it works") {
  if (usable_processors() < 2 || usable_processors() > few_processors) return;
  CHECK(worker::leave_one_free());
  worker w;
  int step = 0, first = -1, after = 0;
  mutex m;
  const auto reach = [&](int n) {
    const scoped_lock lock(m);
    step = n;
  };
  const auto wait_for = [&](int n) {
    while (true) {
      usleep(100);
      const scoped_lock lock(m);
      if (step >= n) return;
    }
  };
  const auto allowed = [] {
    cpu_set_t all;
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof all, &all);
    return CPU_COUNT(&all);
  };
  const int before = allowed();
  std::thread thread([&] {
    w.begin();
    reach(1);
    wait_for(2);
    first = sched_getcpu();
    CHECK(allowed() == 1);
    w.work();
    after = allowed();
    reach(3);
    wait_for(4);
    w.rest();
  });
  wait_for(1);
  cpu_set_t mine, all;
  CPU_ZERO(&mine);
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  const int here = sched_getcpu();
  CPU_SET(unsigned(here), &mine);
  REQUIRE(sched_setaffinity(0, sizeof mine, &mine) == 0);
  w.leave_processor_of_caller();
  sched_setaffinity(0, sizeof all, &all);
  CHECK_FALSE(worker::leave_one_free(usable_processors() - 1));  // it counts before it runs
  reach(2);
  wait_for(3);
  CHECK(first != here);
  CHECK(after == before);
  reach(4);
  thread.join();
  CHECK(worker::leave_one_free());
}
