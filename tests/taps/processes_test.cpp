// Taps where processes end and multiply: children made by fork have receivers of their own; taps run while a process exits; a tapped
// function that would wait for itself is refused.
#include "../captured_output.hpp"
#include "../show.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

using jq::array;
using jq::detail::atomic;
using testing::message_of;

namespace {

/// What the child of a fork returns, or a negative number of the signal that ended it.
template <class F>
int in_child(F f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    std::exit(f());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
/// Under ThreadSanitizer the child of a process that had threads cannot start any.
#if defined(__SANITIZE_THREAD__)
constexpr bool children_have_threads = false;
#else
constexpr bool children_have_threads = true;
#endif
struct by_outfeed {
  by_outfeed() { jq::set_tap_delivery(jq::tap_delivery::outfeed); }
  ~by_outfeed() { jq::reset_tap_delivery(); }
};
const array two = jq::asarray({1.f, 2.f});

}  // namespace

TEST_CASE("processes: a child made by fork has receivers of its own, and leaves to its parent what was on its way") {
  if (!children_have_threads) return;
  const by_outfeed mode;
  static atomic<int> seen{0};
  static atomic<bool> open{true};
  seen.store(0);
  const auto f = jq::jit([](const array& x) {
    return jq::id_tap([](const array&) {
      while (!open.load()) usleep(100);
      seen.fetch_add(1);
    }, x) + 1.0f;
  });
  f(two);
  jq::barrier_wait();
  open.store(false);
  f(two);  // on its way
  CHECK(in_child([&] {
    open.store(true);
    for (int i = 0; i < 3; ++i) f(two);
    f(jq::ones({3}));
    jq::barrier_wait();
    return seen.load();
  }) == 5);
  CHECK(in_child([] { return 3; }) == 3);  // exits without taps
  open.store(true);
  jq::barrier_wait();
  CHECK(seen.load() == 2);
}
TEST_CASE("processes: a child made by fork goes on with an explicit receiver") {
  if (!children_have_threads) return;
  static atomic<int> seen{0};
  jq::outfeed_receiver receiver;
  const auto f = jq::jit([](const array& x) { return jq::id_tap([](const array&) { seen.fetch_add(1); }, x); });
  f(two);
  CHECK(in_child([&] {
    f(two);
    receiver.close();
    return jq::detail::receivers<>::get().running({}) ? 100 : seen.load();
  }) >= 1);
  receiver.close();
  CHECK(seen.load() == 1);
}
TEST_CASE("processes: what a tapped function of an outfeed cannot change, since it would wait for itself") {
  const by_outfeed mode;
  const auto message = [](auto change) {
    const captured_output quiet(2);
    jq::id_tap([&](const array&) { change(); }, two);
    return message_of<jq::tap_error>([] { jq::barrier_wait(); });
  };
  CHECK(message([] { jq::set_tap_delivery(jq::tap_delivery::direct); }).find("set_tap_delivery: called by a function that a tap calls") != std::string::npos);
  CHECK(message([] { jq::reset_tap_delivery(); }).find("reset_tap_delivery: called by a function that a tap calls") != std::string::npos);
  CHECK(message([] { jq::set_strict_taps(true); }).find("set_strict_taps: called by a function that a tap calls") != std::string::npos);
  CHECK(message([] { jq::outfeed_receiver another; }).find("outfeed_receiver: called by a function that a tap calls") != std::string::npos);
}
TEST_CASE("processes: taps run while a process exits") {
  if (!children_have_threads) return;
  static int seen;
  seen = 0;
  CHECK(in_child([] {
    std::atexit([] { _exit(seen == 2 ? 1 : 2); });  // runs last
    std::atexit([] {
      jq::jit([](const array& x) { return jq::id_tap([](const array&) { ++seen; }, x); })(two);  // after the receivers have ended
      jq::barrier_wait();
    });
    jq::set_tap_delivery(jq::tap_delivery::outfeed);
    jq::id_tap([](const array&) { ++seen; }, two);
    return 3;
  }) == 1);
}
TEST_CASE("processes: a tapped function may exit") {
  if (!children_have_threads) return;
  CHECK(in_child([] {
    alarm(8);  // without a wait for itself
    jq::set_tap_delivery(jq::tap_delivery::outfeed);
    jq::id_tap([](const array&) { std::exit(5); }, two);
    jq::barrier_wait();
    return 3;
  }) == 5);
}
TEST_CASE("processes: threads that compute do not mind that the process exits") {
  if (!children_have_threads) return;
  for (int i = 0; i < 5; ++i)
    CHECK(in_child([] {
      static atomic<int> begun{0};
      for (int t = 0; t < 3; ++t)
        std::thread([] {
          const auto f = jq::jit([](const array& x) { return jq::id_tap([](const array&) {}, jq::sin(x)) * 2.0f; });
          for (std::int64_t n = 1;; n = n % 50 + 1) f(jq::ones({n})), begun.fetch_add(1);
        }).detach();
      while (begun.load() < 50) usleep(100);
      return 3;
    }) == 3);
}
