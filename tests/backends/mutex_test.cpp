// mutex, recursive_mutex, scoped_lock: one thread at a time, released at the end of the scope or before.
#include <jacquard/backends/mutex.hpp>

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace jacquard::detail;

TEST_CASE("mutex: counts of several threads are not lost") {
  mutex m;
  long count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i) {
        const scoped_lock lock(m);
        ++count;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(count == 40000);
}
TEST_CASE("scoped_lock: unlock() lets others in before the scope ends") {
  mutex m;
  scoped_lock lock(m);
  lock.unlock();
  bool entered = false;
  std::thread([&] {
    const scoped_lock other(m);
    entered = true;
  }).join();
  CHECK(entered);
}
TEST_CASE("recursive_mutex: its holder may take it again, others wait for both ends") {
  recursive_mutex m;
  int order = 0;
  std::thread other;
  {
    const scoped_lock outer(m);
    {
      const scoped_lock inner(m);
    }
    other = std::thread([&] {
      const scoped_lock lock(m);
      CHECK(order == 1);
    });
    order = 1;
  }
  other.join();
}
