// Asynchronous dispatch: results are pending and can be used at once; errors reach everyone who waits; donation, taps and what they
// promise stay; devices run side by side, each in order.
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/exec/dispatcher.hpp>
#include <jacquard/testing/comparison.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "../show.hpp"

using jq::array;
using jq::detail::atomic;

namespace {

/// Asynchronous as long as it lives.
struct asynchronously {
  asynchronously() { jq::set_dispatch(jq::dispatch::asynchronous); }
  ~asynchronously() {
    jq::wait_for_devices();
    jq::set_dispatch(jq::dispatch::by_default);
  }
};
/// Holds the device until it is opened.
struct gate {
  atomic<bool> open{false};
  array pass(const array& x) {
    return jq::pure_callback([this](const array& v) {
      while (!open.load()) usleep(100);
      return v;
    }, x, x);
  }
};
const array x = jq::asarray({1.f, 2.f, 3.f});
bool is_pending(const array& v) { return v.as_buffer() && v.as_buffer()->state_now() == jq::buffer_state::pending; }
array fail(const array& v) {
  return jq::pure_callback([](const array& u) -> array {
    if (u.size() == 3) throw std::runtime_error("no luck");
    return u;
  }, v, v);
}

}  // namespace

TEST_CASE("dispatch: synchronous on one device, asynchronous on several, and as the program says") {
  const auto f = jq::jit([](const array& v) { return v + 1; });
  CHECK_FALSE(is_pending(f(x)));
  CHECK_FALSE(jq::detail::is_asynchronous().load());
  jq::set_host_device_count(2);
  CHECK(jq::detail::is_asynchronous().load());
  jq::set_dispatch(jq::dispatch::synchronous);
  CHECK_FALSE(jq::detail::is_asynchronous().load());
  jq::set_dispatch(jq::dispatch::by_default);
  CHECK(jq::detail::is_asynchronous().load());
  jq::set_host_device_count(1);
  CHECK_FALSE(jq::detail::is_asynchronous().load());
  setenv("JACQUARD_DISPATCH", "asynchronous", 1);
  jq::set_dispatch(jq::dispatch::by_default);
  CHECK(jq::detail::is_asynchronous().load());
  unsetenv("JACQUARD_DISPATCH");
  jq::set_dispatch(jq::dispatch::by_default);
  CHECK(jq::detail::unusual_now() == 0);
}
TEST_CASE("dispatch: a call returns before its results are there; whatever reads them waits") {
  const asynchronously here;
  gate g;
  const auto f = jq::jit([&](const array& v) { return std::pair{g.pass(v) * 2, jq::sum(g.pass(v))}; });
  const auto [y, s] = f(x);
  CHECK(is_pending(y));
  CHECK(y.shape() == jq::shape{3});
  CHECK_FALSE(y.is_deleted());
  const array later = jq::jit([](const array& v, const array& u) { return v - u; })(y, s);  // of pending operands
  CHECK(is_pending(later));
  g.open.store(true);
  CHECK(s.item<float>() == 6);
  CHECK(show(later) == "f32[3] -4 -2 0");
  CHECK(y.block_until_ready().same_as(y));
  CHECK(show(f(x)) == "f32[3] 2 4 6, f32[] 6");
  CHECK(jq::to_string(f(x).first) == "[2. 4. 6.]");
  CHECK(show(f(x).first + 1) == "f32[3] 3 5 7");           // outside jit
  CHECK(f(x).second.item<float>() == 6);
  const auto pair = f(x);
  CHECK(jq::block_until_ready(pair).first.data<float>()[2] == 6);
  CHECK_FALSE(is_pending(pair.second));
  const auto [c, n] = lax::scan([](array a, array e) { return std::pair{a + e, a}; }, jq::asarray(0.f), f(x).first);
  CHECK(c.item<float>() == 12);
  CHECK(show(jq::grad([&](const array& v) { return jq::sum(v * f(x).first); })(x)) == "f32[3] 2 4 6");
}
TEST_CASE("dispatch: results that are arguments, constants, literals or one another") {
  const asynchronously here;
  const array k = jq::asarray({7.f});
  const auto f = jq::jit([k](const array& v) {
    const array y = jq::sin(v);
    return std::tuple{v, k, jq::asarray(4.f), y, y, jq::reshape(v, {3, 1}), jq::reshape(y, {3, 1})};
  });
  const auto r = f(x);
  CHECK(std::get<0>(r).same_as(x));
  CHECK(show(r) == show(std::tuple{x, k, jq::asarray(4.f), jq::sin(x), jq::sin(x), jq::reshape(x, {3, 1}), jq::reshape(jq::sin(x), {3, 1})}));
  std::vector<float> outside{1, 2, 3};
  array borrowed = jq::jit([](const array& v) { return v * 2; })(outside);
  outside = {9, 9, 9};  // the call has a copy
  CHECK(show(borrowed) == "f32[3] 2 4 6");
  CHECK(show(jq::jit([](const array&) { return jq::zeros({0, 2}); })(x)) == "f32[0,2]");
}
TEST_CASE("dispatch: stages dispatch, too") {
  const asynchronously here;
  gate g;
  const auto f = jq::jit([&](const array& v) { return g.pass(v) + 1; }).lower(x).compile();
  const array y = f(x);
  CHECK(is_pending(y));
  g.open.store(true);
  CHECK(show(y) == "f32[3] 2 3 4");
}
TEST_CASE("dispatch: an error reaches everyone who waits, and all that depends on it") {
  const asynchronously here;
  const auto f = jq::jit([](const array& v) { return std::pair{fail(v), v * 2}; });
  const auto [y, z] = f(x);
  for (int i = 0; i < 3; ++i) CHECK_THROWS_WITH(y.block_until_ready(), doctest::Contains("no luck"));
  CHECK_THROWS_WITH(z.data<float>(), doctest::Contains("no luck"));  // one computation, one fate
  const array next = jq::jit([](const array& v) { return v + 1; })(y);
  CHECK_THROWS_WITH((void)next.block_until_ready(), doctest::Contains("no luck"));
  CHECK_THROWS_WITH((void)(z + 1), doctest::Contains("no luck"));
  CHECK_THROWS_WITH((void)jq::to_string(y), doctest::Contains("no luck"));
  const std::string own = testing::message_of<std::exception>([&] { y.block_until_ready(); });
  std::vector<std::thread> threads;
  atomic<int> same{0};
  for (int t = 0; t < 3; ++t) threads.emplace_back([&] { same.fetch_add(testing::message_of<std::exception>([&] { next.block_until_ready(); }) == own); });
  for (std::thread& t : threads) t.join();
  CHECK(same.load() == 3);
  CHECK(show(jq::jit([](const array& v) { return v + 1; })(x)) == "f32[3] 2 3 4");  // the device goes on
  (void)f(x);  // nobody waits: nothing happens
}
TEST_CASE("dispatch: donation deletes at the call, and works on what is pending") {
  const asynchronously here;
  const auto step = jq::jit([](const array& s) { return s * 0.5 + 1; }, jq::donate_argnums<0>);
  array state = jq::asarray({8.f, 0.f}), first = state;
  const void* const memory = state.as_buffer()->data;
  for (int i = 0; i < 100; ++i) {
    const array before = state;
    state = step(state);
    CHECK(before.is_deleted());
  }
  CHECK_THROWS_AS(first.data<float>(), jq::deleted_error);
  CHECK_THROWS_AS(step(first), jq::deleted_error);
  CHECK(show(state) == "f32[2] 2 2");
  CHECK(state.as_buffer()->data == memory);
  gate g;
  const array y = jq::jit([&](const array& v) { return g.pass(v); })(x);
  const array z = step(y);
  CHECK(y.is_deleted());
  CHECK(is_pending(z));
  g.open.store(true);
  CHECK_THROWS_AS(y.block_until_ready(), jq::deleted_error);
  CHECK(show(z) == "f32[3] 1.5 2 2.5");
  for (const bool failed_before : {false, true}) {
    const array bad = jq::jit(&fail)(x);
    if (failed_before) jq::wait_for_devices();
    const array worse = step(bad);
    CHECK_THROWS_WITH(worse.block_until_ready(), doctest::Contains("no luck"));
  }
  CHECK_THROWS_AS(jq::jit([](const array& a, const array& b) { return a + b; }, jq::donate_argnums<0>)(z, z), jq::value_error);
}
TEST_CASE("dispatch: what a queued call reads is not taken from it") {
  const asynchronously here;
  gate g;
  const array v = jq::asarray({1.f, 2.f, 3.f});
  const array sum = jq::jit([&](const array& u) { return jq::sum(g.pass(u)) + jq::sum(u); })(v);
  std::thread opens([&] { usleep(20000), g.open.store(true); });
  const array w = jq::jit([](const array& u) { return u * 10; }, jq::donate_argnums<0>)(v);
  CHECK(v.is_deleted());
  CHECK(sum.item<float>() == 12);
  CHECK(show(w) == "f32[3] 10 20 30");
  opens.join();
}
TEST_CASE("dispatch: a call that fails before it is queued reads nothing") {
  const asynchronously here;
  const array v = jq::asarray({1.f, 2.f, 3.f}), w = jq::asarray({1.f, 2.f, 3.f});
  const auto f = jq::jit([](const array& a, const array& b) { return a + b; }, jq::donate_argnums<1>);
  w.as_buffer()->taken = true;  // by another thread, just now
  CHECK_THROWS_AS(f(v, w), jq::deleted_error);
  CHECK_FALSE(v.as_buffer()->has_readers());
  CHECK(show(jq::jit([](const array& u) { return u * 10; }, jq::donate_argnums<0>)(v)) == "f32[3] 10 20 30");
}
TEST_CASE("dispatch: taps and ordered callbacks have run when the call returns") {
  const asynchronously here;
  std::vector<float> seen;
  std::thread::id where;
  const auto f = jq::jit([&](const array& v) {
    return jq::id_tap([&](const array& u) { seen.push_back(u.item<float>()), where = std::this_thread::get_id(); }, jq::sum(v));
  });
  const auto twice = jq::jit([](const array& v) { return v * 2; });
  array y = x;
  for (int i = 0; i < 3; ++i) (void)f(y = twice(y));
  CHECK(seen == std::vector<float>{12, 24, 48});
  CHECK(where == std::this_thread::get_id());
}
TEST_CASE("dispatch: calls within a computation run at once; waiting for oneself is an error") {
  const asynchronously here;
  const auto inner = jq::jit([](const array& v) { return v * 3; });
  const auto f = jq::jit([&](const array& v) { return jq::pure_callback([&](const array& u) { return inner(u) + 1; }, v, v); });
  CHECK(show(f(x)) == "f32[3] 4 7 10");
  gate g;
  const array* later = nullptr;
  const array y = jq::jit([&](const array& v) {
    return jq::pure_callback([&](const array& u) {
      while (!g.open.load()) usleep(100);
      return u + *later;
    }, v, v);
  })(x);
  const array z = jq::jit([](const array& v) { return v + 1; })(x);
  later = &z;
  g.open.store(true);
  CHECK_THROWS_WITH(y.block_until_ready(), doctest::Contains("waits for a result that the same device computes after it"));
  CHECK(show(z) == "f32[3] 2 3 4");
}
TEST_CASE("dispatch: two devices that wait for one another are told so") {
  jq::set_host_device_count(2);
  gate g;
  const array* of_other[2] = {};
  const auto wait_for = [&](int k) {
    return jq::jit([&, k](const array& v) {
      return jq::pure_callback([&, k](const array& u) {
        while (!g.open.load()) usleep(100);
        return u + *of_other[k];
      }, v, v);
    }, jq::device("cpu", k));
  };
  const array y[2] = {wait_for(0)(x), wait_for(1)(x)};
  of_other[0] = &y[1];
  of_other[1] = &y[0];
  g.open.store(true);
  CHECK_THROWS_WITH(y[0].block_until_ready(), doctest::Contains("waits for a result that the same device computes after it"));
  CHECK_THROWS_WITH(y[1].block_until_ready(), doctest::Contains("waits for a result that the same device computes after it"));
  jq::wait_for_devices();
  jq::set_host_device_count(1);
}
TEST_CASE("dispatch: devices run side by side, each in order") {
  jq::set_host_device_count(3);
  atomic<int> together{0}, most{0};
  const auto meet = [&](const array& v) {
    return jq::pure_callback([&](const array& u) {
      const int now = together.fetch_add(1) + 1;
      for (int i = 0; i < 20000 && most.load() < 3; ++i) {
        if (now > most.load() || together.load() > most.load()) most.store(together.load());
        usleep(100);
      }
      return u;
    }, v, v) + 1;
  };
  std::vector<array> results;
  for (const jq::device& d : jq::devices()) results.push_back(jq::jit(meet, d)(x));
  for (const array& r : results) CHECK(show(r) == "f32[3] 2 3 4");
  CHECK(most.load() == 3);
  array y = x;  // from device to device
  for (int i = 0; i < 30; ++i) y = jq::jit([](const array& v) { return v + 1; }, jq::devices()[std::size_t(i % 3)])(y);
  CHECK(show(y) == "f32[3] 31 32 33");
  jq::wait_for_devices();
  jq::set_host_device_count(1);
}
TEST_CASE("dispatch: many threads call, wait and drop results; memory comes back") {
  const std::int64_t before = jq::host_memory().live;
  {
    jq::set_host_device_count(2);
    const auto f = jq::jit([](const array& v) { return jq::cumsum(v) * 0.5; }, jq::devices()[0]);
    const auto h = jq::jit([](const array& v) { return v + 1; }, jq::devices()[1]);
    std::vector<std::thread> threads;
    atomic<int> right{0};
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          const array y = h(f(jq::asarray({2.f, 2.f})));
          (void)f(y);
          right.fetch_add(y.data<float>()[1] == 3);
        }
      });
    for (std::thread& t : threads) t.join();
    CHECK(right.load() == 800);
    array y = jq::asarray({2.f, 2.f});
    for (int i = 0; i < 3000; ++i) y = h(y);  // more than may wait
    CHECK(y.data<float>()[0] == 3002);
    jq::wait_for_devices();
    jq::set_host_device_count(1);
  }
  CHECK(jq::host_memory().live == before);
}
TEST_CASE("dispatch: the memory of a result goes back to the device that made it") {
  const asynchronously here;
  const auto f = jq::jit([](const array& v) { return v + 1; });
  const void* first = nullptr;
  {
    const array y = f(x);
    first = y.data<float>().data();
  }
  jq::wait_for_devices();
  const array y = f(x);
  if (jq::detail::this_block_cache()) CHECK(y.data<float>().data() == first);
  else CHECK(show(y) == "f32[3] 2 3 4");
}
TEST_CASE("dispatch: debugging switches see errors at the call") {
  const asynchronously here;
  const auto f = jq::jit([](const array& v) { return jq::log(v); });
  const jq::debug_nans nans;
  CHECK_THROWS_WITH_AS(f(-x), doctest::Contains("invalid value (nan) encountered in log"), jq::value_error);
}
TEST_CASE("dispatch: a fork has nothing pending; at the end of a process nobody waits for ever") {
  const asynchronously here;
  const auto slow = jq::jit([](const array& v) { return jq::pure_callback([](const array& u) { return usleep(5000), u; }, v, v) + 1; });
  array y = x;
  for (int i = 0; i < 5; ++i) y = slow(y);
  const pid_t child = fork();
  if (child == 0) {
    const bool right = show(slow(y)) == "f32[3] 7 8 9";
    static array unread = x;
    std::atexit([] {  // after the queues have ended
      const std::string m = testing::message_of([] { unread.block_until_ready(); });
      _exit(m.find("the process ended before") != std::string::npos ? 7 : 8);
    });
    jq::detail::work_queue::join_before_exit();
    for (int i = 0; i < 50; ++i) unread = slow(unread);
    if (right) std::exit(0);
    _exit(9);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(show(y) == "f32[3] 6 7 8");
}
