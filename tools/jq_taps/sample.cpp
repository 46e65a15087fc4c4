// Writes a stream of taps for the tests of jq-taps: jq-taps-sample PATH [STEPS].

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <jacquard/jacquard.hpp>
#include <jacquard/taps/outfeed/sink.hpp>

namespace jq = jacquard;

int main(int count, char** words) {
  if (count != 2 && count != 3) return 2;
  const int steps = count == 3 ? std::atoi(words[2]) : 60;
  try {
    jq::outfeed_sink sink(words[1]);
    jq::outfeed_receiver receiver{sink};
    const auto see = [](const auto&) {};
    const auto loss = [](const jq::array& w) { return jq::square(w - 3.0) + 0.5 * jq::sin(6.0 * w); };
    const auto step = jq::jit([&](const jq::array& w) {
      const auto tapped = [&](const jq::array& v) { return jq::id_tap(see, loss(v), jq::kw("what", "loss")); };
      const auto [value, gradient] = jq::value_and_grad(tapped)(w);
      return w - 0.02 * jq::id_tap(see, value, jq::kw("what", "value"), jq::result(gradient));
    });
    jq::array w = -2.0;
    for (int i = 0; i < steps; ++i) w = step(w);
    const auto state = jq::jit([&](const jq::array& m, const jq::array& b) { return jq::id_tap(see, std::pair{m, b}, jq::kw("name", "state"), jq::kw("step", 2)); });
    for (int i = 0; i < 3; ++i) state(jq::asarray({{1.f, 2.f}, {3.f, 4.f}}) * double(i), jq::asarray({true, false}));
    const auto masked = jq::mask([&](const jq::array& x) { return jq::sum(jq::id_tap(see, x, jq::kw("name", "ragged"))); }, jq::in_shapes<"n">, jq::out_shape<"">);
    for (int n = 1; n < 3; ++n) masked(jq::args(jq::ones({4})), jq::dims{{"n", n}});
    receiver.close();
    sink.close();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
