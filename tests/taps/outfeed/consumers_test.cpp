// Functions for the messages of a stream: who gets what, and what becomes of messages without a function, broken ones and failures.
#include "../../captured_output.hpp"
#include "../tap_log.hpp"

#include <jacquard/taps/outfeed/consumers.hpp>

#include <stdexcept>

using jq::array;
namespace wire = jacquard::wire;
using testing::message_of;

namespace {

/// A message of `n` bytes 1, 2, ..., or without arrays.
std::string message(std::uint64_t consumer, std::int64_t n, std::uint32_t version = wire::version_1) {
  wire::description d;
  d.version = version;
  d.consumer = consumer;
  if (n != 0) d.arrays.emplace_back(jq::u8, jq::shape{n});
  const auto words = wire::encode_header(d);
  std::string s(reinterpret_cast<const char*>(words.data()), 4 * words.size());
  for (std::int64_t i = 1; i <= n; ++i) s += char(i);
  return s;
}
std::size_t read(wire::stream_consumers& all, const std::string& s) {
  wire::memory_source source(s.data(), s.size());
  return all.read(source);
}
const std::string end = message(0, 0);

}  // namespace

TEST_CASE("consumers: each gets its messages, of both versions, up to the end of the stream") {
  std::vector<std::string> seen;
  wire::stream_consumers all;
  all.add(7, [&](const wire::description& d, const std::vector<array>& v) { seen.push_back("7 of version " + std::to_string(d.version) + ": " + show(v)); });
  all.add(8, [&](const wire::description&, const std::vector<array>& v) { seen.push_back("8: " + show(v)); });
  CHECK(read(all, message(7, 2) + message(8, 1) + message(7, 3, wire::version_2) + message(8, 0) + end + message(8, 1)) == 4);
  CHECK(seen == lines{"7 of version 2178: u8[2] 1 2", "8: u8[1] 1", "7 of version 2179: u8[3] 1 2 3", "8: "});
  CHECK(read(all, message(8, 1)) == 1);  // cut off between messages
  CHECK(read(all, "") == 0);
}
TEST_CASE("consumers: unknown ones are logged and counted, and reading goes on") {
  captured_output captured(2);
  int calls = 0;
  wire::stream_consumers all;
  all.add(1, [&](const wire::description&, const std::vector<array>&) { ++calls; });
  CHECK(message_of<jq::tap_error>([&] { read(all, message(5, 2) + message(1, 2) + message(6, 0) + message(1, 1) + end); }) ==
        "There were exceptions during callback processing: 2 tap(s) threw, the first one was: Ignoring received outfeed for unknown tap consumer 5");
  CHECK(calls == 2);
  CHECK(captured.text() == "jacquard: Ignoring received outfeed for unknown tap consumer 5\n"
                           "jacquard: Ignoring received outfeed for unknown tap consumer 6\n");
  CHECK(read(all, message(1, 1)) == 1);  // reported once
}
TEST_CASE("consumers: broken messages and functions that throw are counted alike; the first exception is nested") {
  captured_output captured(2);
  int calls = 0;
  wire::stream_consumers all;
  all.add(1, [&](const wire::description&, const std::vector<array>& v) {
    ++calls;
    if (v.empty()) throw std::out_of_range("no values");
  });
  bool nested = false;
  try {
    read(all, message(1, 0) + "rubbish" + message(1, 2) + message(9, 1) + message(1, 4).substr(0, 130));
  } catch (const jq::tap_error& e) {
    CHECK(std::string(e.what()) == "There were exceptions during callback processing: 4 tap(s) threw, the first one was: no values");
    try {
      std::rethrow_if_nested(e);
    } catch (const std::out_of_range&) {
      nested = true;
    }
  }
  CHECK(nested);
  CHECK(calls == 2);
  const std::string log = captured.text();
  CHECK(log.find("jacquard: postponing exception raised in tap function: no values\n") != std::string::npos);
  CHECK(log.find("jacquard: Read unexpected outfeed header") != std::string::npos);
  CHECK(log.find(", at byte 128\n") != std::string::npos);
  CHECK(log.find("jacquard: Read a truncated outfeed message") != std::string::npos);
}
TEST_CASE("consumers: numbers that cannot be given, and no function") {
  wire::stream_consumers all;
  const wire::stream_consumers::function f = [](const wire::description&, const std::vector<array>&) {};
  CHECK(message_of<jq::value_error>([&] { all.add(0, f); }).find("Consumer ID cannot be a reserved value: 0") != std::string::npos);
  CHECK(message_of<jq::value_error>([&] { all.add(3, {}); }).find("got no function for consumer 3") != std::string::npos);
  all.add(3, f);
  CHECK(message_of<jq::value_error>([&] { all.add(3, f); }).find("consumer 3 has a function already") != std::string::npos);
}
TEST_CASE("consumers: failures of this process's own taps are left to barrier_wait") {
  captured_output captured(2);
  const auto failing = [](const array&) { throw std::runtime_error("own"); };
  jq::id_tap(failing, array(1.0f));
  wire::stream_consumers all;
  all.add(1, [](const wire::description&, const std::vector<array>&) {});
  CHECK(read(all, message(1, 2) + end) == 1);
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("own"), jq::tap_error);
}
