// Threads of members: all run at the same time, the first on the caller's thread, the others on threads that are kept for later calls.
#include <jacquard/parallel/member_threads.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <thread>

#include <unistd.h>

using jacquard::detail::run_at_once;

namespace {

const auto none_refused = [](std::int64_t) { CHECK(false); };
/// The threads on which so many members run.
std::set<std::thread::id> threads_of(std::int64_t members) {
  std::vector<std::thread::id> ids(static_cast<std::size_t>(members));
  run_at_once(members, [&](std::int64_t m) { ids[static_cast<std::size_t>(m)] = std::this_thread::get_id(); }, none_refused);
  return {ids.begin(), ids.end()};
}

}  // namespace

TEST_CASE("run_at_once: all run at the same time, each once") {
  for (const std::int64_t n : {1, 2, 8, 40}) {
    std::atomic<std::int64_t> here{0}, sum{0};
    run_at_once(n, [&](std::int64_t m) {
      ++here;
      while (here < n) usleep(50);  // would wait for ever if they came one after the other
      sum += m;
    }, none_refused);
    CHECK(sum == n * (n - 1) / 2);
  }
}
TEST_CASE("run_at_once: the first member runs on the caller's thread, each other on one of its own") {
  std::thread::id first;
  run_at_once(3, [&](std::int64_t m) {
    if (m == 0) first = std::this_thread::get_id();
  }, none_refused);
  CHECK(first == std::this_thread::get_id());
  CHECK(threads_of(6).size() == 6);
  CHECK(threads_of(6).count(first) == 1);
}
TEST_CASE("run_at_once: threads are kept for later calls") {
  std::set<std::thread::id> all;
  for (int round = 0; round < 50; ++round)
    for (const std::thread::id& t : threads_of(round % 7 + 1)) all.insert(t);
  CHECK(all.size() <= 40);  // as many as the largest call of this file needed
  CHECK(threads_of(40) == threads_of(40));
}
TEST_CASE("run_at_once: returns when all have ended") {
  std::atomic<int> ended{0};
  run_at_once(5, [&](std::int64_t m) {
    usleep(static_cast<unsigned>(m) * 3000);
    ++ended;
  }, none_refused);
  CHECK(ended == 5);
}
TEST_CASE("run_at_once: a member may have members, and several threads have their own") {
  std::atomic<int> sum{0};
  run_at_once(3, [&](std::int64_t) {
    run_at_once(3, [&](std::int64_t m) { sum += int(m); }, [](std::int64_t) {});
  }, none_refused);
  CHECK(sum == 9);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        std::atomic<int> here{0};
        run_at_once(4, [&](std::int64_t) {
          ++here;
          while (here < 4) usleep(50);
        }, [](std::int64_t) {});
        sum += here;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(sum == 9 + 4 * 20 * 4);
}
TEST_CASE("member_work: work that is dropped is refused, so that nobody waits for its member") {
  int ran = 0;
  std::int64_t refused = -1;
  const auto run = [&](std::int64_t) { ++ran; };
  const auto refuse = [&](std::int64_t m) { refused = m; };
  jacquard::detail::member_work<decltype(run), decltype(refuse)> work(run, refuse, 3);
  work.drop();
  CHECK(refused == 3);
  CHECK(ran == 0);
}
