// thread_pool: every unit once, whoever runs it, with more threads than processors, from several callers, in children and at exit.
#include <jacquard/backends/thread_pool.hpp>

#include <doctest/doctest.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace jacquard::detail;

namespace {

/// Sets the number of threads until the scope ends.
struct with_threads {
  int before = thread_pool::get().threads();
  explicit with_threads(int n) { thread_pool::get().set_threads(n); }
  ~with_threads() { thread_pool::get().set_threads(before); }
};

/// Counts how often each unit runs.
struct counter {
  explicit counter(std::int64_t n) : runs(std::size_t(n), 0) {}
  std::vector<int> runs;
  shared_work work(std::int64_t grain) {
    return {[](void* self, std::int64_t begin, std::int64_t end) {
              for (std::int64_t i = begin; i < end; ++i) ++static_cast<counter*>(self)->runs[std::size_t(i)];
            }, this, std::int64_t(runs.size()), grain};
  }
  bool all_once() const { return std::set<int>(runs.begin(), runs.end()) == std::set<int>{1}; }
};

void sleep_for(long nanoseconds) {
  const timespec t{0, nanoseconds};
  nanosleep(&t, nullptr);
}

double seconds() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
void work_for(double length) {
  for (const double end = seconds() + length; seconds() < end;) {}
}

/// Threads that run units at the same time: the most that were seen.
struct crowd {
  atomic<int> here{0}, most{0};
  shared_work work(std::int64_t units) {
    return {[](void* self, std::int64_t, std::int64_t) {
              crowd& c = *static_cast<crowd*>(self);
              const int n = c.here.fetch_add(1) + 1;
              for (int seen = c.most.load(); seen < n && !c.most.exchange_if(seen, n);) {}
              work_for(1e-4);
              c.here.fetch_sub(1);
            }, this, units, 1};
  }
};

}  // namespace

TEST_CASE("thread_pool: every unit runs once, for any number of threads and length of ranges") {
  for (int n : {1, 2, 3, 8}) {
    const with_threads scope(n);
    CHECK(thread_pool::get().threads() == n);
    for (std::int64_t units : {1, 2, 7, 1000})
      for (std::int64_t grain : {1, 3, 1000})
        for (int round = 0; round < 20; ++round) {
          counter c(units);
          thread_pool::get().run(c.work(grain), n - 1);
          REQUIRE(c.all_once());
        }
  }
}

TEST_CASE("thread_pool: helpers join in, also after they slept, and no more than asked for") {
  const with_threads scope(4);
  for (int helpers : {0, 1, 3, 100, 2}) {
    crowd c;
    const double end = seconds() + 30;
    do {  // on a busy machine they rest now and then
      sleep_for(5000000);  // longer than helpers spin
      thread_pool::get().run(c.work(60), helpers);
    } while (helpers > 0 && c.most.load() < 2 && seconds() < end);
    CHECK(c.most.load() <= 4);
    CHECK((c.most.load() > 1) == (helpers > 0));
  }
}

TEST_CASE("thread_pool: work of a known length is cut into as many ranges for each thread") {
  struct cut {
    atomic<std::int64_t> ranges{0}, longest{0}, units{0};
  };
  const auto take = [](void* self, std::int64_t begin, std::int64_t end) {
    cut& c = *static_cast<cut*>(self);
    c.ranges.fetch_add(1);
    c.units.fetch_add(end - begin);
    for (std::int64_t seen = c.longest.load(); seen < end - begin && !c.longest.exchange_if(seen, end - begin);) {}
  };
  for (int n : {2, 3}) {
    const with_threads scope(n);
    for (const double each : {7.0, 8.0, 13.0}) {
      cut c;
      thread_pool::get().run(take, &c, 3600, each);
      CHECK(c.units.load() == 3600);
      CHECK(c.ranges.load() % n == 0);
      CHECK(c.longest.load() == 3600 / c.ranges.load());
    }
  }
}

TEST_CASE("thread_pool: the caller goes from the first range on, helpers from the last one back") {
  struct order {
    pthread_t caller;
    std::vector<std::int64_t> first{}, last{};
    mutex guard{};
  };
  const with_threads scope(2);
  for (int round = 0; round < 20; ++round) {
    order o{pthread_self()};
    thread_pool::get().run({[](void* self, std::int64_t begin, std::int64_t) {
                              order& all = *static_cast<order*>(self);
                              work_for(1e-4);
                              const scoped_lock lock(all.guard);
                              (pthread_equal(all.caller, pthread_self()) ? all.first : all.last).push_back(begin);
                            }, &o, 20, 1}, 1);
    REQUIRE(o.first.size() + o.last.size() == 20);
    for (std::size_t i = 0; i < o.first.size(); ++i) CHECK(o.first[i] == std::int64_t(i));
    for (std::size_t i = 0; i < o.last.size(); ++i) CHECK(o.last[i] == 19 - std::int64_t(i));
  }
}

#if defined(__linux__)
TEST_CASE("thread_pool: helpers leave the processor of their caller where there is one for each thread") {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  const int processors = usable_processors();
  /// Where a helper may run.
  struct visit {
    pthread_t caller = pthread_self();
    atomic<int> allowed{0};
  };
  /// Whether so many processors are seen to be open to a helper in the end: the first work finds one that has not slept since.
  const auto comes_to = [](int threads, int wanted) {
    const with_threads scope(threads);
    visit v;
    const double end = seconds() + 30;
    do {
      sleep_for(5000000);
      thread_pool::get().run({[](void* self, std::int64_t, std::int64_t) {
        visit& to = *static_cast<visit*>(self);
        work_for(1e-4);
        if (pthread_equal(to.caller, pthread_self())) return;
        cpu_set_t mine;
        if (sched_getaffinity(0, sizeof mine, &mine) == 0) to.allowed.store(CPU_COUNT(&mine));
      }, &v, 60, 1}, threads - 1);
    } while (v.allowed.load() != wanted && seconds() < end);
    return v.allowed.load() == wanted;
  };
  if (processors < 2 || processors > 16 || processors != CPU_COUNT(&allowed)) {
    CHECK(comes_to(2, CPU_COUNT(&allowed)));
    return;
  }
  CHECK(comes_to(2, processors - 1));
  CHECK(comes_to(processors + 1, processors));
  CHECK(comes_to(2, processors - 1));
}
#endif

TEST_CASE("thread_pool: many callers at once share the helpers") {
  const with_threads scope(3);
  std::vector<std::thread> callers;
  atomic<int> wrong{0};
  for (int t = 0; t < 24; ++t)  // more than there are arenas
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        counter c(500);
        thread_pool::get().run(c.work(5), 2);
        if (!c.all_once()) wrong.fetch_add(1);
      }
    });
  for (std::thread& t : callers) t.join();
  CHECK(wrong.load() == 0);
}

TEST_CASE("thread_pool: work within work") {
  const with_threads scope(3);
  std::vector<counter> inner(20, counter(100));
  const shared_work outer{[](void* self, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) thread_pool::get().run((*static_cast<std::vector<counter>*>(self))[std::size_t(i)].work(9), 2);
  }, &inner, 20, 1};
  thread_pool::get().run(outer, 2);
  for (const counter& c : inner) CHECK(c.all_once());
}

TEST_CASE("thread_pool: helpers round as their caller does") {
  const with_threads scope(3);
  struct rounded {
    pthread_t caller = pthread_self();
    atomic<int> up{0}, by_helpers{0};
  } r;
  int units = 0;
  std::fesetround(FE_UPWARD);
  for (const double end = seconds() + 30; r.by_helpers.load() == 0 && seconds() < end; sleep_for(1000000), units += 50)
    thread_pool::get().run({[](void* self, std::int64_t, std::int64_t) {
      rounded& all = *static_cast<rounded*>(self);
      volatile double one = 1, tiny = 1e-30;
      work_for(1e-4);
      if (one + tiny > 1) all.up.fetch_add(1);
      if (!pthread_equal(pthread_self(), all.caller)) all.by_helpers.fetch_add(1);
    }, &r, 50, 1}, 2);
  std::fesetround(FE_TONEAREST);
  CHECK(r.by_helpers.load() > 0);
  CHECK(r.up.load() == units);
}

TEST_CASE("thread_pool: numbers of threads that there cannot be") {
  CHECK_THROWS_WITH_AS(thread_pool::get().set_threads(0), doctest::Contains("set_threads: got 0, wanted a number of threads from 1 to 256"), jacquard::value_error);
  CHECK_THROWS_AS(thread_pool::get().set_threads(257), jacquard::value_error);
}

namespace {
/// The exit status of a child that calls f, or -1.
template <class F>
int status_of_child(F f) {
  const pid_t child = fork();
  if (child == 0) f();
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
/// Runs a test case of this file that is left out otherwise, in a new process.
int status_of_case(const char* name) {
  const std::string which = std::string("--test-case=") + name;
  return status_of_child([&] {
    execl("/proc/self/exe", "test", "--no-skip", which.c_str(), static_cast<char*>(nullptr));
    std::_Exit(99);
  });
}
}  // namespace

TEST_CASE("thread_pool: a child has no helpers and needs none") {
  const with_threads scope(3);
  counter warm(100);
  thread_pool::get().run(warm.work(1), 2);
  CHECK(status_of_child([] {
    counter c(1000);
    thread_pool::get().run(c.work(1), 2);
    std::_Exit(c.all_once() ? 0 : 1);
  }) == 0);
  CHECK(status_of_child([] { std::exit(0); }) == 0);
}

TEST_CASE("thread_pool exits: asleep" * doctest::skip()) {
  thread_pool::get().set_threads(4);
  crowd c;
  thread_pool::get().run(c.work(60), 3);
  sleep_for(50000000);
  std::exit(7);
}
TEST_CASE("thread_pool exits: awake" * doctest::skip()) {
  thread_pool::get().set_threads(4);
  crowd c;
  thread_pool::get().run(c.work(60), 3);
  std::exit(7);
}
TEST_CASE("thread_pool exits: at work" * doctest::skip()) {
  thread_pool::get().set_threads(4);
  static crowd c;
  std::thread([] {
    while (true) thread_pool::get().run(c.work(60), 3);
  }).detach();
  sleep_for(20000000);
  std::exit(7);
}
TEST_CASE("thread_pool: a process ends while helpers are asleep, awake or at work") {
  for (const char* when : {"asleep", "awake", "at work"}) CHECK(status_of_case((std::string("thread_pool exits: ") + when).c_str()) == 7);
}
