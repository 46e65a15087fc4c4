// The profile: the file is valid JSON whatever names there are, lanes nest, all threads are seen, errors are told of.
#include <jacquard/seeing/profile.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <unistd.h>

#include "../captured_output.hpp"
#include "../show.hpp"
#include "identity.hpp"
#include "json.hpp"

using jq::array;

namespace {

/// A file name of this test, removed at its end.
struct file_name {
  std::string path = "/tmp/jacquard_profile_" + std::to_string(getpid()) + ".json";
  ~file_name() { std::remove(path.c_str()); }
  std::string text() const {
    std::ifstream in(path);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
  }
  /// The events, without the names of devices and threads.
  std::vector<testing::json_value> events() const {
    std::vector<testing::json_value> r;
    const testing::json_value all = testing::json_reader(text()).read();
    for (const testing::json_value& e : all["traceEvents"].elements)
      if (e["ph"].text == "X") r.push_back(e);
    return r;
  }
};
int count_kind(const std::vector<testing::json_value>& events, const std::string& kind, const std::string& name = "") {
  int n = 0;
  for (const testing::json_value& e : events) n += e["cat"].text == kind && (name.empty() || e["name"].text == name);
  return n;
}

/// An operation whose name is not made for JSON: quotes, backslash, control characters, UTF-8 and what is none.
struct odd_p : identity_named<odd_p> {
  static constexpr std::string_view name = "\"odd\"\\\n\x01\x7f{é\xff\xc0\xaf\xed\xa0\x80}";
};

}  // namespace

TEST_CASE("profile: a call, its trace, compilation, kernels, taps and copies") {
  const file_name file;
  const array x = jq::ones({4});
  {
    const jq::profile p(file.path);
    const auto f = jq::jit([](const array& v) { return jq::id_tap([](const array&) {}, jq::sin(v) * 2.f); }, jq::backend("interpreter"));
    f(x);
    f(x);
    f.lower(x).compile()(x);
    (void)jq::asarray({1.f, 2.f, 3.f});
  }
  {
    const auto events = file.events();
    CHECK(count_kind(events, "trace") == 2);
    CHECK(count_kind(events, "compile") == 2);
    CHECK(count_kind(events, "dispatch") == 3);
    CHECK(count_kind(events, "kernel", "sin") == 3);
    CHECK(count_kind(events, "tap") == 3);
    CHECK(count_kind(events, "transfer") >= 1);
    for (const testing::json_value& e : events) {
      if (e["cat"].text == "dispatch") CHECK(e["args"]["types"].text == "f32[4]");
      if (e["cat"].text == "dispatch") CHECK(e["args"]["at"].text.find("profile_test.cpp:") != std::string::npos);
      if (e["cat"].text == "transfer") CHECK(e["args"]["bytes"].text == "12");
    }
  }
  CHECK(file.text().find("\"name\":\"interpreter:0\"") != std::string::npos);
}
TEST_CASE("profile: events of a lane lie within one another or apart") {
  const file_name file;
  {
    const jq::profile p(file.path);
    const auto f = jq::jit([](const array& v) {
      return lax::fori_loop(0, 3, [](const array&, const array& c) { return jq::id_tap([](const array& y) { (void)jq::sin(y); }, c + 1.f); }, v);
    });
    f(jq::ones({2}));
  }
  const auto events = file.events();
  REQUIRE(events.size() > 10);
  for (const testing::json_value& a : events)
    for (const testing::json_value& b : events) {
      if (a["pid"].text != b["pid"].text || a["tid"].text != b["tid"].text) continue;
      const double a0 = a["ts"].number(), a1 = a0 + a["dur"].number(), b0 = b["ts"].number(), b1 = b0 + b["dur"].number();
      const double ns = 0.0005;  // half of the last digit
      const bool apart = a1 <= b0 + ns || b1 <= a0 + ns, within = (a0 <= b0 + ns && b1 <= a1 + ns) || (b0 <= a0 + ns && a1 <= b1 + ns);
      if (!apart && !within) FAIL_CHECK(a["name"].text << " and " << b["name"].text << " overlap");
    }
}
TEST_CASE("profile: names that need escapes") {
  const file_name file;
  {
    const jq::profile p(file.path);
    jq::bind<odd_p>({}, jq::location{"dir \"x\"\\\xff.cpp", 3}, jq::ones({2}));
  }
  const auto events = file.events();  // throws where the file is not JSON
  bool found = false;
  for (const testing::json_value& e : events)
    if (e["args"].has("at") && e["args"]["at"].text == "dir \"x\"\\\xEF\xBF\xBD.cpp:3") {
      found = true;
      const std::string bad = "\xEF\xBF\xBD";
      CHECK(e["name"].text == "\"odd\"\\\n\x01\x7f{é" + bad + bad + bad + bad + bad + bad + "}");
    }
  CHECK(found);
}
TEST_CASE("profile: all threads, each in its lane") {
  const file_name file;
  {
    const jq::profile p(file.path);
    const auto f = jq::jit([](const array& v) { return v * 2.f; });
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) f(jq::ones({3}));
      });
    for (std::thread& t : threads) t.join();
  }
  const auto events = file.events();
  std::map<std::string, int> lanes;
  for (const testing::json_value& e : events)
    if (e["cat"].text == "dispatch") ++lanes[e["tid"].text];
  CHECK(lanes.size() == 4);
  for (const auto& [lane, calls] : lanes) CHECK(calls == 50);
  CHECK(count_kind(events, "compile") == 1);
}
TEST_CASE("profile: only while one lives, and one at a time") {
  const file_name file;
  const auto f = jq::jit([](const array& v) { return v * 2.f; });
  f(jq::ones({3}));
  jq::profile p(file.path);
  const std::string second = file.path + ".second";
  std::ofstream(second) << "kept";
  CHECK_THROWS_WITH_AS(jq::profile{second}, "profile: another one is recording, wanted one at a time; close() that one first", jq::value_error);
  std::string kept;
  CHECK((std::ifstream(second) >> kept && kept == "kept"));
  std::remove(second.c_str());
  p.close();
  const std::string before = file.text();
  f(jq::ones({3}));
  p.close();  // nothing more to do
  CHECK(file.text() == before);
  CHECK(count_kind(file.events(), "dispatch") == 0);
  CHECK(jq::detail::unusual_now() == 0);
  jq::profile(file.path).close();  // another one may follow
}
TEST_CASE("profile: files that cannot be written") {
  for (int i = 0; i < 2; ++i)
    CHECK_THROWS_WITH_AS(jq::profile("/nowhere/at/all.json"), doctest::Contains("cannot write to '/nowhere/at/all.json'"), jq::value_error);
  captured_output captured(2);
  if (access("/dev/full", W_OK) != 0) return;
  jq::profile full("/dev/full");
  CHECK_THROWS_WITH_AS(full.close(), doctest::Contains("could not write all of '/dev/full'"), jq::value_error);
  { const jq::profile quiet("/dev/full"); }
  CHECK(captured.text() == "jacquard: profile: could not write all of '/dev/full'\n");
}
