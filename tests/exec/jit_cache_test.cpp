// jit, grad and taps from many threads at once: one trace, the others wait, an error reaches all of them.
#include "../show.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <latch>
#include <thread>

using jq::array;
using namespace std::chrono_literals;

namespace {

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
array filled(float v) { return jq::asarray({v, v, v}); }

array times_five(const array& x) { return lax::mul(x, 5.f); }
array times_six(const array& x) { return lax::mul(x, 6.f); }
// The compiler may run the constructors of these; a program that uses them before main must find them working.
const auto global_function = jq::jit(times_five);
constexpr auto constant_function = jq::jit(times_six);
const auto global_with_option = jq::jit([](const array& x) { return lax::mul(x, 7.f); }, jq::precision::strict);
const auto global_with_capture = jq::jit([n = 8.f](const array& x) { return lax::mul(x, n); });

}  // namespace

TEST_CASE("threads: one of them traces, all get results of their own arguments") {
  std::atomic<int> traces = 0, wrong = 0;
  const auto f = jq::jit([&](const array& x) {
    ++traces;
    std::this_thread::sleep_for(20ms);
    return lax::mul(x, 2.f);
  });
  together(8, [&](int i) {
    for (int round = 0; round < 20; ++round)
      if (f(filled(float(i))).data<float>()[2] != 2.f * float(i)) ++wrong;
  });
  CHECK(traces == 1);
  CHECK(wrong == 0);
  CHECK(f.cache_size() == 1);
}
TEST_CASE("threads: an error of the trace reaches all that wait for it") {
  std::atomic<int> traces = 0, errors = 0;
  const auto f = jq::jit([&](const array& x) -> array {
    ++traces;
    std::this_thread::sleep_for(100ms);
    throw jq::value_error("no luck");
    return x;
  });
  together(6, [&](int) {
    try {
      f(filled(1));
    } catch (const jq::value_error& e) {
      if (std::string(e.what()) == "no luck") ++errors;
    }
  });
  CHECK(errors == 6);
  CHECK(traces <= 6);
  CHECK(f.cache_size() == 0);
}
TEST_CASE("a cache that was cleared is filled again") {
  int traces = 0;
  const auto f = jq::jit([&](const array& x) {
    ++traces;
    return lax::mul(x, 2.f);
  });
  const array kept = f(filled(1));
  f(jq::ones({2}));
  CHECK(f.cache_size() == 2);
  f.clear_cache();
  CHECK(f.cache_size() == 0);
  CHECK(kept.data<float>()[2] == 2);
  CHECK(f(filled(3)).data<float>()[2] == 6);
  CHECK(f(filled(4)).data<float>()[2] == 8);
  CHECK(traces == 3);
  CHECK(f.cache_size() == 1);
}
TEST_CASE("a cache that is cleared while the function is traced keeps that trace") {
  int traces = 0;
  const auto without_captures = [](const array& x) { return lax::mul(x, 5.f); };
  const auto f = jq::jit([&](const array& x) {
    if (++traces == 1) jq::jit(without_captures).clear_cache();
    return jq::jit(without_captures)(x);
  });
  CHECK(f(filled(2)).data<float>()[0] == 10);
  std::function<void()> clear;
  const auto g = jq::jit([&](const array& x) {
    ++traces;
    clear();
    return lax::mul(x, 3.f);
  });
  clear = [&] { g.clear_cache(); };
  CHECK(g(filled(2)).data<float>()[0] == 6);
  CHECK(g(filled(3)).data<float>()[0] == 9);
  CHECK(traces == 2);
}
TEST_CASE("threads: the child of a fork does not wait for a trace of its parent's threads") {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> step = 0;
  const auto f = jq::jit([&](const array& x) {
    if (std::this_thread::get_id() != here) {
      step = 1;
      while (step != 2) std::this_thread::yield();
    }
    return x * 2.0f + 1.0f;
  });
  std::thread tracer([&] { (void)f(filled(1)); });
  while (step != 1) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    const bool right = f(filled(3)).data<float>()[0] == 7 && f(filled(4)).data<float>()[2] == 9 && f.cache_size() == 1;
    _exit(right ? 0 : 1);
  }
  step = 2;
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  tracer.join();
  CHECK(f(filled(5)).data<float>()[1] == 11);
  CHECK(f.cache_size() == 1);
}
TEST_CASE("threads: different signatures are traced at the same time") {
  std::atomic<int> traces = 0, wrong = 0;
  const auto f = jq::jit([&](const array& x) {
    ++traces;
    return lax::reduce_sum(x, {0});
  });
  together(8, [&](int i) {
    for (std::int64_t n = 1; n < 10; ++n)
      if (f(jq::ones({n + i % 2})).item<float>() != float(n + i % 2)) ++wrong;
  });
  CHECK(traces == 10);
  CHECK(wrong == 0);
}
TEST_CASE("threads: grads, vmaps and values on demand do not disturb each other") {
  std::atomic<int> wrong = 0;
  const auto f = [](const array& x) { return bool(x > 1.0) ? x * x * x : -x; };
  const auto shared = jq::jit(jq::vmap(jq::grad([](const array& x) { return lax::sin(x); })));
  together(6, [&](int i) {
    for (int round = 0; round < 30; ++round) {
      if (double(jq::grad(f)(array(2.0 + i))) != 3 * (2.0 + i) * (2.0 + i)) ++wrong;
      if (double(jq::grad(jq::grad(f))(array(0.5))) != 0) ++wrong;
      if (std::abs(shared(filled(float(i))).data<float>()[0] - std::cos(float(i))) > 1e-6f) ++wrong;
    }
  });
  CHECK(wrong == 0);
}
TEST_CASE("threads: arrays, closures and pullbacks are shared freely") {
  const array w = jq::asarray({1.0, 2.0, 3.0});
  const auto [y, back] = jq::vjp([&](const array& x) { return total(lax::mul(x, w)); }, jq::asarray({1.0, 1.0, 1.0}));
  std::atomic<int> wrong = 0;
  together(6, [&, pull = back](int i) {
    for (int round = 0; round < 50; ++round) {
      const array copy = w;
      if (std::get<0>(pull(double(i))).data<double>()[2] != 3.0 * i) ++wrong;
      if (lax::add(copy, w).data<double>()[1] != 4) ++wrong;
    }
  });
  CHECK(wrong == 0);
  CHECK(show(w) == "f64[3] 1 2 3");
}
TEST_CASE("threads: taps of many programs, failures counted once each") {
  std::atomic<int> taps = 0;
  const auto f = jq::jit([&](const array& x) {
    return jq::id_tap([&](const array& v) {
      ++taps;
      if (v.data<float>()[0] < 0) throw std::runtime_error("negative");
    }, x);
  });
  together(6, [&](int i) {
    for (int round = 0; round < 20; ++round) f(filled(i == 0 ? -1.f : 1.f));
  });
  CHECK(taps == 120);
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("20 tap(s) threw"), jq::tap_error);
}
TEST_CASE("threads: one donated array goes to one of them") {
  const auto f = jq::jit([](const array& x) { return x + 1.f; }, jq::donate_argnums<0>);
  f(filled(0));
  for (int round = 0; round < 20; ++round) {
    const array x = filled(1);
    std::atomic<int> done = 0, deleted = 0;
    together(4, [&](int) {
      try {
        if (f(x).data<float>()[0] == 2) ++done;
      } catch (const jq::deleted_error&) {
        ++deleted;
      }
    });
    CHECK(done == 1);
    CHECK(deleted == 3);
  }
}
TEST_CASE("threads: tracers stay on the thread of their trace") {
  std::string message;
  const auto f = [&](const array& x) {
    std::thread([&] { message = testing::message_of<jq::unexpected_tracer_error>([&] { lax::sin(x); }); }).join();
    return x;
  };
  jq::make_jaxpr(f)(jq::array(1.0));
  CHECK(message.find("on another thread") != std::string::npos);
}
TEST_CASE("threads: a thread started while another one traces computes eagerly") {
  std::string seen;
  jq::make_jaxpr([&](const array& x) {
    std::thread([&] { seen = show(lax::add(jq::ones({2}), 1.f)); }).join();
    return x;
  })(jq::array(1.0));
  CHECK(seen == "f32[2] 2 2");
}

TEST_CASE("jit: functions with a state at namespace scope have caches of their own, which copies share") {
  CHECK(show(global_function(filled(1))) == "f32[3] 5 5 5");
  CHECK(show(constant_function(filled(1))) == "f32[3] 6 6 6");
  CHECK(show(global_with_option(filled(1))) == "f32[3] 7 7 7");
  CHECK(show(global_with_capture(filled(1))) == "f32[3] 8 8 8");
  static const auto local = jq::jit(times_six);
  CHECK(show(local(jq::asarray(2.f))) == "f32[] 12");
  const auto copy = global_function;
  CHECK(show(copy(filled(2))) == "f32[3] 10 10 10");
  CHECK(global_function.cache_size() == 1);
  CHECK(copy.cache_size() == 1);
  CHECK(constant_function.cache_size() == 2);  // `local` is the same function
  static const auto watched = jq::jit(times_six, jq::precision::strict);
  std::atomic<int> wrong = 0;
  together(8, [&](int i) {
    if (watched(filled(float(i))).data<float>()[1] != 6.f * float(i)) ++wrong;
  });
  CHECK(wrong == 0);
  CHECK(watched.cache_size() == 1);
}
TEST_CASE("jit: functions without captures share their programs among jits of equal options") {
  static int traces = 0;
  const auto f = [](const array& x) { return ++traces, lax::mul(x, 9.f); };
  for (int i = 0; i < 3; ++i) CHECK(show(jq::jit(f)(filled(1))) == "f32[3] 9 9 9");
  CHECK(traces == 1);
  for (int i = 0; i < 3; ++i) CHECK(show(jq::jit(f, jq::backend("interpreter"))(filled(1))) == "f32[3] 9 9 9");
  CHECK(traces == 2);
  for (int i = 0; i < 3; ++i) CHECK(jq::jit(f, jq::backend("interpreter"), jq::precision::strict)(filled(1)).size() == 3);
  CHECK(traces == 3);
  CHECK(jq::jit(f, jq::backend("interpreter"), jq::precision::fast)(filled(1)).size() == 3);
  CHECK(traces == 4);
  CHECK(jq::jit(f, jq::backend("interpreter")).cache_size() == 1);
  std::atomic<int> wrong = 0;
  together(8, [&](int i) {
    if (jq::jit(f, jq::compile_at::never)(filled(float(i))).data<float>()[2] != 9.f * float(i)) ++wrong;
  });
  CHECK(wrong == 0);
  CHECK(traces == 5);
}
TEST_CASE("jit: a function of a name is one function, those of other names and those with captures are others") {
  static int traces = 0;
  using function = array (*)(const array&);
  const function f = [](const array& x) { return ++traces, lax::mul(x, 2.f); }, g = [](const array& x) { return ++traces, lax::mul(x, 3.f); };
  for (int i = 0; i < 3; ++i) CHECK(show(jq::jit(f)(filled(1))) == "f32[3] 2 2 2");
  for (int i = 0; i < 3; ++i) CHECK(show(jq::jit(g)(filled(1))) == "f32[3] 3 3 3");
  CHECK(traces == 2);
  for (int i = 0; i < 3; ++i) CHECK(show(jq::jit([i](const array& x) { return ++traces, lax::mul(x, float(i)); }, jq::backend("cpu"))(filled(1))).size() > 6);
  CHECK(traces == 5);
}
TEST_CASE("a jitted function that was moved from says so") {
  double factor = 2;
  auto f = jq::jit([factor](const array& x) { return factor * x; });
  auto g = std::move(f);
  CHECK(g(array(3.0)).item<double>() == 6);
  CHECK_THROWS_WITH_AS(f(array(3.0)), doctest::Contains("moved from"), jq::value_error);
  CHECK(f.lower(array(3.0)).jaxpr()->equations.size() == 1);  // makes a program, and keeps none
}
