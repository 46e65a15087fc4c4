// Queues of work: order, waiting, several threads that add; processes that fork while work waits or exit before it has run.
#include <jacquard/backends/work_queue.hpp>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace jq = jacquard;
using jq::detail::work_queue;

namespace {

template <class F>
struct piece final : jq::detail::queued_work {
  explicit piece(F own) : f(own) {}
  void run() override { f(); }
  F f;
};
template <class F>
bool add(work_queue& q, F f) {
  return q.add(jq::make_ref<piece<F>>(f));
}
/// Under ThreadSanitizer the child of a process that had threads cannot start any.
#if defined(__SANITIZE_THREAD__)
constexpr int pieces_of_child = 0;
#else
constexpr int pieces_of_child = 100;
#endif

work_queue& queue(work_queue::at_fork f) {
  return *new work_queue(f);  // never destroyed
}

}  // namespace

TEST_CASE("work queue: pieces run in order, on a thread of their own") {
  work_queue& q = queue(work_queue::at_fork::finish);
  std::vector<int> seen;
  bool own = false, outside = q.is_own_thread() || work_queue::is_thread_of_any();
  for (int i = 0; i < 1000; ++i) add(q, [&, i] { seen.push_back(i), own = q.is_own_thread() && work_queue::is_thread_of_any(); });
  q.wait();
  REQUIRE(seen.size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(seen[std::size_t(i)] == i);
  CHECK(own);
  CHECK_FALSE(outside);
}
TEST_CASE("work queue: many threads add") {
  work_queue& q = queue(work_queue::at_fork::finish);
  int sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) add(q, [&] { ++sum; });
    });
  for (std::thread& t : threads) t.join();
  q.wait();
  CHECK(sum == 2000);
}
TEST_CASE("work queue: who waits for a piece of work is woken when that has run, not by those before it") {
  work_queue& q = queue(work_queue::at_fork::finish);
  constexpr int pieces = 20;
  int done = 0, asked = 0, any = 0;
  std::vector<jq::ref<jq::detail::queued_work>> all;
  for (int i = 0; i < pieces; ++i) {
    auto f = [&] {
      usleep(1000);
      const jq::detail::scoped_lock lock(q.guard());
      ++done;
    };
    all.push_back(jq::make_ref<piece<decltype(f)>>(f));
  }
  for (const auto& w : all) REQUIRE(q.add(w));
  {
    const jq::detail::scoped_lock lock(q.guard());
    q.wait_until([&] { return ++asked, done == pieces; }, all.back().get());
    CHECK(asked <= 4);  // now, perhaps as the thread began, and when all have run
  }
  add(q, [&] { usleep(20000); });
  {
    const jq::detail::scoped_lock lock(q.guard());
    q.wait_until([&] { return any++ > 0; });  // any piece of work will do
  }
  CHECK(any == 2);
  q.wait();
}
TEST_CASE("work queue: a fork finishes what waits, or leaves it to the parent; the child starts anew") {
  for (const auto kind : {work_queue::at_fork::finish, work_queue::at_fork::leave_to_parent}) {
    work_queue& q = queue(kind);
    int done = 0;
    for (int i = 0; i < 20; ++i) add(q, [&] { usleep(1000), ++done; });
    const pid_t child = fork();
    if (child == 0) {
      const int before = done;
      for (int i = 0; i < pieces_of_child; ++i) add(q, [&] { ++done; });
      q.wait();
      _exit(done == before + pieces_of_child && (before == 20 || kind == work_queue::at_fork::leave_to_parent));
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 1);
    q.wait();
    CHECK(done == 20);
  }
}
TEST_CASE("work queue: a fork waits for work that makes a queue, or takes a mutex that is held at forks") {
  if (pieces_of_child == 0) return;
  static jq::detail::recursive_mutex& m = *new jq::detail::recursive_mutex;
  jq::detail::forks::hold(m);
  const pid_t forker = fork();  // what may wait for ever
  if (forker == 0) {
    alarm(30);
    bool made = false;
    add(queue(work_queue::at_fork::finish), [&] {
      usleep(20000);
      work_queue& another = queue(work_queue::at_fork::leave_to_parent);
      const jq::detail::scoped_lock lock(m);
      add(another, [] {});
      made = true;
    });
    const pid_t child = fork();
    if (child == 0) _exit(made);
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WEXITSTATUS(status));
  }
  int status = 0;
  REQUIRE(waitpid(forker, &status, 0) == forker);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 1));
}
TEST_CASE("work queue: at the end of a process what waits is dropped, and nothing can be added") {
  if (pieces_of_child == 0) return;
  const pid_t child = fork();
  if (child == 0) {
    struct slow final : jq::detail::queued_work {
      void run() override { usleep(20000); }
      void drop() override { ++dropped(); }
      static int& dropped() {
        static int n = 0;
        return n;
      }
    };
    work_queue& q = queue(work_queue::at_fork::finish);
    static work_queue* kept = &q;
    (void)slow::dropped();
    std::atexit([] { _exit(slow::dropped() >= 9 && !kept->add(jq::make_ref<slow>()) ? 1 : 0); });  // runs after those registered later
    work_queue::join_before_exit();
    for (int i = 0; i < 10; ++i) q.add(jq::make_ref<slow>());
    std::exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 1);
}
