// progress: counting on the host and from compiled code, what it draws, and when it is silent.
#include "../captured_output.hpp"
#include "tap_log.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <sstream>

using jq::array;

namespace {

/// Makes a terminal of the process's standard error, and keeps what is drawn on it.
class terminal {
 public:
  terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)), saved_(dup(2)) {
    REQUIRE(master_ >= 0);
    REQUIRE(grantpt(master_) == 0);
    REQUIRE(unlockpt(master_) == 0);
    const int slave = open(ptsname(master_), O_RDWR | O_NOCTTY);
    REQUIRE(slave >= 0);
    std::fflush(nullptr);
    dup2(slave, 2);
    close(slave);
    fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  terminal(const terminal&) = delete;
  ~terminal() {
    dup2(saved_, 2);
    close(saved_);
    close(master_);
  }
  std::string text() {
    std::fflush(nullptr);
    std::string s;
    char part[512];
    for (ssize_t n = 0; (n = read(master_, part, sizeof part)) > 0;) s.append(part, std::size_t(n));
    return s;
  }

 private:
  int master_, saved_;
};

/// The states drawn, one a line: "2/4", "4/4".
std::vector<std::string> states(const std::string& drawn) {
  std::vector<std::string> r;
  for (std::size_t at = 0; (at = drawn.find('\r', at)) != std::string::npos; ++at) {
    const std::size_t bar = drawn.rfind("| ", drawn.find('\r', at + 1)), end = drawn.find(' ', bar + 2);
    if (bar != std::string::npos && bar > at) r.push_back(drawn.substr(bar + 2, end - bar - 2));
  }
  return r;
}
/// x + i, slowly: every step takes longer than a bar waits between two drawings.
array slow_step(const array& i, const array& x) {
  return jq::io_callback([](const array& a, const array& b) {
    timespec t{0, 110000000};
    nanosleep(&t, nullptr);
    return a + b;
  }, x, x, i, jq::in_order());
}

}  // namespace

TEST_CASE("progress: a host loop counts, and draws its end") {
  std::ostringstream out;
  std::int64_t sum = 0;
  for (const std::int64_t i : jq::progress(5, "steps", jq::output_stream(out))) sum += i;
  CHECK(sum == 10);
  const std::string s = out.str();
  CHECK(s.find("steps 100% |") != std::string::npos);
  CHECK(s.find("| 5/5 [00:00<00:00, ") != std::string::npos);
  CHECK(s.find("/s]") != std::string::npos);
  CHECK(testing::count(s, "\n") == 1);
  CHECK(s.back() == '\n');
  CHECK(testing::count(s, "\xE2\x96\x88") == 30);
}
TEST_CASE("progress: moves from inside compiled code, once a run, not for derivatives, once a batch") {
  std::ostringstream out;
  const jq::progress bar(100, "run", jq::output_stream(out));
  const auto body = bar([](const array& x) { return x * 2.0; });
  const auto f = jq::jit([&](const array& x) { return body(body(x)); });
  CHECK(double(f(array(1.0))) == 4);
  jq::barrier_wait();
  CHECK(bar.done() == 2);
  CHECK(double(jq::grad(f)(array(1.0))) == 4);
  CHECK(bar.done() == 4);
  CHECK(show(jq::vmap(f)(jq::asarray({1.0, 2.0}))) == "f64[2] 4 8");
  CHECK(bar.done() == 6);
  f.lower(array(1.f));
  CHECK(bar.done() == 6);
  const auto step = bar([](const array& i, const std::pair<array, array>& state) { return std::pair{state.second, state.first + i}; });
  CHECK(show(step(array(1.0), std::pair{array(2.0), array(3.0)})) == "f64[] 3, f64[] 3");
  CHECK(bar.done() == 7);
}
TEST_CASE("progress: by outfeed, and without a known number of steps") {
  std::ostringstream out;
  {
    const jq::progress bar(0, "", jq::output_stream(out));
    jq::outfeed_receiver rx{};
    const auto f = jq::jit([&](const array& x) { return bar.tick(x); });
    for (int i = 0; i < 50; ++i) f(array(1.0));
    rx.close();
    CHECK(bar.done() == 50);
  }
  CHECK(out.str().find("\r50 [") != std::string::npos);
}
TEST_CASE("progress: silent when stderr is no terminal") {
  captured_output captured(2);
  for ([[maybe_unused]] const std::int64_t i : jq::progress(10)) {}
  CHECK(captured.text().empty());
}
TEST_CASE("progress: a loop that is left early keeps its last state and ends the line") {
  std::ostringstream out;
  {
    const jq::progress bar(10, "early", jq::output_stream(out));
    for (const std::int64_t i : bar) {
      timespec t{0, 60000000};
      nanosleep(&t, nullptr);
      if (i == 3) break;
    }
  }
  CHECK(out.str().find("| 3/10 [") != std::string::npos);
  CHECK(out.str().back() == '\n');
}
TEST_CASE("progress: the body of a fori_loop in compiled code draws every step") {
  std::ostringstream out;
  const jq::progress bar(4, "loop", jq::output_stream(out));
  const auto f = jq::jit([&](const array& x) { return lax::fori_loop(0, 4, bar(slow_step), x); });
  CHECK(show(f(jq::asarray(0))) == "i32[] 6");
  jq::barrier_wait();
  CHECK(bar.done() == 4);
  CHECK(states(out.str()) == lines{"1/4", "2/4", "3/4", "4/4"});
  CHECK(out.str().starts_with("\rloop  25% |"));
  CHECK(out.str().find("loop 100% |") != std::string::npos);
  CHECK(testing::count(out.str(), "\n") == 1);
  CHECK(out.str().back() == '\n');
}
TEST_CASE("progress: the body of a scan in compiled code, by both deliveries, under transforms") {
  for (const jq::tap_delivery how : {jq::tap_delivery::direct, jq::tap_delivery::outfeed}) {
    jq::set_tap_delivery(how);
    std::ostringstream out;
    const jq::progress bar(5, "scan", jq::output_stream(out));
    const auto body = bar([](const array& carry, const array& x) { return std::pair{carry * x, carry + x}; });
    const auto f = [&](const array& xs) { return lax::scan(body, array(1.0), xs).first; };
    const array xs = jq::asarray({1.0, 2.0, 3.0, 4.0, 5.0});
    CHECK(show(jq::jit(f)(xs)) == "f64[] 120");
    jq::barrier_wait();
    CHECK(bar.done() == 5);
    CHECK(states(out.str()) == lines{"5/5"});  // too fast for more
    CHECK(show(jq::jit(jq::grad(f))(xs)) == "f64[5] 120 60 40 30 24");
    jq::barrier_wait();
    CHECK(bar.done() == 10);
    CHECK(show(jq::vmap(f)(jq::ones({3, 5}, jq::f64))) == "f64[3] 1 1 1");
    jq::barrier_wait();
    CHECK(bar.done() == 15);
  }
  jq::reset_tap_delivery();
}
TEST_CASE("progress: a loop in compiled code draws to stderr where that is a terminal, and is silent where it is none") {
  const auto run = [] {
    const jq::progress bar(3, "tty");
    const auto f = jq::jit([&](const array& x) { return lax::fori_loop(0, 3, bar(slow_step), x); });
    f(jq::asarray(0));
    jq::barrier_wait();
    return bar.done();
  };
  {
    terminal screen;
    CHECK(run() == 3);
    const std::string drawn = screen.text();
    CHECK(states(drawn) == lines{"1/3", "2/3", "3/3"});
    CHECK(drawn.find("tty 100% |") != std::string::npos);
  }
  captured_output file(2);
  CHECK(run() == 3);
  CHECK(file.text().empty());
}
