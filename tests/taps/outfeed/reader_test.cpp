// Streams of messages, whole and broken: what is found, what is reported, where reading goes on.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/taps/outfeed/reader.hpp>

#include <algorithm>
#include <random>

namespace jq = jacquard;
namespace wire = jacquard::wire;

namespace {

std::string bytes_of(std::uint64_t id, jq::dtype t, std::int64_t n, std::uint32_t version = wire::version_1) {
  wire::description d;
  d.version = version;
  d.consumer = id;
  d.arrays.emplace_back(t, jq::shape{n});
  const auto words = wire::encode_header(d);
  std::string s(reinterpret_cast<const char*>(words.data()), 4 * words.size());
  for (std::size_t i = 0; i < d.payload_bytes(); ++i) s += char(i + id);
  return s;
}
struct found {
  std::vector<std::uint64_t> consumers;
  std::vector<std::string> problems;
  std::vector<std::uint64_t> offsets;
};
/// A source that gives a few bytes at a time.
struct trickle : wire::memory_source {
  using wire::memory_source::memory_source;
  std::size_t read(void* to, std::size_t most) { return wire::memory_source::read(to, std::min(most, std::size_t(7))); }
};
template <class Source = wire::memory_source>
found read_all(const std::string& s, wire::limits bounds = {}) {
  Source source(s.data(), s.size());
  wire::stream_reader<Source> reader(source, bounds);
  found r;
  wire::message m;
  while (reader.next(m)) {
    if (m.problem.empty()) {
      r.consumers.push_back(m.head.consumer);
      CHECK(m.payload.size() == m.head.payload_bytes());
    } else r.problems.push_back(m.problem);
    r.offsets.push_back(m.offset);
  }
  CHECK(!reader.next(m));
  return r;
}
using ids = std::vector<std::uint64_t>;

const std::string one = bytes_of(1, jq::f32, 5), two = bytes_of(2, jq::i8, 3), three = bytes_of(3, jq::c128, 2, wire::version_2);

}  // namespace

TEST_CASE("reader: whole streams, in any pieces") {
  CHECK(read_all("").consumers.empty());
  const found r = read_all(one + two + three);
  CHECK(r.consumers == ids{1, 2, 3});
  CHECK(r.problems.empty());
  CHECK(r.offsets == ids{0, one.size(), one.size() + two.size()});
  CHECK(read_all<trickle>(one + two + three).consumers == ids{1, 2, 3});
}
TEST_CASE("reader: arrays come back") {
  const std::string s = bytes_of(9, jq::u8, 4);
  wire::memory_source source(s.data(), s.size());
  wire::stream_reader<wire::memory_source> reader(source);
  wire::message m;
  REQUIRE(reader.next(m));
  const auto v = m.value(0);
  CHECK(v.dtype() == jq::u8);
  CHECK(std::vector<int>(v.data<std::uint8_t>().begin(), v.data<std::uint8_t>().end()) == std::vector<int>{9, 10, 11, 12});
}
TEST_CASE("reader: rubbish between messages is reported once and skipped") {
  const found r = read_all(one + "some rubbish" + two + std::string(1000, '\x82') + three);
  CHECK(r.consumers == ids{1, 2, 3});
  REQUIRE(r.problems.size() == 2);
  CHECK(r.problems[0].find("Read unexpected outfeed header") == 0);
}
TEST_CASE("reader: a corrupt header costs its message only") {
  for (const std::size_t at : {0, 12, 13, 16, 18, 60}) {
    std::string broken = one;
    broken[at] = '\x55';
    const found r = read_all(one + broken + two);
    CHECK(r.consumers == ids{1, 2});
    CHECK(r.problems.size() == 1);
    CHECK(r.offsets[1] == one.size());
  }
}
TEST_CASE("reader: truncated anywhere, without and with more to come") {
  for (std::size_t n = 1; n < one.size(); ++n) {
    const found end = read_all(two + one.substr(0, n));
    CHECK(end.consumers == ids{2});
    REQUIRE(end.problems.size() == 1);
    CHECK(end.problems[0].find("Read a truncated outfeed message") == 0);
  }
  CHECK(read_all(one.substr(0, 40) + two + three).consumers == ids{2, 3});
  // A payload that is cut short takes its missing bytes from the next message, which is lost with it at most.
  const found r = read_all(one.substr(0, one.size() - 8) + two + three + two);
  CHECK(r.consumers.back() == 2);
  CHECK(r.consumers[0] == 1);
}
TEST_CASE("reader: messages that claim more than there is do not hide those within") {
  const std::string large = bytes_of(5, jq::u8, 1 << 20).substr(0, 128);
  const found r = read_all(large + one + two);
  CHECK(r.consumers == ids{1, 2});
  REQUIRE(r.problems.size() == 1);
  CHECK(r.problems[0] == "Read a truncated outfeed message: the stream ends within its arrays");
}
TEST_CASE("reader: oversized messages are errors, and reading goes on") {
  wire::limits bounds;
  bounds.payload = 64;
  const found r = read_all(one + bytes_of(5, jq::u8, 100) + two, bounds);
  CHECK(r.consumers == ids{1, 2});
  REQUIRE(r.problems.size() == 1);
  CHECK(r.problems[0] == "Read an oversized outfeed message: its arrays have more than 64 bytes");
}
TEST_CASE("reader: random damage never loses what lies behind it for good") {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string s = one + two + three;
    for (int k = 0; k < 5; ++k) s[random() % s.size()] = char(random());
    const found r = read_all(s + std::string(4096, '\0') + bytes_of(77, jq::f64, 2));
    REQUIRE(!r.consumers.empty());
    CHECK(r.consumers.back() == 77);
  }
}
