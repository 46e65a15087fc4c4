// The mock device: counts, failures on command, delivery of taps, streams.
#include "../show.hpp"

#include <jacquard/testing/mock_device.hpp>

#include <thread>

using jq::array;
using jq::testing::mock;
using jq::testing::mock_device;

namespace {
const array two = jq::asarray({1.f, 2.f});
}  // namespace

TEST_CASE("mock_device: computes, and counts compilations and runs") {
  const int compiled = mock().compiled, runs = mock().runs;
  const auto f = jq::jit([](const array& x) { return x * 2.f; }, mock_device(1));
  CHECK(show(f(two)) == "f32[2] 2 4");
  CHECK(show(f(two)) == "f32[2] 2 4");
  CHECK(mock().compiled == compiled + 1);
  CHECK(mock().runs == runs + 2);
}
TEST_CASE("mock_device: as many devices as asked for") {
  mock_device();
  CHECK(jq::devices("mock").size() == 4);
  mock().device_count = 2;
  CHECK(jq::devices("mock").size() == 2);
  CHECK_THROWS_AS(jq::jit([](const array& x) { return x; }, mock_device(3))(two), jq::value_error);
  mock().device_count = 4;
}
TEST_CASE("mock_device: a run that is told to fail does, once") {
  const auto f = jq::jit([](const array& x) { return x + 1.f; }, mock_device());
  mock().fail_next_run = true;
  CHECK_THROWS_WITH_AS(f(two), doctest::Contains("told to fail"), jq::value_error);
  CHECK(show(f(two)) == "f32[2] 2 3");
}
TEST_CASE("mock_device: taps by outfeed, or directly, as it is told") {
  std::thread::id where;
  const auto f = jq::jit([&](const array& x) { return jq::id_tap([&](const array&) { where = std::this_thread::get_id(); }, x); }, mock_device(2));
  for (const bool direct : {false, true, false}) {
    mock().direct_taps = direct;
    jq::reset_tap_delivery();
    f(two);
    jq::barrier_wait();
    CHECK((where == std::this_thread::get_id()) == direct);
  }
}
TEST_CASE("mock_device: a stream for each device") {
  void* seen[2] = {};
  for (int d = 0; d < 2; ++d)
    jq::jit([&](const array& x) { return jq::device_callback([&, d](const jq::device_call& c) {
      seen[d] = c.stream;
      c.output<float>(0)[0] = c.output<float>(0)[1] = float(c.device.ordinal);
    }, x, x); }, mock_device(d))(two);
  CHECK(seen[0] != nullptr);
  CHECK(seen[1] != nullptr);
  CHECK(seen[0] != seen[1]);
}
