// The log: which words switch what, and that the environment variable does the same from the start.
#include <jacquard/exec/logging.hpp>

#include <cstdlib>
#include <unistd.h>

#include "../captured_output.hpp"
#include "../show.hpp"

using jq::array;

namespace {

/// Sets the log for the time of a test.
struct logging_scope {
  explicit logging_scope(std::string_view words) { jq::set_logging(words); }
  ~logging_scope() { jq::set_logging(""); }
};
/// Numbers of lines and of tenths of milliseconds as N.
std::string without_numbers(const std::string& s) {
  std::string r;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool after_colon = i > 0 && s[i - 1] == ':' && s.compare(i < 5 ? 0 : i - 5, 4, ".cpp") == 0;
    const bool time = s.compare(i < 3 ? 0 : i - 3, 3, "in ") == 0;
    if ((after_colon || time) && std::isdigit(s[i])) {
      r += 'N';
      while (i + 1 < s.size() && (std::isdigit(s[i + 1]) || s[i + 1] == '.')) ++i;
    } else r += s[i];
  }
  return r;
}
std::string file() { return __FILE__; }
const auto tapped = [](const array& x) { return jq::id_tap([](const array&) {}, x * 2.f); };

}  // namespace

TEST_CASE("logging: compilations and calls") {
  captured_output captured(2);
  const logging_scope words("compile,dispatch");
  const auto f = jq::jit([](const array& x, const array& y) { return x * y; }, jq::backend("interpreter"));
  f(jq::ones({3}), array(2.f));
  f(jq::ones({3}), array(2.f));
  CHECK(without_numbers(captured.text()) ==
        "jacquard: dispatch on interpreter:0 of f32[3], f32[]\n"
        "jacquard: compile for interpreter:0 of f32[3], f32[] -> f32[3], 1 equation in N ms [" + file() + ":N]\n"
        "jacquard: dispatch on interpreter:0 of f32[3], f32[] [" + file() + ":N]\n");
}
TEST_CASE("logging: each word by itself, and none") {
  captured_output captured(2);
  {
    const logging_scope words("taps");
    jq::jit(tapped)(jq::ones({3}));
    CHECK(captured.text() == "jacquard: tap on cpu:0 of f32[3]\n");
  }
  {
    const logging_scope words(" compile ,");
    jq::jit(tapped)(jq::ones({2}));
    const std::string seen = captured.text();
    CHECK(testing::count(seen, "\n") == 1);
    CHECK(seen.find("jacquard: compile for cpu:0 of f32[2] -> f32[2], 2 equations in ") == 0);
  }
  jq::jit(tapped)(jq::ones({4}));
  CHECK(captured.text() == "");
  CHECK(jq::detail::unusual_now() == 0);
}
TEST_CASE("logging: unknown words are told of in one warning, the others hold") {
  captured_output captured(2);
  const logging_scope words("compile,disptach,tap");
  CHECK(captured.text() == "jacquard: JACQUARD_LOG does not know 'disptach', 'tap'; the words are compile, dispatch, taps, nothing\n");
  jq::jit(tapped)(jq::ones({5}));
  CHECK(testing::count(captured.text(), "compile for") == 1);
}
TEST_CASE("logging: what taps write has one switch, whoever turns it") {
  captured_output captured(2);
  const logging_scope words("dispatch");
  jq::set_tap_logging(jq::tap_logging::taps);
  jq::jit(tapped)(jq::ones({6}));
  const std::string both = captured.text();
  CHECK(both.find("jacquard: dispatch on cpu:0 of f32[6]") == 0);
  CHECK(both.find("\njacquard: tap on cpu:0 of f32[6]\n") != std::string::npos);
  jq::set_tap_logging(jq::tap_logging::nothing);
  const auto failing = [](const array& x) { return jq::id_tap([](const array&) { throw std::runtime_error("trouble"); }, x); };
  failing(jq::ones({2}));
  CHECK_THROWS_AS(jq::barrier_wait(), jq::tap_error);
  CHECK(captured.text() == "");
  jq::set_logging("nothing");
  failing(jq::ones({2}));
  CHECK_THROWS_AS(jq::barrier_wait(), jq::tap_error);
  CHECK(captured.text() == "");
  jq::set_logging("");
  failing(jq::ones({2}));
  CHECK_THROWS_AS(jq::barrier_wait(), jq::tap_error);
  CHECK(captured.text().find("trouble") != std::string::npos);
}
TEST_CASE("logging: debugging switches and observers do not disturb each other") {
  captured_output captured(2);
  const logging_scope words("dispatch");
  const auto f = jq::jit([](const array& x) { return x / 0.f; });
  {
    const jq::debug_nans nans;
    CHECK_THROWS_AS(f(jq::zeros({2})), jq::value_error);
  }
  (void)captured.text();
  {
    const jq::disable_jit as_written;
    f(jq::ones({2}));
    CHECK(captured.text() == "");
  }
  f(jq::ones({2}));
  CHECK(testing::count(captured.text(), "dispatch") == 1);
}
TEST_CASE("logging: the environment variable") {
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return;
  const std::string me(self, std::size_t(n));
  const auto run = [&](const char* words) {
    const std::string command = "JACQUARD_LOG=" + std::string(words) + " '" + me + "' --test-case='logging: a program to be observed' --no-skip 2>&1 >/dev/null";
    std::string out;
    std::FILE* p = popen(command.c_str(), "r");
    for (int c = std::fgetc(p); c != EOF; c = std::fgetc(p)) out += char(c);
    pclose(p);
    return out;
  };
  CHECK(run("taps") == "jacquard: tap on cpu:0 of f32[7]\n");
  CHECK(testing::count(run("compile,dispatch,taps"), "\n") == 3);
  CHECK(run("everything") == "jacquard: JACQUARD_LOG does not know 'everything'; the words are compile, dispatch, taps, nothing\n");
  CHECK(run("''") == "");
}
TEST_CASE("logging: a program to be observed" * doctest::skip()) { jq::jit(tapped)(jq::ones({7})); }
