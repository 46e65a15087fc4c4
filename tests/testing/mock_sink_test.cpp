// The recording sink: what it keeps, and the consumers that it plays.
#include "../captured_output.hpp"
#include "../show.hpp"

#include <jacquard/testing/mock_sink.hpp>

#include <chrono>
#include <thread>

using jq::array;
using jq::testing::mock_sink;
using namespace std::chrono_literals;

namespace {
const auto see = [](const auto&) {};
array number(int n) { return jq::asarray({n}); }
}  // namespace

TEST_CASE("mock_sink: keeps copies of values with their context") {
  mock_sink sink;
  jq::outfeed_receiver rx{sink};
  jq::vmap([](const array& x) { return jq::id_tap(see, std::pair{x, 7}, jq::kw("what", "pair"), jq::kw("step", 2)).first; })(jq::asarray({1.f, 2.f}));
  rx.close();
  const auto all = sink.take();
  REQUIRE(all.size() == 1);
  CHECK(show(all[0].values) == "f32[2] 1 2, i32[] 7");
  CHECK(all[0].kwarg("what") == "pair");
  CHECK(all[0].kwarg("step") == "");  // no text
  CHECK(all[0].kwarg("who") == "");
  REQUIRE(all[0].context.transforms.size() == 1);
  CHECK(all[0].context.transforms[0].name == "batch");
  CHECK(sink.take().empty());
}
TEST_CASE("mock_sink: waiting for messages, in vain too") {
  mock_sink sink;
  jq::outfeed_receiver rx{sink};
  CHECK(!sink.wait_for(1, jq::timeout(5ms)));
  jq::id_tap(see, number(1));
  jq::id_tap(see, number(2));
  CHECK(sink.wait_for(2, jq::timeout(10s)));
  CHECK(sink.take().size() == 2);
}
TEST_CASE("mock_sink: a stuck consumer, until it is released") {
  mock_sink sink;
  sink.hold();
  jq::outfeed_receiver rx{sink};
  jq::id_tap(see, number(1));
  CHECK(!sink.wait_for(1, jq::timeout(20ms)));
  CHECK_THROWS_WITH_AS(jq::barrier_wait(jq::timeout(20ms)), doctest::Contains("timed out after 0.02 s waiting for 1 tap(s) of cpu:0"), jq::tap_error);
  sink.release();
  rx.close();
  CHECK(sink.take().size() == 1);
}
TEST_CASE("mock_sink: a slow consumer behind a small ring gets everything in order") {
  mock_sink sink;
  sink.delay(jq::timeout(1ms));
  jq::outfeed_receiver rx{jq::outfeed_capacity(4096), sink};
  for (int i = 0; i < 100; ++i) jq::id_tap(see, number(i));
  rx.close();
  const auto all = sink.take();
  REQUIRE(all.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(all[std::size_t(i)].values[0].item<int>() == i);
}
TEST_CASE("mock_sink: a consumer that fails after some messages; the taps run") {
  captured_output captured(2);
  mock_sink sink;
  sink.fail_after(2);
  int calls = 0;
  jq::outfeed_receiver rx{sink};
  for (int i = 0; i < 5; ++i) jq::id_tap([&](const array&) { ++calls; }, number(i));
  CHECK_THROWS_WITH_AS(rx.close(), doctest::Contains("3 tap(s) threw, the first one was: mock_sink: disconnected"), jq::tap_error);
  CHECK(calls == 5);
  CHECK(sink.take().size() == 2);
}
TEST_CASE("mock_sink: a receiver that dies: it is given up on, and the program goes on without it") {
  static mock_sink sink;  // the receiver's thread may be about to leave it when this test ends
  sink.hold();
  int later = 0;
  {
    jq::outfeed_receiver rx{jq::receiver_name("dead"), jq::timeout(20ms), sink};
    jq::id_tap(see, number(1));
    CHECK_THROWS_WITH_AS(rx.close(), doctest::Contains("outfeed_receiver 'dead': timed out after 0.02 s"), jq::tap_error);
  }
  jq::id_tap([&](const array&) { ++later; }, number(2));
  CHECK(later == 1);
  sink.release();  // what the dead one holds arrives all the same
  CHECK(sink.wait_for(1, jq::timeout(10s)));
}
