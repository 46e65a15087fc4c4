// Receivers: both deliveries, explicit receivers, strict mode, time-outs, back pressure, several devices, exceptions.
#include "../captured_output.hpp"
#include "tap_log.hpp"

#include <jacquard/testing/mock_device.hpp>
#include <jacquard/testing/mock_sink.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

using jq::array;
using namespace std::chrono_literals;
using testing::message_of;

namespace {

/// Taps by outfeed while it lives.
struct by_outfeed {
  by_outfeed() { jq::set_tap_delivery(jq::tap_delivery::outfeed); }
  ~by_outfeed() { jq::reset_tap_delivery(); }
};
/// Taps want an explicit receiver while it lives.
struct strictly {
  strictly() { jq::set_strict_taps(true); }
  ~strictly() { jq::set_strict_taps(false); }
};
const array two = jq::asarray({1.f, 2.f});

}  // namespace

TEST_CASE("receivers: an outfeed starts by itself; its taps run on another thread, in order") {
  const by_outfeed mode;
  std::vector<int> seen;
  std::thread::id where;
  const auto f = jq::jit([&](const array& x) {
    return jq::id_tap([&](const array& v) {
      seen.push_back(v.item<int>());
      where = std::this_thread::get_id();
    }, x) + 1;
  });
  for (int i = 0; i < 1000; ++i) f(jq::asarray(i));
  jq::barrier_wait();
  REQUIRE(seen.size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(seen[std::size_t(i)] == i);
  CHECK(where != std::this_thread::get_id());
}
TEST_CASE("receivers: an outfeed delivers every dtype, empty arrays, trees, no leaves at all, and transforms") {
  const by_outfeed mode;
  testing::tap_log log;
  for (int t = 0; t < jq::dtype_count; ++t) jq::id_tap(log(), jq::ones({2}, jq::dtype(t)));
  jq::id_tap(log(), std::pair{jq::zeros({0, 3}), 5});
  jq::id_tap(log(), std::tuple<>{});
  jq::vmap(jq::grad([&](const array& x) { return jq::id_tap(log(), x * x); }))(two);
  jq::barrier_wait();
  CHECK(log.take() == lines{"bool[2] 1 1", "i8[2] 1 1", "i16[2] 1 1", "i32[2] 1 1", "i64[2] 1 1", "u8[2] 1 1", "u16[2] 1 1", "u32[2] 1 1",
                            "u64[2] 1 1", "f16[2] 1 1", "bf16[2] 1 1", "f32[2] 1 1", "f64[2] 1 1", "c64[2] 1+0i 1+0i",
                            "c128[2] 1+0i 1+0i", "f32[0,3], i32[] 5", "", "batch(0): f32[2] 1 4", "jvp,transpose: f32[] 1"});
}
TEST_CASE("receivers: direct taps see the live buffer, small ones of an outfeed a copy that they may keep") {
  const void* seen = nullptr;
  array kept;
  const auto f = jq::jit([&](const array& x) {
    return jq::id_tap([&](const array& v) {
      seen = v.data<float>().data();
      kept = v;
    }, x);
  });
  f(two);
  CHECK(seen == two.data<float>().data());
  const by_outfeed mode;
  f(two);
  for (int i = 0; i < 100; ++i) jq::id_tap([](const array&) {}, jq::zeros({1000}));
  jq::barrier_wait();
  CHECK(seen != two.data<float>().data());
  CHECK(show(kept) == show(two));
}
TEST_CASE("receivers: an explicit receiver, closed before its values are looked at") {
  testing::tap_log log;
  jq::outfeed_receiver rx{jq::receiver_name("t"), jq::timeout(10s)};
  jq::jit([&](const array& x) { return jq::id_tap(log(), x); })(two);
  rx.close();
  CHECK(log.take() == lines{"f32[2] 1 2"});
  rx.close();
  jq::id_tap(log(), two);  // afterwards as before
  CHECK(log.take() == lines{"f32[2] 1 2"});
}
TEST_CASE("receivers: at most one at once; devices or backends, not both; only those that exist") {
  {
    const jq::outfeed_receiver rx{jq::receiver_name("first")};
    CHECK(message_of<jq::value_error>([] { jq::outfeed_receiver second{}; }).find("At most one outfeed_receiver can be running at once. Close the other one, 'first'") == 0);
  }
  CHECK(message_of<jq::value_error>([] { jq::outfeed_receiver rx{jq::on_devices(jq::devices("cpu")), jq::on_backends({"cpu"})}; })
            .find("At most one of `devices` or `backends` must be given.") != std::string::npos);
  CHECK_THROWS_AS(jq::outfeed_receiver(jq::on_devices({jq::device("cpu", 99)})), jq::value_error);
  CHECK_THROWS_AS(jq::outfeed_receiver(jq::on_backends({"abacus"})), jq::value_error);
  const jq::outfeed_receiver again{jq::on_backends({"cpu"})};
}
TEST_CASE("receivers: strict mode wants a receiver for the device") {
  jq::set_strict_taps(true);
  const auto f = jq::jit([](const array& x) { return jq::id_tap([](const array&) {}, x); });
  CHECK(message_of<jq::value_error>([&] { f(two); })
            .find("Attempting to execute compiled code using outfeed, but outfeed_receiver is not started for cpu:0") == 0);
  CHECK_THROWS_AS(jq::id_tap([](const array&) {}, two), jq::value_error);
  {
    const jq::outfeed_receiver rx{jq::on_devices({jq::testing::mock_device(0)})};
    CHECK_THROWS_AS(f(two), jq::value_error);
  }
  {
    const jq::outfeed_receiver rx{};
    CHECK(show(f(two)) == show(two));
  }
  jq::set_strict_taps(false);
  CHECK(show(f(two)) == show(two));
}
TEST_CASE("receivers: strict mode, in loops and transforms, of prints and debug callbacks; programs without taps run") {
  const auto tapped = [](const array& x) { return jq::id_print(x, jq::result(x * 2.f)); };
  const auto refused = [](auto&& f) {
    return message_of<jq::value_error>(f).find("Attempting to execute compiled code using outfeed, but outfeed_receiver is not started") == 0;
  };
  {
    const strictly mode;
    CHECK(refused([&] { jq::vmap(tapped)(two); }));
    CHECK(refused([&] { jq::grad([&](const array& x) { return jq::sum(tapped(x)); })(two); }));
    CHECK(refused([&] { lax::fori_loop(0, 2, [&](const array&, const array& x) { return tapped(x); }, two); }));
    CHECK(refused([&] { lax::scan([&](const array& c, const array& x) { return std::pair{c, tapped(x)}; }, array(0.0), two); }));
    CHECK(refused([&] { jq::debug::print("{}", two); }));
    CHECK(show(jq::jit([](const array& x) { return x * 2.f; })(two)) == "f32[2] 2 4");
    const auto same = [](const array& x) { return x; };  // functions with results are no taps
    CHECK(show(jq::pure_callback(same, two, two)) == show(two));
    CHECK(show(jq::jit([&](const array& x) { return jq::io_callback(same, x, x, jq::in_order()); })(two)) == show(two));
    CHECK(refused([&] { jq::id_tap([](const array&) {}, two); }));  // and leave the mode as it is
  }
  captured_output out(1);
  tapped(two);
  jq::barrier_wait();
  CHECK(out.text() == "[1. 2.]\n");
}
TEST_CASE("receivers: exceptions are reported by close, with the first one nested; later taps run") {
  captured_output captured(2);
  int later = 0;
  jq::outfeed_receiver rx{};
  const auto f = jq::jit([&](const array& x) {
    const array a = jq::id_tap([](const array&) { throw std::out_of_range("first trouble"); }, x);
    const array b = jq::id_tap([](const array&) { throw 7; }, a);
    return jq::id_tap([&](const array&) { ++later; }, b) + 1.f;
  });
  CHECK(show(f(two)) == "f32[2] 2 3");
  std::string message;
  bool nested = false;
  try {
    rx.close();
  } catch (const jq::tap_error& e) {
    message = e.what();
    try {
      std::rethrow_if_nested(e);
    } catch (const std::out_of_range&) {
      nested = true;
    }
  }
  CHECK(message == "There were exceptions during callback processing: 2 tap(s) threw, the first one was: first trouble");
  CHECK(nested);
  CHECK(later == 1);
  CHECK_NOTHROW(jq::barrier_wait());
  CHECK(captured.text().find("postponing exception raised in tap function: first trouble") != std::string::npos);
}
TEST_CASE("receivers: the destructor reports to stderr and does not throw") {
  captured_output captured(2);
  {
    const jq::outfeed_receiver rx{};
    jq::id_tap([](const array&) { throw std::runtime_error("late trouble"); }, two);
  }
  CHECK(captured.text().find("1 tap(s) threw, the first one was: late trouble") != std::string::npos);
}
TEST_CASE("receivers: time-outs of barrier and close say what is missing") {
  std::atomic<bool> go = false;
  const auto block = [&](const array&) {
    while (!go) std::this_thread::sleep_for(1ms);
  };
  {
    const by_outfeed mode;
    jq::id_tap(block, two);
    CHECK(message_of<jq::tap_error>([] { jq::barrier_wait(jq::timeout(20ms)); })
              .find("barrier_wait: timed out after 0.02 s waiting for 1 tap(s) of cpu:0") == 0);
    go = true;
    CHECK_NOTHROW(jq::barrier_wait(jq::timeout(10s)));
  }
  go = false;
  std::atomic<int> rest = 0;
  jq::outfeed_receiver rx{jq::receiver_name("slow"), jq::timeout(20ms)};
  jq::id_tap(block, two);
  for (int i = 0; i < 5; ++i) jq::id_tap([&](const array&) { ++rest; }, two);
  CHECK(message_of<jq::tap_error>([&] { rx.close(); }).find("outfeed_receiver 'slow': timed out after 0.02 s waiting for 6 tap(s) of cpu:0") == 0);
  go = true;  // what was on its way still arrives
  for (int i = 0; i < 5000 && rest < 5; ++i) std::this_thread::sleep_for(1ms);
  CHECK(rest == 5);
}
TEST_CASE("receivers: a full ring holds the program back and loses nothing") {
  jq::testing::mock_sink sink;
  sink.hold();
  jq::outfeed_receiver rx{jq::outfeed_capacity(8192), sink};
  int seen = 0;
  std::atomic<int> sent = 0;
  std::thread program([&] {
    for (int i = 0; i < 200; ++i, ++sent) jq::id_tap([&seen, i](const array& v) { seen += v.item<int>() == i; }, jq::asarray(i));
  });
  std::this_thread::sleep_for(50ms);
  CHECK(sent > 0);
  CHECK(sent < 100);
  sink.release();
  program.join();
  rx.close();
  CHECK(seen == 200);
  CHECK(sink.take().size() == 200);
}
TEST_CASE("receivers: taps larger than the ring pass one at a time") {
  jq::outfeed_receiver rx{jq::outfeed_capacity(4096)};
  std::vector<std::int64_t> sizes;
  for (const std::int64_t n : {10, 5000, 1, 100000, 3, 7000})
    jq::id_tap([&](const array& x) {
      sizes.push_back(x.size());
      CHECK(x.data<float>().back() == 1);
    }, jq::ones({n}));
  rx.close();
  CHECK(sizes == std::vector<std::int64_t>{10, 5000, 1, 100000, 3, 7000});
  CHECK_THROWS_AS(jq::outfeed_capacity(100), jq::value_error);
}
TEST_CASE("receivers: large values are shown where they lie, and what a function keeps is a copy") {
  const array x = jq::arange(100000, jq::i32) + 0, shared(jq::share_buffer(*x.as_buffer(), x.aval()));
  const void* seen = nullptr;
  array kept;
  const auto see = [&](const array& v) {
    seen = v.data<int>().data();
    kept = v;
  };
  const by_outfeed mode;
  for (const array& large : {x + 1, x * 2}) {
    jq::jit([&](const array& v) { return jq::id_tap(see, v); })(large);
    jq::barrier_wait();
    CHECK(seen == large.data<int>().data());
    CHECK(kept.data<int>().data() != seen);
    CHECK(kept.data<int>().back() == large.data<int>().back());
    CHECK_FALSE(large.as_buffer()->is_shared());
    CHECK_FALSE(large.as_buffer()->is_watched());
  }
  jq::id_tap(see, shared);  // whose memory is that of another array
  jq::barrier_wait();
  CHECK(seen != shared.data<int>().data());
  CHECK(kept.data<int>().back() == 99999);
}
TEST_CASE("receivers: large values that the program goes on with, donates or drops meanwhile arrive as they were") {
  std::vector<std::pair<int, int>> seen;
  const auto see = [&](const array& v) { seen.emplace_back(v.data<int>().front(), v.data<int>().back()); };
  const auto step = jq::jit([&](const array& x) { return jq::id_tap(see, jq::id_tap(see, x) * 2) + 1; }, jq::donate_argnums<0>);
  const auto steps = jq::jit([&](const array& x) {
    return lax::fori_loop(0, 5, [&](const array&, const array& c) { return jq::id_tap(see, c) + 1; }, x);
  }, jq::donate_argnums<0>);
  jq::testing::mock_sink sink;
  jq::outfeed_receiver rx{sink};
  sink.hold();
  array x = jq::arange(100000, jq::i32);
  std::vector<std::pair<int, int>> wanted;
  int first = 0, last = 99999;
  const auto want = [&] { wanted.emplace_back(first, last); };
  for (int i = 0; i < 5; ++i) {
    const array before = x;
    x = step(before);
    CHECK(before.is_deleted());
    want(), first *= 2, last *= 2, want(), ++first, ++last;
  }
  x = steps(x);
  for (int i = 0; i < 5; ++i) want(), ++first, ++last;
  x = array();
  sink.release();
  rx.close();
  CHECK(seen == wanted);
}
TEST_CASE("receivers: large values by reference hold the program back when they take more memory than the ring has") {
  jq::testing::mock_sink sink;
  sink.hold();
  jq::outfeed_receiver rx{jq::outfeed_capacity(1 << 20), sink};
  int seen = 0;
  std::atomic<int> sent = 0;
  std::thread program([&] {
    for (int i = 0; i < 20; ++i, ++sent) jq::id_tap([&seen, i](const array& v) { seen += v.data<int>().back() == i; }, jq::full({1 << 16}, i, jq::i32));
  });
  std::this_thread::sleep_for(50ms);
  CHECK(sent <= 5);
  sink.release();
  program.join();
  rx.close();
  CHECK(seen == 20);
}
TEST_CASE("receivers: more leaves, and more logical shapes, than the ring has room for") {
  jq::outfeed_receiver rx{jq::outfeed_capacity(4096)};
  std::vector<std::size_t> leaves;
  const auto see = [&](const std::vector<array>& all) {
    leaves.push_back(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].item<int>() == int(i));
  };
  for (const int n : {1, 100, 3, 1000, 20}) {
    std::vector<array> all;
    for (int i = 0; i < n; ++i) all.push_back(jq::asarray(i));
    jq::id_tap(see, all);
  }
  std::vector<jq::shape> shapes;
  const auto sum = [&](const array& x, const array& n) {
    const auto tapped = [&](const array& v) {
      return jq::sum(jq::id_tap([&](const array&, const jq::tap_context& c) { shapes = c.transforms[0].logical_shapes; }, v));
    };
    return jq::mask(tapped, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", n}});
  };
  std::vector<int> sizes(500, 1);
  sizes[7] = 0;
  jq::vmap(sum)(jq::ones({500, 2}), jq::asarray(sizes));
  rx.close();
  CHECK(leaves == std::vector<std::size_t>{1, 100, 3, 1000, 20});
  REQUIRE(shapes.size() == 500);
  CHECK(shapes[7] == jq::shape{0});
  CHECK(shapes[499] == jq::shape{1});
}
TEST_CASE("receivers: tapped functions trace, compile, tap and wait without a deadlock, whatever the ring") {
  jq::outfeed_receiver rx{jq::outfeed_capacity(4096)};
  std::vector<std::string> seen;
  const auto inner = jq::jit([&](const array& x) { return jq::id_tap([&](const array& v) { seen.push_back("inner " + show(v)); }, x * x); });
  const auto outer = jq::jit([&](const array& x) {
    return jq::id_tap([&](const array& v) {
      for (int i = 0; i < 50; ++i) inner(v);
      seen.push_back("outer " + show(jq::grad(inner)(v)));
    }, x);
  });
  for (int i = 0; i < 20; ++i) outer(array(1.0));
  rx.close();
  CHECK(seen.size() == 20 * (50 + 2 + 1));
  captured_output captured(2);
  jq::outfeed_receiver again{};
  jq::id_tap([](const array&) { jq::barrier_wait(); }, two);
  CHECK(message_of<jq::tap_error>([&] { again.close(); }).find("barrier_wait: called by a function that a tap calls") != std::string::npos);
}
TEST_CASE("receivers: one ring, thread and order per device") {
  jq::set_host_device_count(4);
  std::vector<int> seen[4];
  std::thread::id thread_of[4];
  {
    jq::outfeed_receiver rx{};
    std::vector<std::thread> programs;
    for (int d = 0; d < 4; ++d)
      programs.emplace_back([&, d] {
        const auto f = jq::jit([&](const array& x) {
          return jq::id_tap([&](const array& v, const jq::tap_context& c) {
            seen[c.device.ordinal].push_back(v.item<int>());
            thread_of[c.device.ordinal] = std::this_thread::get_id();
          }, x);
        }, jq::devices("cpu")[std::size_t(d)]);
        for (int i = 0; i < 500; ++i) f(jq::asarray(i));
      });
    for (std::thread& t : programs) t.join();
    rx.close();
  }
  for (int d = 0; d < 4; ++d) {
    CHECK(seen[d].size() == 500);
    CHECK(std::is_sorted(seen[d].begin(), seen[d].end()));
    for (int e = 0; e < d; ++e) CHECK(thread_of[d] != thread_of[e]);
  }
  jq::set_host_device_count(1);
}
TEST_CASE("receivers: threads that wait for different taps of one device are all woken") {
  const by_outfeed delivery;
  std::atomic<int> opened{0}, late{0};
  const auto gate = [&](int n) {
    jq::id_tap([&opened, n](const array&) {
      while (opened < n) std::this_thread::yield();
    }, two);
  };
  const auto wait = [&] {
    try {
      jq::barrier_wait(jq::timeout(10s));
    } catch (const jq::tap_error&) {
      ++late;
    }
  };
  // Many wait for the first tap and one for the second, which may look before the last of the others goes.
  for (int n = 1; n < 200 && late == 0; n += 2) {
    std::vector<std::thread> threads;
    gate(n);
    for (int t = 0; t < 6; ++t) threads.emplace_back(wait);
    std::this_thread::sleep_for(500us);
    gate(n + 1);
    threads.emplace_back(wait);
    std::this_thread::sleep_for(500us);
    opened = n;
    std::this_thread::sleep_for(500us);
    opened = n + 1;
    for (std::thread& t : threads) t.join();
  }
  opened = 1000;
  CHECK(late.load() == 0);
}
TEST_CASE("receivers: a receiver for some devices leaves the others alone; delivery by device") {
  jq::set_host_device_count(2);
  const auto cpus = jq::devices("cpu");
  const auto thread_of = [](const jq::device& d) {
    std::thread::id id;
    jq::jit([&](const array& x) { return jq::id_tap([&](const array&) { id = std::this_thread::get_id(); }, x); }, d)(two);
    jq::barrier_wait();
    return id;
  };
  {
    const jq::outfeed_receiver rx{jq::on_devices({cpus[1]})};
    CHECK(thread_of(cpus[0]) == std::this_thread::get_id());
    CHECK(thread_of(cpus[1]) != std::this_thread::get_id());
  }
  jq::set_tap_delivery(jq::tap_delivery::outfeed, {cpus[0]});
  CHECK(thread_of(cpus[0]) != std::this_thread::get_id());
  CHECK(thread_of(cpus[1]) == std::this_thread::get_id());
  jq::set_tap_delivery(jq::tap_delivery::direct);
  CHECK(thread_of(cpus[0]) == std::this_thread::get_id());
  jq::reset_tap_delivery();
  jq::set_host_device_count(1);
}
TEST_CASE("receivers: a backend chooses its delivery; a failing device loses no earlier tap") {
  const jq::device d = jq::testing::mock_device(2);
  std::thread::id id;
  int count = 0;
  const auto f = jq::jit([&](const array& x) { return jq::id_tap([&](const array&) { ++count, id = std::this_thread::get_id(); }, x); }, d);
  f(two);
  jq::testing::mock().fail_next_run = true;
  CHECK_THROWS_AS(f(two), jq::value_error);
  f(two);
  jq::barrier_wait();
  CHECK(count == 2);
  CHECK(id != std::this_thread::get_id());
  CHECK(jq::testing::mock().runs == 3);
  CHECK(jq::testing::mock().compiled == 1);
}
TEST_CASE("receivers: sinks see messages with keywords and transforms; their failures are counted, the taps run on") {
  captured_output captured(2);
  jq::testing::mock_sink sink;
  sink.fail_after(3);
  int calls = 0;
  jq::outfeed_receiver rx{sink};
  const auto f = [&](const array& x) { return jq::id_tap([&](const array&) { ++calls; }, x * x, jq::kw("what", "square")); };
  jq::grad(f)(array(3.0));
  jq::vmap(f)(two);
  f(array(5.0));
  CHECK(message_of<jq::tap_error>([&] { rx.close(); }).find("1 tap(s) threw, the first one was: mock_sink: disconnected") != std::string::npos);
  CHECK(calls == 4);
  const auto seen = sink.take();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].kwarg("what") == "square");
  CHECK(show(seen[0].values) == "f64[] 9");
  CHECK(testing::show_transforms(seen[1].context) == "jvp,transpose");
  CHECK(testing::show_transforms(seen[2].context) == "batch(0)");
  CHECK(seen[0].consumer == seen[1].consumer);
}
TEST_CASE("receivers: a receiver that is closed while programs run hands over to what comes after") {
  std::atomic<bool> stop = false;
  std::atomic<int> count = 0, sent = 0;
  std::thread program([&] {
    const auto f = jq::jit([&](const array& x) { return jq::id_tap([&](const array&) { ++count; }, x); });
    while (!stop) f(two), ++sent;
  });
  for (int i = 0; i < 20; ++i) {
    jq::outfeed_receiver rx{};
    std::this_thread::sleep_for(1ms);
    rx.close();
  }
  stop = true;
  program.join();
  jq::barrier_wait();
  CHECK(count == sent);
}
TEST_CASE("receivers: what is closed keeps no memory") {
  const auto mapped = [] {
    long pages = 0;
    std::FILE* const f = std::fopen("/proc/self/statm", "r");
    REQUIRE(f);
    CHECK(std::fscanf(f, "%ld", &pages) == 1);
    std::fclose(f);
    return pages / 256;  // MB
  };
  const auto use_one = [] {
    jq::outfeed_receiver rx;
    jq::id_tap([](const array&) {}, two);
    rx.close();
  };
  use_one();
  const long before = mapped();
  for (int i = 0; i < 20; ++i) use_one();
  CHECK(mapped() - before < 1024);
}
TEST_CASE("outfeed_receiver: a tap that closes it is refused, also while it is being closed") {
  jq::outfeed_receiver receiver;
  jq::id_tap([&](const array&) { receiver.close(); }, jq::asarray(1));
  CHECK(message_of<jq::tap_error>([&] { receiver.close(); }).find("1 tap(s) threw, the first one was: outfeed_receiver: called by") != std::string::npos);
}
