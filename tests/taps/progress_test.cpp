// progress: counting on the host and from compiled code, what it draws, and when it is silent.
#include "../captured_output.hpp"
#include "tap_log.hpp"

#include <sstream>

using jq::array;

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
