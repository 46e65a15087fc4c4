// Members as threads: they meet, read each other's operands, share results, and none waits for one that has failed or left.
#include <jacquard/parallel/communicator/threads.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../../show.hpp"

#include <stdexcept>
#include <thread>

#include <unistd.h>

using jq::array;
using jq::detail::atomic;
using jq::detail::exchange;
using jq::detail::thread_group;
using jq::detail::thread_member;
using testing::message_of;

namespace {

/// Runs member(m) on a thread for each of them; an error is the group's, as it is where programs run.
template <class F>
void run(thread_group& group, int members, F member) {
  std::vector<std::thread> threads;
  for (int m = 0; m < members; ++m)
    threads.emplace_back([&, m] {
      try {
        member(m);
      } catch (...) {
        group.fail(std::current_exception());
      }
      group.leave(m);
    });
  for (std::thread& t : threads) t.join();
}
/// What a member brings: an i32 array of one element.
struct offer {
  jq::aval type{jq::i32, {1}};
  std::int32_t value, result = 0;
  exchange with;

  offer(int member, int v, std::string_view operation = "sum") : value(v) {
    with.operation = operation;
    with.member = member;
    with.x = {&value, &type};
    with.type = type;
    with.y = array(jq::make_buffer(type));
  }
  offer(const offer&) = delete;
  std::int32_t got() const { return with.y.data<std::int32_t>()[0]; }
};
void add_all(exchange& e) {
  std::int32_t sum = 0;
  for (std::int64_t m = 0; m < e.size(); ++m) sum += *reinterpret_cast<const std::int32_t*>(e.operand(m));
  *reinterpret_cast<std::int32_t*>(e.result()) = sum;
}

}  // namespace

TEST_CASE("thread_group: members read each other's operands, as often as they meet") {
  for (const int n : {1, 2, 5}) {
    thread_group group(n);
    atomic<int> wrong{0};
    run(group, n, [&](int m) {
      for (int round = 0; round < 500; ++round) {
        offer o(m, m + round);  // gone as soon as all have read it
        group.meet(o.with, add_all);
        if (o.got() != n * (n - 1) / 2 + n * round) wrong.fetch_add(1);
        o.value = -1000000;
      }
    });
    group.rethrow_failure();
    CHECK(wrong.load() == 0);
  }
}
TEST_CASE("thread_group: nobody does its part before all have come, or goes on before all have done theirs") {
  static atomic<int> came, done;
  came.store(0), done.store(0);
  thread_group group(3);
  atomic<int> wrong{0};
  run(group, 3, [&](int m) {
    usleep(static_cast<unsigned>(m) * 5000);
    offer o(m, m);
    came.fetch_add(1);
    group.meet(o.with, [](exchange& e) {
      usleep(static_cast<unsigned>(2 - e.member) * 5000);
      *reinterpret_cast<std::int32_t*>(e.result()) = came.load();
      done.fetch_add(1);
    });
    if (o.got() != 3 || done.load() != 3) wrong.fetch_add(1);
  });
  CHECK(wrong.load() == 0);
}
TEST_CASE("thread_group: who waits for a member that has failed is told") {
  for (int round = 0; round < 20; ++round) {
    thread_group group(3);
    atomic<int> told{0};
    run(group, 3, [&](int m) {
      if (m == 1) throw std::runtime_error("no luck");
      offer o(m, m);
      try {
        group.meet(o.with, add_all);
      } catch (const jq::value_error& e) {
        if (std::string(e.what()) == "pmap: another member has failed") told.fetch_add(1);
        throw;
      }
    });
    CHECK(told.load() == 2);
    CHECK_THROWS_WITH_AS(group.rethrow_failure(), "no luck", std::runtime_error);
  }
}
TEST_CASE("thread_group: who waits for a member that has ended is told") {
  for (int round = 0; round < 20; ++round) {
    thread_group group(3);
    run(group, 3, [&](int m) {
      if (m == 2) return;
      offer o(m, m);
      group.meet(o.with, add_all);
    });
    const std::string said = message_of<jq::value_error>([&] { group.rethrow_failure(); });
    CAPTURE(said);
    CHECK((said.find("pmap: member 0 is at sum ") == 0 || said.find("pmap: member 1 is at sum ") == 0));
    CHECK(said.find(", but member 2 has ended; every member takes part in each collective") != said.npos);
  }
}
TEST_CASE("thread_group: members that come to different collectives are told of both") {
  thread_group group(2);
  run(group, 2, [&](int m) {
    offer o(m, m, m == 0 ? "sum" : "largest");
    group.meet(o.with, add_all);
  });
  const std::string said = message_of<jq::value_error>([&] { group.rethrow_failure(); });
  CAPTURE(said);
  CHECK(said.find("pmap: member 0 is at sum ") == 0);
  CHECK(said.find("but member 1 is at largest ") != said.npos);
}
TEST_CASE("thread_group: members that bring arrays of different types are told of both") {
  thread_group group(2);
  run(group, 2, [&](int m) {
    offer o(m, m);
    const jq::aval other(jq::f32, {1});
    if (m == 1) o.with.x.type = &other;
    group.meet(o.with, add_all);
  });
  const std::string said = message_of<jq::value_error>([&] { group.rethrow_failure(); });
  CAPTURE(said);
  CHECK(said.find("member 0 is at sum i32[1], but member 1 is at sum f32[1]") != said.npos);
}
TEST_CASE("thread_group: a part that throws fails for all, whose operands live until then") {
  for (int round = 0; round < 20; ++round) {
    thread_group group(3);
    atomic<int> failed{0};
    run(group, 3, [&](int m) {
      offer o(m, m);
      try {
        group.meet(o.with, [](exchange& e) {
          if (e.member == 1) throw std::runtime_error("part");
          usleep(1000);
          add_all(e);
        });
      } catch (...) {
        failed.fetch_add(1);
        throw;
      }
    });
    CHECK(failed.load() == 3);
    CHECK_THROWS_WITH_AS(group.rethrow_failure(), "part", std::runtime_error);
  }
}
TEST_CASE("thread_group: the first failure counts") {
  thread_group group(1);
  group.rethrow_failure();
  group.fail(std::make_exception_ptr(std::runtime_error("first")));
  group.fail(std::make_exception_ptr(std::runtime_error("second")));
  CHECK_THROWS_WITH(group.rethrow_failure(), "first");
}
TEST_CASE("thread_member: meets in its group, and calls functions of the host in turn") {
  thread_group group(4);
  const jq::axis_binding axis{"i", 4, nullptr};
  atomic<int> inside{0}, most{0}, wrong{0};
  run(group, 4, [&](int m) {
    thread_member self(axis, m, group);
    if (self.index != m || self.axis.size != 4) wrong.fetch_add(1);
    jq::detail::axis_member& member = self;
    for (int round = 0; round < 20; ++round) {
      member.begin_host_call();
      member.begin_host_call();  // a function of the host may call another one
      const int now = inside.fetch_add(1) + 1;
      if (now > most.load()) most.store(now);
      inside.fetch_add(-1);
      member.end_host_call();
      member.end_host_call();
    }
    offer o(m, 1);
    member.meet(o.with, jq::detail::collective_steps{.part = add_all, .holder = nullptr, .reads = nullptr, .writes = nullptr});
    if (o.got() != 4) wrong.fetch_add(1);
  });
  group.rethrow_failure();
  CHECK(wrong.load() == 0);
  CHECK(most.load() == 1);
}
