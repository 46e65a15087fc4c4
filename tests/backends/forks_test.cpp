// What a fork does about mutexes: it waits for who holds them, in whatever order, and the child gets them free.
#include <jacquard/backends/forks.hpp>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <utility>

namespace jq = jacquard;
using jq::detail::forks;

TEST_CASE("forks: a fork waits for who holds a mutex that is held at forks, and the child may take it") {
  static jq::detail::recursive_mutex& m = *new jq::detail::recursive_mutex;
  forks::hold(m);
  int step = 0;
  std::thread holder([&] {
    const jq::detail::scoped_lock lock(m);
    __atomic_store_n(&step, 1, __ATOMIC_RELEASE);
    usleep(50000);
    __atomic_store_n(&step, 2, __ATOMIC_RELEASE);
  });
  while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) == 0) usleep(100);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    for (int i = 0; i < 2; ++i) m.lock();
    for (int i = 0; i < 2; ++i) m.unlock();
    m.lock();
    _exit(step);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 2);
  holder.join();
  const jq::detail::scoped_lock lock(m);
}
TEST_CASE("forks: threads take mutexes that are held at forks in any order, one within another") {
  static jq::detail::recursive_mutex& a = *new jq::detail::recursive_mutex;
  static jq::detail::recursive_mutex& b = *new jq::detail::recursive_mutex;
  forks::hold(a);
  forks::hold(b);
  for (const auto& [outer, inner] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const pid_t forker = fork();  // what may wait for ever
    if (forker == 0) {
      alarm(30);
      int step = 0;
      std::thread holder([&, &outer = outer, &inner = inner] {
        const jq::detail::scoped_lock lock(*outer);
        __atomic_store_n(&step, 1, __ATOMIC_RELEASE);
        usleep(50000);  // the fork holds the inner one meanwhile, if it holds any
        const jq::detail::scoped_lock another(*inner);
        __atomic_store_n(&step, 2, __ATOMIC_RELEASE);
      });
      while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) == 0) usleep(100);
      const pid_t child = fork();
      if (child == 0) {
        a.lock();
        b.lock();
        _exit(step);
      }
      int status = 0;
      waitpid(child, &status, 0);
      holder.join();
      _exit(WEXITSTATUS(status));
    }
    int status = 0;
    REQUIRE(waitpid(forker, &status, 0) == forker);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2));
  }
}
