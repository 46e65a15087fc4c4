// pmap from several threads at once, on arguments that are still computed, on devices that are busy, after a fork, and within other calls.
#include "pmap_testing.hpp"

#include <jacquard/core/atomic.hpp>

#include <latch>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace pmap_testing;
using jq::detail::atomic;

namespace {

const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const auto sum = [](const array& x) { return lax::psum(x, "i"); };

/// Runs f(i) on n threads that start together.
template <class F>
void together(int n, F f) {
  std::latch start(n);
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      f(i);
    });
  for (std::thread& t : threads) t.join();
}
/// Holds what is computed until it is opened.
struct gate {
  atomic<bool> open{false};
  array pass(const array& x) {
    return jq::pure_callback([this](const array& v) {
      while (!open.load()) usleep(100);
      return v;
    }, x, x);
  }
};
bool is_pending(const array& v) { return v.as_buffer() && v.as_buffer()->state_now() == jq::buffer_state::pending; }
/// Under ThreadSanitizer the child of a process that had threads cannot start any.
#if defined(__SANITIZE_THREAD__)
constexpr bool children_have_threads = false;
#else
constexpr bool children_have_threads = true;
#endif

}  // namespace

TEST_CASE("pmap: one of several threads traces, all get the sums of their own arguments") {
  atomic<int> traces{0}, wrong{0};
  const auto f = jq::pmap([&](const array& x) {
    traces.fetch_add(1);
    usleep(20000);
    return lax::psum(x, "i") + x;
  }, over_i);
  together(6, [&](int i) {
    for (int round = 0; round < 20; ++round) {
      const array y = f(four + float(i));
      for (int m = 0; m < 4; ++m)
        if (y.data<float>()[std::size_t(m)] != float(6 + 4 * i + m + i)) wrong.fetch_add(1);
    }
  });
  CHECK(traces.load() == 1);
  CHECK(wrong.load() == 0);
  CHECK(f.cache_size() == 1);
}
TEST_CASE("pmap: an error of the trace reaches all threads that wait for it") {
  atomic<int> errors{0};
  const auto f = jq::pmap([&](const array& x) -> array {
    usleep(50000);
    throw jq::value_error("no luck");
    return x;
  });
  together(4, [&](int) {
    try {
      f(four);
    } catch (const jq::value_error& e) {
      if (std::string(e.what()) == "no luck") errors.fetch_add(1);
    }
  });
  CHECK(errors.load() == 4);
  CHECK(f.cache_size() == 0);
}
TEST_CASE("pmap: different functions, sizes and failures at the same time") {
  atomic<int> wrong{0};
  const auto add = jq::pmap(sum, over_i);
  const auto turn = jq::pmap([](const array& x) { return lax::ppermute(x, "i", {{0, 1}, {1, 0}}); }, over_i);
  const auto fails = jq::pmap([](const array& x) {
    return lax::psum(jq::io_callback([](const array& v) {
      if (v.item<float>() == 1.f) throw std::runtime_error("no luck");
      return v;
    }, x, x), "i");
  }, over_i);
  together(6, [&](int i) {
    for (int round = 0; round < 30; ++round) {
      if (i % 3 == 0) {
        const int n = 1 + (round + i) % 8;
        const array y = add(jq::ones({n, 5}, jq::f32));
        if (y.data<float>()[0] != float(n)) wrong.fetch_add(1);
      } else if (i % 3 == 1) {
        const array y = turn(jq::asarray({float(i), float(round)}));
        if (y.data<float>()[0] != float(round) || y.data<float>()[1] != float(i)) wrong.fetch_add(1);
      } else {
        try {
          fails(four);
          wrong.fetch_add(1);
        } catch (const jq::tap_error&) {
        }
      }
    }
  });
  CHECK(wrong.load() == 0);
}
TEST_CASE("pmap: arguments that are still computed are waited for") {
  gate g;
  const auto slow = jq::jit([&](const array& x) { return g.pass(x) * 2.f; });
  const array pending = slow(four);
  REQUIRE(is_pending(pending));
  std::thread opens([&] {
    usleep(20000);
    g.open.store(true);
  });
  CHECK(show(jq::pmap([](const array& x) { return lax::psum(x, "i") + x; }, over_i)(pending)) == "f32[4] 12 14 16 18");
  opens.join();
  // A whole chain of calls, on devices that members run on, too.
  array x = four;
  const auto step = jq::jit([](const array& v) { return v + 1.f; }, jq::devices("cpu")[2]);
  const auto mean = jq::pmap([](const array& v) { return lax::pmean(v, "i") + v * 0.f; }, over_i);
  for (int k = 0; k < 20; ++k) x = mean(step(x));
  CHECK(show(x) == "f32[4] 21.5 21.5 21.5 21.5");
}
TEST_CASE("pmap: a pending argument that fails, and one that is donated") {
  const auto fails = jq::jit([](const array& x) {
    return jq::pure_callback([](const array& v) -> array {
      if (v.size() == 4) throw std::runtime_error("no luck");
      return v;
    }, x, x);
  });
  CHECK_THROWS_WITH_AS(jq::pmap(sum, over_i)(fails(four)), doctest::Contains("no luck"), jq::tap_error);
  const auto doubled = jq::jit([](const array& x) { return x * 2.f; });
  const auto f = jq::pmap([](const array& x) { return lax::psum(x, "i") + x; }, over_i, jq::donate_argnums<0>);
  for (int round = 0; round < 20; ++round) {
    const array x = doubled(four);
    CHECK(show(f(x)) == "f32[4] 12 14 16 18");
    CHECK(x.is_deleted());
  }
}
TEST_CASE("pmap: a device that is busy delays nobody for ever") {
  gate g;
  const auto slow = jq::jit([&](const array& x) { return g.pass(x); }, jq::devices("cpu")[1]);
  const array later = slow(four);
  std::thread opens([&] {
    usleep(20000);
    g.open.store(true);
  });
  CHECK(show(jq::pmap(sum, over_i)(four)) == "f32[4] 6 6 6 6");
  opens.join();
  CHECK(show(later) == "f32[4] 0 1 2 3");
}
TEST_CASE("pmap: within callbacks of jitted functions, and of members") {
  const auto inner = jq::pmap(sum, over_i);
  const auto outer = jq::jit([&](const array& x) { return jq::io_callback([&](const array& v) { return inner(v); }, x, x) + 1.f; });
  for (int round = 0; round < 10; ++round) CHECK(show(outer(four)) == "f32[4] 7 7 7 7");
  // Members whose functions of the host map in turn, down to the third level.
  const auto third = jq::pmap([](const array& x) { return lax::psum(x, "i"); }, over_i);
  const auto second = jq::pmap([&](const array& x) {
    return lax::psum(jq::io_callback([&](const array& v) { return third(jq::stack({v, v}))[0]; }, x, x), "i");
  }, over_i);
  const auto first = jq::pmap([&](const array& x) {
    return lax::psum(jq::io_callback([&](const array& v) { return second(jq::stack({v, v, v}))[0]; }, x, x), "i");
  }, over_i);
  for (int round = 0; round < 5; ++round) CHECK(show(first(jq::asarray({1.f, 2.f}))) == "f32[2] 18 18");
}
TEST_CASE("pmap: many calls take no more threads than the largest one needs") {
  const auto f = jq::pmap(sum, over_i);
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    const int n = 1 + round % 8;
    const array y = f(jq::ones({n}, jq::f32) * float(round));
    wrong += y.data<float>()[0] != float(n * round);
  }
  CHECK(wrong == 0);
}
TEST_CASE("pmap: the child of a fork has members of its own") {
  if (!children_have_threads) return;
  const auto f = jq::pmap(sum, over_i);
  CHECK(show(f(four)) == "f32[4] 6 6 6 6");
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    const array y = f(four + 1.f);
    _exit(y.data<float>()[3] == 10.f && show(f(four)) == "f32[4] 6 6 6 6" ? 7 : 8);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(show(f(four)) == "f32[4] 6 6 6 6");
}
