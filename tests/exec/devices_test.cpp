// Devices: how many there are, their names, and errors for those that do not exist.
#include "../show.hpp"

#include <sstream>

using jq::array;

TEST_CASE("devices: one of the host at first, then as many as the program wants") {
  CHECK(jq::devices().size() == 1);
  jq::set_host_device_count(3);
  const std::vector<jq::device> d = jq::devices("cpu");
  REQUIRE(d.size() == 3);
  CHECK(jq::to_string(d[2]) == "cpu:2");
  CHECK(d[1] == jq::device("cpu", 1));
  CHECK_FALSE(d[1] == d[2]);
  CHECK(show(jq::jit([](const array& x) { return x * 2.f; }, d[2])(jq::asarray(3.f))) == "f32[] 6");
  jq::set_host_device_count(1);
  CHECK(jq::devices("interpreter").size() == 1);
}
TEST_CASE("devices: taps know the device they run on") {
  jq::set_host_device_count(2);
  int ordinal = -1;
  std::string name;
  const auto f = [&](const array& x) {
    return jq::id_tap([&](const array&, const jq::tap_context& c) { ordinal = c.device.ordinal, name = jq::to_string(c.device); }, x);
  };
  jq::jit(f, jq::devices()[1])(jq::asarray(1.f));
  CHECK(ordinal == 1);
  CHECK(name == "cpu:1");
  std::ostringstream out;
  out << jq::devices()[1] << ' ' << jq::device_id{};
  CHECK(out.str() == "cpu:1 cpu:0");
  jq::jit(f)(jq::asarray(1.f));
  CHECK(ordinal == 0);
  jq::set_host_device_count(1);
}
TEST_CASE("devices: wrong counts, platforms and ordinals") {
  CHECK_THROWS_WITH_AS(jq::set_host_device_count(0), doctest::Contains("set_host_device_count: got 0, wanted at least 1"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::devices("tpu"), doctest::Contains("unknown name 'tpu'"), jq::value_error);
  const auto f = [](const array& x) { return x; };
  CHECK_THROWS_WITH_AS(jq::jit(f, jq::device("cpu", 7))(jq::asarray(1.f)), doctest::Contains("cpu:7"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::jit(f, jq::device("cpu", -1))(jq::asarray(1.f)), doctest::Contains("cpu:-1"), jq::value_error);
}
