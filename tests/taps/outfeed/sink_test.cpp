// outfeed_sink: what it writes to files, pipes and sockets, both versions, and disconnections.
#include "../../captured_output.hpp"
#include "../tap_log.hpp"

#include <jacquard/taps/outfeed/reader.hpp>
#include <jacquard/taps/outfeed/sink.hpp>

#include <cstdlib>
#include <thread>

using jq::array;
namespace wire = jacquard::wire;

namespace {

struct temporary {
  std::string path;
  temporary() {
    char name[] = "/tmp/jacquard_sink_XXXXXX";
    close(mkstemp(name));
    path = name;
  }
  ~temporary() { unlink(path.c_str()); }
  std::string bytes() const {
    std::string s;
    std::FILE* f = std::fopen(path.c_str(), "rb");
    for (int c = 0; (c = std::fgetc(f)) != EOF;) s += char(c);
    std::fclose(f);
    return s;
  }
};
std::vector<wire::message> messages(const std::string& s) {
  wire::memory_source source(s.data(), s.size());
  wire::stream_reader<wire::memory_source> reader(source);
  std::vector<wire::message> r;
  wire::message m;
  while (reader.next(m)) {
    CHECK(m.problem == "");
    r.push_back(m);
  }
  return r;
}
const array two = jq::asarray({1.f, 2.f});
const auto see = [](const auto&) {};

}  // namespace

TEST_CASE("sink: version 2 carries keywords, transforms, device and time") {
  const temporary file;
  jq::outfeed_sink sink(file.path);
  jq::outfeed_receiver rx{sink};
  const auto f = [](const array& x) { return jq::id_tap(see, std::pair{x, x > 1.f}, jq::kw("what", "pair"), jq::kw("rate", 2.0)).first; };
  jq::vmap(f)(two);
  rx.close();
  sink.close();
  const auto all = messages(file.bytes());
  REQUIRE(all.size() == 2);
  CHECK(all[1].head.is_end());
  const wire::description& d = all[0].head;
  CHECK(d.version == wire::version_2);
  CHECK(show(all[0].value(0)) == "f32[2] 1 2");
  CHECK(show(all[0].value(1)) == "bool[2] 0 1");
  REQUIRE(d.kwargs.size() == 2);
  CHECK(d.kwargs[0].value.get<std::string>() == "pair");
  CHECK(d.kwargs[1].value.get<double>() == 2);
  REQUIRE(d.transforms.size() == 1);
  CHECK(d.transforms[0].batch_dims == std::vector<int>{0, 0});
  CHECK(d.device == "cpu:0");
  CHECK(d.time > 1.6e9);
}
TEST_CASE("sink: the logical shapes of every run of a masked tap, in version 2; version 1 has no place for them") {
  for (const int version : {1, 2}) {
    const temporary file;
    jq::outfeed_sink sink(file.path, jq::wire_version(version));
    jq::outfeed_receiver rx{sink};
    const auto f = jq::jit([](const array& x, const array& n) {
      return jq::mask([](const array& v) { return jq::sum(jq::id_tap(see, std::pair{v, jq::sum(v)}).first); }, jq::in_shapes<"n">,
                      jq::out_shape<"">)(jq::args(x), jq::dims{{"n", n}});
    });
    const array x = jq::ones({4});
    for (int n = 1; n < 4; ++n) f(x, jq::asarray(n));
    rx.close();
    sink.close();
    const auto all = messages(file.bytes());
    REQUIRE(all.size() == 4);
    for (int n = 1; n < 4; ++n) {
      const wire::description& d = all[std::size_t(n - 1)].head;
      CHECK(d.arrays[0] == jq::aval(jq::f32, {4}));
      if (version == 1) {
        CHECK(d.transforms.empty());
        continue;
      }
      REQUIRE(d.transforms.size() == 1);
      CHECK(d.transforms[0].name == "mask");
      CHECK(d.transforms[0].logical_shapes == std::vector<jq::shape>{{n}, {}});
    }
  }
}
TEST_CASE("sink: version 1 is the format of 2020, byte for byte") {
  const temporary file;
  jq::outfeed_sink sink(file.path, jq::wire_version(1));
  jq::outfeed_receiver rx{sink};
  jq::id_tap(see, two);
  rx.close();
  sink.close();
  const std::string s = file.bytes();
  REQUIRE(s.size() == 128 + 8 + 128);
  std::uint32_t words[32];
  std::memcpy(words, s.data(), 128);
  CHECK(words[0] == 2178);
  CHECK(words[3] == 5);
  CHECK(words[4] == 0x91920991);
  CHECK(words[5] == 0x02202020);
  float payload[2];
  std::memcpy(payload, s.data() + 128, 8);
  CHECK(payload[1] == 2.f);
  std::memcpy(words, s.data() + 136, 128);
  CHECK(words[3] == 1);
  CHECK(words[4] == 0x90202020);
}
TEST_CASE("sink: what version 1 cannot say is a counted failure; the tap runs") {
  captured_output captured(2);
  const temporary file;
  jq::outfeed_sink sink(file.path, jq::wire_version(1));
  int calls = 0;
  jq::outfeed_receiver rx{sink};
  jq::id_tap([&](const array&) { ++calls; }, jq::asarray({true}));
  jq::id_tap([&](const std::vector<array>&) { ++calls; }, std::vector<array>(37, jq::asarray(1)));
  CHECK(testing::message_of<jq::tap_error>([&] { rx.close(); }).find("2 tap(s) threw, the first one was: outfeed: the wire format of version 1 has no code for bool") != std::string::npos);
  CHECK(calls == 2);
  CHECK_THROWS_AS(jq::wire_version(3), jq::value_error);
}
TEST_CASE("sink: a limit on metadata") {
  captured_output captured(2);
  const temporary file;
  jq::outfeed_sink sink(file.path, jq::metadata_limit(200));
  jq::outfeed_receiver rx{sink};
  jq::id_tap(see, std::vector<array>(100, jq::asarray(1)));
  CHECK(testing::message_of<jq::tap_error>([&] { rx.close(); }).find("Outfeed metadata too long") != std::string::npos);
}
TEST_CASE("sink: through a pipe and a Unix socket") {
  int ends[2];
  for (const bool as_socket : {false, true}) {
    REQUIRE((as_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) == 0);
    std::string got;
    std::thread reader([&] {
      char part[1000];
      for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;) got.append(part, std::size_t(n));
    });
    {
      jq::outfeed_sink sink(ends[1]);
      jq::outfeed_receiver rx{sink};
      for (int i = 0; i < 100; ++i) jq::id_tap(see, jq::zeros({1000}));
      rx.close();
    }
    reader.join();
    close(ends[0]);
    CHECK(messages(got).size() == 101);
  }
}
TEST_CASE("sink: a reader that goes away is one error, without a signal; the program and its taps run on") {
  captured_output captured(2);
  int ends[2], calls = 0;
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  jq::outfeed_sink sink(ends[1]);
  jq::outfeed_receiver rx{sink};
  for (int i = 0; i < 5; ++i) jq::id_tap([&](const array&) { ++calls; }, two);
  CHECK(testing::message_of<jq::tap_error>([&] { rx.close(); }).find("1 tap(s) threw, the first one was: outfeed_sink: cannot write to 'the stream': Broken pipe") != std::string::npos);
  CHECK(calls == 5);
  CHECK(testing::message_of<jq::tap_error>([&] { sink.close(); }).find("5 message(s) were lost") != std::string::npos);
}
TEST_CASE("sink: streams that cannot be opened") {
  CHECK_THROWS_WITH_AS(jq::outfeed_sink("/nowhere/at/all"), doctest::Contains("cannot open '/nowhere/at/all'"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::outfeed_sink("unix:/nowhere"), doctest::Contains("start the reader first"), jq::value_error);
}
